/**
 * The last piece of a language model's answer: why it ended, and what it took.
 *
 * @module
 */
import { isRecord } from "../../seam/kind_of.ts";
import type { FinishChunk, ModelFinishReason, ModelUsage } from "./model_types.ts";

/** Reasons that mean the same here. v2's `unknown`, and whatever a later version adds, is `other`. */
const REASONS: ReadonlySet<string> = new Set<ModelFinishReason>([
  "stop",
  "tool-calls",
  "length",
  "content-filter",
  "error",
]);

/**
 * Reads a `finish` part. The reason is a word in v2, and `{ unified, raw }` later; the usage is flat in v2, and has
 * `{ total, … }` for each direction later.
 *
 * @returns The chunk, or `undefined` when the answer did not come to its end: v4 says `interrupted` then.
 */
export function finishChunk(part: Readonly<Record<string, unknown>>): FinishChunk | undefined {
  const { finishReason, usage } = part;
  const reason = isRecord(finishReason) ? finishReason["unified"] : finishReason;
  if (reason === "interrupted") return undefined;
  const tokens = isRecord(usage) ? usageOf(usage) : {};
  return {
    type: "finish",
    reason: typeof reason === "string" && REASONS.has(reason) ? reason as ModelFinishReason : "other",
    ...(Object.keys(tokens).length === 0 ? {} : { usage: tokens }),
  };
}

function usageOf(usage: Readonly<Record<string, unknown>>): ModelUsage {
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens } = usage;
  const [input, output] = [inputTokens, outputTokens].map((side) => isRecord(side) ? side : undefined);
  return {
    ...count("inputTokens", input === undefined ? inputTokens : input["total"]),
    ...count("outputTokens", output === undefined ? outputTokens : output["total"]),
    ...count("reasoningTokens", output === undefined ? reasoningTokens : output["reasoning"]),
    ...count("cachedInputTokens", input === undefined ? cachedInputTokens : input["cacheRead"]),
  };
}

function count<Name extends keyof ModelUsage>(
  name: Name,
  tokens: unknown,
): { readonly [Key in Name]?: number } {
  // Providers that do not count say undefined, null or NaN.
  return Number.isSafeInteger(tokens) && (tokens as number) >= 0
    ? { [name]: tokens } as { readonly [Key in Name]?: number }
    : {};
}
