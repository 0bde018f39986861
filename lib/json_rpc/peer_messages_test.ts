import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TransportClosedError } from "./errors.ts";
import { bench, brokenPipe, bytesOf, nextTurn } from "./peer_fixtures_test.ts";
import { JsonRpcReplyError } from "./reply_error.ts";

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
    peer.receive(bytesOf('{"id":9,"method":"c"}\n'));
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
        chunk.set(bytesOf('{"method":"c"}\n'));
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
