import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferred, isSettled } from "../agent_fixtures_test.ts";
import { InactiveScopeError } from "./inactive_scope_error.ts";
import { assertActive, openOwnerScope, type OwnerScope } from "./owner_scope.ts";

const FIRST = new Error("first");
const SECOND = new Error("second");

function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

/** Gives what a promise rejects with. */
async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return assert.fail("the promise is fulfilled");
}

describe("openOwnerScope()", () => {
  it("opens an active scope that holds nothing", () => {
    const scope = openOwnerScope("root");
    assert.equal(scope.label, "root");
    assert.equal(scope.state, "active");
    assert.deepEqual(scope.effects, []);
    assert.deepEqual(scope.children, []);
  });
});

describe("OwnerScope.addEffect()", () => {
  it("holds the effect by its label until it is removed", async () => {
    const scope = openOwnerScope("root");
    const effect = scope.addEffect("listener", () => {});
    scope.addEffect("timer", () => {});
    assert.deepEqual(scope.effects, ["listener", "timer"]);
    await effect.remove();
    assert.deepEqual(scope.effects, ["timer"]);
  });

  it("keeps effects with the same label apart", async () => {
    const scope = openOwnerScope("root");
    const trace: number[] = [];
    await scope.addEffect("same", () => void trace.push(1)).remove();
    scope.addEffect("same", () => void trace.push(2));
    assert.deepEqual(scope.effects, ["same"]);
    await scope.close();
    assert.deepEqual(trace, [1, 2]);
  });

  it("refuses a cleanup that is no function", () => {
    assert.throws(
      () => openOwnerScope("root").addEffect("listener", undefined as unknown as () => void),
      new TypeError('Cannot add effect "listener": the cleanup must be a function, got undefined'),
    );
  });
});

describe("ScopeEffect.remove()", () => {
  it("runs the cleanup once and at once, and gives every caller the same promise", async () => {
    const scope = openOwnerScope("root");
    let calls = 0;
    const effect = scope.addEffect("effect", () => void calls++);
    const removal = effect.remove();
    assert.equal(calls, 1);
    assert.equal(effect.remove(), removal);
    await removal;
    await scope.close();
    assert.equal(effect.remove(), removal);
    assert.equal(calls, 1);
  });

  it("waits for the cleanup", async () => {
    const { promise, resolve } = deferred();
    const scope = openOwnerScope("root");
    const removal = scope.addEffect("effect", () => promise).remove();
    assert.equal(await isSettled(removal), false);
    assert.deepEqual(scope.effects, ["effect"]);
    resolve();
    await removal;
  });

  for (
    const [how, cleanup] of [["throws", throwing(FIRST)], ["rejects", () => Promise.reject(FIRST)]] as const
  ) {
    it(`rejects with what a cleanup ${how}, and the scope has nothing more to do with it`, async () => {
      const scope = openOwnerScope("root");
      assert.equal(await rejectionOf(scope.addEffect("effect", cleanup).remove()), FIRST);
      assert.deepEqual(scope.effects, []);
      await scope.close();
      assert.equal(scope.state, "closed");
    });
  }

  it("ends for a cleanup that returns its own removal", async () => {
    const scope = openOwnerScope("root");
    const effect: { remove(): Promise<void> } = scope.addEffect("effect", () => effect.remove());
    await effect.remove();
    assert.deepEqual(scope.effects, []);
  });
});

describe("OwnerScope.openChild()", () => {
  it("lists the child until it is closed", async () => {
    const scope = openOwnerScope("root");
    const child = scope.openChild("child");
    assert.equal(child.label, "child");
    assert.deepEqual(scope.children, [child]);
    await child.close();
    assert.deepEqual(scope.children, []);
    assert.equal(scope.state, "active");
  });
});

