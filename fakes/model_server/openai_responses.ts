/**
 * OpenAI Responses: `POST /v1/responses`.
 *
 * @module
 */
import type { Answer, JsonSchemaObject, Message, Tool, ToolCall } from "./conversation.ts";
import { objectOf, objectsOf, optionalObject, stringOf, textOf } from "./json.ts";
import { openaiError } from "./openai_error.ts";
import {
  type AnswerContext,
  CREATED_AT,
  endOf,
  fullText,
  jsonEvent,
  PAUSE,
  type Protocol,
  type StreamStep,
  usageOf,
} from "./protocol.ts";

const INCOMPLETE_REASONS = {
  complete: undefined,
  "max-tokens": "max_output_tokens",
  refusal: "content_filter",
  "tool-call": undefined,
} as const;

/** OpenAI Responses. */
export const openaiResponses: Protocol = {
  name: "openai-responses",
  matches: (path) => path.endsWith("/responses"),
  read: (body) => ({
    model: stringOf(body["model"]),
    stream: body["stream"] === true,
    messages: typeof body["input"] === "string"
      ? [{ role: "user", text: body["input"], toolCalls: [], toolResults: [] }]
      : objectsOf(body["input"]).filter((item) => item["type"] !== "reasoning").map(message),
    tools: objectsOf(body["tools"]).map(tool),
    answerSchema: optionalObject(objectOf(objectOf(body["text"])["format"])["schema"]),
  }),
  whole: (answer, context) =>
    response(answer, context.newId("resp_"), context.model, outputOf(answer, context)),
  stream,
  error: openaiError,
};

function message(item: JsonSchemaObject): Message {
  const type = stringOf(item["type"]);
  if (type.endsWith("_call_output")) {
    const { output } = item;
    const text = textOf(output) || JSON.stringify(output ?? "");
    return { role: "tool", text: "", toolCalls: [], toolResults: [text] };
  }
  if (type.endsWith("_call")) {
    return { role: "assistant", text: "", toolCalls: [stringOf(item["name"]) || type], toolResults: [] };
  }
  const role = item["role"] === "assistant" ? "assistant" : item["role"] === "user" ? "user" : "system";
  return { role, text: textOf(item["content"]), toolCalls: [], toolResults: [] };
}

function tool(body: JsonSchemaObject): Tool {
  const type = stringOf(body["type"]);
  const kind = type === "custom" ? "freeform" : type === "local_shell" ? "local-shell" : "function";
  return { name: stringOf(body["name"]) || type, kind, parameters: objectOf(body["parameters"]) };
}

interface Output {
  readonly reasoning: JsonSchemaObject | undefined;
  readonly main: JsonSchemaObject;
}

function outputOf(answer: Answer, { newId }: AnswerContext): Output {
  return {
    reasoning: answer.thinking === undefined ? undefined : {
      type: "reasoning",
      id: newId("rs_"),
      summary: [{ type: "summary_text", text: answer.thinking }],
    },
    main: answer.kind === "tool-call" ? callItem(answer.call, newId) : {
      type: "message",
      id: newId("msg_"),
      role: "assistant",
      status: endOf(answer, INCOMPLETE_REASONS) === undefined ? "completed" : "incomplete",
      content: [textPart(fullText(answer))],
    },
  };
}

function textPart(text: string): JsonSchemaObject {
  return { type: "output_text", text, annotations: [] };
}

function callItem(call: ToolCall, newId: AnswerContext["newId"]): JsonSchemaObject {
  const common = { call_id: newId("call_"), status: "completed" };
  switch (call.kind) {
    case "function":
      return {
        type: "function_call",
        id: newId("fc_"),
        ...common,
        name: call.name,
        arguments: JSON.stringify(call.arguments),
      };
    case "freeform":
      return { type: "custom_tool_call", id: newId("ctc_"), ...common, name: call.name, input: call.input };
    case "local-shell":
      return {
        type: "local_shell_call",
        id: newId("lsh_"),
        ...common,
        action: { type: "exec", command: call.command, env: {}, timeout_ms: 10_000 },
      };
  }
}

