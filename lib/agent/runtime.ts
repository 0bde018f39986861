/**
 * A runtime for agents in this process.
 *
 * @module
 */
import { contain } from "../seam/contain.ts";
import type { Agent, TurnPolicyHost } from "./agent.ts";
import { Agents } from "./agents/agents.ts";
import type { AgentsHost } from "./agents_types.ts";
import { type CodeModeOptions, installCodeMode } from "./code_mode/code_mode.ts";
import type { ListenerError } from "./listener_error.ts";
import { TurnPolicies } from "./loop/turn_policies.ts";
import type { ModelPort } from "./model/model_types.ts";
import type { PromptHost } from "./prompt/prompt_types.ts";
import { IDENTITY_SECTION, PERSONA_SECTION } from "./prompt/section_names.ts";
import { SystemPrompt } from "./prompt/system_prompt.ts";
import { checkedRuntimeOptions } from "./runtime_options.ts";
import { openOwnerScope, type OwnerScope } from "./scope/owner_scope.ts";
import type { SessionLog } from "./session/session_log.ts";
import { ToolRegistry } from "./tools/tool_registry.ts";
import type { ApprovalPort, ToolDefinition, ToolRegistryHost } from "./tools/tool_types.ts";

/** Something that went wrong in a runtime and is for its host alone. */
export type RuntimeFailure =
  | {
    /** A turn ended as `error`. */
    readonly kind: "turn";
    /** Id of the agent. */
    readonly agentId: string;
    /** What the turn failed with. */
    readonly error: unknown;
  }
  | ({
    /** A listener threw. */
    readonly kind: "listener";
  } & ListenerError);

/** What a runtime is made of. */
export interface AgentRuntimeOptions {
  /** Who answers. `fromLanguageModel()` makes one out of any model of the AI SDK. */
  readonly model: ModelPort;
  /** Tools that every agent sees. More may be registered later. @default {[]} */
  readonly tools?: readonly ToolDefinition[];
  /** What the agents run in, as the first section of their system prompt, before any persona. @default none */
  readonly identity?: string;
  /** Who the agents are, as the section behind it; a child may get a persona of its own. @default none */
  readonly persona?: string;
  /** What `{{name}}` stands for in the system prompt of an agent. @default nothing */
  readonly variables?: (agent?: Agent) => Readonly<Record<string, string>>;
  /** Decides about tool calls that a policy asks for. @default none: they are refused */
  readonly approve?: ApprovalPort;
  /**
   * Lets models call tools from programs, which run in an engine of their own: it needs the package
   * `quickjs-emscripten`. @default none: tools are called one by one
   */
  readonly codeMode?: CodeModeOptions;
  /** Most steps of a turn; one that wants more ends as `error`. @default {200} */
  readonly maxSteps?: number;
  /** Takes what goes wrong, for the host's own log only. What it throws is dropped. @default none */
  readonly onFailure?: (failure: RuntimeFailure) => void;
  /** Makes ids of agents and sessions. @default random UUIDs */
  readonly newId?: () => string;
}

/** Agents in this process, with what they share. */
export interface AgentRuntime extends AsyncDisposable {
  /** The agents. */
  readonly agents: AgentsHost;
  /** The tools of all agents, and policies for their calls. */
  readonly tools: ToolRegistryHost;
  /** The system prompt of all agents. */
  readonly prompt: PromptHost;
  /** Policies for the turns of all agents. */
  readonly turn: TurnPolicyHost;
  /** Owner of whatever has no other owner. */
  readonly owner: OwnerScope;
  /** The sessions of the agents that live, oldest first. */
  sessions(): readonly SessionLog[];
  /** Ends all agents and waits until they are gone. Idempotent: one shared promise. */
  dispose(): Promise<void>;
}

/**
 * Makes a runtime.
 *
 * @throws {TypeError} When an option is wrong, naming it and what it must be, or unknown: a callback whose name is
 * misspelt would never be called.
 * @throws {Error} When two tools have the same name, or one has a reserved name.
 *
 * @example
 * ```ts ignore
 * await using runtime = createAgentRuntime({ model: fromLanguageModel(model), tools: [readFile] });
 * await using handle = await runtime.agents.create(runtime.owner);
 * handle.agent.send("What is in the README?");
 * await handle.agent.whenIdle();
 * console.log(finalAssistantOutput(handle.agent.session.events));
 * ```
 */
export function createAgentRuntime(options: AgentRuntimeOptions): AgentRuntime {
  const {
    model,
    tools: definitions = [],
    identity,
    persona,
    variables,
    approve,
    codeMode,
    maxSteps = 200,
    onFailure,
    newId = () => globalThis.crypto.randomUUID(),
  } = checkedRuntimeOptions(options);
  const report = (failure: RuntimeFailure) => contain(() => onFailure?.(failure), () => {});
  const onListenerError = (failure: ListenerError) => report({ kind: "listener", ...failure });

  const owner = openOwnerScope("agent runtime");
  const tools = new ToolRegistry({ onListenerError, ...(approve === undefined ? {} : { approve }) });
  const prompt = new SystemPrompt({ tools, ...(variables === undefined ? {} : { variables }) });
  const policies = new TurnPolicies();
  for (const definition of definitions) tools.register(definition);
  if (identity !== undefined) prompt.section({ ...IDENTITY_SECTION, text: identity });
  if (persona !== undefined) prompt.section({ ...PERSONA_SECTION, text: persona });
  if (codeMode !== undefined) installCodeMode(codeMode, { tools, prompt });

  const agents = new Agents({
    model,
    policies,
    maxSteps,
    newId,
    onListenerError,
    onTurnError: ({ id }, error) => report({ kind: "turn", agentId: id, error }),
    openScope: (scope, agent) => ({
      owner: scope,
      tools: tools.openAgent(scope, agent),
      prompt: prompt.openAgent(scope, agent),
      turn: policies.openAgent(scope, agent),
    }),
  });
  const dispose = () => owner.close();
  return Object.freeze({
    agents,
    tools,
    prompt,
    turn: policies,
    owner,
    sessions: () => agents.sessions(),
    dispose,
    [Symbol.asyncDispose]: dispose,
  });
}
