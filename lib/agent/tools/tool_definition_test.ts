import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { unfrozenIn } from "../agent_fixtures_test.ts";
import { snapshotToolDefinition } from "./tool_definition.ts";
import { executionOf, namedTool } from "./tool_fixtures_test.ts";
import type { ToolDefinition } from "./tool_types.ts";

describe("snapshotToolDefinition()", () => {
  it("gives a frozen copy that does not follow the original", () => {
    const parameters = { type: "object", properties: { path: { type: "string" } } };
    const original = { ...namedTool("read"), parameters };
    const copy = snapshotToolDefinition(original);
    original.name = "write";
    parameters.properties.path.type = "number";
    assert.equal(copy.name, "read");
    assert.equal(copy.description, "The read tool");
    assert.deepEqual(copy.parameters, { type: "object", properties: { path: { type: "string" } } });
    assert.deepEqual(unfrozenIn(copy), []);
  });

  it("calls the body as a method of the original, with arguments and execution", () => {
    const calls: unknown[] = [];
    const original: ToolDefinition = {
      ...namedTool("read"),
      execute(...given) {
        calls.push([this, ...given]);
        return "done";
      },
    };
    const execution = executionOf("read");
    assert.equal(snapshotToolDefinition(original).execute({ a: 1 }, execution), "done");
    assert.deepEqual(calls, [[original, { a: 1 }, execution]]);
  });

  const refused: readonly (readonly [string, unknown, string])[] = [
    ["undefined", undefined, "tool must be an object, got undefined"],
    ["a function", () => {}, "tool must be an object, got function"],
    [
      "a missing name",
      { ...namedTool("a"), name: undefined },
      "tool name must be a non-empty string, got undefined",
    ],
    ["an empty name", namedTool(""), 'tool name must be a non-empty string, got ""'],
    [
      "a missing description",
      { ...namedTool("a"), description: undefined },
      'tool "a" description must be a string, got undefined',
    ],
    [
      "parameters that are a list",
      { ...namedTool("a"), parameters: [] },
      'tool "a" parameters must be a losslessly JSON-serializable object',
    ],
    [
      "parameters that JSON loses something of",
      { ...namedTool("a"), parameters: { default: undefined } },
      'tool "a" parameters must be a losslessly JSON-serializable object',
    ],
    [
      "a missing body",
      { ...namedTool("a"), execute: undefined },
      'tool "a" execute must be a function, got undefined',
    ],
  ];
  for (const [what, definition, message] of refused) {
    it(`refuses ${what}`, () =>
      assert.throws(() => snapshotToolDefinition(definition as ToolDefinition), new TypeError(message)));
  }
});
