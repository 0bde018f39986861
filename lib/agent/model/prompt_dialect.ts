/**
 * The places at which the three versions of the specification write a prompt differently.
 *
 * @module
 */
import type {
  LanguageModelV2ResultFile,
  LanguageModelV3ResultFile,
  LanguageModelV4FileData,
  LanguageModelV4ResultFile,
} from "./language_model_like.ts";

/** How one version writes files. */
export interface PromptDialect<FileData, ResultFile> {
  /** What is in a file of a message. */
  fileData(base64: string): FileData;
  /** A file in a tool result. */
  resultFile(base64: string, mediaType: string): ResultFile;
}

/** Specification v2. */
export const DIALECT_V2: PromptDialect<string, LanguageModelV2ResultFile> = {
  fileData: (base64) => base64,
  resultFile: (data, mediaType) => ({ type: "media", data, mediaType }),
};

/** Specification v3. */
export const DIALECT_V3: PromptDialect<string, LanguageModelV3ResultFile> = {
  fileData: (base64) => base64,
  resultFile: (data, mediaType) => ({
    type: mediaType.startsWith("image/") ? "image-data" : "file-data",
    data,
    mediaType,
  }),
};

/** Specification v4. */
export const DIALECT_V4: PromptDialect<LanguageModelV4FileData, LanguageModelV4ResultFile> = {
  fileData: (data) => ({ type: "data", data }),
  resultFile: (data, mediaType) => ({ type: "file", data: { type: "data", data }, mediaType }),
};
