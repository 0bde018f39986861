import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, describe, it } from "node:test";
import { localProcessTable, localSystem } from "./node_system.ts";
import { cleanUp, temporaryFile } from "./process_fixtures_test.ts";

const isWindows = process.platform === "win32";

afterEach(cleanUp);

describe("localSystem()", () => {
  it("is one for all hosts, so that their trees share looks", () =>
    assert.equal(localSystem(), localSystem()));
  it("is this process on this machine", () => {
    const { platform, pid, environment } = localSystem();
    assert.deepEqual([platform, pid, environment()["PATH"]], [
      process.platform,
      process.pid,
      process.env["PATH"],
    ]);
  });
  it("makes another tree id each time", () => {
    const ids = Array.from({ length: 100 }, () => localSystem().newTreeId());
    assert.equal(new Set(ids).size, 100);
    assert.ok(ids.every((id) => /^[\da-f-]{36}$/.test(id)));
  });
  it("reads files and tells them from folders", () => {
    const { windowsFiles } = localSystem();
    const file = temporaryFile("agent.cmd", "text");
    assert.equal(windowsFiles.read(file), "text");
    assert.equal(windowsFiles.read(dirname(file)), undefined);
    assert.deepEqual([file, dirname(file), `${file}.gone`].map((path) => windowsFiles.exists(path)), [
      true,
      false,
      false,
    ]);
  });
  it("joins paths as Windows does", () => {
    assert.equal(localSystem().windowsFiles.resolve("C:\\npm\\bin", "..\\agent.exe"), "C:\\npm\\agent.exe");
  });
});

describe("localProcessTable()", () => {
  for (const platform of ["linux", "darwin", "freebsd"]) {
    it(
      `on ${platform} sees this process${isWindows ? " (skipped: there is neither /proc nor ps)" : ""}`,
      { skip: isWindows },
      async () => {
        const look = await localProcessTable(platform).look();
        assert.ok(look?.rows.some(({ pid }) => pid === process.pid));
      },
    );
  }
  it("on Windows sees nothing", async () => {
    const table = localProcessTable("win32");
    assert.deepEqual([await table.look(), table.lookNow(), table.startTimeOf(process.pid)], [
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("the process layer", () => {
  it("can be imported where there are no modules of Node: it loads them at the first use", () => {
    const folder = new URL("./", import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith("_test.ts"));
    const eager = files.filter((name) =>
      /^(?:import|export) (?!type )[^;"]* from "node:/m.test(readFileSync(new URL(name, folder), "utf8"))
    );
    assert.ok(files.includes("node_system.ts"));
    assert.deepEqual(eager, []);
  });
});
