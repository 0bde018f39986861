/**
 * Faults that others reported of programs that drive agents as children, each replayed against this layer.
 *
 * @module
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonRpcResponseError, TransportClosedError, TransportLimitError } from "./errors.ts";
import { JsonRpcPeer } from "./peer.ts";

const encoder = new TextEncoder();
const MEBI = 1024 * 1024;

/** A host that folds the text of updates, as a provider does, and refuses every request. */
function host(maxMessageBytes?: number): { peer: JsonRpcPeer; written: string[]; text(): string } {
  const written: string[] = [];
  let text = "";
  const peer = new JsonRpcPeer({
    write: (line) => {
      written.push(line);
      return Promise.resolve();
    },
    onNotification: (_method, params) => {
      text += (params as { text: string }).text;
    },
    onRequest: () => null,
    ...(maxMessageBytes === undefined ? {} : { maxMessageBytes }),
  });
  return { peer, written, text: () => text };
}

const update = (text: string): string =>
  `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { text } })}\n`;
const answer = (id: number, result: unknown): string => `${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`;

describe("framing", () => {
  it("UTF-8 split across chunks is kept whole (codex-acp#345, poe-code#369, DesktopCommanderMCP#628)", () => {
    const { peer, text } = host();
    for (const byte of encoder.encode(update("Grüße, 世界 👋🏽"))) peer.receive(Uint8Array.of(byte));
    assert.equal(text(), "Grüße, 世界 👋🏽");
  });

  for (
    const [name, noise] of [
      ["log lines on stdout are ignored (acpx#160)", "[INFO] ready\n2026-08-01 WARN slow start\n"],
      [
        "noise of a shell profile is ignored and never answered (codex-acp#177, vscode-acp#47)",
        "Welcome!\nnvm: using v20\n$ \n",
      ],
      [
        "coloured log lines between frames are ignored (seen with cline)",
        "\x1b[31mERROR\x1b[0m ENOENT posix_spawn\n",
      ],
      [
        "escape sequences on lines of their own are ignored (kagan-legacy#148)",
        "\x1b]0;agent\x07\x1b[?25h\n",
      ],
      [
        "JSON that is no message is ignored and never echoed",
        '{"level":"info","password":"p"}\n42\nnull\n[]\n',
      ],
    ] as const
  ) {
    it(name, async () => {
      const { peer, written, text } = host();
      const request = peer.request("initialize");
      peer.receive(encoder.encode(noise + update("a") + noise + answer(0, "ok") + noise));
      assert.equal(await request, "ok");
      assert.equal(text(), "a");
      assert.equal(written.length, 1);
      assert.equal(peer.ignoredFrames, 3 * noise.trimEnd().split("\n").length);
    });
  }

  it("a frame behind escape sequences without a line end is not lost (kagan-legacy#148)", async () => {
    const { peer } = host();
    const request = peer.request("initialize");
    peer.receive(encoder.encode(`\x1b]0;npx agent\x07\x1b[?25l${answer(0, "ok")}`));
    assert.equal(await request, "ok");
  });

  it("200,000 lines of noise from a child that does not read get no reply to stall on", async () => {
    const { peer, written, text } = host();
    const request = peer.request("session/prompt");
    const noise = encoder.encode("building module 1 of 1\n".repeat(2000));
    for (let round = 0; round < 100; round++) peer.receive(noise);
    peer.receive(encoder.encode(update("done") + answer(0, "end_turn")));
    assert.equal(await request, "end_turn");
    assert.deepEqual([text(), written.length, peer.ignoredFrames], ["done", 1, 200_000]);
  });

  it("a line of more than 64 kB does not kill the transport (python-sdk#27, kimi-cli#831)", () => {
    const { peer, text } = host();
    const long = "x".repeat(8 * MEBI);
    const bytes = encoder.encode(update(long));
    for (let at = 0; at < bytes.length; at += 65_536) peer.receive(bytes.subarray(at, at + 65_536));
    assert.equal(text().length, long.length);
    assert.equal(peer.closed, false);
  });

  for (
    const [name, start] of [["text", "x"], [
      "a frame",
      '{"method":"session/update","params":{"text":"',
    ]] as const
  ) {
    it(`an unbounded unfinished line of ${name} fails instead of growing (acpx#539, acpx#555, rust-sdk#342)`, async () => {
      const { peer } = host(MEBI);
      const request = peer.request("session/prompt");
      peer.receive(encoder.encode(start));
      const chunk = new Uint8Array(65_536).fill(0x78);
      let taken = 0;
      while (!peer.closed && taken < 64 * MEBI) {
        peer.receive(chunk);
        taken += chunk.length;
      }
      assert.ok(taken <= MEBI + chunk.length, `${taken} bytes taken`);
      await assert.rejects(request, (error) => TransportLimitError.is(error) && error.limitBytes === MEBI);
    });
  }
});

