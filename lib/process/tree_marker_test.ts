import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { carriesMarker, markerValue } from "./tree_marker.ts";

describe("markerValue()", () => {
  const deep = Array.from({ length: 30 }, (_, index) => `h${index}`).join(":");
  for (
    const [name, inherited, expected] of [
      ["is the id alone for an outermost host", undefined, "id"],
      ["follows the outer host's id", "outer", "outer:id"],
      ["follows thirty outer hosts", deep, `${deep}:id`],
      ["drops a lineage that is too deep", `${deep}:h30`, "id"],
      ["drops an empty value", "", "id"],
      ["drops a value that is no lineage", "outer; rm -rf", "id"],
      ["drops a lineage with an empty part", "outer::x", "id"],
    ] as const
  ) {
    it(name, () => assert.equal(markerValue(inherited, "id"), expected));
  }
});

describe("carriesMarker()", () => {
  const id = "5e0b1c1e-0000-4000-8000-000000000001";
  for (
    const [name, environment, expected] of [
      ["finds the id as the whole value", `A=1\0SUBAGENT_SEAM_TREE=${id}\0B=2\0`, true],
      ["finds the id in the first entry", `SUBAGENT_SEAM_TREE=${id}\0`, true],
      ["finds the id in an entry without its end", `A=1\0SUBAGENT_SEAM_TREE=${id}`, true],
      ["finds an outer host's id", `SUBAGENT_SEAM_TREE=${id}:inner\0`, true],
      ["finds an inner host's id", `SUBAGENT_SEAM_TREE=outer:${id}\0`, true],
      ["ignores the id in another variable", `NOTE=SUBAGENT_SEAM_TREE=${id}\0`, false],
      ["ignores a variable whose name ends alike", `X_SUBAGENT_SEAM_TREE=${id}\0`, false],
      ["ignores an id that only begins alike", `SUBAGENT_SEAM_TREE=${id}9\0`, false],
      ["ignores an id that only ends alike", `SUBAGENT_SEAM_TREE=9${id}\0`, false],
      ["finds nothing in an empty environment", "", false],
    ] as const
  ) {
    it(name, () => assert.equal(carriesMarker(environment, id), expected));
  }
});
