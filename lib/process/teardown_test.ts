import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LeftoverProcessesError } from "./errors.ts";
import { type EndableChild, endTree } from "./teardown.ts";

/** A tree that is data: what it does at each step, and a log of the steps. */
class FakeChild implements EndableChild {
  readonly log: string[] = [];
  readonly input = { end: () => this.#step("eof"), destroy: () => this.#step("close") };
  readonly exit: Promise<void>;
  #seeExit!: () => void;
  readonly #asked = new Set<number>();
  readonly #reactions: Readonly<Record<string, (child: FakeChild) => void>>;
  /** What is alive; the root is 1. */
  alive: number[];
  /** What the next looks find instead. */
  readonly scripted: number[][] = [];
  looks = 0;
  readonly tree = {
    exited: false,
    lookError: undefined as unknown,
    look: async (): Promise<readonly number[]> => {
      this.looks++;
      await Promise.resolve();
      return this.scripted.shift() ?? [...this.alive];
    },
    end: (how: "ask" | "force", alive: readonly number[]): void => {
      const reached = alive.filter((pid) => how === "force" || !this.#asked.has(pid));
      for (const pid of alive) this.#asked.add(pid);
      if (reached.length > 0) this.#step(how, reached);
    },
  };

  constructor(alive: number[], reactions: Readonly<Record<string, (child: FakeChild) => void>> = {}) {
    this.alive = alive;
    this.#reactions = reactions;
    this.exit = new Promise((resolve) => this.#seeExit = resolve);
  }

  die(...pids: number[]): void {
    this.alive = this.alive.filter((pid) => !pids.includes(pid));
    if (pids.includes(1)) {
      this.tree.exited = true;
      this.#seeExit();
    }
  }

  #step(name: string, alive?: readonly number[]): void {
    this.log.push(alive === undefined ? name : `${name} ${alive.join(" ")}`);
    this.#reactions[name]?.(this);
  }
}

describe("endTree()", () => {
  it("is content with the end of input and two looks behind the first when the child obeys", async () => {
    const child = new FakeChild([1], { eof: (self) => self.die(1) });
    await endTree(child, { eofGraceMs: 5000, killGraceMs: 5000 });
    assert.deepEqual(child.log, ["eof"]);
    assert.equal(child.looks, 3);
  });

  it("looks once before the end of input, while the root is still the parent of its children", async () => {
    let looksAtEof = 0;
    const child = new FakeChild([1], {
      eof: (self) => {
        looksAtEof = self.looks;
        self.die(1);
      },
    });
    await endTree(child, { eofGraceMs: 5000, killGraceMs: 5000 });
    assert.equal(looksAtEof, 1);
  });

  it("does not look again while the root lives", async () => {
    const child = new FakeChild([1], { eof: (self) => void setTimeout(() => self.die(1), 60) });
    await endTree(child, { eofGraceMs: 5000, killGraceMs: 5000 });
    assert.equal(child.looks, 3);
  });

  it("waits for the whole tree after the end of input", async () => {
    const child = new FakeChild([1, 2], {
      eof: (self) => {
        self.die(1);
        setTimeout(() => self.die(2), 60);
      },
    });
    await endTree(child, { eofGraceMs: 5000, killGraceMs: 5000 });
    assert.deepEqual(child.log, ["eof"]);
  });

  it("needs two empty looks in a row: one may miss a process just started", async () => {
    const child = new FakeChild([1], { eof: (self) => self.die(1) });
    child.scripted.push([], [2], [], []);
    await endTree(child, { eofGraceMs: 5000, killGraceMs: 5000 });
    assert.equal(child.looks, 4);
  });

  it("asks a child that is deaf to the end of input, having closed its pipe", async () => {
    const child = new FakeChild([1, 2], { ask: (self) => self.die(1, 2) });
    await endTree(child, { eofGraceMs: 20, killGraceMs: 5000 });
    assert.deepEqual(child.log, ["eof", "close", "ask 1 2"]);
  });

  it("asks what an obedient child left behind", async () => {
    const child = new FakeChild([1, 2], { eof: (self) => self.die(1), ask: (self) => self.die(2) });
    await endTree(child, { eofGraceMs: 20, killGraceMs: 5000 });
    assert.deepEqual(child.log, ["eof", "close", "ask 2"]);
  });

  it("forces what does not listen, again and again", async () => {
    let forced = 0;
    const child = new FakeChild([1, 2], {
      force: (self) => {
        if (++forced === 3) self.die(1, 2);
      },
    });
    await endTree(child, { eofGraceMs: 10, killGraceMs: 50 });
    assert.deepEqual(child.log, ["eof", "close", "ask 1 2", "force 1 2", "force 1 2", "force 1 2"]);
  });

  it("forces a newcomer that the last look had missed", async () => {
    const child = new FakeChild([1], {
      force: (self) => {
        if (self.alive.includes(2)) self.die(2);
        else if (self.alive.includes(1)) {
          self.die(1);
          self.alive.push(2);
        }
      },
    });
    await endTree(child, { eofGraceMs: 10, killGraceMs: 50 });
    assert.deepEqual(child.log, ["eof", "close", "ask 1", "force 1", "force 2"]);
  });

  it("reports what is left, after the grace of each step and not much more", async () => {
    const child = new FakeChild([1, 2]);
    const begun = performance.now();
    await assert.rejects(endTree(child, { eofGraceMs: 50, killGraceMs: 60 }), (error) => {
      assert.ok(LeftoverProcessesError.is(error));
      assert.deepEqual(error.pids, [1, 2]);
      return true;
    });
    const tookMs = performance.now() - begun;
    assert.ok(tookMs >= 165 && tookMs < 3000, `took ${tookMs} ms`);
  });

  it("never claims absence when the looks fail, and says why", async () => {
    const child = new FakeChild([1], { eof: (self) => self.die(1) });
    child.tree.lookError = new Error("EMFILE");
    child.tree.look = () => Promise.resolve([1]);
    await assert.rejects(endTree(child, { eofGraceMs: 10, killGraceMs: 10 }), {
      code: "LEFTOVER_PROCESSES",
      cause: child.tree.lookError,
    });
  });

  it("signals at least once even when the looks take longer than the grace", async () => {
    const child = new FakeChild([1], { ask: (self) => self.die(1) });
    const look = child.tree.look;
    child.tree.look = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return await look();
    };
    await endTree(child, { eofGraceMs: 1, killGraceMs: 20 });
    assert.deepEqual(child.log, ["eof", "close", "ask 1"]);
  });

  it("spends a tenth of the time on looks that are slow", async () => {
    const child = new FakeChild([1, 2], { eof: (self) => self.die(1), ask: (self) => self.die(2) });
    const look = child.tree.look;
    child.tree.look = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return await look();
    };
    await endTree(child, { eofGraceMs: 400, killGraceMs: 5000 });
    assert.ok(child.looks <= 8, `${child.looks} looks`); // the first, 400 / (20 + 9 × 20) and two for rounding, one before asking, two empty ones
  });
});
