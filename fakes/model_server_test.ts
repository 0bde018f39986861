import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import process from "node:process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { type ModelServer, startModelServer } from "./model_server.ts";
import { post, postForEvents, postForJson, withModelServer } from "./test_support/model_client.ts";

const PATH = "/v1/chat/completions";
const DEADLINE_MS = 5_000;

function ask(prompt: string, rest: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: "m", messages: [{ role: "user", content: prompt }], ...rest };
}

function textOf(answer: unknown): string | undefined {
  return (answer as { choices: { message: { content: string } }[] }).choices[0]?.message.content;
}

/** Fulfils once the journal's last entry is of that kind; the journal has no event to wait for. */
async function untilLastEntry(server: ModelServer, kind: string): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  while (server.journal.at(-1)?.kind !== kind) {
    if (performance.now() > end) assert.fail(`no ${kind} in ${JSON.stringify(server.journal)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function openSocket(server: ModelServer, text: string): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

async function readAll(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return text;
}

describe("startModelServer()", () => {
  it("listens on the loopback address on the port it names", () =>
    withModelServer(async (server) => {
      assert.equal(server.url, `http://127.0.0.1:${server.port}`);
      assert.equal(textOf(await postForJson(server, PATH, ask("SAY:x"))), "x");
    }));

  it("listens on no other address", () =>
    withModelServer(async ({ port }) => {
      await assert.rejects(fetch(`http://127.0.0.2:${port}/v1/models`));
    }));

  it("rejects when the port is taken", () =>
    withModelServer(async ({ port }) => {
      await assert.rejects(startModelServer({ port }), { code: "EADDRINUSE" });
    }));

  it("keeps separate memories in separate servers", () =>
    withModelServer((one) =>
      withModelServer(async (other) => {
        await postForJson(one, PATH, ask("SAY:x"));
        assert.deepEqual([one.journal.length > 0, other.journal.length], [true, 0]);
      })
    ));
});

