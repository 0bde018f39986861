/**
 * `@mcpc-tech/acp-ai-provider` under the AI SDK's `streamText`, whose stream ends at an abort whatever the provider does.
 */
import { agentModel } from "./ai_provider.ts";
import { drive } from "./driver.ts";

await drive(async (options, prompt) => {
  const { ai, call, abort, cleanup } = await agentModel(options, prompt);
  const run = async () => {
    let text = "";
    for await (const part of ai.streamText(call).fullStream) {
      if (part.type === "text-delta") text += part.text ?? "";
      if (part.type === "abort") return { cancelled: true, text };
      if (part.type === "error") throw part.error;
    }
    return { cancelled: false, text };
  };
  const ended = run();
  ended.catch(() => {});
  return { ended, cancel: abort, close: cleanup };
});
