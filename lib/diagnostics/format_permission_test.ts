import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { formatPermission, type PermissionFacts, permissionKind } from "./format_permission.ts";

const lines: readonly (readonly [PermissionFacts, string])[] = [
  [
    { policy: "reject", request: "execute", decision: "denied" },
    "ACP unattended decision (policy: reject; request: execute; decision: denied)",
  ],
  [
    { policy: "allow", request: "switch_mode", decision: "allowed" },
    "ACP unattended decision (policy: allow; request: switch_mode; decision: allowed)",
  ],
  [
    { policy: "allow", request: "edit", decision: "denied" },
    "ACP unattended decision (policy: allow; request: edit; decision: denied)",
  ],
  [
    { policy: "reject", request: "unknown", decision: "denied" },
    "ACP unattended decision (policy: reject; request: unknown; decision: denied)",
  ],
];

const denied = "ACP unattended decision (policy: reject; request: unknown; decision: denied)";
const refuse = (): never => {
  throw new Error("leak");
};
const hostile: readonly (readonly [string, unknown, string])[] = [
  ["null", null, denied],
  ["undefined", undefined, denied],
  ["a string", "allow", denied],
  ["an empty object", {}, denied],
  ["words of no list", { policy: "leak", request: "leak", decision: "leak" }, denied],
  ["String objects", {
    policy: new String("allow"),
    request: new String("read"),
    decision: new String("allowed"),
  }, denied],
  [
    "a decision of true",
    { policy: "allow", request: "read", decision: true },
    denied.replace("reject", "allow").replace("unknown", "read"),
  ],
  ["inherited fields", Object.create({ policy: "allow", request: "read", decision: "allowed" }), denied],
  [
    "getters that throw",
    Object.defineProperties({}, {
      policy: { get: refuse },
      request: { get: refuse },
      decision: { get: refuse },
    }),
    denied,
  ],
  ["a proxy whose traps all throw", new Proxy({}, new Proxy({}, { get: refuse })), denied],
];

describe("formatPermission()", () => {
  for (const [facts, text] of lines) {
    it(`writes ${text}`, () => assert.equal(formatPermission(facts), text));
  }

  for (const [name, facts, text] of hostile) {
    it(`claims no permission for ${name}`, () =>
      assert.equal(formatPermission(facts as PermissionFacts), text));
  }

  it("reads each field once", () => {
    const reads: string[] = [];
    const once = (key: string, first: string) => ({
      get: () => {
        reads.push(key);
        return reads.filter((read) => read === key).length === 1 ? first : "leak";
      },
    });
    const facts = Object.defineProperties({}, {
      policy: once("policy", "allow"),
      request: once("request", "fetch"),
      decision: once("decision", "allowed"),
    });
    assert.equal(
      formatPermission(facts as PermissionFacts),
      "ACP unattended decision (policy: allow; request: fetch; decision: allowed)",
    );
    assert.deepEqual([...reads].sort(), ["decision", "policy", "request"]);
  });

  it("writes one line of the grammar for any value", () => {
    const line =
      /^ACP unattended decision \(policy: (allow|reject); request: (read|edit|delete|move|search|execute|think|fetch|switch_mode|other|unknown); decision: (allowed|denied)\)$/;
    fc.assert(fc.property(fc.anything(), fc.anything(), fc.anything(), (policy, request, decision) => {
      assert.match(formatPermission({ policy, request, decision } as PermissionFacts), line);
    }));
  });
});

describe("permissionKind()", () => {
  for (
    const kind of [
      "read",
      "edit",
      "delete",
      "move",
      "search",
      "execute",
      "think",
      "fetch",
      "switch_mode",
      "other",
    ]
  ) {
    it(`keeps ${kind}`, () => assert.equal(permissionKind(kind), kind));
  }

  for (const kind of [undefined, null, "", "READ", "leak", "constructor", 1, ["read"]]) {
    it(`makes ${JSON.stringify(kind) ?? "undefined"} unknown`, () =>
      assert.equal(permissionKind(kind), "unknown"));
  }
});
