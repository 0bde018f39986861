/** Delegations to children in this process, so many at once, one batch after the other in one runtime. */
import { createAgentRuntime, type ModelPort, spawnProvider, Subagents } from "../../mod.ts";
import { caseOptions } from "./case_options.ts";
import { runCase } from "./meter.ts";

/** Answers at once with the last thing that was said, so that nothing counts but the library. */
const model: ModelPort = {
  async *stream({ messages }) {
    const text = messages.at(-1)?.content.map((block) => block.type === "text" ? block["text"] : "").join("");
    yield { type: "text-delta", text: `${text}` };
    yield { type: "finish", reason: "stop" };
  },
};

const { times, atOnce } = caseOptions();
await runCase(async () => {
  const runtime = createAgentRuntime({ model });
  const parent = await runtime.agents.create(runtime.owner);
  const subagents = new Subagents({ onHostFailure: ({ error }) => console.error(error) });
  subagents.register(spawnProvider({ runtime }));
  const isRight = async (prompt: string): Promise<boolean> => {
    const run = await subagents.start("spawn", { prompt, parent: parent.agent });
    const { stopReason, output } = await run.result;
    await run.dispose();
    return stopReason === "completed" && output.length === 1 && output[0]?.type === "text" &&
      output[0]["text"] === prompt;
  };

  let right = 0;
  for (let batch = 0; batch < times; batch++) {
    const prompts = Array.from({ length: atOnce }, (_, index) => `task ${batch}.${index}`);
    right += (await Promise.all(prompts.map(isRight))).filter(Boolean).length;
  }
  if (runtime.agents.list().length !== 1) throw new Error("Expected the parent alone to be left");
  await runtime.dispose();
  return right;
});
