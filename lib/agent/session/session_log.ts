/**
 * Everything that happened in one session.
 *
 * @module
 */
import { snapshotFrozenJsonValue } from "../../schema/snapshot_json_value.ts";
import { kindOf } from "../../seam/kind_of.ts";
import { checkedFunction } from "../checked_function.ts";
import { callListener, type ListenerErrorSink } from "../listener_error.ts";
import { Registrations } from "../registrations.ts";
import type { SessionEvent, SessionHeader } from "./session_event.ts";
import { snapshotSeed } from "./session_seed.ts";

/** What a session may begin with. */
export interface SessionLogOptions {
  /** Events taken over from another session; counted from 0 without a gap. @default {[]} */
  readonly seed?: readonly SessionEvent[];
  /** Takes what listeners throw. @default none: it is dropped */
  readonly onListenerError?: ListenerErrorSink;
}

/** Takes an event that was appended. A promise it returns is not awaited. */
export type SessionEventListener = (event: SessionEvent) => void;

/**
 * A list of events that only ever grows. All of it is deep-frozen data that JSON carries without loss, so that a session
 * can be written down, sent and read back as it is. The `seq` of an event is its index.
 */
export class SessionLog {
  /** What is known from the beginning; frozen. */
  readonly header: SessionHeader;
  readonly #events: SessionEvent[];
  readonly #listeners: Registrations<SessionEventListener> = new Registrations();
  readonly #onListenerError: ListenerErrorSink | undefined;
  /** What `events` gave last, as long as it is true. */
  #view: readonly SessionEvent[] | undefined;
  /** How many events the listeners know of. */
  #announced: number;
  #isAnnouncing = false;

  /**
   * Begins a session. Nobody hears of the events of the seed.
   *
   * @throws {TypeError} When the header or the seed has the wrong shape, or is not data that JSON carries without loss.
   * @throws {RangeError} When the events of the seed do not count from 0 without a gap.
   */
  constructor(header: SessionHeader, { seed = [], onListenerError }: SessionLogOptions = {}) {
    this.header = snapshotHeader(header);
    this.#events = [...snapshotSeed(seed)];
    this.#announced = this.#events.length;
    this.#onListenerError = onListenerError;
  }

  /** Identity of the session. */
  get id(): string {
    return this.header.id;
  }

  /** How many events there are. */
  get length(): number {
    return this.#events.length;
  }

  /** The events so far: a frozen list that does not grow. It is the same list until something is appended. */
  get events(): readonly SessionEvent[] {
    this.#view ??= Object.freeze([...this.#events]);
    return this.#view;
  }

  /**
   * Writes down that something happened, then tells the listeners, each event in turn: what a listener appends is in
   * the log at once and announced when every listener has heard of what came before it.
   *
   * @returns The event as it stands in the log.
   * @throws {TypeError} When the type is no string, or the data is not what JSON carries without loss.
   * @throws What a getter or a proxy's trap of the data throws.
   */
  append(type: string, data: unknown): SessionEvent {
    if (typeof type !== "string") {
      throw new TypeError(`session event type must be a string, got ${kindOf(type)}`);
    }
    const copy = snapshotFrozenJsonValue(data);
    if (copy === undefined) {
      throw new TypeError(`session event "${type}" data must be losslessly JSON-serializable`);
    }
    // A getter of the data may have appended something: the place is known only now.
    const event: SessionEvent = Object.freeze({ seq: this.#events.length, type, data: copy });
    this.#events.push(event);
    this.#view = undefined;
    this.#announce();
    return event;
  }

  /** Tells a listener of every event from now on. Returns what ends that. What a listener throws stops nothing. */
  onEvent(listener: SessionEventListener): () => void {
    return this.#listeners.add(checkedFunction(listener, "session.onEvent()"));
  }

  #announce(): void {
    if (this.#isAnnouncing) return;
    this.#isAnnouncing = true;
    for (; this.#announced < this.#events.length; this.#announced++) {
      const event = this.#events[this.#announced] as SessionEvent;
      for (const listener of this.#listeners) {
        callListener(() => listener(event), "session/event", this.#onListenerError);
      }
    }
    this.#isAnnouncing = false;
  }
}

function snapshotHeader(header: SessionHeader): SessionHeader {
  const copy: unknown = snapshotFrozenJsonValue(header);
  if (copy === undefined) throw new TypeError("session header must be losslessly JSON-serializable");
  if (typeof (copy as { readonly id?: unknown } | null)?.id !== "string") {
    throw new TypeError("session header must be an object with an id that is a string");
  }
  return copy as unknown as SessionHeader;
}
