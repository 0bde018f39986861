/**
 * The record of what reached an agent, in order: one JSON object a line, written at once so that it outlives SIGKILL.
 *
 * @module
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { Json } from "./json.ts";

/** One entry of a record. */
export type RecordEntry =
  | {
    /** The process has started. */
    readonly event: "start";
    /** Its process id. */
    readonly pid: number;
    /** Its arguments, from the script's path on. */
    readonly argv: readonly string[];
    /** Its working directory. */
    readonly cwd: string;
  }
  | {
    /** A line of JSON came in. */
    readonly event: "message";
    /** The JSON value. */
    readonly message: Json;
  }
  | {
    /** A line that is not JSON came in. */
    readonly event: "junk";
    /** The line. */
    readonly text: string;
  }
  | {
    /** Stdin ended in the middle of a line. */
    readonly event: "cut";
    /** What there was of the line. */
    readonly text: string;
  }
  | {
    /** Stdin ended. */
    readonly event: "eof";
  }
  | {
    /** The reader of stdout has closed its end. */
    readonly event: "stdout-broken";
  }
  | {
    /** SIGTERM came in. Only with `onSigterm`; otherwise the signal kills the process unrecorded. */
    readonly event: "signal";
    /** Its name. */
    readonly signal: string;
  }
  | {
    /** The agent exits by itself. */
    readonly event: "exit";
    /** Its exit code. */
    readonly code: number;
  };

/** Writes entries to a file, or nowhere. */
export function recorder(path: string | undefined): (entry: RecordEntry) => void {
  if (path === undefined) return () => {};
  return (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`);
}

/** Reads what an agent has recorded so far; nothing when there is no file yet. */
export function readRecord(path: string): RecordEntry[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  // The part behind the last line end is empty, or an entry that is being written.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as RecordEntry);
}
