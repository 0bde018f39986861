import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatFailure } from "../diagnostics/format_failure.ts";
import { sdkChildOutcome } from "./child_outcome.ts";

describe("sdkChildOutcome()", () => {
  for (
    const [name, reason, stopReason, line] of [
      ["completed", { kind: "completed" }, "completed", undefined],
      ["max-tokens", { kind: "max-tokens" }, "max-tokens", undefined],
      ["blocked", { kind: "blocked" }, "refusal", undefined],
      ["interrupted", { kind: "interrupted" }, "error", undefined],
      ["aborted by a user", { kind: "aborted", reason: { kind: "user" } }, "aborted", undefined],
      ["aborted by an older runtime", { kind: "aborted" }, "aborted", undefined],
      [
        "aborted by disposal",
        { kind: "aborted", reason: { kind: "disposed" } },
        "aborted",
        "Subagent failure (provider: DSH SDK; stage: session-run; category: child-disposed)",
      ],
      [
        "error",
        { kind: "error", error: { message: "canary" } },
        "error",
        "Subagent failure (provider: DSH SDK; stage: session-run; category: child-error)",
      ],
      [
        "no reason",
        undefined,
        "error",
        "Subagent failure (provider: DSH SDK; stage: session-run; category: missing-terminal)",
      ],
      ...[{ kind: "canary" }, { kind: ["completed"] }, {}, null, "completed", ["completed"], 1].map((other) =>
        [
          `${JSON.stringify(other)}, which is nobody's reason`,
          other,
          "error",
          "Subagent failure (provider: DSH SDK; stage: session-run; category: child-unknown)",
        ] as const
      ),
    ] as const
  ) {
    it(`maps ${name}`, () => {
      const outcome = sdkChildOutcome(reason);
      assert.equal(outcome.stopReason, stopReason);
      assert.equal(outcome.failure && formatFailure(outcome.failure), line);
    });
  }
});
