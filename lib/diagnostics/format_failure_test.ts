import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { checkedFacts, type FailureFacts } from "./failure_facts.ts";
import { formatFailure, formatFailures } from "./format_failure.ts";

const acp = "Subagent failure (provider: ACP; ";
const sdk = "Subagent failure (provider: DSH SDK; ";
const nothing = "Subagent failure (provider: unknown; stage: unknown; category: unknown)";

/** Every line a provider writes, whole. */
const lines: readonly (readonly [FailureFacts, string])[] = [
  [
    { provider: "ACP", stage: "prompt", category: "remote-limit", stopReason: "max_turn_requests" },
    "Subagent failure (provider: ACP; stage: prompt; category: remote-limit; stop reason: max_turn_requests)",
  ],
  [
    { provider: "ACP", stage: "prompt", category: "unknown", stopReason: "unknown" },
    "Subagent failure (provider: ACP; stage: prompt; category: unknown; stop reason: unknown)",
  ],
  [
    { provider: "ACP", stage: "prompt", category: "transport" },
    "Subagent failure (provider: ACP; stage: prompt; category: transport)",
  ],
  [
    { provider: "ACP", stage: "process", category: "process-exit", exitCode: 3, signal: null },
    "Subagent failure (provider: ACP; stage: process; category: process-exit; exit code: 3)",
  ],
  [
    { provider: "ACP", stage: "process", category: "process-exit", exitCode: null, signal: "SIGKILL" },
    "Subagent failure (provider: ACP; stage: process; category: process-exit; signal: SIGKILL)",
  ],
  [
    { provider: "ACP", stage: "initialize", category: "configuration" },
    "Subagent failure (provider: ACP; stage: initialize; category: configuration)",
  ],
  [
    { provider: "ACP", stage: "process", category: "process-start" },
    "Subagent failure (provider: ACP; stage: process; category: process-start)",
  ],
  [
    { provider: "ACP", stage: "initialize", category: "transport" },
    "Subagent failure (provider: ACP; stage: initialize; category: transport)",
  ],
  [
    { provider: "ACP", stage: "initialize", category: "process-exit", exitCode: 11 },
    "Subagent failure (provider: ACP; stage: initialize; category: process-exit; exit code: 11)",
  ],
  [
    { provider: "ACP", stage: "new-session", category: "transport" },
    "Subagent failure (provider: ACP; stage: new-session; category: transport)",
  ],
  [
    { provider: "ACP", stage: "new-session", category: "process-exit", exitCode: 0 },
    "Subagent failure (provider: ACP; stage: new-session; category: process-exit; exit code: 0)",
  ],
  [
    { provider: "ACP", stage: "new-session", category: "protocol" },
    "Subagent failure (provider: ACP; stage: new-session; category: protocol)",
  ],
  [
    { provider: "ACP", stage: "teardown", category: "unknown" },
    "Subagent failure (provider: ACP; stage: teardown; category: unknown)",
  ],
  [
    { provider: "ACP", stage: "teardown", category: "process-exit", signal: "SIGTERM" },
    "Subagent failure (provider: ACP; stage: teardown; category: process-exit; signal: SIGTERM)",
  ],
  [
    {
      provider: "ACP",
      stage: "process",
      category: "process-exit",
      stopReason: "max_turn_requests",
      exitCode: 1,
      signal: "SIGSEGV",
    },
    "Subagent failure (provider: ACP; stage: process; category: process-exit; " +
    "stop reason: max_turn_requests; exit code: 1; signal: SIGSEGV)",
  ],
  [
    { provider: "DSH SDK", stage: "session-run", category: "child-disposed" },
    "Subagent failure (provider: DSH SDK; stage: session-run; category: child-disposed)",
  ],
  [
    { provider: "DSH SDK", stage: "session-run", category: "child-error" },
    "Subagent failure (provider: DSH SDK; stage: session-run; category: child-error)",
  ],
  [
    { provider: "DSH SDK", stage: "session-run", category: "missing-terminal" },
    "Subagent failure (provider: DSH SDK; stage: session-run; category: missing-terminal)",
  ],
  [
    { provider: "DSH SDK", stage: "session-run", category: "child-unknown" },
    "Subagent failure (provider: DSH SDK; stage: session-run; category: child-unknown)",
  ],
  [
    { provider: "DSH SDK", stage: "initialize", category: "configuration" },
    "Subagent failure (provider: DSH SDK; stage: initialize; category: configuration)",
  ],
  [
    { provider: "DSH SDK", stage: "shutdown", category: "unknown" },
    "Subagent failure (provider: DSH SDK; stage: shutdown; category: unknown)",
  ],
  [
    { provider: "my-provider", stage: "start", category: "unknown" },
    "Subagent failure (provider: my-provider; stage: start; category: unknown)",
  ],
  [
    { provider: "my-provider", stage: "result", category: "unknown" },
    "Subagent failure (provider: my-provider; stage: result; category: unknown)",
  ],
  [
    { provider: "ACP", stage: "dispose", category: "unknown" },
    "Subagent failure (provider: ACP; stage: dispose; category: unknown)",
  ],
];

