/**
 * Which tools there are, and who sees them.
 *
 * @module
 */
import type { Agent } from "../agent.ts";
import { AgentLayers } from "../agent_layers.ts";
import type { SubagentToolFilter } from "../../seam/types.ts";
import { RUN_CODE_TOOL } from "./run_code_tool.ts";
import { snapshotToolDefinition } from "./tool_definition.ts";
import { ToolLayer } from "./tool_layer.ts";
import { assertKnownTools, ToolRestriction } from "./tool_restriction.ts";
import type { ToolDefinition, ToolSchema } from "./tool_types.ts";

/** How Code Mode presents the tools to models. */
export interface TransportOptions {
  /** Whether models see nothing but the transport; else they see it beside the other tools. */
  readonly exclusive: boolean;
}

interface Transport extends TransportOptions {
  readonly tool: ToolDefinition;
}

/** The tools of all places. */
export class ToolCatalog {
  /** The places. */
  readonly layers: AgentLayers<ToolLayer> = new AgentLayers(() => new ToolLayer());
  #transport: Transport | undefined;

  /**
   * Adds a tool to a place. Returns what takes it out again.
   *
   * @param place The place, for people who read an error.
   * @throws {TypeError} When the definition has the wrong shape.
   * @throws {Error} When the place has a tool of this name, or the name is reserved.
   */
  register({ tools }: ToolLayer, definition: ToolDefinition, place: string): () => void {
    const tool = snapshotToolDefinition(definition);
    const { name } = tool;
    if (name === RUN_CODE_TOOL) {
      throw new Error(`tool name "${RUN_CODE_TOOL}" is reserved for the Code Mode presentation transport`);
    }
    if (tools.has(name)) throw new Error(`tool "${name}" is already registered in ${place}`);
    tools.set(name, tool);
    return () => {
      // By then the name may belong to another tool.
      if (tools.get(name) === tool) tools.delete(name);
    };
  }

  /**
   * Narrows what the agent of a place sees of the global tools. Returns what ends that.
   *
   * @throws {TypeError} When the filter has the wrong shape.
   * @throws {Error} When it says nothing, or names the reserved tool or tools that are not there.
   */
  restrict(layer: ToolLayer, filter: SubagentToolFilter): () => void {
    const restriction = new ToolRestriction(filter);
    const known = new Set([...this.layers.global.tools.keys(), ...layer.tools.keys()]);
    assertKnownTools(restriction.names, known);
    return layer.restrictions.add(restriction);
  }

  /**
   * Puts the transport of Code Mode in place: every living agent sees it, no restriction hides it. Returns what takes it
   * out again.
   *
   * @throws {Error} When the tool has another name, or there is a transport.
   */
  installTransport(definition: ToolDefinition, { exclusive }: TransportOptions): () => void {
    const tool = snapshotToolDefinition(definition);
    if (tool.name !== RUN_CODE_TOOL) {
      throw new Error(
        `Code Mode presentation transport must be called "${RUN_CODE_TOOL}", got "${tool.name}"`,
      );
    }
    if (this.#transport !== undefined) throw new Error(`tool "${RUN_CODE_TOOL}" is already installed`);
    const transport: Transport = { tool, exclusive };
    this.#transport = transport;
    return () => {
      if (this.#transport === transport) this.#transport = undefined;
    };
  }

  /**
   * The tools that an agent sees, or that everybody sees who is not restricted: global ones first, each kind in order of
   * registration, a tool of the agent's own in the place of the global one that it shadows. The transport is not among
   * them.
   */
  visible(agent: Agent | undefined): readonly ToolDefinition[] {
    if (agent === undefined) return [...this.layers.global.tools.values()];
    const own = this.layers.of(agent);
    // It is disposed, or belongs to another runtime: showing it all that its restrictions used to hide would be wrong.
    if (own === undefined) return [];
    const tools = new Map([...this.layers.global.tools].filter(([name]) => isAdmitted(own, name)));
    for (const [name, tool] of own.tools) tools.set(name, tool);
    return [...tools.values()];
  }

  /** The tool that a call of an agent reaches. */
  find(name: string, agent: Agent | undefined): ToolDefinition | undefined {
    const { global } = this.layers;
    const own = agent === undefined ? global : this.layers.of(agent);
    if (own === undefined) return undefined;
    if (name === RUN_CODE_TOOL) return this.#transport?.tool;
    return own.tools.get(name) ?? (isAdmitted(own, name) ? global.tools.get(name) : undefined);
  }

  /** What a model is told of the tools. */
  schemas(agent: Agent | undefined): readonly ToolSchema[] {
    const transport = this.find(RUN_CODE_TOOL, agent);
    const visible = this.visible(agent);
    if (transport === undefined) return visible.map(schemaOf);
    return (this.#transport?.exclusive === true ? [transport] : [...visible, transport]).map(schemaOf);
  }
}

function isAdmitted({ restrictions }: ToolLayer, name: string): boolean {
  for (const restriction of restrictions) {
    if (!restriction.admits(name)) return false;
  }
  return true;
}

function schemaOf({ name, description, parameters }: ToolDefinition): ToolSchema {
  return Object.freeze({ name, description, parameters });
}
