/**
 * From content blocks to what every message of a prompt is able to carry: text and files.
 *
 * @module
 */
import type { ContentBlock } from "../../seam/content.ts";
import { isRecord } from "../../seam/kind_of.ts";
import { LanguageModelError } from "./language_model_error.ts";
import type { ModelMessage } from "./model_types.ts";

/** Text, or a file. */
export type PromptPiece =
  | { readonly kind: "text"; readonly text: string }
  | {
    readonly kind: "file";
    readonly base64: string;
    readonly mediaType: string;
    readonly filename?: string;
  };

/**
 * Makes a piece of a block. A model cannot follow a link by itself, so a `resource_link` becomes text that names it;
 * so does a resource of text, with its contents.
 *
 * @param role Of the message, for the error.
 * @throws {LanguageModelError} When the block is of another kind, or not well-formed.
 */
export function promptPiece(block: ContentBlock, role: ModelMessage["role"]): PromptPiece {
  const piece = pieceOf(block);
  if (piece !== undefined) return piece;
  throw new LanguageModelError(
    "UNSUPPORTED_CONTENT",
    `Cannot put a content block of type ${shownType(block.type)} in a prompt's ${role} message: ` +
      "expected well-formed text, image, audio, resource_link or resource; turn it into one of these",
  );
}

function pieceOf(block: ContentBlock): PromptPiece | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...block };
  switch (block.type) {
    case "text":
      return isText(fields["text"]) ? { kind: "text", text: fields["text"] } : undefined;
    case "image":
    case "audio":
      return filePiece(fields["data"], fields["mimeType"]);
    case "resource_link":
      return isText(fields["uri"]) && isText(fields["name"])
        ? { kind: "text", text: `[${fields["name"]}](${fields["uri"]})` }
        : undefined;
    case "resource":
      return isRecord(fields["resource"]) ? resourcePiece(fields["resource"]) : undefined;
    default:
      return undefined;
  }
}

function resourcePiece(
  { uri, text, blob, mimeType = "application/octet-stream" }: Readonly<Record<string, unknown>>,
): PromptPiece | undefined {
  if (!isText(uri)) return undefined;
  if (isText(text)) {
    return { kind: "text", text: `<resource uri=${JSON.stringify(uri)}>\n${text}\n</resource>` };
  }
  return filePiece(blob, mimeType, /[^/\\?#]+(?=[?#]|$)/.exec(uri)?.[0]);
}

function filePiece(data: unknown, mediaType: unknown, filename?: string): PromptPiece | undefined {
  if (!isText(data) || !isText(mediaType)) return undefined;
  return { kind: "file", base64: data, mediaType, ...(filename === undefined ? {} : { filename }) };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The set of kinds is open and the word may come from a tool, so only a short lower-case word is shown. */
function shownType(type: unknown): string {
  return typeof type === "string" && /^[a-z][a-z0-9_-]{0,63}$/.test(type) ? `"${type}"` : "unknown";
}
