/**
 * What the tests of tools share.
 *
 * @module
 */
import type { Agent } from "../agent.ts";
import { fakeAgent } from "../agent_fixtures_test.ts";
import { openOwnerScope, type OwnerScope } from "../scope/owner_scope.ts";
import type { ToolPipelineOptions } from "./tool_pipeline.ts";
import { ToolRegistry } from "./tool_registry.ts";
import type {
  ToolCallInput,
  ToolDefinition,
  ToolExecution,
  ToolRegistryHost,
  ToolResult,
} from "./tool_types.ts";

/** A tool that answers with its name. */
export function namedTool(name: string, overrides: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    description: `The ${name} tool`,
    parameters: { type: "object" },
    execute: () => name,
    ...overrides,
  };
}

/** A call of a tool. */
export function callOf(name: string, overrides: Partial<ToolCallInput> = {}): ToolCallInput {
  return { callId: "call-1", name, arguments: {}, ...overrides };
}

/** A registry with one agent. */
export interface Workshop {
  readonly registry: ToolRegistry;
  readonly owner: OwnerScope;
  readonly agent: Agent;
  /** The place of the agent. */
  readonly scoped: ToolRegistryHost;
}

/** Makes a registry with global tools of these names and one agent. */
export function workshop(names: readonly string[] = [], options: ToolPipelineOptions = {}): Workshop {
  const registry = new ToolRegistry(options);
  for (const name of names) registry.register(namedTool(name));
  const owner = openOwnerScope("agent a");
  const agent = fakeAgent("a");
  return { registry, owner, agent, scoped: registry.openAgent(owner, agent) };
}

/** The names of what a model is told of. */
export function namesSeen(registry: ToolRegistryHost, agent?: Agent): string[] {
  return registry.schemas(agent).map(({ name }) => name);
}

/** The text of a result that has one text block and nothing else. */
export function textOf({ content }: ToolResult): unknown {
  return content.length === 1 && content[0]?.type === "text" ? content[0].text : content;
}

/** An execution as far as results and decisions look at it. */
export function executionOf(name: string): ToolExecution {
  return { callId: "call-1", name } as ToolExecution;
}
