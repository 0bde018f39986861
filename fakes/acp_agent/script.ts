/**
 * The script of a fake ACP agent: for each thing that can happen to it, the steps it takes. Pure data, so that it can
 * be a JSON argument, a fixture file or a TypeScript literal.
 *
 * ```ts ignore — a fragment: what an agent that asks and then dies looks like
 * const script: AgentScript = {
 *   onPrompt: [{ do: "text", text: "partial " }, { do: "ask", kind: "edit" }, { do: "exit", code: 3 }],
 * };
 * ```
 *
 * @module
 */
import type { FlowStep } from "./flow_step.ts";
import type { LifeStep } from "./life_step.ts";
import type { WireStep } from "./wire_step.ts";

/** One thing that the agent does. */
export type Step = WireStep | FlowStep | LifeStep;

/** Different steps for the first call, the second, and so on. The last list serves all calls behind it. */
export interface Turns {
  /** One list of steps a call. */
  readonly turns: readonly (readonly Step[])[];
}

/** Steps taken one after the other, each time that the handler's event happens. */
export type Handler = readonly Step[] | Turns;

/**
 * What the agent refuses by itself before any handler runs:
 *
 * - `"initialize-first"`: any request before `initialize` has been answered, with -32600
 * - `"params"`: wrong params of `initialize`, `session/new`, `session/prompt`, a relative cwd among them, with -32602
 * - `"session"`: a prompt, mode or option for an unknown session, with -32002 and its id in the data
 */
export type Check = "initialize-first" | "params" | "session";

/** A whole agent. What is left out behaves well. */
export interface AgentScript {
  /** Absolute path of a file that gets every received message, EOF and signal (see `record.ts`). */
  readonly record?: string;
  /** Checks that this agent fails to make. */
  readonly unchecked?: readonly Check[];
  /** Before anything is read. */
  readonly onStart?: Handler;
  /** `initialize`. Well-behaved: protocol version 1, no capabilities. */
  readonly onInitialize?: Handler;
  /** `session/new`. Well-behaved: session ids `session-1`, `session-2`, … */
  readonly onSessionNew?: Handler;
  /** `session/prompt`. Well-behaved: echoes, and knows the words of `demo_prompts.ts`. */
  readonly onPrompt?: Handler;
  /** `session/cancel`. Well-behaved: ends the session's turns as `cancelled`. An empty list ignores the cancel. */
  readonly onCancel?: Handler;
  /** Other methods by name, requests and notifications. */
  readonly onMethod?: {
    /** Handler of one method. */
    readonly [method: string]: Handler;
  };
  /** A request that no other handler takes. Well-behaved: -32601. */
  readonly onAnyRequest?: Handler;
  /** A line that is not JSON. Well-behaved: -32700 with id null. */
  readonly onNotJson?: Handler;
  /** JSON that is no JSON-RPC message: a batch, a scalar. Well-behaved: -32600 with id null. */
  readonly onNotMessage?: Handler;
  /** The end of stdin. Well-behaved: lets handlers finish that can, and exits 0. An empty list ignores the end. */
  readonly onEof?: Handler;
  /** SIGTERM. Without this the signal kills the process; with an empty list it is ignored. */
  readonly onSigterm?: Handler;
}
