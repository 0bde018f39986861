/**
 * The client of the official SDK. It has no processes, so this driver owns one in the plainest way: spawn, wire the
 * streams up, SIGTERM at the end. Settings that favour it: the update handler is the first that is registered, and the
 * prompt request is given up at the cancel (`stopWaitingOnCancel`), which is not the default.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import type * as Sdk from "@agentclientprotocol/sdk";
import { drive } from "./driver.ts";

await drive(async ({ agent: { command, args }, packages }, prompt) => {
  const entry = join(packages, "node_modules/@agentclientprotocol/sdk/dist/v1/stable/acp.js");
  const { client, ndJsonStream }: typeof Sdk = await import(pathToFileURL(entry).href);
  let text = "";
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  const connection = client({ name: "bench" })
    .onNotification("session/update", ({ params: { update } }) => {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
        text += update.content.text;
      }
    })
    .onRequest("session/request_permission", () => ({ outcome: { outcome: "cancelled" } }))
    .connect(stream);
  const { agent } = connection;
  await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await agent.request("session/new", { cwd: process.cwd(), mcpServers: [] });
  const cancellation = new AbortController();
  const ended = agent.request(
    "session/prompt",
    { sessionId, prompt: [{ type: "text", text: prompt }] },
    { cancellationSignal: cancellation.signal, stopWaitingOnCancel: true },
  ).then(
    ({ stopReason }) => ({ cancelled: stopReason === "cancelled", text }),
    (error: unknown) => {
      if (cancellation.signal.aborted) return { cancelled: true, text };
      throw error;
    },
  );
  ended.catch(() => {});
  return {
    ended,
    cancel: async () => {
      await agent.notify("session/cancel", { sessionId });
      cancellation.abort();
    },
    close: () => {
      connection.close();
      const alive = child.exitCode === null && child.signalCode === null;
      if (alive && child.pid !== undefined) process.kill(child.pid, "SIGTERM");
    },
  };
});
