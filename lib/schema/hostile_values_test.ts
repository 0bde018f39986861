/**
 * Values that do harm to those who look at them, shared by the tests of this folder.
 *
 * @module
 */
import { createContext, runInContext } from "node:vm";

/** What every hostile value throws. */
export const HOSTILE_ERROR: Error = new Error("text of a stranger");

function refuse(): never {
  throw HOSTILE_ERROR;
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** Values that throw {@link HOSTILE_ERROR} when they are looked at, by name. */
export const THROWING_VALUES: readonly (readonly [string, object])[] = [
  ["an object with a throwing getter", Object.defineProperty({}, "type", { get: refuse, enumerable: true })],
  ["an array with a throwing getter", Object.defineProperty(["a"], 0, { get: refuse, enumerable: true })],
  ["a proxy that throws for its prototype", new Proxy({}, { getPrototypeOf: refuse })],
  ["a proxy that throws for its keys", new Proxy({}, { ownKeys: refuse })],
  ["a proxy that throws for its descriptors", new Proxy({ a: 1 }, { getOwnPropertyDescriptor: refuse })],
  ["a proxy that throws for its values", new Proxy({ type: "object" }, { get: refuse })],
  ["a proxy of an array that throws for its values", new Proxy(["a"], { get: refuse })],
];

/** Proxies that are switched off; the engine throws for them. */
export const REVOKED_PROXIES: readonly (readonly [string, object])[] = [
  ["a revoked proxy of an object", revoked({})],
  ["a revoked proxy of an array", revoked([])],
];

/** All of both. */
export const HOSTILE_VALUES: readonly (readonly [string, object])[] = [
  ...THROWING_VALUES,
  ...REVOKED_PROXIES,
];

/** Evaluates an expression in another realm, whose `Object` and `Array` are not ours. */
export function inOtherRealm(expression: string): object {
  return runInContext(expression, otherRealm);
}

const otherRealm = createContext({});

/** Nests a value: `wrap` is called `depth` times. */
export function nested<T>(depth: number, innermost: T, wrap: (inner: T) => T): T {
  let value = innermost;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}
