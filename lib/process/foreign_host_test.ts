/** Whole delegations by a process host of somebody else's, in a runtime that has none of Node's modules. */
import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { type Actor, memoryHost } from "./memory_host_fixtures_test.ts";

/**
 * Runs a body where neither `process.getBuiltinModule` nor `setImmediate` exists. It loads the library itself, so that
 * loading needs none of them either.
 */
async function withoutNode(body: () => Promise<void>): Promise<void> {
  const { setImmediate } = globalThis;
  const getBuiltinModule = Object.getOwnPropertyDescriptor(process, "getBuiltinModule")!;
  const missing = { value: undefined, configurable: true, writable: true };
  Object.defineProperty(process, "getBuiltinModule", missing);
  Object.assign(globalThis, { setImmediate: undefined });
  try {
    await body();
  } finally {
    Object.assign(globalThis, { setImmediate });
    Object.defineProperty(process, "getBuiltinModule", getBuiltinModule);
  }
}

/** An ACP agent that answers with the prompt's text. */
const agent: Actor = ({ id, method, params }, say) => {
  if (method === "initialize") say({ id, result: { protocolVersion: 1 } });
  if (method === "session/new") say({ id, result: { sessionId: "s" } });
  if (method !== "session/prompt") return;
  const { prompt: [content] } = params as { readonly prompt: readonly unknown[] };
  const update = { sessionUpdate: "agent_message_chunk", content };
  say({ method: "session/update", params: { sessionId: "s", update } });
  say({ id, result: { stopReason: "end_turn" } });
};

/** A DeepSeek Harness runtime that answers with the prompt. */
const runtime: Actor = ({ id, method, params }, say) => {
  if (method === "initialize") say({ id, result: { serverInfo: { name: "memory", version: "1" } } });
  if (method === "shutdown") say({ id, result: {} });
  if (method !== "session/prompt") return;
  const { sessionId, contentBlocks } = params as Readonly<Record<string, unknown>>;
  const event = (type: string, data: unknown) =>
    say({ method: "session.event", params: { sessionId, event: { type, data } } });
  event("agent/inbox/spliced", { inserted: [{ id: "m" }] });
  event("assistant/message", { message: { content: contentBlocks } });
  event("turn/end", { reason: { kind: "completed" } });
  say({ method: "session.status", params: { sessionId, status: "idle" } });
  say({ id, result: { messageId: "m" } });
};

const cwd = "/on/another/machine";
const answer = { stopReason: "completed", output: [{ type: "text", text: "over there" }] };

describe("a delegation to another machine", () => {
  it("over ACP needs nothing of Node", async () => {
    const { processHost, children } = memoryHost(agent);
    await withoutNode(async () => {
      const { acpProvider, Subagents } = await import("../../mod.ts");
      const subagents = new Subagents();
      subagents.register(acpProvider({ command: "agent", args: ["acp"], env: { A: "1" } }, { processHost }));
      const run = await subagents.start("acp", { prompt: "over there", parent: { id: "parent", cwd } });
      assert.deepEqual(await run.result, answer);
      await run.dispose();
    });
    const [child] = children;
    assert.deepEqual(
      { ...child?.spec, stdout: undefined },
      { command: "agent", args: ["acp"], cwd, env: { A: "1" }, stdout: undefined, stderr: "inherit" },
    );
    assert.deepEqual(child?.received.map(({ method, params }) => ({ method, params })).slice(1), [
      { method: "session/new", params: { cwd, mcpServers: [] } },
      {
        method: "session/prompt",
        params: { sessionId: "s", prompt: [{ type: "text", text: "over there" }] },
      },
    ]);
    assert.equal(child?.stops, 1);
  });

  it("over the DSH SDK needs nothing of Node", async () => {
    const { processHost, children } = memoryHost(runtime);
    await withoutNode(async () => {
      const { dshSdkProvider, Subagents } = await import("../../mod.ts");
      const subagents = new Subagents();
      const launch = { dshHome: "/dsh", dshBin: "/dsh/bin.js", cwd };
      subagents.register(dshSdkProvider(launch, { processHost }));
      const run = await subagents.start("dsh-sdk", { prompt: "over there", parent: { id: "parent" } });
      assert.deepEqual(await run.result, answer);
      await run.dispose();
    });
    const [child] = children;
    assert.deepEqual([child?.spec.command, child?.spec.args, child?.spec.cwd, child?.spec.env], [
      "node",
      ["/dsh/bin.js", "--profile", "sdk"],
      cwd,
      { DSH_HOME: "/dsh" },
    ]);
    assert.deepEqual(child?.received.map(({ method }) => method), [
      "initialize",
      "session/prompt",
      "shutdown",
    ]);
    assert.equal(child?.stops, 1);
  });

  it("and one whose child dies while its pipe stays open settles without Node too", async () => {
    await withoutNode(async () => {
      const { acpProvider, Subagents } = await import("../../mod.ts");
      const { processHost } = memoryHost((message, say) => {
        if (message["method"] !== "session/prompt") agent(message, say);
      });
      const exit = { exitCode: 9, signal: null };
      const subagents = new Subagents();
      subagents.register(acpProvider({ command: "agent" }, {
        processHost: {
          async spawn(spec) {
            const handle = await processHost.spawn(spec);
            return {
              pid: undefined,
              exit: Promise.resolve(exit),
              write: (data) => handle.write(data),
              stop: (options) => handle.stop(options),
            };
          },
        },
      }));
      const run = await subagents.start("acp", { prompt: "x", parent: { id: "parent", cwd } });
      assert.deepEqual(await run.result, {
        stopReason: "error",
        output: [],
        diagnostic: "Subagent failure (provider: ACP; stage: process; category: process-exit; exit code: 9)",
      });
      await run.dispose();
    });
  });
});
