import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { contain } from "./contain.ts";

/** Runs an action and gives what arrived at `onError`, after every reaction had its turn. */
async function errorsOf(action: () => unknown): Promise<unknown[]> {
  const errors: unknown[] = [];
  contain(action, (error) => errors.push(error));
  await new Promise((resolve) => setTimeout(resolve, 0));
  return errors;
}

describe("contain()", () => {
  const error = new Error("broken");

  it("reports what is thrown, before it returns", () => {
    const errors: unknown[] = [];
    contain(() => {
      throw error;
    }, (caught) => errors.push(caught));
    assert.deepEqual(errors, [error]);
  });

  it("reports what a promise rejects with", async () =>
    assert.deepEqual(await errorsOf(() => Promise.reject(error)), [error]));

  it("reports what a thenable of a stranger rejects with", async () =>
    assert.deepEqual(
      await errorsOf(() => ({ then: (_: unknown, reject: (reason: unknown) => void) => reject(error) })),
      [
        error,
      ],
    ));

  it("reports what a then property throws when it is read", async () =>
    assert.deepEqual(
      await errorsOf(() => ({
        get then() {
          throw error;
        },
      })),
      [error],
    ));

  const harmless: readonly (readonly [string, unknown])[] = [
    ["undefined", undefined],
    ["null", null],
    ["a number", 1],
    ["a text", "text"],
    ["an object", {}],
    ["a promise that fulfils", Promise.resolve(1)],
  ];
  for (const [name, outcome] of harmless) {
    it(`reports nothing when the outcome is ${name}`, async () =>
      assert.deepEqual(await errorsOf(() => outcome), []));
  }
});
