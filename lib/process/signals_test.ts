import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { groupExists, type Kill, sendSignal } from "./signals.ts";

function failing(code: string): Kill {
  return () => {
    throw Object.assign(new Error(`kill ${code}`), { code });
  };
}

describe("sendSignal()", () => {
  it("sends", () => {
    const sent: unknown[] = [];
    sendSignal((...args) => sent.push(args), -7, "SIGTERM");
    assert.deepEqual(sent, [[-7, "SIGTERM"]]);
  });
  for (const code of ["ESRCH", "EPERM"]) {
    it(`passes over ${code}`, () => sendSignal(failing(code), 7, "SIGKILL"));
  }
  it("throws anything else", () => {
    assert.throws(() => sendSignal(failing("EINVAL"), 7, "SIGKILL"), { code: "EINVAL" });
  });
});

describe("groupExists()", () => {
  it("asks with signal 0", () => {
    const sent: unknown[] = [];
    assert.equal(groupExists((...args) => sent.push(args), 7), true);
    assert.deepEqual(sent, [[-7, 0]]);
  });
  it("is false for ESRCH", () => assert.equal(groupExists(failing("ESRCH"), 7), false));
  it("is true for EPERM: it is there, but out of reach", () =>
    assert.equal(groupExists(failing("EPERM"), 7), true));
  it("throws anything else", () =>
    assert.throws(() => groupExists(failing("EINVAL"), 7), { code: "EINVAL" }));
});
