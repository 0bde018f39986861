import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { STEP_FIELDS } from "./acp_agent/step_fields.ts";
import type { AgentScript } from "./acp_agent/script.ts";
import type { RuntimeScript } from "./dsh_runtime/script.ts";
import { recordedRuntime, scriptedAgent, scriptedRuntime } from "./launch.ts";
import { withFolder } from "./test_support/temp_folder.ts";

describe("scriptedAgent()", () => {
  it("starts the running program with the script as one argument, and extra arguments behind it", () => {
    const script: AgentScript = { onEof: [{ do: "exit", code: 1 }] };
    const { command, args } = scriptedAgent(script, { extraArgs: ["-x", "y"] });
    assert.equal(command, process.execPath);
    assert.deepEqual(args.slice(-3), [JSON.stringify(script), "-x", "y"]);
  });

  it("makes the same command each time", () => assert.deepEqual(scriptedAgent(), scriptedAgent()));

  it("refuses a script with a typo before anything is started", () => {
    assert.throws(() => scriptedAgent({ onPromt: [] } as AgentScript), { name: "TypeError" });
  });

  it("refuses a script that does not fit into an argument unless a file is named", async () => {
    const script: AgentScript = { onPrompt: [{ do: "text", text: "é".repeat(70_000) }] };
    assert.throws(() => scriptedAgent(script), { name: "RangeError", message: /name a scriptFile$/ });
    await withFolder((folder) => {
      const scriptFile = join(folder, "script.json");
      assert.deepEqual(scriptedAgent(script, { scriptFile }).args.slice(-2), ["--file", scriptFile]);
      assert.deepEqual(JSON.parse(readFileSync(scriptFile, "utf8")), script);
    });
  });
});

describe("scriptedRuntime()", () => {
  it("starts the running program with the script as it is, and extra arguments behind it", () => {
    const script: RuntimeScript = { onPrompt: [{ do: "accept" }, { do: "end" }] };
    const { command, args } = scriptedRuntime(script, { extraArgs: ["-x"] });
    assert.equal(command, process.execPath);
    assert.deepEqual(args.slice(-2), [JSON.stringify(script), "-x"]);
  });

  for (
    const [name, script] of [
      ["a misspelt handler", { onPromt: [] }],
      ["a misspelt step of the runtime", { onPrompt: [{ do: "end", reasn: "x" }] }],
      ["a misspelt step of the common language", { onPrompt: [{ do: "sleeep" }] }],
    ] as const
  ) {
    it(`refuses ${name} before anything is started`, () => {
      assert.throws(() => scriptedRuntime(script as unknown as RuntimeScript), { name: "TypeError" });
    });
  }

  it("takes a script too long for an argument through a file", async () => {
    const script: RuntimeScript = { onPrompt: [{ do: "text", text: "x".repeat(140_000) }] };
    assert.throws(() => scriptedRuntime(script), { name: "RangeError", message: /name a scriptFile$/ });
    await withFolder((folder) => {
      const scriptFile = join(folder, "script.json");
      assert.deepEqual(scriptedRuntime(script, { scriptFile }).args.slice(-2), ["--file", scriptFile]);
      assert.deepEqual(JSON.parse(readFileSync(scriptFile, "utf8")), script);
    });
  });
});

describe("recordedRuntime()", () => {
  it("names the recording", () => {
    const { args } = recordedRuntime(new URL("file:///srv/a%20wire.ndjson"));
    assert.deepEqual(args.slice(-2), ["--play", "/srv/a wire.ndjson"]);
  });
});

describe("the README of the fakes", () => {
  const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");

  it("has a row for each step, and none for a step that is not there", () => {
    const rows = [...readme.matchAll(/^\| `([a-zA-Z]+)`/gm)].map(([, step]) => step);
    const steps = Object.keys(STEP_FIELDS);
    assert.deepEqual(rows.filter((row) => steps.includes(row ?? "")).sort(), steps.sort());
  });

  it("names each field of each step in its row", () => {
    for (const [step, fields] of Object.entries(STEP_FIELDS)) {
      const row = readme.split("\n").find((line) => line.startsWith(`| \`${step}\``)) ?? "";
      for (const field of Object.keys(fields)) assert.ok(row.includes(`\`${field}\``), `${step}: ${field}`);
    }
  });

  it("names files that exist", () => {
    for (const [, path = ""] of readme.matchAll(/\]\(\.\/([^)]+)\)/g)) {
      assert.ok(existsSync(new URL(path, import.meta.url)), path);
    }
  });
});
