import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Registrations } from "./registrations.ts";

describe("Registrations", () => {
  it("gives the values in the order in which they were added", () => {
    const list = new Registrations<string>();
    for (const value of ["b", "a", "c"]) list.add(value);
    assert.deepEqual([...list], ["b", "a", "c"]);
    assert.equal(list.size, 3);
  });

  it("keeps entries with the same value apart, and takes each out once", () => {
    const list = new Registrations<string>();
    const takeOut = list.add("same");
    list.add("same");
    takeOut();
    takeOut();
    assert.deepEqual([...list], ["same"]);
  });

  it("leaves out what is taken out before its turn", () => {
    const list = new Registrations<string>();
    list.add("a");
    const takeOut = list.add("b");
    list.add("c");
    const seen: string[] = [];
    for (const value of list) {
      seen.push(value);
      takeOut();
    }
    assert.deepEqual(seen, ["a", "c"]);
  });

  it("leaves out what is added after the iteration began", () => {
    const list = new Registrations<string>();
    list.add("a");
    const seen: string[] = [];
    for (const value of list) {
      seen.push(value);
      list.add("b");
    }
    assert.deepEqual(seen, ["a"]);
  });
});
