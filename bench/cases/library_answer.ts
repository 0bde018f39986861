/**
 * One delegation with the library.
 *
 * @module
 */
import { type SubagentProvider, Subagents } from "../../mod.ts";

/** Starts a child, gives it a prompt, and disposes of it after its answer. */
export async function libraryAnswer(provider: SubagentProvider, prompt: string): Promise<string> {
  const subagents = new Subagents({ onHostFailure: ({ error }) => console.error(error) });
  subagents.register(provider);
  const run = await subagents.start(provider.name, {
    prompt,
    parent: { id: "bench", cwd: globalThis.process.cwd() },
  });
  const { stopReason, output, diagnostic } = await run.result;
  await run.dispose();
  if (stopReason !== "completed") throw new Error(`Expected an answer, got ${stopReason}: ${diagnostic}`);
  return output.map((block) => block.type === "text" ? block["text"] : "").join("");
}
