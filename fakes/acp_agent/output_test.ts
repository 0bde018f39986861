import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GatheringSink, type Sink, writeRepeated } from "./output.ts";

/** Counts writes besides gathering. */
function countingSink(): {
  readonly sink: Sink;
  readonly gathered: () => string;
  readonly writes: () => number;
} {
  const gathering = new GatheringSink();
  let writes = 0;
  const sink: Sink = { write: (bytes) => (writes++, gathering.write(bytes)) };
  return { sink, gathered: () => gathering.gathered().toString(), writes: () => writes };
}

describe("writeRepeated()", () => {
  for (const times of [0, 1, 3, 30_000]) {
    it(`writes the same text ${times} times in few writes`, async () => {
      const { sink, gathered, writes } = countingSink();
      await writeRepeated(sink, "twenty bytes of text", times);
      assert.equal(gathered(), "twenty bytes of text".repeat(times));
      assert.ok(writes() <= Math.ceil(times * 20 / 262_000), `${writes()} writes`);
    });

    it(`writes a different text ${times} times in few writes`, async () => {
      const { sink, gathered, writes } = countingSink();
      await writeRepeated(sink, (index) => `${index};`, times);
      assert.equal(gathered(), Array.from({ length: times }, (_, index) => `${index};`).join(""));
      assert.ok(writes() <= 1);
    });
  }

  it("writes a text longer than its buffer", async () => {
    const { sink, gathered } = countingSink();
    const text = "é".repeat(200_000);
    await writeRepeated(sink, text, 3);
    assert.equal(gathered(), text.repeat(3));
  });

  it("writes nothing for an empty text", async () => {
    const { sink, gathered } = countingSink();
    await writeRepeated(sink, "", 5);
    assert.equal(gathered(), "");
  });

  it("stops between two writes when told so", async () => {
    const { sink, writes } = countingSink();
    await writeRepeated(sink, "x".repeat(262_144), 100, () => writes() === 2);
    assert.equal(writes(), 2);
    await writeRepeated(sink, () => "x".repeat(262_144), 100, () => writes() === 4);
    assert.equal(writes(), 4);
  });
});