const stranger = { toString: () => "leak", valueOf: () => 7, [Symbol.toPrimitive]: () => "leak" };
const refuse = (): never => {
  throw new Error("leak");
};
const good = { provider: "ACP", stage: "prompt", category: "transport" };
const goodLine = `${acp}stage: prompt; category: transport)`;

/** What JavaScript callers, or a hostile child's data, might pass. */
const hostile: readonly (readonly [string, unknown, string])[] = [
  ["null", null, nothing],
  ["undefined", undefined, nothing],
  ["a string", "rm -rf /", nothing],
  ["a number", 7, nothing],
  ["a symbol", Symbol("leak"), nothing],
  ["a bigint", 7n, nothing],
  ["a function", () => "leak", nothing],
  ["an array", ["ACP", "prompt", "transport"], nothing],
  ["an empty object", {}, nothing],
  ["a provider name with a line break", { ...good, provider: "ACP\nleak" }, nothing],
  ["a provider name with a closing bracket", { ...good, provider: "ACP)" }, nothing],
  ["a provider name of 65 characters", { ...good, provider: "x".repeat(65) }, nothing],
  ["a String object as provider", { ...good, provider: new String("ACP") }, nothing],
  ["another provider with a stage of ACP", { ...good, provider: "mine" }, nothing.replace("unknown", "mine")],
  ["an unknown stage", { ...good, stage: "leak" }, `${acp}stage: unknown; category: transport)`],
  ["a stage of the SDK", { ...good, stage: "session-run" }, `${acp}stage: unknown; category: transport)`],
  ["a stage that converts", { ...good, stage: stranger }, `${acp}stage: unknown; category: transport)`],
  ["a missing category", { provider: "ACP", stage: "prompt" }, `${acp}stage: prompt; category: unknown)`],
  ["a category of the SDK", { ...good, category: "child-error" }, `${acp}stage: prompt; category: unknown)`],
  [
    "a category named like a method",
    { ...good, category: "toString" },
    `${acp}stage: prompt; category: unknown)`,
  ],
  ["the category __proto__", { ...good, category: "__proto__" }, `${acp}stage: prompt; category: unknown)`],
  [
    "an unknown stop reason",
    { ...good, stopReason: "leak" },
    goodLine.replace(")", "; stop reason: unknown)"),
  ],
  ["a null stop reason", { ...good, stopReason: null }, goodLine.replace(")", "; stop reason: unknown)")],
  ["an undefined stop reason", { ...good, stopReason: undefined }, goodLine],
  ["a fractional exit code", { ...good, exitCode: 1.5 }, goodLine],
  ["an exit code that is not a number", { ...good, exitCode: NaN }, goodLine],
  ["an infinite exit code", { ...good, exitCode: Infinity }, goodLine],
  ["an unsafe exit code", { ...good, exitCode: 2 ** 53 }, goodLine],
  ["a bigint exit code", { ...good, exitCode: 1n }, goodLine],
  ["a string exit code", { ...good, exitCode: "1" }, goodLine],
  ["a Number object as exit code", { ...good, exitCode: new Number(1) }, goodLine],
  ["a negative zero exit code", { ...good, exitCode: -0 }, goodLine.replace(")", "; exit code: 0)")],
  ["a negative exit code", { ...good, exitCode: -1 }, goodLine.replace(")", "; exit code: -1)")],
  ["an unknown signal", { ...good, signal: "SIGLEAK" }, goodLine],
  ["a numeric signal", { ...good, signal: 9 }, goodLine],
  ["a signal that converts", { ...good, signal: stranger }, goodLine],
  ["extra fields", { ...good, message: "leak", path: "/home/leak" }, goodLine],
  [
    "facts of ACP on the SDK",
    {
      provider: "DSH SDK",
      stage: "shutdown",
      category: "unknown",
      stopReason: "max_turn_requests",
      exitCode: 1,
      signal: "SIGKILL",
    },
    `${sdk}stage: shutdown; category: unknown)`,
  ],
  [
    "facts of ACP on a stage of the seam",
    { ...good, stage: "result", exitCode: 1 },
    `${acp}stage: result; category: unknown)`,
  ],
  [
    "facts of ACP on another provider",
    { provider: "mine", stage: "start", category: "transport", exitCode: 1, signal: "SIGKILL" },
    "Subagent failure (provider: mine; stage: start; category: unknown)",
  ],
  ["inherited facts", Object.create(good), nothing],
  [
    "getters that throw",
    Object.defineProperties(
      {},
      Object.fromEntries(
        ["provider", "stage", "category", "stopReason", "exitCode", "signal"].map((
          key,
        ) => [key, { get: refuse }]),
      ),
    ),
    nothing,
  ],
  [
    "a stop reason that cannot be read",
    Object.defineProperty({ ...good }, "stopReason", { get: refuse }),
    goodLine.replace(")", "; stop reason: unknown)"),
  ],
  [
    "an exit code that cannot be read",
    Object.defineProperty({ ...good }, "exitCode", { get: refuse }),
    goodLine,
  ],
  ["a proxy whose traps all throw", new Proxy({}, new Proxy({}, { get: refuse })), nothing],
  ["a proxy that answers everything", new Proxy({}, { get: () => "leak", has: () => true }), nothing],
  ["a proxy of good facts", new Proxy(good, {}), goodLine],
];

