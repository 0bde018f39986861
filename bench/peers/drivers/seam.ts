/**
 * This library. Settings: none but the command; the permission policy is the default, `reject`.
 */
import process from "node:process";
import { acpProvider, Subagents } from "../../../mod.ts";
import { drive } from "./driver.ts";

await drive(async ({ agent }, prompt) => {
  const subagents = new Subagents();
  subagents.register(acpProvider({ ...agent, stderr: "ignore" }));
  const cancellation = new AbortController();
  const run = await subagents.start("acp", {
    prompt,
    parent: { id: "bench", cwd: process.cwd() },
    signal: cancellation.signal,
  });
  const ended = run.result.then(({ stopReason, output, diagnostic }) => {
    if (stopReason !== "completed" && stopReason !== "aborted") throw new Error(diagnostic);
    const text = output.map((block) => block.type === "text" ? block["text"] : "").join("");
    return { cancelled: stopReason === "aborted", text };
  });
  ended.catch(() => {});
  return { ended, cancel: () => cancellation.abort(), close: () => run.dispose() };
});
