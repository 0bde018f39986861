import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PosixTree } from "./posix_tree.ts";
import { ProcessLook, type ProcessRow, type ProcessTable } from "./process_table.ts";
import { SharedLooks } from "./shared_looks.ts";

const HOST = 50;
const ROOT = 100;

/** A machine whose processes and signals are data. */
class FakeMachine implements ProcessTable {
  rows: ProcessRow[] = [];
  /** Thrown instead of looking. */
  lookError: Error | undefined;
  /** Whether there is a process table. */
  visible = true;
  /** What `kill` throws for a pid or a negated group. */
  readonly refused = new Map<number, string>();
  readonly sent: [pid: number, signal: string][] = [];

  add(pid: number, overrides: Partial<ProcessRow> = {}): void {
    this.rows.push({ pid, parent: 1, group: ROOT, session: ROOT, startTime: 1000 + pid, ...overrides });
  }

  remove(...pids: number[]): void {
    this.rows = this.rows.filter(({ pid }) => !pids.includes(pid));
  }

  look(): Promise<ProcessLook | undefined> {
    return new Promise((resolve) => resolve(this.lookNow()));
  }

  lookNow(): ProcessLook | undefined {
    if (this.lookError) throw this.lookError;
    return this.visible ? new ProcessLook(this.rows, () => undefined) : undefined;
  }

  startTimeOf(pid: number): number | undefined {
    return this.rows.find((row) => row.pid === pid)?.startTime;
  }

  readonly kill = (pid: number, signal: "SIGTERM" | "SIGKILL" | 0): void => {
    if (signal !== 0) this.sent.push([pid, signal]);
    const code = this.refused.get(pid);
    const exists = this.rows.some((row) => pid < 0 ? row.group === -pid : row.pid === pid);
    if (code !== undefined || !exists) throw Object.assign(new Error("kill"), { code: code ?? "ESRCH" });
  };

  /** Starts a tree whose root leads its group. */
  startTree(): PosixTree {
    this.add(ROOT, { parent: HOST });
    return this.adoptTree();
  }

  adoptTree(): PosixTree {
    return new PosixTree({
      pid: ROOT,
      marker: "id",
      hostPid: HOST,
      looks: new SharedLooks(this),
      kill: this.kill,
    });
  }
}

describe("PosixTree.end()", () => {
  it("signals the group once, and by pid only those outside of it", async () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.add(110, { parent: ROOT });
    machine.add(120, { parent: 110, group: 120, session: 120 });
    tree.end("ask", await tree.look());
    assert.deepEqual(machine.sent, [[-ROOT, "SIGTERM"], [120, "SIGTERM"]]);
  });

  it("asks nobody twice, but a newcomer too", async () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    tree.end("ask", await tree.look());
    machine.sent.length = 0;
    machine.add(130, { parent: ROOT });
    tree.end("ask", await tree.look());
    tree.end("ask", await tree.look());
    assert.deepEqual(machine.sent, [[130, "SIGTERM"]]);
  });

  it("forces all at each call", async () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.add(120, { parent: ROOT, group: 120, session: 120 });
    tree.end("force", await tree.look());
    tree.end("force", await tree.look());
    const round = [[-ROOT, "SIGKILL"], [120, "SIGKILL"]];
    assert.deepEqual(machine.sent, [...round, ...round]);
  });

  it("never signals the group of a child that has none of its own: it is the host's (WallyDoodlez/SquidSquad#13040)", async () => {
    const machine = new FakeMachine();
    machine.add(HOST, { group: 40, session: 40 });
    machine.add(ROOT, { parent: HOST, group: 40, session: 40 });
    const tree = machine.adoptTree();
    tree.end("ask", await tree.look());
    tree.end("force", await tree.look());
    tree.killNow({});
    assert.deepEqual(machine.sent, [[ROOT, "SIGTERM"], [ROOT, "SIGKILL"], [ROOT, "SIGKILL"]]);
  });

  it("does not signal the root's pid once its exit was seen", async () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.add(110, { parent: ROOT });
    machine.remove(ROOT);
    tree.rootExited();
    await tree.look();
    machine.remove(110);
    machine.add(ROOT, { startTime: 5000, group: ROOT, session: ROOT }); // somebody else, with the recycled pid
    assert.deepEqual(await tree.look(), []);
    tree.end("force", [ROOT]);
    tree.killNow({});
    assert.deepEqual(machine.sent, []);
  });

  it("takes EPERM for no success: the process is still found", async () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.refused.set(-ROOT, "EPERM");
    tree.end("force", await tree.look());
    assert.deepEqual(await tree.look(), [ROOT]);
  });

  it("throws when signals are not permitted at all", async () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.refused.set(-ROOT, "ENOTCAPABLE");
    const alive = await tree.look();
    assert.throws(() => tree.end("ask", alive), { code: "ENOTCAPABLE" });
  });
});

