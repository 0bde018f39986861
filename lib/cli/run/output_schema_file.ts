/**
 * Reading the schema that an answer has to match.
 *
 * @module
 */
import { readFile } from "node:fs/promises";
import { JsoncSyntaxError, parseJsonc } from "../../jsonc.ts";
import { errorCode } from "../../process/errors.ts";
import { snapshotOutputSchema } from "../../schema/assert_output_schema.ts";
import { OutputSchemaError } from "../../schema/errors.ts";
import { UsageFault } from "../command_words.ts";
import { jsonLine } from "../terminal_text.ts";

/**
 * Reads a file with a JSON Schema in it; comments and trailing commas are fine.
 *
 * @throws {UsageFault} When it cannot be read, is no UTF-8, no JSONC (with line and column), or no schema within the
 *   supported subset.
 */
export async function readOutputSchema(path: string): Promise<Readonly<Record<string, unknown>>> {
  const text = decode(await bytesOf(path), path);
  try {
    return { ...snapshotOutputSchema(parseJsonc(text, path)) };
  } catch (cause) {
    if (cause instanceof JsoncSyntaxError) throw new UsageFault(cause.message, { cause });
    if (cause instanceof OutputSchemaError) throw new UsageFault(`${path}: ${cause.message}`, { cause });
    throw cause;
  }
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    const code = errorCode(cause);
    throw new UsageFault(
      `Cannot read the file of --output-schema, ${jsonLine(path)}${code === undefined ? "" : ` (${code})`}`,
      { cause },
    );
  }
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    // With its byte order mark, which JSONC has an error message for.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new UsageFault(`The file of --output-schema, ${jsonLine(path)}, is not valid UTF-8`, { cause });
  }
}
