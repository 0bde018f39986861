import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { JobOutcome, JobRunner, JobSnapshot } from "./jobs_types.ts";
import { benchOf, requestOf, settleDown } from "./local_jobs_fixtures_test.ts";

describe("localJobs() when things happen at once", () => {
  it("gives ten of fifteen starts the ten places", async () => {
    const { jobs, work } = benchOf();
    const starts = Array.from({ length: 15 }, () => jobs.start(requestOf()));
    const settled = await Promise.allSettled(starts);
    assert.equal(settled.filter(({ status }) => status === "fulfilled").length, 10);
    assert.equal(work.length, 10);
  });

  it("counts a job whose runner starts others", async () => {
    const inner: Promise<JobSnapshot>[] = [];
    const run: JobRunner = () => {
      if (inner.length < 3) inner.push(jobs.start(requestOf()));
      return { cancel: () => {}, done: new Promise(() => {}) };
    };
    const { jobs } = benchOf({ run, limit: 2 });
    await jobs.start(requestOf());
    const settled = await Promise.allSettled(inner);
    // The innermost is the last to ask, and the first whose promise is there.
    assert.deepEqual(settled.map(({ status }) => status), ["rejected", "fulfilled"]);
    assert.equal((await jobs.list()).length, 2);
  });

  it("starts one job for one key asked for twice at once", async () => {
    const { jobs, work } = benchOf();
    const [first, second] = await Promise.all([
      jobs.start(requestOf({ key: "k" })),
      jobs.start(requestOf({ key: "k" })),
    ]);
    assert.deepEqual([first.id, second.id, work.length], ["subagent-1", "subagent-1", 1]);
  });

  it("tells the work once of two kills", async () => {
    const { jobs, work } = benchOf();
    await jobs.start(requestOf());
    const kills = await Promise.all([jobs.kill("subagent-1"), jobs.kill("subagent-1")]);
    assert.deepEqual(kills.map(({ kind }) => kind), ["requested", "requested"]);
    assert.equal(work[0]!.cancels.length, 1);
  });

  it("tells the work once when it answers a kill with another", async () => {
    const { jobs, work } = benchOf({}, () => void jobs.kill("subagent-1"));
    await jobs.start(requestOf());
    await jobs.kill("subagent-1");
    assert.equal(work[0]!.cancels.length, 1);
  });

  it("passes a kill on that comes before the runner is back", async () => {
    const reasons: string[] = [];
    const run: JobRunner = ({ id }) => {
      void jobs.kill(id, { reason: "early" });
      return { cancel: (reason) => reasons.push(reason), done: new Promise(() => {}) };
    };
    const { jobs } = benchOf({ run });
    assert.equal((await jobs.start(requestOf())).status, "stopping");
    assert.deepEqual(reasons, ["early"]);
  });

  it("goes on with a job that could not be told to end before its runner was back", async () => {
    const run: JobRunner = ({ id }) => {
      void jobs.kill(id);
      return {
        cancel: () => {
          throw new Error("no");
        },
        done: new Promise(() => {}),
      };
    };
    const { jobs, failures } = benchOf({ run });
    assert.equal((await jobs.start(requestOf())).status, "running");
    assert.deepEqual(failures.map(({ operation }) => operation), ["cancel"]);
  });

  it("lets a job complete that was killed too late", async () => {
    const { jobs, work } = benchOf();
    await jobs.start(requestOf());
    work[0]!.resolve({ status: "completed", output: "yes" });
    assert.equal((await jobs.kill("subagent-1")).kind, "requested");
    assert.equal((await jobs.wait("subagent-1")).status, "completed");
    assert.equal((await jobs.read("subagent-1")).text, "yes");
  });

  it("settles once, whatever comes in whatever order", async () => {
    const outcomes: readonly JobOutcome[] = [
      { status: "completed", output: "yes" },
      { status: "failed", detail: "refusal" },
      { status: "killed" },
    ];
    const step = fc.oneof(
      fc.constantFrom(...outcomes).map((outcome) => ({ do: "settle", outcome }) as const),
      fc.constantFrom("kill", "read", "wait", "list", "turn").map((name) => ({ do: name })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { jobs, work } = benchOf();
        const notices: JobSnapshot[] = [];
        jobs.onNotice("parent", ({ job }) => void notices.push(job));
        await jobs.start(requestOf());
        let first: JobOutcome | undefined;
        let killedBefore = false;
        for (const each of steps) {
          if (each.do === "settle" && "outcome" in each) {
            first ??= each.outcome;
            work[0]!.resolve(each.outcome);
          }
          if (each.do === "kill") {
            await jobs.kill("subagent-1");
            killedBefore ||= first === undefined;
          }
          if (each.do === "read") await jobs.read("subagent-1");
          if (each.do === "list") await jobs.list();
          if (each.do === "wait" && first !== undefined) await jobs.wait("subagent-1");
          if (each.do === "turn") await settleDown();
        }
        await settleDown();
        const { job, text } = await jobs.read("subagent-1");
        assert.equal(job.status, first?.status ?? (killedBefore ? "stopping" : "running"));
        assert.equal(text, first?.status === "completed" ? first.output : "");
        assert.ok(notices.length <= 1);
        if (killedBefore || first === undefined) assert.deepEqual(notices, []);
        assert.ok(work[0]!.cancels.length <= 1);
      }),
      { numRuns: 300 },
    );
  });
});
