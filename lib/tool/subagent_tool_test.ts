import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferred } from "../../fakes/test_support/deferred.ts";
import { assertOutputSchema } from "../schema/assert_output_schema.ts";
import { delegationRunner } from "../jobs/delegation.ts";
import {
  ALL_CAPABILITIES,
  assertNoSecret,
  completed,
  hostileThrowables,
  providerOf,
  type ProviderParts,
  runOf,
  SECRET,
} from "../jobs/delegation_fixtures_test.ts";
import { JobError } from "../jobs/job_error.ts";
import type { JobRequest, Jobs } from "../jobs/jobs_types.ts";
import { localJobs } from "../jobs/local_jobs.ts";
import type { LocalJobs } from "../jobs/local_jobs_options.ts";
import { SubagentDepthError } from "../seam/depth_error.ts";
import { startFailure, SubagentAbortedError, SubagentFailure } from "../seam/errors.ts";
import type { HostFailure } from "../seam/host_failure.ts";
import { Subagents } from "../seam/subagents.ts";
import type { ProviderStartRequest, SubagentResult } from "../seam/types.ts";
import type { SubagentToolConfig } from "./subagent_tool_config.ts";
import { type SubagentTool, subagentTool, type SubagentToolOptions } from "./subagent_tool.ts";

const PARENT = { id: "parent", cwd: "/srv" };
const INPUT = { description: "look around", prompt: "Look around and tell" };

interface Bench {
  readonly tool: SubagentTool;
  readonly jobs: LocalJobs;
  readonly failures: HostFailure[];
  readonly requests: ProviderStartRequest[];
}

function benchOf(
  provider: ProviderParts = {},
  config: Partial<SubagentToolConfig> = {},
  options: (jobs: LocalJobs) => SubagentToolOptions = (jobs) => ({ jobs }),
): Bench {
  const failures: HostFailure[] = [];
  const requests: ProviderStartRequest[] = [];
  const subagents = new Subagents({ onHostFailure: (failure) => failures.push(failure) });
  const stub = providerOf(provider);
  subagents.register({
    ...stub,
    start: (request, context) => {
      requests.push(request);
      return stub.start(request, context);
    },
  });
  const jobs = localJobs({ run: delegationRunner(subagents) });
  const tool = subagentTool(
    subagents,
    { provider: "stub", maxDepth: "provider-managed", ...config },
    options(jobs),
  );
  return { tool, jobs, failures, requests };
}

async function errorOf(call: Promise<unknown>): Promise<Error> {
  return await call.then(
    () => assert.fail("the call went well"),
    (error: unknown) => {
      assert.ok(error instanceof Error);
      return error;
    },
  );
}

