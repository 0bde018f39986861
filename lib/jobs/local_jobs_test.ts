import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SubagentFailure } from "../seam/errors.ts";
import { assertNoSecret, hostileThrowables, SECRET } from "./delegation_fixtures_test.ts";
import { JobError, type JobErrorCode } from "./job_error.ts";
import type { JobOutcome, JobRequest } from "./jobs_types.ts";
import { benchOf, requestOf, settleDown } from "./local_jobs_fixtures_test.ts";
import { localJobs } from "./local_jobs.ts";
import type { LocalJobsOptions } from "./local_jobs_options.ts";

/** Says that a call is refused, in which words and with which code. */
async function assertRefused(call: Promise<unknown>, code: JobErrorCode, message: string): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(JobError.is(error), String(error));
    assert.deepEqual([error.code, error.message], [code, message]);
    return true;
  });
}

describe("localJobs()", () => {
  const rows: [fact: string, options: unknown, message: string][] = [
    ["needs a runner", {}, 'localJobs(): option "run" is required'],
    [
      "refuses a runner that is no function",
      { run: 1 },
      'localJobs(): option "run" must be a function, got number',
    ],
    [
      "refuses a limit of 0",
      { run: () => {}, limit: 0 },
      'localJobs(): option "limit" must be a positive safe integer, got number',
    ],
    [
      "refuses an option that there is not",
      { run: () => {}, limits: 1 },
      'localJobs(): there is no option "limits"; did you mean "limit"?',
    ],
  ];
  for (const [fact, options, message] of rows) {
    it(fact, () => {
      assert.throws(() => localJobs(options as LocalJobsOptions), { name: "TypeError", message });
    });
  }
});

