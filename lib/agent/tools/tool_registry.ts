/**
 * The tools of a runtime.
 *
 * @module
 */
import type { Agent } from "../agent.ts";
import type { OwnerScope } from "../scope/owner_scope.ts";
import { ToolCatalog, type TransportOptions } from "./tool_catalog.ts";
import { ToolPipeline, type ToolPipelineOptions } from "./tool_pipeline.ts";
import { ToolPlace } from "./tool_place.ts";
import type { ToolDefinition, ToolRegistryHost } from "./tool_types.ts";

/** The global place of a runtime's tools, from which those of its agents are opened. */
export class ToolRegistry extends ToolPlace {
  readonly #catalog: ToolCatalog;
  readonly #pipeline: ToolPipeline;

  /** Makes a registry without tools. */
  constructor(options: ToolPipelineOptions = {}) {
    const catalog = new ToolCatalog();
    const pipeline = new ToolPipeline(catalog, options);
    super({ catalog, pipeline, layer: catalog.layers.global });
    this.#catalog = catalog;
    this.#pipeline = pipeline;
  }

  /** How many agents have a place of their own. */
  get agentCount(): number {
    return this.#catalog.layers.size;
  }

  /**
   * Opens the place of an agent, which ends with its owner.
   *
   * @throws {InactiveScopeError} When the owner is not active.
   * @throws {Error} When the agent has one.
   */
  openAgent(owner: OwnerScope, agent: Agent): ToolRegistryHost {
    const catalog = this.#catalog;
    const layer = catalog.layers.open(owner, agent, `the tools of agent "${agent.id}"`);
    return new ToolPlace({ catalog, pipeline: this.#pipeline, layer, scope: { owner, agent } });
  }

  /** The tools that an agent sees, the transport of Code Mode aside: what its programs may call. */
  visible(agent?: Agent): readonly ToolDefinition[] {
    return this.#catalog.visible(agent);
  }

  /**
   * Puts the `run_code` tool in place, which every agent sees whatever it is restricted to. Returns what takes it out.
   *
   * @throws {TypeError} When the definition has the wrong shape.
   * @throws {Error} When the tool is called otherwise, or there is one.
   */
  installTransport(tool: ToolDefinition, options: TransportOptions): () => void {
    return this.#catalog.installTransport(tool, options);
  }
}
