import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { readStream } from "./read_stream.ts";

function recordedStream(): { stream: PassThrough; log: string[]; over: Promise<void> } {
  const stream = new PassThrough();
  const log: string[] = [];
  const over = readStream(stream, {
    data: (chunk) => void log.push(new TextDecoder().decode(chunk)),
    end: () => void log.push("<end>"),
  });
  return { stream, log, over };
}

describe("readStream()", () => {
  it("passes chunks in order and the end once", async () => {
    const { stream, log, over } = recordedStream();
    const closed = new Promise((resolve) => stream.once("close", resolve));
    stream.write("a");
    stream.end("b");
    await over;
    await closed;
    assert.deepEqual(log, ["a", "b", "<end>"]);
  });

  it("reports the end of a stream that was destroyed", async () => {
    const { stream, log, over } = recordedStream();
    stream.destroy();
    await over;
    assert.deepEqual(log, ["<end>"]);
  });

  it("reports the end of a stream that broke, and nothing else", async () => {
    const { stream, log, over } = recordedStream();
    stream.destroy(new Error("read EIO"));
    await over;
    assert.deepEqual(log, ["<end>"]);
  });
});
