/**
 * Runs of the `subagent` command that show a newcomer what it does, each with what is to come of it.
 *
 * @module
 */

import { PROJECT_ROOT } from "./source/project_files.ts";
import { runProcess } from "./run_process.ts";

/** What comes of a command. */
export interface SceneOutcome {
  /** Its exit code; null when a signal ended it. */
  readonly exitCode: number | null;
  /** What it writes to stdout. */
  readonly stdout: string;
  /** What it writes to stdout and stderr. */
  readonly output: string;
}

/** One command and what is to come of it. */
export interface Scene extends SceneOutcome {
  /** What there is to see. */
  readonly title: string;
  /** The words of the command; they work in a shell in the project's root as they are printed. */
  readonly words: readonly string[];
}

const SUBAGENT = ["node", "--import", "tsx", "lib/cli/main.ts"];
/** The scripted agent: it echoes its task, and dies when it is told to crash. */
const AGENT = ["node", "--import", "tsx", "fakes/acp_agent.ts"];

/** A success and a failure. Neither needs a key. */
export const SCENES: readonly Scene[] = [
  {
    title: "An agent that answers: the answer is on stdout, the exit code is 0.",
    words: [...SUBAGENT, "run", "Hello from a subagent", "--", ...AGENT],
    exitCode: 0,
    stdout: "Hello from a subagent\n",
    output: "Hello from a subagent\n",
  },
  {
    title:
      "An agent that dies in the middle: stderr says so in fixed words, stdout is empty, the exit code is 1.",
    words: [...SUBAGENT, "run", "crash", "--", ...AGENT],
    exitCode: 1,
    stdout: "",
    output: "subagent run failed\n" +
      "Diagnostic: Subagent failure (provider: ACP; stage: process; category: process-exit; exit code: 3)\n" +
      "Partial output before the run ended:\n" +
      "This is as far as I\n",
  },
];

/** Runs the words of a scene and hands on its output as it comes. */
export type SceneRunner = (
  words: readonly string[],
  onOutput: (text: string) => void,
) => Promise<SceneOutcome>;

/** Runs a scene in the project's root. */
export const runScene: SceneRunner = ([command, ...args], onOutput) =>
  runProcess(command!, args, { cwd: PROJECT_ROOT, timeoutMs: 60_000, onOutput });

/**
 * Shows scenes: of each what there is to see, the command, what it writes and its exit code.
 *
 * @returns Whether everything came as announced.
 */
export async function demonstrate(
  scenes: readonly Scene[],
  print: (text: string) => void,
  run: SceneRunner = runScene,
): Promise<boolean> {
  let asAnnounced = true;
  for (const { title, words, ...announced } of scenes) {
    print(`${title}\n\n$ ${words.map(shellWord).join(" ")}\n`);
    const { exitCode, stdout, output } = await run(words, print);
    const asIs = exitCode === announced.exitCode && stdout === announced.stdout &&
      output === announced.output;
    print(`exit code ${exitCode}${asIs ? "" : "\nThis is not as announced."}\n\n`);
    asAnnounced &&= asIs;
  }
  return asAnnounced;
}

function shellWord(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
