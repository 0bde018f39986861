/**
 * System prompts, as those see them who add to one. Types only.
 *
 * @module
 */
import type { Agent } from "../agent.ts";
import type { ToolSchema } from "../tools/tool_types.ts";
import type { Waterfall } from "../waterfall.ts";

/** Whom a prompt is put together for. */
export interface AssembleContext {
  /** The agent; absent for a look at what holds for every agent. */
  readonly agent?: Agent;
  /** What `{{name}}` stands for. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A part of the system prompt, as it is registered. */
export interface PromptSection {
  /** Name, unique in its place. */
  readonly name: string;
  /** Place in the prompt, ascending; sections of the same order go by name. */
  readonly order: number;
  /** The text, or what makes it anew for each prompt. Empty text leaves the section out. */
  readonly text: string | ((context: AssembleContext) => string);
  /** Whether `{{name}}` in the text means just that. For text that is generated. @default {false} */
  readonly literal?: boolean;
}

/** A part of an assembled system prompt. */
export interface AssembledSection {
  /** Name. */
  readonly name: string;
  /** Where it stood before listeners had their say. */
  readonly order: number;
  /** The text, before variables are put in. */
  readonly text: string;
  /** Whether variables are not put in. */
  readonly literal?: boolean;
}

/** A system prompt with the tools that go with it; deep-frozen. */
export interface PromptAssembly {
  /** The parts, in the order of the prompt. */
  readonly sections: readonly AssembledSection[];
  /** What the model is told of the tools. */
  readonly tools: readonly ToolSchema[];
  /** What `{{name}}` stands for. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What no listener is able to change. At least one of the two lists has a name in it. */
export interface PromptProtection {
  /** Names of sections. */
  readonly sections?: readonly string[];
  /** Names of tools. */
  readonly tools?: readonly string[];
}

/** Changes prompts. Gets a frozen assembly and returns it, or another one. */
export type AssembleListener = Waterfall<PromptAssembly, [context: AssembleContext]>;

/**
 * System prompts, as seen from a place: what is registered at the global one holds for every agent, what is registered
 * in the scope of an agent holds for that agent and dies with it.
 *
 * Whatever registers something returns what takes it out again, which may be called more than once. In the scope of
 * an agent that is no longer active it throws an {@link InactiveScopeError}.
 */
export interface PromptHost {
  /**
   * Adds a section. One of an agent takes the place of a global one with its name, which is how a child gets a persona
   * of its own.
   *
   * @throws {TypeError} When the section has the wrong shape.
   * @throws {Error} When the place has a section of this name, or a protection of all agents covers it.
   */
  section(section: PromptSection): () => void;
  /**
   * Makes sections and tools canonical: they reach the model as they were before listeners had their say. One that was
   * not there then stays away. While all agents are protected, no agent can shadow the section either.
   *
   * @throws {TypeError} When a list has the wrong shape.
   * @throws {Error} When there is no name.
   */
  protect(protection: PromptProtection): () => void;
  /** Adds a listener that may change prompts. One that throws, or returns no assembly, fails the assembling. */
  onAssemble(listener: AssembleListener): () => void;
  /**
   * Puts the prompt together as it stands now.
   *
   * @param agent Whom for. Default: the agent of the scope that is asked, if it is one of an agent.
   * @throws {Error} When the agent is disposed or belongs to another runtime.
   * @throws What a section's text, a listener or the source of variables throws.
   */
  assemble(agent?: Agent): Promise<PromptAssembly>;
}
