import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Frame, readFrame } from "./frame.ts";

const encoder = new TextEncoder();
const read = (line: string): Frame => readFrame(encoder.encode(line));

describe("readFrame() takes", () => {
  for (
    const { name, line, frame } of [
      {
        name: "a notification",
        line: '{"jsonrpc":"2.0","method":"session/update","params":{"a":1}}',
        frame: { kind: "notification", method: "session/update", params: { a: 1 } },
      },
      {
        name: "a notification without params",
        line: '{"jsonrpc":"2.0","method":"m"}',
        frame: { kind: "notification", method: "m", params: undefined },
      },
      {
        name: "params of any type",
        line: '{"method":"m","params":7}',
        frame: { kind: "notification", method: "m", params: 7 },
      },
      {
        name: "a call with id null as a notification",
        line: '{"id":null,"method":"m"}',
        frame: { kind: "notification", method: "m", params: undefined },
      },
      {
        name: "an empty method",
        line: '{"method":""}',
        frame: { kind: "notification", method: "", params: undefined },
      },
      {
        name: "a request",
        line: '{"jsonrpc":"2.0","id":0,"method":"m","params":[]}',
        frame: { kind: "request", id: 0, method: "m", params: [] },
      },
      {
        name: "a request with a string id",
        line: '{"id":"0","method":"m"}',
        frame: { kind: "request", id: "0", method: "m", params: undefined },
      },
      {
        name: "a request with an empty id",
        line: '{"id":"","method":"m"}',
        frame: { kind: "request", id: "", method: "m", params: undefined },
      },
      {
        name: "a request with a fractional id",
        line: '{"id":1.5,"method":"m"}',
        frame: { kind: "request", id: 1.5, method: "m", params: undefined },
      },
      {
        name: "a call with a result member as a request",
        line: '{"id":1,"method":"m","result":2}',
        frame: { kind: "request", id: 1, method: "m", params: undefined },
      },
      {
        name: "a missing jsonrpc member",
        line: '{"id":1,"result":2}',
        frame: { kind: "response", id: 1, outcome: { kind: "result", result: 2 } },
      },
      {
        name: "a wrong jsonrpc member",
        line: '{"jsonrpc":"1.0","method":"m"}',
        frame: { kind: "notification", method: "m", params: undefined },
      },
      {
        name: "null as a result",
        line: '{"id":1,"result":null}',
        frame: { kind: "response", id: 1, outcome: { kind: "result", result: null } },
      },
      {
        name: "false as a result",
        line: '{"id":"x","result":false}',
        frame: { kind: "response", id: "x", outcome: { kind: "result", result: false } },
      },
      {
        name: "an error",
        line: '{"id":1,"error":{"code":-32000,"message":"no","data":[1]}}',
        frame: {
          kind: "response",
          id: 1,
          outcome: { kind: "error", error: { code: -32000, message: "no", data: [1] } },
        },
      },
      {
        name: "an error without members",
        line: '{"id":1,"error":{}}',
        frame: {
          kind: "response",
          id: 1,
          outcome: { kind: "error", error: { code: undefined, message: undefined, data: undefined } },
        },
      },
      {
        name: "an error whose code and message have wrong types",
        line: '{"id":1,"error":{"code":"-1","message":{"a":1}}}',
        frame: {
          kind: "response",
          id: 1,
          outcome: { kind: "error", error: { code: undefined, message: undefined, data: undefined } },
        },
      },
      {
        name: "an error whose code is not finite",
        line: '{"id":1,"error":{"code":1e999,"message":"m"}}',
        frame: {
          kind: "response",
          id: 1,
          outcome: { kind: "error", error: { code: undefined, message: "m", data: undefined } },
        },
      },
      {
        name: "a response with neither result nor error as malformed",
        line: '{"id":1}',
        frame: { kind: "response", id: 1, outcome: { kind: "malformed" } },
      },
      {
        name: "a response with both as malformed",
        line: '{"id":1,"result":1,"error":{"code":1,"message":""}}',
        frame: { kind: "response", id: 1, outcome: { kind: "malformed" } },
      },
      {
        name: "a response with a result beside a null error, as JSON-RPC 1.0 wants it",
        line: '{"id":1,"result":1,"error":null}',
        frame: { kind: "response", id: 1, outcome: { kind: "result", result: 1 } },
      },
      {
        name: "a response with an error beside a null result, as JSON-RPC 1.0 wants it",
        line: '{"id":1,"result":null,"error":{"code":1,"message":"m"}}',
        frame: {
          kind: "response",
          id: 1,
          outcome: { kind: "error", error: { code: 1, message: "m", data: undefined } },
        },
      },
      {
        name: "a response with both null as a result of null",
        line: '{"id":1,"result":null,"error":null}',
        frame: { kind: "response", id: 1, outcome: { kind: "result", result: null } },
      },
      {
        name: "a null error as malformed",
        line: '{"id":1,"error":null}',
        frame: { kind: "response", id: 1, outcome: { kind: "malformed" } },
      },
      {
        name: "a string error as malformed",
        line: '{"id":1,"error":"no"}',
        frame: { kind: "response", id: 1, outcome: { kind: "malformed" } },
      },
      {
        name: "an array error as malformed",
        line: '{"id":1,"error":[]}',
        frame: { kind: "response", id: 1, outcome: { kind: "malformed" } },
      },
      {
        name: "white space around",
        line: ' \t{"method":"m"} \r',
        frame: { kind: "notification", method: "m", params: undefined },
      },
      {
        name: "control sequences in front",
        line: '\x1b[?25h{"method":"m"}',
        frame: { kind: "notification", method: "m", params: undefined },
      },
    ] satisfies readonly { name: string; line: string; frame: Frame }[]
  ) {
    it(name, () => assert.deepEqual(read(line), frame));
  }

  it("invalid UTF-8 inside a string, replaced", () => {
    const bytes = Uint8Array.from([...encoder.encode('{"method":"'), 0xff, ...encoder.encode('"}')]);
    assert.deepEqual(readFrame(bytes), { kind: "notification", method: "\ufffd", params: undefined });
  });

  it("the span asked for", () => {
    const bytes = encoder.encode('xx{"method":"m"}yy');
    assert.deepEqual(readFrame(bytes, 2, bytes.length - 2), {
      kind: "notification",
      method: "m",
      params: undefined,
    });
  });
});

