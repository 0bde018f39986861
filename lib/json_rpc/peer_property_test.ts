import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { JsonRpcProtocolError, JsonRpcResponseError, TransportClosedError } from "./errors.ts";
import { JsonRpcPeer } from "./peer.ts";

const encoder = new TextEncoder();
const REQUESTS = 6;

/** What a peer did with a stream, in so far as it may not depend on how the stream was cut. */
interface Trace {
  /** Notifications, requests from the wire and replies to them, in order. */
  readonly events: readonly string[];
  /** What became of our requests, by id. */
  readonly outcomes: readonly string[];
  /** How many lines were ignored. */
  readonly ignored: number;
}

async function trace(chunks: Iterable<Uint8Array>, maxMessageBytes: number): Promise<Trace> {
  const events: string[] = [];
  const peer = new JsonRpcPeer({
    maxMessageBytes,
    write: (line) => {
      const { method, id } = JSON.parse(line);
      if (method === undefined) events.push(`reply ${JSON.stringify(id)}`);
      return Promise.resolve();
    },
    onNotification: (method, params) => events.push(`notification ${method} ${JSON.stringify(params)}`),
    onRequest: (method, params) => {
      events.push(`request ${method} ${JSON.stringify(params)}`);
      return null;
    },
  });
  const answers = Array.from({ length: REQUESTS }, () => peer.request("m").then(JSON.stringify, nameOf));
  for (const chunk of chunks) peer.receive(chunk);
  peer.end();
  return { events, outcomes: await Promise.all(answers), ignored: peer.ignoredFrames };
}

function nameOf(error: unknown): string {
  if (JsonRpcResponseError.is(error)) return `error ${error.code} ${error.remoteMessage}`;
  if (JsonRpcProtocolError.is(error)) return "malformed";
  if (TransportClosedError.is(error)) return error.name;
  throw error;
}

const ids = fc.integer({ min: 0, max: REQUESTS });

const lines = fc.oneof(
  fc.string({ unit: "grapheme" }).map((text) => JSON.stringify({ method: "note", params: { text } })),
  fc.tuple(ids, fc.jsonValue({ maxDepth: 1 })).map(([id, result]) => JSON.stringify({ id, result })),
  ids.map((id) => JSON.stringify({ id, error: { code: id, message: "no" } })),
  ids.map((id) => JSON.stringify({ id })),
  ids.map((id) => JSON.stringify({ id, method: "ask", params: [id] })),
  fc.constantFrom(
    "noise",
    "",
    " \r",
    "42",
    "[]",
    "{}",
    "null",
    '{"id":null,"method":"n"}',
    '{"cut":',
    "\x1b[0m{}",
  ),
);

const streams = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.tuple(lines, fc.constantFrom("\n", "\r\n")).map(([line, end]) =>
        encoder.encode(line + end)
      ),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 8 }) },
  ),
  { maxLength: 25 },
).map((pieces) => Uint8Array.from(pieces.flatMap((piece) => [...piece])));

const cuts = fc.array(fc.nat({ max: 2000 }), { maxLength: 30 });

function* cut(bytes: Uint8Array, places: readonly number[]): Generator<Uint8Array> {
  const sorted = places.map((place) => place % (bytes.length + 1)).sort((left, right) => left - right);
  let start = 0;
  for (const end of [...sorted, bytes.length]) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

function* byteByByte(bytes: Uint8Array): Generator<Uint8Array> {
  for (let index = 0; index < bytes.length; index++) yield bytes.subarray(index, index + 1);
}

describe("JsonRpcPeer, for any stream,", () => {
  it("does the same however the stream is cut", async () => {
    await fc.assert(
      fc.asyncProperty(streams, cuts, fc.constantFrom(40, 1000), async (bytes, places, maxMessageBytes) => {
        const whole = await trace([bytes], maxMessageBytes);
        assert.deepEqual(await trace(cut(bytes, places), maxMessageBytes), whole);
        assert.deepEqual(await trace(byteByByte(bytes), maxMessageBytes), whole);
      }),
      { numRuns: 300 },
    );
  });

  it("answers every request exactly once and before the next message", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(lines, ids)), async (entries) => {
        const expected: string[] = [];
        const text = entries.map(([line, id]) => {
          expected.push(`request owed {"n":${id}}`, `reply ${id}`);
          return `${line}\n${JSON.stringify({ id, method: "owed", params: { n: id } })}\n`;
        }).join("");
        const { events } = await trace([encoder.encode(text)], 10_000);
        const owed = events.filter((event, index) =>
          event.startsWith("request owed") || events[index - 1]?.startsWith("request owed")
        );
        assert.deepEqual(owed, expected);
      }),
    );
  });
});

describe("JsonRpcPeer, for any interleaving of notifications and responses,", () => {
  /** A wire of notifications (null) and responses in any order, each to a request of its own. */
  const wires = fc.array(fc.boolean(), { maxLength: 40 }).chain((responses) => {
    const count = responses.filter(Boolean).length;
    const order = fc.shuffledSubarray([...Array(count).keys()], { minLength: count, maxLength: count });
    return order.map((shuffled) => {
      const ids = shuffled.values();
      return responses.map((isResponse) => isResponse ? ids.next().value! : null);
    });
  });

  it("has run the handlers of all notifications in front of a response when the request settles", async () => {
    await fc.assert(
      fc.asyncProperty(wires, cuts, fc.boolean(), async (wire, places, pause) => {
        const handled: unknown[] = [];
        const peer = new JsonRpcPeer({
          write: () => Promise.resolve(),
          onNotification: (_method, params) => handled.push(params),
          onRequest: () => null,
        });
        const answers = wire.filter((id) => id !== null).map(async (_, id) => {
          const inFront = await peer.request("m") as number;
          assert.ok(
            handled.length >= inFront,
            `request ${id} settled with ${handled.length} of ${inFront} handled`,
          );
        });
        let sent = 0;
        const text = wire.map((id) =>
          JSON.stringify(id === null ? { method: "n", params: sent++ } : { id, result: sent })
        )
          .join("\n") + "\n";
        for (const chunk of cut(encoder.encode(text), places)) {
          peer.receive(chunk);
          if (pause) {
            await Promise.resolve();
          }
        }
        await Promise.all(answers);
        assert.deepEqual(handled, [...Array(sent).keys()]);
      }),
      { numRuns: 300 },
    );
  });
});