describe("OwnerScope.close()", () => {
  it("makes the scope and everything below it inactive before it returns and before a cleanup runs", async () => {
    const scope = openOwnerScope("root");
    const older = scope.openChild("older");
    const grandchild = older.openChild("grandchild");
    const states: string[] = [];
    scope.openChild("newer").addEffect("first to go", () => {
      states.push(scope.state, older.state, grandchild.state);
    });
    const closing = scope.close();
    assert.deepEqual(states, ["closing", "closing", "closing"]);
    await closing;
    assert.deepEqual([scope.state, older.state, grandchild.state], ["closed", "closed", "closed"]);
  });

  it("starts the cleanups of a scope without children at once", async () => {
    const scope = openOwnerScope("root");
    let called = false;
    scope.addEffect("effect", () => {
      called = true;
    });
    const closing = scope.close();
    assert.equal(called, true);
    await closing;
  });

  it("closes children before its own effects, and removes effects newest first, one at a time", async () => {
    const trace: string[] = [];
    const scope = openOwnerScope("root");
    const slow = (label: string) => async () => {
      trace.push(`${label} begins`);
      await Promise.resolve();
      trace.push(`${label} ends`);
    };
    scope.addEffect("a", slow("a"));
    const child = scope.openChild("child");
    child.addEffect("x", slow("x"));
    child.openChild("grandchild").addEffect("y", slow("y"));
    scope.addEffect("b", slow("b"));
    await scope.close();
    assert.deepEqual(trace, ["y", "x", "b", "a"].flatMap((label) => [`${label} begins`, `${label} ends`]));
  });

  it("closes children side by side, newest first", async () => {
    const trace: string[] = [];
    const scope = openOwnerScope("root");
    const gate = deferred();
    for (const label of ["old", "new"]) {
      scope.openChild(label).addEffect(label, () => {
        trace.push(label);
        return gate.promise;
      });
    }
    const closing = scope.close();
    assert.deepEqual(trace, ["new", "old"]);
    assert.equal(await isSettled(closing), false);
    gate.resolve();
    await closing;
  });

  it("gives every caller the same promise, before, during and after", async () => {
    const scope = openOwnerScope("root");
    const gate = deferred();
    scope.addEffect("effect", () => gate.promise);
    const closing = scope.close();
    assert.equal(scope.close(), closing);
    gate.resolve();
    await closing;
    assert.equal(scope.close(), closing);
  });

  it("follows a child that is closing already to its end", async () => {
    const scope = openOwnerScope("root");
    const child = scope.openChild("child");
    const gate = deferred();
    let calls = 0;
    child.addEffect("effect", () => {
      calls++;
      return gate.promise;
    });
    const closingChild = child.close();
    const closing = scope.close();
    assert.equal(child.close(), closingChild);
    assert.equal(await isSettled(closing), false);
    assert.equal(scope.state, "closing");
    gate.resolve();
    await closing;
    assert.equal(child.state, "closed");
    assert.equal(calls, 1);
  });

  it("follows a removal that is under way to its end, and reports its failure too", async () => {
    const scope = openOwnerScope("root");
    const gate = deferred();
    let calls = 0;
    const effect = scope.addEffect("effect", () => {
      calls++;
      return gate.promise;
    });
    const removal = rejectionOf(effect.remove());
    const closing = scope.close();
    assert.equal(await isSettled(closing), false);
    gate.reject(FIRST);
    assert.equal(await rejectionOf(closing), FIRST);
    assert.equal(await removal, FIRST);
    assert.equal(calls, 1);
  });

  it("does not run the cleanup of an effect again that a newer one removed", async () => {
    const trace: string[] = [];
    const scope = openOwnerScope("root");
    const older = scope.addEffect("older", () => void trace.push("older"));
    scope.addEffect("newer", async () => {
      await older.remove();
      trace.push("newer");
    });
    await scope.close();
    assert.deepEqual(trace, ["older", "newer"]);
  });

  it("runs every cleanup when one fails, and rejects with its error as it is", async () => {
    const trace: string[] = [];
    const scope = openOwnerScope("root");
    scope.addEffect("a", () => void trace.push("a"));
    scope.addEffect("b", throwing(FIRST));
    scope.addEffect("c", () => void trace.push("c"));
    const child = scope.openChild("child");
    child.addEffect("d", () => void trace.push("d"));
    assert.equal(await rejectionOf(scope.close()), FIRST);
    assert.deepEqual(trace, ["d", "c", "a"]);
    assert.equal(scope.state, "closed");
    assert.equal(child.state, "closed");
  });

  it("rejects with all errors in one list when several cleanups failed, those of children first", async () => {
    const scope = openOwnerScope("root");
    scope.addEffect("own", throwing(SECOND));
    const child = scope.openChild("child");
    child.addEffect("old", throwing("text"));
    child.addEffect("new", throwing(FIRST));
    const error = await rejectionOf(scope.close());
    assert.ok(error instanceof AggregateError);
    assert.deepEqual(error.errors, [FIRST, "text", SECOND]);
    assert.equal(
      error.message,
      'Cannot close scope "root" completely: 3 cleanups failed ("new", "old", "own")',
    );
    const childError = await rejectionOf(child.close());
    assert.ok(childError instanceof AggregateError);
    assert.deepEqual(childError.errors, [FIRST, "text"]);
  });

  it("does not report the failure of a child that was closed before", async () => {
    const scope = openOwnerScope("root");
    const child = scope.openChild("child");
    child.addEffect("effect", throwing(FIRST));
    assert.equal(await rejectionOf(child.close()), FIRST);
    await scope.close();
  });

  it("reports the same failure to whoever asks later", async () => {
    const scope = openOwnerScope("root");
    scope.addEffect("effect", throwing(FIRST));
    assert.equal(await rejectionOf(scope.close()), FIRST);
    assert.equal(await rejectionOf(scope.close()), FIRST);
  });

  it("does not begin again when a cleanup calls it", async () => {
    const scope = openOwnerScope("root");
    const promises: Promise<void>[] = [];
    scope.addEffect("a", () => void promises.push(scope.close()));
    scope.addEffect("b", () => void promises.push(scope.close()));
    const closing = scope.close();
    await closing;
    assert.deepEqual(promises.map((promise) => promise === closing), [true, true]);
  });

  it("ends when a cleanup returns its promise", async () => {
    const scope = openOwnerScope("root");
    scope.addEffect("effect", () => scope.close());
    await scope.close();
    assert.equal(scope.state, "closed");
  });

  it("ends when a cleanup of a child returns the promise of a parent", async () => {
    const scope = openOwnerScope("root");
    const child = scope.openChild("child");
    child.addEffect("effect", () => scope.close());
    await child.close();
    await scope.close();
    assert.equal(scope.state, "closed");
  });

  it("is waited for when it is that of another scope", async () => {
    const other = openOwnerScope("other");
    const gate = deferred();
    other.addEffect("effect", () => gate.promise);
    const scope = openOwnerScope("root");
    scope.addEffect("other", () => other.close());
    const closing = scope.close();
    assert.equal(await isSettled(closing), false);
    gate.resolve();
    await closing;
  });
});

