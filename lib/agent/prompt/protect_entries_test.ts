import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { protectEntries } from "./protect_entries.ts";

/** An entry; `by` tells copies apart. */
interface Entry {
  readonly name: string;
  readonly by: "service" | "listener";
}

function service(names: string): Entry[] {
  return [...names].map((name) => ({ name, by: "service" }));
}

/** Capital letters are entries of a listener, small ones those of the service. */
function written(names: string): Entry[] {
  return [...names].map((name) => ({
    name: name.toLowerCase(),
    by: name === name.toLowerCase() ? "service" : "listener",
  }));
}

function write(entries: readonly Entry[]): string {
  return entries.map(({ name, by }) => by === "service" ? name : name.toUpperCase()).join("");
}

describe("protectEntries()", () => {
  const cases: readonly (readonly [string, string, string, string, string])[] = [
    // what happens, canonical, changed, protected, expected
    ["leaves a list alone that nobody changed", "abc", "abc", "b", "abc"],
    ["leaves everything alone when nothing is protected", "abc", "CA", "", "CA"],
    ["puts back what was stripped, before its neighbour", "abc", "ac", "b", "abc"],
    ["puts back what was stripped from the end", "abc", "ab", "c", "abc"],
    ["puts back what was stripped from the beginning", "abc", "bc", "a", "abc"],
    ["puts the original back where it was replaced", "abc", "aBc", "b", "abc"],
    ["keeps one of duplicates, the original", "abc", "abcbB", "b", "abc"],
    ["drops an injected copy of what was absent on purpose", "ac", "aBc", "b", "ac"],
    ["moves back what was moved", "abcd", "bcda", "a", "abcd"],
    ["puts several back in their order", "abcd", "d", "abc", "abcd"],
    ["puts several back in their order at the end", "abcd", "a", "bcd", "abcd"],
    ["puts all back when all were stripped", "abc", "", "abc", "abc"],
    ["puts what is protected before the first neighbour that is left", "abcd", "ad", "b", "abd"],
    ["puts what is protected at the end when no neighbour is left", "abc", "aX", "b", "aXb"],
    ["does not take a protected neighbour for a landmark", "abcd", "ad", "bc", "abcd"],
    ["leaves the reordering of the others alone", "abcd", "dca", "b", "bdca"],
    ["leaves entries of listeners where they are", "abc", "XaYbZc", "b", "XaYZbc"],
    ["takes the replacement of a neighbour for the neighbour", "abc", "aC", "b", "abC"],
    ["takes the first of a doubled neighbour for the landmark", "abc", "acCc", "b", "abcCc"],
  ];
  for (const [fact, canonical, changed, protectedNames, expected] of cases) {
    it(fact, () => {
      const isProtected = (name: string) => protectedNames.includes(name);
      assert.equal(write(protectEntries(service(canonical), written(changed), isProtected)), expected);
    });
  }

  const names = fc.uniqueArray(fc.constantFrom(..."abcdef"), { maxLength: 6 });
  const changed: fc.Arbitrary<readonly Entry[]> = fc.array(
    fc.record({
      name: fc.constantFrom(..."abcdefg"),
      by: fc.constantFrom("service" as const, "listener" as const),
    }),
    { maxLength: 9 },
  );

  it("makes what is protected canonical and leaves the rest as it is, whatever listeners do", () => {
    fc.assert(fc.property(names, changed, fc.subarray([..."abcdefg"]), (names, changed, kept) => {
      const canonical = service(names.join(""));
      const isProtected = (name: string) => kept.includes(name);
      const result = protectEntries(canonical, changed, isProtected);
      const guarded = result.filter(({ name }) => isProtected(name));
      // The very entries, each once, in their order.
      assert.deepEqual(guarded, canonical.filter(({ name }) => isProtected(name)));
      assert.ok(guarded.every((entry) => canonical.includes(entry)));
      assert.deepEqual(
        result.filter(({ name }) => !isProtected(name)),
        changed.filter(({ name }) => !isProtected(name)),
      );
      assert.deepEqual(protectEntries(canonical, result, isProtected), result);
    }));
  });

  it("gives the canonical list back when listeners only touched what is protected", () => {
    fc.assert(fc.property(names, fc.subarray([..."abcdef"]), changed, (names, kept, injected) => {
      const canonical = service(names.join(""));
      const isProtected = (name: string) => kept.includes(name);
      const others = canonical.filter(({ name }) => !isProtected(name));
      const copies = injected.filter(({ name }) => isProtected(name));
      for (const changed of [[...others, ...copies], [...copies, ...others]]) {
        assert.deepEqual(protectEntries(canonical, changed, isProtected), canonical);
      }
    }));
  });
});
