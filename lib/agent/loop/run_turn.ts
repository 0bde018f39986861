/**
 * One turn: prompts in, steps until the model has nothing more to do.
 *
 * @module
 */
import type { ContentBlock } from "../../seam/content.ts";
import type { Agent } from "../agent.ts";
import type { ModelFinishReason, ModelPort } from "../model/model_types.ts";
import { BrokenAnswerError } from "./ask_model.ts";
import type { Conversation } from "./conversation.ts";
import type { Inbox } from "./inbox.ts";
import { runStep, writerOf } from "./run_step.ts";
import type { TurnEndReason } from "./session_events.ts";
import type { TurnPolicies } from "./turn_policies.ts";
import { AbortedWork, untilAborted } from "./until_aborted.ts";

/** A turn took more steps than it may. */
export class StepLimitError extends Error {}

/** What a turn works with. */
export interface TurnParts {
  /** Whose turn it is. */
  readonly agent: Agent;
  /** Who answers. */
  readonly model: ModelPort;
  /** What was said before, up to date. */
  readonly conversation: () => Conversation;
  /** What is waiting to be said. */
  readonly inbox: Inbox;
  /** What may refuse prompts and end turns. */
  readonly policies: TurnPolicies;
  /** Most steps. */
  readonly maxSteps: number;
  /** Number of the turn. */
  readonly turn: number;
  /** Ends the turn early. */
  readonly signal: AbortSignal;
  /** What a turn that was ended early is called. */
  readonly abortedAs: () => "aborted" | "disposed";
  /** Takes what the turn failed with. Never throws. */
  readonly onError: (error: unknown) => void;
}

/** Takes a turn with the prompts that are waiting, and writes down how it ended. Never rejects. */
export async function runTurn(parts: TurnParts): Promise<void> {
  const { agent, inbox, turn, signal, abortedAs, onError } = parts;
  const append = writerOf(agent);
  append("turn/start", { turn });
  inbox.openTurn();
  let reason: TurnEndReason;
  try {
    reason = await takeSteps(parts);
  } catch (error) {
    // Whatever is thrown by then: a model that is told to stop throws what it likes, at once or later.
    if (signal.aborted) reason = abortedAs();
    else if (error instanceof AbortedWork) reason = "disposed";
    else {
      reason = "error";
      onError(error);
    }
  }
  append("turn/end", { turn, reason });
  inbox.closeTurn();
}

async function takeSteps(parts: TurnParts): Promise<TurnEndReason> {
  const { inbox, maxSteps, policies, agent, turn, signal } = parts;
  const prompts = await admitted(inbox.takePrompts(), parts);
  // Prompts that were dropped were not refused.
  assertGoesOn(parts);
  if (prompts.length === 0) return "rejected";
  say(prompts, parts);
  for (let step = 1;; step++) {
    if (step > maxSteps) {
      throw new StepLimitError(`The turn took ${maxSteps} steps, and its model wants more`);
    }
    assertGoesOn(parts);
    say(inbox.takeSteered(), parts);
    const { finishReason, calledTools } = await runStep({ ...parts, step });
    assertGoesOn(parts);
    const end = endReason(finishReason);
    if (end !== "completed") return end;
    if (await untilAborted(policies.stops(agent, turn), signal)) {
      inbox.stopTurn();
      return "completed";
    }
    if (!calledTools && !inbox.isSteered) return "completed";
  }
}

async function admitted(
  prompts: readonly (readonly ContentBlock[])[],
  { policies, agent, signal }: TurnParts,
): Promise<readonly (readonly ContentBlock[])[]> {
  const admitted: (readonly ContentBlock[])[] = [];
  for (const prompt of prompts) {
    if (await untilAborted(policies.admits(agent, prompt), signal)) admitted.push(prompt);
  }
  return admitted;
}

function say(messages: readonly (readonly ContentBlock[])[], { agent }: TurnParts): void {
  const append = writerOf(agent);
  for (const content of messages) append("user/message", { message: { role: "user", content } });
}

function assertGoesOn({ signal, agent }: TurnParts): void {
  // Once the scope closes, nothing that a step needs is to be had any more.
  if (signal.aborted || agent.scope.owner.state !== "active") throw new AbortedWork("The turn was aborted");
}

function endReason(finishReason: ModelFinishReason): TurnEndReason {
  switch (finishReason) {
    case "stop":
    case "tool-calls":
      return "completed";
    case "length":
      return "max-tokens";
    case "content-filter":
      return "blocked";
    case "error":
    case "other": // nobody knows whether such an answer is whole
      throw new BrokenAnswerError(`The model ended its answer with the reason "${finishReason}"`);
  }
}
