import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { packageBin } from "../package_bin.ts";
import { testCommand } from "./test_command.ts";

const FILES = ["a_test.ts", "lib/b_test.ts"];

describe("testCommand()", () => {
  it("runs Node's runner under tsx with a reporter and a timeout named", () => {
    assert.deepEqual(testCommand("node", FILES), {
      command: "node",
      args: [
        "--import",
        "tsx",
        "--test",
        "--test-timeout=120000",
        "--test-concurrency=2",
        "--test-reporter=spec",
        "--test-reporter-destination=stdout",
        "a_test.ts",
        "lib/b_test.ts",
      ],
    });
  });

  it("leaves tsx out where Node strips types itself", () => {
    const { command, args } = testCommand("node", FILES, { node: "/opt/node", loader: "native" });
    assert.equal(command, "/opt/node");
    assert.equal(args.includes("tsx"), false);
  });

  it("puts c8 before Node for coverage", () => {
    const coverage = { exclude: ["lib/types.ts", "**/*_test.ts"], folder: "/tmp/raw" };
    const { command, args: [c8, ...args] } = testCommand("node", FILES, { coverage });
    assert.equal(command, "node");
    assert.match(c8 ?? "", /c8/);
    assert.deepEqual(args.slice(0, 6), [
      "--temp-directory=/tmp/raw",
      "--exclude=lib/types.ts",
      "--exclude=**/*_test.ts",
      "node",
      "--import",
      "tsx",
    ]);
  });

  it("gives Deno all permissions and both cores", () => {
    const deno = packageBin("deno");
    assert.deepEqual(testCommand("deno", FILES), {
      command: deno.command,
      args: [...deno.args, "test", "--allow-all", "--parallel", "a_test.ts", "lib/b_test.ts"],
    });
  });

  it("gives Bun paths that it cannot take for filters, and a longer timeout", () => {
    const bun = packageBin("bun");
    assert.deepEqual(testCommand("bun", FILES), {
      command: bun.command,
      args: [...bun.args, "test", "--timeout=120000", "./a_test.ts", "./lib/b_test.ts"],
    });
  });
});
