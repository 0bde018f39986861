import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  JsonRpcProtocolError,
  JsonRpcResponseError,
  RequestTimeoutError,
  TransportClosedError,
  TransportLimitError,
} from "./errors.ts";
import { bench, brokenPipe } from "./peer_fixtures_test.ts";

describe("JsonRpcPeer.request()", () => {
  it("writes the request at once and fulfils with the result", async () => {
    const { peer, written, send } = bench();
    const answer = peer.request("initialize", { protocolVersion: 1 });
    assert.deepEqual(written, [
      '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n',
    ]);
    assert.equal(peer.pendingRequests, 1);
    send('{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}\n');
    assert.equal(peer.pendingRequests, 0);
    assert.deepEqual(await answer, { protocolVersion: 1 });
  });

  it("counts ids from 0", () => {
    const { peer, written } = bench();
    for (const method of ["a", "b", "c"]) void peer.request(method);
    assert.deepEqual(written, [
      '{"jsonrpc":"2.0","id":0,"method":"a"}\n',
      '{"jsonrpc":"2.0","id":1,"method":"b"}\n',
      '{"jsonrpc":"2.0","id":2,"method":"c"}\n',
    ]);
  });

  it("takes ids from nextId", async () => {
    const ids = ["req_a", "req_b"];
    const { peer, written, send } = bench({ nextId: () => ids.shift()! });
    const first = peer.request("m");
    const second = peer.request("m");
    send('{"id":"req_b","result":2}\n{"id":"req_a","result":1}\n');
    assert.deepEqual(await Promise.all([first, second]), [1, 2]);
    assert.deepEqual(written.map((line) => JSON.parse(line).id), ["req_a", "req_b"]);
  });

  it("rejects when nextId repeats an id that is in use, and keeps the earlier request", async () => {
    const { peer, written, send } = bench({ nextId: () => "same" });
    const first = peer.request("m");
    await assert.rejects(peer.request("m"), {
      name: "RangeError",
      message: 'nextId() made an id that is in use: "same"',
    });
    assert.equal(written.length, 1);
    send('{"id":"same","result":1}\n');
    assert.equal(await first, 1);
  });

  it("fulfils out of order", async () => {
    const { peer, send } = bench();
    const answers = [peer.request("a"), peer.request("b")];
    send('{"id":1,"result":"b"}\n{"id":0,"result":"a"}\n');
    assert.deepEqual(await Promise.all(answers), ["a", "b"]);
  });

  for (const result of [null, false, 0, "", [], {}]) {
    it(`fulfils with ${JSON.stringify(result)}`, async () => {
      const { peer, send } = bench();
      const answer = peer.request("m");
      send(`{"jsonrpc":"2.0","id":0,"result":${JSON.stringify(result)}}\n`);
      assert.deepEqual(await answer, result);
    });
  }

  it("rejects with a JsonRpcResponseError when the peer answers with an error", async () => {
    const { peer, send } = bench();
    const answer = peer.request("m");
    send('{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"Login needed","data":{"url":"x"}}}\n');
    await assert.rejects(answer, (error) => {
      assert.ok(JsonRpcResponseError.is(error));
      assert.equal(error.message, "The peer answered with a JSON-RPC error");
      assert.deepEqual([error.code, error.remoteMessage, error.data], [-32000, "Login needed", { url: "x" }]);
      return true;
    });
  });

  for (
    const [name, response] of [
      ["neither result nor error", '{"jsonrpc":"2.0","id":0}'],
      ["both", '{"jsonrpc":"2.0","id":0,"result":1,"error":{"code":1,"message":"secret"}}'],
      ["an error that is null", '{"jsonrpc":"2.0","id":0,"error":null}'],
      ["an error that is text", '{"jsonrpc":"2.0","id":0,"error":"secret"}'],
    ] as const
  ) {
    it(`rejects with a JsonRpcProtocolError when the response has ${name}`, async () => {
      const { peer, send } = bench();
      const answer = peer.request("m");
      send(`${response}\n`);
      await assert.rejects(answer, (error) => {
        assert.ok(JsonRpcProtocolError.is(error));
        assert.equal(JSON.stringify([error.message, error.cause]).includes("secret"), false);
        return true;
      });
      assert.deepEqual([peer.pendingRequests, peer.ignoredFrames], [0, 0]);
    });
  }

  it("rejects with a TransportClosedError when the write rejects", async () => {
    const { peer } = bench({ write: () => Promise.reject(brokenPipe) });
    await assert.rejects(
      peer.request("m"),
      (error) =>
        TransportClosedError.is(error) && error.cause === brokenPipe && !TransportLimitError.is(error),
    );
    assert.deepEqual([peer.pendingRequests, peer.closed], [0, false]);
  });

  it("rejects with a TransportClosedError when the write throws", async () => {
    const { peer } = bench({
      write: () => {
        throw brokenPipe;
      },
    });
    await assert.rejects(
      peer.request("m"),
      (error) => TransportClosedError.is(error) && error.cause === brokenPipe,
    );
    assert.equal(peer.pendingRequests, 0);
  });

  it("keeps an answer that came before the write rejected", async () => {
    let lose!: (error: Error) => void;
    const { peer, send } = bench({ write: () => new Promise((_, reject) => void (lose = reject)) });
    const answer = peer.request("m");
    send('{"id":0,"result":1}\n');
    lose(brokenPipe);
    assert.equal(await answer, 1);
  });

  it("takes an answer that arrives during the write", async () => {
    const { peer, send } = bench({
      write: (line) => {
        send(`{"id":${JSON.parse(line).id},"result":"echo"}\n`);
        return Promise.resolve();
      },
    });
    assert.equal(await peer.request("m"), "echo");
  });

  for (
    const [name, params] of [
      ["a bigint", { n: 1n }],
      ["a function", () => {}],
    ] as const
  ) {
    it(`rejects with a TypeError when the params are ${name}`, async () => {
      const { peer, written } = bench();
      await assert.rejects(peer.request("m", params), {
        name: "TypeError",
        message: 'Params of JSON-RPC method "m" must be JSON-serialisable',
      });
      assert.deepEqual([written, peer.pendingRequests], [[], 0]);
    });
  }

  for (const timeoutMs of [0, -1, NaN]) {
    it(`rejects with a RangeError when timeoutMs is ${timeoutMs}`, async () => {
      const { peer, written } = bench();
      await assert.rejects(peer.request("m", {}, { timeoutMs }), {
        name: "RangeError",
        message: `timeoutMs must be a number above 0, got ${timeoutMs}`,
      });
      assert.deepEqual(written, []);
    });
  }

  it("rejects with a RequestTimeoutError after timeoutMs; the late answer is ignored", async () => {
    const { peer, send } = bench();
    await assert.rejects(peer.request("m", {}, { timeoutMs: 1 }), RequestTimeoutError);
    assert.equal(peer.pendingRequests, 0);
    send('{"id":0,"result":1}\n');
    assert.equal(peer.ignoredFrames, 1);
  });
});

