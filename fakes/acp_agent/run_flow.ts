/**
 * How the steps that ask, wait and steer are taken.
 *
 * @module
 */
import { existsSync } from "node:fs";
import type { AskStep, EndTurnsStep, FlowStep, RequestStep, WaitStep } from "./flow_step.ts";
import { asText, atPointer, type Json } from "./json.ts";
import { writeRepeated } from "./output.ts";
import { fill } from "./placeholders.ts";
import { type Context, idleUntil, type Runners } from "./context.ts";
import { withParams } from "./run_wire.ts";
import type { Turn } from "./turn.ts";

/** How long a wait for idleness lasts at most. */
const IDLE_MS = 100;
/** How often a state that no event announces is looked at. */
const POLL_MS = 2;

const PERMISSION_OPTIONS: Json = [
  { optionId: "allow", name: "Allow", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

/** Runners by kind. */
export const FLOW_RUNNERS: Runners<FlowStep> = {
  request,
  ask: (step, context) => request(permissionRequest(step), context),
  wait,
  sleep: ({ ms }, context) => idleUntil(context, sleep(ms)),
  waitForFile: ({ path }, context) =>
    idleUntil(context, poll(() => existsSync(path) || context.turn.dropped.isOpen)),
  waitForMessage: ({ method, count = 1 }, context) =>
    idleUntil(context, context.agent.received(method, count)),
  hang: (_, context) => idleUntil(context, new Promise(() => {})),
  repeat: async ({ steps, times = Infinity }, context) => {
    for (let time = 0; time < times && !context.turn.dropped.isOpen; time++) {
      await context.take(steps);
      // Writes may complete without the event loop turning, and an endless loop of them would never see a cancel.
      await new Promise((fulfil) => setImmediate(fulfil));
    }
  },
  endTurns,
};

async function request(step: RequestStep, context: Context): Promise<void> {
  const { agent, turn, sink } = context;
  const { times = 1, wait = true } = step;
  const answers: Promise<Json>[] = [];
  await writeRepeated(sink, (index) => {
    const scope = turn.scope(index);
    const id = step.id === undefined ? agent.nextId() : fill(step.id, scope);
    const answer = agent.expect(id);
    void answer.then((response) => turn.answers.set(step.as ?? JSON.stringify(id), response));
    answers.push(answer);
    turn.asked.push(answer);
    const params = step.params === undefined ? undefined : fill(step.params, scope);
    return agent.frame(JSON.stringify(withParams({ jsonrpc: "2.0", id, method: step.method }, params)));
  }, times);
  if (!wait) return;
  await idleUntil(context, Promise.all(answers));
  if (step.on === undefined || turn.dropped.isOpen) return;
  const outcome = outcomeOf(await answers.at(-1));
  await context.take(step.on[outcome] ?? step.on["*"] ?? []);
}

function permissionRequest(step: AskStep): RequestStep {
  const { kind = "execute", title = "Run a command", options = PERMISSION_OPTIONS } = step;
  const { id, as, wait, times, on } = step;
  const toolCall = step.toolCall ?? { toolCallId: "call-1", title, kind, status: "pending" };
  return {
    do: "request",
    method: "session/request_permission",
    params: { sessionId: step.sessionId ?? { $sessionId: true }, toolCall, options },
    ...Object.fromEntries(
      Object.entries({ id, as, wait, times, on }).filter(([, value]) => value !== undefined),
    ),
  };
}

function outcomeOf(response: Json | undefined): string {
  if (atPointer(response, "/error") !== undefined) return "error";
  const outcome = atPointer(response, "/result/outcome/outcome");
  if (outcome === "selected") return asText(atPointer(response, "/result/outcome/optionId"));
  return typeof outcome === "string" ? outcome : "result";
}

function wait(step: WaitStep, context: Context): Promise<void> {
  const { agent, turn } = context;
  switch (step.for) {
    case "cancel":
      return idleUntil(context, turn.cancelled.opened);
    case "answers":
      return idleUntil(context, Promise.all(turn.asked));
    case "eof":
      return idleUntil(context, agent.ended.opened);
    case "idle": {
      const deadline = performance.now() + IDLE_MS;
      return idleUntil(context, poll(() => agent.busy === 0 || performance.now() >= deadline));
    }
  }
}

async function endTurns({ reason = "cancelled", error }: EndTurnsStep, context: Context): Promise<void> {
  const { agent, turn, sink } = context;
  const requestId = atPointer(turn.message?.["params"], "/requestId");
  const meant = (other: Turn) =>
    requestId === undefined ? other.sessionId === turn.sessionId : other.requestId === requestId;
  for (const other of [...agent.turns]) {
    if (other.message?.["method"] !== "session/prompt" || other.answersCancel || !meant(other)) continue;
    other.dropped.open();
    if (!agent.openRequests.has(other.message)) continue;
    agent.answered(other.message, undefined);
    const id = other.requestId ?? null;
    const outcome = error === undefined
      ? { result: { stopReason: fill(reason, turn.scope()) } }
      : { error: fill(error, turn.scope()) };
    await agent.writeLine(sink, { jsonrpc: "2.0", id, ...outcome });
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((fulfil) => setTimeout(fulfil, ms));
}

async function poll(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(POLL_MS);
}
