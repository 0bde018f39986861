/**
 * One step of a turn: a question to the model, and the tools that it calls.
 *
 * @module
 */
import type { ContentBlock, ToolCallBlock } from "../../seam/content.ts";
import type { Agent } from "../agent.ts";
import type { ModelFinishReason, ModelPort } from "../model/model_types.ts";
import { renderPrompt } from "../prompt/render_prompt.ts";
import type { ToolResult } from "../tools/tool_types.ts";
import { askModel } from "./ask_model.ts";
import { type Conversation, isToolCall } from "./conversation.ts";
import type { AgentSessionEvents } from "./session_events.ts";
import { AbortedWork, assertNotAborted, untilAborted } from "./until_aborted.ts";

/** What a step works with. */
export interface StepParts {
  /** Whose step it is. */
  readonly agent: Agent;
  /** Who answers. */
  readonly model: ModelPort;
  /** What was said before, up to date. */
  readonly conversation: () => Conversation;
  /** Ends the step early. */
  readonly signal: AbortSignal;
  /** Number of the turn. */
  readonly turn: number;
  /** Number of the step. */
  readonly step: number;
}

/** What a step came to. */
export interface StepOutcome {
  /** Why the model stopped. */
  readonly finishReason: ModelFinishReason;
  /** Whether tools were called, so that the model wants to go on with what came of them. */
  readonly calledTools: boolean;
}

/**
 * Takes a step.
 *
 * @throws {AbortedWork} When the signal was aborted first. Calls that were not made by then have a result that says so.
 * @throws What assembling the prompt or the model throws.
 */
export async function runStep(parts: StepParts): Promise<StepOutcome> {
  const { agent, model, signal, turn, step } = parts;
  const append = writerOf(agent);
  const assembly = await untilAborted(agent.scope.prompt.assemble(), signal);
  const { sections, tools, variables } = assembly;
  const system = renderPrompt(assembly);
  const messages = Object.freeze(parts.conversation().messages());
  append("step/start", { turn, step });
  append("request/header", { system, sections, tools, variables, options: agent.options });

  const request = Object.freeze({ system, messages, tools, options: agent.options, signal });
  const answer = await askModel(model, request, (chunk) => append("assistant/chunk", { chunk }));
  const { content } = answer;
  const { reason: finishReason = "other", usage } = answer.finish ?? {};
  append("assistant/message", { message: { role: "assistant", content } });

  // Of an answer that was cut off or withheld nobody knows what its calls were to be.
  const mayCall = finishReason === "stop" || finishReason === "tool-calls";
  const calls = content.filter(isToolCall);
  for (const call of calls) await carryOut(call, parts, mayCall);
  assertNotAborted(signal);
  append("step/end", { turn, step, finishReason, ...(usage === undefined ? {} : { usage }) });
  return { finishReason, calledTools: mayCall && calls.length > 0 };
}

/** Calls a tool and writes down what came of it, in every case: no model API takes a call without a result. */
async function carryOut(
  { id: callId, name, arguments: json }: ToolCallBlock,
  { agent, signal }: StepParts,
  mayCall: boolean,
): Promise<void> {
  const append = writerOf(agent);
  append("tool/call", { callId, name, arguments: json });
  const finish = ({ content, isError, error, meta }: Omit<ToolResult, "callId">) =>
    append("tool/result", {
      callId,
      name,
      content,
      isError,
      ...(error === undefined ? {} : { error: { ...error } }),
      ...(meta === undefined ? {} : { meta }),
    });
  if (signal.aborted) {
    finish(failed("tool call aborted before dispatch"));
    return;
  }
  if (!mayCall) {
    finish(failed("tool call not made because the answer that asked for it is not whole"));
    return;
  }
  try {
    const call = { callId, name, arguments: parseArguments(json), signal };
    finish(await untilAborted(agent.scope.tools.execute(call), signal));
  } catch (error) {
    if (!(error instanceof AbortedWork)) throw error;
    finish(failed("tool call aborted"));
  }
}

/** Models leave the text out when a tool takes no arguments. What is no JSON is refused on the way to the tool. */
function parseArguments(json: string): unknown {
  if (json.trim() === "") return {};
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function failed(message: string): { readonly content: readonly ContentBlock[]; readonly isError: true } {
  return { content: [{ type: "text", text: `Error: ${message}` }], isError: true };
}

/** Writes events of an agent into its session. */
export function writerOf(
  { session }: Pick<Agent, "session">,
): <Type extends keyof AgentSessionEvents>(type: Type, data: AgentSessionEvents[Type]) => void {
  return (type, data) => void session.append(type, data);
}