describe("localJobs().start()", () => {
  it("gives a running job, numbered from 1 for each kind", async () => {
    const { jobs } = benchOf();
    const started = [
      await jobs.start(requestOf()),
      await jobs.start(requestOf({ kind: "build" })),
      await jobs.start(requestOf({ owner: { id: "other" } })),
    ];
    assert.deepEqual(started.map(({ id }) => id), ["subagent-1", "build-1", "subagent-2"]);
    assert.deepEqual(started[0], {
      id: "subagent-1",
      kind: "subagent",
      label: "look around",
      owner: "parent",
      startedAt: 1000,
      status: "running",
    });
  });

  it("hands the runner the owner itself and a frozen copy of the work", async () => {
    const { jobs, work } = benchOf();
    const owner = { id: "parent", cwd: "/srv" };
    const task = { list: [1] };
    await jobs.start(requestOf({ owner, work: task }));
    task.list.push(2);
    const assignment = work[0]!.assignment;
    assert.equal(assignment.owner, owner);
    assert.deepEqual(assignment.work, { list: [1] });
    assert.ok(Object.isFrozen(assignment.work) && Object.isFrozen(assignment.work["list"]));
  });

  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const invalid: [fact: string, request: unknown, message: string][] = [
    ["no request", undefined, "invalid job request: expected an object"],
    ["an empty kind", requestOf({ kind: "" }), "invalid job kind: expected a non-empty string"],
    [
      "a kind that is no string",
      { ...requestOf(), kind: 7 },
      "invalid job kind: expected a non-empty string",
    ],
    ["an empty label", requestOf({ label: "" }), "invalid job label: expected a non-empty string"],
    [
      "an owner without an id",
      { ...requestOf(), owner: {} },
      "invalid job owner: expected an object whose id is a non-empty string",
    ],
    ["an empty key", requestOf({ key: "" }), "invalid job key: expected a non-empty string"],
    [
      "work that contains itself",
      { ...requestOf(), work: circular },
      "invalid job work: expected a losslessly JSON-serializable object",
    ],
    [
      "work that is a list",
      { ...requestOf(), work: [] },
      "invalid job work: expected a losslessly JSON-serializable object",
    ],
    [
      "work that throws its own text",
      {
        ...requestOf(),
        work: Object.defineProperty({}, "a", {
          enumerable: true,
          get: () => {
            throw new Error(SECRET);
          },
        }),
      },
      "invalid job work: expected a losslessly JSON-serializable object",
    ],
  ];
  for (const [fact, request, message] of invalid) {
    it(`refuses ${fact}`, async () => {
      const { jobs, work } = benchOf();
      await assertRefused(jobs.start(request as JobRequest), "INVALID_JOB", message);
      assert.deepEqual(work, []);
    });
  }

  it("refuses an owner that is not live", async () => {
    const { jobs } = benchOf({ ownerState: ({ id }) => id === "parent" ? "not-live" : "live" });
    await assertRefused(
      jobs.start(requestOf()),
      "OWNER_NOT_LIVE",
      'agent "parent" is not the registered agent instance (background job owner must be live)',
    );
    assert.equal((await jobs.start(requestOf({ owner: { id: "other" } }))).status, "running");
  });

  it("refuses an owner that would never see what came of it", async () => {
    const { jobs } = benchOf({ ownerState: () => "uncontrolled" });
    await assertRefused(
      jobs.start(requestOf()),
      "UNAVAILABLE",
      "background jobs unavailable: no job controller serves this agent (give it the job tools)",
    );
  });

  it("lets one owner have 10 active jobs, those that are stopping included", async () => {
    const { jobs, work } = benchOf();
    for (let index = 0; index < 10; index++) await jobs.start(requestOf());
    await jobs.kill("subagent-3");
    const message = "background job limit reached for this owner (limit: 10); " +
      "use job_kill to stop an unneeded job, wait for it to finish, then retry";
    await assertRefused(jobs.start(requestOf()), "LIMIT_REACHED", message);
    assert.equal((await jobs.start(requestOf({ owner: { id: "other" } }))).id, "subagent-11");
    work[2]!.resolve({ status: "killed" });
    await jobs.wait("subagent-3");
    assert.equal((await jobs.start(requestOf())).id, "subagent-12");
  });

  it("names the limit that was set", async () => {
    const { jobs } = benchOf({ limit: 1 });
    await jobs.start(requestOf());
    await assert.rejects(jobs.start(requestOf()), /\(limit: 1\)/);
  });

  for (const [name, thrown] of hostileThrowables()) {
    it(`settles a job as failed whose runner throws ${name}, and hides it`, async () => {
      const { jobs, failures } = benchOf({
        run: () => {
          throw thrown;
        },
      });
      const started = await jobs.start(requestOf());
      assertNoSecret([started, await jobs.read(started.id), await jobs.list()]);
      assert.equal(started.status, "failed");
      assert.deepEqual(failures.map(({ jobId, operation }) => [jobId, operation]), [["subagent-1", "run"]]);
      assert.equal(failures[0]?.error, thrown);
    });
  }
});

describe("localJobs().start() with a key", () => {
  it("gives the job that is there, also when it is settled or the limit is reached", async () => {
    const { jobs, work } = benchOf({ limit: 1 });
    const request = requestOf({ key: "call-1", work: { a: 1, b: 2 } });
    const first = await jobs.start(request);
    assert.deepEqual(await jobs.start({ ...request, work: { b: 2, a: 1 } }), first);
    work[0]!.resolve({ status: "completed", output: "yes" });
    await jobs.wait(first.id);
    const again = await jobs.start(request);
    assert.deepEqual([again.id, again.status, work.length], ["subagent-1", "completed", 1]);
  });

  for (
    const [fact, other] of [
      ["work", { work: { task: 2 } }],
      ["label", { label: "another" }],
      ["kind", { kind: "build" }],
    ] as const
  ) {
    it(`refuses the same key for another ${fact}`, async () => {
      const { jobs } = benchOf();
      await jobs.start(requestOf({ key: "call-1" }));
      await assertRefused(
        jobs.start(requestOf({ key: "call-1", ...other })),
        "KEY_CONFLICT",
        "the idempotency key belongs to job subagent-1, which was asked for otherwise",
      );
    });
  }

  it("keeps the keys of owners apart", async () => {
    const { jobs } = benchOf();
    await jobs.start(requestOf({ key: "call-1" }));
    const other = await jobs.start(requestOf({ key: "call-1", owner: { id: "other" } }));
    assert.equal(other.id, "subagent-2");
  });
});

