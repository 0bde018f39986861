import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { existsSync } from "node:fs";
import { QUANTITIES } from "./benchmark.ts";
import { benchmarks, textOfUpdate, updateLine } from "./benchmarks.ts";

describe("textOfUpdate()", () => {
  it("makes a line of the wanted size", () => {
    for (const bytes of [206, 1000]) {
      assert.equal(new TextEncoder().encode(updateLine(textOfUpdate(bytes))).length, bytes);
    }
  });
});

describe("benchmarks()", () => {
  const all = benchmarks();

  it("names each benchmark and each of its cases once", () => {
    assert.deepEqual(all.map(({ name }) => name), ["updates", "events", "lifecycle", "children", "import"]);
    for (const { cases } of all) assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
  });

  it("has a script for each case", () => {
    const scripts = all.flatMap(({ cases }) => cases.map(({ script }) => script));
    assert.deepEqual(
      scripts.filter((script) => !existsSync(new URL(`./cases/${script}.ts`, import.meta.url))),
      [],
    );
  });

  it("compares cases that there are, by quantities that there are", () => {
    for (const { cases, comparisons } of all) {
      const names = cases.map(({ name }) => name);
      for (const { quantity, of, against } of comparisons) {
        assert.ok(names.includes(of) && names.includes(against) && of !== against, `${of} / ${against}`);
        assert.ok(Object.hasOwn(QUANTITIES, quantity), quantity);
      }
    }
  });

  it("has each target of the project", () => {
    const targets = all.flatMap(({ name, comparisons }) =>
      comparisons.filter(({ atMost }) => atMost !== undefined)
        .map(({ quantity, of, against, atMost }) => `${name}: ${quantity} of ${of} / ${against} <= ${atMost}`)
    );
    assert.deepEqual(targets, [
      "updates: CPU of acp / plain <= 1.5",
      "updates: peak memory of acp / plain <= 1.5",
      "updates: CPU of acp / sdk <= 0.25",
      "events: CPU of dsh_sdk / plain <= 1.5",
      "events: peak memory of dsh_sdk / plain <= 1.5",
      "lifecycle: CPU with children of acp / plain <= 1.15",
      "children: CPU of 1000 at once / 100 at once <= 1.5",
      "import: CPU with start of library / zod <= 2",
    ]);
  });
});
