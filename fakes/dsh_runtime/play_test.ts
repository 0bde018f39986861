import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { recordedRuntime } from "../launch.ts";
import { withCommand } from "../test_support/raw_client.ts";
import { playedRuntime, readRecording, type RecordedLine } from "./play.ts";

const wire = (name: string) => new URL(`../dsh_wires/${name}.ndjson`, import.meta.url);

/** The recorded server lines with the live names in place of the recorded ones. */
function expected(
  recording: readonly RecordedLine[],
  ids: ReadonlyMap<unknown, number>,
  session: string,
): unknown[] {
  return recording.filter(({ dir }) => dir === "<").map(({ m }) => {
    const line = structuredClone(m) as Record<string, unknown>;
    if (ids.has(line["id"])) line["id"] = ids.get(line["id"]);
    const params = line["params"] as Record<string, unknown> | undefined;
    if (params?.["sessionId"] === "s1") params["sessionId"] = session;
    return line;
  });
}

describe("a recorded runtime", () => {
  it("says two turns of a session again, line for line, under the live names", async () => {
    await withCommand(recordedRuntime(wire("plain")), async (client) => {
      const prompt = { sessionId: "live", contentBlocks: [] };
      const idles = (count: number) =>
        client.until(() =>
          client.lines.filter((line) => line.includes('"idle"')).length >= count || undefined
        );
      await client.request("initialize", {});
      await client.request("session/prompt", prompt);
      await idles(1);
      await client.request("session/prompt", prompt);
      await idles(2);
      await client.request("shutdown", {});
      assert.deepEqual(await client.ending, { code: 0, signal: null });
      const ids = new Map([[1, 0], [2, 1], [3, 2], [4, 3]]);
      assert.deepEqual(client.messages, expected(readRecording(wire("plain")), ids, "live"));
    });
  });

  it("says what another session said in between as it stands", async () => {
    await withCommand(recordedRuntime(wire("two_sessions")), async (client) => {
      await client.request("initialize", {});
      await client.request("session/prompt", { sessionId: "live", contentBlocks: [] });
      await client.until(() =>
        client.lines.filter((line) => line.includes('"idle"')).length === 2 || undefined
      );
      await client.request("shutdown", {});
      const ids = new Map([[1, 0], [2, 1], [4, 2]]);
      assert.deepEqual(client.messages, expected(readRecording(wire("two_sessions")), ids, "live"));
    });
  });
});

describe("playedRuntime()", () => {
  it("refuses a recording in which the runtime speaks first", () => {
    assert.throws(() => playedRuntime([{ t: 0, dir: "<", m: { jsonrpc: "2.0", method: "hello" } }]), {
      name: "TypeError",
      message: "The runtime spoke before the client did",
    });
  });
});

describe("readRecording()", () => {
  it("reads every line of a file", () => {
    const lines = readFileSync(wire("plain"), "utf8").trimEnd().split("\n");
    assert.equal(readRecording(wire("plain")).length, lines.length);
  });
});
