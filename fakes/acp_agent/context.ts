/**
 * What every step works with.
 *
 * @module
 */
import type { Agent } from "./agent.ts";
import type { Sink } from "./output.ts";
import type { Step } from "./script.ts";
import type { Turn } from "./turn.ts";

/** What a step works with. */
export interface Context {
  /** The agent. */
  readonly agent: Agent;
  /** The turn that the step belongs to. */
  readonly turn: Turn;
  /** Where its output goes. */
  readonly sink: Sink;
  /** Takes steps inside this one, with their output going elsewhere if so wished. */
  take(steps: readonly Step[], sink?: Sink): Promise<void>;
}

/** How each kind of step of a group is taken. */
export type Runners<Group extends Step> = {
  readonly [Kind in Group["do"]]: (
    step: Extract<Group, { readonly do: Kind }>,
    context: Context,
  ) => Promise<void> | void;
};

/** Waits for an event without counting as busy; returns early when the turn is dropped. */
export async function idleUntil({ agent, turn }: Context, event: Promise<unknown>): Promise<void> {
  agent.busy--;
  try {
    await Promise.race([event, turn.dropped.opened]);
  } finally {
    agent.busy++;
  }
}