describe("formatFailure()", () => {
  for (const [facts, text] of lines) {
    it(`writes ${text}`, () => assert.equal(formatFailure(facts), text));
  }

  for (const [name, facts, text] of hostile) {
    it(`gives fixed text for ${name}`, () => assert.equal(formatFailure(facts as FailureFacts), text));
  }

  it("reads each field once, so that a second answer changes nothing", () => {
    const reads = new Map<PropertyKey, number>();
    const facts = new Proxy(
      {
        provider: "ACP",
        stage: "process",
        category: "process-exit",
        stopReason: "unknown",
        exitCode: 3,
        signal: "SIGTERM",
      },
      {
        get(target, key) {
          reads.set(key, (reads.get(key) ?? 0) + 1);
          return reads.get(key) === 1 ? Reflect.get(target, key) as unknown : "leak";
        },
      },
    );
    assert.equal(
      formatFailure(facts as FailureFacts),
      `${acp}stage: process; category: process-exit; stop reason: unknown; exit code: 3; signal: SIGTERM)`,
    );
    assert.deepEqual(
      Object.fromEntries(reads),
      { provider: 1, stage: 1, category: 1, stopReason: 1, exitCode: 1, signal: 1 },
    );
  });

  it("is not swayed by a polluted Object.prototype", () => {
    const pollution = {
      stopReason: "leak",
      exitCode: 7,
      signal: "SIGKILL",
      provider: "ACP",
      stage: "prompt",
    };
    try {
      for (const [key, value] of Object.entries(pollution)) {
        Object.defineProperty(Object.prototype, key, {
          value,
          configurable: true,
          writable: true,
          enumerable: false,
        });
      }
      assert.equal(formatFailure({ provider: "ACP", stage: "prompt", category: "transport" }), goodLine);
      assert.equal(formatFailure({} as FailureFacts), nothing);
    } finally {
      for (const key of Object.keys(pollution)) Reflect.deleteProperty(Object.prototype, key);
    }
  });

  it("writes one line of the grammar for any value", () => {
    const line =
      /^Subagent failure \(provider: [A-Za-z0-9][A-Za-z0-9 ._-]{0,63}; stage: [a-z-]+; category: [a-z-]+(; stop reason: (max_turn_requests|unknown))?(; exit code: -?\d+)?(; signal: SIG[A-Z0-9]+)?\)$/;
    const word = fc.oneof(
      fc.anything(),
      fc.constantFrom(
        "ACP",
        "DSH SDK",
        "prompt",
        "start",
        "shutdown",
        "transport",
        "SIGKILL",
        3,
        "max_turn_requests",
      ),
    );
    const facts = fc.oneof(
      fc.anything(),
      fc.record(
        { provider: word, stage: word, category: word, stopReason: word, exitCode: word, signal: word },
        { requiredKeys: [] },
      ),
    );
    fc.assert(fc.property(facts, (value) => {
      assert.match(formatFailure(value as FailureFacts), line);
    }));
  });
});

