import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProcessLook, type ProcessTable } from "./process_table.ts";
import { SharedLooks } from "./shared_looks.ts";

/** A table whose looks are answered by hand. */
class ManualTable implements ProcessTable {
  readonly begun: ((look: ProcessLook | undefined | Error) => void)[] = [];
  readonly since: (number | undefined)[] = [];
  syncLooks = 0;
  #waiting: (() => void) | undefined;

  look(since?: number): Promise<ProcessLook | undefined> {
    this.since.push(since);
    return new Promise((resolve, reject) => {
      this.begun.push((look) => look instanceof Error ? reject(look) : resolve(look));
      this.#waiting?.();
    });
  }

  lookNow(): ProcessLook {
    this.syncLooks++;
    return newLook();
  }

  startTimeOf(pid: number): number {
    return pid * 10;
  }

  async until(count: number): Promise<void> {
    while (this.begun.length < count) await new Promise<void>((resolve) => this.#waiting = resolve);
  }
}

function newLook(): ProcessLook {
  return new ProcessLook([], () => undefined);
}

describe("SharedLooks", () => {
  it("looks once for all who asked before the look began", async () => {
    const table = new ManualTable();
    const looks = new SharedLooks(table);
    const asked = [looks.look(), looks.look(), looks.look()];
    await table.until(1);
    const look = newLook();
    table.begun[0]!(look);
    assert.deepEqual(await Promise.all(asked), [look, look, look]);
    assert.equal(table.begun.length, 1);
  });

  it("looks again for one who asked after the look began, once that is over", async () => {
    const table = new ManualTable();
    const looks = new SharedLooks(table);
    const early = looks.look();
    await table.until(1);
    const late = looks.look();
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(table.begun.length, 1);
    const [first, second] = [newLook(), newLook()];
    table.begun[0]!(first);
    await table.until(2);
    table.begun[1]!(second);
    assert.equal(await early, first);
    assert.equal(await late, second);
    assert.notEqual(first, second);
  });

  for (
    const [name, asked, expected] of [
      ["from the earliest start time that was asked for", [30, 10, 20], 10],
      ["at everything when one asked for that", [30, undefined, 20], undefined],
      ["at everything when the first asked for that", [undefined, 20], undefined],
    ] as const
  ) {
    it(`looks ${name}`, async () => {
      const table = new ManualTable();
      const looks = new SharedLooks(table);
      const all = asked.map((since) => looks.look(since));
      await table.until(1);
      table.begun[0]!(undefined);
      await Promise.all(all);
      const next = looks.look(40);
      await table.until(2);
      table.begun[1]!(undefined);
      await next;
      assert.deepEqual(table.since, [expected, 40]);
    });
  }

  it("goes on after a look that failed, and tells only those who asked for that one", async () => {
    const table = new ManualTable();
    const looks = new SharedLooks(table);
    const failing = looks.look();
    await table.until(1);
    const next = looks.look();
    table.begun[0]!(new Error("EMFILE"));
    await assert.rejects(failing, { message: "EMFILE" });
    await table.until(2);
    table.begun[1]!(undefined);
    assert.equal(await next, undefined);
  });

  it("lookNow() looks once in a round", () => {
    const table = new ManualTable();
    const looks = new SharedLooks(table);
    const [first, second] = [{}, {}];
    assert.equal(looks.lookNow(first), looks.lookNow(first));
    assert.equal(table.syncLooks, 1);
    looks.lookNow(second);
    assert.equal(table.syncLooks, 2);
  });

  it("passes start times on", () => {
    assert.equal(new SharedLooks(new ManualTable()).startTimeOf(7), 70);
  });
});
