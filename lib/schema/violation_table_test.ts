/**
 * Tables of schemas and what is wrong with them, shared by the tests of this folder.
 *
 * @module
 */
import assert from "node:assert/strict";
import { it } from "node:test";
import { schemaViolations } from "./schema_violations.ts";

/** One schema and everything that is wrong with it. */
export interface ViolationCase {
  readonly name: string;
  readonly schema: unknown;
  readonly violations: readonly string[];
}

/** Makes a test of each case. */
export function violationTable(cases: readonly ViolationCase[]): void {
  for (const { name, schema, violations } of cases) {
    it(name, () => assert.deepEqual(schemaViolations(schema), violations));
  }
}

/** A schema with one property, so that what is wrong with a node is seen away from the root. */
export const rootWith = (a: unknown): unknown => ({ type: "object", properties: { a } });

/** Path of that property. */
export const A = "schema.properties.a";

/** The types as messages list them. */
export const TYPES = "object/array/string/number/integer/boolean/null";
