import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferred, eventually } from "../../fakes/test_support/deferred.ts";
import { startFailure, SubagentAbortedError, SubagentFailure } from "../seam/errors.ts";
import type { HostFailure } from "../seam/host_failure.ts";
import { Subagents } from "../seam/subagents.ts";
import type { ProviderStartRequest, SubagentResult, SubagentRun } from "../seam/types.ts";
import {
  type DelegationRequest,
  delegationRunner,
  type DelegationRunnerOptions,
  delegationWork,
} from "./delegation.ts";
import {
  ALL_CAPABILITIES,
  assertNoSecret,
  completed,
  hostileThrowables,
  providerOf,
  type ProviderParts,
  runOf,
} from "./delegation_fixtures_test.ts";
import { localJobs } from "./local_jobs.ts";
import type { LocalJobs } from "./local_jobs_options.ts";

const PARENT = { id: "parent", cwd: "/srv" };

/** Local jobs that delegate to one provider. */
function jobsOf(
  provider: ProviderParts,
  options: DelegationRunnerOptions = {},
): { readonly jobs: LocalJobs; readonly failures: HostFailure[] } {
  const failures: HostFailure[] = [];
  const subagents = new Subagents({ onHostFailure: (failure) => failures.push(failure) });
  subagents.register(providerOf(provider));
  return { jobs: localJobs({ run: delegationRunner(subagents, options) }), failures };
}

function delegate(jobs: LocalJobs, request: object = {}, provider = "stub") {
  const work = delegationWork({ provider, request: { prompt: "look", ...request } });
  return jobs.start({ kind: "subagent", label: "look around", owner: PARENT, work });
}

describe("delegationWork()", () => {
  it("is frozen JSON that leaves out what is undefined", () => {
    const allow = ["read"];
    const work = delegationWork({
      provider: "acp",
      request: {
        prompt: "look",
        toolFilter: { allow },
        maxDepth: 3,
        persona: undefined,
      } as object as DelegationRequest,
    });
    allow.push("write");
    assert.deepEqual(work, {
      provider: "acp",
      request: { prompt: "look", toolFilter: { allow: ["read"] }, maxDepth: 3 },
    });
    assert.deepEqual(JSON.parse(JSON.stringify(work)), work);
    assert.ok(Object.isFrozen(work["request"]));
  });

  it("refuses what JSON would lose", () => {
    assert.throws(() => delegationWork({ provider: "a", request: { prompt: "b", maxDepth: NaN } }), {
      code: "INVALID_JOB",
      message: "invalid job work: a background delegation must be losslessly JSON-serializable",
    });
  });
});

