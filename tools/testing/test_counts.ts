/**
 * Reads from a runner's output how many tests ran.
 *
 * @module
 */

import type { Runtime } from "./test_command.ts";

/** How many tests ended how. */
export interface TestCounts {
  /** Passed. */
  readonly passed: number;
  /** Failed or cancelled. */
  readonly failed: number;
  /** Skipped, ignored or to do. */
  readonly skipped: number;
}

// Colours, which Deno prints on a pipe too.
// deno-lint-ignore no-control-regex -- the escape character is what has to be removed
const COLOUR = /\u001b\[[0-9;]*m/g;

/** Node counts a file without tests as one passed test that has the file's path as its name. */
const EMPTY_FILE = /^✔ \S*_test\.ts \(/gm;

/** Reads the closing lines of a run. Nothing found counts as no test. */
export function testCounts(runtime: Runtime, output: string): TestCounts {
  const text = output.replace(COLOUR, "");
  const last = (pattern: RegExp): number => Number([...text.matchAll(pattern)].at(-1)?.[1] ?? 0);
  switch (runtime) {
    case "node":
      return {
        passed: last(/^ℹ pass (\d+)$/gm) - (text.match(EMPTY_FILE)?.length ?? 0),
        failed: last(/^ℹ fail (\d+)$/gm) + last(/^ℹ cancelled (\d+)$/gm),
        skipped: last(/^ℹ skipped (\d+)$/gm) + last(/^ℹ todo (\d+)$/gm),
      };
    case "deno":
      // "ok | 2 passed (3 steps) | 0 failed | 1 ignored (1 step) (90ms)": a describe() is a test, an it() a step.
      return {
        passed: last(/\| (\d+) passed/g) + last(/\| \d+ passed \((\d+) steps?\)/g),
        failed: last(/\| (\d+) failed/g) + last(/\| \d+ failed \((\d+) steps?\)/g),
        skipped: last(/\| (\d+) ignored/g) + last(/\| \d+ ignored \((\d+) steps?\)/g),
      };
    case "bun":
      return {
        passed: last(/^ (\d+) pass$/gm),
        failed: last(/^ (\d+) fail$/gm),
        skipped: last(/^ (\d+) skip$/gm) + last(/^ (\d+) todo$/gm),
      };
  }
}

/** Names the tests that Node skipped with a reason neither in the option nor, as "skipped", in the name. */
export function unexplainedSkips(output: string): string[] {
  const names = [...output.replace(COLOUR, "").matchAll(/^\s*﹣ (.*) \([\d.]+ms\) # SKIP$/gm)].map((
    [, name = ""],
  ) => name);
  return names.filter((name) => !/\bskipped\b/.test(name));
}
