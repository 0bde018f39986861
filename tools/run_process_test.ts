import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PROJECT_ROOT } from "./source/project_files.ts";
import { runProcess } from "./run_process.ts";

/** Runs a line of JavaScript under Node. */
function node(
  script: string,
  options: {
    timeoutMs?: number;
    onOutput?: (text: string) => void;
    env?: Record<string, string | undefined>;
  } = {},
) {
  return runProcess("node", ["-e", script], { cwd: PROJECT_ROOT, ...options });
}

describe("runProcess()", () => {
  it("gives exit code and output, stdout apart", async () => {
    const result = await node(
      `process.stdout.write("out\\n"); process.stderr.write("err\\n"); process.exitCode = 3;`,
    );
    assert.deepEqual({ ...result, output: result.output.split("\n").sort() }, {
      exitCode: 3,
      signal: null,
      timedOut: false,
      stdout: "out\n",
      output: ["", "err", "out"],
    });
  });

  it("passes output on as it comes", async () => {
    const seen: string[] = [];
    await node(`console.log("a")`, { onOutput: (text) => seen.push(text) });
    assert.equal(seen.join(""), "a\n");
  });

  it("gives the program exactly the environment named", async () => {
    const { stdout } = await node("console.log(process.env.ONLY, process.env.HOME)", {
      env: { PATH: process.env["PATH"], ONLY: "1" },
    });
    assert.equal(stdout, "1 undefined\n");
  });

  it("kills a program whose time is up", async () => {
    const result = await node("setInterval(() => {}, 1000)", { timeoutMs: 300 });
    assert.equal(result.timedOut, true);
    assert.equal(result.signal, "SIGKILL");
  });

  it("does not wait for a process that was left behind with the pipes", async () => {
    const started = Date.now();
    const { stdout, exitCode } = await node(
      `const { spawn } = require("node:child_process");
       const left = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], { stdio: "inherit", detached: true });
       console.log(left.pid);
       left.unref();`,
    );
    process.kill(Number(stdout), "SIGKILL");
    assert.equal(exitCode, 0);
    assert.ok(Date.now() - started < 30_000);
  });

  it("rejects when the program does not exist, with the cause", async () => {
    await assert.rejects(runProcess("no-such-program-here", [], { cwd: PROJECT_ROOT }), (error: Error) => {
      assert.match(error.message, /^Cannot start "no-such-program-here" in "/);
      assert.equal((error.cause as { code?: string }).code, "ENOENT");
      return true;
    });
  });

  it("leaves no listener on this process", async () => {
    const before = process.listenerCount("SIGINT") + process.listenerCount("SIGTERM");
    await node("");
    assert.equal(process.listenerCount("SIGINT") + process.listenerCount("SIGTERM"), before);
  });
});
