import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  JsonRpcProtocolError,
  JsonRpcResponseError,
  RequestTimeoutError,
  TransportClosedError,
  TransportLimitError,
} from "./errors.ts";
import { JsonRpcPeer, type JsonRpcPeerOptions } from "./peer.ts";
import { JsonRpcReplyError } from "./reply_error.ts";

const encoder = new TextEncoder();

interface Bench {
  readonly peer: JsonRpcPeer;
  /** Lines the peer wrote. */
  readonly written: string[];
  /** Notifications it delivered. */
  readonly notified: unknown[];
  /** What it reported to onHandlerError. */
  readonly reported: unknown[];
  /** What it reported to onClose. */
  readonly closings: TransportClosedError[];
  /** Sends it text as one chunk. */
  send(text: string): void;
}

/** A peer whose surroundings write everything down. */
function bench(options: Partial<JsonRpcPeerOptions> = {}): Bench {
  const written: string[] = [];
  const notified: unknown[] = [];
  const reported: unknown[] = [];
  const closings: TransportClosedError[] = [];
  const peer = new JsonRpcPeer({
    write: (line) => {
      written.push(line);
      return Promise.resolve();
    },
    onNotification: (method, params) => notified.push([method, params]),
    onRequest: (method) => {
      throw new JsonRpcReplyError(-32601, `No such method: ${method}`);
    },
    onHandlerError: (error) => reported.push(error),
    onClose: (error) => closings.push(error),
    ...options,
  });
  return { peer, written, notified, reported, closings, send: (text) => peer.receive(encoder.encode(text)) };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

const brokenPipe = new Error("EPIPE");

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

describe("JsonRpcPeer.notify()", () => {
  it("writes the notification at once", async () => {
    const { peer, written } = bench();
    const handedOver = peer.notify("session/cancel", { sessionId: "s1" });
    assert.deepEqual(written, ['{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s1"}}\n']);
    assert.equal(await handedOver, undefined);
  });

  it("rejects with a TransportClosedError when the write rejects", async () => {
    const { peer } = bench({ write: () => Promise.reject(brokenPipe) });
    await assert.rejects(
      peer.notify("m"),
      (error) => TransportClosedError.is(error) && error.cause === brokenPipe,
    );
  });

  it("rejects with a TransportClosedError after close, without writing", async () => {
    const { peer, written } = bench();
    peer.close();
    await assert.rejects(peer.notify("m"), TransportClosedError);
    assert.deepEqual(written, []);
  });

  it("rejects with a TypeError when the params are not JSON-serialisable", async () => {
    const { peer, written } = bench();
    await assert.rejects(peer.notify("m", { n: 1n }), TypeError);
    assert.deepEqual(written, []);
  });

  it("keeps its place among the requests", () => {
    const { peer, written } = bench({ onRequest: () => "sync" });
    void peer.request("a");
    void peer.notify("b");
    peer.receive(encoder.encode('{"id":9,"method":"c"}\n'));
    void peer.request("d");
    assert.deepEqual(
      written.map((line) => JSON.parse(line)).map(({ id, method }) => method ?? `reply ${id}`),
      [
        "a",
        "b",
        "reply 9",
        "d",
      ],
    );
  });
});

describe("JsonRpcPeer answers a request", () => {
  for (
    const { name, answer, reply } of [
      { name: "with a value", answer: () => ({ a: 1 }), reply: '"result":{"a":1}' },
      { name: "with null for undefined", answer: () => undefined, reply: '"result":null' },
      { name: "with the value of a promise", answer: () => Promise.resolve([1]), reply: '"result":[1]' },
      {
        name: "with the value of a foreign thenable that calls back twice",
        answer: () => ({ then: (take: (value: unknown) => void) => (take(1), take(2)) }),
        reply: '"result":1',
      },
      {
        name: "with the error a handler throws",
        answer: () => {
          throw new JsonRpcReplyError(-32602, "Bad params");
        },
        reply: '"error":{"code":-32602,"message":"Bad params"}',
      },
      {
        name: "with the error a handler rejects with",
        answer: () => Promise.reject(new JsonRpcReplyError(-32800, "Cancelled")),
        reply: '"error":{"code":-32800,"message":"Cancelled"}',
      },
    ]
  ) {
    it(name, async () => {
      const { written, reported, send } = bench({ onRequest: answer });
      send('{"jsonrpc":"2.0","id":"x","method":"m"}\n');
      await nextTurn();
      assert.deepEqual(written, [`{"jsonrpc":"2.0","id":"x",${reply}}\n`]);
      assert.deepEqual(reported, []);
    });
  }

  for (
    const { name, answer } of [
      {
        name: "a handler throws",
        answer: (error: Error) => {
          throw error;
        },
      },
      { name: "a handler rejects", answer: (error: Error) => Promise.reject(error) },
      {
        name: "a result throws when it is looked at",
        answer: (error: Error) =>
          Object.defineProperty({}, "then", {
            get: () => {
              throw error;
            },
          }),
      },
    ]
  ) {
    it(`with -32603 and no detail when ${name}`, async () => {
      const failure = new Error("secret of the host");
      const { written, reported, send } = bench({ onRequest: () => answer(failure) });
      send('{"jsonrpc":"2.0","id":0,"method":"m"}\n');
      await nextTurn();
      assert.deepEqual(written, [
        '{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"Internal error"}}\n',
      ]);
      assert.deepEqual(reported, [failure]);
    });
  }

  for (const [name, result] of [["a value", { n: 1n }], ["a promise", Promise.resolve({ n: 1n })]] as const) {
    it(`with -32603 when ${name} is not JSON-serialisable`, async () => {
      const { written, reported, send } = bench({ onRequest: () => result });
      send('{"jsonrpc":"2.0","id":0,"method":"m"}\n');
      await nextTurn();
      assert.deepEqual(written, [
        '{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"Internal error"}}\n',
      ]);
      assert.equal((reported[0] as Error).message, "Result of a JSON-RPC request must be JSON-serialisable");
    });
  }

  for (const id of ["0", '"0"', '""', '"é\\n"', "1.5", "-1", "9007199254740991"]) {
    it(`with the id ${id} as it came`, () => {
      const { written, send } = bench({ onRequest: () => 1 });
      send(`{"jsonrpc":"2.0","id":${id},"method":"m"}\n`);
      assert.deepEqual(written, [`{"jsonrpc":"2.0","id":${id},"result":1}\n`]);
    });
  }

  it("as often as the id is used", () => {
    const { written, send } = bench({ onRequest: () => 1 });
    send('{"id":5,"method":"m"}\n{"id":5,"method":"m"}\n');
    assert.deepEqual(written, [
      '{"jsonrpc":"2.0","id":5,"result":1}\n',
      '{"jsonrpc":"2.0","id":5,"result":1}\n',
    ]);
  });

  it("with an id that one of our own requests has, and keeps that request", async () => {
    const { peer, written, send } = bench({ onRequest: () => "theirs" });
    const ours = peer.request("m");
    send('{"id":0,"method":"m"}\n{"id":0,"result":"ours"}\n');
    assert.equal(written[1], '{"jsonrpc":"2.0","id":0,"result":"theirs"}\n');
    assert.equal(await ours, "ours");
  });

  it("before it handles the next message, when the answer is at hand", () => {
    const events: string[] = [];
    const { send } = bench({
      write: (line) => {
        events.push(`reply ${JSON.parse(line).id}`);
        return Promise.resolve();
      },
      onRequest: () => 1,
      onNotification: (method) => events.push(method),
    });
    send('{"id":1,"method":"m"}\n{"method":"n"}\n{"id":2,"method":"m"}\n');
    assert.deepEqual(events, ["reply 1", "n", "reply 2"]);
  });

  it("with method and params handed to the handler", () => {
    const asked: unknown[] = [];
    const { send } = bench({ onRequest: (method, params) => asked.push([method, params]) });
    send('{"id":1,"method":"a","params":{"b":1}}\n{"id":2,"method":"c"}\n');
    assert.deepEqual(asked, [["a", { b: 1 }], ["c", undefined]]);
  });

  it("not at all once it is closed", async () => {
    let finish!: (value: string) => void;
    const { peer, written, send } = bench({
      onRequest: () => new Promise((resolve) => void (finish = resolve)),
    });
    send('{"id":1,"method":"m"}\n');
    peer.close();
    finish("late");
    await nextTurn();
    assert.deepEqual(written, []);
  });

  it("and survives that the reply cannot be written", async () => {
    const { peer, notified, reported, send } = bench({
      write: () => Promise.reject(brokenPipe),
      onRequest: () => 1,
    });
    send('{"id":1,"method":"m"}\n{"method":"n"}\n');
    await nextTurn();
    assert.deepEqual([notified, reported, peer.closed], [[["n", undefined]], [], false]);
  });
});

describe("JsonRpcPeer delivers notifications", () => {
  it("synchronously, with params as they came", () => {
    const { notified, send } = bench();
    send('{"method":"a","params":[1]}\n{"method":"b","params":{"c":null}}\n{"id":null,"method":"d"}\n');
    assert.deepEqual(notified, [["a", [1]], ["b", { c: null }], ["d", undefined]]);
  });

  it("and goes on when a handler throws", async () => {
    const failure = new Error("handler");
    const { peer, reported, send } = bench({
      onNotification: () => {
        throw failure;
      },
    });
    const answer = peer.request("m");
    send('{"method":"a"}\n{"method":"b"}\n{"id":0,"result":1}\n');
    assert.equal(await answer, 1);
    assert.deepEqual(reported, [failure, failure]);
  });

  it("and goes on when onHandlerError throws, too", async () => {
    const fail = (): never => {
      throw new Error("again");
    };
    const { peer, send } = bench({ onNotification: fail, onHandlerError: fail });
    const answer = peer.request("m");
    send('{"method":"a"}\n{"id":0,"result":1}\n');
    assert.equal(await answer, 1);
  });

  it("and takes the rejection of a handler that is async against its contract", async () => {
    const failure = new Error("async handler");
    const { reported, send } = bench({ onNotification: () => Promise.reject(failure) as unknown as void });
    send('{"method":"a"}\n');
    await nextTurn();
    assert.deepEqual(reported, [failure]);
  });

  it("and drops the rest of the chunk when a handler closes the peer", async () => {
    const methods: string[] = [];
    const { peer, written, send } = bench({
      onNotification: (method) => {
        methods.push(method);
        if (method === "stop") peer.close(brokenPipe);
      },
    });
    const answer = peer.request("m");
    send('{"method":"a"}\n{"method":"stop"}\n{"method":"b"}\n{"id":7,"method":"c"}\n{"id":0,"result":1}\n');
    await assert.rejects(answer, (error) => TransportClosedError.is(error) && error.cause === brokenPipe);
    assert.deepEqual(methods, ["a", "stop"]);
    assert.equal(written.length, 1);
  });

  it("in wire order when a handler feeds the peer more bytes", () => {
    const methods: string[] = [];
    const chunk = new Uint8Array(64);
    const { peer, send } = bench({
      onNotification: (method) => {
        methods.push(method);
        if (method !== "a") return;
        chunk.set(encoder.encode('{"method":"c"}\n'));
        peer.receive(chunk.subarray(0, 15));
        chunk.fill(0x78);
        peer.end();
      },
    });
    send('{"method":"a"}\n{"method":"b"}\n');
    assert.deepEqual(methods, ["a", "b", "c"]);
    assert.equal(peer.closed, true);
  });
});

describe("JsonRpcPeer ignores and counts", () => {
  for (
    const [name, line] of [
      ["text", "npm warn deprecated"],
      ["cut JSON", '{"jsonrpc":"2.0","id":0,"result":'],
      ["a scalar", "42"],
      ["null", "null"],
      ["a batch with the answer", '[{"jsonrpc":"2.0","id":0,"result":1}]'],
      ["an object that is no envelope", '{"level":"info","time":1}'],
      ["an answer to an unknown id", '{"jsonrpc":"2.0","id":7,"result":1}'],
      ["an error for an unknown id", '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}}'],
      ["a malformed answer to an unknown id", '{"jsonrpc":"2.0","id":7}'],
      ['an answer to id "0" instead of 0', '{"jsonrpc":"2.0","id":"0","result":1}'],
      ["an answer to id null", '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'],
      ["an answer without id", '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}'],
      ["a call whose id is an object", '{"jsonrpc":"2.0","id":{},"method":"m"}'],
    ] as const
  ) {
    it(name, async () => {
      const { peer, written, notified, reported, send } = bench();
      const answer = peer.request("m");
      send(`${line}\n`);
      assert.deepEqual([peer.ignoredFrames, peer.pendingRequests], [1, 1]);
      assert.deepEqual([written.length, notified, reported], [1, [], []]);
      send('{"jsonrpc":"2.0","id":0,"result":"still here"}\n');
      assert.equal(await answer, "still here");
    });
  }

  it("a second answer to the same request", async () => {
    const { peer, send } = bench();
    const answer = peer.request("m");
    send('{"id":0,"result":1}\n{"id":0,"result":2}\n{"id":0,"error":{"code":1,"message":"m"}}\n');
    assert.equal(await answer, 1);
    assert.equal(peer.ignoredFrames, 2);
  });

  it("but not blank lines", () => {
    const { peer, send } = bench();
    send("\n\r\n  \n");
    assert.equal(peer.ignoredFrames, 0);
  });

  it("without a word on the console", () => {
    const said: unknown[] = [];
    const methods = ["log", "info", "warn", "error", "debug"] as const;
    const originals = methods.map((method) => console[method]);
    for (const method of methods) console[method] = (...args) => said.push(args);
    try {
      const { peer, send } = bench({
        onNotification: () => {
          throw new Error("handler");
        },
      });
      send('noise\n42\n{"id":"secret","result":1}\n{"method":"m"}\n{"id":1,"method":"m"}\n');
      peer.end(new Error("EIO"));
    } finally {
      methods.forEach((method, index) => void (console[method] = originals[index]!));
    }
    assert.deepEqual(said, []);
  });
});

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
    padded.set(encoder.encode('{"method":"a"}'));
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
        write: (line) => Promise.resolve(ends[other]!.receive(encoder.encode(line))),
        onNotification: () => {},
        onRequest: (method, params) =>
          method === "double" ? (params as number[])[0]! * 2 : ends[self]!.request("double", params),
      });
    ends.push(make(0, 1), make(1, 0));
    assert.equal(await ends[0]!.request("ask back", [21]), 42);
    assert.equal(await ends[1]!.request("ask back", [4]), 8);
  });
});
