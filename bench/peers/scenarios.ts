/**
 * What every library is put through, as data.
 *
 * @module
 */
import { join } from "node:path";
import type { AgentScript } from "../../fakes/acp_agent/script.ts";
import { textOfUpdate } from "../benchmarks.ts";

/** One scenario: an agent and what a host does with it. */
export interface Scenario {
  /** Its name on the command line. */
  readonly name: string;
  /** What happens, in a few words. */
  readonly what: string;
  /** What a host needs to come of it. */
  readonly wanted: string;
  /** The agent's script, given the folder of the run. */
  script(folder: string): AgentScript;
  /** The text of an update. */
  readonly answer: string;
  /** How many updates the answer has. @default {1} */
  readonly times?: number;
  /** Whether the turn is cancelled once the agent has its prompt. The script records into `record`. @default {false} */
  readonly cancels?: boolean;
  /** Bound of the turn, in milliseconds. */
  readonly turnMs: number;
  /** How often it is run; figures are medians. */
  readonly rounds: number;
}

const ANSWER = "Hello from the agent.";
const LONG_ANSWER = textOfUpdate(206);
const UPDATES = 200_000;

/** How long a descendant lives that nobody ends, in seconds. */
const DESCENDANT_SECONDS = 120;

/** Path of the agent's record in the folder of a run. */
export function recordPath(folder: string): string {
  return join(folder, "record.ndjson");
}

/** The scenarios in the order in which they are run. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: "hello",
    what: "one short answer",
    wanted: "answer, 0 left",
    script: () => ({ onPrompt: [{ do: "text", text: ANSWER }, { do: "stop" }] }),
    answer: ANSWER,
    turnMs: 30_000,
    rounds: 3,
  },
  {
    name: "updates",
    what: `${UPDATES} updates of 206 bytes`,
    wanted: "answer, 0 left",
    script: () => ({ onPrompt: [{ do: "text", text: LONG_ANSWER, times: UPDATES }, { do: "stop" }] }),
    answer: LONG_ANSWER,
    times: UPDATES,
    turnMs: 120_000,
    rounds: 3,
  },
  {
    name: "death",
    what: "the agent exits with code 3 in mid-turn",
    wanted: "error, soon",
    script: () => ({ onPrompt: [{ do: "text", text: "partial" }, { do: "exit", code: 3 }] }),
    answer: ANSWER,
    turnMs: 30_000,
    rounds: 1,
  },
  {
    name: "cancel",
    what: "the host cancels, the agent goes on",
    wanted: "cancelled, soon, 0 left",
    script: (folder) => ({
      record: recordPath(folder),
      onPrompt: [{ do: "text", text: "working" }, { do: "hang" }],
      onCancel: [],
      onMethod: { "$/cancel_request": [] },
    }),
    answer: ANSWER,
    cancels: true,
    turnMs: 30_000,
    rounds: 1,
  },
  {
    name: "descendant",
    what: "the agent has started a process in a session of its own",
    wanted: "answer, 0 left",
    script: (folder) => ({
      onPrompt: [
        {
          do: "spawn",
          how: "setsid",
          pidFile: join(folder, "descendant.pid"),
          seconds: DESCENDANT_SECONDS,
        },
        { do: "text", text: ANSWER },
        { do: "stop" },
      ],
    }),
    answer: ANSWER,
    turnMs: 30_000,
    rounds: 1,
  },
  {
    name: "stubborn",
    what: "the agent ignores the end of its stdin and SIGTERM",
    wanted: "answer, 0 left",
    script: () => ({
      onPrompt: [{ do: "text", text: ANSWER }, { do: "stop" }],
      onEof: [],
      onSigterm: [],
    }),
    answer: ANSWER,
    turnMs: 30_000,
    rounds: 1,
  },
];