describe("subagentTool()", () => {
  it("refuses a provider that is not registered", () => {
    assert.throws(() => subagentTool(new Subagents(), { provider: "acp" }), {
      code: "NO_PROVIDER",
      message: 'no subagent provider registered for "acp"',
    });
  });

  it("refuses a provider that cannot enforce the default depth", () => {
    const subagents = new Subagents();
    subagents.register(providerOf());
    assert.throws(() => subagentTool(subagents, { provider: "stub" }), {
      message: 'subagent tool: provider "stub" cannot enforce maxDepth (no depthLimit capability) — ' +
        "set maxDepth: 'provider-managed' to leave the recursion budget to the provider",
    });
  });

  it("refuses jobs that are none", () => {
    assert.throws(() => benchOf({}, {}, () => ({ jobs: {} as Jobs })), {
      message: 'subagentTool(): option "jobs" must be an object with a method start(), got object',
    });
  });

  it("is called subagent unless it is named", () => {
    assert.equal(benchOf().tool.name, "subagent");
    assert.equal(benchOf({}, { toolName: "delegate" }).tool.name, "delegate");
  });

  it("words a fresh child and a forked one differently", () => {
    const fresh = benchOf({ inheritsParentContext: false }).tool;
    const forked = benchOf({ inheritsParentContext: true }).tool;
    assert.match(fresh.description, /empty conversation/);
    assert.doesNotMatch(fresh.description, /last completed turn/);
    assert.match(forked.description, /last completed turn/);
    assert.doesNotMatch(forked.description, /empty conversation/);
  });

  it("takes a description and a prompt, and run_in_background where that is offered", () => {
    const names = ({ inputSchema }: SubagentTool) => Object.keys(inputSchema["properties"] as object);
    const always = ["description", "prompt"];
    assert.deepEqual(names(benchOf().tool), [...always, "run_in_background"]);
    assert.deepEqual(names(benchOf({}, {}, () => ({})).tool), always);
    assert.deepEqual(names(benchOf({}, { enableRunInBackground: false }).tool), always);
    const promised = benchOf({}, { enableRunInBackground: true }, () => ({})).tool;
    assert.deepEqual(names(promised), [...always, "run_in_background"]);
    assert.deepEqual(promised.inputSchema["required"], always);
    assert.match(promised.description, /run_in_background/);
    assert.doesNotMatch(benchOf({}, { enableRunInBackground: false }).tool.description, /background/);
  });

  it("has a frozen schema within our own subset", () => {
    const { inputSchema } = benchOf().tool;
    assert.doesNotThrow(() => assertOutputSchema(inputSchema));
    assert.ok(Object.isFrozen(inputSchema) && Object.isFrozen(inputSchema["properties"]));
  });
});

