/**
 * What the tests of structured output share: a child without a loop, so that a test makes every call itself.
 *
 * @module
 */
import type { Agent, AgentScope, TurnStopPolicy } from "../agent/agent.ts";
import type { ListenerError } from "../agent/listener_error.ts";
import { SystemPrompt } from "../agent/prompt/system_prompt.ts";
import { openOwnerScope } from "../agent/scope/owner_scope.ts";
import { ToolRegistry } from "../agent/tools/tool_registry.ts";
import type { ToolExecution, ToolResult } from "../agent/tools/tool_types.ts";
import type { JsonObject } from "../schema/json_value.ts";
import type { OutputSchema } from "../schema/output_schema.ts";
import {
  attachStructuredRuntime,
  STRUCTURED_OUTPUT_TOOL,
  type StructuredCapture,
} from "./structured_runtime.ts";

/** A result with one number. */
export const ONE_NUMBER: OutputSchema = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
};

/** Tools and prompts of a host. */
export interface Bench {
  readonly registry: ToolRegistry;
  readonly prompts: SystemPrompt;
  readonly listenerErrors: ListenerError[];
  /** Puts a child on it. */
  child(id: string, schema?: OutputSchema): BenchChild;
}

/** A child that reports. */
export interface BenchChild {
  readonly agent: Agent;
  readonly scope: AgentScope;
  readonly capture: StructuredCapture;
  /** What it registered for the end of turns. */
  readonly policies: readonly TurnStopPolicy[];
  /** Makes a call as the model does. */
  call(name: string, args?: unknown, callId?: string): Promise<ToolResult>;
  /** Reports. */
  report(args: unknown, callId?: string): Promise<ToolResult>;
}

/** Opens a bench without tools. */
export function openBench(): Bench {
  const listenerErrors: ListenerError[] = [];
  const registry = new ToolRegistry({ onListenerError: (failure) => listenerErrors.push(failure) });
  const prompts = new SystemPrompt({ tools: registry });
  return {
    registry,
    prompts,
    listenerErrors,
    child(id, schema = ONE_NUMBER) {
      const agent = { id } as unknown as Agent;
      const owner = openOwnerScope(`agent ${id}`);
      const policies: TurnStopPolicy[] = [];
      const scope: AgentScope = {
        owner,
        tools: registry.openAgent(owner, agent),
        prompt: prompts.openAgent(owner, agent),
        turn: {
          onPrompt: () => () => {},
          onTurnStop(policy) {
            policies.push(policy);
            return () => {};
          },
        },
      };
      const capture = attachStructuredRuntime(scope, schema);
      const call = (name: string, args: unknown = {}, callId = "call-1") =>
        scope.tools.execute({ callId, name, arguments: args });
      return {
        agent,
        scope,
        capture,
        policies,
        call,
        report: (args, callId) => call(STRUCTURED_OUTPUT_TOOL, args, callId),
      };
    },
  };
}

/** Puts a tool on the bench that answers with its name. Gives the list of the calls it got. */
export function countedTool(registry: ToolRegistry, name: string): JsonObject[] {
  const calls: JsonObject[] = [];
  registry.register({
    name,
    description: name,
    parameters: { type: "object" },
    execute(args) {
      calls.push(args as JsonObject);
      return name;
    },
  });
  return calls;
}

/** Puts Code Mode on the bench: what the program does is given by the test. */
export function codeMode(
  registry: ToolRegistry,
  program: (call: (name: string, args?: unknown) => Promise<ToolResult>) => Promise<string>,
  { exclusive = false }: { readonly exclusive?: boolean } = {},
): void {
  registry.installTransport({
    name: "run_code",
    description: "Runs a program",
    parameters: { type: "object" },
    execute(_, { agent, token: parent, callId }: ToolExecution) {
      let count = 0;
      return program((name, args = {}) => {
        count++;
        return registry.execute({ callId: `${callId}:code:${count}`, name, arguments: args, agent, parent });
      });
    },
  }, { exclusive });
}

/** The text of a result that has one text block and nothing else. */
export function textOf({ content }: ToolResult): unknown {
  return content.length === 1 && content[0]?.type === "text" ? content[0].text : content;
}
