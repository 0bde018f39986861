/**
 * What the tests on the real runtime share: a scripted model, a runtime with a parent, and looks at what is left.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Agent, AgentOptions } from "../agent/agent.ts";
import type { AgentEvents, AgentHandle, CreateAgentOptions } from "../agent/agents_types.ts";
import type { CodeModeOptions } from "../agent/code_mode/code_mode.ts";
import type { ModelChunk, ModelRequest } from "../agent/model/model_types.ts";
import { say, type ScriptedModel, scriptedModel } from "../agent/scripted_model_fixtures_test.ts";
import { openOwnerScope, type OwnerScope } from "../agent/scope/owner_scope.ts";
import { type AgentRuntime, createAgentRuntime } from "../agent/runtime.ts";
import { joinText } from "../seam/content.ts";
import {
  type InProcessRun,
  type InProcessRunOptions,
  type InProcessRunRequest,
  startInProcessRun,
} from "./start_in_process_run.ts";

/** One answer of the model. */
export type Answer = readonly ModelChunk[];

/** Decides what the model answers. */
export type Script = (request: ModelRequest, count: number) => Answer | PromiseLike<Answer>;

/** What the user said last. */
export function lastPrompt({ messages }: ModelRequest): string {
  return joinText(messages.filter(({ role }) => role === "user").at(-1)?.content ?? []);
}

/** Waits until it is aborted; then throws, as a model's connection does. */
export function untilAborted({ signal }: ModelRequest): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new Error("aborted"));
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });
}

/** A runtime with a parent. */
export interface Rig {
  readonly runtime: AgentRuntime;
  readonly model: ScriptedModel;
  readonly parent: AgentHandle;
  /** The scope of whoever provides children. */
  readonly owner: OwnerScope;
  /** What happened to agents and sessions since the parent was made: `agent/created`, ... */
  readonly lifecycle: string[];
  /** Starts a child of the parent. */
  start(request?: Partial<InProcessRunRequest>, options?: Partial<InProcessRunOptions>): InProcessRun;
  /** Makes another agent. */
  agent(options?: AgentOptions, more?: CreateAgentOptions): Promise<AgentHandle>;
  /** Ends everything and fails unless it is gone. */
  close(): Promise<void>;
}

const EVENTS: readonly (keyof AgentEvents)[] = [
  "session/created",
  "agent/created",
  "agent/session-start",
  "agent/disposed",
  "session/disposed",
];

/** Opens a rig. */
export async function openRig(
  script: Script = () => say("done"),
  parentOptions: AgentOptions = {},
  codeMode?: CodeModeOptions,
): Promise<Rig> {
  const model = scriptedModel(script);
  const runtime = createAgentRuntime({ model, ...(codeMode === undefined ? {} : { codeMode }) });
  const agent = (agentOptions: AgentOptions = {}, more: CreateAgentOptions = {}) =>
    runtime.agents.create(runtime.owner, { agentOptions, ...more });
  const parent = await agent(parentOptions, { meta: { cwd: "/srv/project" } });
  const owner = openOwnerScope("provider");
  const lifecycle: string[] = [];
  for (const type of EVENTS) runtime.agents.on(type, () => void lifecycle.push(type));
  return {
    runtime,
    model,
    parent,
    owner,
    lifecycle,
    agent,
    start: (request = {}, options = {}) =>
      startInProcessRun(owner, { prompt: "go", parent: parent.agent, ...request }, {
        agents: runtime.agents,
        ...options,
      }),
    async close() {
      await owner.close();
      await runtime.owner.close();
      assert.deepEqual([runtime.agents.list(), runtime.sessions()], [[], []]);
      assert.deepEqual([runtime.owner.effects, runtime.owner.children, owner.effects], [[], [], []]);
    },
  };
}

/** Asserts that of all children nothing is left but the agents given. */
export function assertOnly({ runtime, owner, parent }: Rig, agents: readonly Agent[]): void {
  assert.deepEqual(runtime.agents.list().map(({ id }) => id), agents.map(({ id }) => id));
  assert.deepEqual(runtime.sessions(), agents.map(({ session }) => session));
  assert.deepEqual(owner.effects, []);
  assert.deepEqual(parent.agent.scope.owner.children, []);
}

/** Types of a session's events, in order. */
export function eventTypes(agent: Agent): string[] {
  return agent.session.events.map(({ type }) => type);
}
