import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferred } from "../../fakes/test_support/deferred.ts";
import type { JobNotice } from "./jobs_types.ts";
import { type Bench, benchOf, requestOf, settleDown } from "./local_jobs_fixtures_test.ts";

/** Starts a job of `parent` and settles it. */
async function finish({ jobs, work }: Bench, owner = "parent"): Promise<void> {
  const { id } = await jobs.start(requestOf({ owner: { id: owner } }));
  work.at(-1)!.resolve({ status: "completed", output: "yes" });
  await jobs.wait(id);
}

/** A listener that remembers, and does what it is told. */
function listenerOf(answer: (notice: JobNotice) => PromiseLike<void> | void = () => {}) {
  const heard: string[] = [];
  const listen = (notice: JobNotice) => {
    heard.push(notice.job.id);
    return answer(notice);
  };
  return { heard, listen };
}

describe("localJobs().onNotice()", () => {
  it("tells the owner in words and as data, once", async () => {
    const bench = benchOf();
    const notices: JobNotice[] = [];
    bench.jobs.onNotice("parent", (notice) => void notices.push(notice));
    await finish(bench);
    await settleDown();
    const { job } = await bench.jobs.read("subagent-1");
    assert.deepEqual(notices, [{
      job,
      text: "background job subagent-1 (subagent: look around) finished [status: completed]. " +
        "Read its output with job_output.",
    }]);
    assert.ok(Object.isFrozen(notices[0]) && Object.isFrozen(notices[0]?.job));
  });

  it("names the failed job in its notice, not another one that ended at the same time", async () => {
    const { jobs, work } = benchOf();
    const texts: string[] = [];
    jobs.onNotice("parent", ({ text }) => void texts.push(text));
    await jobs.start(requestOf({ label: "first" }));
    await jobs.start(requestOf({ label: "second" }));
    work[1]!.resolve({ status: "failed", detail: "refusal" });
    work[0]!.resolve({ status: "completed", output: "yes" });
    await settleDown();
    assert.deepEqual(texts, [
      "background job subagent-2 (subagent: second) finished [status: failed, refusal]. " +
      "Read its output with job_output.",
      "background job subagent-1 (subagent: first) finished [status: completed]. " +
      "Read its output with job_output.",
    ]);
  });

  it("tells a listener that comes later of what nobody was told of", async () => {
    const bench = benchOf();
    await finish(bench);
    await finish(bench, "other");
    const { heard, listen } = listenerOf();
    bench.jobs.onNotice("parent", listen);
    assert.deepEqual(heard, [], "never within the call");
    await settleDown();
    assert.deepEqual(heard, ["subagent-1"]);
    const next = listenerOf();
    bench.jobs.onNotice("parent", next.listen);
    await settleDown();
    assert.deepEqual(next.heard, []);
  });

  it("tells nobody of a job that was read, or killed, before its notice", async () => {
    const bench = benchOf();
    const { jobs, work } = bench;
    await finish(bench);
    await jobs.read("subagent-1");
    await jobs.start(requestOf());
    await jobs.kill("subagent-2");
    work[1]!.resolve({ status: "killed" });
    await settleDown();
    const { heard, listen } = listenerOf();
    jobs.onNotice("parent", listen);
    await settleDown();
    assert.deepEqual(heard, []);
  });

  for (
    const [fact, fail] of [
      ["throws", () => {
        throw new Error("busy");
      }],
      ["rejects", () => Promise.reject(new Error("busy"))],
    ] as const
  ) {
    it(`tells a listener that ${fact} again after a while, until it does not`, async () => {
      const bench = benchOf({ noticeRetryMs: 100 });
      let isBusy = true;
      const { heard, listen } = listenerOf(() => isBusy ? fail() : undefined);
      bench.jobs.onNotice("parent", listen);
      await finish(bench);
      await finish(bench);
      await settleDown();
      assert.deepEqual(heard, ["subagent-1", "subagent-2"]);
      bench.clock.advance(100);
      await settleDown();
      isBusy = false;
      bench.clock.advance(100);
      await settleDown();
      assert.deepEqual(heard.slice(2), ["subagent-1", "subagent-2", "subagent-1", "subagent-2"]);
      assert.equal(bench.clock.pending, 0);
      assert.deepEqual(bench.failures.map(({ jobId, operation }) => [jobId, operation]), [
        ["subagent-1", "notice"],
        ["subagent-2", "notice"],
        ["subagent-1", "notice"],
        ["subagent-2", "notice"],
      ]);
    });
  }

  it("tells the others when one throws, and then nobody again", async () => {
    const bench = benchOf();
    const bad = listenerOf(() => {
      throw new Error("no");
    });
    const good = listenerOf();
    bench.jobs.onNotice("parent", bad.listen);
    bench.jobs.onNotice("parent", good.listen);
    await finish(bench);
    await settleDown();
    bench.clock.advance(5000);
    await settleDown();
    assert.deepEqual([bad.heard, good.heard], [["subagent-1"], ["subagent-1"]]);
  });

  it("leaves a notice for the next listener while one has not answered", async () => {
    const bench = benchOf();
    const answer = deferred();
    const slow = listenerOf(() => answer.promise);
    const end = bench.jobs.onNotice("parent", slow.listen);
    await finish(bench);
    await settleDown();
    end();
    const next = listenerOf();
    bench.jobs.onNotice("parent", next.listen);
    await settleDown();
    assert.deepEqual([slow.heard, next.heard], [["subagent-1"], ["subagent-1"]]);
    answer.resolve();
  });

  it("tells a listener that has left nothing more, and sets no timer for it", async () => {
    const bench = benchOf();
    const { heard, listen } = listenerOf(() => {
      throw new Error("no");
    });
    const end = bench.jobs.onNotice("parent", listen);
    await finish(bench);
    await settleDown();
    assert.equal(bench.clock.pending, 1);
    end();
    end();
    await finish(bench);
    await settleDown();
    assert.deepEqual([heard, bench.clock.pending], [["subagent-1"], 0]);
  });

  it("lets a listener read the job and start another", async () => {
    const bench = benchOf();
    const texts: string[] = [];
    bench.jobs.onNotice("parent", async ({ job }) => {
      texts.push((await bench.jobs.read(job.id)).text);
      await bench.jobs.start(requestOf({ label: "next" }));
    });
    await finish(bench);
    await settleDown();
    assert.deepEqual([texts, bench.work.length], [["yes"], 2]);
  });

  it("tells nobody of jobs that end with their owner or with the service", async () => {
    const bench = benchOf({}, (work) => work.resolve({ status: "killed" }));
    const { heard, listen } = listenerOf();
    bench.jobs.onNotice("parent", listen);
    bench.jobs.onNotice("other", listen);
    for (const id of ["parent", "other"]) await bench.jobs.start(requestOf({ owner: { id } }));
    await bench.jobs.disposeOwner("parent");
    await bench.jobs.dispose();
    await settleDown();
    assert.deepEqual(heard, []);
  });
});
