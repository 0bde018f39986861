import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FailureFacts } from "./failure_facts.ts";
import type { PermissionFacts } from "./format_permission.ts";
import { joinDiagnostic } from "./join_diagnostic.ts";

describe("joinDiagnostic()", () => {
  const failure = {
    provider: "ACP",
    stage: "prompt",
    category: "remote-limit",
    stopReason: "max_turn_requests",
  } as const;
  const permission = { policy: "reject", request: "execute", decision: "denied" } as const;
  const failureLine =
    "Subagent failure (provider: ACP; stage: prompt; category: remote-limit; stop reason: max_turn_requests)";
  const permissionLine = "ACP unattended decision (policy: reject; request: execute; decision: denied)";

  it("puts the permission line behind the failure line", () =>
    assert.equal(joinDiagnostic(failure, permission), `${failureLine}\n${permissionLine}`));

  it("writes the failure line alone", () => assert.equal(joinDiagnostic(failure), failureLine));

  it("writes the permission line alone", () =>
    assert.equal(joinDiagnostic(undefined, permission), permissionLine));

  it("gives undefined when there is nothing to say", () => assert.equal(joinDiagnostic(), undefined));

  it("lets no text in that is passed for facts", () =>
    assert.equal(
      joinDiagnostic("leak" as unknown as FailureFacts, "leak" as unknown as PermissionFacts),
      "Subagent failure (provider: unknown; stage: unknown; category: unknown)\n" +
        "ACP unattended decision (policy: reject; request: unknown; decision: denied)",
    ));
});
