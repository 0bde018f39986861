import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encodeError, encodeNotification, encodeRequest, encodeResult } from "./encode.ts";

const circular: Record<string, unknown> = {};
circular["self"] = circular;

describe("encode", () => {
  for (
    const { name, line, expected } of [
      {
        name: "a request has jsonrpc, id, method, params",
        line: encodeRequest(0, "initialize", { protocolVersion: 1, clientCapabilities: {} }),
        expected:
          '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}\n',
      },
      {
        name: "a request without params has no params member",
        line: encodeRequest("a\n", "m", undefined),
        expected: '{"jsonrpc":"2.0","id":"a\\n","method":"m"}\n',
      },
      {
        name: "a notification has no id",
        line: encodeNotification("session/cancel", { sessionId: "s1" }),
        expected: '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}\n',
      },
      {
        name: "a notification without params has no params member",
        line: encodeNotification("exit", undefined),
        expected: '{"jsonrpc":"2.0","method":"exit"}\n',
      },
      {
        name: "null params stay",
        line: encodeNotification("m", null),
        expected: '{"jsonrpc":"2.0","method":"m","params":null}\n',
      },
      {
        name: "a result",
        line: encodeResult(0, { a: 1 }),
        expected: '{"jsonrpc":"2.0","id":0,"result":{"a":1}}\n',
      },
      {
        name: "a null result",
        line: encodeResult("x", null),
        expected: '{"jsonrpc":"2.0","id":"x","result":null}\n',
      },
      {
        name: "an undefined result is null",
        line: encodeResult(1, undefined),
        expected: '{"jsonrpc":"2.0","id":1,"result":null}\n',
      },
      {
        name: "a falsy result stays",
        line: encodeResult(1, false),
        expected: '{"jsonrpc":"2.0","id":1,"result":false}\n',
      },
      {
        name: "a fractional id stays",
        line: encodeResult(1.5, 0),
        expected: '{"jsonrpc":"2.0","id":1.5,"result":0}\n',
      },
      {
        name: "an error reply has code and message only",
        line: encodeError(7, -32601, "Method not found"),
        expected: '{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found"}}\n',
      },
      {
        name: "line ends and lone surrogates inside strings are escaped",
        line: encodeNotification("m", { text: "a\r\n\ud800" }),
        expected: '{"jsonrpc":"2.0","method":"m","params":{"text":"a\\r\\n\\ud800"}}\n',
      },
    ]
  ) {
    it(name, () => assert.equal(line, expected));
  }

  for (
    const [what, value] of [
      ["a cycle", circular],
      ["a bigint", { n: 1n }],
      ["a function", () => {}],
      ["a symbol", Symbol("s")],
    ] as const
  ) {
    it(`params that are ${what} are refused`, () => {
      assert.throws(() => encodeRequest(0, "m", value), {
        name: "TypeError",
        message: 'Params of JSON-RPC method "m" must be JSON-serialisable',
      });
    });

    it(`a result that is ${what} is refused`, () => {
      assert.throws(() => encodeResult(0, value), {
        name: "TypeError",
        message: "Result of a JSON-RPC request must be JSON-serialisable",
      });
    });
  }

  it("the refusal keeps what toJSON threw as its cause", () => {
    const cause = new Error("from toJSON");
    const params = {
      toJSON(): never {
        throw cause;
      },
    };
    assert.throws(
      () => encodeNotification("m", params),
      (error) => error instanceof TypeError && error.cause === cause,
    );
  });
});
