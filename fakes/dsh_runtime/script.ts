/**
 * The script of a fake DeepSeek Harness runtime: for each thing that can happen to it, the steps it takes. Pure data, in
 * the step language of the ACP agent beside it, with the protocol's own steps in place of that of ACP.
 *
 * ```ts ignore — a fragment: what a runtime that streams a little and then dies looks like
 * const script: RuntimeScript = {
 *   onPrompt: [{ do: "accept" }, { do: "text", text: "partial" }, { do: "exit", code: 3 }],
 * };
 * ```
 *
 * @module
 */
import type { Json } from "../acp_agent/json.ts";
import type { RepeatStep } from "../acp_agent/flow_step.ts";
import type { Step } from "../acp_agent/script.ts";
import type { BurstStep } from "../acp_agent/wire_step.ts";

/** Takes a prompt into the queue and begins its turn: `agent/inbox/spliced`, `running`, `turn/start`, then the receipt. */
export interface AcceptStep {
  /** Discriminant. */
  readonly do: "accept";
  /** Whether the receipt comes now; else a `receipt` step gives it, or nothing does. @default {true} */
  readonly receipt?: boolean;
}

/** Answers a prompt with the id of its message in the queue. */
export interface ReceiptStep {
  /** Discriminant. */
  readonly do: "receipt";
}

/** Streams answer text: an `assistant/chunk` with a `text-delta`. */
export interface RuntimeTextStep {
  /** Discriminant. */
  readonly do: "text";
  /** The text. */
  readonly text: Json;
  /** Another session than the handled one. */
  readonly sessionId?: Json;
  /** How many such chunks are written, in large buffers. `{ "$index": true }` counts them from 0. @default {1} */
  readonly times?: number;
}

/** Commits an `assistant/message`. */
export interface MessageStep {
  /** Discriminant. */
  readonly do: "message";
  /** Its content: one text block when it is a string. */
  readonly content: Json;
  /** Another session than the handled one. */
  readonly sessionId?: Json;
}

/** Sends any `session.event`. */
export interface EventStep {
  /** Discriminant. */
  readonly do: "event";
  /** Member `type`. */
  readonly type: Json;
  /** Member `data`. @default {{}} */
  readonly data?: Json;
  /** Another session than the handled one. */
  readonly sessionId?: Json;
  /** How many are written, in large buffers. @default {1} */
  readonly times?: number;
}

/** Sends a `session.status`. */
export interface StatusStep {
  /** Discriminant. */
  readonly do: "status";
  /** The status. */
  readonly status: Json;
  /** Another session than the handled one. */
  readonly sessionId?: Json;
}

/** Ends the turn and goes idle: `turn/end`, then `idle`. */
export interface EndStep {
  /** Discriminant. */
  readonly do: "end";
  /** Member `reason` of the turn's end; a string is its `kind`. @default {"completed"} */
  readonly reason?: Json;
}

/** Steps of the protocol. */
export type SdkStep =
  | AcceptStep
  | ReceiptStep
  | RuntimeTextStep
  | MessageStep
  | EventStep
  | StatusStep
  | EndStep;

/** The `burst` of the common language around any steps. */
export interface RuntimeBurstStep extends Omit<BurstStep, "steps"> {
  /** The steps whose output is gathered. */
  readonly steps: readonly RuntimeStep[];
}

/** The `repeat` of the common language around any steps. */
export interface RuntimeRepeatStep extends Omit<RepeatStep, "steps"> {
  /** The steps. */
  readonly steps: readonly RuntimeStep[];
}

/** Steps of the common language as they are. */
export type CommonStep = Exclude<
  Step,
  { readonly do: "text" | "stop" | "update" | "echo" | "ask" | "request" | "endTurns" | "burst" | "repeat" }
>;

/** One thing that the runtime does. */
export type RuntimeStep = SdkStep | CommonStep | RuntimeBurstStep | RuntimeRepeatStep;

/** Steps taken one after the other, each time that the handler's event happens; or a list for each time. */
export type RuntimeHandler = readonly RuntimeStep[] | {
  /** One list of steps a call; the last serves all calls behind it. */
  readonly turns: readonly (readonly RuntimeStep[])[];
};

/** A whole runtime. What is left out behaves well. */
export interface RuntimeScript {
  /** Absolute path of a file that gets every received message, EOF and signal. */
  readonly record?: string;
  /** Before anything is read. */
  readonly onStart?: RuntimeHandler;
  /** `initialize`. Well-behaved: says who it is. */
  readonly onInitialize?: RuntimeHandler;
  /** `session/prompt`. Well-behaved: accepts, streams and commits the prompt's first text, ends `completed`. */
  readonly onPrompt?: RuntimeHandler;
  /** `shutdown`. Well-behaved: answers and exits 0. */
  readonly onShutdown?: RuntimeHandler;
  /** The end of stdin. Well-behaved: exits 0. An empty list ignores the end. */
  readonly onEof?: RuntimeHandler;
  /** SIGTERM. Without this the signal kills the process; with an empty list it is ignored. */
  readonly onSigterm?: RuntimeHandler;
}
