/**
 * acp-factory. Settings: permissions denied, as with the others. Its turns are update streams without a stop reason.
 */
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { drive } from "./driver.ts";

/** What is used of acp-factory, after its declarations. */
interface AcpFactory {
  readonly AgentFactory: {
    register(name: string, config: { command: string; args: string[] }): void;
    spawn(name: string, options: { permissionMode: "auto-deny" }): Promise<{
      createSession(cwd: string): Promise<{
        prompt(text: string): AsyncIterable<{
          readonly sessionUpdate: string;
          readonly content?: { readonly type: string; readonly text?: string };
        }>;
        cancel(): Promise<void>;
      }>;
      close(): Promise<void>;
    }>;
  };
}

await drive(async ({ agent: { command, args }, packages }, prompt) => {
  const entry = join(packages, "node_modules/acp-factory/dist/index.js");
  const { AgentFactory }: AcpFactory = await import(pathToFileURL(entry).href);
  AgentFactory.register("scripted", { command, args: [...args] });
  const agent = await AgentFactory.spawn("scripted", { permissionMode: "auto-deny" });
  const session = await agent.createSession(process.cwd());
  let cancelled = false;
  const run = async () => {
    let text = "";
    for await (const { sessionUpdate, content } of session.prompt(prompt)) {
      if (sessionUpdate === "agent_message_chunk" && content?.type === "text") text += content.text ?? "";
    }
    return { cancelled, text };
  };
  const ended = run();
  ended.catch(() => {});
  return {
    ended,
    cancel: async () => {
      cancelled = true;
      await session.cancel();
    },
    close: () => agent.close(),
  };
});
