/**
 * From the pieces of a model's answer to its message.
 *
 * @module
 */
import { snapshotFrozenJsonValue } from "../../schema/snapshot_json_value.ts";
import { withoutUndefined } from "../../schema/without_undefined.ts";
import type { ContentBlock } from "../../seam/content.ts";
import { isRecord } from "../../seam/kind_of.ts";
import type { FinishChunk, ModelChunk, ModelFinishReason, ModelUsage } from "../model/model_types.ts";

/** Puts an answer together. Pieces of the same kind that follow each other become one block. */
export class Answer {
  readonly #blocks: ContentBlock[] = [];
  #open: { readonly type: "text" | "reasoning"; readonly pieces: string[] } | undefined;
  #finish: FinishChunk | undefined;

  /** How the answer ended, once it has. */
  get finish(): FinishChunk | undefined {
    return this.#finish;
  }

  /** Takes a piece. Nothing counts behind the end. */
  push(chunk: ModelChunk): void {
    if (this.#finish !== undefined) return;
    switch (chunk.type) {
      case "text-delta":
        return this.#pushText("text", chunk);
      case "reasoning-delta":
        return this.#pushText("reasoning", chunk);
      case "tool-call":
        this.#close();
        this.#blocks.push(chunk);
        return;
      case "tool-call-delta":
        return;
      case "finish":
        this.#close();
        this.#finish = chunk;
    }
  }

  /** The message, once the answer has ended. */
  get content(): readonly ContentBlock[] {
    return this.#blocks;
  }

  #pushText(
    type: "text" | "reasoning",
    { text, providerMetadata }: { readonly text: string; readonly providerMetadata?: object },
  ): void {
    if (this.#open?.type !== type) this.#close();
    this.#open ??= { type, pieces: [] };
    this.#open.pieces.push(text);
    if (providerMetadata !== undefined) this.#close(providerMetadata);
  }

  #close(providerMetadata?: object): void {
    if (this.#open === undefined) return;
    const { type, pieces } = this.#open;
    this.#open = undefined;
    const text = pieces.join("");
    if (text === "" && providerMetadata === undefined) return;
    this.#blocks.push({ type, text, ...(providerMetadata === undefined ? {} : { providerMetadata }) });
  }
}

const FINISH_REASONS: readonly unknown[] = [
  "stop",
  "tool-calls",
  "length",
  "content-filter",
  "error",
  "other",
] satisfies readonly ModelFinishReason[];

const REQUIRED_STRINGS: Readonly<Record<ModelChunk["type"], readonly string[]>> = {
  "text-delta": ["text"],
  "reasoning-delta": ["text"],
  "tool-call-delta": ["id", "name", "arguments"],
  "tool-call": ["id", "name", "arguments"],
  finish: [],
};

const COUNTS: readonly (keyof ModelUsage)[] = [
  "inputTokens",
  "outputTokens",
  "reasoningTokens",
  "cachedInputTokens",
];

/**
 * Reads a piece that a model port gave: a frozen copy. Fields of the piece and of its usage that are `undefined` count as
 * left out: that is how a port hands on what its provider did not tell.
 *
 * @throws {TypeError} When it is none. The message is fixed: what a model says is not for error messages.
 * @throws What a getter of it throws.
 */
export function checkedChunk(value: unknown): ModelChunk {
  const given = defined(value);
  const chunk: unknown = snapshotFrozenJsonValue(
    isRecord(given) && given.usage !== undefined ? { ...given, usage: defined(given.usage) } : given,
  );
  if (!isRecord(chunk)) throw invalidChunk();
  const { type } = chunk;
  const strings = typeof type === "string" && Object.hasOwn(REQUIRED_STRINGS, type)
    ? REQUIRED_STRINGS[type as ModelChunk["type"]]
    : undefined;
  if (strings === undefined || strings.some((field) => typeof chunk[field] !== "string")) {
    throw invalidChunk();
  }
  if (type === "finish" && !FINISH_REASONS.includes(chunk.reason)) throw invalidChunk();
  for (const facts of ["providerMetadata", "usage"]) {
    if (chunk[facts] !== undefined && !isRecord(chunk[facts])) throw invalidChunk();
  }
  const { usage } = chunk;
  if (isRecord(usage) && COUNTS.some((count) => !["undefined", "number"].includes(typeof usage[count]))) {
    throw invalidChunk();
  }
  return chunk as unknown as ModelChunk;
}

function defined(value: unknown): unknown {
  return isRecord(value) ? withoutUndefined(value) : value;
}

function invalidChunk(): TypeError {
  return new TypeError(
    "Model port gave an invalid chunk; expected JSON data of type text-delta, reasoning-delta, tool-call-delta, " +
      "tool-call or finish with the fields of that type",
  );
}
