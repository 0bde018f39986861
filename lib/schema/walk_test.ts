import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runWalk, type Walk } from "./walk.ts";

interface Tree {
  readonly name: string;
  readonly parts?: readonly Tree[];
}

const tree: Tree = { name: "a", parts: [{ name: "b", parts: [{ name: "c" }] }, { name: "d" }] };

describe("runWalk()", () => {
  it("gives what a walk without parts returns", () => {
    // deno-lint-ignore require-yield -- a walk that has nothing to walk
    function* seven(): Walk<number> {
      return 7;
    }
    assert.equal(runWalk(seven()), 7);
  });

  it("gives each walk the results of its parts", () => {
    function* sizeOf({ parts = [] }: Tree): Walk<number> {
      let size = 1;
      for (const part of parts) size += yield sizeOf(part);
      return size;
    }
    assert.equal(runWalk(sizeOf(tree)), 4);
  });

  it("walks depth first, as recursion does", () => {
    const visits: string[] = [];
    function* visit({ name, parts = [] }: Tree): Walk<void> {
      visits.push(`enter ${name}`);
      for (const part of parts) yield visit(part);
      visits.push(`leave ${name}`);
    }
    runWalk(visit(tree));
    assert.deepEqual(visits, [
      ...["enter a", "enter b", "enter c", "leave c", "leave b", "enter d", "leave d", "leave a"],
    ]);
  });

  it("lets the error of a part through, past the walks that wait for it", () => {
    const error = new Error("deep");
    const visits: string[] = [];
    function* visit({ name, parts = [] }: Tree): Walk<void> {
      if (name === "c") throw error;
      for (const part of parts) yield visit(part);
      visits.push(name);
    }
    assert.throws(() => runWalk(visit(tree)), (thrown) => thrown === error);
    assert.deepEqual(visits, []);
  });

  it("goes deeper than the call stack", () => {
    function* countDown(from: number): Walk<number> {
      return from === 0 ? 0 : 1 + (yield countDown(from - 1));
    }
    assert.equal(runWalk(countDown(200_000)), 200_000);
  });
});
