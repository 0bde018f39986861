/**
 * What a fork takes over from its parent.
 *
 * @module
 */
import type { SessionEvent } from "../agent/session/session_event.ts";

/**
 * The beginning of a session up to the end of its last completed turn; `undefined` when no turn was completed. The turn
 * that is going on, in which the parent decided to delegate, is not part of it.
 */
export function completedTurns(events: readonly SessionEvent[]): readonly SessionEvent[] | undefined {
  const last = events.map(({ type }) => type).lastIndexOf("turn/end");
  return last === -1 ? undefined : events.slice(0, last + 1);
}
