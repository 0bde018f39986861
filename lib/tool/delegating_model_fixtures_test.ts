/**
 * What the tests of adapters share: jobs, a delegation tool whose children are scripted ACP agents, and the AI SDK.
 *
 * @module
 */
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import type { AgentScript } from "../../fakes/acp_agent/script.ts";
import { scriptedAgent } from "../../fakes/launch.ts";
import type { ModelServer } from "../../fakes/model_server.ts";
import { acpProvider, Subagents } from "../../mod.ts";
import { delegationRunner } from "../jobs/delegation.ts";
import { localJobs } from "../jobs/local_jobs.ts";
import type { LocalJobs } from "../jobs/local_jobs_options.ts";
import { type JobTools, jobTools } from "./job_tools.ts";
import { type SubagentTool, subagentTool } from "./subagent_tool.ts";

/** Who delegates. */
export const PARENT: { readonly id: string; readonly cwd: string } = { id: "parent", cwd: tmpdir() };

/** Tools, and what is behind them. */
export interface DelegationBench extends AsyncDisposable {
  readonly tool: SubagentTool;
  readonly jobs: LocalJobs;
  readonly jobTools: JobTools;
  /** How many runs were published. */
  runs(): number;
}

/** Makes the tools of a host whose children are one scripted ACP agent. */
export function delegationBench(script: AgentScript): DelegationBench {
  const subagents = new Subagents();
  const graces = { disposeEofGraceMs: 2000, disposeGraceMs: 2000 };
  subagents.register(acpProvider({ ...scriptedAgent(script), ...graces, stderr: "ignore" }));
  let runs = 0;
  subagents.on("subagent/start", () => void runs++);
  const jobs = localJobs({ run: delegationRunner(subagents) });
  const [provider = ""] = subagents.names();
  return {
    tool: subagentTool(subagents, { provider, maxDepth: "provider-managed" }, { jobs }),
    jobs,
    jobTools: jobTools(jobs),
    runs: () => runs,
    [Symbol.asyncDispose]: () => jobs.dispose(),
  };
}

/** What of the AI SDK the tests use, by shapes that all versions have. */
export interface AiSdk {
  generateText(options: Record<string, unknown>): Promise<{ readonly text: string }>;
  jsonSchema(schema: never): unknown;
  /** `stepCountIs` up to version 6. */
  stepCountIs?(steps: number): unknown;
  /** `isStepCount` from version 7 on. */
  isStepCount?(steps: number): unknown;
}

/** A model loop that ends after so many steps. */
export type ModelLoop = (tools: object, prompt: string, signal?: AbortSignal) => Promise<string>;

/**
 * Makes a loop of real `generateText` calls to the scripted model. The names of the packages are no constants, so that
 * the type check leaves their declarations alone.
 */
export async function modelLoop(
  { ai, provider }: { readonly ai: string; readonly provider: string },
  server: ModelServer,
): Promise<{ readonly loop: ModelLoop; readonly sdk: AiSdk }> {
  const sdk = await import(ai) as AiSdk;
  const { createOpenAICompatible } = await import(provider) as {
    createOpenAICompatible(settings: object): (modelId: string) => unknown;
  };
  const model = createOpenAICompatible({ name: "fake", baseURL: `${server.url}/v1` })("scripted");
  const stopAfter = sdk.isStepCount ?? sdk.stepCountIs;
  assert.ok(stopAfter !== undefined);
  const loop: ModelLoop = async (tools, prompt, abortSignal) => {
    const stopWhen = stopAfter(3);
    const { text } = await sdk.generateText({ model, tools, prompt, stopWhen, abortSignal, maxRetries: 0 });
    return text;
  };
  return { loop, sdk };
}

/** What the model got back for its tool calls, by the last request that it got. */
export function toolResults({ journal }: ModelServer): readonly string[] {
  const requests = journal.flatMap((entry) => entry.kind === "model-request" ? [entry.request] : []);
  return (requests.at(-1)?.messages ?? []).flatMap((message) => message.toolResults);
}
