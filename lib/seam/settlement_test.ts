import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  outOfProcessRun,
  type OutOfProcessRunParts,
  type SettlementParts,
  settleRunResult,
} from "./settlement.ts";
import type { SubagentResult } from "./types.ts";

const output = [{ type: "text", text: "partial" }] as const;
const raw = new Error("raw");
const refuse = (): never => {
  throw new Error("broken part");
};

function parts(overrides: Partial<SettlementParts> = {}): SettlementParts {
  return {
    attempt: () => Promise.reject(raw),
    collectOutput: () => output,
    cancelled: () => false,
    onAbort: () => {},
    ...overrides,
  };
}

function fulfilled(result: unknown): Partial<SettlementParts> {
  return { attempt: () => Promise.resolve(result as SubagentResult) };
}

describe("settleRunResult()", () => {
  const cases: readonly (readonly [string, Partial<SettlementParts>, SubagentResult])[] = [
    [
      "gives a completed result",
      fulfilled({ output, stopReason: "completed" }),
      { output, stopReason: "completed" },
    ],
    [
      "takes the diagnostic off a completed result",
      fulfilled({ output, stopReason: "completed", diagnostic: "said too much" }),
      { output, stopReason: "completed" },
    ],
    [
      "keeps structured output",
      fulfilled({ output, stopReason: "completed", structured: { answer: 1 } }),
      { output, stopReason: "completed", structured: { answer: 1 } },
    ],
    [
      "keeps the diagnostic of a result that did not complete",
      fulfilled({ output, stopReason: "refusal", diagnostic: "line" }),
      { output, stopReason: "refusal", diagnostic: "line" },
    ],
    [
      "limits the diagnostic of a result that did not complete",
      fulfilled({ output, stopReason: "max-tokens", diagnostic: "x".repeat(4097) }),
      { output, stopReason: "max-tokens", diagnostic: "x".repeat(4073) + "\n[diagnostic truncated]" },
    ],
    [
      "leaves the key out when the diagnostic is undefined",
      fulfilled({ output, stopReason: "error", diagnostic: undefined }),
      { output, stopReason: "error" },
    ],
    [
      "leaves the key out when the diagnostic is empty",
      fulfilled({ output, stopReason: "error", diagnostic: "" }),
      { output, stopReason: "error" },
    ],
    [
      "leaves the key out when the diagnostic is no string",
      fulfilled({ output, stopReason: "error", diagnostic: { toString: () => "leak" } }),
      { output, stopReason: "error" },
    ],
    [
      "gives an aborted result of the child its diagnostic",
      fulfilled({ output, stopReason: "aborted", diagnostic: "line" }),
      { output, stopReason: "aborted", diagnostic: "line" },
    ],
    [
      "is aborted without diagnostic when cancelled, though the attempt completed",
      {
        ...fulfilled({ output: [], stopReason: "completed", structured: 1, diagnostic: "line" }),
        cancelled: () => true,
      },
      { output, stopReason: "aborted" },
    ],
    [
      "is aborted without diagnostic when cancelled, though the attempt was rejected",
      { cancelled: () => true, collectDiagnostic: () => "line" },
      { output, stopReason: "aborted" },
    ],
    [
      "is an error with the diagnostic and the output so far when the attempt was rejected",
      { collectDiagnostic: () => "line" },
      { output, diagnostic: "line", stopReason: "error" },
    ],
    [
      "limits the diagnostic of a rejected attempt",
      { collectDiagnostic: () => "é".repeat(2049) },
      { output, diagnostic: "é".repeat(2036) + "\n[diagnostic truncated]", stopReason: "error" },
    ],
    [
      "leaves the key out when a rejected attempt has no diagnostic",
      { collectDiagnostic: () => undefined },
      { output, stopReason: "error" },
    ],
    ["leaves the key out when nobody collects diagnostics", {}, { output, stopReason: "error" }],
    ["takes a synchronous throw of the attempt for a rejection", { attempt: refuse }, {
      output,
      stopReason: "error",
    }],
    ["takes a result that is none for a rejection", fulfilled(undefined), { output, stopReason: "error" }],
    ["does without output that cannot be collected", { collectOutput: refuse }, {
      output: [],
      stopReason: "error",
    }],
    [
      "does without output that cannot be collected when cancelled",
      { collectOutput: refuse, cancelled: () => true },
      { output: [], stopReason: "aborted" },
    ],
    ["does without a diagnostic that cannot be collected", { collectDiagnostic: refuse }, {
      output,
      stopReason: "error",
    }],
    ["is not cancelled when nobody can tell", { cancelled: refuse }, { output, stopReason: "error" }],
    ["drops what onError throws", { onError: refuse, collectDiagnostic: () => "line" }, {
      output,
      diagnostic: "line",
      stopReason: "error",
    }],
    [
      "settles though the signal will not let go of its listener",
      { signal: { removeEventListener: refuse } as unknown as AbortSignal },
      { output, stopReason: "error" },
    ],
  ];
  for (const [name, overrides, expected] of cases) {
    it(name, async () => {
      const result = await settleRunResult(parts(overrides));
      assert.deepEqual(result, expected);
      assert.equal(Object.hasOwn(result, "diagnostic"), expected.diagnostic !== undefined);
    });
  }

  it("asks for cancellation and output at settlement, not before", async () => {
    let cancelled = false;
    const collected = [{ type: "text", text: "early" }];
    let finish: (result: SubagentResult) => void = refuse;
    const settled = settleRunResult(parts({
      attempt: () => new Promise((resolve) => finish = resolve),
      cancelled: () => cancelled,
      collectOutput: () => [...collected],
    }));
    cancelled = true;
    collected.push({ type: "text", text: "late" });
    finish({ output: [], stopReason: "completed" });
    assert.deepEqual(await settled, { output: collected, stopReason: "aborted" });
  });

  it("hands the raw error to onError", async () => {
    const heard: unknown[] = [];
    await settleRunResult(parts({ onError: (error, stopReason) => heard.push(error, stopReason) }));
    assert.deepEqual(heard, [raw, "error"]);
  });

  for (
    const [name, value] of [
      ["a string", "raw"],
      ["undefined", undefined],
      ["a proxy that does not say what it is", new Proxy({}, { getPrototypeOf: refuse })],
    ] as const
  ) {
    it(`hands onError an error whose cause is the value when that is ${name}`, async () => {
      const heard: Error[] = [];
      await settleRunResult(
        parts({ attempt: () => Promise.reject(value), onError: (error) => void heard.push(error) }),
      );
      assert.equal(heard.length, 1);
      assert.equal(heard[0]?.message, "The run failed with a value that is not an error");
      assert.equal(heard[0]?.cause, value);
    });
  }

  it("keeps errors of a cancelled attempt to itself", async () => {
    const heard: unknown[] = [];
    await settleRunResult(parts({ cancelled: () => true, onError: (error) => heard.push(error) }));
    assert.deepEqual(heard, []);
  });

  it("drops what the promise of onError rejects with", async () => {
    await settleRunResult(
      parts({ onError: () => Promise.reject(new Error("log is full")) as unknown as void }),
    );
    // An unhandled rejection would fail this test in every runtime.
    await new Promise((resolve) => setTimeout(resolve, 0));
  });

  for (const overrides of [{}, fulfilled({ output, stopReason: "completed" }), { cancelled: () => true }]) {
    it(`takes the listener off the signal (${Object.keys(overrides).join() || "rejected"})`, async () => {
      const controller = new AbortController();
      let aborts = 0;
      const onAbort = () => void aborts++;
      controller.signal.addEventListener("abort", onAbort);
      await settleRunResult(parts({ ...overrides, signal: controller.signal, onAbort }));
      controller.abort();
      assert.equal(aborts, 0);
    });
  }
});