describe("localJobs().read()", () => {
  it("gives nothing of a live job and the whole output of a completed one, each time", async () => {
    const { jobs, work } = benchOf();
    await jobs.start(requestOf());
    assert.deepEqual((await jobs.read("subagent-1")).text, "");
    work[0]!.resolve({ status: "completed", output: "the answer" });
    await jobs.wait("subagent-1");
    for (const _ of [1, 2]) {
      const { text, job } = await jobs.read("subagent-1", { owner: "parent" });
      assert.deepEqual([text, job.status], ["the answer", "completed"]);
    }
  });

  it("gives why a job failed, and no output", async () => {
    const { jobs, work } = benchOf();
    await jobs.start(requestOf());
    work[0]!.resolve({ status: "failed", detail: "refusal" });
    const settled = await jobs.wait("subagent-1");
    assert.deepEqual(await jobs.read("subagent-1"), { text: "", job: settled });
    assert.equal(settled.status === "failed" && settled.detail, "refusal");
  });

  for (const [name, thrown] of hostileThrowables()) {
    it(`hides ${name} that the work rejects with`, async () => {
      const { jobs, work, failures } = benchOf();
      await jobs.start(requestOf());
      work[0]!.reject(thrown);
      await jobs.wait("subagent-1");
      const reading = await jobs.read("subagent-1");
      assertNoSecret(reading);
      const isOurs = name === "a failure of ours with another message";
      const detail = isOurs
        ? "SubagentFailure: Subagent failure (provider: stub; stage: start; category: unknown)"
        : "unknown error";
      assert.equal(reading.job.status === "failed" && reading.job.detail, detail);
      assert.equal(failures[0]?.error, thrown);
    });
  }

  it("gives an error of ours that the work rejects with", async () => {
    const { jobs, work } = benchOf();
    await jobs.start(requestOf());
    work[0]!.reject(new SubagentFailure({ provider: "ACP", stage: "prompt", category: "transport" }));
    const job = await jobs.wait("subagent-1");
    assert.equal(
      job.status === "failed" && job.detail,
      "SubagentFailure: Subagent failure (provider: ACP; stage: prompt; category: transport)",
    );
  });

  for (const outcome of [undefined, { status: "done" }, { status: "completed" }, { status: "failed" }]) {
    it(`takes ${JSON.stringify(outcome)} for no outcome`, async () => {
      const { jobs, work, failures } = benchOf();
      await jobs.start(requestOf());
      work[0]!.resolve(outcome as JobOutcome);
      const job = await jobs.wait("subagent-1");
      assert.equal(job.status === "failed" && job.detail, "unknown error");
      assert.match(String(failures[0]?.error), /must fulfil with a JobOutcome/);
    });
  }
});

describe("localJobs() and other owners", () => {
  for (const method of ["read", "wait", "kill"] as const) {
    it(`refuses to ${method} a job that there is not`, async () => {
      const { jobs } = benchOf();
      await assertRefused(jobs[method]("subagent-7"), "UNKNOWN_JOB", "unknown job subagent-7");
    });

    it(`refuses to ${method} the job of another owner`, async () => {
      const { jobs, work } = benchOf();
      await jobs.start(requestOf());
      await assertRefused(
        jobs[method]("subagent-1", { owner: "other" }),
        "FOREIGN_JOB",
        "job subagent-1 belongs to another session",
      );
      assert.deepEqual(work[0]!.cancels, []);
    });
  }

  it("lists the jobs of one owner, or all, oldest first", async () => {
    const { jobs } = benchOf();
    for (const id of ["parent", "other", "parent"]) await jobs.start(requestOf({ owner: { id } }));
    const ids = async (owner?: string) => (await jobs.list({ owner })).map(({ id }) => id);
    assert.deepEqual(await ids("parent"), ["subagent-1", "subagent-3"]);
    assert.deepEqual(await ids("nobody"), []);
    assert.deepEqual(await ids(), ["subagent-1", "subagent-2", "subagent-3"]);
  });
});

