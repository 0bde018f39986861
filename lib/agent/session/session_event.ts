/**
 * What a session is made of. Types only.
 *
 * @module
 */
import type { JsonValue } from "../../schema/json_value.ts";

/** Something that happened in a session; deep-frozen. */
export interface SessionEvent {
  /** Its place in the session, from 0. */
  readonly seq: number;
  /** What happened, such as `turn/start`. */
  readonly type: string;
  /** The facts of it. */
  readonly data: JsonValue;
}

/** What is known of a session from the beginning. */
export interface SessionHeader {
  /** Identity of the session. */
  readonly id: string;
  /** Absolute working directory. */
  readonly cwd?: string;
  /** Id of the session that delegated to this one. */
  readonly parentSession?: string;
  /** How many events at the beginning were taken over from the parent's session; absent when there are none. */
  readonly seedLength?: number;
  /** How many delegations lead to this session. */
  readonly delegationDepth?: number;
  /** What brought the session about, such as `subagent`. */
  readonly origin?: string;
}
