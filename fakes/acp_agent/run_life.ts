/**
 * How the steps about the process itself are taken.
 *
 * @module
 */
import process from "node:process";
import type { LifeStep } from "./life_step.ts";
import type { Runners } from "./context.ts";

/** Runners by kind. */
export const LIFE_RUNNERS: Runners<LifeStep> = {
  exit: ({ code = 0 }, { agent }) => agent.exit(code),
  kill: ({ signal = "SIGKILL" }) => {
    process.kill(process.pid, signal);
  },
  close: ({ stream }, { agent }) => {
    if (stream === "stdin") agent.input.close();
    else agent[stream].close();
  },
  pauseStdin: (_, { agent }) => agent.input.pause(),
  resumeStdin: (_, { agent }) => agent.input.resume(),
  spawn: async (step, context) => {
    // Loaded here: most agents have no descendants, and the module costs start-up time.
    const { startDescendant } = await import("./descendant.ts");
    await startDescendant(step, context);
  },
};
