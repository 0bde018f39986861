/**
 * Steps that ask the client, wait, or steer other steps.
 *
 * @module
 */
import type { Json } from "./json.ts";
import type { Step } from "./script.ts";

/**
 * What to do next, by how a request was answered: `"error"`; for a permission request the chosen `optionId` or
 * `"cancelled"`; for any other request `"result"`. `"*"` takes the rest.
 */
export interface AnswerCases {
  /** Steps of one outcome. */
  readonly [outcome: string]: readonly Step[];
}

/** Sends any request to the client: `fs/read_text_file`, `terminal/create`, a method that nobody knows. */
export interface RequestStep {
  /** Discriminant. */
  readonly do: "request";
  /** Method name. */
  readonly method: string;
  /** Params; left out when absent. */
  readonly params?: Json;
  /** Id instead of the agent's next number (it counts from 0, like many clients do, on purpose). */
  readonly id?: Json;
  /** Name under which `{ "$answer": name }` finds the client's whole response. */
  readonly as?: string;
  /** Whether the handler waits for the answer. @default {true} */
  readonly wait?: boolean;
  /** How many are sent, each with its own id, in large buffers. @default {1} */
  readonly times?: number;
  /** What follows the answer. */
  readonly on?: AnswerCases;
}

/** Sends `session/request_permission`. */
export interface AskStep {
  /** Discriminant. */
  readonly do: "ask";
  /** Tool kind in the tool call. @default {"execute"} */
  readonly kind?: Json;
  /** Title in the tool call. @default {"Run a command"} */
  readonly title?: Json;
  /** The whole member `toolCall` instead of one made from `kind` and `title`. */
  readonly toolCall?: Json;
  /** Member `options`. @default one `allow_once` option `allow` and one `reject_once` option `reject` */
  readonly options?: Json;
  /** Another session than the handled one. */
  readonly sessionId?: Json;
  /** As in a `request` step. */
  readonly id?: Json;
  /** As in a `request` step. */
  readonly as?: string;
  /** As in a `request` step. @default {true} */
  readonly wait?: boolean;
  /** As in a `request` step. @default {1} */
  readonly times?: number;
  /** As in a `request` step. */
  readonly on?: AnswerCases;
}

/** Waits for an event that may already have happened. */
export interface WaitStep {
  /** Discriminant. */
  readonly do: "wait";
  /**
   * - `"cancel"`: the client cancelled this prompt. A prompt handler that holds this step answers the cancel itself;
   *   the default `onCancel` leaves it alone.
   * - `"answers"`: every request of this handler has its answer.
   * - `"eof"`: stdin has ended.
   * - `"idle"`: no handler is at work, waiting ones aside; at most 100 ms.
   */
  readonly for: "cancel" | "answers" | "eof" | "idle";
}

/** Waits for time to pass. */
export interface SleepStep {
  /** Discriminant. */
  readonly do: "sleep";
  /** Milliseconds. */
  readonly ms: number;
}

/** Waits until a file exists: a gate that a test opens when it is ready. */
export interface WaitForFileStep {
  /** Discriminant. */
  readonly do: "waitForFile";
  /** Absolute path. */
  readonly path: string;
}

/** Waits until the client has sent a method so many times, counted from the start of the process. */
export interface WaitForMessageStep {
  /** Discriminant. */
  readonly do: "waitForMessage";
  /** Method of a request or notification. */
  readonly method: string;
  /** How many. @default {1} */
  readonly count?: number;
}

/** Does nothing for ever. The process goes on reading. */
export interface HangStep {
  /** Discriminant. */
  readonly do: "hang";
}

/** Runs steps again and again. */
export interface RepeatStep {
  /** Discriminant. */
  readonly do: "repeat";
  /** The steps. */
  readonly steps: readonly Step[];
  /** How often. @default {Infinity} */
  readonly times?: number;
}

/**
 * Ends the turns that the handled message cancels, by session or by `requestId`: drops their remaining steps and
 * answers their prompts. Turns that wait for the cancel themselves are left alone.
 */
export interface EndTurnsStep {
  /** Discriminant. */
  readonly do: "endTurns";
  /** Stop reason of the answers. @default {"cancelled"} */
  readonly reason?: Json;
  /** Answers with this error instead. */
  readonly error?: Json;
}

/** Steps that ask, wait, or steer. */
export type FlowStep =
  | RequestStep
  | AskStep
  | WaitStep
  | SleepStep
  | WaitForFileStep
  | WaitForMessageStep
  | HangStep
  | RepeatStep
  | EndTurnsStep;
