import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import {
  JsonRpcProtocolError,
  JsonRpcResponseError,
  RequestTimeoutError,
  TransportClosedError,
  TransportLimitError,
} from "./errors.ts";
import { JsonRpcReplyError } from "./reply_error.ts";

const CLASSES = [
  { Class: TransportClosedError, name: "TransportClosedError", make: () => new TransportClosedError("over") },
  {
    Class: TransportLimitError,
    name: "TransportLimitError",
    make: () => new TransportLimitError("message", 8),
  },
  { Class: JsonRpcResponseError, name: "JsonRpcResponseError", make: () => new JsonRpcResponseError({}) },
  { Class: JsonRpcProtocolError, name: "JsonRpcProtocolError", make: () => new JsonRpcProtocolError() },
  { Class: RequestTimeoutError, name: "RequestTimeoutError", make: () => new RequestTimeoutError("m", 5) },
  { Class: JsonRpcReplyError, name: "JsonRpcReplyError", make: () => new JsonRpcReplyError(-32601, "no") },
];

const trap = (): never => {
  throw new Error("trap");
};
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const HOSTILE: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["undefined", undefined],
  ["a string", "TransportClosedError"],
  ["a symbol", Symbol.for("subagent-seam.TransportClosedError")],
  ["a function", () => {}],
  ["an object without prototype", Object.create(null)],
  ["a look-alike", { name: "TransportClosedError", code: "TRANSPORT_CLOSED", message: "over" }],
  ["a plain Error", new Error("over")],
  ["a revoked proxy", revoked.proxy],
  [
    "a proxy with throwing traps",
    new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap }),
  ],
];

describe("error classes", () => {
  for (const { Class, name, make } of CLASSES) {
    it(`${name} is an Error with its name on the prototype`, () => {
      const error = make();
      assert.ok(error instanceof Class && error instanceof Error);
      assert.equal(error.name, name);
      assert.equal(Object.hasOwn(error, "name"), false);
      assert.match(error.stack ?? "", new RegExp(`^${name}`));
    });

    it(`${name}.is() knows its own instances`, () => assert.equal(Class.is(make()), true));

    for (const [what, value] of HOSTILE) {
      it(`${name}.is() is false for ${what}`, () => assert.equal(Class.is(value), false));
    }
  }

  it("is() tells unrelated classes apart", () => {
    for (const { Class, name, make } of CLASSES) {
      const recognisedBy = CLASSES.filter((other) => other.Class.is(make())).map((other) => other.name);
      const expected = name === "TransportLimitError" ? ["TransportClosedError", name] : [name];
      assert.deepEqual(recognisedBy, expected, Class.name);
    }
  });

  it("is() recognises the errors of another copy of the library", async () => {
    const specifier = "./errors.ts?copy";
    const copy = await import(specifier) as typeof import("./errors.ts");
    assert.notEqual(copy.TransportLimitError, TransportLimitError);
    const error = new copy.TransportLimitError("message", 8);
    assert.equal(error instanceof TransportClosedError, false);
    assert.equal(TransportClosedError.is(error), true);
    assert.equal(TransportLimitError.is(error), true);
    assert.equal(JsonRpcResponseError.is(error), false);
  });

  it("codes are stable", () => {
    assert.equal(new TransportClosedError("over").code, "TRANSPORT_CLOSED");
    assert.equal(new TransportLimitError("replies", 1).code, "TRANSPORT_CLOSED");
    assert.equal(new JsonRpcProtocolError().code, "PROTOCOL");
    assert.equal(new RequestTimeoutError("m", 1).code, "REQUEST_TIMEOUT");
  });

  it("TransportClosedError keeps its cause", () => {
    const cause = new Error("EPIPE");
    assert.equal(new TransportClosedError("over", { cause }).cause, cause);
    assert.equal(Object.hasOwn(new TransportClosedError("over"), "cause"), false);
  });
});

describe("error messages", () => {
  for (
    const { error, message } of [
      {
        error: new TransportLimitError("message", 1024),
        message: "A JSON-RPC message exceeds 1024 bytes: raise the limit, or send smaller messages",
      },
      {
        error: new TransportLimitError("replies", 64),
        message: "The JSON-RPC peer keeps sending requests and leaves more than 64 bytes of replies unread",
      },
      {
        error: new RequestTimeoutError("initialize", 250),
        message: 'JSON-RPC request "initialize" was not answered within 250 ms',
      },
      {
        error: new JsonRpcProtocolError(),
        message: "The peer's response has neither or both of result and error, or an error that is no object",
      },
      {
        error: new JsonRpcResponseError({ code: -1, message: "text of the child" }),
        message: "The peer answered with a JSON-RPC error",
      },
    ]
  ) {
    it(`${error.name} says: ${message}`, () => assert.equal(error.message, message));
  }

  it("TransportLimitError names what grew and the limit as fields", () => {
    const error = new TransportLimitError("replies", 64);
    assert.deepEqual([error.what, error.limitBytes], ["replies", 64]);
  });

  it("RequestTimeoutError names method and time as fields", () => {
    const error = new RequestTimeoutError("initialize", 250);
    assert.deepEqual([error.method, error.timeoutMs], ["initialize", 250]);
  });
});

type Printer = (value: unknown) => string;

/** Every way a host is likely to print an error, those of the runtime at hand included. */
function printers(): Map<string, Printer> {
  const found = new Map<string, Printer>([
    ["util.inspect", (value) => inspect(value, { depth: Infinity })],
    ["util.inspect with hidden properties", (value) => inspect(value, { depth: Infinity, showHidden: true })],
    ["JSON.stringify", (value) => JSON.stringify(value)],
    [
      "JSON.stringify of all own properties",
      (value) => JSON.stringify(value, Object.getOwnPropertyNames(value)),
    ],
    ["String", String],
    ["stack", (value) => String((value as Error).stack)],
  ]);
  const { Deno, Bun } = globalThis as { Deno?: { inspect: Printer }; Bun?: { inspect: Printer } };
  if (Deno !== undefined) found.set("Deno.inspect", Deno.inspect);
  if (Bun !== undefined) found.set("Bun.inspect", Bun.inspect);
  return found;
}

describe("JsonRpcResponseError", () => {
  // Assembled at run time: Bun prints the source lines around a throw, and they must not hold the words looked for.
  const text = ["child", "text"].join("-");
  const code = 77_000 + 1234;
  const error = new JsonRpcResponseError({ code, message: text, data: { [text]: [text] } });

  it("gives the host what the peer said", () => {
    assert.equal(error.code, code);
    assert.equal(error.remoteMessage, text);
    assert.deepEqual(error.data, { [text]: [text] });
  });

  it("is undefined where the peer said nothing", () => {
    const silent = new JsonRpcResponseError({});
    assert.deepEqual([silent.code, silent.remoteMessage, silent.data], [undefined, undefined, undefined]);
  });

  for (const [printer, print] of printers()) {
    for (
      const [where, value] of [
        ["itself", error],
        ["the cause of another error", new Error("outer", { cause: error })],
        ["one of several errors", new AggregateError([error], "several")],
      ] as const
    ) {
      it(`${printer} does not find what the peer said in ${where}`, () => {
        const printed = print(value);
        assert.equal(typeof printed, "string");
        assert.equal(printed.includes(text), false, printed);
        assert.equal(printed.includes(String(code)), false, printed);
      });
    }
  }
});
