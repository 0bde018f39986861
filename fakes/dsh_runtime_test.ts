import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type AgentCommand, programCommand } from "./launch.ts";
import { withCommand } from "./test_support/raw_client.ts";
import { withFolder } from "./test_support/temp_folder.ts";

const wire = fileURLToPath(new URL("./dsh_wires/blocked.ndjson", import.meta.url));

/** The program itself. */
function runtime(...args: string[]): AgentCommand {
  const program = programCommand(new URL("./dsh_runtime.ts", import.meta.url));
  return { command: program.command, args: [...program.args, ...args] };
}

describe("dsh_runtime.ts", () => {
  it("runs the script in its argument", async () => {
    await withCommand(runtime('{"onInitialize":[{"do":"exit","code":3}]}'), async (client) => {
      client.sendRequest("initialize", {});
      assert.deepEqual(await client.ending, { code: 3, signal: null });
    });
  });

  it("runs the script in a file", async () => {
    await withFolder(async (folder) => {
      const file = join(folder, "script.json");
      writeFileSync(file, '{"onInitialize":[{"do":"reply","result":7}]}');
      await withCommand(runtime("--file", file), async (client) => {
        assert.equal((await client.request("initialize", {}))["result"], 7);
      });
    });
  });

  it("plays a recording", async () => {
    await withCommand(runtime("--play", wire), async (client) => {
      await client.request("initialize", {});
      await client.request("session/prompt", { sessionId: "live", contentBlocks: [] });
      await client.until(() => client.lines.some((line) => line.includes('{"kind":"blocked"}')) || undefined);
    });
  });

  for (
    const [name, args, message] of [
      ["a script that is no JSON", ["{"], /^dsh_runtime: cannot use the script: \S/],
      ["a step that nobody knows", ['{"onPrompt":[{"do":"dance"}]}'], /onPrompt\[0\]\.do/],
      [
        "a flag without its path",
        ["--play"],
        /^dsh_runtime: cannot use the script: Expected a path behind --play\n$/,
      ],
    ] as const
  ) {
    it(`exits 2 for ${name}`, async () => {
      await withCommand(runtime(...args), async (client) => {
        assert.deepEqual(await client.ending, { code: 2, signal: null });
        await client.until(() => message.test(client.stderr) || undefined);
      });
    });
  }
});
