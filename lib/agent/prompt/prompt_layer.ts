/**
 * What is registered in one place.
 *
 * @module
 */
import { Registrations } from "../registrations.ts";
import type { ProtectedNames } from "./prompt_protection.ts";
import type { AssembleListener, PromptSection } from "./prompt_types.ts";

/** Sections, protections and listeners of one place, each in the order in which they came. */
export class PromptLayer {
  /** The sections by name. */
  readonly sections: Map<string, PromptSection> = new Map();
  /** What listeners cannot change. */
  readonly protections: Registrations<ProtectedNames> = new Registrations();
  /** Who may change prompts. */
  readonly listeners: Registrations<AssembleListener> = new Registrations();

  /** Tells whether a protection of this place covers a name. */
  protects(kind: keyof ProtectedNames, name: string): boolean {
    for (const protection of this.protections) {
      if (protection[kind].has(name)) return true;
    }
    return false;
  }
}
