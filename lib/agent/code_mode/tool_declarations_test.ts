import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { declareTools } from "./tool_declarations.ts";

/** Text that is made of what could end a comment, a string or a line. */
const hostileText = fc.array(
  fc.constantFrom("*/", "/*", "*", "/", '"', "\\", "\n", "\r", "\u2028", "//", "`", "}", ");", "a", "-", " "),
  { minLength: 1, maxLength: 12 },
).map((parts) => parts.join(""));

describe("declareTools()", () => {
  it("declares each tool with its description", () => {
    assert.equal(
      declareTools([
        { name: "read", description: "Reads.\nA file.", parameters: { type: "object" } },
        { name: "my-tool", description: "", parameters: {} },
      ]),
      "declare const tools: {\n" +
        "  /**\n   * Reads.\n   * A file.\n   */\n" +
        "  read(args?: { [name: string]: unknown }): Promise<string>;\n" +
        '  "my-tool"(args?: unknown): Promise<string>;\n' +
        "};",
    );
  });

  it("lets no description and no name out of its place", () => {
    const declared = declareTools([{
      name: 'a"(): any; evil',
      description: "*/ evil(): any; /*",
      parameters: { type: "object", properties: { a: { type: "string", description: "x */ evil */" } } },
    }]);
    assert.equal(
      declared,
      "declare const tools: {\n" +
        "  /** *\\/ evil(): any; /* */\n" +
        '  "a\\"(): any; evil"(args?: { /** x *\\/ evil *\\/ */ a?: string }): Promise<string>;\n' +
        "};",
    );
  });

  it("asks for arguments only when a tool needs some", () => {
    const parameters = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };
    const tool = { name: "t", description: "" };
    assert.deepEqual(
      [
        declareTools([{ ...tool, parameters }]),
        declareTools([{ ...tool, parameters: { ...parameters, required: ["a"] } }]),
      ],
      [
        "declare const tools: {\n  t(args?: { a?: string }): Promise<string>;\n};",
        "declare const tools: {\n  t(args: { a: string }): Promise<string>;\n};",
      ],
    );
  });

  it("keeps hostile text in comments and quotes, whatever it is", () => {
    fc.assert(fc.property(hostileText, hostileText, hostileText, (name, description, property) => {
      const declared = declareTools([{
        name,
        description,
        parameters: { type: "object", properties: { [property]: { type: "string", description } } },
      }]);
      // What is left without comments and quotes is the same for every text.
      const bare = declared.replace(/"(?:[^"\\]|\\.)*"|\/\*[^]*?\*\//g, "").replace(/\s+/g, "");
      assert.match(bare, /^declareconsttools:\{[\w$]*\(args\?:\{[\w$]*\?:string\}\):Promise<string>;\};$/);
    }));
  });
});
