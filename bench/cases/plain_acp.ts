/**
 * One ACP delegation with the baseline client.
 *
 * @module
 */
import type { CaseOptions } from "./case_options.ts";
import { type Message, PlainClient } from "./plain_client.ts";

/** Starts an agent, gives it a prompt, and ends it after its answer. */
export async function plainAcpAnswer(options: CaseOptions, prompt: string): Promise<string> {
  let text = "";
  const client = new PlainClient(options, ({ method, params }: Message) => {
    if (method !== "session/update") return;
    const { update } = params;
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
      text += update.content.text;
    }
  });
  await client.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await client.request("session/new", {
    cwd: globalThis.process.cwd(),
    mcpServers: [],
  });
  await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: prompt }] });
  await client.close();
  return text;
}
