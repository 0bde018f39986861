import assert from "node:assert/strict";
import { it } from "node:test";
import {
  JSON_RPC_INTERNAL_ERROR,
  JSON_RPC_INVALID_PARAMS,
  JSON_RPC_INVALID_REQUEST,
  JSON_RPC_METHOD_NOT_FOUND,
  JSON_RPC_PARSE_ERROR,
  JSON_RPC_REQUEST_CANCELLED,
  JsonRpcReplyError,
} from "./reply_error.ts";

it("error codes have the values of the specifications", () => {
  assert.deepEqual(
    {
      JSON_RPC_PARSE_ERROR,
      JSON_RPC_INVALID_REQUEST,
      JSON_RPC_METHOD_NOT_FOUND,
      JSON_RPC_INVALID_PARAMS,
      JSON_RPC_INTERNAL_ERROR,
      JSON_RPC_REQUEST_CANCELLED,
    },
    {
      JSON_RPC_PARSE_ERROR: -32700,
      JSON_RPC_INVALID_REQUEST: -32600,
      JSON_RPC_METHOD_NOT_FOUND: -32601,
      JSON_RPC_INVALID_PARAMS: -32602,
      JSON_RPC_INTERNAL_ERROR: -32603,
      JSON_RPC_REQUEST_CANCELLED: -32800,
    },
  );
});

it("JsonRpcReplyError carries code and message", () => {
  const error = new JsonRpcReplyError(-32601, "Method not found");
  assert.deepEqual([error.code, error.message], [-32601, "Method not found"]);
});

for (const code of [NaN, Infinity, 1.5]) {
  it(`JsonRpcReplyError refuses code ${code}`, () => {
    assert.throws(() => new JsonRpcReplyError(code, "x"), {
      name: "RangeError",
      message: `JSON-RPC error code must be an integer, got ${code}`,
    });
  });
}
