/**
 * What goes into a sandbox and what comes out. Types only.
 *
 * @module
 */
import type { MeterLimits, SandboxStop } from "./meter.ts";

/** Bounds of an engine. */
export interface SandboxLimits extends MeterLimits {
  /** Bytes of all the memory that the engine has; at least 16 MiB. */
  readonly memoryBytes: number;
  /** Most characters of one text that comes out of it. */
  readonly maxText: number;
  /** Most characters of the arguments of one call, as JSON. */
  readonly maxArgument: number;
}

/** What a program does that its host must know at once. What is not `undefined` stops it. */
export interface SandboxEvents {
  /** It calls a tool. */
  onCall(): SandboxStop | undefined;
  /** It says a line; one that is too long is cut behind the first character too many. */
  onLog(text: string): SandboxStop | undefined;
}

/** How a program ended. */
export type ProgramEnd =
  | {
    /** It is no program, or it threw. */
    readonly kind: "unreadable" | "threw";
    /** Why or what, in words. */
    readonly text: string;
    /** Line of the program, from 1, if known. */
    readonly line: number | undefined;
  }
  | {
    /** It returned. */
    readonly kind: "returned";
    /** What it returned: text as it is, nothing as empty text, anything else as JSON. */
    readonly text: string;
  };

/** A call that waits to be made. */
export interface SandboxCall {
  /** Name of the tool. */
  readonly name: string;
  /** The arguments. */
  readonly args: unknown;
}

/** What came of a call, for the program. */
export interface CallOutcome {
  /** Whether the program gets it as an exception. */
  readonly isError: boolean;
  /** What the tool said. */
  readonly text: string;
}
