import assert from "node:assert/strict";
import * as fs from "node:fs";
import { afterEach, describe, it } from "node:test";
import { cleanUp, newToken, processesOf, startFixture, startShell, until } from "./process_fixtures_test.ts";
import { parseStat, procTable, type ProcTableOptions } from "./proc_table.ts";

const skip = process.platform !== "linux";
const onLinux = skip ? " (skipped: there is no /proc)" : "";

function statLine({ comm = "node", state = "S", threads = 7 } = {}): string {
  return `4711 (${comm}) ${state} 12 4700 4699 34816 4711 4194304 2163 0 1 0 8 1 0 0 20 0 ${threads} 0 987654 ` +
    "1136000000 10000 18446744073709551615 1 1 0 0 0 0 0 16781312 134235650 0 0 0 17 1 0 0 0 0 0\n";
}
const row = { pid: 4711, parent: 12, group: 4700, session: 4699, startTime: 987654 };

describe("parseStat()", () => {
  for (
    const [name, line, expected] of [
      ["reads pid, parent, group, session and start time", statLine(), row],
      ["reads a name with spaces", statLine({ comm: "tmux: server" }), row],
      ["reads a name with parentheses", statLine({ comm: "(sd-pam)" }), row],
      ["reads a name that looks like the rest of the line", statLine({ comm: "a) Z 1 1 1 (b" }), row],
      ["counts a process that is stopped", statLine({ state: "T" }), row],
      ["counts a process in uninterruptible sleep", statLine({ state: "D" }), row],
      ["does not count a zombie", statLine({ state: "Z", threads: 1 }), undefined],
      ["does not count a process being removed", statLine({ state: "X", threads: 0 }), undefined],
      ["counts a zombie whose other threads live", statLine({ state: "Z", threads: 2 }), row],
      ["reads nothing from an empty line", "", undefined],
      ["reads nothing from half a line", statLine().slice(0, 40), undefined],
    ] as const
  ) {
    it(name, () => assert.deepEqual(parseStat(line), expected));
  }
});

/** The file system, with other answers for some paths. */
function fakeFileSystem(failing: (path: string) => string | undefined): NonNullable<ProcTableOptions["fs"]> {
  const check = (path: unknown): void => {
    const code = failing(String(path));
    if (code === "NotCapable") throw Object.assign(new Error("Requires all access"), { name: code });
    if (code !== undefined) throw Object.assign(new Error(code), { code });
  };
  return {
    ...fs,
    openSync: (path, ...rest) => (check(path), fs.openSync(path, ...rest)),
    readdirSync: ((path: string) => (check(path), fs.readdirSync(path))) as typeof fs.readdirSync,
    readFileSync: ((path: string, encoding: "latin1") => (
      check(path), fs.readFileSync(path, encoding)
    )) as typeof fs.readFileSync,
  };
}

