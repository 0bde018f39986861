/**
 * The events that a session begins with.
 *
 * @module
 */
import { snapshotFrozenJsonValue } from "../../schema/snapshot_json_value.ts";
import { isRecord, kindOf } from "../../seam/kind_of.ts";
import type { SessionEvent } from "./session_event.ts";

/**
 * Takes a seed over: a detached, deep-frozen copy of events that stand where their `seq` says.
 *
 * @throws {TypeError} When it is no list of events, or not data that JSON carries without loss.
 * @throws {RangeError} When the events do not count from 0 without a gap.
 * @throws What a getter or a proxy's trap of the seed throws.
 */
export function snapshotSeed(seed: unknown): readonly SessionEvent[] {
  const copy: unknown = snapshotFrozenJsonValue(seed);
  if (copy === undefined) throw new TypeError("session seed must be losslessly JSON-serializable");
  if (!Array.isArray(copy)) {
    throw new TypeError(`session seed must be an array of events, got ${kindOf(copy)}`);
  }
  copy.forEach(assertEvent);
  return copy as readonly SessionEvent[];
}

function assertEvent(event: unknown, index: number): void {
  if (!isRecord(event) || typeof event.type !== "string" || event.data === undefined) {
    throw new TypeError(`session seed[${index}] must be an event with a type and data`);
  }
  if (event.seq !== index) {
    throw new RangeError(
      `session seed[${index}].seq must be ${index}: a seed counts its events from 0 without a gap`,
    );
  }
}

/**
 * Refuses events that leave a turn open: whoever goes on from there would go on in the middle of it.
 *
 * @throws {RangeError} When a turn is open at the end, or ends that never began.
 */
export function assertBalanced(events: readonly SessionEvent[]): void {
  let opened: SessionEvent | undefined;
  for (const event of events) {
    if (event.type === "turn/start") {
      if (opened !== undefined) break;
      opened = event;
    } else if (event.type === "turn/end") {
      if (opened === undefined) {
        throw new RangeError(`session seed[${event.seq}] ends a turn that never began`);
      }
      opened = undefined;
    }
  }
  if (opened === undefined) return;
  throw new RangeError(
    `session seed[${opened.seq}] begins a turn that does not end: a seed holds whole turns only`,
  );
}