describe("localJobs().kill()", () => {
  it("tells the work to end, for a reason", async () => {
    const { jobs, work } = benchOf();
    await jobs.start(requestOf());
    await jobs.start(requestOf());
    const killed = await jobs.kill("subagent-1");
    await jobs.kill("subagent-2", { reason: "no longer needed" });
    assert.deepEqual([killed.kind, killed.job.status], ["requested", "stopping"]);
    assert.deepEqual(work.map(({ cancels }) => cancels), [
      ["background subagent task killed"],
      ["no longer needed"],
    ]);
  });

  it("says of a settled job that it had finished, and changes nothing", async () => {
    const { jobs, work } = benchOf();
    await jobs.start(requestOf());
    work[0]!.resolve({ status: "completed", output: "yes" });
    const settled = await jobs.wait("subagent-1");
    assert.deepEqual(await jobs.kill("subagent-1"), { kind: "already-finished", job: settled });
    assert.deepEqual(work[0]!.cancels, []);
  });

  for (const [name, thrown] of hostileThrowables()) {
    it(`leaves a job as it was whose cancel throws ${name}`, async () => {
      let isBroken = true;
      const { jobs, work, failures } = benchOf({}, () => {
        if (isBroken) throw thrown;
      });
      await jobs.start(requestOf());
      await assert.rejects(jobs.kill("subagent-1"), (error) => {
        assertNoSecret(error);
        return JobError.is(error) && error.code === "CANCEL_FAILED" &&
          error.message.startsWith("could not cancel job subagent-1: ");
      });
      assert.equal((await jobs.list())[0]?.status, "running");
      assert.equal(failures[0]?.error, thrown);
      assert.equal(failures[0]?.operation, "cancel");
      isBroken = false;
      assert.equal((await jobs.kill("subagent-1")).job.status, "stopping");
      assert.equal(work[0]!.cancels.length, 2);
    });
  }
});

describe("localJobs() and memory", () => {
  it("forgets the oldest jobs that were read, with their keys, and none that was not", async () => {
    const { jobs, work } = benchOf({ remembered: 2 });
    for (let index = 0; index < 5; index++) {
      await jobs.start(requestOf({ key: `call-${index}` }));
      work[index]!.resolve({ status: "completed", output: "yes" });
      await jobs.wait(`subagent-${index + 1}`);
    }
    for (const id of ["subagent-2", "subagent-3", "subagent-4"]) await jobs.read(id);
    assert.deepEqual((await jobs.list()).map(({ id }) => id), [
      "subagent-1",
      "subagent-3",
      "subagent-4",
      "subagent-5",
    ]);
    assert.equal((await jobs.start(requestOf({ key: "call-1" }))).id, "subagent-6");
  });

  it("keeps a killed job until it is settled", async () => {
    const { jobs, work } = benchOf({ remembered: 1 });
    await jobs.start(requestOf());
    await jobs.kill("subagent-1");
    await jobs.start(requestOf());
    work[1]!.resolve({ status: "killed" });
    await jobs.wait("subagent-2");
    await jobs.read("subagent-2");
    assert.deepEqual((await jobs.list()).map(({ id }) => id), ["subagent-1", "subagent-2"]);
    work[0]!.resolve({ status: "killed" });
    await settleDown();
    assert.deepEqual((await jobs.list()).map(({ id }) => id), ["subagent-2"]);
  });
});
