import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { nodeBinary, satisfies } from "./node_binary.ts";

describe("satisfies()", () => {
  it("compares majors as numbers", () => {
    assert.deepEqual(
      [satisfies("20.20.2", ">=20"), satisfies("9.0.0", ">=20"), satisfies("100.0.0", ">=22")],
      [
        true,
        false,
        true,
      ],
    );
  });
  it("is true of every version for any", () => assert.equal(satisfies("0.1.0", "any"), true));
});

describe("nodeBinary()", () => {
  it("is this process's own when that is new enough", async () => {
    assert.equal(await nodeBinary("any"), process.execPath);
  });
});
