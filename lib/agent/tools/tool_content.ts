/**
 * Content blocks from code that nobody vouches for.
 *
 * @module
 */
import { snapshotFrozenJsonValue } from "../../schema/snapshot_json_value.ts";
import { type ContentBlock, isTextBlock } from "../../seam/content.ts";
import { isRecord } from "../../seam/kind_of.ts";

/**
 * Takes blocks over: a detached, deep-frozen copy, or `undefined` when the value is no list of blocks that JSON
 * carries without loss. Blocks of unknown types pass.
 *
 * @throws What a getter or a proxy's trap of the value throws.
 */
export function snapshotContent(value: unknown): readonly ContentBlock[] | undefined {
  const copy: unknown = snapshotFrozenJsonValue(value);
  return Array.isArray(copy) && copy.every(isContentBlock) ? copy : undefined;
}

/** Tells whether a value is a block. Of text it is known what it must carry; other types pass. */
export function isContentBlock(value: unknown): value is ContentBlock {
  return isRecord(value) && typeof value.type === "string" && (value.type !== "text" || isTextBlock(value));
}
