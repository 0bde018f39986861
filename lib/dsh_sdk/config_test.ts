import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type DshSdkProviderConfig, resolveDshSdkConfig } from "./config.ts";

const resolve = (config: unknown) => resolveDshSdkConfig(config as DshSdkProviderConfig);

describe("resolveDshSdkConfig()", () => {
  it("fills in the defaults of a command", () => {
    assert.deepEqual(resolve({ command: "runtime" }), {
      providerName: "dsh-sdk",
      launch: { kind: "command", command: "runtime", args: [] },
      cwd: undefined,
      provider: "deepseek-official",
      model: "deepseek-v4-flash",
      maxTokens: undefined,
      env: {},
      shutdownTimeoutMs: 1000,
      disposeEofGraceMs: 6000,
      disposeGraceMs: 3000,
      maxMessageBytes: 33554432,
      maxOutputBytes: 16777216,
      startTimeoutMs: undefined,
      stderr: "tail",
    });
  });

  it("fills in the defaults of a profile", () => {
    assert.deepEqual(resolve({ dshHome: "/srv/home" }).launch, {
      kind: "profile",
      dshHome: "/srv/home",
      dshBin: undefined,
      profile: "sdk",
      patches: [],
    });
  });

  it("takes every field", () => {
    const settings = {
      providerName: "harness",
      cwd: "/srv/task",
      provider: "p",
      model: "m",
      maxTokens: 1,
      env: { DEEPSEEK_API_KEY: "k", HOME: undefined },
      shutdownTimeoutMs: 0.5,
      disposeEofGraceMs: 1,
      disposeGraceMs: 2,
      maxMessageBytes: 3,
      maxOutputBytes: 4,
      startTimeoutMs: 5,
      stderr: "inherit",
    };
    assert.deepEqual(resolve({ ...settings, command: "runtime", args: ["a", ""] }), {
      ...settings,
      launch: { kind: "command", command: "runtime", args: ["a", ""] },
    });
    const launch = { dshHome: "/h", dshBin: "bin.js", profile: "other", patches: ["a", "b"] };
    assert.deepEqual(resolve({ ...settings, ...launch }), {
      ...settings,
      launch: { kind: "profile", ...launch },
    });
  });

  it("reads a time that no timer takes as the longest one", () => {
    const config = resolve({
      command: "runtime",
      shutdownTimeoutMs: 1e300,
      disposeEofGraceMs: Number.MAX_VALUE,
      disposeGraceMs: 2 ** 31,
      startTimeoutMs: 2 ** 31 - 1,
    });
    assert.equal(config.shutdownTimeoutMs, 2147483647);
    assert.equal(config.disposeEofGraceMs, 2147483647);
    assert.equal(config.disposeGraceMs, 2147483647);
    assert.equal(config.startTimeoutMs, 2147483647);
  });

  for (const field of ["shutdownTimeoutMs", "disposeEofGraceMs", "disposeGraceMs", "startTimeoutMs"]) {
    for (const value of [0, -0, -1, NaN, Infinity, -Infinity, "1000", null]) {
      it(`refuses ${String(value)} (${typeof value}) as ${field}`, () => {
        assert.throws(() => resolve({ command: "runtime", [field]: value }), {
          name: "TypeError",
          message: `subagent-dsh-sdk: ${field} must be a positive finite number`,
        });
      });
    }
  }

  for (const field of ["maxTokens", "maxMessageBytes", "maxOutputBytes"]) {
    for (const value of [0, 1.5, 2 ** 53, "1"]) {
      it(`refuses ${value} (${typeof value}) as ${field}`, () => {
        assert.throws(() => resolve({ command: "runtime", [field]: value }), {
          message: `subagent-dsh-sdk: ${field} must be a positive safe integer`,
        });
      });
    }
  }

  const choice = 'give either "command" (with "args"), or "dshHome" (with "dshBin", "profile" and "patches")';
  for (
    const [name, config, message] of [
      ["no way to launch", {}, `config does not say how to launch a runtime; ${choice}`],
      ["arguments alone", { args: ["a"] }, `config does not say how to launch a runtime; ${choice}`],
      [
        "a profile without a home",
        { profile: "sdk" },
        `config does not say how to launch a runtime; ${choice}`,
      ],
      [
        "two ways to launch",
        { command: "runtime", dshHome: "/h", patches: [] },
        `config names both "command" and "dshHome", "patches"; ${choice}`,
      ],
      ["an empty command", { command: "" }, 'config field "command" must name a program'],
      ["an empty home", { dshHome: "" }, 'config field "dshHome" must name a directory'],
      ["an empty patch", { dshHome: "/h", patches: ["a", ""] }, 'config field "patches[1]" must name a file'],
      [
        "a NUL in an argument",
        { command: "c", args: ["a\0"] },
        'config field "args[0]" must not contain a NUL character',
      ],
      [
        "a model that is no name",
        { command: "c", model: 4 },
        'config field "model" must be a string, but it is a number',
      ],
      [
        "stderr of an unknown kind",
        { command: "c", stderr: "pipe" },
        'config field "stderr" must be "tail" or "inherit" or "ignore", but it is another string',
      ],
      [
        "a misspelt field",
        { command: "c", dshhome: "/h" },
        'config has no field "dshhome"; did you mean "dshHome"?',
      ],
      [
        "a field of the other provider",
        { command: "c", permission: "allow" },
        'config has no field "permission"; known fields are providerName, command, args, dshHome, dshBin, profile, patches, ' +
        "cwd, provider, model, maxTokens, env, shutdownTimeoutMs, disposeEofGraceMs, disposeGraceMs, maxMessageBytes, " +
        "maxOutputBytes, startTimeoutMs, stderr",
      ],
      [
        "two faults",
        { command: 1, maxTokens: 0 },
        'config field "command" must be a string, but it is a number; maxTokens must be a positive safe integer',
      ],
      ["no object", null, "config must be an object, but it is null"],
    ] as const
  ) {
    it(`refuses ${name}`, () => {
      assert.throws(() => resolve(config), { name: "TypeError", message: `subagent-dsh-sdk: ${message}` });
    });
  }

  it("never names a value", () => {
    assert.throws(
      () => resolve({ command: "c", env: { KEY: 1, "A=canary": "x" }, model: ["canary"], args: "canary" }),
      (error: Error) => !error.message.includes('"canary') && error.message.includes('"model"'),
    );
  });
});
