import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, it } from "node:test";
import { PEERS } from "./peers.ts";

describe("PEERS", () => {
  it("names each library once, this one first", () => {
    const names = PEERS.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(PEERS.filter(({ install }) => install.length === 0).map(({ name }) => name), [names[0]]);
  });

  it("pins every package to one version", () => {
    const packages = PEERS.flatMap(({ install }) => install);
    assert.ok(packages.length >= 4);
    assert.deepEqual(packages.filter((one) => !/^(?:@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+$/.test(one)), []);
  });

  it("has a driver for each library", () => {
    const drivers = PEERS.map(({ driver }) => driver);
    assert.deepEqual(
      drivers.filter((driver) => !existsSync(new URL(`./drivers/${driver}.ts`, import.meta.url))),
      [],
    );
  });
});