describe("PosixTree.look()", () => {
  it("counts the root until its exit was seen, also as a zombie", async () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.remove(ROOT);
    assert.deepEqual(await tree.look(), [ROOT]);
    tree.rootExited();
    assert.deepEqual(await tree.look(), []);
  });

  it("remembers at the root's exit what it leaves behind", async () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.add(110, { parent: ROOT });
    machine.remove(ROOT);
    tree.rootExited();
    await new Promise((resolve) => setTimeout(resolve, 20));
    machine.rows[0] = { ...machine.rows[0]!, parent: 1, group: 110, session: 110 };
    assert.deepEqual(await tree.look(), [110]);
  });

  it("does not take a look that failed for an empty tree, and says why it failed", async () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.remove(ROOT);
    tree.rootExited();
    machine.lookError = new Error("EMFILE");
    assert.deepEqual(await tree.look(), [ROOT]);
    assert.equal(tree.lookError, machine.lookError);
    machine.lookError = undefined;
    assert.deepEqual(await tree.look(), []);
    assert.equal(tree.lookError, undefined);
  });
});

describe("PosixTree without a process table", () => {
  it("goes by the group, which outlives its leader", async () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.visible = false;
    machine.add(110, { parent: ROOT });
    assert.deepEqual(await tree.look(), [ROOT]);
    machine.remove(ROOT);
    tree.rootExited();
    assert.deepEqual(await tree.look(), [ROOT]);
    tree.end("force", [ROOT]);
    assert.deepEqual(machine.sent, [[-ROOT, "SIGKILL"]]);
    machine.remove(110);
    assert.deepEqual(await tree.look(), []);
  });

  it("takes the first absence for good: the id may be somebody else's later", async () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.visible = false;
    machine.remove(ROOT);
    tree.rootExited();
    assert.deepEqual(await tree.look(), []);
    machine.add(110);
    assert.deepEqual(await tree.look(), []);
    tree.end("force", [ROOT]);
    assert.deepEqual(machine.sent, []);
  });
});

describe("PosixTree.killNow()", () => {
  it("kills the group and what left it, and says whether something was alive", () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.add(120, { parent: ROOT, group: 120, session: 120 });
    assert.equal(tree.killNow({}), true);
    assert.deepEqual(machine.sent, [[-ROOT, "SIGKILL"], [120, "SIGKILL"]]);
    machine.remove(ROOT, 120);
    assert.equal(tree.killNow({}), false);
  });

  it("kills the group when there is no process table", () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.visible = false;
    assert.equal(tree.killNow({}), true);
    assert.deepEqual(machine.sent, [[-ROOT, "SIGKILL"]]);
  });

  it("kills the group when the look fails", () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.lookError = new Error("EMFILE");
    tree.killNow({});
    assert.deepEqual(machine.sent, [[-ROOT, "SIGKILL"]]);
  });

  it("never throws", () => {
    const machine = new FakeMachine();
    const tree = machine.startTree();
    machine.refused.set(-ROOT, "ENOTCAPABLE");
    assert.equal(tree.killNow({}), false);
  });
});
