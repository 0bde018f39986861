/**
 * Putting the parts of a system prompt together.
 *
 * @module
 */
import { kindOf } from "../../seam/kind_of.ts";
import type { Agent } from "../agent.ts";
import type { ToolSchema } from "../tools/tool_types.ts";
import { runWaterfall } from "../waterfall.ts";
import { checkedAssembly } from "./prompt_assembly.ts";
import type { PromptLayer } from "./prompt_layer.ts";
import type {
  AssembleContext,
  AssembledSection,
  AssembleListener,
  PromptAssembly,
  PromptSection,
} from "./prompt_types.ts";
import { protectEntries } from "./protect_entries.ts";

/** What a prompt is put together of. */
export interface AssembleParts {
  /** Whom for; absent for a look at what holds for every agent. */
  readonly agent: Agent | undefined;
  /** The layers that count, the global one first. */
  readonly layers: readonly [global: PromptLayer, ...own: PromptLayer[]];
  /** What the model is told of the tools. */
  readonly tools: readonly ToolSchema[];
  /** What `{{name}}` stands for. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Puts a prompt together: sections by order and name, then the listeners of all layers, then what is protected goes
 * back to where it was.
 */
export async function assemblePrompt(
  { agent, layers, tools, variables }: AssembleParts,
): Promise<PromptAssembly> {
  const context: AssembleContext = Object.freeze({ ...(agent === undefined ? {} : { agent }), variables });
  const sections = canonicalSections(layers).map((section) => assembledSection(section, context));
  const canonical = checkedAssembly({ sections, tools, variables });
  const changed = await runWaterfall(listenersOf(layers), {
    initial: canonical,
    subject: [context],
    check: checkedAssembly,
  });
  const isProtected = (kind: "sections" | "tools") => (name: string) =>
    layers.some((layer) => layer.protects(kind, name));
  return Object.freeze({
    sections: Object.freeze(protectEntries(canonical.sections, changed.sections, isProtected("sections"))),
    tools: Object.freeze(protectEntries(canonical.tools, changed.tools, isProtected("tools"))),
    variables: changed.variables,
  });
}

/** A section of an agent shadows the global one, unless that is protected for all. */
function canonicalSections([global, own]: AssembleParts["layers"]): PromptSection[] {
  const sections = new Map(global.sections);
  for (const [name, section] of own?.sections ?? []) {
    if (!global.protects("sections", name)) sections.set(name, section);
  }
  return [...sections.values()].sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1));
}

function assembledSection(
  { name, order, text, literal }: PromptSection,
  context: AssembleContext,
): AssembledSection {
  const made: unknown = typeof text === "function" ? text(context) : text;
  if (typeof made !== "string") {
    throw new TypeError(`system prompt section "${name}" text must be a string, got ${kindOf(made)}`);
  }
  return { name, order, text: made, ...(literal === true ? { literal } : {}) };
}

function* listenersOf(layers: AssembleParts["layers"]): Generator<AssembleListener, void, undefined> {
  for (const { listeners } of layers) yield* listeners;
}
