/**
 * The system prompts of a runtime as seen from one place.
 *
 * @module
 */
import type { Agent } from "../agent.ts";
import type { AgentLayers } from "../agent_layers.ts";
import { checkedFunction } from "../checked_function.ts";
import { assertActive, type OwnerScope } from "../scope/owner_scope.ts";
import type { ToolSchema } from "../tools/tool_types.ts";
import { assemblePrompt } from "./assemble_prompt.ts";
import type { PromptLayer } from "./prompt_layer.ts";
import { snapshotProtection } from "./prompt_protection.ts";
import { snapshotSection } from "./prompt_section.ts";
import type {
  AssembleListener,
  PromptAssembly,
  PromptHost,
  PromptProtection,
  PromptSection,
} from "./prompt_types.ts";

/** What system prompts need of their host. */
export interface SystemPromptOptions {
  /** The tools that go with the prompts. */
  readonly tools: { schemas(agent?: Agent): readonly ToolSchema[] };
  /** What `{{name}}` stands for in the prompt of an agent. @default nothing */
  readonly variables?: (agent?: Agent) => Readonly<Record<string, string>>;
}

/** What a place is made of. */
export interface PromptPlaceParts extends SystemPromptOptions {
  /** What is registered in all places. */
  readonly layers: AgentLayers<PromptLayer>;
  /** What is registered here. */
  readonly layer: PromptLayer;
  /** Whose place it is; absent for the global one. */
  readonly scope?: { readonly owner: OwnerScope; readonly agent: Agent };
}

/** The system prompts as seen from one place. */
export class PromptPlace implements PromptHost {
  readonly #parts: PromptPlaceParts;

  /** Makes the view of a place. */
  constructor(parts: PromptPlaceParts) {
    this.#parts = parts;
  }

  /** See {@link PromptHost}. */
  section(section: PromptSection): () => void {
    const { layers, scope } = this.#parts;
    const { sections } = this.#layer("add a section");
    const copy = snapshotSection(section);
    const { name } = copy;
    if (scope !== undefined && layers.global.protects("sections", name)) {
      throw new Error(
        `system prompt section "${name}" is protected for every agent; a scope cannot shadow it`,
      );
    }
    if (sections.has(name)) {
      const place = scope === undefined ? "the global layer" : `the layer of agent "${scope.agent.id}"`;
      throw new Error(`system prompt section "${name}" is already registered in ${place}`);
    }
    sections.set(name, copy);
    return () => {
      // By then the name may belong to another section.
      if (sections.get(name) === copy) sections.delete(name);
    };
  }

  /** See {@link PromptHost}. */
  protect(protection: PromptProtection): () => void {
    return this.#layer("protect a prompt").protections.add(snapshotProtection(protection));
  }

  /** See {@link PromptHost}. */
  onAssemble(listener: AssembleListener): () => void {
    return this.#layer("add a listener").listeners.add(
      checkedFunction(listener, "systemPrompt.onAssemble()"),
    );
  }

  /** See {@link PromptHost}. */
  async assemble(agent: Agent | undefined = this.#parts.scope?.agent): Promise<PromptAssembly> {
    const { layers, tools, variables = () => ({}) } = this.#parts;
    // Without its own layer, a prompt would lack what protects it.
    if (agent !== undefined && layers.of(agent) === undefined) {
      throw new Error(
        `Cannot assemble the system prompt of agent "${agent.id}": it is disposed, or of another runtime`,
      );
    }
    return await assemblePrompt({
      agent,
      layers: layers.for(agent),
      tools: tools.schemas(agent),
      variables: variables(agent),
    });
  }

  #layer(action: string): PromptLayer {
    const { layer, scope } = this.#parts;
    if (scope !== undefined) assertActive(scope.owner, action);
    return layer;
  }
}
