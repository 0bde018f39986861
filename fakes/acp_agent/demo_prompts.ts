/**
 * Words that the default agent understands as a whole prompt, for demonstrations without a key. Any other prompt is
 * echoed.
 *
 * @module
 */
import type { Step } from "./script.ts";

/** Steps by prompt text. */
export const DEMO_PROMPTS: ReadonlyMap<string, readonly Step[]> = new Map<string, readonly Step[]>([
  ["ask", [
    { do: "text", text: "May I? " },
    {
      do: "ask",
      on: {
        allow: [{ do: "text", text: "Allowed." }],
        "*": [{ do: "text", text: "Not allowed." }],
      },
    },
    { do: "stop" },
  ]],
  ["refuse", [{ do: "stop", reason: "refusal" }]],
  ["limit", [{ do: "text", text: "This answer stops in the mid" }, { do: "stop", reason: "max_tokens" }]],
  ["fail", [{ do: "reply", error: { code: -32603, message: "Internal error" } }]],
  ["crash", [{ do: "text", text: "This is as far as I" }, { do: "exit", code: 3 }]],
  ["hang", [{ do: "text", text: "Cancel me." }, { do: "hang" }]],
]);
