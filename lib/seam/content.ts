/**
 * Content blocks: what goes into a prompt and what comes back as output.
 *
 * @module
 */

/** Plain text, the only kind of block that is ever flattened into a string. */
export interface TextBlock {
  /** Discriminant. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
}

/** Model reasoning, kept apart from the answer. */
export interface ReasoningBlock {
  /** Discriminant. */
  readonly type: "reasoning";
  /** The reasoning text. */
  readonly text: string;
}

/** A tool call the model made. */
export interface ToolCallBlock {
  /** Discriminant. */
  readonly type: "tool-call";
  /** Call id, as the model gave it. */
  readonly id: string;
  /** Tool name. */
  readonly name: string;
  /** The arguments, as JSON text. */
  readonly arguments: string;
}

/** An inline image; reaches an ACP agent that advertises `promptCapabilities.image`. */
export interface ImageBlock {
  /** Discriminant. */
  readonly type: "image";
  /** Base64 data. */
  readonly data: string;
  /** Media type, such as `image/png`. */
  readonly mimeType: string;
}

/** Inline audio; reaches an ACP agent that advertises `promptCapabilities.audio`. */
export interface AudioBlock {
  /** Discriminant. */
  readonly type: "audio";
  /** Base64 data. */
  readonly data: string;
  /** Media type, such as `audio/wav`. */
  readonly mimeType: string;
}

/** A pointer to a resource the child can read by itself; every ACP agent takes it. */
export interface ResourceLinkBlock {
  /** Discriminant. */
  readonly type: "resource_link";
  /** Where the resource is. */
  readonly uri: string;
  /** Its name. */
  readonly name: string;
  /** Media type, if known. */
  readonly mimeType?: string;
}

/** An embedded resource; reaches an ACP agent that advertises `promptCapabilities.embeddedContext`. */
export interface ResourceBlock {
  /** Discriminant. */
  readonly type: "resource";
  /** The resource with its contents, as text or as base64 `blob`. */
  readonly resource:
    | { readonly uri: string; readonly text: string; readonly mimeType?: string }
    | { readonly uri: string; readonly blob: string; readonly mimeType?: string };
}

/** A block of a kind this library does not know. Consumers keep it or drop it; they never flatten it. */
export interface OtherBlock {
  /** Discriminant; any string. */
  readonly type: string;
  /** Whatever the kind carries. */
  readonly [key: string]: unknown;
}

/** One block of a prompt or of an output. The set is open: every consumer needs a default arm. */
export type ContentBlock =
  | TextBlock
  | ReasoningBlock
  | ToolCallBlock
  | ImageBlock
  | AudioBlock
  | ResourceLinkBlock
  | ResourceBlock
  | OtherBlock;

/** Tells whether a block is well-formed text; values from outside the type system are looked at, not trusted. */
export function isTextBlock(block: unknown): block is TextBlock {
  return typeof block === "object" && block !== null &&
    (block as { type?: unknown }).type === "text" && typeof (block as { text?: unknown }).text === "string";
}

/** Joins the text blocks with no separator; other blocks contribute nothing. */
export function joinText(blocks: readonly ContentBlock[]): string {
  return blocks.filter(isTextBlock).map((block) => block.text).join("");
}
