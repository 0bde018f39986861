/**
 * From one JSON-RPC message to one line. Pure; the members come in the order in which people read them.
 *
 * @module
 */
import type { JsonRpcId } from "./frame.ts";

/**
 * Writes a request.
 *
 * @throws {TypeError} When the params are not JSON-serialisable.
 */
export function encodeRequest(id: JsonRpcId, method: string, params: unknown): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${call(method, params)}}\n`;
}

/**
 * Writes a notification.
 *
 * @throws {TypeError} When the params are not JSON-serialisable.
 */
export function encodeNotification(method: string, params: unknown): string {
  return `{"jsonrpc":"2.0",${call(method, params)}}\n`;
}

/**
 * Writes a successful reply. An undefined result becomes null, because a reply without the member is none.
 *
 * @throws {TypeError} When the result is not JSON-serialisable.
 */
export function encodeResult(id: JsonRpcId, result: unknown): string {
  const json = serialise(result ?? null, "Result of a JSON-RPC request");
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${json}}\n`;
}

/** Writes an error reply. */
export function encodeError(id: JsonRpcId, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify({ code, message })}}\n`;
}

function call(method: string, params: unknown): string {
  const name = JSON.stringify(method);
  if (params === undefined) return `"method":${name}`;
  return `"method":${name},"params":${serialise(params, `Params of JSON-RPC method ${name}`)}`;
}

function serialise(value: unknown, what: string): string {
  let json: string | undefined;
  let cause: unknown;
  try {
    json = JSON.stringify(value); // undefined for a function or a symbol, whatever the declared type says
  } catch (error) {
    cause = error;
  }
  if (json === undefined) {
    throw new TypeError(`${what} must be JSON-serialisable`, cause === undefined ? undefined : { cause });
  }
  return json;
}
