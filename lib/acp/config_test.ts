import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { type AcpProviderConfig, resolveAcpConfig } from "./config.ts";

describe("resolveAcpConfig()", () => {
  it("fills in the documented defaults", () => {
    assert.deepEqual(resolveAcpConfig({ command: "agent" }), {
      providerName: "acp",
      command: "agent",
      args: [],
      cwd: undefined,
      permission: "reject",
      env: {},
      disposeEofGraceMs: 6000,
      disposeGraceMs: 3000,
      maxMessageBytes: 33554432,
      maxOutputBytes: 16777216,
      startTimeoutMs: undefined,
      stderr: "inherit",
    });
  });

  it("keeps what is given, down to a variable to remove", () => {
    const config = {
      providerName: "opencode",
      command: "opencode",
      args: ["acp"],
      cwd: "/srv",
      permission: "allow",
      env: { A: "1", B: undefined },
      disposeEofGraceMs: 0.5,
      disposeGraceMs: 2147483647,
      maxMessageBytes: 1,
      maxOutputBytes: Number.MAX_SAFE_INTEGER,
      startTimeoutMs: 10,
      stderr: "ignore",
    } as const;
    assert.deepEqual(resolveAcpConfig(config), config);
  });

  it("takes the environment of a process, which is no plain object", () => {
    assert.equal(resolveAcpConfig({ command: "agent", env: process.env }).env["PATH"], process.env["PATH"]);
  });

  it("does not follow later changes of the caller's object", () => {
    const args = ["acp"];
    const resolved = resolveAcpConfig({ command: "agent", args });
    args.push("--evil");
    assert.deepEqual(resolved.args, ["acp"]);
    assert.ok(Object.isFrozen(resolved));
  });

  const grace = (field: string) =>
    `subagent-acp: ${field} must be a positive finite number no greater than 2147483647`;
  for (
    const [config, message] of [
      [undefined, "subagent-acp: config must be an object, but it is missing"],
      [null, "subagent-acp: config must be an object, but it is null"],
      [{}, `subagent-acp: config field "command" is required: it must be a string`],
      [{ command: "" }, `subagent-acp: config field "command" must name a program`],
      [{ command: "a\0b" }, `subagent-acp: config field "command" must not contain a NUL character`],
      [{ command: ["agent"] }, `subagent-acp: config field "command" must be a string, but it is an array`],
      [
        { command: "a", args: "acp" },
        `subagent-acp: config field "args" must be an array, but it is a string`,
      ],
      [
        { command: "a", args: ["x", 1] },
        `subagent-acp: config field "args[1]" must be a string, but it is a number`,
      ],
      [
        { command: "a", permission: "ask" },
        `subagent-acp: config field "permission" must be "allow" or "reject", but it is another string`,
      ],
      [
        { command: "a", permission: true },
        `subagent-acp: config field "permission" must be "allow" or "reject", but it is a boolean`,
      ],
      [
        { command: "a", env: { TOKEN: 5 } },
        `subagent-acp: config field "env.TOKEN" must be a string, but it is a number`,
      ],
      [
        { command: "a", env: { "A=B": "c" } },
        `subagent-acp: config field "env.A=B" is no valid name: must be a variable name`,
      ],
      [
        { command: "a", stderr: "pipe" },
        `subagent-acp: config field "stderr" must be "inherit" or "ignore", but it is another string`,
      ],
      [{ command: "a", maxOutputBytes: 0.5 }, "subagent-acp: maxOutputBytes must be a positive safe integer"],
      [
        { command: "a", maxMessageBytes: -1 },
        "subagent-acp: maxMessageBytes must be a positive safe integer",
      ],
      ...[0, -1, NaN, Infinity, 2147483648, "100", null].flatMap((value) => [
        [{ command: "a", disposeEofGraceMs: value }, grace("disposeEofGraceMs")] as const,
        [{ command: "a", disposeGraceMs: value }, grace("disposeGraceMs")] as const,
        [{ command: "a", startTimeoutMs: value }, grace("startTimeoutMs")] as const,
      ]),
      [{ comand: "a", command: "a" }, `subagent-acp: config has no field "comand"; did you mean "command"?`],
      [
        { command: "a", model: "x" },
        `subagent-acp: config has no field "model"; known fields are providerName, command, args, cwd, permission, env, ` +
        `disposeEofGraceMs, disposeGraceMs, maxMessageBytes, maxOutputBytes, startTimeoutMs, stderr`,
      ],
      [
        { command: 1, disposeGraceMs: 0 },
        `subagent-acp: config field "command" must be a string, but it is a number; disposeGraceMs must be a positive finite number no greater than 2147483647`,
      ],
    ] as const
  ) {
    it(`refuses ${JSON.stringify(config)}: ${message.slice(14)}`, () => {
      assert.throws(() => resolveAcpConfig(config as unknown as AcpProviderConfig), {
        name: "TypeError",
        message,
      });
    });
  }

  it("never names a value, which may be a secret", () => {
    const secret = "sk-0123456789";
    const config = {
      command: "a",
      permission: secret,
      env: { KEY: [secret] },
      stderr: secret,
      cwd: [secret],
    };
    assert.throws(() => resolveAcpConfig(config as unknown as AcpProviderConfig), (error: Error) => {
      assert.ok(!String(error.stack).includes(secret));
      return true;
    });
  });
});