describe("readFrame() calls junk", () => {
  for (
    const [name, line] of [
      ["nothing", ""],
      ["log output", "Loading configuration from ~/.profile"],
      ["coloured log output", "\x1b[31mERROR\x1b[0m spawn failed"],
      ["cut JSON", '{"method":"m"'],
      ["two messages on one line", '{"method":"m"}{"method":"m"}'],
      ["a number", "42"],
      ["a string", '"method"'],
      ["null", "null"],
      ["true", "true"],
      ["white space and a number", " 42"],
      ["a batch", '[{"method":"m"}]'],
      ["an empty object", "{}"],
      ["a log record", '{"level":"info","msg":"ready"}'],
      ["a response with id null", '{"id":null,"result":1}'],
      ["an error without id", '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}'],
      ["a response with a boolean id", '{"id":true,"result":1}'],
      ["a response with an object id", '{"id":{},"result":1}'],
      ["a call with a boolean id", '{"id":false,"method":"m"}'],
      ["a call with an array id", '{"id":[1],"method":"m"}'],
      ["a call with an id that is not finite", '{"id":1e999,"method":"m"}'],
      ["a call whose method is no string", '{"id":1,"method":7}'],
      ["a call whose method is null", '{"id":1,"method":null,"result":1}'],
    ] as const
  ) {
    it(name, () => assert.deepEqual(read(line), { kind: "junk" }));
  }

  it("members that are only inherited", () => {
    assert.deepEqual(read('{"__proto__":{"method":"m","id":1}}'), { kind: "junk" });
    assert.deepEqual(read('{"id":1,"__proto__":{"result":1}}'), {
      kind: "response",
      id: 1,
      outcome: { kind: "malformed" },
    });
  });
});

describe("readFrame() with hostile JSON", () => {
  it("pollutes no prototype", () => {
    read('{"method":"m","params":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}');
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  for (const [open, close] of [["[", "]"], ['{"a":', "}"]] as const) {
    it(`survives 200,000 levels of ${open}`, () => {
      const depth = 200_000;
      const line = `{"method":"m","params":${open.repeat(depth)}1${close.repeat(depth)}}`;
      // Engines differ: some parse it, some give up with a RangeError. Neither may throw.
      assert.ok(["notification", "junk"].includes(read(line).kind));
    });
  }
});
