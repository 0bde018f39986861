/**
 * Takes steps one after the other.
 *
 * @module
 */
import type { Agent } from "./agent.ts";
import type { Context, Runners } from "./context.ts";
import type { Sink } from "./output.ts";
import { FLOW_RUNNERS } from "./run_flow.ts";
import { LIFE_RUNNERS } from "./run_life.ts";
import { WIRE_RUNNERS } from "./run_wire.ts";
import type { Step } from "./script.ts";
import type { Turn } from "./turn.ts";

const RUNNERS: Runners<Step> = { ...WIRE_RUNNERS, ...FLOW_RUNNERS, ...LIFE_RUNNERS };

/** Takes steps until they are through or the turn is dropped. */
export async function runSteps(steps: readonly Step[], agent: Agent, turn: Turn, sink: Sink): Promise<void> {
  const take = (inner: readonly Step[], innerSink = sink) => runSteps(inner, agent, turn, innerSink);
  const context: Context = { agent, turn, sink, take };
  for (const step of steps) {
    if (turn.dropped.isOpen) return;
    // The table pairs each kind with its own step type, which TypeScript cannot follow through an index.
    const run = RUNNERS[step.do] as (step: Step, context: Context) => Promise<void> | void;
    await run(step, context);
  }
}
