/** A runtime launched by profile: what its process gets. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import process from "node:process";
import { describe, it } from "node:test";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import { Subagents } from "../seam/subagents.ts";
import { TEST_GRACES } from "./delegation_fixtures_test.ts";
import { dshSdkProvider } from "./provider.ts";

/** A command line whose runtime answers with what it was launched with. */
const COMMAND_LINE = `
  import { createInterface } from "node:readline";
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize") return say({ id, result: { serverInfo: { name: "runtime", version: "1" } } });
    if (method === "shutdown") return say({ id, result: {} });
    const event = (type, data) =>
      say({ method: "session.event", params: { sessionId: params.sessionId, event: { type, data } } });
    const text = JSON.stringify({ argv: process.argv.slice(1), cwd: process.cwd(), env: process.env });
    event("agent/inbox/spliced", { inserted: [{ id: "m" }] });
    event("assistant/message", { message: { content: [{ type: "text", text }] } });
    event("turn/end", { reason: { kind: "completed" } });
    say({ method: "session.status", params: { sessionId: params.sessionId, status: "idle" } });
    say({ id, result: { messageId: "m" } });
  }).on("close", () => process.exit(0));
`;

interface Launched {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

describe("a runtime launched by profile", () => {
  it("gets its arguments, its home and the explicit environment, and none of the host's credentials", async () => {
    using workplace = new Workplace();
    const dshBin = workplace.file("cli.mjs");
    const patch = workplace.file("patch.yml");
    mkdirSync(workplace.file("home"));
    writeFileSync(dshBin, COMMAND_LINE);
    writeFileSync(patch, "");
    const subagents = new Subagents();
    process.env["SEAM_TEST_SECRET"] = "inherited";
    process.env["DSH_SEAM_TEST"] = "inherited";
    process.env["SEAM_TEST_PLAIN"] = "inherited";
    process.env["SEAM_TEST_REMOVED"] = "inherited";
    try {
      subagents.register(dshSdkProvider({
        dshHome: workplace.file("home"),
        dshBin,
        profile: "other",
        patches: [patch],
        env: {
          DEEPSEEK_API_KEY: "explicit",
          DSH_HOME: "the launch's own wins",
          DSH_MODE: "explicit",
          SEAM_TEST_REMOVED: undefined,
        },
        ...TEST_GRACES,
      }));
      await using run = await subagents.start("dsh-sdk", {
        prompt: "x",
        parent: { id: "parent", cwd: workplace.path },
      });
      const { output } = await run.result;
      const { argv, cwd, env } = JSON.parse((output[0] as { readonly text: string }).text) as Launched;
      assert.deepEqual(argv, [dshBin, "--profile", "other", "--patch", patch]);
      assert.equal(cwd, workplace.path);
      assert.equal(env["DSH_HOME"], workplace.file("home"));
      assert.equal(env["DEEPSEEK_API_KEY"], "explicit");
      assert.equal(env["DSH_MODE"], "explicit");
      assert.equal(env["SEAM_TEST_PLAIN"], "inherited");
      for (const name of ["SEAM_TEST_SECRET", "DSH_SEAM_TEST", "SEAM_TEST_REMOVED"]) {
        assert.equal(env[name], undefined, name);
      }
    } finally {
      for (const name of ["SEAM_TEST_SECRET", "DSH_SEAM_TEST", "SEAM_TEST_PLAIN", "SEAM_TEST_REMOVED"]) {
        delete process.env[name];
      }
    }
  });
});
