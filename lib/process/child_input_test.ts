import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { describe, it } from "node:test";
import { ChildInput } from "./child_input.ts";

/** A pipe whose writes are taken by hand. */
class ManualPipe extends Writable {
  readonly chunks: string[] = [];
  take: ((error?: Error) => void) | undefined;

  override _write(chunk: Uint8Array, _encoding: string, callback: (error?: Error) => void): void {
    this.chunks.push(new TextDecoder().decode(chunk));
    this.take = callback;
  }
}

describe("ChildInput", () => {
  it("write() fulfils when the pipe took everything", async () => {
    const pipe = new ManualPipe();
    const writing = new ChildInput(pipe).write("hällo\n");
    let done = false;
    void writing.then(() => done = true);
    await Promise.resolve();
    assert.equal(done, false);
    pipe.take!();
    await writing;
    assert.deepEqual(pipe.chunks, ["hällo\n"]);
  });

  it("write() rejects with the pipe's error, and so do the writes behind it", async () => {
    const pipe = new ManualPipe();
    const input = new ChildInput(pipe);
    const writes = [input.write("a"), input.write("b")];
    const broken = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    pipe.take!(broken);
    for (const { status, reason } of await Promise.allSettled(writes) as PromiseRejectedResult[]) {
      assert.deepEqual([status, reason.code], ["rejected", "EPIPE"]);
    }
    await assert.rejects(input.write("c"), {
      message: "Cannot write to the child process: its stdin is closed",
    });
  });

  it("write() rejects when the pipe closes without an error", async () => {
    const pipe = new ManualPipe();
    const writing = new ChildInput(pipe).write("a");
    pipe.emit("close");
    await assert.rejects(writing, { message: "The child process closed its stdin" });
  });

  it("end() lets what was written pass first, and refuses more", async () => {
    const pipe = new ManualPipe();
    const input = new ChildInput(pipe);
    const writing = input.write("a");
    input.end();
    assert.equal(pipe.writableFinished, false);
    await assert.rejects(input.write("b"), {
      message: "Cannot write to the child process: its stdin is closed",
    });
    const finished = new Promise((resolve) => pipe.once("finish", resolve));
    pipe.take!();
    await writing;
    await finished;
    assert.deepEqual(pipe.chunks, ["a"]);
  });

  it("destroy() closes at once and rejects the writes that wait", async () => {
    const pipe = new ManualPipe();
    const input = new ChildInput(pipe);
    const writing = input.write("a");
    input.destroy();
    await assert.rejects(writing, {
      message: "The child process did not read its stdin before it was closed",
    });
    assert.equal(pipe.destroyed, true);
  });

  it("a write that nobody waits for does not end the host (openai/codex-action#153)", async () => {
    const unhandled: unknown[] = [];
    const listener = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", listener);
    const pipe = new ManualPipe();
    void new ChildInput(pipe).write("a");
    pipe.destroy(new Error("write EPIPE"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", listener);
    assert.deepEqual(unhandled, []);
  });
});