describe("JsonRpcPeer.request() with a signal", () => {
  it("rejects with the reason on abort, and ignores the late answer", async () => {
    const { peer, send } = bench();
    const controller = new AbortController();
    const answer = peer.request("m", {}, { signal: controller.signal });
    const reason = new Error("enough");
    controller.abort(reason);
    assert.equal(peer.pendingRequests, 0);
    send('{"id":0,"result":1}\n');
    await assert.rejects(answer, reason);
    assert.equal(peer.ignoredFrames, 1);
  });

  it("rejects without writing when already aborted", async () => {
    const { peer, written } = bench();
    const reason = new Error("enough");
    await assert.rejects(peer.request("m", {}, { signal: AbortSignal.abort(reason) }), reason);
    assert.deepEqual([written, peer.pendingRequests], [[], 0]);
  });

  it("rejects with an AbortError when the reason is no Error", async () => {
    const { peer } = bench();
    await assert.rejects(peer.request("m", {}, { signal: AbortSignal.abort("stop") }), {
      name: "AbortError",
      cause: "stop",
    });
  });

  it("leaves an abort after the answer without effect", async () => {
    const { peer, send } = bench();
    const controller = new AbortController();
    const answer = peer.request("m", {}, { signal: controller.signal });
    send('{"id":0,"result":1}\n');
    controller.abort();
    assert.equal(await answer, 1);
  });
});

describe("JsonRpcPeer.request() with onResult", () => {
  it("calls it before the next message of the chunk is looked at", async () => {
    const events: unknown[] = [];
    const { peer, send } = bench({ onNotification: (method) => events.push(method) });
    const answer = peer.request("session/new", {}, { onResult: (result) => events.push(result) });
    send('{"method":"a"}\n{"id":0,"result":"s1"}\n{"method":"b"}\n');
    assert.deepEqual(events, ["a", "s1", "b"]);
    assert.equal(await answer, "s1");
  });

  it("reports what it throws, fulfils all the same and reads on", async () => {
    const failure = new Error("onResult");
    const { peer, notified, reported, send } = bench();
    const onResult = (): never => {
      throw failure;
    };
    const answer = peer.request("m", {}, { onResult });
    send('{"id":0,"result":1}\n{"method":"a"}\n');
    assert.equal(await answer, 1);
    assert.deepEqual([reported, notified, peer.closed, peer.ignoredFrames], [
      [failure],
      [["a", undefined]],
      false,
      0,
    ]);
  });

  it("closes the peer from within it before the rest of the chunk is handled", async () => {
    const { peer, notified, send } = bench();
    const answer = peer.request("m", {}, { onResult: () => peer.close() });
    send('{"id":0,"result":1}\n{"method":"a"}\n');
    assert.equal(await answer, 1);
    assert.deepEqual([notified, peer.closed], [[], true]);
  });

  it("never calls it without a result", async () => {
    const results: unknown[] = [];
    const onResult = (result: unknown): void => void results.push(result);
    const { peer, send } = bench();
    const controller = new AbortController();
    const answers = [
      peer.request("answered with an error", {}, { onResult }),
      peer.request("answered with neither", {}, { onResult }),
      peer.request("aborted", {}, { onResult, signal: controller.signal }),
      peer.request("closed", {}, { onResult }),
    ];
    controller.abort();
    send('{"id":0,"error":{"code":1,"message":"m"}}\n{"id":1}\n{"id":2,"result":"late"}\n');
    peer.end();
    for (const answer of answers) await assert.rejects(answer);
    assert.deepEqual(results, []);
  });
});