describe("subagentTool().execute() in the foreground", () => {
  it("gives the answer as text and as data", async () => {
    const { tool } = benchOf({
      start: () => Promise.resolve(runOf({ result: completed("all is well") })),
    });
    assert.deepEqual(await tool.execute(INPUT, { parent: PARENT }), {
      text: "all is well",
      value: { kind: "foreground", runId: "run-1", output: [{ type: "text", text: "all is well" }] },
    });
  });

  it("asks for what the model and the configuration say", async () => {
    const { tool, requests } = benchOf({ capabilities: ALL_CAPABILITIES }, {
      agentOptions: { model: "m" },
      persona: "p",
      toolFilter: { allow: ["read"] },
      maxDepth: 2,
    });
    const { signal } = new AbortController();
    await tool.execute({ ...INPUT, extra: 1 }, { parent: PARENT, signal });
    const { descriptor: _, ...request } = requests[0]!;
    assert.deepEqual(request, {
      label: "look around",
      prompt: [{ type: "text", text: "Look around and tell" }],
      parent: PARENT,
      signal,
      agentOptions: { model: "m" },
      persona: "p",
      toolFilter: { allow: ["read"] },
      maxDepth: 2,
    });
    assert.equal(requests[0]!.parent, PARENT);
  });

  it("caps the depth at 3 unless it is told otherwise", async () => {
    const { tool, requests } = benchOf({ capabilities: ALL_CAPABILITIES }, { maxDepth: 3 });
    await tool.execute(INPUT, { parent: PARENT });
    assert.equal(requests[0]!.maxDepth, 3);
    const managed = benchOf({ capabilities: ALL_CAPABILITIES });
    await managed.tool.execute(INPUT, { parent: PARENT });
    assert.equal("maxDepth" in managed.requests[0]!, false);
  });

  const refusals: [fact: string, input: unknown, call: object, message: string][] = [
    [
      "a call whose signal is aborted",
      INPUT,
      { parent: PARENT, signal: AbortSignal.abort() },
      "tool call aborted before dispatch",
    ],
    [
      "a call by nobody",
      INPUT,
      { parent: undefined },
      "subagent tool requires a calling agent (exec.agent was undefined)",
    ],
    ["input that is text", "go", { parent: PARENT }, 'invalid arguments: "value" must be an object'],
    [
      "input without its fields",
      {},
      { parent: PARENT },
      'invalid arguments: missing required property "value.description"; ' +
      'missing required property "value.prompt"',
    ],
    [
      "fields of the wrong kind",
      { description: 1, prompt: ["x"], run_in_background: "yes" },
      { parent: PARENT },
      'invalid arguments: "value.description" must be a string; "value.prompt" must be a string; ' +
      '"value.run_in_background" must be a boolean',
    ],
  ];
  for (const [fact, input, call, message] of refusals) {
    it(`refuses ${fact}`, async () => {
      const { tool, requests } = benchOf();
      const error = await errorOf(tool.execute(input, call as { parent: typeof PARENT }));
      assert.equal(error.message, message);
      assert.deepEqual(requests, []);
    });
  }

  const teardown = new SubagentFailure({ provider: "ACP", stage: "teardown", category: "unknown" });
  const starts: [fact: string, thrown: unknown, message: string][] = [
    [
      "a failure",
      new SubagentFailure({ provider: "ACP", stage: "initialize", category: "process-exit", exitCode: 11 }),
      "Subagent failure (provider: ACP; stage: initialize; category: process-exit; exit code: 11)",
    ],
    [
      "a cancelled start",
      new SubagentAbortedError("ACP"),
      "subagent request was aborted before the ACP child started",
    ],
    [
      "a start whose clean-up failed",
      startFailure(new SubagentAbortedError("ACP"), teardown),
      "Subagent failure (provider: ACP; stage: teardown; category: unknown)",
    ],
    ["a delegation that leads too deep", new SubagentDepthError(4, 3), "subagent depth 4 exceeds maxDepth 3"],
  ];
  for (const [fact, thrown, message] of starts) {
    it(`throws the line of ${fact}, without its cause`, async () => {
      Object.assign(thrown as Error, { cause: SECRET });
      const { tool } = benchOf({ start: () => Promise.reject(thrown) });
      const error = await errorOf(tool.execute(INPUT, { parent: PARENT }));
      assert.equal(error.message, message);
      assertNoSecret(error);
    });
  }

  it("cancels the run with the call, and keeps what there was of the answer", async () => {
    const controller = new AbortController();
    const started = deferred();
    const { tool } = benchOf({
      start: ({ signal }) => {
        const result = new Promise<SubagentResult>((resolve) => {
          signal?.addEventListener(
            "abort",
            () => resolve({ stopReason: "aborted", output: [{ type: "text", text: "so far" }] }),
          );
        });
        started.resolve();
        return Promise.resolve(runOf({ result }));
      },
    });
    const call = tool.execute(INPUT, { parent: PARENT, signal: controller.signal });
    await started.promise;
    controller.abort();
    assert.equal(
      (await errorOf(call)).message,
      "subagent run was cancelled\nPartial output before the run ended:\nso far",
    );
  });

  for (const [name, thrown] of hostileThrowables()) {
    for (const stage of ["start", "result", "dispose"] as const) {
      it(`keeps ${name} of a provider's ${stage} from the model, and gives it to the host`, async () => {
        const { tool, failures } = benchOf({
          start: () =>
            stage === "start" ? Promise.reject(thrown) : Promise.resolve(runOf({
              result: stage === "result" ? Promise.reject(thrown) : completed("x"),
              dispose: () => stage === "dispose" ? Promise.reject(thrown) : Promise.resolve(),
            })),
        });
        const error = await errorOf(tool.execute(INPUT, { parent: PARENT }));
        assertNoSecret(error);
        const isOurs = name === "a failure of ours with another message";
        assert.equal(
          error.message,
          `Subagent failure (provider: stub; stage: ${isOurs ? "start" : stage}; category: unknown)`,
        );
        assert.equal(failures.some((failure) => failure.error === thrown), !isOurs);
      });
    }
  }
});

