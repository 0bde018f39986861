/**
 * Reads a gzipped tar archive, as npm and JSR use them.
 *
 * @module
 */

import { gunzipSync } from "node:zlib";

const BLOCK = 512;

/**
 * Gives the regular files of a `.tar.gz` by their path in it, as text.
 *
 * @throws {Error} When it is not a gzipped tar archive, or holds an entry that this reader does not know.
 */
export function readTar(gzipped: Uint8Array): Map<string, string> {
  const archive = gunzipSync(gzipped);
  const files = new Map<string, string>();
  // A pax header before an entry may replace its path.
  let paxPath: string | undefined;
  for (let at = 0; at + BLOCK <= archive.length;) {
    const header = archive.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const field = (start: number, length: number) =>
      header.subarray(start, start + length).toString("utf8").replace(/\0.*$/s, "");
    if (!field(257, 6).startsWith("ustar")) {
      throw new Error(`Cannot read the archive: no tar header at byte ${at}`);
    }
    const size = parseInt(field(124, 12), 8);
    const type = field(156, 1);
    const content = archive.subarray(at + BLOCK, at + BLOCK + size).toString("utf8");
    const prefix = field(345, 155);
    const path = paxPath ?? (prefix === "" ? field(0, 100) : `${prefix}/${field(0, 100)}`);
    if (type === "x") paxPath = /^\d+ path=(.*)$/m.exec(content)?.[1];
    else if (type === "0" || type === "") {
      files.set(path, content);
      paxPath = undefined;
    } else if (type !== "5" && type !== "g") {
      throw new Error(`Cannot read the archive: "${path}" is of type "${type}"`);
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
