/**
 * From the conversation of a request to the prompt of a language model.
 *
 * @module
 */
import type { JsonObject } from "../../schema/json_value.ts";
import type { ContentBlock } from "../../seam/content.ts";
import { isRecord } from "../../seam/kind_of.ts";
import type {
  LanguageModelAssistantPart,
  LanguageModelFilePart,
  LanguageModelMessage,
  LanguageModelProviderOptions,
  LanguageModelTextPart,
  LanguageModelToolOutput,
  LanguageModelToolResultPart,
} from "./language_model_like.ts";
import type { ModelRequest, ToolModelMessage } from "./model_types.ts";
import type { PromptDialect } from "./prompt_dialect.ts";
import { promptPiece } from "./prompt_piece.ts";
import { copyProviderOptions } from "./provider_options.ts";

/**
 * Writes the prompt. Empty texts are left out, and messages of nothing else with them: many providers refuse them.
 * Results of the same step stand in one message.
 *
 * @throws {LanguageModelError} When a block does not fit in.
 */
export function modelPrompt<FileData, ResultFile>(
  { system, messages }: Pick<ModelRequest, "system" | "messages">,
  dialect: PromptDialect<FileData, ResultFile>,
): LanguageModelMessage<FileData, ResultFile>[] {
  const prompt: LanguageModelMessage<FileData, ResultFile>[] = [];
  if (system !== "") prompt.push({ role: "system", content: system });
  for (const message of messages) {
    if (message.role === "tool") {
      const result = toolResultPart(message, dialect);
      const last = prompt.at(-1);
      if (last?.role === "tool") last.content.push(result);
      else prompt.push({ role: "tool", content: [result] });
    } else if (message.role === "assistant") {
      const content = message.content.map((block) => assistantPart(block, dialect)).filter(saysSomething);
      if (content.length > 0) prompt.push({ role: "assistant", content });
    } else {
      const content = message.content.map((block) => plainPart(block, "user", dialect)).filter(saysSomething);
      if (content.length > 0) prompt.push({ role: "user", content });
    }
  }
  return prompt;
}

function assistantPart<FileData>(
  block: ContentBlock,
  dialect: PromptDialect<FileData, unknown>,
): LanguageModelAssistantPart<FileData> {
  const { type, text, id, name, arguments: given } = { ...block } as Readonly<Record<string, unknown>>;
  if (type === "reasoning" && typeof text === "string") {
    return { type: "reasoning", text, ...metadataOf(block) };
  }
  if (
    type === "tool-call" && typeof id === "string" && typeof name === "string" && typeof given === "string"
  ) {
    return {
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input: toolInput(given),
      ...metadataOf(block),
    };
  }
  const part = plainPart(block, "assistant", dialect);
  return part.type === "text" ? { ...part, ...metadataOf(block) } : part;
}

function plainPart<FileData>(
  block: ContentBlock,
  role: "user" | "assistant",
  dialect: PromptDialect<FileData, unknown>,
): LanguageModelTextPart | LanguageModelFilePart<FileData> {
  const piece = promptPiece(block, role);
  if (piece.kind === "text") return { type: "text", text: piece.text };
  const { base64, mediaType, filename } = piece;
  return {
    type: "file",
    data: dialect.fileData(base64),
    mediaType,
    ...(filename === undefined ? {} : { filename }),
  };
}

/** An empty text with facts of the provider says something to it: reasoning that is hidden is written like that. */
function saysSomething(part: LanguageModelAssistantPart<unknown>): boolean {
  return (part.type !== "text" && part.type !== "reasoning") || part.text !== "" ||
    part.providerOptions !== undefined;
}

/** What a chunk carried as its `providerMetadata` stands in the block under the same name. */
function metadataOf(block: ContentBlock): { readonly providerOptions?: LanguageModelProviderOptions } {
  const { providerMetadata } = { ...block } as Readonly<Record<string, unknown>>;
  const providerOptions = copyProviderOptions(providerMetadata);
  return providerOptions === undefined ? {} : { providerOptions };
}

/**
 * Providers want an object here. What the model wrote instead stays readable for it under a name that says what is
 * wrong; a tool without parameters is often called with no arguments at all.
 */
function toolInput(text: string): JsonObject {
  if (text.trim() === "") return {};
  try {
    const input: unknown = JSON.parse(text);
    if (isRecord(input)) return input as JsonObject;
  } catch {
    // Not JSON: below.
  }
  return { invalidArguments: text };
}

function toolResultPart<ResultFile>(
  { callId, name, content, isError }: ToolModelMessage,
  dialect: PromptDialect<unknown, ResultFile>,
): LanguageModelToolResultPart<ResultFile> {
  return {
    type: "tool-result",
    toolCallId: callId,
    toolName: name,
    output: toolOutput(content, isError, dialect),
  };
}

/** The specification has no failed result with files in it: such a one goes as content, whose text tells. */
function toolOutput<ResultFile>(
  content: readonly ContentBlock[],
  isError: boolean,
  dialect: PromptDialect<unknown, ResultFile>,
): LanguageModelToolOutput<ResultFile> {
  const pieces = content.map((block) => promptPiece(block, "tool"));
  const texts = pieces.flatMap((piece) => piece.kind === "text" ? [piece.text] : []);
  if (texts.length === pieces.length) return { type: isError ? "error-text" : "text", value: texts.join("") };
  return {
    type: "content",
    value: pieces.map((piece) =>
      piece.kind === "text"
        ? { type: "text", text: piece.text }
        : dialect.resultFile(piece.base64, piece.mediaType)
    ),
  };
}
