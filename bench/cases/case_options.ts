/**
 * What a case is told on its command line.
 *
 * @module
 */

/** What a case works with. */
export interface CaseOptions {
  /** The child's program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** How often the work is done. */
  readonly times: number;
  /** How many children live at the same time. */
  readonly atOnce: number;
}

/** Reads the one argument of a case. */
export function caseOptions(): CaseOptions {
  return JSON.parse(globalThis.process.argv[2] ?? "{}");
}