function response(answer: Answer, id: string, model: string, output: Output | undefined): JsonSchemaObject {
  const reason = endOf(answer, INCOMPLETE_REASONS);
  const ended = reason === undefined ? "completed" : "incomplete";
  const usage = usageOf(answer);
  return {
    id,
    object: "response",
    created_at: CREATED_AT,
    status: output === undefined ? "in_progress" : ended,
    error: null,
    incomplete_details: output === undefined || reason === undefined ? null : { reason },
    model,
    output: output === undefined ? [] : [output.reasoning, output.main].filter((item) => item !== undefined),
    parallel_tool_calls: false,
    tool_choice: "auto",
    tools: [],
    usage: output === undefined ? null : {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
    metadata: {},
  };
}

type Emit = (type: string, fields: JsonSchemaObject) => StreamStep;

function* stream(answer: Answer, context: AnswerContext): Iterable<StreamStep> {
  let sequence = 0;
  const emit: Emit = (type, fields) => jsonEvent({ type, sequence_number: sequence++, ...fields }, type);
  const id = context.newId("resp_");
  const output = outputOf(answer, context);
  yield emit("response.created", { response: response(answer, id, context.model, undefined) });
  if (output.reasoning !== undefined) yield* reasoningSteps(output.reasoning, answer.thinking ?? "", emit);
  const index = output.reasoning === undefined ? 0 : 1;
  yield* answer.kind === "text"
    ? textSteps(answer, output.main, index, emit)
    : callSteps(answer.call, output.main, index, emit);
  yield emit("response.output_item.done", { output_index: index, item: output.main });
  const end = endOf(answer, INCOMPLETE_REASONS) === undefined ? "response.completed" : "response.incomplete";
  yield emit(end, { response: response(answer, id, context.model, output) });
}

function* reasoningSteps(item: JsonSchemaObject, text: string, emit: Emit): Iterable<StreamStep> {
  const at = { item_id: item["id"], output_index: 0, summary_index: 0 };
  yield emit("response.output_item.added", { output_index: 0, item: { ...item, summary: [] } });
  yield emit("response.reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } });
  yield emit("response.reasoning_summary_text.delta", { ...at, delta: text });
  yield emit("response.reasoning_summary_text.done", { ...at, text });
  yield emit("response.reasoning_summary_part.done", { ...at, part: { type: "summary_text", text } });
  yield emit("response.output_item.done", { output_index: 0, item });
}

function* textSteps(
  answer: Answer & { kind: "text" },
  item: JsonSchemaObject,
  index: number,
  emit: Emit,
): Iterable<StreamStep> {
  const at = { item_id: item["id"], output_index: index, content_index: 0 };
  yield emit("response.output_item.added", {
    output_index: index,
    item: { ...item, status: "in_progress", content: [] },
  });
  yield emit("response.content_part.added", { ...at, part: textPart("") });
  for (const delta of answer.pieces) {
    yield emit("response.output_text.delta", { ...at, delta, logprobs: [] });
    yield PAUSE;
  }
  const text = fullText(answer);
  yield emit("response.output_text.done", { ...at, text, logprobs: [] });
  yield emit("response.content_part.done", { ...at, part: textPart(text) });
}

function* callSteps(call: ToolCall, item: JsonSchemaObject, index: number, emit: Emit): Iterable<StreamStep> {
  const at = { item_id: item["id"], output_index: index };
  const begun = { ...item, status: "in_progress" };
  switch (call.kind) {
    case "function":
      yield emit("response.output_item.added", { output_index: index, item: { ...begun, arguments: "" } });
      yield emit("response.function_call_arguments.delta", { ...at, delta: item["arguments"] });
      yield emit("response.function_call_arguments.done", { ...at, arguments: item["arguments"] });
      return;
    case "freeform":
      yield emit("response.output_item.added", { output_index: index, item: { ...begun, input: "" } });
      yield emit("response.custom_tool_call_input.delta", { ...at, delta: call.input });
      yield emit("response.custom_tool_call_input.done", { ...at, input: call.input });
      return;
    case "local-shell":
      yield emit("response.output_item.added", { output_index: index, item: begun });
  }
}
