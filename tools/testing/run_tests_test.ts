import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { readProcesses } from "../real_agents/read_processes.ts";
import { SEES_PROCESSES } from "./leftover_processes.ts";
import { runTests, type TestReport } from "./run_tests.ts";
import { type Runtime, RUNTIMES } from "./test_command.ts";

const folder = mkdtempSync(join(tmpdir(), "run-tests-"));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);

/** Runs one test file with this text. */
async function run(runtime: Runtime, name: string, source: string, timeoutMs = 60_000): Promise<TestReport> {
  const file = join(folder, `${name}_test.ts`);
  writeFileSync(file, `import { it } from "node:test";\nvoid it;\n${source}\n`);
  return await runTests(runtime, [file], { timeoutMs, leftoverMs: 200 });
}

const CARELESS = `
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
it("fails", () => { throw new Error("no"); });
it("leaves a file", () => writeFileSync(tmpdir() + "/forgotten.txt", ""));
it("leaves a process", () => new Promise<void>((resolve) => {
  const left = spawn("sleep", ["61"], { stdio: "ignore", detached: true });
  left.unref();
  left.on("spawn", () => resolve());
}));`;

const withoutProc = !SEES_PROCESSES && "needs Linux: this system has no /proc";

describe("runTests()", () => {
  for (const runtime of RUNTIMES) {
    it(`passes what passes in ${runtime}`, async () => {
      const report = await run(runtime, "pass", `it("a", () => {}); it("b", () => {});`);
      assert.deepEqual(report, { counts: { passed: 2, failed: 0, skipped: 0 }, problems: [] });
    });

    it(`tells a failure, a file and a process left behind in ${runtime}, and ends the process`, {
      skip: withoutProc,
    }, async () => {
      const { counts, problems: [ended, process, file, ...others] } = await run(
        runtime,
        "careless",
        CARELESS,
      );
      assert.deepEqual(counts, { passed: 2, failed: 1, skipped: 0 });
      assert.equal(ended, `${runtime} ended with 1`);
      assert.match(
        process ?? "",
        /^A test left process \d+ behind, which inherited this run's environment: .*sleep 61$/,
      );
      assert.equal(file, 'A test left "forgotten.txt" in the temp folder');
      assert.deepEqual(others, []);
      const pid = Number(/process (\d+)/.exec(process ?? "")?.[1]);
      assert.equal(readProcesses().some((one) => one.pid === pid), false);
    });
  }

  it("fails a run without a test", async () => {
    assert.deepEqual((await run("node", "none", "")).problems, ["No test ran"]);
    assert.ok((await run("bun", "none", "")).problems.includes("No test ran"));
  });

  it("fails a run with a test that is skipped without a reason", async () => {
    const source =
      `it("a", () => {}); it("b", { skip: 1 > 0 }, () => {}); it("c", { skip: "no time" }, () => {});`;
    const { counts, problems } = await run("node", "skip", source);
    assert.deepEqual(counts, { passed: 1, failed: 0, skipped: 2 });
    assert.deepEqual(problems, ["A test is skipped without a reason: b"]);
  });

  it("ends and fails a run that does not end", async () => {
    const hang = `it("hangs", () => new Promise(() => setInterval(() => {}, 1000)));`;
    const { problems } = await run("bun", "hang", hang, 1_500);
    assert.ok(problems.includes("The run took too long and was ended"), problems.join());
  });
});
