/**
 * What the tests of this folder share.
 *
 * @module
 */
import type { Agent } from "./agent.ts";

/** An agent that is nothing but an identity. */
export function fakeAgent(id: string): Agent {
  return { id } as unknown as Agent;
}

/** A promise and what settles it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Makes a promise that is settled from outside. */
export function deferred<T = void>(): Deferred<T> {
  let settle: Pick<Deferred<T>, "resolve" | "reject"> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle as Pick<Deferred<T>, "resolve" | "reject"> };
}

/** Lets every reaction that is due have its turn. */
export function reactions(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Tells whether a promise is settled by now. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  await reactions();
  return settled;
}

/** Lists every object in a value, itself included, that is not frozen. */
export function unfrozenIn(root: unknown): object[] {
  if (typeof root !== "object" || root === null) return [];
  return [...Object.isFrozen(root) ? [] : [root], ...Object.values(root).flatMap(unfrozenIn)];
}
