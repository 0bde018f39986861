/**
 * The part of the AI SDK's language model interface that is used here, in all three versions of its specification.
 * Written by hand, so that nobody needs the SDK's packages for these types; a test holds them against the SDK's own.
 *
 * @module
 */
import type { JsonObject } from "../../schema/json_value.ts";

/** A language model of the AI SDK, of any version that is known here. */
export type LanguageModelLike = LanguageModelV2Like | LanguageModelV3Like | LanguageModelV4Like;

/** A model of specification v2, as in AI SDK 5. */
export interface LanguageModelV2Like extends LanguageModelIdentity {
  /** Discriminant. */
  readonly specificationVersion: "v2";
  /** Asks the model. */
  doStream(options: LanguageModelV2Call): PromiseLike<LanguageModelAnswer>;
}

/** A model of specification v3, as in AI SDK 6. */
export interface LanguageModelV3Like extends LanguageModelIdentity {
  /** Discriminant. */
  readonly specificationVersion: "v3";
  /** Asks the model. */
  doStream(options: LanguageModelV3Call): PromiseLike<LanguageModelAnswer>;
}

/** A model of specification v4, as in AI SDK 7. */
export interface LanguageModelV4Like extends LanguageModelIdentity {
  /** Discriminant. */
  readonly specificationVersion: "v4";
  /** Asks the model. */
  doStream(options: LanguageModelV4Call): PromiseLike<LanguageModelAnswer>;
}

/** What a model is called. */
export interface LanguageModelIdentity {
  /** Name of its provider. */
  readonly provider: string;
  /** Its name there. */
  readonly modelId: string;
}

/** A question to a model of specification v2. */
export type LanguageModelV2Call = LanguageModelCall<string, LanguageModelV2ResultFile>;

/** A question to a model of specification v3. */
export type LanguageModelV3Call = LanguageModelCall<string, LanguageModelV3ResultFile>;

/** A question to a model of specification v4. */
export type LanguageModelV4Call = LanguageModelCall<LanguageModelV4FileData, LanguageModelV4ResultFile>;

/** A file in a tool result, as v2 has it. */
export interface LanguageModelV2ResultFile {
  /** Discriminant. */
  readonly type: "media";
  /** Base64. */
  readonly data: string;
  /** What the data is. */
  readonly mediaType: string;
}

/** A file in a tool result, as v3 has it. */
export interface LanguageModelV3ResultFile {
  /** Discriminant. */
  readonly type: "image-data" | "file-data";
  /** Base64. */
  readonly data: string;
  /** What the data is. */
  readonly mediaType: string;
}

/** A file in a tool result, as v4 has it. */
export interface LanguageModelV4ResultFile {
  /** Discriminant. */
  readonly type: "file";
  /** What is in it. */
  readonly data: LanguageModelV4FileData;
  /** What the data is. */
  readonly mediaType: string;
}

/** What is in a file, as v4 has it. */
export interface LanguageModelV4FileData {
  /** Discriminant. */
  readonly type: "data";
  /** Base64. */
  readonly data: string;
}

/**
 * A question to a model. Lists are mutable because the SDK's types say so; every call gets its own.
 *
 * @typeParam FileData What is in a file of the prompt.
 * @typeParam ResultFile A file in a tool result.
 */
export interface LanguageModelCall<FileData, ResultFile> {
  /** The system prompt, if there is one, and the conversation. */
  readonly prompt: LanguageModelMessage<FileData, ResultFile>[];
  /** The tools; left out when there are none. */
  readonly tools?: LanguageModelTool[];
  /** That the model may choose among the tools; left out when there are none. */
  readonly toolChoice?: { readonly type: "auto" };
  /** Most tokens of the answer. */
  readonly maxOutputTokens?: number;
  /** How random the answer is. */
  readonly temperature?: number;
  /** Share of the probability that is sampled from. */
  readonly topP?: number;
  /** How many candidates are sampled from. */
  readonly topK?: number;
  /** Makes sampling repeatable, where a model is able to. */
  readonly seed?: number;
  /** Texts that end the answer. */
  readonly stopSequences?: string[];
  /** Whatever a provider takes besides, by its name. */
  readonly providerOptions?: LanguageModelProviderOptions;
  /** Aborted when nobody waits for the answer any longer. */
  readonly abortSignal: AbortSignal;
}

/** Facts that only one provider understands, by its name. The SDK calls them metadata on their way out of a model. */
export type LanguageModelProviderOptions = Record<string, Record<string, LanguageModelJson>>;

