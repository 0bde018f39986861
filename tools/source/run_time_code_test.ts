import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hasRunTimeCode } from "./run_time_code.ts";

describe("hasRunTimeCode()", () => {
  const without = [
    "",
    "/** @module */",
    "interface A { readonly a: { b: string }; c(): void }",
    "export interface A<T extends { a: 1 }> { a: T }\nexport interface B extends A<{ a: 1 }> {}",
    "type A = { a: string } | { b: (c: { d: 1 }) => void };",
    'export type A = "const" | `x${string}`;\ninterface B {}\n',
    'import type { A } from "./a.ts";\nexport type B = A;',
    'export type { A } from "./a.ts";\nexport { b, type C } from "./b.ts";\nexport * from "./c.ts";',
    'declare module "x" { export function parse(text: string): unknown; };',
  ];
  for (const source of without) {
    it(`finds none in ${JSON.stringify(source)}`, () => assert.equal(hasRunTimeCode(source), false));
  }
  const withCode = [
    "export const a = 1;",
    "export interface A {}\nexport const a = 1;",
    "export type A = {};\nfunction a() {}",
    "export interface A {}\nclass B {}",
    "export class A {}",
    "export async function a() {}",
    "interface A {}\na();",
    "const type = 1;",
    "type = 1;",
    'import "./a.ts";',
    'import { a } from "./a.ts";\na();',
    "const a = 1;\nexport { a };",
    "export default 1;",
  ];
  for (const source of withCode) {
    it(`finds some in ${JSON.stringify(source)}`, () => assert.equal(hasRunTimeCode(source), true));
  }
});
