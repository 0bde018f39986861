/**
 * `@mcpc-tech/acp-ai-provider` under the AI SDK's `generateText`, which costs far less than `streamText`.
 */
import { agentModel } from "./ai_provider.ts";
import { drive } from "./driver.ts";

await drive(async (options, prompt) => {
  const { ai, call, abort, cleanup } = await agentModel(options, prompt);
  const ended = ai.generateText(call).then(
    ({ text }) => ({ cancelled: false, text }),
    (error: unknown) => {
      if (error instanceof Error && error.name === "AbortError") return { cancelled: true, text: "" };
      throw error;
    },
  );
  ended.catch(() => {});
  return { ended, cancel: abort, close: cleanup };
});
