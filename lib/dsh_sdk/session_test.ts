import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TransportClosedError } from "../json_rpc/errors.ts";
import { OutputLimitError } from "../seam/output_budget.ts";
import { SdkSession } from "./session.ts";

const SESSION = "session-abc";

/** A session on a wire of its own: what it writes, and a way to be its runtime. */
function wired(limits: { readonly maxMessageBytes?: number; readonly maxOutputBytes?: number } = {}) {
  const written: Readonly<Record<string, unknown>>[] = [];
  let ids = 0;
  const session = new SdkSession({
    write: (line) => {
      written.push(JSON.parse(line) as Readonly<Record<string, unknown>>);
      return Promise.resolve();
    },
    maxMessageBytes: 1000,
    maxOutputBytes: 1000,
    randomHex: () => ids++ === 0 ? "abc" : String(ids),
    ...limits,
  });
  const send = (message: unknown) => session.data(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  const event = (type: string, data: unknown) =>
    send({ method: "session.event", params: { sessionId: SESSION, event: { type, data } } });
  return {
    session,
    written,
    send,
    queue: (id: string) => event("agent/inbox/spliced", { inserted: [{ id }] }),
    say: (text: string) => event("assistant/chunk", { chunk: { type: "text-delta", text } }),
    end: (kind: string) => event("turn/end", { reason: { kind } }),
    idle: () => send({ method: "session.status", params: { sessionId: SESSION, status: "idle" } }),
    receipt: () => send({ id: written.at(-1)?.["id"], result: { messageId: "m" } }),
  };
}

const text = (value: string) => [{ type: "text", text: value }];

describe("SdkSession", () => {
  it("finds the answer when the receipt and everything around it come in one chunk", async () => {
    const { session, queue, say, end, idle, receipt } = wired();
    const ended = session.prompt([]);
    queue("m");
    say("all ");
    receipt();
    say("done");
    end("completed");
    idle();
    assert.deepEqual(await ended, { kind: "completed" });
    assert.deepEqual(session.collectOutput(), text("all done"));
  });

  it("counts what came before a close in the same tick", async () => {
    const { session, queue, say, end, idle, receipt } = wired();
    const ended = session.prompt([]);
    receipt();
    queue("m");
    say("all done");
    end("completed");
    idle();
    session.end();
    assert.deepEqual(await ended, { kind: "completed" });
  });

  it("fails with the close when the session was not idle before it", async () => {
    const { session, queue, say, receipt } = wired();
    const ended = session.prompt([]);
    receipt();
    queue("m");
    say("partial");
    session.end();
    await assert.rejects(ended, TransportClosedError.is);
    assert.deepEqual(session.collectOutput(), text("partial"));
  });

  it("has no answer before the receipt says which message was ours", async () => {
    const { session, queue, say, send, written } = wired();
    const ended = session.prompt([]);
    queue("m");
    say("nobody's");
    assert.deepEqual(session.collectOutput(), []);
    send({ id: written[0]?.["id"], result: {} });
    await assert.rejects(ended, {
      name: "SdkProtocolError",
      message: "session/prompt returned no message id",
    });
    assert.deepEqual(session.collectOutput(), []);
  });

  describe("bounds what it holds for want of a receipt", () => {
    const flood = (say: (text: string) => void) => {
      for (let line = 0; line < 100; line++) say("x");
    };

    it("and gives the connection up past maxMessageBytes and maxOutputBytes together", async () => {
      const { session, queue, say } = wired();
      const ended = session.prompt([]);
      queue("m");
      flood(say);
      await assert.rejects(ended, (error: Error) => {
        assert.ok(TransportClosedError.is(error));
        const { message } = error.cause as Error;
        assert.equal(
          message,
          "The DeepSeek Harness runtime sent more than 2000 bytes without an answer to session/prompt",
        );
        return true;
      });
    });

    it("but neither what came before the prompt nor what comes behind the receipt", async () => {
      const { session, queue, say, end, idle, receipt } = wired();
      flood(say);
      const ended = session.prompt([]);
      receipt();
      await Promise.resolve();
      queue("m");
      flood(say);
      end("completed");
      idle();
      assert.deepEqual(await ended, { kind: "completed" });
      assert.deepEqual(session.collectOutput(), text("x".repeat(100)));
    });
  });

  it("gives the connection up past maxOutputBytes, keeping the text that fits between two characters", async () => {
    const { session, queue, say, receipt } = wired({ maxOutputBytes: 4 });
    const ended = session.prompt([]);
    receipt();
    queue("m");
    say("aöü");
    await assert.rejects(ended, (error: Error) => {
      assert.ok(TransportClosedError.is(error));
      assert.ok(OutputLimitError.is(error.cause));
      assert.equal(error.cause.limitBytes, 4);
      return true;
    });
    assert.deepEqual(session.collectOutput(), text("aö"));
  });

  it("does not ask a closed connection to shut down", async () => {
    const { session, written } = wired();
    session.end();
    await session.shutdown(1000);
    assert.deepEqual(written, []);
  });

  it("takes the end of the connection for an answer to shutdown", async () => {
    const { session, written } = wired();
    const asked = session.shutdown(1000);
    session.end();
    await asked;
    assert.deepEqual(written.map(({ method, params }) => ({ method, params })), [{
      method: "shutdown",
      params: {},
    }]);
  });
});
