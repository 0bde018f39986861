/**
 * How the steps that write are taken.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { asText, type Json, type JsonObject } from "./json.ts";
import { GatheringSink, type Repeated, type Sink, writeRepeated } from "./output.ts";
import { countsRepetitions, fill, promptText } from "./placeholders.ts";
import { type Context, idleUntil, type Runners } from "./context.ts";
import type { BurstStep, ReplyStep, WireStep } from "./wire_step.ts";

const GAP_MS = 20;

/** Runners by kind. */
export const WIRE_RUNNERS: Runners<WireStep> = {
  reply,
  stop: ({ reason = "end_turn" }, context) => reply({ do: "reply", result: { stopReason: reason } }, context),
  text: ({ text, sessionId, times }, context) => update(chunk({ $text: text }), sessionId, times, context),
  update: (step, context) => update(step.update, step.sessionId, step.times, context),
  echo,
  notify: ({ method, params }, context) => lines(withParams({ jsonrpc: "2.0", method }, params), 1, context),
  send: ({ message, times }, context) => lines(message, times, context),
  line: ({ text, times }, context) =>
    texts(context.sink, text, times, context, (line) => context.agent.frame(line)),
  raw: ({ text, times }, context) => texts(context.sink, text, times, context),
  bytes: ({ base64, times = 1 }, context) =>
    repeat(context.sink, Buffer.from(base64, "base64"), times, context),
  burst,
  framing: ({ before = "", after = "\n" }, { agent }) => {
    agent.framing = { before, after };
  },
  stderr: ({ text, times }, context) => texts(context.agent.stderr, text, times, context),
};

/** Adds params to a message if there are any. */
export function withParams(message: JsonObject, params: Json | undefined): Json {
  return params === undefined ? message as Json : { ...message, params };
}

async function reply(step: ReplyStep, context: Context): Promise<void> {
  const { agent, turn } = context;
  const request = step.to === undefined
    ? turn.message
    : [...agent.openRequests].reverse().find((open) => open["method"] === step.to);
  if (request?.["id"] === undefined) throw new Error("there is no request to answer");
  const message: Record<string, Json> = {
    jsonrpc: "2.0",
    id: step.id === undefined ? request["id"] : step.id,
  };
  if (step.result !== undefined) message["result"] = step.result;
  if (step.error !== undefined) message["error"] = step.error;
  for (const member of step.omit ?? []) delete message[member];
  agent.answered(request, step.result === undefined ? undefined : fill(step.result, turn.scope()));
  await lines(message, step.times, context);
}

async function echo(_: unknown, context: Context): Promise<void> {
  const points = Array.from(promptText(context.turn.message?.["params"]));
  const middle = Math.ceil(points.length / 2);
  for (const half of [points.slice(0, middle), points.slice(middle)]) {
    if (half.length > 0) await update(chunk(half.join("")), undefined, 1, context);
  }
}

function chunk(text: Json): Json {
  return { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
}

function update(
  content: Json,
  sessionId: Json = { $sessionId: true },
  times: number | undefined,
  context: Context,
): Promise<void> {
  return lines(
    { jsonrpc: "2.0", method: "session/update", params: { sessionId, update: content } },
    times,
    context,
  );
}

/** Writes a message as a line, so many times. */
function lines(message: Json, times: number | undefined, context: Context): Promise<void> {
  return texts(context.sink, message, times, context, (line) => context.agent.frame(line), JSON.stringify);
}

/** Writes a text so many times; made once unless its repetitions differ. */
async function texts(
  sink: Sink,
  value: Json,
  times = 1,
  context: Context,
  frame: (text: string) => string = (text) => text,
  format: (filled: Json) => string = asText,
): Promise<void> {
  const text = (index: number) => frame(format(fill(value, context.turn.scope(index))));
  await repeat(sink, countsRepetitions(value) ? text : text(0), times, context);
}

async function repeat(
  sink: Sink,
  unit: Repeated | Uint8Array,
  times: number,
  { turn }: Context,
): Promise<void> {
  await writeRepeated(sink, unit, times, () => turn.dropped.isOpen);
}

async function burst({ steps, cut = [], gapMs = GAP_MS }: BurstStep, context: Context): Promise<void> {
  const gathering = new GatheringSink();
  await context.take(steps, gathering);
  const bytes = gathering.gathered();
  const offsets = cut === "character" ? [bytes.findIndex((byte) => byte >= 0xc0) + 1] : [...cut];
  let from = 0;
  for (const to of [...offsets, bytes.length]) {
    if (from > 0) await idleUntil(context, new Promise((fulfil) => setTimeout(fulfil, gapMs)));
    await context.sink.write(bytes.subarray(from, to));
    from = to;
  }
}
