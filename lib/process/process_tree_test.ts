import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProcessLook, type ProcessRow } from "./process_table.ts";
import { ProcessTree } from "./process_tree.ts";

const HOST = 50;
const ROOT = 100;

/** A row of a stranger, or of what the overrides make it. */
function row(pid: number, overrides: Partial<ProcessRow> = {}): ProcessRow {
  return { pid, parent: 1, group: 40, session: 40, startTime: 1000 + pid, ...overrides };
}
const root = row(ROOT, { parent: HOST, group: ROOT, session: ROOT });
const init = row(1, { parent: 0, group: 1, session: 1, startTime: 0 });
const host = row(HOST, { group: 40, session: 40, startTime: 500 });

function look(rows: readonly ProcessRow[], marked: readonly number[] = []): ProcessLook {
  return new ProcessLook(
    [init, host, ...rows],
    (pid) => marked.includes(pid) ? "SUBAGENT_SEAM_TREE=id\0" : "HOME=/\0",
  );
}

function newTree(): ProcessTree {
  return new ProcessTree({ pid: ROOT, startTime: root.startTime, marker: "id", hostPid: HOST });
}

function members(tree: ProcessTree, seen: ProcessLook): number[] {
  return tree.members(seen).map(({ pid }) => pid).sort((a, b) => a - b);
}

describe("ProcessTree.members()", () => {
  for (
    const [name, rows, marked, expected] of [
      ["finds the root", [root], [], [ROOT]],
      ["finds nothing when the root is gone", [], [], []],
      ["finds a child by its parent", [root, row(110, { parent: ROOT })], [], [ROOT, 110]],
      [
        "finds a grandchild that left the group and the session by the chain of parents",
        [
          root,
          row(110, { parent: ROOT, group: 110, session: 110 }),
          row(120, { parent: 110, group: 120, session: 120 }),
        ],
        [],
        [ROOT, 110, 120],
      ],
      ["finds an orphan in the root's group", [row(110, { group: ROOT })], [], [110]],
      [
        "finds an orphan with a group of its own in the root's session",
        [row(110, { group: 110, session: ROOT })],
        [],
        [110],
      ],
      ["finds an orphan by its marker", [row(110)], [110], [110]],
      ["finds a child without a marker of one with it", [row(110), row(111, { parent: 110 })], [110], [
        110,
        111,
      ]],
      ["does not count a stranger", [root, row(110)], [], [ROOT]],
      ["does not count what is older than the root", [root, row(90, { group: ROOT, startTime: 900 })], [90], [
        ROOT,
      ]],
      [
        "never counts the host, whatever it looks like",
        [{ ...host, group: ROOT, session: ROOT, startTime: 5000 }],
        [HOST],
        [],
      ],
      ["never counts process 1, whatever it looks like", [row(1, { group: ROOT, startTime: 5000 })], [1], []],
      [
        "ends on a circle of parents",
        [root, row(110, { parent: 111, group: ROOT }), row(111, { parent: 110 })],
        [],
        [ROOT, 110, 111],
      ],
    ] as const
  ) {
    it(name, () => assert.deepEqual(members(newTree(), look(rows, marked)), expected));
  }

  it("does not read the environments of processes that are older or found already", () => {
    const read: number[] = [];
    const seen = new ProcessLook(
      [root, row(110, { parent: ROOT }), row(120), row(90, { startTime: 900 })],
      (pid) => (read.push(pid), undefined),
    );
    newTree().members(seen);
    assert.deepEqual(read, [120]);
  });

  it("takes the root's start time from the first look where the table does not tell before", () => {
    const tree = new ProcessTree({ pid: ROOT, startTime: undefined, marker: "id", hostPid: HOST });
    assert.deepEqual(members(tree, look([root, row(90, { group: ROOT, startTime: 900 })])), [ROOT]);
  });
});

describe("ProcessTree.members() after the root's exit", () => {
  const orphan = row(110, { parent: ROOT, group: ROOT, session: ROOT });
  const escaped = row(120, { parent: 110, group: 120, session: 120 });

  it("finds the group although its leader was reaped first (kirodotdev/KiroCrew#10431)", () => {
    const tree = newTree();
    tree.rootExited();
    assert.deepEqual(members(tree, look([{ ...orphan, parent: 1 }])), [110]);
    assert.equal(tree.ownsGroup, true);
  });

  it("remembers a descendant whose every tie was cut (HarperFast/harper#2599)", () => {
    const tree = newTree();
    members(tree, look([root, orphan, escaped]));
    tree.rootExited();
    assert.deepEqual(members(tree, look([{ ...escaped, parent: 1 }])), [120]);
  });

  it("does not take a recycled pid for a descendant (psmux/psmux#447)", () => {
    const tree = newTree();
    members(tree, look([root, orphan, escaped]));
    tree.rootExited();
    assert.deepEqual(members(tree, look([{ ...escaped, parent: 1, startTime: escaped.startTime + 1 }])), []);
  });

  it("allows for a table whose start times are not exact", () => {
    const tree = newTree();
    const inexact = (...rows: ProcessRow[]): ProcessLook => new ProcessLook(rows, () => undefined, 2);
    members(tree, inexact(root, orphan, escaped));
    tree.rootExited();
    const shifted = { parent: 1, startTime: root.startTime - 2 };
    assert.deepEqual(members(tree, inexact({ ...orphan, ...shifted })), [110]);
    assert.deepEqual(members(tree, inexact({ ...escaped, parent: 1, startTime: escaped.startTime - 2 })), [
      120,
    ]);
    assert.deepEqual(members(tree, inexact({ ...escaped, parent: 1, startTime: escaped.startTime - 3 })), []);
  });

  it("does not take a recycled root pid, nor its group and session, for the tree", () => {
    const tree = newTree();
    members(tree, look([root]));
    tree.rootExited();
    members(tree, look([]));
    const stranger = { ...root, startTime: root.startTime + 500 };
    const strangersChild = row(130, { parent: ROOT, group: ROOT, session: ROOT });
    assert.deepEqual(members(tree, look([stranger, strangersChild])), []);
    assert.equal(tree.ownsGroup, false);
  });

  it("keeps the group as long as a remembered member is in it, with its newcomers", () => {
    const tree = newTree();
    tree.rootExited();
    members(tree, look([orphan]));
    const newcomer = row(131, { group: ROOT });
    assert.deepEqual(members(tree, look([orphan, newcomer])), [110, 131]);
    assert.deepEqual(members(tree, look([newcomer])), [131]);
    assert.equal(tree.ownsGroup, true);
  });

  it("gives the group up for good once no remembered member is in it", () => {
    const tree = newTree();
    tree.rootExited();
    members(tree, look([orphan]));
    assert.deepEqual(members(tree, look([row(131, { group: ROOT, session: ROOT })])), []);
    assert.deepEqual(
      members(tree, look([{ ...orphan, parent: 1 }, row(131, { group: ROOT, session: ROOT })])),
      [110],
    );
    assert.equal(tree.ownsGroup, false);
  });

  it("still finds a daemon by its marker", () => {
    const tree = newTree();
    tree.rootExited();
    members(tree, look([]));
    assert.deepEqual(members(tree, look([row(140)], [140])), [140]);
  });

  it("groupEnded() gives the group up", () => {
    const tree = newTree();
    tree.groupEnded();
    assert.equal(tree.ownsGroup, false);
  });
});