describe("A scope that is not active", () => {
  const closing = () => {
    const scope = openOwnerScope("agent a");
    const gate = deferred();
    scope.addEffect("effect", () => gate.promise);
    const closed = scope.close();
    return { scope, end: () => (gate.resolve(), closed) };
  };
  const refusals: readonly (readonly [string, (scope: OwnerScope) => unknown, string])[] = [
    ["an effect", (scope) => scope.addEffect("late", () => {}), 'Cannot add effect "late"'],
    ["a child", (scope) => scope.openChild("late"), 'Cannot open child scope "late"'],
    [
      "what somebody does for it",
      (scope) => assertActive(scope, "register a tool"),
      "Cannot register a tool",
    ],
  ];
  for (const [what, act, beginning] of refusals) {
    it(`refuses ${what} with INACTIVE_EFFECT, while it closes and afterwards`, async () => {
      const { scope, end } = closing();
      for (const state of ["closing", "closed"]) {
        assert.throws(() => act(scope), (error) => {
          assert.ok(InactiveScopeError.is(error));
          assert.equal(error.code, "INACTIVE_EFFECT");
          assert.equal(error.name, "InactiveScopeError");
          assert.equal(error.message, `${beginning}: inactive context "agent a" is ${state}`);
          return true;
        });
        await end();
      }
    });
  }

  it("refuses below a scope that closes, too", async () => {
    const scope = openOwnerScope("root");
    const child = scope.openChild("child");
    const errors: unknown[] = [];
    scope.openChild("newer").addEffect("effect", () => {
      try {
        child.addEffect("late", () => {});
      } catch (error) {
        errors.push(error);
      }
    });
    await scope.close();
    assert.deepEqual(errors.map(InactiveScopeError.is), [true]);
  });

  it("is told apart from other errors", () => {
    assert.equal(InactiveScopeError.is(new Error("inactive context")), false);
  });
});

describe("assertActive()", () => {
  it("lets an active scope pass", () => assertActive(openOwnerScope("root"), "register a tool"));
});
