import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FailureFacts } from "../diagnostics/failure_facts.ts";
import { startFailure, SubagentAbortedError, SubagentError, SubagentFailure } from "./errors.ts";

const transport = { provider: "ACP", stage: "initialize", category: "transport" } as const;
const teardown = { provider: "ACP", stage: "teardown", category: "unknown" } as const;
const transportLine = "Subagent failure (provider: ACP; stage: initialize; category: transport)";
const teardownLine = "Subagent failure (provider: ACP; stage: teardown; category: unknown)";

const classes = [
  {
    name: "SubagentError",
    type: SubagentError,
    make: (options?: ErrorOptions) => new SubagentError("NO_PROVIDER", "no", options),
  },
  {
    name: "SubagentFailure",
    type: SubagentFailure,
    make: (options?: ErrorOptions) => new SubagentFailure(transport, options),
  },
  {
    name: "SubagentAbortedError",
    type: SubagentAbortedError,
    make: (options?: ErrorOptions) => new SubagentAbortedError("ACP", options),
  },
];

for (const { name, type, make } of classes) {
  describe(name, () => {
    it("is an error of that name, which stands on the prototype", () => {
      const error = make();
      assert.ok(error instanceof Error);
      assert.ok(error instanceof type);
      assert.equal(error.name, name);
      assert.equal(Object.hasOwn(error, "name"), false);
      assert.equal(String(error), `${name}: ${error.message}`);
      assert.ok(!Object.keys(type.prototype).includes("name"));
    });

    it("keeps its cause out of enumeration and JSON", () => {
      const cause = new Error("leak");
      const error = make({ cause });
      assert.equal(error.cause, cause);
      assert.ok(!Object.keys(error).includes("cause"));
      assert.ok(!JSON.stringify(error).includes("leak"));
    });

    it("has no cause of its own when none is given", () =>
      assert.equal(Object.hasOwn(make(), "cause"), false));

    it("is() knows its own kind", () => assert.equal(type.is(make()), true));

    it("is() knows the class of another copy of the package", () => {
      class OtherCopy extends Error {}
      Object.defineProperty(OtherCopy.prototype, Symbol.for(`@subagent/seam.${name}`), { value: true });
      assert.equal(type.is(new OtherCopy("x")), true);
      assert.ok(!(new OtherCopy("x") instanceof type));
    });

    const refuse = (): never => {
      throw new Error("leak");
    };
    const strangers: readonly (readonly [string, unknown])[] = [
      ["null", null],
      ["undefined", undefined],
      ["a string", name],
      ["a function", () => {}],
      ["a plain error", new Error(name)],
      ["an error with the name alone", Object.assign(new Error("x"), { name })],
      ["a brand that is not true", { [Symbol.for(`@subagent/seam.${name}`)]: 1 }],
      ["a proxy whose traps all throw", new Proxy({}, new Proxy({}, { get: refuse }))],
      ...classes.filter((other) => other.name !== name).map((other) =>
        [`a ${other.name}`, other.make()] as const
      ),
    ];
    for (const [what, value] of strangers) {
      it(`is() refuses ${what}`, () => assert.equal(type.is(value), false));
    }
  });
}

describe("SubagentError", () => {
  it("carries its code and message", () => {
    const error = new SubagentError("UNSUPPORTED_CAPABILITY", "no such thing");
    assert.equal(error.code, "UNSUPPORTED_CAPABILITY");
    assert.equal(error.message, "no such thing");
  });
});

describe("SubagentFailure", () => {
  it("has the fixed line for a message and a stable code", () => {
    const error = new SubagentFailure({ ...transport, category: "process-exit", exitCode: 11 });
    assert.equal(
      error.message,
      "Subagent failure (provider: ACP; stage: initialize; category: process-exit; exit code: 11)",
    );
    assert.equal(error.code, "SUBAGENT_FAILURE");
    assert.deepEqual(error.facts, { ...transport, category: "process-exit", exitCode: 11 });
  });

  it("freezes its facts and reads the given ones once", () => {
    let reads = 0;
    const facts = {
      provider: "ACP",
      stage: "prompt",
      get category() {
        return ++reads === 1 ? "transport" : "leak";
      },
    };
    const error = new SubagentFailure(facts as FailureFacts);
    assert.equal(error.message, "Subagent failure (provider: ACP; stage: prompt; category: transport)");
    assert.deepEqual(error.facts, { provider: "ACP", stage: "prompt", category: "transport" });
    assert.ok(Object.isFrozen(error.facts));
    assert.equal(reads, 1);
  });

  it("takes no other text from facts", () => {
    const error = new SubagentFailure(
      { provider: "a;b", stage: "leak", category: "leak" } as unknown as FailureFacts,
    );
    assert.equal(error.message, "Subagent failure (provider: unknown; stage: unknown; category: unknown)");
  });
});

describe("SubagentAbortedError", () => {
  for (
    const [child, message] of [
      ["ACP", "subagent request was aborted before the ACP child started"],
      ["DSH SDK", "subagent request was aborted before the SDK child started"],
      ["in-process", "subagent request was aborted before child publication"],
    ] as const
  ) {
    it(`has the fixed text of ${child}`, () => {
      const error = new SubagentAbortedError(child);
      assert.equal(error.message, message);
      assert.equal(error.code, "ABORTED");
      assert.equal(error.child, child);
    });
  }
});

describe("startFailure()", () => {
  const failure = new SubagentFailure(transport);
  const cleanup = new SubagentFailure(teardown);
  const aborted = new SubagentAbortedError("ACP");

  it("gives a failure with a clean clean-up as it is", () => assert.equal(startFailure(failure), failure));

  it("gives a cancellation with a clean clean-up as it is", () =>
    assert.equal(startFailure(aborted), aborted));

  it("puts a failure before that of its clean-up", () => {
    const error = startFailure(failure, cleanup);
    assert.ok(error instanceof AggregateError);
    assert.equal(error.message, `${transportLine}; ${teardownLine}`);
    assert.deepEqual(error.errors, [failure, cleanup]);
  });

  it("gives the clean-up failure of a cancelled start alone", () => {
    const error = startFailure(aborted, cleanup);
    assert.ok(error instanceof AggregateError);
    assert.equal(error.message, teardownLine);
    assert.deepEqual(error.errors, [cleanup]);
    assert.equal(error.cause, aborted);
  });
});
