/**
 * What holds for every agent, and what holds for one.
 *
 * @module
 */
import type { Agent } from "./agent.ts";
import { assertActive, type OwnerScope } from "./scope/owner_scope.ts";

/** A global layer, and one of its own for each living agent. */
export class AgentLayers<Layer> {
  /** What holds for every agent. */
  readonly global: Layer;
  readonly #create: () => Layer;
  readonly #layers: Map<Agent, Layer> = new Map();

  /** Makes the global layer. */
  constructor(create: () => Layer) {
    this.#create = create;
    this.global = create();
  }

  /** How many agents have a layer. */
  get size(): number {
    return this.#layers.size;
  }

  /**
   * Makes the layer of an agent. It is gone, with all that is in it, when the owner closes.
   *
   * @param label What the layer is of, for people who read an error.
   * @throws {InactiveScopeError} When the owner is not active.
   * @throws {Error} When the agent has one.
   */
  open(owner: OwnerScope, agent: Agent, label: string): Layer {
    assertActive(owner, `open ${label}`);
    if (this.#layers.has(agent)) throw new Error(`Cannot open ${label}: agent "${agent.id}" already has one`);
    const layer = this.#create();
    owner.addEffect(label, () => void this.#layers.delete(agent));
    this.#layers.set(agent, layer);
    return layer;
  }

  /** The layer of an agent, if it has one. */
  of(agent: Agent): Layer | undefined {
    return this.#layers.get(agent);
  }

  /**
   * The layers that count for an agent, or for nobody in particular: the global one first. An agent that is disposed,
   * or belongs to another runtime, has none of its own.
   */
  for(agent: Agent | undefined): readonly [global: Layer, ...own: Layer[]] {
    const own = agent === undefined ? undefined : this.#layers.get(agent);
    return own === undefined ? [this.global] : [this.global, own];
  }
}