describe("a model server's answers", () => {
  it("fail as often as the script says, then come, and fail again after a reset", () =>
    withModelServer(async (server) => {
      const statuses = async (): Promise<number[]> => {
        const seen: number[] = [];
        for (let count = 0; count < 3; count += 1) {
          const response = await post(server, PATH, ask("HTTP:503*2 SAY:x"));
          seen.push(response.status);
          await response.text();
        }
        return seen;
      };
      assert.deepEqual(await statuses(), [503, 503, 200]);
      server.reset();
      assert.deepEqual(server.journal, []);
      assert.deepEqual(await statuses(), [503, 503, 200]);
    }));

  for (const stream of [true, false]) {
    it(`come behind a faster model's when they are slow, stream: ${stream}`, () =>
      withModelServer(async (server) => {
        const order: string[] = [];
        const slow = post(server, PATH, ask("SLOW:250:2", { stream })).then((response) => response.text());
        const done = slow.then((text) => order.push(stream ? "slow stream" : textOf(JSON.parse(text)) ?? ""));
        await untilLastEntry(server, "model-request");
        await postForJson(server, PATH, ask("SAY:fast"));
        order.push("fast");
        await done;
        assert.deepEqual(order, ["fast", stream ? "slow stream" : "w0 w1 "]);
      }));
  }

  it("break off after the first piece of a cut stream", () =>
    withModelServer(async (server) => {
      const body = JSON.stringify(ask("CUT SAY:first second", { stream: true }));
      const head = `POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`;
      const text = await readAll(await openSocket(server, head + body));
      assert.match(text, /"content":"first "/);
      assert.doesNotMatch(text, /second|\[DONE\]/);
      await untilLastEntry(server, "model-request-closed");
      assert.deepEqual(server.journal.at(-1), { kind: "model-request-closed", id: 1, complete: false });
    }));

  it("break off in the middle of a cut answer in one piece", () =>
    withModelServer(async (server) => {
      await assert.rejects(postForJson(server, PATH, ask("CUT SAY:x")));
      await untilLastEntry(server, "model-request-closed");
      assert.deepEqual(server.journal.at(-1), { kind: "model-request-closed", id: 1, complete: false });
    }));

  it("never come from a model that hangs, until the client gives up", () =>
    withModelServer(async (server) => {
      const client = new AbortController();
      const body = JSON.stringify(ask("HANG"));
      const answer = fetch(server.url + PATH, { method: "POST", body, signal: client.signal });
      await untilLastEntry(server, "model-request");
      client.abort();
      await assert.rejects(answer, { name: "AbortError" });
      await untilLastEntry(server, "model-request-closed");
      assert.deepEqual(server.journal.at(-1), { kind: "model-request-closed", id: 1, complete: false });
    }));

  for (
    const [encoding, encode] of [["gzip", gzipSync], ["deflate", deflateSync], [
      "br",
      brotliCompressSync,
    ]] as const
  ) {
    it(`come to a body in ${encoding}`, () =>
      withModelServer(async (server) => {
        const body = encode(JSON.stringify(ask("SAY:x")));
        const response = await fetch(server.url + PATH, {
          method: "POST",
          headers: { "content-encoding": encoding },
          body: new Uint8Array(body),
        });
        assert.equal(textOf(await response.json()), "x");
      }));
  }

  it("refuse a body in an unknown encoding", () =>
    withModelServer(async (server) => {
      const headers = { "content-encoding": "zstd" };
      const response = await fetch(server.url + PATH, { method: "POST", headers, body: "x" });
      assert.equal(response.status, 415);
      const { error } = await response.json() as { error: { message: string } };
      assert.equal(error.message, 'Cannot read content encoding "zstd"');
      assert.deepEqual(server.journal, [{ kind: "other-request", method: "POST", path: PATH, status: 415 }]);
    }));

  it("refuse a body that is not JSON in the protocol's own words", () =>
    withModelServer(async (server) => {
      const response = await fetch(`${server.url}/v1/messages`, { method: "POST", body: "{" });
      assert.equal(response.status, 400);
      assert.deepEqual(await response.json(), {
        type: "error",
        error: { type: "invalid_request_error", message: "The body is not JSON" },
      });
    }));

  it("come to a request that makes no sense as to an empty one", () =>
    withModelServer(async (server) => {
      assert.equal(textOf(await postForJson(server, PATH, [1])), "OK.");
      assert.equal(
        textOf(await postForJson(server, PATH, { messages: 7, tools: [null, { function: 3 }] })),
        "OK.",
      );
    }));

  it("list models and describe one", () =>
    withModelServer(async (server) => {
      const list = await (await fetch(`${server.url}/v1/models`)).json() as { data: { id: string }[] };
      assert.ok(list.data.some(({ id }) => id === "gpt-5"));
      const one = await (await fetch(`${server.url}/v1/models/any%2Fname`)).json() as { id: string };
      assert.equal(one.id, "any/name");
    }));

  it("are 404 for anything else, and journaled", () =>
    withModelServer(async (server) => {
      const response = await fetch(`${server.url}/telemetry?x=1`, { method: "PUT", body: "x" });
      assert.equal(response.status, 404);
      assert.deepEqual(await response.json(), { error: { message: "Nothing at PUT /telemetry" } });
      assert.deepEqual(server.journal, [{
        kind: "other-request",
        method: "PUT",
        path: "/telemetry",
        status: 404,
      }]);
    }));
});

