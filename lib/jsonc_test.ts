import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsoncSyntaxError, parseJsonc } from "./jsonc.ts";

const FILE = "config/a.jsonc";

function failure(text: string): JsoncSyntaxError {
  try {
    parseJsonc(text, FILE);
  } catch (error) {
    assert.ok(error instanceof JsoncSyntaxError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: `accepted ${JSON.stringify(text)}` });
}

describe("parseJsonc()", () => {
  const accepted: [fact: string, text: string, value: unknown][] = [
    ["reads plain JSON", '{"a":[1,-2.5e3,true,false,null,"x\\u0041\\n"]}', {
      a: [1, -2500, true, false, null, "xA\n"],
    }],
    ["reads a bare scalar", " 7 ", 7],
    ["skips line comments that end with LF, CRLF or CR", "// a\n[1, // b\r\n2, // c\r3] // d", [1, 2, 3]],
    ["skips block comments", "/* a\n * b **/ [/**/1/* , 2 */]", [1]],
    ["keeps comment marks inside strings", '{"url":"http://x/*y*/"}', { url: "http://x/*y*/" }],
    ["allows one trailing comma in arrays and objects", '{"a":[1,],}', { a: [1] }],
    ["takes the last of two equal keys", '{"a":1,"a":2}', { a: 2 }],
    ["keeps text outside the basic plane", '["\u{1F680}"]', ["\u{1F680}"]],
  ];
  for (const [fact, text, value] of accepted) {
    it(fact, () => assert.deepEqual(parseJsonc(text, FILE), value));
  }

  it("keeps __proto__ as an ordinary own key", () => {
    const value = parseJsonc('{"__proto__":{"polluted":true}}', FILE) as Record<string, unknown>;
    assert.deepEqual(Object.keys(value), ["__proto__"]);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(value["polluted"], undefined);
  });

  const rejected: [fact: string, text: string, at: string, problem: string][] = [
    ["a missing comma", '{\n "a": 1 "b": 2\n}', "2:9", 'Unexpected token "\\"b\\""'],
    ["a fault after CRLF lines", '{\r\n"a": 1,\r\n  ]', "3:3", 'Unexpected token "]"'],
    ["a fault after CR lines", "[\r\r tru]", "3:2", 'Unexpected token "tru"'],
    ["a fault behind a comment of several lines", "/* a\nb */ x", "2:6", 'Unexpected token "x"'],
    ["a column in UTF-16 code units", '["\u{1F680}" 1]', "1:7", 'Unexpected token "1"'],
    ["a second comma", "[1,,2]", "1:4", 'Unexpected token ","'],
    ["a lone comma", "{,}", "1:2", 'Unexpected token ","'],
    ["a second value", "1 2", "1:3", 'Unexpected token "2"'],
    ["an unquoted key", "{a: 1}", "1:2", 'Unexpected token "a"'],
    ["single quotes", "['a']", "1:2", "Unexpected token \"'a'\""],
    ["a line break in a string", '["a\nb"]', "1:2", 'Unexpected token "\\"a\\nb\\""'],
    ["an unterminated string, at its start", '{\n"a": "b', "2:6", 'Unexpected token "\\"b"'],
    ["a number that JSON does not know", "[0x1]", "1:2", 'Unexpected token "0x1"'],
    [
      "a token that reads like the parser's own message",
      '["at position 99" 1]',
      "1:19",
      'Unexpected token "1"',
    ],
    ["an empty file", "", "1:1", "Unexpected end of input"],
    ["only a comment", "// nothing\n", "2:1", "Unexpected end of input"],
    ["the end inside an object", '{\n  "a": 1,\n', "3:1", "Unexpected end of input"],
    ["the end inside a block comment", "[1] /* x", "1:9", "Unexpected end of input"],
    [
      "a byte order mark",
      "\uFEFF{}",
      "1:1",
      "Starts with a byte order mark: save the file as UTF-8 without one",
    ],
  ];
  for (const [fact, text, at, problem] of rejected) {
    it(`names file, line and column of ${fact}`, () => {
      const error = failure(text);
      assert.equal(error.message, `${FILE}:${at}: ${problem}`);
      assert.equal(`${error.line}:${error.column}`, at);
      assert.equal(error.fileName, FILE);
      assert.equal(error.name, "JsoncSyntaxError");
      assert.ok(error instanceof SyntaxError);
    });
  }

  it("keeps the parser's error as cause", () => {
    assert.ok(failure("[").cause instanceof SyntaxError);
  });

  it("reports nesting that exhausts the stack as its own error", () => {
    const error = failure("[".repeat(1_000_000));
    assert.equal(error.message, `${FILE}:1:1: Nested too deeply`);
    assert.ok(error.cause instanceof RangeError);
  });

  it("reads nesting of ordinary depth", () => {
    let value = parseJsonc("[".repeat(500) + "7" + "]".repeat(500), FILE);
    let depth = 0;
    while (Array.isArray(value)) [value, depth] = [value[0], depth + 1];
    assert.deepEqual([value, depth], [7, 500]);
  });
});