describe("delegationRunner()", () => {
  it("asks the provider for what the work holds, with the owner as the parent", async () => {
    const requests: ProviderStartRequest[] = [];
    const { jobs } = jobsOf({
      capabilities: ALL_CAPABILITIES,
      start: (request) => {
        requests.push(request);
        return Promise.resolve(runOf({ result: completed("found it") }));
      },
    });
    const { id } = await delegate(jobs, {
      label: "l",
      persona: "p",
      maxDepth: 2,
      agentOptions: { model: "m" },
    });
    await jobs.wait(id);
    assert.equal((await jobs.read(id)).text, "found it");
    const { signal, descriptor: _, ...rest } = requests[0]!;
    assert.ok(signal instanceof AbortSignal);
    assert.deepEqual(rest, {
      prompt: [{ type: "text", text: "look" }],
      parent: PARENT,
      label: "l",
      agentOptions: { model: "m" },
      maxDepth: 2,
      persona: "p",
    });
    assert.equal(requests[0]!.parent, PARENT, "the object itself: an agent is a parent by identity");
  });

  it("takes the parent that the host finds for an owner", async () => {
    const agent = { id: "parent", cwd: "/elsewhere" };
    let parent: unknown;
    const { jobs } = jobsOf({
      start: (request) => {
        parent = request.parent;
        return Promise.resolve(runOf({ result: completed("x") }));
      },
    }, { parentOf: ({ id }) => id === "parent" ? agent : PARENT });
    await delegate(jobs);
    assert.equal(parent, agent);
  });

  it("settles as killed when it is ended while its child starts", async () => {
    const { jobs } = jobsOf({
      start: ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(new SubagentAbortedError("ACP")));
        }),
    });
    const { id } = await delegate(jobs);
    await jobs.kill(id);
    assert.equal((await jobs.wait(id)).status, "killed");
  });

  it("settles as failed when it is ended while its child starts, and that leaves something behind", async () => {
    const leftover = new SubagentFailure({ provider: "ACP", stage: "teardown", category: "unknown" });
    const { jobs } = jobsOf({
      start: ({ signal }) =>
        new Promise((_, reject) => {
          const error = startFailure(new SubagentAbortedError("ACP"), leftover);
          signal?.addEventListener("abort", () => reject(error));
        }),
    });
    const { id } = await delegate(jobs);
    await jobs.kill(id);
    const job = await jobs.wait(id);
    assert.equal(
      job.status === "failed" && job.detail,
      "AggregateError: Subagent failure (provider: ACP; stage: teardown; category: unknown)",
    );
  });

  it("settles as killed when it is ended while its child works, once the child is gone", async () => {
    const gone = deferred();
    const result = deferred<SubagentResult>();
    let reason: unknown;
    const { jobs } = jobsOf({
      start: ({ signal }) => {
        signal?.addEventListener("abort", () => {
          reason = signal.reason;
          result.resolve({ stopReason: "aborted", output: [{ type: "text", text: "part" }] });
        });
        return Promise.resolve(runOf({ result: result.promise, dispose: () => gone.promise }));
      },
    });
    const { id } = await delegate(jobs);
    await jobs.kill(id);
    await result.promise;
    assert.equal((await jobs.read(id)).job.status, "stopping");
    gone.resolve();
    assert.equal((await jobs.wait(id)).status, "killed");
    assert.equal((await jobs.read(id)).text, "");
    assert.equal(reason, "background subagent task killed");
  });

  it("settles as failed when there is no such provider", async () => {
    const { jobs } = jobsOf({});
    const { id } = await delegate(jobs, {}, "gone");
    const job = await jobs.wait(id);
    assert.equal(
      job.status === "failed" && job.detail,
      'SubagentError: no subagent provider registered for "gone"',
    );
  });

  for (
    const [fact, work] of [
      ["no provider", { request: { prompt: "x" } }],
      ["no request", { provider: "stub" }],
      ["a list for a request", { provider: "stub", request: [] }],
    ] as const
  ) {
    it(`settles as failed when the work has ${fact}`, async () => {
      const { jobs } = jobsOf({});
      const job = await jobs.start({ kind: "subagent", label: "l", owner: PARENT, work });
      assert.equal(job.status === "failed" && job.detail, "unknown error");
    });
  }

  it("settles as failed when the job is of another kind", async () => {
    const { jobs } = jobsOf({});
    const work = delegationWork({ provider: "stub", request: { prompt: "x" } });
    const job = await jobs.start({ kind: "build", label: "l", owner: PARENT, work });
    assert.equal(job.status, "failed");
  });

  for (const [name, thrown] of hostileThrowables()) {
    for (const stage of ["start", "result", "dispose"] as const) {
      it(`keeps ${name} of a provider's ${stage} from everything that a model sees`, async () => {
        const { jobs, failures } = jobsOf({ start: () => failingAt(stage, thrown) });
        const notices: unknown[] = [];
        jobs.onNotice("parent", (notice) => void notices.push(notice));
        const { id } = await delegate(jobs);
        await jobs.wait(id);
        await eventually(() => notices.length === 1, "the notice");
        const seen = [notices, await jobs.read(id), await jobs.list(), await jobs.kill(id)];
        assertNoSecret(seen);
        const { job } = await jobs.read(id);
        assert.equal(job.status, "failed");
        assert.match(job.status === "failed" ? job.detail : "", /^(?:dispose failed: )?SubagentFailure: /);
        // A failure of ours was reported by the provider that made it.
        const isOurs = name === "a failure of ours with another message";
        assert.equal(failures.some(({ error }) => error === thrown), !isOurs);
      });
    }
  }
});

function failingAt(stage: "start" | "result" | "dispose", thrown: unknown): Promise<SubagentRun> {
  if (stage === "start") return Promise.reject(thrown);
  return Promise.resolve(runOf({
    result: stage === "result" ? Promise.reject(thrown) : completed("x"),
    dispose: () => stage === "dispose" ? Promise.reject(thrown) : Promise.resolve(),
  }));
}
