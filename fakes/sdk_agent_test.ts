import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { atPointer, type Json } from "./acp_agent/json.ts";
import { sdkAgent } from "./launch.ts";
import { withCommand } from "./test_support/raw_client.ts";

// Its turns, permission, cancel and words are in peers_test.ts, side by side with those of the scripted agent.
describe("the SDK agent", () => {
  it("keeps sessions apart: cancelling one leaves the other's turn running", async () => {
    await withCommand(sdkAgent(), async (client) => {
      const first = await client.open();
      const response = await client.request("session/new", { cwd: "/", mcpServers: [] });
      const second = String(atPointer(response as Json, "/result/sessionId"));
      assert.notEqual(first, second);
      const kept = client.prompt(first, "hang");
      const cancelled = client.prompt(second, "hang");
      await client.call("session/update");
      await client.call("session/update");
      client.notify("session/cancel", { sessionId: second });
      assert.deepEqual((await client.response(cancelled))["result"], { stopReason: "cancelled" });
      assert.equal(client.messages.some((message) => atPointer(message, "/id") === kept), false);
    });
  });

  it("ends a hanging prompt on $/cancel_request", async () => {
    await withCommand(sdkAgent(), async (client) => {
      const prompt = client.prompt(await client.open(), "hang");
      await client.call("session/update");
      client.notify("$/cancel_request", { requestId: prompt });
      assert.deepEqual((await client.response(prompt))["result"], { stopReason: "cancelled" });
    });
  });

  it("goes on after a cancelled turn, and answers nothing to an empty prompt but its end", async () => {
    await withCommand(sdkAgent(), async (client) => {
      const sessionId = await client.open();
      const prompt = client.prompt(sessionId, "hang");
      await client.call("session/update");
      client.notify("session/cancel", { sessionId });
      await client.response(prompt);
      const before = client.lines.length;
      assert.deepEqual((await client.response(client.prompt(sessionId, "")))["result"], {
        stopReason: "end_turn",
      });
      assert.equal(client.lines.length, before + 1);
    });
  });

  it("refuses an unknown session with -32002", async () => {
    await withCommand(sdkAgent(), async (client) => {
      await client.open();
      const response = await client.request("session/prompt", { sessionId: "nobody", prompt: [] });
      assert.equal(atPointer(response as Json, "/error/code"), -32002);
    });
  });

  it("crashes with exit code 3 behind its text", async () => {
    await withCommand(sdkAgent(), async (client) => {
      client.prompt(await client.open(), "crash");
      assert.deepEqual(await client.ending, { code: 3, signal: null });
      await client.until(() => client.stdoutEnded || undefined);
      assert.match(client.lines.at(-1) ?? "", /This is as far as I/);
    });
  });

  it("exits 0 at EOF", async () => {
    await withCommand(sdkAgent(), async (client) => {
      await client.open();
      client.endInput();
      assert.deepEqual(await client.ending, { code: 0, signal: null });
    });
  });
});
