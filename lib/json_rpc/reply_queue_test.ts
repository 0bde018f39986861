import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TransportLimitError } from "./errors.ts";
import { ReplyQueue } from "./reply_queue.ts";

/** A transport that takes lines only when told to. */
function stalledTransport(): {
  write(line: string): Promise<void>;
  written: string[];
  take(): void;
  lose(): void;
} {
  const written: string[] = [];
  const waiting: { resolve(): void; reject(error: Error): void }[] = [];
  return {
    written,
    write: (line) => {
      written.push(line);
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    take: () => waiting.shift()?.resolve(),
    lose: () => waiting.shift()?.reject(new Error("EPIPE")),
  };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe("ReplyQueue", () => {
  it("hands replies over at once, up to the limit", () => {
    const { write, written } = stalledTransport();
    const queue = new ReplyQueue({ write, maxBytes: 10 });
    assert.equal(queue.push("12345"), undefined);
    assert.equal(queue.push("67890"), undefined);
    assert.deepEqual(written, ["12345", "67890"]);
  });

  it("refuses the reply that exceeds the limit and does not write it", () => {
    const { write, written } = stalledTransport();
    const queue = new ReplyQueue({ write, maxBytes: 10 });
    queue.push("12345");
    const refusal = queue.push("678901");
    assert.ok(TransportLimitError.is(refusal));
    assert.deepEqual([refusal.what, refusal.limitBytes], ["replies", 10]);
    assert.deepEqual(written, ["12345"]);
  });

  it("counts bytes, not characters", () => {
    const { write } = stalledTransport();
    const queue = new ReplyQueue({ write, maxBytes: 10 });
    assert.equal(queue.push("éé"), undefined);
    assert.ok(queue.push("éééé"));
  });

  it("takes one reply of any size when none is in front of it", async () => {
    const { write, take } = stalledTransport();
    const queue = new ReplyQueue({ write, maxBytes: 10 });
    assert.equal(queue.push("x".repeat(100)), undefined);
    assert.ok(queue.push("y"));
    take();
    await nextTurn();
    assert.equal(queue.push("x".repeat(100)), undefined);
  });

  for (const how of ["take", "lose"] as const) {
    it(`has room again when the transport could ${how} a reply`, async () => {
      const transport = stalledTransport();
      const queue = new ReplyQueue({ write: transport.write, maxBytes: 10 });
      queue.push("1234567890");
      transport[how]();
      await nextTurn();
      assert.equal(queue.push("1234567890"), undefined);
    });
  }
});