/** JSON whose parts are mutable, as the SDK's types had it up to version 6. */
export type LanguageModelJson =
  | null
  | boolean
  | number
  | string
  | LanguageModelJson[]
  | { [key: string]: LanguageModelJson };

/** A tool, as a model is told of it. */
export interface LanguageModelTool {
  /** Discriminant. */
  readonly type: "function";
  /** Name that calls use. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** JSON Schema of the arguments. Not typed further, because the SDK's type of it is that of another package. */
  readonly inputSchema: object;
}

/** A message of the conversation. */
export type LanguageModelMessage<FileData, ResultFile> =
  | {
    /** Discriminant. */
    readonly role: "system";
    /** The system prompt. */
    readonly content: string;
  }
  | {
    /** Discriminant. */
    readonly role: "user";
    /** What the user said. */
    readonly content: (LanguageModelTextPart | LanguageModelFilePart<FileData>)[];
  }
  | {
    /** Discriminant. */
    readonly role: "assistant";
    /** What the model said. */
    readonly content: LanguageModelAssistantPart<FileData>[];
  }
  | {
    /** Discriminant. */
    readonly role: "tool";
    /** What came of the calls of the message before. */
    readonly content: LanguageModelToolResultPart<ResultFile>[];
  };

/** A piece of what the model said. */
export type LanguageModelAssistantPart<FileData> =
  | LanguageModelTextPart
  | LanguageModelReasoningPart
  | LanguageModelFilePart<FileData>
  | LanguageModelToolCallPart;

/** Text. */
export interface LanguageModelTextPart {
  /** Discriminant. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
  /** What the provider gave with it. */
  readonly providerOptions?: LanguageModelProviderOptions;
}

/** Reasoning. */
export interface LanguageModelReasoningPart {
  /** Discriminant. */
  readonly type: "reasoning";
  /** The reasoning. */
  readonly text: string;
  /** What the provider gave with it, such as a signature. */
  readonly providerOptions?: LanguageModelProviderOptions;
}

/** A file. */
export interface LanguageModelFilePart<FileData> {
  /** Discriminant. */
  readonly type: "file";
  /** What is in it. */
  readonly data: FileData;
  /** What the data is. */
  readonly mediaType: string;
  /** Its name, if it has one. */
  readonly filename?: string;
}

/** A tool call. */
export interface LanguageModelToolCallPart {
  /** Discriminant. */
  readonly type: "tool-call";
  /** Id of the call. */
  readonly toolCallId: string;
  /** Name of the tool. */
  readonly toolName: string;
  /** The arguments. */
  readonly input: JsonObject;
  /** What the provider gave with it. */
  readonly providerOptions?: LanguageModelProviderOptions;
}

/** What came of a tool call. */
export interface LanguageModelToolResultPart<ResultFile> {
  /** Discriminant. */
  readonly type: "tool-result";
  /** Id of the call. */
  readonly toolCallId: string;
  /** Name of the tool. */
  readonly toolName: string;
  /** The result. */
  readonly output: LanguageModelToolOutput<ResultFile>;
}

/** A tool's result. */
export type LanguageModelToolOutput<ResultFile> =
  | {
    /** Discriminant. */
    readonly type: "text" | "error-text";
    /** The text. */
    readonly value: string;
  }
  | {
    /** Discriminant. */
    readonly type: "content";
    /** Text and files. */
    readonly value: ({ readonly type: "text"; readonly text: string } | ResultFile)[];
  };

/** What a model answers with. */
export interface LanguageModelAnswer {
  /** The answer, piece by piece. */
  readonly stream: LanguageModelStream;
}

/** The part of a `ReadableStream` that is used. */
export interface LanguageModelStream {
  /** Takes hold of the stream. */
  getReader(): LanguageModelStreamReader;
}

/** The part of a `ReadableStreamDefaultReader` that is used. */
export interface LanguageModelStreamReader {
  /** Gives the next piece. */
  read(): Promise<{ readonly done: boolean; readonly value?: LanguageModelStreamPart | undefined }>;
  /** Ends the stream; a pending `read()` is done then. */
  cancel(reason?: unknown): Promise<void>;
}

/**
 * A piece of an answer. What else a piece holds is read as it comes and held against the specification: `text-delta`,
 * `reasoning-start`, `reasoning-delta`, `reasoning-end`, `tool-input-start`, `tool-input-delta`, `tool-call`,
 * `finish` and `error` mean something here, every other piece is passed over.
 */
export interface LanguageModelStreamPart {
  /** Discriminant. */
  readonly type: string;
}
