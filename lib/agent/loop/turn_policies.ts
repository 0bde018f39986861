/**
 * Policies for the beginning and the end of turns.
 *
 * @module
 */
import type { ContentBlock } from "../../seam/content.ts";
import { isRecord } from "../../seam/kind_of.ts";
import type { Agent, PromptPolicy, TurnPolicyHost, TurnStopPolicy } from "../agent.ts";
import { AgentLayers } from "../agent_layers.ts";
import { checkedFunction } from "../checked_function.ts";
import { Registrations } from "../registrations.ts";
import { assertActive, type OwnerScope } from "../scope/owner_scope.ts";

class TurnLayer {
  readonly prompts: Registrations<PromptPolicy> = new Registrations();
  readonly stops: Registrations<TurnStopPolicy> = new Registrations();
}

/** The policies as seen from one place. */
class TurnPlace implements TurnPolicyHost {
  readonly #layer: TurnLayer;
  readonly #owner: OwnerScope | undefined;

  constructor(layer: TurnLayer, owner?: OwnerScope) {
    this.#layer = layer;
    this.#owner = owner;
  }

  onPrompt(policy: PromptPolicy): () => void {
    return this.#active().prompts.add(checkedFunction(policy, "turn.onPrompt()"));
  }

  onTurnStop(policy: TurnStopPolicy): () => void {
    return this.#active().stops.add(checkedFunction(policy, "turn.onTurnStop()"));
  }

  #active(): TurnLayer {
    if (this.#owner !== undefined) assertActive(this.#owner, "add a turn policy");
    return this.#layer;
  }
}

/** The global place of a runtime's turn policies, from which those of its agents are opened. */
export class TurnPolicies extends TurnPlace {
  readonly #layers: AgentLayers<TurnLayer>;

  /** Makes a place without policies. */
  constructor() {
    const layers = new AgentLayers(() => new TurnLayer());
    super(layers.global);
    this.#layers = layers;
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
  openAgent(owner: OwnerScope, agent: Agent): TurnPolicyHost {
    const layer = this.#layers.open(owner, agent, `the turn policies of agent "${agent.id}"`);
    return new TurnPlace(layer, owner);
  }

  /**
   * Whether a prompt may be given to the model. Every policy has to agree; the first refusal counts.
   *
   * @throws {TypeError} When a policy answers something else.
   * @throws What a policy throws.
   */
  async admits(agent: Agent, content: readonly ContentBlock[]): Promise<boolean> {
    for (const layer of this.#layers.for(agent)) {
      for (const policy of layer.prompts) {
        if (isAction(await policy(content), "reject", "agent/prompt")) return false;
      }
    }
    return true;
  }

  /**
   * Whether a turn ends now, whatever else would let it go on. The first policy that says so counts.
   *
   * @throws {TypeError} When a policy answers something else.
   * @throws What a policy throws.
   */
  async stops(agent: Agent, turn: number): Promise<boolean> {
    for (const layer of this.#layers.for(agent)) {
      for (const policy of layer.stops) {
        if (isAction(await policy(turn), "stop", "agent/turn-stop")) return true;
      }
    }
    return false;
  }
}

function isAction(answer: unknown, action: string, event: string): boolean {
  if (answer === undefined) return false;
  if (isRecord(answer) && answer.action === action) return true;
  throw new TypeError(`${event} returned an invalid result; expected { action: '${action}' } or undefined`);
}
