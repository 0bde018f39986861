/**
 * `@mcpc-tech/acp-ai-provider` under the AI SDK, by `generateText`, which costs less than its streaming twin. Settings that
 * favour it: one attempt (`maxRetries: 0`, or a dead agent would be tried three times), and the provider's own clean-up.
 */
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { drive } from "./driver.ts";

/** What is used of the provider, after its declarations. */
interface AcpAiProvider {
  createACPProvider(config: {
    command: string;
    args: string[];
    session: { cwd: string; mcpServers: [] };
  }): { languageModel(): unknown; readonly tools: unknown; cleanup(): void };
}

/** What is used of the AI SDK. */
interface Ai {
  generateText(options: Readonly<Record<string, unknown>>): Promise<{ readonly text: string }>;
}

await drive(async ({ agent: { command, args }, packages }, prompt) => {
  const load = (path: string) => import(pathToFileURL(join(packages, "node_modules", path)).href);
  const { createACPProvider }: AcpAiProvider = await load("@mcpc-tech/acp-ai-provider/index.mjs");
  const { generateText }: Ai = await load("ai/dist/index.mjs");
  const provider = createACPProvider({
    command,
    args: [...args],
    session: { cwd: process.cwd(), mcpServers: [] },
  });
  const cancellation = new AbortController();
  const ended = generateText({
    model: provider.languageModel(),
    tools: provider.tools,
    prompt,
    maxRetries: 0,
    abortSignal: cancellation.signal,
  }).then(
    ({ text }) => ({ cancelled: false, text }),
    (error: unknown) => {
      if (error instanceof Error && error.name === "AbortError") return { cancelled: true, text: "" };
      throw error;
    },
  );
  ended.catch(() => {});
  return { ended, cancel: () => cancellation.abort(), close: () => provider.cleanup() };
});