describe("order", () => {
  it("update and response in one segment keep their order (QwenPaw#6623)", async () => {
    const { peer, text } = host();
    const prompt = peer.request("session/prompt").then(() => text());
    peer.receive(encoder.encode(update("the ") + update("answer") + answer(0, { stopReason: "end_turn" })));
    assert.equal(await prompt, "the answer");
  });

  it("chunks behind the response in its segment are not lost (opencode#17505, opencode#25421)", async () => {
    const { peer, text } = host();
    const prompt = peer.request("session/prompt");
    peer.receive(encoder.encode(update("head ") + answer(0, {}) + update("tail")));
    await prompt;
    assert.equal(text(), "head tail");
  });

  it("many updates in front of a response are all there, however long their handlers were registered", async () => {
    const { peer, text } = host();
    const prompt = peer.request("session/prompt").then(() => text().length);
    peer.receive(encoder.encode(update("x").repeat(10_000) + answer(0, {})));
    assert.equal(await prompt, 10_000);
  });
});

describe("the end of the child", () => {
  it("a prompt whose child dies rejects instead of waiting for ever (selfdrivingwiki#334, acp.el#10, agent-shell#741)", async () => {
    const { peer, text } = host();
    const prompt = peer.request("session/prompt");
    peer.receive(encoder.encode(update("partial") + '{"jsonrpc":"2.0","id":0,"resu'));
    peer.end();
    await assert.rejects(prompt, TransportClosedError);
    assert.equal(text(), "partial");
  });

  it("a response that the child did not terminate before it died still counts", async () => {
    const { peer } = host();
    const prompt = peer.request("session/prompt");
    peer.receive(encoder.encode(answer(0, "end_turn").trimEnd()));
    peer.end();
    assert.equal(await prompt, "end_turn");
  });

  it("a broken pipe rejects the request and ends nothing else (codex-action#153, oh-my-pi#4788)", async () => {
    const cause = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    const peer = new JsonRpcPeer({
      write: () => Promise.reject(cause),
      onNotification: () => {},
      onRequest: () => null,
    });
    // The reply to this one is lost as well; an unhandled rejection would fail the test.
    peer.receive(encoder.encode('{"id":1,"method":"session/request_permission"}\n'));
    await assert.rejects(
      peer.request("session/prompt"),
      (error) => TransportClosedError.is(error) && error.cause === cause,
    );
    await assert.rejects(
      peer.notify("session/cancel"),
      (error) => TransportClosedError.is(error) && error.cause === cause,
    );
  });

  it("a result of null is a value and crashes nothing", async () => {
    const { peer } = host();
    const prompt = peer.request("session/prompt");
    peer.receive(encoder.encode(answer(0, null)));
    assert.equal(await prompt, null);
  });
});

describe("memory", () => {
  it("cancelled requests leave nothing behind (open-science#1939)", async () => {
    const { peer } = host();
    const { signal } = new AbortController();
    const count = 1000;
    for (let id = 0; id < count; id++) {
      const cancel = new AbortController();
      const request = peer.request("session/prompt", {}, {
        signal: AbortSignal.any([signal, cancel.signal]),
      });
      cancel.abort();
      await assert.rejects(request, { name: "AbortError" });
    }
    assert.equal(peer.pendingRequests, 0);
    for (let id = 0; id < count; id++) peer.receive(encoder.encode(answer(id, "late")));
    assert.equal(peer.ignoredFrames, count);
  });

  it("a child that asks without reading the answers is cut off", () => {
    let unread = 0;
    const peer = new JsonRpcPeer({
      write: (line) => {
        unread += line.length;
        return new Promise(() => {});
      },
      onNotification: () => {},
      onRequest: () => null,
    });
    const questions = encoder.encode('{"jsonrpc":"2.0","id":1,"method":"fs/read_text_file"}\n'.repeat(1000));
    for (let round = 0; round < 1000 && !peer.closed; round++) peer.receive(questions);
    assert.equal(peer.closed, true);
    assert.ok(unread <= MEBI, `${unread} bytes unread`);
  });
});

describe("secrets", () => {
  it("an error reply shows nothing of the child's text (trusty-tools#5230, breeze#3109)", async () => {
    const { peer } = host();
    const request = peer.request("initialize");
    peer.receive(
      encoder.encode('{"id":0,"error":{"code":-32000,"message":"key sk-12345","data":{"key":"sk-12345"}}}\n'),
    );
    const error = await request.then(() => assert.fail("fulfilled"), (reason: unknown) => reason);
    assert.ok(JsonRpcResponseError.is(error));
    assert.equal(error.remoteMessage, "key sk-12345");
    assert.equal(
      `${error} ${error.stack} ${JSON.stringify(error)} ${Object.keys(error)}`.includes("sk-12345"),
      false,
    );
  });
});