describe(`procTable()${onLinux}`, { skip }, () => {
  afterEach(cleanUp);

  it("sees this process", async () => {
    const look = await procTable().look();
    const self = look?.rows.find(({ pid }) => pid === process.pid);
    assert.equal(self?.parent, process.ppid);
    assert.equal(procTable().startTimeOf(process.pid), self?.startTime);
    assert.equal(procTable().lookNow()?.rows.some(({ pid }) => pid === process.pid), true);
  });

  it("reads the environment a child was started with", async () => {
    const token = newToken();
    const { handle, wrote } = await startShell("echo ready; exec sleep $0", token, {
      env: { TEST_NOTE: "a=b c" },
    });
    await wrote("ready");
    const look = await procTable().look();
    assert.ok(look?.environmentOf(handle.pid!)?.split("\0").includes("TEST_NOTE=a=b c"));
    await handle.stop({ eofGraceMs: 1, killGraceMs: 2000 });
  });

  it("zombies do not count: nobody reaped them, but they are dead", async () => {
    const token = newToken();
    // exec replaces the shell by a program that never waits for the child it inherits.
    const { handle, wrote, output } = await startShell("sleep 0 & echo $! ready; exec sleep $0", token);
    await wrote("ready");
    const zombie = Number.parseInt(output(), 10);
    await until(() => fs.readFileSync(`/proc/${zombie}/stat`, "latin1").includes(") Z "), "a zombie");
    const look = await procTable().look();
    assert.equal(look?.rows.some(({ pid }) => pid === zombie), false);
    assert.equal(procTable().startTimeOf(zombie), undefined);
    await handle.stop({ eofGraceMs: 1, killGraceMs: 2000 });
  });

  it("a process whose first thread ended alone counts", async () => {
    const token = newToken();
    const { handle, wrote } = await startFixture("python3", [
      "-c",
      "import ctypes, sys, threading, time\n" +
      "def main():\n print('ready', flush=True); time.sleep(float(sys.argv[1]))\n" +
      "threading.Thread(target=main).start()\n" +
      "ctypes.CDLL(None).pthread_exit(0)",
      token,
    ]);
    await wrote("ready");
    const stat = (): string => fs.readFileSync(`/proc/${handle.pid}/stat`, "latin1");
    await until(() => stat().includes(") Z "), "the first thread to end");
    assert.equal(procTable().lookNow()?.rows.some(({ pid }) => pid === handle.pid), true);
    await handle.stop({ eofGraceMs: 1, killGraceMs: 2000 });
    assert.deepEqual(processesOf(token), []);
  });

  it("a process that forks and exits while the look reads is found under its new id", () => {
    // The list is made by hand: on the first one the newcomer is not there yet, and what it came from is gone.
    const gone = 2 ** 22 + 1;
    const lists = [[gone], [gone, process.pid], [process.pid]];
    const readdirSync = (() => (lists.shift() ?? []).map(String)) as unknown as typeof fs.readdirSync;
    const look = procTable({ fs: { ...fs, readdirSync } }).lookNow();
    assert.deepEqual(look?.rows.map(({ pid }) => pid), [process.pid]);
  });

  it("a machine that starts processes without end does not keep a look from ending", () => {
    let pid = 2 ** 22;
    const readdirSync = (() => [String(++pid)]) as unknown as typeof fs.readdirSync;
    assert.deepEqual(procTable({ fs: { ...fs, readdirSync } }).lookNow()?.rows, []);
  });

  describe("that is told what is too old", () => {
    /** A table that counts what it reads, on a clock that is set by hand. */
    function countingTable() {
      const clock = { ms: 0 };
      const read: string[] = [];
      const fs = fakeFileSystem((path) => void read.push(path));
      return { table: procTable({ fs, now: () => clock.ms }), clock, read };
    }
    const since = procTable().startTimeOf(process.pid) ?? 0;

    it("leaves out older processes only", async () => {
      const { table } = countingTable();
      const all = (await table.look())!.rows;
      const young = (await table.look(since))!.rows;
      assert.ok(young.some(({ pid }) => pid === process.pid));
      assert.ok(all.some(({ startTime }) => startTime < since));
      assert.ok(young.every(({ startTime }) => startTime >= since));
    });

    it("does not read again what was too old a moment ago", async () => {
      const { table, clock, read } = countingTable();
      await table.look(since);
      const first = read.splice(0).length;
      clock.ms = 99;
      await table.look(since);
      const second = read.splice(0);
      assert.ok(second.length < first, `${second.length} of ${first}`);
      assert.ok(second.includes(`/proc/${process.pid}/stat`));
      assert.ok(!second.includes("/proc/1/stat"));
    });

    it("reads it again when it could be another process with the same pid", async () => {
      const { table, clock, read } = countingTable();
      await table.look(since);
      clock.ms = 60;
      await table.look(since);
      read.length = 0;
      clock.ms = 101;
      await table.look(since);
      assert.ok(read.includes("/proc/1/stat"));
    });

    it("reads it again for one who wants to see it", async () => {
      const { table } = countingTable();
      await table.look(since);
      assert.ok((await table.look(0))!.rows.some(({ pid }) => pid === 1));
      assert.ok(table.lookNow()!.rows.some(({ pid }) => pid === 1));
    });
  });

  for (const code of ["ENOENT", "ESRCH", "EACCES", "EPERM"]) {
    it(`passes over a process whose files fail with ${code}`, async () => {
      const table = procTable({
        fs: fakeFileSystem((path) => path.startsWith(`/proc/${process.pid}/`) ? code : undefined),
      });
      const look = await table.look();
      assert.equal(look?.rows.some(({ pid }) => pid === process.pid), false);
      assert.equal(look?.rows.some(({ pid }) => pid === process.ppid), true);
      assert.equal(look?.environmentOf(process.pid), undefined);
    });
  }

  it("fails when it could not see everything, as in a host without file descriptors", async () => {
    const table = procTable({
      fs: fakeFileSystem((path) => path.startsWith(`/proc/${process.pid}/`) ? "EMFILE" : undefined),
    });
    await assert.rejects(table.look(), { code: "EMFILE" });
    assert.throws(() => table.lookNow(), { code: "EMFILE" });
    assert.equal(table.startTimeOf(process.pid), undefined, "this may be missed: it is only a hint");
  });

  for (const code of ["ENOENT", "EACCES", "EPERM", "NotCapable"]) {
    it(`sees nothing when /proc itself fails with ${code}`, async () => {
      const table = procTable({ fs: fakeFileSystem(() => code) });
      assert.equal(await table.look(), undefined);
      assert.equal(table.lookNow(), undefined);
      assert.equal(table.startTimeOf(process.pid), undefined);
    });
  }
});
