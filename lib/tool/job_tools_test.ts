import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertNoSecret, hostileThrowables } from "../jobs/delegation_fixtures_test.ts";
import type { JobOutcome, Jobs } from "../jobs/jobs_types.ts";
import { benchOf, requestOf, settleDown } from "../jobs/local_jobs_fixtures_test.ts";
import { jobTools } from "./job_tools.ts";

const CALL = { parent: { id: "parent" } };

/** Jobs of `parent`, one for each outcome; `undefined` goes on. */
async function toolsOf(...outcomes: (JobOutcome | undefined)[]) {
  const bench = benchOf();
  for (const outcome of outcomes) {
    const { id } = await bench.jobs.start(requestOf());
    if (outcome === undefined) continue;
    bench.work.at(-1)!.resolve(outcome);
    await bench.jobs.wait(id);
  }
  return { ...bench, tools: jobTools(bench.jobs) };
}

describe("jobTools()", () => {
  it("makes job_output, job_kill and job_list", () => {
    const tools = jobTools(benchOf().jobs);
    assert.deepEqual(Object.values(tools).map(({ name }) => name), ["job_output", "job_kill", "job_list"]);
  });

  for (const name of ["output", "kill", "list"] as const) {
    it(`refuses job_${name} without a caller, aborted or with input that is none`, async () => {
      const { tools: { [name]: tool } } = await toolsOf();
      await assert.rejects(tool.execute({ job_id: "x" }, { parent: undefined }), {
        message: `job_${name} tool requires a calling agent (exec.agent was undefined)`,
      });
      await assert.rejects(tool.execute({ job_id: "x" }, { ...CALL, signal: AbortSignal.abort() }), {
        message: "tool call aborted before dispatch",
      });
      await assert.rejects(tool.execute("x", CALL), {
        message: 'invalid arguments: "value" must be an object',
      });
    });
  }

  for (const [name, thrown] of hostileThrowables()) {
    it(`keeps ${name} of the jobs from the model, and gives it to the host`, async () => {
      const failures: unknown[] = [];
      const fail = () => Promise.reject(thrown);
      const jobs = { read: fail, kill: fail, list: fail, wait: fail } as unknown as Jobs;
      const tools = jobTools(jobs, { onFailure: (error) => failures.push(error) });
      for (const tool of Object.values(tools)) {
        const error = await tool.execute({ job_id: "subagent-1" }, CALL).catch((reason: unknown) => reason);
        assertNoSecret(error);
        assert.equal((error as Error).message, "background jobs unavailable: the jobs service failed");
      }
      assert.deepEqual(failures.map((error) => error === thrown), [true, true, true]);
    });
  }
});

describe("job_output", () => {
  const rows: [fact: string, outcome: JobOutcome | undefined, text: string][] = [
    ["a running job", undefined, "(no new output)\n[status: running]"],
    ["a completed job", { status: "completed", output: "the answer" }, "the answer\n[status: completed]"],
    ["a killed job", { status: "killed" }, "(no new output)\n[status: killed]"],
    [
      "a failed job",
      {
        status: "failed",
        detail:
          "error; diagnostic: Subagent failure (provider: DSH SDK; stage: session-run; category: child-error)",
      },
      "(no new output)\n" +
      "[status: failed, error; diagnostic: Subagent failure (provider: DSH SDK; stage: session-run; category: child-error)]",
    ],
  ];
  for (const [fact, outcome, text] of rows) {
    it(`gives output and status of ${fact}`, async () => {
      const { tools, jobs } = await toolsOf(outcome);
      const result = await tools.output.execute({ job_id: "subagent-1" }, CALL);
      assert.equal(result.text, text);
      assert.deepEqual(result.value, await jobs.read("subagent-1"));
    });
  }

  it("waits for the job as long as it is told to", async () => {
    const { tools, work, clock } = await toolsOf(undefined, undefined);
    const early = tools.output.execute({ job_id: "subagent-1", wait_ms: 50 }, CALL);
    work[0]!.resolve({ status: "completed", output: "yes" });
    assert.equal((await early).text, "yes\n[status: completed]");
    const late = tools.output.execute({ job_id: "subagent-2", wait_ms: 50 }, CALL);
    await settleDown();
    clock.advance(50);
    assert.equal((await late).text, "(no new output)\n[status: running]");
  });

  it("stops waiting with its call", async () => {
    const { tools, work } = await toolsOf(undefined);
    const controller = new AbortController();
    const { signal } = controller;
    const waiting = tools.output.execute({ job_id: "subagent-1", wait_ms: 50 }, { ...CALL, signal });
    controller.abort();
    await assert.rejects(waiting, { message: "wait aborted" });
    assert.deepEqual(work[0]!.cancels, []);
  });

  const refusals: [input: object, message: string][] = [
    [{ job_id: "subagent-9" }, "unknown job subagent-9"],
    [{}, 'invalid arguments: missing required property "value.job_id"'],
    [
      { job_id: "subagent-1", wait_ms: 0 },
      "invalid wait timeout: expected a positive number of milliseconds, got 0",
    ],
  ];
  for (const [input, message] of refusals) {
    it(`refuses ${JSON.stringify(input)}`, async () => {
      const { tools } = await toolsOf(undefined);
      await assert.rejects(tools.output.execute(input, CALL), { message });
    });
  }
});

describe("job_kill", () => {
  it("asks the job to end, then says that it had", async () => {
    const { tools, work, jobs } = await toolsOf(undefined);
    const kill = () => tools.kill.execute({ job_id: "subagent-1" }, CALL);
    assert.equal((await kill()).text, "requested cancellation of job subagent-1");
    assert.deepEqual(work[0]!.cancels, ["background subagent task killed"]);
    work[0]!.resolve({ status: "killed" });
    await jobs.wait("subagent-1");
    assert.equal((await kill()).text, "job subagent-1 had already finished [status: killed]");
  });
});

describe("job_list", () => {
  it("lists the jobs of the caller", async () => {
    const { tools, jobs } = await toolsOf(undefined, { status: "killed" });
    await jobs.start(requestOf({ owner: { id: "other" } }));
    assert.equal(
      (await tools.list.execute({}, CALL)).text,
      "subagent-1 [subagent] running — look around\nsubagent-2 [subagent] killed — look around",
    );
    assert.equal((await tools.list.execute({}, { parent: { id: "new" } })).text, "(no background jobs)");
  });
});

describe("the job tools of another parent", () => {
  for (const name of ["output", "kill"] as const) {
    it(`refuse job_${name}`, async () => {
      const { tools, work } = await toolsOf(undefined);
      await assert.rejects(tools[name].execute({ job_id: "subagent-1" }, { parent: { id: "other" } }), {
        message: "job subagent-1 belongs to another session",
      });
      assert.deepEqual(work[0]!.cancels, []);
    });
  }
});
