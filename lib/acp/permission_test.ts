import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answerPermission } from "./permission.ts";

const once = { optionId: "once", name: "Yes", kind: "allow_once" };
const always = { optionId: "always", name: "Always", kind: "allow_always" };
const no = { optionId: "no", name: "No", kind: "reject_once" };
const never = { optionId: "never", name: "Never", kind: "reject_always" };
const cancelled = { outcome: { outcome: "cancelled" } };
const selected = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });
const asking = (options: unknown, kind: unknown = "execute") => ({
  sessionId: "s",
  toolCall: { toolCallId: "t", kind },
  options,
});

describe("answerPermission()", () => {
  for (
    const [name, policy, params, response, request, decision] of [
      ["reject never selects", "reject", asking([once, no]), cancelled, "execute", "denied"],
      [
        "reject does not select a rejecting option",
        "reject",
        asking([never]),
        cancelled,
        "execute",
        "denied",
      ],
      [
        "allow selects the first allowing option",
        "allow",
        asking([no, always, once]),
        selected("always"),
        "execute",
        "allowed",
      ],
      ["allow selects allow_once", "allow", asking([once]), selected("once"), "execute", "allowed"],
      [
        "allow without an allowing option denies",
        "allow",
        asking([no, never]),
        cancelled,
        "execute",
        "denied",
      ],
      ["allow with no options denies", "allow", asking([]), cancelled, "execute", "denied"],
      [
        "allow ignores an option kind it does not know",
        "allow",
        asking([{ ...once, kind: "allow_everything" }]),
        cancelled,
        "execute",
        "denied",
      ],
      [
        "allow ignores an option without a string id",
        "allow",
        asking([{ ...once, optionId: 7 }, always]),
        selected("always"),
        "execute",
        "allowed",
      ],
      [
        "allow survives options that are none",
        "allow",
        asking([null, 1, "x", [once]]),
        cancelled,
        "execute",
        "denied",
      ],
      [
        "allow survives options that are no list",
        "allow",
        asking({ 0: once }),
        cancelled,
        "execute",
        "denied",
      ],
      [
        "an unknown tool kind is remembered as unknown",
        "allow",
        asking([once], "rm -rf"),
        selected("once"),
        "unknown",
        "allowed",
      ],
      [
        "an absent tool kind is remembered as unknown",
        "reject",
        { options: [once] },
        cancelled,
        "unknown",
        "denied",
      ],
      [
        "a tool kind of another type is remembered as unknown",
        "reject",
        asking([], ["read"]),
        cancelled,
        "unknown",
        "denied",
      ],
      ["params of another type are answered", "allow", "params", cancelled, "unknown", "denied"],
      ["absent params are answered", "allow", undefined, cancelled, "unknown", "denied"],
    ] as const
  ) {
    it(name, () => {
      assert.deepEqual(answerPermission(policy, params), {
        response,
        decision: { policy, request, decision },
      });
    });
  }

  for (
    const kind of [
      "read",
      "edit",
      "delete",
      "move",
      "search",
      "execute",
      "think",
      "fetch",
      "switch_mode",
      "other",
    ]
  ) {
    it(`remembers the tool kind ${kind}`, () => {
      assert.equal(answerPermission("reject", asking([], kind)).decision.request, kind);
    });
  }
});
