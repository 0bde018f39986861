import assert from "node:assert/strict";
import { inspect } from "node:util";
import { describe, it } from "node:test";
import fc from "fast-check";
import { startFailure, SubagentAbortedError, SubagentError, SubagentFailure } from "./errors.ts";
import { OutputSchemaError } from "../schema/errors.ts";
import { SubagentDepthError } from "./depth_error.ts";
import { isPresentable, presentableError } from "./presentable_error.ts";

const canary = "canary-5b1f";
const cause = new Error(canary);
const transport = { provider: "ACP", stage: "initialize", category: "transport" } as const;
const teardown = { provider: "ACP", stage: "teardown", category: "unknown" } as const;
const transportLine = "Subagent failure (provider: ACP; stage: initialize; category: transport)";
const teardownLine = "Subagent failure (provider: ACP; stage: teardown; category: unknown)";
const fixedLine = "Subagent failure (provider: mine; stage: start; category: unknown)";

const refuse = (): never => {
  throw new Error(canary);
};
const failure = () => new SubagentFailure(transport, { cause });

/** An error of ours that somebody changed afterwards. */
function changed<T extends Error>(error: T, fields: object): T {
  return Object.defineProperties(error, Object.getOwnPropertyDescriptors(fields));
}

const kept: readonly (readonly [string, unknown, string, string])[] = [
  [
    "an OutputSchemaError whose message was changed",
    changed(new OutputSchemaError(["schema is circular", "schema.title must be a string"]), {
      message: canary,
    }),
    "OutputSchemaError",
    "unsupported JSON schema: schema is circular; schema.title must be a string",
  ],
  [
    "an OutputSchemaError with more violations than a person reads",
    new OutputSchemaError(Array.from({ length: 100 }, () => "v")),
    "OutputSchemaError",
    `unsupported JSON schema: ${Array.from({ length: 32 }, () => "v").join("; ")}`,
  ],
  [
    "a SubagentDepthError whose message was changed",
    changed(new SubagentDepthError(3, 2, { cause }), { message: canary }),
    "SubagentDepthError",
    "subagent depth 3 exceeds maxDepth 2",
  ],
  ["a SubagentFailure", failure(), "SubagentFailure", transportLine],
  [
    "a SubagentFailure whose message was changed",
    changed(failure(), { message: canary }),
    "SubagentFailure",
    transportLine,
  ],
  [
    "a SubagentFailure with more fields",
    changed(failure(), { stderr: canary }),
    "SubagentFailure",
    transportLine,
  ],
  [
    "a SubagentFailure whose facts were replaced",
    changed(failure(), { facts: { provider: "ACP", stage: canary, category: canary } }),
    "SubagentFailure",
    "Subagent failure (provider: ACP; stage: unknown; category: unknown)",
  ],
  [
    "a SubagentFailure whose facts cannot be read",
    changed(failure(), {
      get facts() {
        return refuse();
      },
    }),
    "SubagentFailure",
    "Subagent failure (provider: unknown; stage: unknown; category: unknown)",
  ],
  [
    "a SubagentAbortedError whose message was changed",
    changed(new SubagentAbortedError("DSH SDK", { cause }), { message: canary }),
    "SubagentAbortedError",
    "subagent request was aborted before the SDK child started",
  ],
  [
    "a SubagentAbortedError whose child was changed",
    changed(new SubagentAbortedError("ACP"), { child: canary }),
    "SubagentAbortedError",
    "subagent request was aborted before child publication",
  ],
  [
    "a SubagentError",
    new SubagentError("NO_PROVIDER", 'no subagent provider registered for "x"', { cause }),
    "SubagentError",
    'no subagent provider registered for "x"',
  ],
  [
    "an aggregate of SubagentFailures whose message was changed",
    changed(startFailure(failure(), new SubagentFailure(teardown, { cause })), { message: canary }),
    "AggregateError",
    `${transportLine}; ${teardownLine}`,
  ],
  [
    "a cancelled start that was not cleaned up",
    startFailure(new SubagentAbortedError("ACP", { cause }), new SubagentFailure(teardown, { cause })),
    "AggregateError",
    teardownLine,
  ],
];

