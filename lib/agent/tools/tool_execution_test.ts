import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fakeAgent, unfrozenIn } from "../agent_fixtures_test.ts";
import { ExecutionTokens } from "./execution_token.ts";
import { acceptCall } from "./tool_execution.ts";
import { callOf } from "./tool_fixtures_test.ts";
import type { ToolCallInput } from "./tool_types.ts";

describe("acceptCall()", () => {
  const tokens = new ExecutionTokens();

  it("mints a token for each call", () => {
    const first = acceptCall(callOf("read"), undefined, tokens).execution;
    const second = acceptCall(callOf("read"), undefined, tokens).execution;
    assert.ok(tokens.has(first.token));
    assert.ok(tokens.has(second.token));
    assert.notEqual(first.token, second.token);
  });

  it("keeps agent, parent and signal by identity, and leaves out what is not there", () => {
    const [agent, parent, { signal }] = [fakeAgent("a"), tokens.mint(), new AbortController()];
    const full = acceptCall(callOf("read", { agent, parent, signal }), undefined, tokens).execution;
    assert.equal(full.agent, agent);
    assert.equal(full.parent, parent);
    assert.equal(full.signal, signal);
    const bare = acceptCall(callOf("read"), undefined, tokens).execution;
    assert.deepEqual(Object.keys(bare).sort(), ["arguments", "callId", "name", "signal", "token"]);
    assert.equal(bare.signal, undefined);
  });

  it("takes the caller when the call does not say who calls", () => {
    const [agent, caller] = [fakeAgent("a"), fakeAgent("b")];
    assert.equal(acceptCall(callOf("read"), caller, tokens).execution.agent, caller);
    assert.equal(acceptCall(callOf("read", { agent }), caller, tokens).execution.agent, agent);
  });

  it("copies and deep-freezes the arguments", () => {
    const args = { paths: ["a"] };
    const { execution, fault } = acceptCall(callOf("read", { arguments: args }), undefined, tokens);
    args.paths.push("b");
    assert.equal(fault, undefined);
    assert.deepEqual(execution.arguments, { paths: ["a"] });
    assert.deepEqual(unfrozenIn(execution.arguments), []);
  });

  it("lets nothing be changed but the signal", () => {
    const { execution } = acceptCall(callOf("read", { agent: fakeAgent("a") }), undefined, tokens);
    const open = execution as unknown as Record<string, unknown>;
    for (const field of ["token", "callId", "name", "arguments", "agent"]) {
      assert.throws(() => void (open[field] = "other"), TypeError, field);
      assert.throws(() => delete open[field], TypeError, field);
    }
    assert.throws(() => void (open.parent = tokens.mint()), TypeError);
    const { signal } = new AbortController();
    execution.signal = signal;
    assert.equal(execution.signal, signal);
  });

  const noJson = "tool execution arguments must be losslessly JSON-serializable";
  const faults: readonly (readonly [string, Partial<ToolCallInput>, string])[] = [
    ["arguments that are not there", { arguments: undefined }, noJson],
    ["arguments that JSON loses something of", { arguments: { at: new Date(0) } }, noJson],
    [
      "a parent that is no token",
      { parent: {} as unknown as NonNullable<ToolCallInput["parent"]> },
      "tool execution parent must be a token of this tool registry",
    ],
    [
      "a parent of another registry",
      { parent: new ExecutionTokens().mint() },
      "tool execution parent must be a token of this tool registry",
    ],
  ];
  for (const [what, call, message] of faults) {
    it(`finds a fault in ${what}, and still gives the call an identity`, () => {
      const { execution, fault } = acceptCall(callOf("read", call), undefined, tokens);
      assert.ok(fault instanceof TypeError);
      assert.equal(fault.message, message);
      assert.ok(tokens.has(execution.token));
      assert.equal("parent" in execution, false);
    });
  }

  it("finds a fault in arguments whose getter throws", () => {
    const call = {
      callId: "call-1",
      name: "read",
      get arguments(): unknown {
        throw new Error("text of a stranger");
      },
    };
    const { execution, fault } = acceptCall(call, undefined, tokens);
    assert.equal(fault?.message, noJson);
    assert.equal(execution.arguments, null);
  });

  for (const field of ["callId", "name"] as const) {
    for (const [kind, value] of [["undefined", undefined], ["number", 1], ["null", null]] as const) {
      it(`refuses a ${field} that is ${kind}`, () =>
        assert.throws(
          () => acceptCall({ ...callOf("read"), [field]: value } as ToolCallInput, undefined, tokens),
          new TypeError(`tool execution ${field} must be a string, got ${kind}`),
        ));
    }
  }
});
