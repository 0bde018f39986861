import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TransportClosedError, TransportLimitError } from "./errors.ts";
import { JsonRpcPeer } from "./peer.ts";
import { bench, brokenPipe, bytesOf, nextTurn } from "./peer_fixtures_test.ts";

describe("JsonRpcPeer.end()", () => {
  it("handles a last line without LF, then rejects what is pending", async () => {
    const { peer, send, closings } = bench();
    const answered = peer.request("a");
    const left = peer.request("b");
    send('{"id":0,"result":1}');
    assert.equal(peer.pendingRequests, 2);
    peer.end();
    assert.equal(await answered, 1);
    await assert.rejects(left, { name: "TransportClosedError", message: "JSON-RPC input closed" });
    assert.deepEqual([peer.closed, peer.pendingRequests, closings.length], [true, 0, 1]);
  });

  it("keeps the cause", async () => {
    const { peer, closings } = bench();
    const answer = peer.request("m");
    peer.end(brokenPipe);
    await assert.rejects(answer, (error) => TransportClosedError.is(error) && error.cause === brokenPipe);
    assert.equal(closings[0]?.cause, brokenPipe);
  });

  it("counts a cut last line as ignored", () => {
    const { peer, send } = bench();
    send('{"id":0,"res');
    peer.end();
    assert.equal(peer.ignoredFrames, 1);
  });
});

describe("JsonRpcPeer.close()", () => {
  it("rejects what is pending with its cause", async () => {
    const { peer, closings } = bench();
    const answers = [peer.request("a"), peer.request("b")];
    peer.close(brokenPipe);
    for (const answer of answers) {
      await assert.rejects(answer, {
        name: "TransportClosedError",
        message: "JSON-RPC transport closed",
        cause: brokenPipe,
      });
    }
    assert.deepEqual([peer.closed, peer.pendingRequests, closings.length], [true, 0, 1]);
  });

  it("drops an unfinished line", () => {
    const { peer, notified, send } = bench();
    send('{"method":"a"}');
    peer.close();
    peer.end();
    assert.deepEqual(notified, []);
  });

  it("makes later requests reject without writing", async () => {
    const { peer, written } = bench();
    peer.close(brokenPipe);
    await assert.rejects(
      peer.request("m"),
      (error) => TransportClosedError.is(error) && error.cause === brokenPipe,
    );
    assert.deepEqual([written, peer.pendingRequests], [[], 0]);
  });

  it("makes the peer deaf", () => {
    const { peer, notified, send } = bench();
    peer.close();
    send('{"method":"a"}\nnoise\n');
    assert.deepEqual([notified, peer.ignoredFrames], [[], 0]);
  });

  it("counts once, whatever comes after", () => {
    const { peer, closings } = bench();
    peer.close(brokenPipe);
    peer.close();
    peer.end();
    assert.deepEqual(closings.map(({ cause }) => cause), [brokenPipe]);
  });

  it("survives an onClose that throws", () => {
    const failure = new Error("onClose");
    const { peer, reported } = bench({
      onClose: () => {
        throw failure;
      },
    });
    peer.close();
    assert.deepEqual([peer.closed, reported], [true, [failure]]);
  });
});

describe("JsonRpcPeer's limits", () => {
  it("a message past maxMessageBytes fails the connection and what is pending", async () => {
    const { peer, notified, closings, send } = bench({ maxMessageBytes: 32 });
    const answer = peer.request("m");
    send(`{"method":"a"}\n{"method":"${"x".repeat(32)}"}\n{"method":"b"}\n`);
    await assert.rejects(
      answer,
      (error) => TransportLimitError.is(error) && error.what === "message" && error.limitBytes === 32,
    );
    assert.deepEqual([notified, peer.closed], [[["a", undefined]], true]);
    assert.equal(TransportLimitError.is(closings[0]), true);
  });

  it("a message of exactly maxMessageBytes passes", () => {
    const { notified, send } = bench({ maxMessageBytes: 14 });
    send('{"method":"a"}\n');
    assert.deepEqual(notified, [["a", undefined]]);
  });

  it("a message of 32 MiB passes by default, one byte more does not", () => {
    const limit = 32 * 1024 * 1024;
    const padded = new Uint8Array(limit + 1).fill(0x20);
    padded.set(bytesOf('{"method":"a"}'));
    const { peer, notified, send } = bench();
    peer.receive(padded.subarray(0, limit));
    send("\n");
    assert.deepEqual([notified, peer.closed], [[["a", undefined]], false]);
    peer.receive(padded);
    assert.equal(peer.closed, true);
  });

  it("replies that the peer does not take fail the connection past maxQueuedReplyBytes", async () => {
    let written = 0;
    const { peer, closings, send } = bench({
      maxQueuedReplyBytes: 1000,
      onRequest: () => "pong",
      write: (line) => {
        written += line.length;
        return new Promise(() => {});
      },
    });
    const answer = peer.request("m");
    send('{"id":1,"method":"ping"}\n'.repeat(1000));
    await assert.rejects(
      answer,
      (error) => TransportLimitError.is(error) && error.what === "replies" && error.limitBytes === 1000,
    );
    assert.equal(peer.closed, true);
    assert.equal(closings.length, 1);
    assert.ok(written > 900 && written <= 1100, `${written} written`);
  });

  it("replies that the peer takes never fail it", async () => {
    const { peer, written, send } = bench({ maxQueuedReplyBytes: 100, onRequest: () => "pong" });
    for (let round = 0; round < 100; round++) {
      send('{"id":1,"method":"ping"}\n');
      await nextTurn();
    }
    assert.deepEqual([peer.closed, written.length], [false, 100]);
  });

  for (const option of ["maxMessageBytes", "maxQueuedReplyBytes"] as const) {
    it(`${option} is a positive integer`, () => {
      assert.throws(() => bench({ [option]: 0 }), {
        name: "RangeError",
        message: `${option} must be a positive integer, got 0`,
      });
    });
  }

  it("memory that cannot be had fails the connection instead of the caller", async () => {
    const { peer } = bench();
    const answer = peer.request("m");
    const failure = new RangeError("Array buffer allocation failed");
    const chunk = new Uint8Array(1);
    chunk.subarray = () => {
      throw failure;
    };
    peer.receive(chunk);
    await assert.rejects(answer, {
      name: "TransportClosedError",
      message: "JSON-RPC input failed",
      cause: failure,
    });
  });
});

describe("two JsonRpcPeers joined in memory", () => {
  it("call each other, in both directions at once", async () => {
    const ends: JsonRpcPeer[] = [];
    const make = (self: number, other: number): JsonRpcPeer =>
      new JsonRpcPeer({
        write: (line) => Promise.resolve(ends[other]!.receive(bytesOf(line))),
        onNotification: () => {},
        onRequest: (method, params) =>
          method === "double" ? (params as number[])[0]! * 2 : ends[self]!.request("double", params),
      });
    ends.push(make(0, 1), make(1, 0));
    assert.equal(await ends[0]!.request("ask back", [21]), 42);
    assert.equal(await ends[1]!.request("ask back", [4]), 8);
  });
});
