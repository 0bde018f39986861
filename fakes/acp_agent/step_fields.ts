/**
 * Which fields each step has. The type makes the table complete: a field that a step interface gains or loses does
 * not compile until it stands here too.
 *
 * @module
 */
import type { Step } from "./script.ts";

/** What a field holds. A list names the only values. */
export type FieldKind =
  | "json"
  | "string"
  | "number"
  | "boolean"
  | "steps"
  | "cases"
  | "cut"
  | readonly string[];

/** Rule of one field; `!` in front of the name of a kind makes the field required. */
export interface FieldRule {
  /** What it holds. */
  readonly holds: FieldKind;
  /** Whether it must be there. */
  readonly required: boolean;
}

type StepOf<Kind extends Step["do"]> = Extract<Step, { readonly do: Kind }>;

type FieldTable = {
  readonly [Kind in Step["do"]]: {
    readonly [Field in keyof Omit<Required<StepOf<Kind>>, "do">]: FieldRule;
  };
};

const may = (holds: FieldKind): FieldRule => ({ holds, required: false });
const must = (holds: FieldKind): FieldRule => ({ holds, required: true });

const json = may("json");
const string = may("string");
const number = may("number");
const boolean = may("boolean");
const asking = { id: json, as: string, wait: boolean, times: number, on: may("cases") };

/** The table, by the step's `do`. */
export const STEP_FIELDS: FieldTable = {
  reply: {
    result: json,
    error: json,
    id: json,
    omit: may("json"),
    to: string,
    times: number,
  },
  stop: { reason: json },
  text: { text: must("json"), sessionId: json, times: number },
  update: { update: must("json"), sessionId: json, times: number },
  echo: {},
  notify: { method: must("string"), params: json },
  send: { message: must("json"), times: number },
  line: { text: must("json"), times: number },
  raw: { text: must("json"), times: number },
  bytes: { base64: must("string"), times: number },
  burst: { steps: must("steps"), cut: may("cut"), gapMs: number },
  framing: { before: string, after: string },
  stderr: { text: must("json"), times: number },
  request: { method: must("string"), params: json, ...asking },
  ask: { kind: json, title: json, toolCall: json, options: json, sessionId: json, ...asking },
  wait: { for: must(["cancel", "answers", "eof", "idle"]) },
  sleep: { ms: must("number") },
  waitForFile: { path: must("string") },
  waitForMessage: { method: must("string"), count: number },
  hang: {},
  repeat: { steps: must("steps"), times: number },
  endTurns: { reason: json, error: json },
  exit: { code: number },
  kill: { signal: string },
  close: { stream: must(["stdin", "stdout", "stderr"]) },
  pauseStdin: {},
  resumeStdin: {},
  spawn: {
    how: must(["plain", "setsid", "daemon"]),
    pidFile: must("string"),
    seconds: number,
    holdStdout: boolean,
    ignoreSigterm: boolean,
    clearEnv: boolean,
  },
};
