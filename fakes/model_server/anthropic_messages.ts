/**
 * Anthropic Messages: `POST /v1/messages`.
 *
 * @module
 */
import type { Answer, JsonSchemaObject, Message, Tool } from "./conversation.ts";
import { objectOf, objectsOf, optionalObject, stringOf, textOf } from "./json.ts";
import {
  type AnswerContext,
  argumentsOf,
  endOf,
  fullText,
  jsonEvent,
  PAUSE,
  type Protocol,
  type StreamStep,
  usageOf,
} from "./protocol.ts";

const STOP_REASONS = {
  complete: "end_turn",
  "max-tokens": "max_tokens",
  refusal: "refusal",
  "tool-call": "tool_use",
} as const;

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

/** Anthropic Messages. */
export const anthropicMessages: Protocol = {
  name: "anthropic-messages",
  matches: (path) => path.endsWith("/messages"),
  read: (body) => ({
    model: stringOf(body["model"]),
    stream: body["stream"] === true,
    messages: objectsOf(body["messages"]).map(message),
    tools: objectsOf(body["tools"]).filter((tool) => typeof tool["name"] === "string").map(tool),
    answerSchema: optionalObject(
      objectOf(objectOf(body["output_config"])["format"])["schema"] ??
        objectOf(body["output_format"])["schema"],
    ),
  }),
  whole: (answer, context) => ({
    ...envelope(context),
    content: [
      ...(answer.thinking === undefined
        ? []
        : [{ type: "thinking", thinking: answer.thinking, signature: SIGNATURE }]),
      answer.kind === "text" ? { type: "text", text: fullText(answer) } : toolUse(answer, context),
    ],
    stop_reason: endOf(answer, STOP_REASONS),
    stop_sequence: null,
    usage: usage(answer),
  }),
  stream,
  error: (status, text) => ({
    type: "error",
    error: { type: ERROR_TYPES[status] ?? "api_error", message: text },
  }),
};

const SIGNATURE = "signature";

function message(body: JsonSchemaObject): Message {
  const content = body["content"];
  const parts = objectsOf(content);
  return {
    role: body["role"] === "assistant" ? "assistant" : "user",
    text: typeof content === "string" ? content : textOf(parts.filter((part) => part["type"] === "text")),
    toolCalls: parts.filter((part) => part["type"] === "tool_use").map((part) => stringOf(part["name"])),
    toolResults: parts.filter((part) => part["type"] === "tool_result").map((part) =>
      textOf(part["content"])
    ),
  };
}

function tool(body: JsonSchemaObject): Tool {
  return { name: stringOf(body["name"]), kind: "function", parameters: objectOf(body["input_schema"]) };
}

function envelope({ model, newId }: AnswerContext): JsonSchemaObject {
  return { id: newId("msg_"), type: "message", role: "assistant", model };
}

function usage(answer: Answer): JsonSchemaObject {
  const { input, output } = usageOf(answer);
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
}

function toolUse({ call }: Answer & { kind: "tool-call" }, { newId }: AnswerContext): JsonSchemaObject {
  return { type: "tool_use", id: newId("toolu_"), name: call.name, input: argumentsOf(call) };
}

function* stream(answer: Answer, context: AnswerContext): Iterable<StreamStep> {
  const event = (type: string, fields: JsonSchemaObject = {}): StreamStep =>
    jsonEvent({ type, ...fields }, type);
  const delta = (index: number, fields: JsonSchemaObject): StreamStep =>
    event("content_block_delta", { index, delta: fields });
  yield event("message_start", {
    message: {
      ...envelope(context),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage(answer), output_tokens: 1 },
    },
  });
  yield event("ping");
  let index = 0;
  if (answer.thinking !== undefined) {
    yield event("content_block_start", {
      index,
      content_block: { type: "thinking", thinking: "", signature: "" },
    });
    yield delta(index, { type: "thinking_delta", thinking: answer.thinking });
    yield delta(index, { type: "signature_delta", signature: SIGNATURE });
    yield event("content_block_stop", { index });
    index += 1;
  }
  if (answer.kind === "text") {
    yield event("content_block_start", { index, content_block: { type: "text", text: "" } });
    for (const text of answer.pieces) {
      yield delta(index, { type: "text_delta", text });
      yield PAUSE;
    }
  } else {
    const { input, ...block } = toolUse(answer, context);
    yield event("content_block_start", { index, content_block: { ...block, input: {} } });
    yield delta(index, { type: "input_json_delta", partial_json: JSON.stringify(input) });
  }
  yield event("content_block_stop", { index });
  yield event("message_delta", {
    delta: { stop_reason: endOf(answer, STOP_REASONS), stop_sequence: null },
    usage: usage(answer),
  });
  yield event("message_stop");
}
