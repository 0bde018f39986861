import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runInNewContext } from "node:vm";
import { ToolArgsError } from "../../schema/errors.ts";
import { unfrozenIn } from "../agent_fixtures_test.ts";
import { UnknownToolError } from "./errors.ts";
import { executionOf } from "./tool_fixtures_test.ts";
import { decidedResult, errorResult, outputResult } from "./tool_result.ts";
import type { PostDecision, ToolResult } from "./tool_types.ts";

const BLOCKS = [{ type: "text", text: "a" }];

describe("outputResult()", () => {
  const outputs: readonly (readonly [string, unknown, Omit<ToolResult, "callId">])[] = [
    ["text", "hi", { content: [{ type: "text", text: "hi" }], isError: false }],
    ["empty text", "", { content: [{ type: "text", text: "" }], isError: false }],
    ["blocks", { content: BLOCKS }, { content: BLOCKS, isError: false }],
    ["no blocks", { content: [] }, { content: [], isError: false }],
    ["a failure of the tool's own making", { content: BLOCKS, isError: true }, {
      content: BLOCKS,
      isError: true,
    }],
    [
      "facts for the host",
      { content: BLOCKS, meta: { lines: 3 } },
      { content: BLOCKS, isError: false, meta: { lines: 3 } },
    ],
    ["the fact null", { content: BLOCKS, meta: null }, { content: BLOCKS, isError: false, meta: null }],
    ["facts that are undefined", { content: BLOCKS, meta: undefined }, { content: BLOCKS, isError: false }],
  ];
  for (const [what, output, expected] of outputs) {
    it(`makes a deep-frozen result of ${what}`, () => {
      const result = outputResult(executionOf("read"), output);
      assert.deepEqual(result, { callId: "call-1", ...expected });
      assert.deepEqual(unfrozenIn(result), []);
    });
  }

  const refused: readonly (readonly [string, unknown])[] = [
    ["nothing", undefined],
    ["null", null],
    ["a number", 1],
    ["blocks that are in no object", BLOCKS],
    ["an object without content", {}],
    ["content that is text", { content: "a" }],
    ["a flag that is none", { content: BLOCKS, isError: "yes" }],
    ["facts that JSON loses something of", { content: BLOCKS, meta: new Date(0) }],
  ];
  for (const [what, output] of refused) {
    it(`refuses ${what}`, () =>
      assert.throws(
        () => outputResult(executionOf("read"), output),
        new TypeError(
          'tool "read" returned an invalid result; ' +
            "expected a string or { content, isError?, meta? } that is losslessly JSON-serializable",
        ),
      ));
  }
});

describe("errorResult()", () => {
  const hostile = (key: string) =>
    Object.defineProperty({}, key, {
      get() {
        throw new Error("text of a stranger");
      },
    });
  const fileError = Object.assign(new Error("no such file"), { code: "ENOENT" });
  const thrown: readonly (readonly [string, unknown, string, { name: string; code: string }?])[] = [
    ["an error", new Error("broken"), "broken"],
    ["an error without message", new Error(), ""],
    ["an error of another realm", runInNewContext("new TypeError('far away')"), "far away"],
    ["an error with a code", fileError, "no such file", { name: "Error", code: "ENOENT" }],
    ["an unknown tool", new UnknownToolError("x"), 'unknown tool "x"', {
      name: "UnknownToolError",
      code: "UNKNOWN_TOOL",
    }],
    [
      "arguments that do not fit",
      new ToolArgsError(['missing required property "value.a"', '"value.b" must be a string']),
      'invalid arguments: missing required property "value.a"; "value.b" must be a string',
      { name: "ToolArgsError", code: "INVALID_ARGS" },
    ],
    ["a code that is a number", Object.assign(new Error("timed out"), { code: 23 }), "timed out"],
    ["a code without a name", { message: "plain", code: "A" }, "plain"],
    ["an object with a message", { message: "plain" }, "plain"],
    ["an object whose message is no text", { message: 1 }, "[object Object]"],
    ["a text", "text", "text"],
    ["a number", 1, "1"],
    ["undefined", undefined, "undefined"],
    ["null", null, "null"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["an object without prototype", Object.create(null), "<unrenderable thrown value>"],
    ["a message that throws when it is read", hostile("message"), "<unrenderable thrown value>"],
    ["a code that throws when it is read", hostile("code"), "[object Object]"],
  ];
  for (const [what, error, message, coded] of thrown) {
    it(`makes a deep-frozen result of ${what}`, () => {
      const result = errorResult(executionOf("read"), error);
      assert.deepEqual(result, {
        callId: "call-1",
        content: [{ type: "text", text: `Error: ${message}` }],
        isError: true,
        ...(coded === undefined ? {} : { error: coded }),
      });
      assert.deepEqual(unfrozenIn(result), []);
    });
  }
});

describe("decidedResult()", () => {
  const content = [{ type: "text", text: "body" }];
  const success: ToolResult = { callId: "c", content, isError: false, meta: { lines: 3 } };
  const failure: ToolResult = { callId: "c", content, isError: true, error: { name: "E", code: "X" } };
  const cases: readonly (readonly [string, ToolResult, PostDecision, ToolResult])[] = [
    ["keeps a success", success, { kind: "accept" }, success],
    ["keeps a failure", failure, { kind: "accept" }, failure],
    [
      "replaces the content of a success and keeps its facts",
      success,
      { kind: "accept", content: BLOCKS },
      { callId: "c", content: BLOCKS, isError: false, meta: { lines: 3 } },
    ],
    [
      "replaces the content of a failure, which stays one",
      failure,
      { kind: "accept", content: BLOCKS },
      { callId: "c", content: BLOCKS, isError: true, error: { name: "E", code: "X" } },
    ],
    [
      "makes a failure of a blocked success and withholds its facts",
      success,
      { kind: "block", feedback: BLOCKS },
      { callId: "c", content: BLOCKS, isError: true },
    ],
    [
      "keeps the code of a failure that is blocked",
      failure,
      { kind: "block", feedback: BLOCKS },
      { callId: "c", content: BLOCKS, isError: true, error: { name: "E", code: "X" } },
    ],
  ];
  for (const [what, result, decision, expected] of cases) {
    it(what, () => assert.deepEqual(decidedResult(result, decision), expected));
  }
});