const hidden: readonly (readonly [string, unknown])[] = [
  ["an Error", new Error(canary)],
  ["a TypeError", new TypeError(canary)],
  [
    "an error that calls itself SubagentFailure",
    changed(new Error(canary), { name: "SubagentFailure", facts: transport }),
  ],
  ["a string", canary],
  ["null", null],
  ["undefined", undefined],
  ["an object that throws when it is shown", {
    toString: refuse,
    get message() {
      return refuse();
    },
  }],
  ["a proxy whose traps all throw", new Proxy({}, new Proxy({}, { get: refuse }))],
  ["an empty aggregate", new AggregateError([], canary)],
  ["an aggregate with a stranger", new AggregateError([failure(), new Error(canary)], canary)],
  ["an aggregate of 17", new AggregateError(new Array(17).fill(failure()), canary)],
  [
    "an aggregate whose errors are no array",
    changed(new AggregateError([]), { errors: { length: 1, 0: failure() } }),
  ],
  [
    "an aggregate whose errors cannot be read",
    changed(new AggregateError([]), {
      get errors() {
        return refuse();
      },
    }),
  ],
  ["an error that only looks like an aggregate", changed(new Error(canary), { errors: [failure()] })],
  [
    "a proxy that does not say what it is",
    new Proxy(new AggregateError([failure()]), { getPrototypeOf: refuse, get: () => undefined }),
  ],
  [
    "a SubagentDepthError whose depth is a text",
    changed(new SubagentDepthError(3, 2), { attemptedDepth: canary }),
  ],
  [
    "a SubagentDepthError whose cap cannot be read",
    changed(new SubagentDepthError(3, 2), {
      get maxDepth() {
        return refuse();
      },
    }),
  ],
  ["a SubagentError of an unknown code", changed(new SubagentError("NO_PROVIDER", canary), { code: canary })],
  [
    "a SubagentError whose message is no string",
    changed(new SubagentError("NO_PROVIDER", ""), { message: { toString: () => canary } }),
  ],
  [
    "a SubagentError whose message cannot be read",
    changed(new SubagentError("NO_PROVIDER", ""), {
      get message() {
        return refuse();
      },
    }),
  ],
];

describe("presentableError()", () => {
  for (const [name, error, className, message] of kept) {
    it(`keeps the meaning of ${name}`, () => {
      const shown = presentableError(error, "mine", "start");
      assert.equal(shown.name, className);
      assert.equal(shown.message, message);
      assert.notEqual(shown, error);
    });
  }

  for (const [name, error] of hidden) {
    it(`hides ${name}`, () => {
      const shown = presentableError(error, "mine", "start");
      assert.ok(shown instanceof SubagentFailure);
      assert.equal(shown.message, fixedLine);
    });
  }

  for (const [name, error] of [...kept, ...hidden]) {
    it(`shows nothing of the raw failure anywhere in ${name}`, () => {
      const shown = presentableError(error, "mine", "start");
      const everything = inspect(shown, { depth: Infinity, showHidden: true, getters: true });
      // The stack names this test's own files; the canary stands in messages, causes and fields.
      assert.ok(!everything.includes(canary), everything);
      assert.equal(shown.cause, undefined);
    });
  }

  it("names the stage and the provider", () => {
    assert.equal(
      presentableError("x", "my provider", "result").message,
      "Subagent failure (provider: my provider; stage: result; category: unknown)",
    );
    assert.equal(
      presentableError("x", "ACP", "dispose").message,
      "Subagent failure (provider: ACP; stage: dispose; category: unknown)",
    );
  });

  it("names no provider whose name is none", () =>
    assert.equal(
      presentableError("x", `x; ${canary}`, "start").message,
      "Subagent failure (provider: unknown; stage: start; category: unknown)",
    ));

  it("limits the message of a SubagentError", () => {
    const shown = presentableError(new SubagentError("INVALID_REQUEST", "x".repeat(5000)), "mine", "start");
    assert.equal(shown.message, "x".repeat(4073) + "\n[diagnostic truncated]");
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.anything({ withNullPrototype: true, withObjectString: true }), (value) => {
      assert.equal(presentableError(value, "mine", "start").message, fixedLine);
    }));
  });
});

describe("isPresentable()", () => {
  for (const [name, error] of kept) {
    it(`says yes to ${name}`, () => assert.equal(isPresentable(error), true));
  }
  for (const [name, error] of hidden) {
    it(`says no to ${name}`, () => assert.equal(isPresentable(error), false));
  }
});