describe("a model server's journal", () => {
  it("holds requests as understood, what was planned, and how they ended", () =>
    withModelServer(async (server) => {
      await postForEvents(server, PATH, ask("SAY:x", { stream: true }));
      await untilLastEntry(server, "model-request-closed");
      assert.deepEqual(server.journal, [
        {
          kind: "model-request",
          id: 1,
          protocol: "openai-chat",
          request: {
            model: "m",
            stream: true,
            messages: [{ role: "user", text: "SAY:x", toolCalls: [], toolResults: [] }],
            tools: [],
            answerSchema: undefined,
          },
          plan: {
            kind: "answer",
            line: "SAY:x",
            answer: { kind: "text", pieces: ["x"], end: "complete" },
            delayMs: 0,
            cut: false,
          },
        },
        { kind: "model-request-closed", id: 1, complete: true },
      ]);
    }));

  it("is to be had and emptied over HTTP", () =>
    withModelServer(async (server) => {
      await postForJson(server, PATH, ask("SAY:x"));
      await untilLastEntry(server, "model-request-closed");
      const journal = await (await fetch(`${server.url}/_journal`)).json();
      assert.deepEqual(journal, JSON.parse(JSON.stringify(server.journal)));
      assert.equal((journal as unknown[]).length, 2);
      await (await post(server, "/_reset", {})).text();
      assert.deepEqual(server.journal, []);
    }));

  it("holds what a client of a proxy wants, and refuses it", () =>
    withModelServer(async (server) => {
      const socket = await openSocket(
        server,
        "CONNECT telemetry.example:443 HTTP/1.1\r\nhost: telemetry.example:443\r\n\r\n",
      );
      assert.match(await readAll(socket), /^HTTP\/1\.1 403 /);
      assert.deepEqual(server.journal, [{ kind: "connect-refused", target: "telemetry.example:443" }]);
    }));

  it("holds what a client of a proxy asks of ourselves", () =>
    withModelServer(async (server) => {
      const request = `GET ${server.url}/nothing HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`;
      assert.match(await readAll(await openSocket(server, request)), /^HTTP\/1\.1 404 /);
      assert.deepEqual(server.journal, [{
        kind: "other-request",
        method: "GET",
        path: "/nothing",
        status: 404,
      }]);
    }));

  it("holds refused web sockets", () =>
    withModelServer(async (server) => {
      const socket = await openSocket(
        server,
        "GET /v1/realtime HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n" +
          "sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
      );
      assert.match(await readAll(socket), /^HTTP\/1\.1 404 /);
      assert.deepEqual(server.journal, [{ kind: "upgrade-refused", path: "/v1/realtime" }]);
    }));
});

describe("ModelServer.close()", () => {
  it("drops idle connections, half requests, hanging and slow answers, and fulfils once", async () => {
    const server = await startModelServer();
    const idle = await openSocket(server, "GET /_journal HTTP/1.1\r\nhost: x\r\n\r\n");
    await once(idle, "data");
    const half = await openSocket(
      server,
      "POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{",
    );
    const ends = [idle, half].map((socket) => once(socket.on("error", () => {}).resume(), "close"));
    const hanging = assert.rejects(postForJson(server, PATH, ask("HANG")));
    const slow = assert.rejects(postForJson(server, PATH, ask("SLOW:60000:1")));
    await untilLastEntry(server, "model-request");
    const first = server.close();
    assert.equal(server.close(), first);
    await first;
    await Promise.all([...ends, hanging, slow]);
    await assert.rejects(fetch(server.url));
  });
});

describe("the model server as a program", () => {
  it("prints its address as its only line and serves", async () => {
    const program = fileURLToPath(new URL("model_server.ts", import.meta.url));
    const child = spawn(process.execPath, [...runtimeArguments(), program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [chunk] = await once(child.stdout, "data", { signal: AbortSignal.timeout(20_000) }) as [
        Uint8Array,
      ];
      const line = String(chunk);
      assert.match(line, /^http:\/\/127\.0\.0\.1:\d+\n$/);
      assert.equal((await fetch(`${line.trim()}/_journal`)).status, 200);
    } finally {
      const exit = once(child, "exit");
      if (child.pid !== undefined) process.kill(child.pid, "SIGTERM");
      await exit;
    }
  });
});

function runtimeArguments(): string[] {
  if ("Deno" in globalThis) return ["run", "-A"];
  return "Bun" in globalThis ? [] : ["--import", "tsx"];
}
