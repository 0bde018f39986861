import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { watchedAbort } from "../../fakes/test_support/leaks.ts";
import { JobError } from "./job_error.ts";
import { benchOf, requestOf, settleDown } from "./local_jobs_fixtures_test.ts";

describe("localJobs().wait()", () => {
  it("gives the job once it is settled", async () => {
    const { jobs, work, clock } = benchOf();
    await jobs.start(requestOf());
    const waiting = jobs.wait("subagent-1", { owner: "parent", timeoutMs: 50 });
    clock.advance(7);
    work[0]!.resolve({ status: "completed", output: "yes" });
    const job = await waiting;
    assert.deepEqual([job.status, job.status === "completed" && job.settledAt], ["completed", 1007]);
    assert.equal(clock.pending, 0);
  });

  it("gives the live job when the time is over", async () => {
    const { jobs, clock } = benchOf();
    await jobs.start(requestOf());
    const waiting = jobs.wait("subagent-1", { timeoutMs: 50 });
    clock.advance(49);
    await settleDown();
    assert.equal(clock.pending, 1);
    clock.advance(1);
    assert.equal((await waiting).status, "running");
  });

  it("gives a settled job at once, also with an aborted signal", async () => {
    const { jobs, work, clock } = benchOf();
    await jobs.start(requestOf());
    work[0]!.resolve({ status: "killed" });
    await jobs.wait("subagent-1");
    const job = await jobs.wait("subagent-1", { timeoutMs: 1, signal: AbortSignal.abort() });
    assert.deepEqual([job.status, clock.pending], ["killed", 0]);
  });

  it("rejects when the signal is aborted, and leaves the job and nothing else", async () => {
    const { jobs, work, clock } = benchOf();
    await jobs.start(requestOf());
    const { controller, signal, listeners } = watchedAbort();
    const waiting = jobs.wait("subagent-1", { timeoutMs: 50, signal });
    controller.abort();
    await assert.rejects(waiting, { code: "WAIT_ABORTED", message: "wait aborted" });
    await assert.rejects(jobs.wait("subagent-1", { signal }), { message: "wait aborted" });
    assert.deepEqual([work[0]!.cancels, listeners.size, clock.pending], [[], 0, 0]);
    assert.equal((await jobs.list())[0]?.status, "running");
  });

  it("leaves no listener when the job settles first", async () => {
    const { jobs, work } = benchOf();
    await jobs.start(requestOf());
    const { signal, listeners } = watchedAbort();
    const waiting = jobs.wait("subagent-1", { signal });
    assert.equal(listeners.size, 1);
    work[0]!.resolve({ status: "killed" });
    await waiting;
    assert.equal(listeners.size, 0);
  });

  it("keeps to what came first when the job settles and the signal is aborted at once", async () => {
    const { jobs, work } = benchOf();
    await jobs.start(requestOf());
    const controller = new AbortController();
    const waiting = jobs.wait("subagent-1", { signal: controller.signal });
    work[0]!.resolve({ status: "killed" });
    controller.abort();
    await assert.rejects(waiting, { message: "wait aborted" });
    assert.equal((await jobs.wait("subagent-1")).status, "killed");
  });

  it("sets no timer for Infinity and one that can be set for a month", async () => {
    const { jobs, clock } = benchOf();
    await jobs.start(requestOf());
    void jobs.wait("subagent-1", { timeoutMs: Infinity });
    assert.equal(clock.pending, 0);
    const waiting = jobs.wait("subagent-1", { timeoutMs: 2 ** 40 });
    clock.advance(2 ** 31 - 1);
    assert.equal((await waiting).status, "running");
  });

  const invalid: [got: string, timeout: unknown][] = [
    ["0", 0],
    ["-5", -5],
    ["NaN", NaN],
    ["string", "50"],
    ["null", null],
  ];
  for (const [got, timeoutMs] of invalid) {
    it(`refuses ${got} (${typeof timeoutMs}) as a time`, async () => {
      const { jobs } = benchOf();
      await jobs.start(requestOf());
      await assert.rejects(jobs.wait("subagent-1", { timeoutMs: timeoutMs as number }), (error) => {
        assert.ok(JobError.is(error));
        assert.equal(error.code, "INVALID_TIMEOUT");
        assert.equal(
          error.message,
          `invalid wait timeout: expected a positive number of milliseconds, got ${got}`,
        );
        return true;
      });
    });
  }
});
