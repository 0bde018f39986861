/**
 * From the parts of a language model's answer to chunks of the model port, without a stream in sight.
 *
 * @module
 */
import type { JsonObject } from "../../schema/json_value.ts";
import { isRecord, kindOf } from "../../seam/kind_of.ts";
import { finishChunk } from "./answer_finish.ts";
import { LanguageModelError } from "./language_model_error.ts";
import type { FinishChunk, ModelChunk } from "./model_types.ts";
import { copyProviderOptions } from "./provider_options.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Translates the parts of one answer, in order. */
export class AnswerParts {
  readonly #modelName: string;
  /** What the provider needs back with a block of text or reasoning that is open, by kind and id of the block. */
  readonly #metadata: Map<string, JsonObject> = new Map();
  /** Names of the tools whose calls are on their way, by call id; those that the provider calls itself are not in it. */
  readonly #toolNames: Map<string, string> = new Map();
  #finish: FinishChunk | undefined;

  /** Begins with nothing. @param modelName For error messages. */
  constructor(modelName: string) {
    this.#modelName = modelName;
  }

  /** The last chunk of the answer, once the answer came to its end. */
  get finish(): FinishChunk | undefined {
    return this.#finish;
  }

  /**
   * Gives the chunks that a part amounts to, but for the last one of the answer, which is kept. Parts of unknown types amount to nothing, and so do files, sources and what
   * the provider's own tools do: the port has no word for them.
   *
   * @throws {LanguageModelError} When the part is an error, or not well-formed.
   */
  chunksOf(part: unknown): readonly ModelChunk[] {
    if (!isRecord(part)) throw this.#malformed(`a part that is no object but ${kindOf(part)}`);
    switch (part["type"]) {
      case "text-start":
      case "reasoning-start":
        this.#keepMetadata(part);
        return [];
      case "text-delta":
      case "reasoning-delta":
        return this.#delta(part["type"], part);
      case "text-end":
      case "reasoning-end":
        this.#keepMetadata(part);
        return this.#endOfBlock(blockOf(part));
      case "tool-input-start":
        return this.#toolInputStart(part);
      case "tool-input-delta":
        return this.#toolInputDelta(part);
      case "tool-call":
        return this.#toolCall(part);
      case "finish":
        return this.#takeFinish(part);
      case "error":
        throw new LanguageModelError(
          "STREAM_FAILED",
          `Language model ${this.#modelName} reported an error instead of the rest of its answer`,
          { cause: part["error"] },
        );
      default:
        return [];
    }
  }

  #delta(type: "text-delta" | "reasoning-delta", part: Fields): readonly ModelChunk[] {
    this.#keepMetadata(part);
    const text = this.#text(part, "delta");
    return text === "" ? [] : [{ type, text }];
  }

  /** The metadata of a block may come with any of its parts; what comes later takes the place of what came before. */
  #keepMetadata(part: Fields): void {
    const metadata = this.#metadataOf(part);
    if (metadata !== undefined) this.#metadata.set(blockOf(part), metadata);
  }

  #endOfBlock(block: string): readonly ModelChunk[] {
    const providerMetadata = this.#metadata.get(block);
    if (providerMetadata === undefined) return [];
    this.#metadata.delete(block);
    const type = block.startsWith("text") ? "text-delta" : "reasoning-delta";
    return [{ type, text: "", providerMetadata }];
  }

  #toolInputStart(part: Fields): readonly ModelChunk[] {
    const [id, name] = [this.#text(part, "id"), this.#text(part, "toolName")];
    // v4 has tools whose input is written as plain text: those pieces are no JSON text.
    if (part["providerExecuted"] !== true && part["inputEncoding"] !== "text") this.#toolNames.set(id, name);
    return [];
  }

  #toolInputDelta(part: Fields): readonly ModelChunk[] {
    const [id, delta] = [this.#text(part, "id"), this.#text(part, "delta")];
    const name = this.#toolNames.get(id);
    return name === undefined || delta === ""
      ? []
      : [{ type: "tool-call-delta", id, name, arguments: delta }];
  }

  #toolCall(part: Fields): readonly ModelChunk[] {
    // The provider calls it and has the result already.
    if (part["providerExecuted"] === true) return [];
    const providerMetadata = this.#metadataOf(part);
    return [{
      type: "tool-call",
      id: this.#text(part, "toolCallId"),
      name: this.#text(part, "toolName"),
      arguments: this.#text(part, "input"),
      ...(providerMetadata === undefined ? {} : { providerMetadata }),
    }];
  }

  #takeFinish(part: Fields): readonly ModelChunk[] {
    const finish = finishChunk(part);
    if (finish === undefined) {
      throw new LanguageModelError(
        "BROKEN_OFF",
        `The answer of language model ${this.#modelName} broke off: its finish reason is "interrupted"`,
      );
    }
    this.#finish = finish;
    return [...this.#metadata.keys()].flatMap((block) => this.#endOfBlock(block));
  }

  #metadataOf({ type, providerMetadata }: Fields): JsonObject | undefined {
    if (providerMetadata === undefined || providerMetadata === null) return undefined;
    const copy = copyProviderOptions(withoutUndefined(providerMetadata));
    if (copy !== undefined) return copy;
    throw this.#malformed(
      `a "${String(type)}" part whose providerMetadata is no JSON object of objects`,
    );
  }

  #text(part: Fields, field: string): string {
    const value = part[field];
    if (typeof value === "string") return value;
    throw this.#malformed(
      `a "${String(part["type"])}" part whose ${field} is no string but ${kindOf(value)}`,
    );
  }

  #malformed(what: string): LanguageModelError {
    return new LanguageModelError(
      "MALFORMED_ANSWER",
      `Language model ${this.#modelName} does not keep to its specification: its answer has ${what}`,
    );
  }
}

function blockOf({ type, id }: Fields): string {
  return `${String(type).split("-")[0]} ${String(id)}`;
}

/** The SDK's JSON objects may hold `undefined`, which JSON leaves out. */
function withoutUndefined(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}
