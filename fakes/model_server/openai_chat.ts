/**
 * OpenAI Chat Completions: `POST /v1/chat/completions`.
 *
 * @module
 */
import type { Answer, JsonSchemaObject, Message, Tool } from "./conversation.ts";
import { objectOf, objectsOf, optionalObject, stringOf, textOf } from "./json.ts";
import { openaiError } from "./openai_error.ts";
import {
  type AnswerContext,
  argumentsOf,
  CREATED_AT,
  endOf,
  fullText,
  jsonEvent,
  PAUSE,
  type Protocol,
  type StreamStep,
  usageOf,
} from "./protocol.ts";

const FINISH_REASONS = {
  complete: "stop",
  "max-tokens": "length",
  refusal: "content_filter",
  "tool-call": "tool_calls",
} as const;

/** OpenAI Chat Completions. */
export const openaiChat: Protocol = {
  name: "openai-chat",
  matches: (path) => path.endsWith("/chat/completions"),
  read: (body) => ({
    model: stringOf(body["model"]),
    stream: body["stream"] === true,
    messages: objectsOf(body["messages"]).map(message),
    tools: objectsOf(body["tools"]).map((one) => objectOf(one["function"])).filter(hasName).map(tool),
    answerSchema: optionalObject(objectOf(objectOf(body["response_format"])["json_schema"])["schema"]),
  }),
  whole: (answer, context) => ({
    ...envelope("chat.completion", context),
    choices: [{
      index: 0,
      message: {
        role: "assistant",
        content: answer.kind === "text" ? fullText(answer) : null,
        ...(answer.thinking === undefined ? {} : { reasoning_content: answer.thinking }),
        ...(answer.kind === "tool-call" ? { tool_calls: [toolCall(answer, context)] } : {}),
      },
      finish_reason: endOf(answer, FINISH_REASONS),
      logprobs: null,
    }],
    usage: usage(answer),
  }),
  stream,
  error: openaiError,
};

function message(body: JsonSchemaObject): Message {
  const text = textOf(body["content"]);
  if (body["role"] === "tool") return { role: "tool", text: "", toolCalls: [], toolResults: [text] };
  const calls = objectsOf(body["tool_calls"]).map((call) => stringOf(objectOf(call["function"])["name"]));
  return { role: roleOf(body["role"]), text, toolCalls: calls, toolResults: [] };
}

function roleOf(role: unknown): Message["role"] {
  if (role === "assistant") return "assistant";
  return role === "system" || role === "developer" ? "system" : "user";
}

function hasName(body: JsonSchemaObject): boolean {
  return typeof body["name"] === "string";
}

function tool(body: JsonSchemaObject): Tool {
  return { name: stringOf(body["name"]), kind: "function", parameters: objectOf(body["parameters"]) };
}

function envelope(object: string, { model, newId }: AnswerContext): JsonSchemaObject {
  return { id: newId("chatcmpl-"), object, created: CREATED_AT, model };
}

function usage(answer: Answer): JsonSchemaObject {
  const { input, output } = usageOf(answer);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function toolCall({ call }: Answer & { kind: "tool-call" }, { newId }: AnswerContext): JsonSchemaObject {
  return {
    id: newId("call_"),
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(argumentsOf(call)) },
  };
}

function* stream(answer: Answer, context: AnswerContext): Iterable<StreamStep> {
  const head = envelope("chat.completion.chunk", context);
  const chunk = (delta: JsonSchemaObject, finishReason: string | null = null): StreamStep =>
    jsonEvent({ ...head, choices: [{ index: 0, delta, finish_reason: finishReason }] });
  yield chunk({ role: "assistant", content: "" });
  if (answer.thinking !== undefined) yield chunk({ reasoning_content: answer.thinking });
  if (answer.kind === "text") {
    for (const content of answer.pieces) {
      yield chunk({ content });
      yield PAUSE;
    }
  } else {
    yield chunk({ tool_calls: [{ index: 0, ...toolCall(answer, context) }] });
  }
  yield chunk({}, endOf(answer, FINISH_REASONS));
  yield jsonEvent({ ...head, choices: [], usage: usage(answer) });
  yield { kind: "event", data: "[DONE]" };
}
