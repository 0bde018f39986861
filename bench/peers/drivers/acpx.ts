/**
 * acpx, through the embedding interface `acpx/runtime`; its command line would add the start of a second Node. Settings
 * that favour it: a one-shot session, a store in memory instead of files, no file system or terminal for the agent.
 */
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { drive } from "./driver.ts";

/** What is used of `acpx/runtime`, after its declarations. */
interface AcpxRuntime {
  createAgentRegistry(params: { overrides: Record<string, string[]> }): unknown;
  createAcpRuntime(options: Readonly<Record<string, unknown>>): {
    ensureSession(
      input: { sessionKey: string; agent: string; mode: "oneshot"; cwd: string },
    ): Promise<unknown>;
    startTurn(input: { handle: unknown; text: string; mode: "prompt"; requestId: string }): {
      readonly events: AsyncIterable<
        { readonly type: string; readonly text?: string; readonly stream?: string }
      >;
      readonly result: Promise<
        | { readonly status: "completed" | "cancelled" }
        | { readonly status: "failed"; readonly error: { readonly message: string } }
      >;
      cancel(): Promise<void>;
    };
    close(input: { handle: unknown; reason: string }): Promise<void>;
    shutdown(): Promise<void>;
  };
}

await drive(async ({ agent: { command, args }, packages }, prompt) => {
  const entry = join(packages, "node_modules/acpx/dist/runtime.js");
  const acpx: AcpxRuntime = await import(pathToFileURL(entry).href);
  const cwd = process.cwd();
  const records = new Map<string, unknown>();
  const runtime = acpx.createAcpRuntime({
    cwd,
    agentRegistry: acpx.createAgentRegistry({ overrides: { scripted: [command, ...args] } }),
    sessionStore: {
      load: (id: string) => Promise.resolve(records.get(id)),
      save: (record: { readonly acpxRecordId: string }) =>
        Promise.resolve(void records.set(record.acpxRecordId, record)),
    },
    permissionMode: "deny-all",
    nonInteractivePermissions: "deny",
    fs: false,
    terminal: false,
  });
  const handle = await runtime.ensureSession({
    sessionKey: "bench",
    agent: "scripted",
    mode: "oneshot",
    cwd,
  });
  const turn = runtime.startTurn({ handle, text: prompt, mode: "prompt", requestId: "request-1" });
  const run = async () => {
    let text = "";
    for await (const event of turn.events) {
      if (event.type === "text_delta" && event.stream !== "thought") text += event.text ?? "";
    }
    const result = await turn.result;
    if (result.status === "failed") throw new Error(result.error.message);
    return { cancelled: result.status === "cancelled", text };
  };
  const ended = run();
  ended.catch(() => {});
  return {
    ended,
    cancel: () => turn.cancel(),
    close: async () => {
      await runtime.close({ handle, reason: "done" });
      await runtime.shutdown();
    },
  };
});
