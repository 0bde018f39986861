/**
 * The system prompts of a runtime.
 *
 * @module
 */
import type { Agent } from "../agent.ts";
import { AgentLayers } from "../agent_layers.ts";
import type { OwnerScope } from "../scope/owner_scope.ts";
import { PromptLayer } from "./prompt_layer.ts";
import { PromptPlace, type SystemPromptOptions } from "./prompt_place.ts";
import type { PromptHost } from "./prompt_types.ts";

/** The global place of a runtime's system prompts, from which those of its agents are opened. */
export class SystemPrompt extends PromptPlace {
  readonly #layers: AgentLayers<PromptLayer>;
  readonly #options: SystemPromptOptions;

  /** Makes prompts without sections. */
  constructor(options: SystemPromptOptions) {
    const layers = new AgentLayers(() => new PromptLayer());
    super({ ...options, layers, layer: layers.global });
    this.#layers = layers;
    this.#options = options;
  }

  /** How many agents have a place of their own. */
  get agentCount(): number {
    return this.#layers.size;
  }

  /**
   * Opens the place of an agent, which ends with its owner.
   *
   * @throws {InactiveScopeError} When the owner is not active.
   * @throws {Error} When the agent has one.
   */
  openAgent(owner: OwnerScope, agent: Agent): PromptHost {
    const layers = this.#layers;
    const layer = layers.open(owner, agent, `the system prompt of agent "${agent.id}"`);
    return new PromptPlace({ ...this.#options, layers, layer, scope: { owner, agent } });
  }
}
