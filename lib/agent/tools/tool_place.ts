/**
 * The tools of a runtime as seen from one place.
 *
 * @module
 */
import type { SubagentToolFilter } from "../../seam/types.ts";
import type { Agent } from "../agent.ts";
import { checkedFunction } from "../checked_function.ts";
import { assertActive, type OwnerScope } from "../scope/owner_scope.ts";
import type { ToolCatalog } from "./tool_catalog.ts";
import type { ToolLayer } from "./tool_layer.ts";
import type { ToolPipeline } from "./tool_pipeline.ts";
import type {
  PostExecuteListener,
  PreExecuteListener,
  ToolCallInput,
  ToolDefinition,
  ToolGuard,
  ToolRegistryHost,
  ToolResult,
  ToolResultObserver,
  ToolSchema,
} from "./tool_types.ts";

/** What a place is made of. */
export interface ToolPlaceParts {
  /** The tools of all places. */
  readonly catalog: ToolCatalog;
  /** Makes the calls. */
  readonly pipeline: ToolPipeline;
  /** What is registered here. */
  readonly layer: ToolLayer;
  /** Whose place it is; absent for the global one. */
  readonly scope?: { readonly owner: OwnerScope; readonly agent: Agent };
}

/** The tools as seen from one place. */
export class ToolPlace implements ToolRegistryHost {
  readonly #parts: ToolPlaceParts;

  /** Makes the view of a place. */
  constructor(parts: ToolPlaceParts) {
    this.#parts = parts;
  }

  /** See {@link ToolRegistryHost}. */
  register(tool: ToolDefinition): () => void {
    const { catalog, scope } = this.#parts;
    const place = scope === undefined ? "the global layer" : `the layer of agent "${scope.agent.id}"`;
    return catalog.register(this.#layer("register a tool"), tool, place);
  }

  /** See {@link ToolRegistryHost}. */
  restrict(filter: SubagentToolFilter): () => void {
    const { catalog, scope } = this.#parts;
    if (scope === undefined) {
      throw new Error(
        "tools.restrict() requires a scoped context (agent.ctx): " +
          "a restriction narrows what one agent sees, and the global layer belongs to all",
      );
    }
    return catalog.restrict(this.#layer("restrict tools"), filter);
  }

  /** See {@link ToolRegistryHost}. */
  guard(check: ToolGuard): () => void {
    return this.#layer("add a guard").guards.add(checkedFunction(check, "tools.guard()"));
  }

  /** See {@link ToolRegistryHost}. */
  onPreExecute(listener: PreExecuteListener): () => void {
    return this.#layer("add a policy").preExecute.add(checkedFunction(listener, "tools.onPreExecute()"));
  }

  /** See {@link ToolRegistryHost}. */
  onPostExecute(listener: PostExecuteListener): () => void {
    return this.#layer("add a policy").postExecute.add(checkedFunction(listener, "tools.onPostExecute()"));
  }

  /** See {@link ToolRegistryHost}. */
  onResult(observer: ToolResultObserver): () => void {
    return this.#layer("add an observer").observers.add(checkedFunction(observer, "tools.onResult()"));
  }

  /** See {@link ToolRegistryHost}. */
  execute(call: ToolCallInput): Promise<ToolResult> {
    return this.#parts.pipeline.execute(call, this.#parts.scope?.agent);
  }

  /** See {@link ToolRegistryHost}. */
  schemas(agent?: Agent): readonly ToolSchema[] {
    return this.#parts.catalog.schemas(agent ?? this.#parts.scope?.agent);
  }

  /** See {@link ToolRegistryHost}. */
  get(name: string, agent?: Agent): ToolDefinition | undefined {
    return this.#parts.catalog.find(name, agent ?? this.#parts.scope?.agent);
  }

  #layer(action: string): ToolLayer {
    const { layer, scope } = this.#parts;
    if (scope !== undefined) assertActive(scope.owner, action);
    return layer;
  }
}
