/**
 * Gemini: `POST …/models/NAME:generateContent` and `:streamGenerateContent`.
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

const FINISH_REASONS = {
  complete: "STOP",
  "max-tokens": "MAX_TOKENS",
  refusal: "SAFETY",
  "tool-call": "STOP",
} as const;

const ERROR_STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

const METHOD = /\/models\/([^/:]+):(generate|streamGenerate)Content$/;

/** Gemini generateContent. A stream is one of events (the `alt=sse` of its clients), never the array form. */
export const gemini: Protocol = {
  name: "gemini",
  matches: (path) => METHOD.test(path),
  read: (body, url) => {
    const [, model = "", method] = METHOD.exec(url.pathname) ?? [];
    const config = objectOf(body["generationConfig"]);
    return {
      model,
      stream: method === "streamGenerate",
      messages: objectsOf(body["contents"]).map(message),
      tools: objectsOf(body["tools"])
        .flatMap((group) => objectsOf(group["functionDeclarations"] ?? group["function_declarations"])).map(
          tool,
        ),
      answerSchema: optionalObject(config["responseJsonSchema"] ?? config["responseSchema"]),
    };
  },
  whole: (answer, context) =>
    response(answer, context.newId("r_"), context.model, [
      ...(answer.thinking === undefined ? [] : [thought(answer.thinking)]),
      ...lastParts(answer, context, fullText(answer)),
    ], endOf(answer, FINISH_REASONS)),
  stream,
  error: (status, text) => ({
    error: { code: status, message: text, status: ERROR_STATUSES[status] ?? "INTERNAL" },
  }),
};

function message(content: JsonSchemaObject): Message {
  const parts = objectsOf(content["parts"]);
  return {
    role: content["role"] === "model" ? "assistant" : "user",
    text: textOf(parts.filter((part) => part["thought"] !== true)),
    toolCalls: parts.filter((part) => "functionCall" in part)
      .map((part) => stringOf(objectOf(part["functionCall"])["name"])),
    toolResults: parts.filter((part) => "functionResponse" in part)
      .map((part) => JSON.stringify(objectOf(part["functionResponse"])["response"] ?? null)),
  };
}

function tool(body: JsonSchemaObject): Tool {
  const parameters = objectOf(body["parametersJsonSchema"] ?? body["parameters"]);
  return { name: stringOf(body["name"]), kind: "function", parameters };
}

function thought(text: string): JsonSchemaObject {
  return { text, thought: true };
}

function lastParts(answer: Answer, { newId }: AnswerContext, text: string): readonly JsonSchemaObject[] {
  if (answer.kind === "text") return [{ text }];
  return [{ functionCall: { id: newId("fc_"), name: answer.call.name, args: argumentsOf(answer.call) } }];
}

function response(
  answer: Answer,
  responseId: string,
  modelVersion: string,
  parts: readonly JsonSchemaObject[],
  finishReason?: string,
): JsonSchemaObject {
  const { input, output } = usageOf(answer);
  return {
    candidates: [{
      content: { role: "model", parts },
      index: 0,
      ...(finishReason === undefined ? {} : { finishReason }),
    }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    modelVersion,
    responseId,
  };
}

function* stream(answer: Answer, context: AnswerContext): Iterable<StreamStep> {
  const id = context.newId("r_");
  const chunk = (parts: readonly JsonSchemaObject[], finishReason?: string): StreamStep =>
    jsonEvent(response(answer, id, context.model, parts, finishReason));
  if (answer.thinking !== undefined) yield chunk([thought(answer.thinking)]);
  if (answer.kind === "text") {
    for (const text of answer.pieces) {
      yield chunk([{ text }]);
      yield PAUSE;
    }
  }
  yield chunk(lastParts(answer, context, ""), endOf(answer, FINISH_REASONS));
}