describe("subagentTool().execute() in the background", () => {
  const BACKGROUND = { ...INPUT, run_in_background: true };

  it("starts a job of the calling parent and does not wait for it", async () => {
    const result = deferred<SubagentResult>();
    const { tool, jobs, requests } = benchOf({
      start: () => Promise.resolve(runOf({ result: result.promise })),
    });
    const controller = new AbortController();
    assert.deepEqual(await tool.execute(BACKGROUND, { parent: PARENT, signal: controller.signal }), {
      text: "started background subagent job subagent-1",
      value: { kind: "background", jobId: "subagent-1" },
    });
    controller.abort();
    assert.equal(requests[0]!.signal?.aborted, false, "a job outlives its call");
    assert.equal(requests[0]!.parent, PARENT);
    assert.deepEqual((await jobs.list({ owner: "parent" })).map(({ label, status }) => [label, status]), [
      ["look around", "running"],
    ]);
    result.resolve(completed("done at last"));
    await jobs.wait("subagent-1");
    assert.equal((await jobs.read("subagent-1", { owner: "parent" })).text, "done at last");
  });

  it("hands the job all that the configuration says, as data, and the key of the call", async () => {
    const asked: JobRequest[] = [];
    const { tool } = benchOf(
      { capabilities: ALL_CAPABILITIES },
      { persona: "p", toolFilter: { deny: ["write"] }, maxDepth: 3 },
      (jobs) => ({
        jobs: Object.assign(Object.create(jobs), {
          start: (request: JobRequest) => {
            asked.push(request);
            return jobs.start(request);
          },
        }),
      }),
    );
    await tool.execute(BACKGROUND, { parent: PARENT, key: "call-7" });
    assert.deepEqual(asked, [{
      kind: "subagent",
      label: "look around",
      owner: PARENT,
      key: "call-7",
      work: {
        provider: "stub",
        request: {
          label: "look around",
          prompt: [{ type: "text", text: "Look around and tell" }],
          persona: "p",
          toolFilter: { deny: ["write"] },
          maxDepth: 3,
        },
      },
    }]);
  });

  it("starts one job for two calls with one key", async () => {
    const { tool, requests } = benchOf();
    const call = { parent: PARENT, key: "call-7" };
    const results = await Promise.all([tool.execute(BACKGROUND, call), tool.execute(BACKGROUND, call)]);
    assert.deepEqual(results.map(({ text }) => text), [
      "started background subagent job subagent-1",
      "started background subagent job subagent-1",
    ]);
    assert.equal(requests.length, 1);
  });

  it("refuses when it is switched off", async () => {
    const { tool, requests } = benchOf({}, { enableRunInBackground: false });
    assert.equal(
      (await errorOf(tool.execute(BACKGROUND, { parent: PARENT }))).message,
      "run_in_background is disabled for this tool instance (enableRunInBackground: false)",
    );
    assert.deepEqual(requests, []);
  });

  for (const enableRunInBackground of [undefined, true]) {
    it(`refuses when there are no jobs and the switch is ${enableRunInBackground}`, async () => {
      const config = enableRunInBackground === undefined ? {} : { enableRunInBackground };
      const { tool } = benchOf({}, config, () => ({}));
      assert.equal(
        (await errorOf(tool.execute(BACKGROUND, { parent: PARENT }))).message,
        "background jobs unavailable: give the subagent tool a jobs port and its agent the job tools",
      );
    });
  }

  it("gives the words of a refusal of the jobs", async () => {
    const { tool } = benchOf();
    const error = await errorOf(
      tool.execute({ ...BACKGROUND, description: "" }, { parent: PARENT }),
    );
    assert.ok(JobError.is(error));
    assert.equal(error.message, "invalid job label: expected a non-empty string");
  });

  for (const [name, thrown] of hostileThrowables()) {
    it(`keeps ${name} of the jobs from the model, and gives it to the host`, async () => {
      const failures: HostFailure[] = [];
      const { tool } = benchOf({}, {}, () => ({
        jobs: { start: () => Promise.reject(thrown) } as unknown as Jobs,
        onHostFailure: (failure) => failures.push(failure),
      }));
      const error = await errorOf(tool.execute(BACKGROUND, { parent: PARENT }));
      assertNoSecret(error);
      assert.equal(error.message, "background jobs unavailable: the jobs service failed");
      assert.equal(failures[0]?.error, thrown);
    });
  }
});
