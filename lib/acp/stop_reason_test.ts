import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { acpStopReason } from "./stop_reason.ts";

const unknown = {
  stopReason: "error",
  failure: { provider: "ACP", stage: "prompt", category: "unknown", stopReason: "unknown" },
};

describe("acpStopReason()", () => {
  for (
    const [reason, expected] of [
      ["end_turn", { stopReason: "completed" }],
      ["max_tokens", { stopReason: "max-tokens" }],
      ["refusal", { stopReason: "refusal" }],
      ["cancelled", { stopReason: "aborted" }],
      ["max_turn_requests", {
        stopReason: "error",
        failure: {
          provider: "ACP",
          stage: "prompt",
          category: "remote-limit",
          stopReason: "max_turn_requests",
        },
      }],
      ["END_TURN", unknown],
      ["end_turn ", unknown],
      ["", unknown],
      [undefined, unknown],
      [null, unknown],
      [0, unknown],
      [["end_turn"], unknown],
      [{ toString: () => "end_turn" }, unknown],
    ] as const
  ) {
    it(`maps ${typeof reason === "object" ? JSON.stringify(reason) : String(reason)}`, () => {
      assert.deepEqual(acpStopReason(reason), expected);
    });
  }

  it("knows every stop reason of the protocol's published schema", () => {
    const path = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
    const { $defs } = JSON.parse(readFileSync(path, "utf8"));
    const reasons = $defs.StopReason.oneOf.map((variant: { const: string }) => variant.const);
    assert.deepEqual(reasons, ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"]);
    for (const reason of reasons) assert.notDeepEqual(acpStopReason(reason), unknown, reason);
  });
});
