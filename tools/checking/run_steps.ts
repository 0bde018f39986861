/**
 * Runs steps and reports them: cheap ones two at a time, those that must be alone by themselves, until one fails.
 *
 * @module
 */

import type { Step } from "./steps.ts";

/** How a step's command ended. */
export interface StepResult {
  /** True when the step passed. */
  readonly passed: boolean;
  /** All that it wrote. */
  readonly output: string;
}

/** What {@linkcode runSteps} works with. */
export interface RunStepsOptions {
  /** Runs one step. */
  readonly run: (step: Step) => Promise<StepResult>;
  /** Takes a line of the report. */
  readonly say: (line: string) => void;
  /** Gives the time in milliseconds. */
  readonly now: () => number;
  /** How many steps run at once at most. @default {2} */
  readonly atOnce?: number;
}

/**
 * Runs the steps in order and gives whether all passed. After a failure no further step is started; its output is
 * reported whole, last, where the eye is.
 */
export async function runSteps(
  steps: readonly Step[],
  { run, say, now, atOnce = 2 }: RunStepsOptions,
): Promise<boolean> {
  const started = now();
  const running = new Map<string, Promise<void>>();
  const failures: { readonly step: Step; readonly output: string }[] = [];
  const waiting = [...steps];
  let alone = false;

  async function finish(step: Step): Promise<void> {
    const began = now();
    const { passed, output } = await run(step).catch((error: unknown) => ({
      passed: false,
      output: `${(error as Error).message}\n`,
    }));
    say(
      `${passed ? "ok  " : "FAIL"} ${step.name.padEnd(12)} ${
        seconds(now() - began).padStart(7)
      }  ${step.holds}`,
    );
    if (passed) { for (const line of shownLines(step, output)) say(line); }
    else failures.push({ step, output });
    running.delete(step.name);
    if (step.alone) alone = false;
  }

  while (failures.length === 0) {
    const next = waiting[0];
    if (next === undefined) break;
    const mayStart = running.size === 0 ||
      (!alone && !next.alone && running.size < atOnce && !next.needs?.some((need) => running.has(need)));
    if (mayStart) {
      waiting.shift();
      alone = next.alone ?? false;
      running.set(next.name, finish(next));
    } else await Promise.race(running.values());
  }
  await Promise.all(running.values());

  for (const { step, output } of failures) {
    say(`\n${step.name}: ${step.command.command} ${step.command.args.join(" ")}\n${output.trimEnd()}`);
  }
  const names = failures.map(({ step }) => `"${step.name}"`).join(" and ");
  say(
    failures.length === 0
      ? `\ncheck passed in ${seconds(now() - started)}`
      : `\ncheck failed at ${names} after ${seconds(now() - started)}`,
  );
  return failures.length === 0;
}

function shownLines({ shows }: Step, output: string): string[] {
  return shows === undefined ? [] : output.split(/\r?\n/).filter((line) => shows.test(line));
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
