/**
 * One handler at work: what it handles and what has happened to it.
 *
 * @module
 */
import type { Json, JsonObject } from "./json.ts";
import { Latch } from "./latch.ts";
import type { Scope } from "./placeholders.ts";
import type { Step } from "./script.ts";

/** One run of a handler's steps. */
export class Turn {
  /** The message that it handles; none for a start, an EOF or a signal. */
  readonly message: JsonObject | undefined;
  /** Its session. */
  readonly sessionId: string;
  /** Its steps. */
  readonly steps: readonly Step[];
  /** Opens when the client cancels the session. */
  readonly cancelled: Latch = new Latch();
  /** Opens when its remaining steps are not to be taken. */
  readonly dropped: Latch = new Latch();
  /** Responses of the client, by the name or the JSON text of the id of the request. */
  readonly answers: Map<string, Json> = new Map();
  /** One promise for each request that it has sent. */
  readonly asked: Promise<Json>[] = [];

  /** A turn that has not taken a step yet. */
  constructor(steps: readonly Step[], sessionId: string, message: JsonObject | undefined) {
    this.steps = steps;
    this.sessionId = sessionId;
    this.message = message;
  }

  /** Id of the handled request, if it is one. */
  get requestId(): Json | undefined {
    return this.message?.["id"];
  }

  /** What placeholders are filled from. */
  scope(index = 0): Scope {
    return {
      sessionId: this.sessionId,
      requestId: this.requestId,
      params: this.message?.["params"],
      answers: this.answers,
      index,
    };
  }

  /** Whether the script of this turn answers a cancel itself. */
  get answersCancel(): boolean {
    return waitsForCancel(this.steps);
  }
}

function waitsForCancel(steps: readonly Step[]): boolean {
  return steps.some((step) => {
    if (step.do === "wait") return step.for === "cancel";
    if (step.do === "burst" || step.do === "repeat") return waitsForCancel(step.steps);
    if (step.do === "ask" || step.do === "request") return Object.values(step.on ?? {}).some(waitsForCancel);
    return false;
  });
}
