/**
 * Holds the hand-written types against the SDK's own. The type check is the test: what is wrong does not compile.
 */
import type {
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV2StreamPart,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type {
  LanguageModelLike,
  LanguageModelProviderOptions,
  LanguageModelStream,
  LanguageModelV2Call,
  LanguageModelV2Like,
  LanguageModelV3Call,
  LanguageModelV3Like,
  LanguageModelV4Call,
  LanguageModelV4Like,
} from "./language_model_like.ts";

/** Compiles only for a type that is assignable to the other one. */
type Fits<Narrow extends Wide, Wide> = [Narrow, Wide];

/** What is read of the parts of a stream, by type, in every version. */
interface ReadParts {
  "text-start": { id: string; providerMetadata?: object };
  "text-delta": { id: string; delta: string; providerMetadata?: object };
  "text-end": { id: string; providerMetadata?: object };
  "reasoning-start": { id: string; providerMetadata?: object };
  "reasoning-delta": { id: string; delta: string; providerMetadata?: object };
  "reasoning-end": { id: string; providerMetadata?: object };
  "tool-input-start": { id: string; toolName: string; providerExecuted?: boolean };
  "tool-input-delta": { id: string; delta: string };
  "tool-call": {
    toolCallId: string;
    toolName: string;
    input: string;
    providerExecuted?: boolean;
    providerMetadata?: object;
  };
  "error": { error: unknown };
}

/** The parts of a stream by type. */
type PartsByType<Part> = { [Type in keyof ReadParts]: Extract<Part, { type: Type }> };

/** JSON as the SDK's types had it up to version 6, in @ai-sdk/provider 2 and 3: with mutable arrays. */
type OlderJson = null | string | number | boolean | { [key: string]: OlderJson } | OlderJson[];

/** The last part of a stream. */
type FinishOf<Part> = Extract<Part, { type: "finish" }>;

type LaterFinish = {
  finishReason: { unified: string };
  usage: {
    inputTokens: { total: number | undefined; cacheRead: number | undefined };
    outputTokens: { total: number | undefined; reasoning: number | undefined };
  };
};

/** Every line is a promise to the SDK's types; exported, so that it counts as used. */
export type Held = [
  Fits<LanguageModelV2, LanguageModelV2Like>,
  Fits<LanguageModelV3, LanguageModelV3Like>,
  Fits<LanguageModelV4, LanguageModelV4Like>,
  Fits<LanguageModelV2 | LanguageModelV3 | LanguageModelV4, LanguageModelLike>,
  // Methods are compared bivariantly, so what goes in is held on its own.
  Fits<LanguageModelV2Call, LanguageModelV2CallOptions>,
  Fits<LanguageModelV3Call, LanguageModelV3CallOptions>,
  Fits<LanguageModelV4Call, LanguageModelV4CallOptions>,
  Fits<LanguageModelProviderOptions, Record<string, Record<string, OlderJson>>>,
  // What a name of ours stands for there is never something else, such as a setting that was renamed.
  Fits<keyof LanguageModelV2Call, keyof LanguageModelV2CallOptions>,
  Fits<keyof LanguageModelV3Call, keyof LanguageModelV3CallOptions>,
  Fits<keyof LanguageModelV4Call, keyof LanguageModelV4CallOptions>,
  Fits<ReadableStream<LanguageModelV4StreamPart>, LanguageModelStream>,
  // A part that is not there is of type never, which would fit anything.
  Fits<
    keyof ReadParts | "finish",
    (LanguageModelV2StreamPart & LanguageModelV3StreamPart & LanguageModelV4StreamPart)["type"]
  >,
  Fits<PartsByType<LanguageModelV2StreamPart>, ReadParts>,
  Fits<PartsByType<LanguageModelV3StreamPart>, ReadParts>,
  Fits<PartsByType<LanguageModelV4StreamPart>, ReadParts>,
  Fits<
    FinishOf<LanguageModelV2StreamPart>,
    {
      finishReason: string;
      usage: {
        inputTokens: number | undefined;
        outputTokens: number | undefined;
        reasoningTokens?: number | undefined;
        cachedInputTokens?: number | undefined;
      };
    }
  >,
  Fits<FinishOf<LanguageModelV3StreamPart>, LaterFinish>,
  Fits<FinishOf<LanguageModelV4StreamPart>, LaterFinish>,
];

describe("LanguageModelLike", () => {
  it("refuses at compile time what is no language model", () => {
    const refuse = (model: LanguageModelLike): LanguageModelLike => model;
    // @ts-expect-error -- a model's name is no model
    refuse("gpt");
    // @ts-expect-error -- no such version
    refuse({ specificationVersion: "v1", provider: "p", modelId: "m", doStream: () => Promise.reject() });
    // @ts-expect-error -- cannot be asked
    assert.equal(refuse({ specificationVersion: "v3", provider: "p", modelId: "m" }).provider, "p");
  });

  it("needs nothing of the SDK's packages", () => {
    const source = readFileSync(new URL("./language_model_like.ts", import.meta.url), "utf8");
    const imported = [...source.matchAll(/from "([^"]+)"/g)].map(([, specifier]) => specifier);
    assert.deepEqual(imported, ["../../schema/json_value.ts"]);
  });
});
