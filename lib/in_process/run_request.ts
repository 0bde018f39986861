/**
 * Taking a request over: everything that can be wrong with it is found before anything is made for it.
 *
 * @module
 */
import type { AgentOptions } from "../agent/agent.ts";
import type { SessionEvent } from "../agent/session/session_event.ts";
import { snapshotContent } from "../agent/tools/tool_content.ts";
import { snapshotOutputSchema } from "../schema/assert_output_schema.ts";
import type { JsonObject, JsonValue } from "../schema/json_value.ts";
import type { OutputSchema } from "../schema/output_schema.ts";
import { snapshotFrozenJsonValue } from "../schema/snapshot_json_value.ts";
import type { ContentBlock } from "../seam/content.ts";
import { isRecord } from "../seam/kind_of.ts";
import { assertMaxDepth, assertPersona } from "../seam/start_gate.ts";
import type { SubagentStartRequest, SubagentToolFilter } from "../seam/types.ts";
import { childDepthOf } from "./depth.ts";
import { refusal, refusing } from "./refusal.ts";
import type { RunRules } from "./run_rules.ts";

/** A request whose parent is of a kind. */
export interface RequestOf<Parent> extends Omit<SubagentStartRequest, "label" | "parent"> {
  /** Who delegates. */
  readonly parent: Parent;
}

/** What a child is made of besides its request. */
export interface RequestParts<Parent> {
  /** Events that the child's session begins with. */
  readonly seed?: readonly SessionEvent[] | undefined;
  /** The rules that count. */
  readonly rules: RunRules<Parent>;
  /** Makes an id, fresh at every call. */
  readonly newId: () => string;
}

/** A request that passed. All of it but the parent and the signal is a frozen copy. */
export interface RunPlan<Parent> {
  /** Id of the child. */
  readonly id: string;
  /** Who delegates. */
  readonly parent: Parent;
  /** Cancels the run. */
  readonly signal: AbortSignal | undefined;
  /** How many delegations lead to the child. */
  readonly depth: number;
  /** The first message. */
  readonly prompt: readonly ContentBlock[];
  /** What the child is made of. */
  readonly agentOptions: AgentOptions;
  /** What a structured result must fit, if one is asked for. */
  readonly schema: OutputSchema | undefined;
  /** What the child sees of the global tools, if not all. */
  readonly toolFilter: SubagentToolFilter | undefined;
  /** Who the child is, if not what everybody is. */
  readonly persona: string | undefined;
  /** Events that the child's session begins with. */
  readonly seed: readonly SessionEvent[] | undefined;
}

/**
 * Reads each field of a request once, and checks and copies what was read. Nothing else happens: a request that does
 * not pass leaves nothing behind.
 *
 * @throws {TypeError} In this order: a malformed `maxDepth`; a persona that is no string; a tool filter or seed that
 * JSON would not carry; a parent whose depth is malformed; then, behind the two below, agent options and, behind the
 * schema, a prompt that JSON would not carry.
 * @throws {RangeError} When the child would be deeper than a safe integer tells.
 * @throws {SubagentDepthError} When the child would be deeper than `maxDepth`.
 * @throws {OutputSchemaError} When the schema is not in the supported subset of JSON Schema.
 * @throws What a getter of the request throws.
 */
export function acceptRunRequest<Parent>(
  request: RequestOf<Parent>,
  { seed: givenSeed, rules, newId }: RequestParts<Parent>,
): RunPlan<Parent> {
  const { parent, signal, persona, toolFilter, maxDepth, outputSchema, prompt, agentOptions } = request;
  refusing(() => assertMaxDepth(maxDepth));
  refusing(() => assertPersona(persona));
  const filter = optional(toolFilter, (given) => snapshot(given, "tool filter"));
  const seed = optional(givenSeed, checkedSeed);
  const depth = childDepthOf(rules.depthOf(parent), maxDepth);
  const requested = optional(agentOptions, checkedAgentOptions);
  const schema = optional(outputSchema, snapshotOutputSchema);
  const content = checkedPrompt(prompt);
  const id = newId();
  // What is inherited comes from outside as well, so the whole is looked at once more.
  const options = snapshot(
    { ...rules.inherited(parent), ...requested, subagentDepth: depth },
    "agent options",
  );
  return {
    id,
    parent,
    signal,
    depth,
    prompt: content,
    agentOptions: options as AgentOptions,
    schema,
    toolFilter: filter as SubagentToolFilter | undefined,
    persona,
    seed,
  };
}

function checkedSeed(given: unknown): readonly SessionEvent[] {
  const seed: unknown = snapshot(given, "seed");
  if (Array.isArray(seed)) return seed as SessionEvent[];
  throw refusal(new TypeError("subagent seed must be an array of session events"));
}

function checkedAgentOptions(given: unknown): JsonObject {
  const options: unknown = snapshot(given, "agent options");
  if (isRecord(options)) return options as JsonObject;
  throw refusal(new TypeError("subagent agent options must be an object"));
}

function checkedPrompt(given: unknown): readonly ContentBlock[] {
  const prompt: unknown = snapshot(given, "prompt");
  if (typeof prompt === "string") return [{ type: "text", text: prompt }];
  const content = snapshotContent(prompt);
  if (content !== undefined && content.length > 0) return content;
  throw refusal(new TypeError("subagent prompt must be a string or an array of content blocks, not empty"));
}

function snapshot(value: unknown, what: string): JsonValue {
  const copy = snapshotFrozenJsonValue(value);
  if (copy !== undefined) return copy;
  throw refusal(new TypeError(`subagent ${what} must be losslessly JSON-serializable`));
}

function optional<T>(value: unknown, take: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : take(value);
}
