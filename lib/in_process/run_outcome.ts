/**
 * From what happened to a child to the result of its run: two generations of rules, all of them pure.
 *
 * | | older: `startInProcessRun()` | newer: `spawnProvider()`, `forkProvider()` |
 * |---|---|---|
 * | output | the last message, even an empty one | the last message with content, else the streamed text |
 * | turn refused by policy | `error` | `refusal` |
 * | cancelled, turn ended otherwise | what the turn says | `aborted`, unless it completed |
 *
 * @module
 */
import type { SessionEvent } from "../agent/session/session_event.ts";
import type { JsonValue } from "../schema/json_value.ts";
import { snapshotJsonValue } from "../schema/snapshot_json_value.ts";
import { finalAssistantOutput } from "../seam/assistant_output_fold.ts";
import type { ContentBlock } from "../seam/content.ts";
import { isRecord } from "../seam/kind_of.ts";
import type { SubagentResult, SubagentStopReason } from "../seam/types.ts";
import type { CapturedValue } from "./structured_runtime.ts";

/** What is known when a child is still. */
export interface RunFacts {
  /** What happened in the child's session, without what it was seeded with. */
  readonly events: readonly SessionEvent[];
  /** Whether the run was cancelled. */
  readonly isCancelled: boolean;
  /** Of a run with a schema: whether and what it reported. */
  readonly structured?: { readonly captured: CapturedValue | undefined };
}

/** The result of a run by the rules of the older driver. */
export function olderOutcome(facts: RunFacts): SubagentResult {
  const reason = lastTurnReason(facts.events);
  const stopReason = reason === undefined && facts.isCancelled ? "aborted" : stopReasonOf(reason);
  return withStructured(facts, lastMessage(facts.events) ?? [], stopReason);
}

/** The result of a run by the rules of the seam. */
export function seamOutcome(facts: RunFacts): SubagentResult {
  const reason = lastTurnReason(facts.events);
  const isCutShort = facts.isCancelled && reason !== "completed";
  const stopReason = isCutShort ? "aborted" : reason === "blocked" ? "refusal" : stopReasonOf(reason);
  return withStructured(facts, finalAssistantOutput(facts.events) ?? [], stopReason);
}

/** The last event of a type. */
export function lastOf(events: readonly SessionEvent[], wanted: string): SessionEvent | undefined {
  return events[events.map(({ type }) => type).lastIndexOf(wanted)];
}

/** Why the last turn ended that ended at all. */
export function lastTurnReason(events: readonly SessionEvent[]): unknown {
  const data = lastOf(events, "turn/end")?.data;
  return isRecord(data) ? data.reason : undefined;
}

const SAME_WORDS: readonly unknown[] = ["completed", "max-tokens", "aborted"];

function stopReasonOf(reason: unknown): SubagentStopReason {
  return SAME_WORDS.includes(reason) ? reason as SubagentStopReason : "error";
}

/** A child that was to report and finished in peace without doing so has failed. */
function withStructured(
  { structured, isCancelled }: RunFacts,
  content: readonly ContentBlock[],
  stopReason: SubagentStopReason,
): SubagentResult {
  const output = detached(content);
  if (structured === undefined) return { output, stopReason };
  const { captured } = structured;
  if (captured !== undefined) return { output, structured: detached(captured.value), stopReason };
  if (stopReason !== "completed") return { output, stopReason };
  return { output, stopReason: isCancelled ? "aborted" : "error" };
}

function lastMessage(events: readonly SessionEvent[]): readonly ContentBlock[] | undefined {
  return events.map(contentOf).filter((content) => content !== undefined).at(-1);
}

function contentOf({ type, data }: SessionEvent): readonly ContentBlock[] | undefined {
  const message: unknown = type === "assistant/message" && isRecord(data) ? data.message : undefined;
  const content: unknown = isRecord(message) ? message.content : undefined;
  return Array.isArray(content) ? content as ContentBlock[] : undefined;
}

/** A copy that its receiver may change: the log is frozen. */
function detached<T>(value: T): T {
  return snapshotJsonValue(value) as JsonValue as T;
}
