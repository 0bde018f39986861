/**
 * Start and end of a run, as events.
 *
 * @module
 */
import type { SubagentEndEvent, SubagentEvents, SubagentRun, SubagentStartEvent } from "./types.ts";

/** What announces a run. */
export interface RunAnnouncement {
  /** The published run. */
  readonly run: SubagentRun;
  /** Id of this run, fresh for every run. */
  readonly runId: string;
  /** Registered name of its provider. */
  readonly provider: string;
  /** Id of the delegating parent. */
  readonly parentId: string;
  /** Tells the listeners of one event. Never throws. */
  readonly emit: <T extends "subagent/start" | "subagent/end">(type: T, payload: SubagentEvents[T]) => void;
  /** Takes what the run's result rejects with. Must not throw. */
  readonly onResultError: (error: unknown) => void;
}

/**
 * Emits `subagent/start` now and `subagent/end` once, when the result settled. The observer of the result is in place
 * before the first listener runs, so that no listener is able to make an end go unseen; and it always reacts
 * asynchronously, so that even a settled result, or a stranger's thenable that calls back at once, ends after it
 * started.
 */
export function announceRun(announcement: RunAnnouncement): void {
  const { run, runId, provider, parentId, emit } = announcement;
  const start: SubagentStartEvent = Object.freeze({
    runId,
    provider,
    id: run.id,
    parentId,
    local: run.localAgent !== undefined,
  });
  void announceEnd(start, announcement);
  emit("subagent/start", start);
}

async function announceEnd(
  start: SubagentStartEvent,
  { run, emit, onResultError }: RunAnnouncement,
): Promise<void> {
  let ending: Ending;
  try {
    ending = endingOf(await run.result);
  } catch (error) {
    ending = { stopReason: "error" };
    onResultError(error);
  }
  emit("subagent/end", Object.freeze({ ...start, ...ending }));
}

type Ending = Pick<SubagentEndEvent, "stopReason" | "lastAssistantMessage">;

/** Reads a result that may be malformed: the seam hands it on as it is, but says nothing wrong about it. */
function endingOf(result: unknown): Ending {
  const { stopReason, output } = result as { readonly stopReason?: unknown; readonly output?: unknown };
  if (typeof stopReason !== "string") throw new TypeError("result stopReason must be a string");
  return Array.isArray(output) && output.length > 0
    // A copy: what a listener does to it is not done to the caller's result.
    ? { stopReason, lastAssistantMessage: Object.freeze([...output]) }
    : { stopReason };
}
