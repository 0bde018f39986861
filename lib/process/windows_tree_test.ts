import assert from "node:assert/strict";
import type * as childProcess from "node:child_process";
import { EventEmitter } from "node:events";
import { describe, it } from "node:test";
import { lookUp } from "./windows_environment.ts";
import { WindowsTree } from "./windows_tree.ts";

type Calls = [kind: string, file: string, args: readonly string[], options: object][];

function fakeSystem(
  calls: Calls,
  environment: Record<string, string> = { SYSTEMROOT: "D:\\Win" },
  throws = false,
) {
  const record = (kind: string) => (file: string, args: readonly string[], options: object) => {
    calls.push([kind, file, args, options]);
    if (throws) throw new Error("spawn taskkill EAGAIN");
    return new EventEmitter();
  };
  return {
    childProcess: {
      spawn: record("spawn"),
      spawnSync: record("spawnSync"),
    } as unknown as typeof childProcess,
    environment: () => environment,
  };
}

const call = (kind: string) => [
  kind,
  "D:\\Win\\System32\\taskkill.exe",
  ["/PID", "42", "/T", "/F"],
  { stdio: "ignore", windowsHide: true },
];

describe("WindowsTree", () => {
  it("ends the tree by taskkill, once for each step (proliferate-ai/proliferate#2147)", async () => {
    const calls: Calls = [];
    const tree = new WindowsTree(42, fakeSystem(calls));
    assert.deepEqual(await tree.look(), [42]);
    tree.end("ask");
    tree.end("ask");
    assert.deepEqual(calls, [call("spawn")]);
    assert.deepEqual(await tree.look(), [42], "started is not yet ended");
    tree.end("force");
    tree.end("force");
    assert.deepEqual(calls, [call("spawn"), call("spawn")]);
  });

  it("is gone when the root's exit was seen, and does not touch its pid any more", async () => {
    const calls: Calls = [];
    const tree = new WindowsTree(42, fakeSystem(calls));
    tree.rootExited();
    assert.deepEqual([tree.exited, await tree.look()], [true, []]);
    tree.end("ask");
    tree.killNow();
    assert.deepEqual(calls, []);
  });

  it("kills without waiting at the host's exit", () => {
    const calls: Calls = [];
    assert.equal(new WindowsTree(42, fakeSystem(calls)).killNow(), false);
    assert.deepEqual(calls, [call("spawnSync")]);
  });

  it("looks for Windows in its usual place without SystemRoot", () => {
    const calls: Calls = [];
    new WindowsTree(42, fakeSystem(calls, {})).end("ask");
    assert.equal(calls[0]?.[1], "C:\\Windows\\System32\\taskkill.exe");
  });

  it("goes on when taskkill cannot be started: what counts is whether the root exits", () => {
    const calls: Calls = [];
    new WindowsTree(42, fakeSystem(calls, {}, true)).end("ask");
    assert.equal(calls.length, 1);
  });
});

describe("lookUp()", () => {
  for (
    const [name, expected] of [["PATH", "x"], ["path", "x"], ["Path", "x"], ["PATHS", undefined]] as const
  ) {
    it(`of ${name} is ${expected}`, () => assert.equal(lookUp({ Path: "x" }, name), expected));
  }
});
