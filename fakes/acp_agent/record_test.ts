import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { withAgent } from "../test_support/raw_client.ts";
import { withFolder } from "../test_support/temp_folder.ts";
import { readRecord, recorder } from "./record.ts";

describe("the record of an agent", () => {
  it("holds what came in, in order, through EOF, signal and exit", async () => {
    await withFolder(async (folder) => {
      const record = join(folder, "record");
      const script = { record, onEof: [], onSigterm: [{ do: "exit", code: 4 } as const] };
      await withAgent(script, async (client) => {
        const sessionId = await client.open();
        client.notify("session/cancel", { sessionId });
        client.sendRaw("no json\r\n\n[1]\n");
        client.send({ jsonrpc: "2.0", id: 99, result: { stray: true } });
        client.sendRaw('{"cut');
        client.endInput();
        await client.until(() => readRecord(record).some(({ event }) => event === "eof") || undefined);
        process.kill(client.pid, "SIGTERM");
        await client.ending;
        const [start, ...rest] = readRecord(record);
        assert.ok(start?.event === "start");
        assert.equal(start.pid, client.pid);
        assert.equal(start.cwd, folder);
        assert.deepEqual(start.argv.slice(1), [JSON.stringify(script), "extra"]);
        assert.deepEqual(rest, [
          {
            event: "message",
            message: {
              jsonrpc: "2.0",
              id: 0,
              method: "initialize",
              params: { protocolVersion: 1, clientCapabilities: {} },
            },
          },
          {
            event: "message",
            message: { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } },
          },
          { event: "message", message: { jsonrpc: "2.0", method: "session/cancel", params: { sessionId } } },
          { event: "junk", text: "no json" },
          { event: "message", message: [1] },
          { event: "message", message: { jsonrpc: "2.0", id: 99, result: { stray: true } } },
          { event: "cut", text: '{"cut' },
          { event: "eof" },
          { event: "signal", signal: "SIGTERM" },
          { event: "exit", code: 4 },
        ]);
      }, { cwd: folder, extraArgs: ["extra"] });
    });
  });

  it("says that nobody reads stdout any more", async () => {
    await withFolder(async (folder) => {
      const record = join(folder, "record");
      await withAgent({
        record,
        onPrompt: [{ do: "repeat", steps: [{ do: "text", text: "x".repeat(1_000) }] }],
      }, async (client) => {
        client.prompt(await client.open(), "go");
        await client.call("session/update");
        client.breakStdout();
        assert.deepEqual(await client.ending, { code: 0, signal: null });
        assert.deepEqual(readRecord(record).slice(-2), [{ event: "stdout-broken" }, {
          event: "exit",
          code: 0,
        }]);
      });
    });
  });
});

describe("readRecord()", () => {
  it("gives nothing without a file", () => assert.deepEqual(readRecord("/nowhere/at/all"), []));

  it("leaves out an entry that is being written", async () => {
    await withFolder((folder) => {
      const path = join(folder, "record");
      recorder(path)({ event: "eof" });
      appendFileSync(path, '{"event":"ex');
      assert.deepEqual(readRecord(path), [{ event: "eof" }]);
    });
  });
});

describe("recorder()", () => {
  it("writes nowhere without a path", () => assert.equal(recorder(undefined)({ event: "eof" }), undefined));
});
