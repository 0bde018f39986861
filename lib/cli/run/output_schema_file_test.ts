import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { Workplace } from "../../../fakes/test_support/workplace.ts";
import { UsageFault } from "../command_words.ts";
import { readOutputSchema } from "./output_schema_file.ts";

describe("readOutputSchema()", () => {
  it("reads JSON with comments and trailing commas", async () => {
    using workplace = new Workplace();
    const path = workplace.file("schema.jsonc");
    writeFileSync(path, '{\n  // why\n  "type": "object", "properties": { "n": { "type": "number" } },\n}\n');
    assert.deepEqual(await readOutputSchema(path), {
      type: "object",
      properties: { n: { type: "number" } },
    });
  });

  const faults: [fact: string, content: string | Uint8Array, fault: (path: string) => string][] = [
    [
      "a missing comma, with its place",
      '{\n "type": "object"\n "properties": {} }',
      (path) => `${path}:3:2: Unexpected token "\\"properties\\""`,
    ],
    ["an empty file, with its place", "", (path) => `${path}:1:1: Unexpected end of input`],
    [
      "a byte order mark",
      '\ufeff{"type":"object"}',
      (path) => `${path}:1:1: Starts with a byte order mark: save the file as UTF-8 without one`,
    ],
    [
      "what is no UTF-8",
      new Uint8Array([0x7b, 0xff]),
      (path) => `The file of --output-schema, ${JSON.stringify(path)}, is not valid UTF-8`,
    ],
    ["a schema of another type", '{"type":"string"}', (path) => `${path}: unsupported JSON schema: `],
    [
      "a keyword outside the subset",
      '{"type":"object","patternProperties":{}}',
      (path) => `${path}: unsupported JSON schema: `,
    ],
  ];
  for (const [fact, content, fault] of faults) {
    it(`names the fault of ${fact}`, async () => {
      using workplace = new Workplace();
      const path = workplace.file("schema.json");
      writeFileSync(path, content);
      await assert.rejects(readOutputSchema(path), (error) => {
        assert.ok(error instanceof UsageFault, String(error));
        const expected = fault(path);
        assert.ok(error.message.startsWith(expected), `${error.message}\nexpected ${expected}`);
        // Only a list of violations goes on.
        if (!expected.endsWith(": ")) assert.equal(error.message, expected);
        else assert.ok(error.message.length > expected.length);
        return true;
      });
    });
  }

  it("names a file that is not there", async () => {
    using workplace = new Workplace();
    const path = workplace.file("none.json");
    await assert.rejects(readOutputSchema(path), (error) => {
      assert.ok(error instanceof UsageFault);
      assert.equal(
        error.message,
        `Cannot read the file of --output-schema, ${JSON.stringify(path)} (ENOENT)`,
      );
      return true;
    });
  });
});
