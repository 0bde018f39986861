/** Many updates of an ACP agent: the client of the official SDK. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { client, ndJsonStream } from "@agentclientprotocol/sdk";
import { caseOptions } from "./case_options.ts";
import { runCase } from "./meter.ts";

const { command, args } = caseOptions();

await runCase(async () => {
  let text = "";
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exit = once(child, "exit");
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  // The first handler that is registered: each one in front of it would cost and delay the updates further.
  const { agent } = client({ name: "bench" }).onNotification("session/update", ({ params: { update } }) => {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
      text += update.content.text;
    }
  }).connect(stream);
  await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await agent.request("session/new", { cwd: globalThis.process.cwd(), mcpServers: [] });
  await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "go" }] });
  child.stdin.end();
  await exit;
  return text.length;
});
