import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertNoSecret, hostileThrowables } from "./delegation_fixtures_test.ts";
import type { JobRunner } from "./jobs_types.ts";
import { benchOf, requestOf, settleDown } from "./local_jobs_fixtures_test.ts";

describe("localJobs().disposeOwner()", () => {
  it("ends the jobs of the owner, waits for them, and forgets them", async () => {
    const { jobs, work } = benchOf();
    for (const id of ["parent", "other", "parent"]) await jobs.start(requestOf({ owner: { id } }));
    let isOver = false;
    const ending = jobs.disposeOwner("parent").finally(() => isOver = true);
    assert.deepEqual(work.map(({ cancels }) => cancels), [["owner disposed"], [], ["owner disposed"]]);
    work[0]!.resolve({ status: "killed" });
    await settleDown();
    assert.equal(isOver, false);
    work[2]!.resolve({ status: "completed", output: "yes" });
    assert.deepEqual((await ending).map(({ id, status }) => [id, status]), [
      ["subagent-1", "killed"],
      ["subagent-3", "completed"],
    ]);
    assert.deepEqual((await jobs.list()).map(({ id }) => id), ["subagent-2"]);
    await assert.rejects(jobs.read("subagent-1"), { message: "unknown job subagent-1" });
  });

  it("lets the owner start nothing meanwhile, and one with its id afterwards", async () => {
    const { jobs, work } = benchOf();
    await jobs.start(requestOf());
    const ending = jobs.disposeOwner("parent");
    await assert.rejects(jobs.start(requestOf()), {
      code: "OWNER_NOT_LIVE",
      message: 'agent "parent" is not the registered agent instance (background job owner must be live)',
    });
    work[0]!.resolve({ status: "killed" });
    await ending;
    assert.equal((await jobs.start(requestOf())).id, "subagent-2");
  });

  it("does not tell a job to end that was told so before", async () => {
    const { jobs, work } = benchOf();
    await jobs.start(requestOf());
    await jobs.kill("subagent-1");
    const endings = [jobs.disposeOwner("parent"), jobs.disposeOwner("parent")];
    work[0]!.resolve({ status: "killed" });
    assert.deepEqual((await Promise.all(endings)).map((ended) => ended.map(({ status }) => status)), [
      ["killed"],
      ["killed"],
    ]);
    assert.deepEqual(work[0]!.cancels, ["background subagent task killed"]);
  });

  it("has nothing to do for an owner without jobs", async () => {
    assert.deepEqual(await benchOf().jobs.disposeOwner("nobody"), []);
  });

  for (const [name, thrown] of hostileThrowables()) {
    it(`settles a job as failed whose cancel throws ${name}`, async () => {
      const { jobs, work, failures } = benchOf({}, () => {
        throw thrown;
      });
      await jobs.start(requestOf());
      const [job] = await jobs.disposeOwner("parent");
      assertNoSecret(job);
      const isOurs = name === "a failure of ours with another message";
      const why = isOurs
        ? "SubagentFailure: Subagent failure (provider: stub; stage: start; category: unknown)"
        : "unknown error";
      assert.deepEqual(
        job?.status === "failed" && job.detail,
        `cancel threw during teardown; work may be orphaned: ${why}`,
      );
      assert.equal(failures[0]?.error, thrown);
      work[0]!.resolve({ status: "killed" }); // too late: a job settles once
      await settleDown();
      assert.equal(job?.status, "failed");
    });
  }
});

describe("localJobs().dispose()", () => {
  it("ends all jobs and waits for them; they stay readable", async () => {
    const { jobs, work } = benchOf({}, (one) => one.resolve({ status: "killed" }));
    for (const id of ["parent", "other"]) await jobs.start(requestOf({ owner: { id } }));
    await jobs.dispose();
    assert.deepEqual(work.map(({ cancels }) => cancels), [
      ["jobs service disposed"],
      ["jobs service disposed"],
    ]);
    assert.equal((await jobs.read("subagent-2")).job.status, "killed");
  });

  it("lets nothing start any more, and happens once", async () => {
    const { jobs } = benchOf();
    const first = jobs.dispose();
    assert.equal(jobs.dispose(), first);
    await jobs[Symbol.asyncDispose]();
    await assert.rejects(jobs.start(requestOf()), {
      code: "UNAVAILABLE",
      message: "background jobs unavailable: jobs service disposed",
    });
  });

  it("ends a job that is only just beginning", async () => {
    const service: { dispose?: () => Promise<void> } = {};
    const reasons: string[] = [];
    const run: JobRunner = () => {
      void service.dispose?.();
      let settle: () => void = () => {};
      return {
        cancel: (reason) => {
          reasons.push(reason);
          settle();
        },
        done: new Promise((resolve) => settle = () => resolve({ status: "killed" })),
      };
    };
    const { jobs } = benchOf({ run });
    service.dispose = jobs.dispose;
    await jobs.start(requestOf());
    await jobs.dispose();
    assert.deepEqual(reasons, ["jobs service disposed"]);
    assert.equal((await jobs.read("subagent-1")).job.status, "killed");
  });

  it("waits for no job that cannot even be told to end while it begins", async () => {
    const service: { dispose?: () => Promise<void> } = {};
    const run: JobRunner = () => {
      void service.dispose?.();
      return {
        cancel: () => {
          throw new Error("no");
        },
        done: new Promise(() => {}),
      };
    };
    const { jobs } = benchOf({ run });
    service.dispose = jobs.dispose;
    const job = await jobs.start(requestOf());
    await jobs.dispose();
    assert.equal(
      job.status === "failed" && job.detail,
      "cancel threw during teardown; work may be orphaned: unknown error",
    );
  });
});
