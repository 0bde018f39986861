import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HOSTILE_VALUES, nested } from "./hostile_values_test.ts";
import { type ContainerReading, readValue, type ValueReading } from "./value_reading.ts";

const atom = (value: unknown, isLossless = true): ValueReading => ({ kind: "atom", value, isLossless });

function container(reading: ValueReading | undefined): ContainerReading {
  assert.ok(reading?.kind === "object" || reading?.kind === "array");
  return reading;
}

describe("readValue()", () => {
  it("gives what has no parts as it is, and whether JSON carries it", () => {
    for (const value of [null, true, "text", 1]) assert.deepEqual(readValue(value), atom(value));
    const lossy = [undefined, NaN, -0, 1n, Symbol("s"), () => 1];
    for (const value of lossy) assert.deepEqual(readValue(value), atom(value, false));
  });

  it("gives the slots of an object and of an array", () => {
    assert.deepEqual(readValue({ b: [true], a: 1 }), {
      kind: "object",
      isPlain: true,
      isLossless: true,
      slots: new Map<string, ValueReading>([
        ["b", { kind: "array", isPlain: true, isLossless: true, slots: new Map([["0", atom(true)]]) }],
        ["a", atom(1)],
      ]),
    });
  });

  it("gives own properties of what is not plain, and no inherited ones", () => {
    class Point {
      x = 1;
      get y() {
        return assert.fail("was read");
      }
    }
    assert.deepEqual(readValue(new Point()), {
      kind: "object",
      isPlain: false,
      isLossless: false,
      slots: new Map([["x", atom(1)]]),
    });
  });

  it("gives no slots for holes", () => {
    const holes = new Array(3);
    holes[1] = "a";
    const reading = container(readValue(holes));
    assert.deepEqual([...reading.slots], [["1", atom("a")]]);
    assert.deepEqual([reading.isPlain, reading.isLossless], [false, false]);
  });

  it("finds a lossy part to make all that contains it lossy, and nothing else", () => {
    const root = container(readValue({ bad: [[undefined]], good: [[1]] }));
    assert.deepEqual([root.isPlain, root.isLossless], [true, false]);
    assert.equal(container(root.slots.get("bad")).isLossless, false);
    assert.equal(container(root.slots.get("bad")).isPlain, true);
    assert.equal(root.slots.get("good")?.isLossless, true);
  });

  it("finds what contains itself to be lossy, and gives it again where it recurs", () => {
    const value: Record<string, unknown> = { beside: {} };
    value.parts = [value];
    const root = container(readValue(value));
    const parts = container(root.slots.get("parts"));
    assert.equal(parts.slots.get("0"), root);
    assert.deepEqual([root.isLossless, parts.isLossless], [false, false]);
    assert.equal(root.slots.get("beside")?.isLossless, true);
  });

  it("reads what occurs twice once", () => {
    let reads = 0;
    const shared = {
      get a() {
        return ++reads;
      },
    };
    const root = container(readValue([shared, shared]));
    assert.equal(root.slots.get("0"), root.slots.get("1"));
    assert.deepEqual([reads, root.isLossless], [1, true]);
  });

  for (const [what, value] of HOSTILE_VALUES) {
    it(`finds ${what} unreadable, and what is beside it readable`, () => {
      assert.deepEqual(readValue(value), { kind: "unreadable", isLossless: false });
      const root = container(readValue([value, 1, value]));
      assert.deepEqual([...root.slots.values()].map(({ kind }) => kind), [
        "unreadable",
        "atom",
        "unreadable",
      ]);
      assert.equal(root.isLossless, false);
    });
  }

  it("reads 100,000 levels", () => {
    assert.equal(readValue(nested<unknown>(100_000, "core", (inner) => [inner])).isLossless, true);
    assert.equal(readValue(nested<unknown>(100_000, NaN, (inner) => ({ inner }))).isLossless, false);
  });
});
