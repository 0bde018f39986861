import assert from "node:assert/strict";
import * as childProcess from "node:child_process";
import { afterEach, describe, it } from "node:test";
import { cleanUp, newToken, processesOf, until } from "./process_fixtures_test.ts";
import { parsePs, psTable } from "./ps_table.ts";

const skip = process.platform === "win32";
const onPosix = skip ? " (skipped: there is no ps)" : "";

type SpawnPs = (command: string, args: string[], options: object) => unknown;

/** Starts another program than `ps`. */
function insteadOfPs(command: string, args: readonly string[]): typeof childProcess {
  const spawn: SpawnPs = (_command, _args, options) => childProcess.spawn(command, args, options);
  const spawnSync: SpawnPs = (_command, _args, options) => childProcess.spawnSync(command, args, options);
  return { ...childProcess, spawn, spawnSync } as typeof childProcess;
}

describe("parsePs()", () => {
  it("reads pid, parent, group and start time, and leaves zombies out", () => {
    const output = "    1     0     1 Ss   Mon Nov 30 08:00:00 2026\n" +
      "  512     1   512 S+   Mon Nov 30 20:57:08 2026\n" +
      "  513   512   512 Z+   Mon Nov 30 20:57:09 2026\n" +
      "99999   512   510 R    Tue Dec  1 00:00:00 2026\n" +
      "nonsense\n";
    assert.deepEqual(parsePs(output), [
      { pid: 1, parent: 0, group: 1, session: undefined, startTime: Date.UTC(2026, 10, 30, 8) },
      { pid: 512, parent: 1, group: 512, session: undefined, startTime: Date.UTC(2026, 10, 30, 20, 57, 8) },
      { pid: 99999, parent: 512, group: 510, session: undefined, startTime: Date.UTC(2026, 11, 1) },
    ]);
  });
  it("gives a start time that equals itself when the date cannot be read", () => {
    assert.deepEqual(parsePs("7 1 7 S lundi 30").map(({ startTime }) => startTime), [0]);
  });
});

describe(`psTable()${onPosix}`, { skip }, () => {
  afterEach(cleanUp);

  for (
    const [name, look] of [
      ["look()", () => psTable().look()],
      ["lookNow()", () => Promise.resolve(psTable().lookNow())],
    ] as const
  ) {
    it(`${name} sees this process and its parent`, async () => {
      const seen = await look();
      assert.equal(seen?.rows.find(({ pid }) => pid === process.pid)?.parent, process.ppid);
      assert.equal(seen?.environmentOf(process.pid), undefined);
    });
  }

  it("sees nothing when ps is missing or fails", async () => {
    for (const childProcess of [insteadOfPs("/does/not/exist", []), insteadOfPs("false", [])]) {
      assert.equal(await psTable({ childProcess }).look(), undefined);
      assert.equal(psTable({ childProcess }).lookNow(), undefined);
    }
  });

  it("sees nothing when ps hangs, and ends it", async () => {
    const token = newToken();
    const table = psTable({ childProcess: insteadOfPs("sleep", [token]), timeoutMs: 50 });
    const looking = table.look();
    assert.equal(processesOf(token).length, 1);
    assert.equal(await looking, undefined);
    await until(() => processesOf(token).length === 0, "the hanging ps to end");
  });
});
