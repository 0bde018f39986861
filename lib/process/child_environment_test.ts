import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { childEnvironment } from "./child_environment.ts";

function inheritedNames(names: readonly string[]): string[] {
  const inherited = Object.fromEntries(names.map((name) => [name, "value"]));
  return Object.keys(childEnvironment({ inherited, explicit: {}, platform: "linux" }));
}

describe("childEnvironment() of inherited variables", () => {
  // paperclipai/paperclip#11569, simonstaton/AgentManager#58, sleep2agi/agent-network#1893
  for (
    const name of [
      "ANTHROPIC_API_KEY",
      "apikey",
      "KEYCHAIN",
      "MONKEY",
      "AWS_SECRET_ACCESS_KEY",
      "JWT_SECRET",
      "secretariat",
      "DB_PASSWORD",
      "PASSWORD",
      "dbPasswords",
      "GITHUB_TOKEN",
      "Tokenizer",
      "npm_config__authToken",
      "DSH_HOME",
      "dsh_home",
      "Dsh_",
    ]
  ) {
    it(`drops ${name}`, () => assert.deepEqual(inheritedNames([name]), []));
  }

  for (
    const name of [
      "PATH",
      "HOME",
      "HTTPS_PROXY",
      "NODE_V8_COVERAGE",
      "GPG_PASSPHRASE", // a known limit of a rule about names
      "DATABASE_URL",
      "MY_DSH_HOME",
      "DSH",
      "PASS",
      "TOKE",
      "SUBAGENT_SEAM_TREE",
    ]
  ) {
    it(`keeps ${name}`, () => assert.deepEqual(inheritedNames([name]), [name]));
  }

  it("keeps values as they are and leaves out undefined ones", () => {
    assert.deepEqual(
      childEnvironment({
        inherited: { EMPTY: "", TEXT: "a token = 1\n", NOTHING: undefined },
        explicit: {},
        platform: "linux",
      }),
      { EMPTY: "", TEXT: "a token = 1\n" },
    );
  });
});

describe("childEnvironment() of explicit variables", () => {
  it("passes credentials that are named, as agents need them (vellum-ai/vellum-assistant#33343)", () => {
    assert.deepEqual(
      childEnvironment({
        inherited: { OPENAI_API_KEY: "host" },
        explicit: { OPENAI_API_KEY: "child", DSH_HOME: "/dsh" },
        platform: "linux",
      }),
      { OPENAI_API_KEY: "child", DSH_HOME: "/dsh" },
    );
  });

  it("removes what is undefined", () => {
    assert.deepEqual(
      childEnvironment({
        inherited: { PATH: "/bin", HTTP_PROXY: "x" },
        explicit: { HTTP_PROXY: undefined, NEVER_SET: undefined },
        platform: "linux",
      }),
      { PATH: "/bin" },
    );
  });

  it("keeps __proto__ and constructor as plain names", () => {
    const explicit = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>;
    const environment = childEnvironment({ inherited: {}, explicit, platform: "linux" });
    assert.deepEqual(Object.entries(environment), [["__proto__", "a"], ["constructor", "b"]]);
  });

  const cased = { inherited: { Path: "C:\\host" }, explicit: { PATH: "C:\\child" } };
  it("replaces an inherited name of another case on Windows", () => {
    assert.deepEqual(childEnvironment({ ...cased, platform: "win32" }), { PATH: "C:\\child" });
  });
  it("removes an inherited name of another case on Windows", () => {
    assert.deepEqual(
      childEnvironment({ inherited: { Path: "C:\\host" }, explicit: { PATH: undefined }, platform: "win32" }),
      {},
    );
  });
  for (const platform of ["linux", "darwin"]) {
    it(`keeps names that differ by case apart on ${platform}`, () => {
      assert.deepEqual(childEnvironment({ ...cased, platform }), { Path: "C:\\host", PATH: "C:\\child" });
    });
  }
});

describe("childEnvironment() with a marker", () => {
  it("sets the marker, whatever was inherited or named", () => {
    assert.deepEqual(
      childEnvironment({
        inherited: {},
        explicit: { SUBAGENT_SEAM_TREE: "forged" },
        platform: "linux",
        marker: "inner",
      }),
      { SUBAGENT_SEAM_TREE: "inner" },
    );
  });
  it("appends to the lineage of a host that is a child itself", () => {
    assert.deepEqual(
      childEnvironment({
        inherited: { SUBAGENT_SEAM_TREE: "outer" },
        explicit: { SUBAGENT_SEAM_TREE: undefined },
        platform: "linux",
        marker: "inner",
      }),
      { SUBAGENT_SEAM_TREE: "outer:inner" },
    );
  });
  it("sets one marker on Windows when it was inherited in another case", () => {
    assert.deepEqual(
      childEnvironment({
        inherited: { Subagent_Seam_Tree: "outer" },
        explicit: {},
        platform: "win32",
        marker: "inner",
      }),
      { SUBAGENT_SEAM_TREE: "outer:inner" },
    );
  });
});
