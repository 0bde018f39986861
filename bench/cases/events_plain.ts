/** Many events of a DeepSeek Harness runtime: the baseline. */
import { caseOptions } from "./case_options.ts";
import { runCase } from "./meter.ts";
import { type Message, PlainClient } from "./plain_client.ts";

await runCase(async () => {
  let text = "";
  let becomeIdle: () => void;
  const idle = new Promise<void>((resolve) => becomeIdle = resolve);
  const client = new PlainClient(caseOptions(), ({ method, params }: Message) => {
    if (method === "session.status" && params.status === "idle") return becomeIdle();
    if (method !== "session.event") return;
    const { type, data } = params.event;
    if (type === "assistant/chunk" && data.chunk.type === "text-delta") text += data.chunk.text;
  });
  await client.request("initialize", { cwd: globalThis.process.cwd(), provider: "fake", model: "fake" });
  await client.request("session/prompt", {
    sessionId: "session-1",
    contentBlocks: [{ type: "text", text: "go" }],
  });
  await idle;
  await client.request("shutdown", {});
  await client.close();
  return text.length;
});
