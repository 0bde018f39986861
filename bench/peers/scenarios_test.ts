import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkScript } from "../../fakes/acp_agent/check_script.ts";
import { recordPath, SCENARIOS } from "./scenarios.ts";

const FOLDER = "/folder-of-the-run";

describe("SCENARIOS", () => {
  it("names each scenario once", () => {
    const names = SCENARIOS.map(({ name }) => name);
    assert.deepEqual(names, ["hello", "updates", "death", "cancel", "descendant", "stubborn"]);
  });

  for (const { name, script, cancels = false } of SCENARIOS) {
    it(`${name} has a script in the step language, with a record if and only if it cancels`, () => {
      const checked = checkScript(script(FOLDER));
      assert.equal(checked.record, cancels ? recordPath(FOLDER) : undefined);
    });
  }
});