describe("outOfProcessRun()", () => {
  const result = Promise.resolve({ output, stopReason: "completed" });

  function run(steps: string[], overrides: Partial<OutOfProcessRunParts> = {}) {
    return outOfProcessRun({
      id: "run-1",
      result,
      onAbort: () => {},
      requestCancel: () => void steps.push("cancel"),
      teardown: () => {
        steps.push("teardown");
        return Promise.resolve();
      },
      ...overrides,
    });
  }

  it("is a frozen handle without a local agent", () => {
    const handle = run([]);
    assert.equal(handle.id, "run-1");
    assert.equal(handle.result, result);
    assert.equal(handle.localAgent, undefined);
    assert.ok("localAgent" in handle);
    assert.ok(Object.isFrozen(handle));
  });

  it("takes the listener off, cancels and tears down within the first dispose()", async () => {
    const steps: string[] = [];
    const signal = {
      removeEventListener: (type: string) => steps.push(`remove ${type}`),
    } as unknown as AbortSignal;
    const handle = run(steps, { signal });
    const disposal = handle.dispose();
    assert.deepEqual(steps, ["remove abort", "cancel", "teardown"]);
    assert.equal(handle.dispose(), disposal);
    assert.equal(handle[Symbol.asyncDispose](), disposal);
    await disposal;
    assert.deepEqual(steps, ["remove abort", "cancel", "teardown"]);
  });

  it("works with await using", async () => {
    const steps: string[] = [];
    {
      await using handle = run(steps);
      assert.equal(handle.id, "run-1");
      assert.deepEqual(steps, []);
    }
    assert.deepEqual(steps, ["cancel", "teardown"]);
  });

  it("waits for the teardown and passes its failure on to every caller", async () => {
    const failure = new Error("left something behind");
    let fail: (error: Error) => void = refuse;
    const handle = run([], { teardown: () => new Promise((_, reject) => fail = reject) });
    const disposal = handle.dispose();
    const outcome = assert.rejects(disposal, failure);
    fail(failure);
    await outcome;
    await assert.rejects(handle.dispose(), failure);
  });

  for (
    const [name, overrides] of [
      ["cancelling throws", { requestCancel: refuse }],
      ["the signal will not let go", { signal: { removeEventListener: refuse } as unknown as AbortSignal }],
    ] as const
  ) {
    it(`tears down though ${name}, and says so`, async () => {
      const steps: string[] = [];
      await assert.rejects(run(steps, overrides).dispose(), { message: "broken part" });
      assert.ok(steps.includes("teardown"));
    });
  }
});
