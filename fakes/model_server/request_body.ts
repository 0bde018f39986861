/**
 * Reading the body of a request.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { JsonSchemaObject } from "./conversation.ts";
import { objectOf } from "./json.ts";

/** Says that a body is not worth an answer of the model, and by which HTTP status to refuse it. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  /** HTTP status of the refusal. */
  readonly status: number;

  /** Joins status and reason. */
  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  identity: (bytes) => Promise.resolve(bytes),
  gzip: (bytes) => promisify(gunzip)(bytes),
  deflate: (bytes) => promisify(inflate)(bytes),
  br: (bytes) => promisify(brotliDecompress)(bytes),
};

/**
 * Reads the body as a JSON object; an empty body is an empty object.
 *
 * @throws {BodyError} If it is in an unknown encoding, damaged, or no JSON.
 */
export async function readJsonBody(request: IncomingMessage): Promise<JsonSchemaObject> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  const decode = DECODERS[encoding];
  if (decode === undefined) throw new BodyError(415, `Cannot read content encoding "${encoding}"`);
  const bytes = await readBytes(request);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await decode(bytes));
    return text === "" ? {} : objectOf(JSON.parse(text));
  } catch (cause) {
    throw new BodyError(400, "The body is not JSON", { cause });
  }
}

async function readBytes(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