describe("checkedFacts()", () => {
  it("keeps good facts, frozen and apart from the original", () => {
    const facts = {
      provider: "ACP",
      stage: "process",
      category: "process-exit",
      exitCode: 3,
      note: "leak",
    } as const;
    const checked = checkedFacts(facts);
    assert.deepEqual(checked, { provider: "ACP", stage: "process", category: "process-exit", exitCode: 3 });
    assert.ok(Object.isFrozen(checked));
    assert.notEqual(checked, facts);
  });

  it("makes 0 of a negative zero", () => {
    const checked = checkedFacts({ ...good, exitCode: -0 });
    assert.ok("exitCode" in checked && Object.is(checked.exitCode, 0));
  });

  for (const [name, facts] of hostile) {
    it(`changes nothing the second time, for ${name}`, () => {
      const checked = checkedFacts(facts);
      assert.deepEqual(checkedFacts(checked), checked);
    });
  }
});

describe("formatFailures()", () => {
  const first = { provider: "ACP", stage: "initialize", category: "transport" } as const;
  const second = { provider: "ACP", stage: "teardown", category: "unknown" } as const;

  it("joins the lines in their order", () =>
    assert.equal(
      formatFailures([first, second]),
      "Subagent failure (provider: ACP; stage: initialize; category: transport); " +
        "Subagent failure (provider: ACP; stage: teardown; category: unknown)",
    ));

  it("writes one line for one failure", () => assert.equal(formatFailures([second]), formatFailure(second)));

  it("gives fixed text for an entry that is no facts", () =>
    assert.equal(
      formatFailures([null, second] as unknown as FailureFacts[]),
      `${nothing}; ${formatFailure(second)}`,
    ));

  const unusable: readonly (readonly [string, unknown])[] = [
    ["an empty list", []],
    ["a list of 17", new Array(17).fill(first)],
    ["null", null],
    ["a string", "leak"],
    ["a proxy that claims a huge length", new Proxy([], { get: () => 2 ** 53 })],
  ];
  for (const [name, list] of unusable) {
    it(`says that nothing is known for ${name}`, () =>
      assert.equal(formatFailures(list as FailureFacts[]), nothing));
  }
});
