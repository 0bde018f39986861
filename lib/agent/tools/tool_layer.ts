/**
 * What is registered in one place.
 *
 * @module
 */
import { Registrations } from "../registrations.ts";
import type { ToolRestriction } from "./tool_restriction.ts";
import type {
  PostExecuteListener,
  PreExecuteListener,
  ToolDefinition,
  ToolGuard,
  ToolResultObserver,
} from "./tool_types.ts";

/** Tools and policies of one place, each in the order in which they came. */
export class ToolLayer {
  /** The tools by name. */
  readonly tools: Map<string, ToolDefinition> = new Map();
  /** What an agent does not see of the global tools; always empty in the global layer. */
  readonly restrictions: Registrations<ToolRestriction> = new Registrations();
  /** Policies for calls. */
  readonly preExecute: Registrations<PreExecuteListener> = new Registrations();
  /** Refusals that nothing overrules. */
  readonly guards: Registrations<ToolGuard> = new Registrations();
  /** Policies for results. */
  readonly postExecute: Registrations<PostExecuteListener> = new Registrations();
  /** Who hears of final results. */
  readonly observers: Registrations<ToolResultObserver> = new Registrations();
}
