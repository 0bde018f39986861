import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { openOwnerScope, type OwnerScope, type ScopeEffect } from "./owner_scope.ts";

/** How a cleanup goes about it. */
type Manner = "returns" | "takes time" | "throws" | "rejects";

interface EffectPlan {
  readonly manner: Manner;
  /** Whether somebody removes it, without waiting, right before the tree closes. */
  readonly isRemovedEarly: boolean;
}

interface ScopePlan {
  readonly effects: readonly EffectPlan[];
  readonly children: readonly ScopePlan[];
  /** Whether somebody closes it, without waiting, right before the tree closes. */
  readonly isClosedEarly: boolean;
}

const effectPlan: fc.Arbitrary<EffectPlan> = fc.record({
  manner: fc.constantFrom<Manner>("returns", "takes time", "throws", "rejects"),
  isRemovedEarly: fc.boolean(),
});

/** A scope with at most so many levels below it. */
function scopePlan(depth: number): fc.Arbitrary<ScopePlan> {
  return fc.record({
    effects: fc.array(effectPlan, { maxLength: 4 }),
    children: depth === 0 ? fc.constant([]) : fc.array(scopePlan(depth - 1), { maxLength: 3 }),
    isClosedEarly: fc.boolean(),
  });
}

interface Moment {
  readonly phase: "begin" | "end";
  readonly path: string;
}

/** A scope of a plan as it was built. */
interface Built {
  readonly plan: ScopePlan;
  readonly path: string;
  readonly scope: OwnerScope;
  readonly effects: readonly {
    readonly path: string;
    readonly plan: EffectPlan;
    readonly effect: ScopeEffect;
  }[];
  readonly children: readonly Built[];
}

function build(plan: ScopePlan, path: string, scope: OwnerScope, trace: Moment[]): Built {
  const effects = plan.effects.map((effect, index) => {
    const effectPath = `${path}#${index}`;
    return {
      path: effectPath,
      plan: effect,
      effect: scope.addEffect(effectPath, cleanup(effect.manner, effectPath, trace)),
    };
  });
  const children = plan.children.map((child, index) => {
    const childPath = `${path}/${index}`;
    return build(child, childPath, scope.openChild(childPath), trace);
  });
  return { plan, path, scope, effects, children };
}

/** Errors are texts that say whose they are. */
function cleanup(manner: Manner, path: string, trace: Moment[]): () => Promise<void> | void {
  return () => {
    trace.push({ phase: "begin", path });
    const end = () => void trace.push({ phase: "end", path });
    switch (manner) {
      case "returns":
        return end();
      case "throws":
        end();
        throw path;
      case "takes time":
        return Promise.resolve().then(() => Promise.resolve()).then(end);
      case "rejects":
        return Promise.resolve().then(() => {
          end();
          throw path;
        });
    }
  };
}

function everyScope(built: Built): Built[] {
  return [built, ...built.children.flatMap(everyScope)];
}

/**
 * What a closing reports: children newest first, then effects newest first. What failed in the call that removed it
 * was gone by then.
 */
function expectedErrors({ children, effects }: Built): string[] {
  const failing = effects.filter(({ plan: { manner, isRemovedEarly } }) =>
    manner === "rejects" || (manner === "throws" && !isRemovedEarly)
  );
  return [
    ...newestFirst(children).flatMap(expectedErrors),
    ...newestFirst(failing).map(({ path }) => path),
  ];
}

function newestFirst<T>(list: readonly T[]): T[] {
  return [...list].reverse();
}

async function errorsOf(closing: Promise<void>): Promise<unknown[]> {
  try {
    await closing;
    return [];
  } catch (error) {
    return error instanceof AggregateError ? error.errors : [error];
  }
}

describe("Closing a tree of scopes", () => {
  it("runs every cleanup once, children before parents, newest before oldest, and reports every failure", async () => {
    await fc.assert(fc.asyncProperty(scopePlan(3), async (plan) => {
      const trace: Moment[] = [];
      const root = build(plan, "", openOwnerScope("root"), trace);
      const scopes = everyScope(root);
      const effects = scopes.flatMap((scope) => scope.effects);
      const early: Promise<unknown>[] = [];
      for (const { plan, effect } of effects) {
        if (plan.isRemovedEarly) early.push(errorsOf(effect.remove()));
      }
      const begunEarly = new Set(trace.map(({ path }) => path));
      for (const { plan, scope } of scopes) {
        if (plan.isClosedEarly) early.push(errorsOf(scope.close()));
      }
      const closing = errorsOf(root.scope.close());
      assert.deepEqual(scopes.filter(({ scope }) => scope.state === "active"), []);
      const errors = await closing;

      assert.deepEqual(errors, expectedErrors(root));
      assert.deepEqual(scopes.filter(({ scope }) => scope.state !== "closed"), []);
      assert.deepEqual(scopes.flatMap(({ scope }) => [...scope.effects, ...scope.children]), []);
      const at = (phase: Moment["phase"], path: string) =>
        trace.findIndex((moment) => moment.phase === phase && moment.path === path);
      assert.equal(trace.length, effects.length * 2);
      for (const { path } of effects) {
        assert.ok(at("begin", path) >= 0 && at("begin", path) < at("end", path), path);
      }
      for (const scope of scopes) {
        const inTime = newestFirst(scope.effects.filter(({ path }) => !begunEarly.has(path)));
        inTime.forEach(({ path }, index) => {
          const newer = inTime[index - 1];
          if (newer !== undefined) {
            assert.ok(at("end", newer.path) < at("begin", path), `${newer.path} before ${path}`);
          }
        });
        const below = scope.children.flatMap(everyScope).flatMap((child) => child.effects);
        for (const { path } of inTime) {
          for (const inner of below) {
            assert.ok(at("end", inner.path) < at("begin", path), `${inner.path} before ${path}`);
          }
        }
      }
      await Promise.all(early);
    }));
  });
});
