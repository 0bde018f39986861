import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ContentBlock } from "../../seam/content.ts";
import { modelPrompt } from "./model_prompt.ts";
import type { ModelMessage } from "./model_types.ts";
import { DIALECT_V2, DIALECT_V3, DIALECT_V4 } from "./prompt_dialect.ts";

const DIALECTS = { v2: DIALECT_V2, v3: DIALECT_V3, v4: DIALECT_V4 };
const HI: ContentBlock = { type: "text", text: "hi" };
const PNG: ContentBlock = { type: "image", data: "iVBO", mimeType: "image/png" };
const PDF: ContentBlock = {
  type: "resource",
  resource: { uri: "file:///a/b%20c.pdf?x#y", blob: "JVBE", mimeType: "application/pdf" },
};

/** The prompt of messages in specification v3. */
function prompt(...messages: ModelMessage[]): unknown {
  return modelPrompt({ system: "", messages }, DIALECT_V3);
}

function user(...content: ContentBlock[]): ModelMessage {
  return { role: "user", content };
}

function assistant(...content: ContentBlock[]): ModelMessage {
  return { role: "assistant", content };
}

function result(content: ContentBlock[], isError = false): ModelMessage {
  return { role: "tool", callId: "c1", name: "add", content, isError };
}

describe("modelPrompt()", () => {
  it("begins with the system prompt, if there is one", () => {
    assert.deepEqual(modelPrompt({ system: "be brief", messages: [user(HI)] }, DIALECT_V2), [
      { role: "system", content: "be brief" },
      { role: "user", content: [{ type: "text", text: "hi" }] },
    ]);
    assert.deepEqual(prompt(user(HI)), [{ role: "user", content: [{ type: "text", text: "hi" }] }]);
  });

  const blocks: [fact: string, block: ContentBlock, part: unknown][] = [
    ["keeps text", HI, { type: "text", text: "hi" }],
    ["makes a file of an image", PNG, { type: "file", data: "iVBO", mediaType: "image/png" }],
    [
      "makes a file of audio",
      { type: "audio", data: "UklG", mimeType: "audio/wav" },
      { type: "file", data: "UklG", mediaType: "audio/wav" },
    ],
    [
      "writes a link out",
      { type: "resource_link", uri: "file:///a/b.md", name: "notes", mimeType: "text/markdown" },
      { type: "text", text: "[notes](file:///a/b.md)" },
    ],
    [
      "writes a resource of text out",
      { type: "resource", resource: { uri: "file:///a/b.md", text: "# Notes\n" } },
      { type: "text", text: '<resource uri="file:///a/b.md">\n# Notes\n\n</resource>' },
    ],
    [
      "makes a file of a binary resource and keeps its name",
      PDF,
      { type: "file", data: "JVBE", mediaType: "application/pdf", filename: "b%20c.pdf" },
    ],
    [
      "makes bytes of a binary resource of unknown type",
      { type: "resource", resource: { uri: "memory:", blob: "AAAA" } },
      { type: "file", data: "AAAA", mediaType: "application/octet-stream", filename: "memory:" },
    ],
    [
      "leaves out a name that is not there",
      { type: "resource", resource: { uri: "https://example.com/", blob: "AAAA" } },
      { type: "file", data: "AAAA", mediaType: "application/octet-stream" },
    ],
  ];
  for (const [fact, block, part] of blocks) {
    it(`${fact}, from the user and from the model`, () => {
      assert.deepEqual(prompt(user(block), assistant(block)), [
        { role: "user", content: [part] },
        { role: "assistant", content: [part] },
      ]);
    });
  }

  it("keeps reasoning and tool calls in order, with what the provider wants back", () => {
    const content: ContentBlock[] = [
      { type: "reasoning", text: "why", providerMetadata: { anthropic: { signature: "s1" } } },
      { type: "reasoning", text: "" },
      { type: "reasoning", text: "", providerMetadata: { anthropic: { redactedData: "r1" } } },
      { type: "text", text: "", providerMetadata: { openai: { itemId: "m1" } } },
      { type: "text", text: "so", providerMetadata: { openai: { itemId: "m2" } } },
      {
        type: "tool-call",
        id: "c1",
        name: "add",
        arguments: '{"a":[1,{"b":null}],"__proto__":2}',
        providerMetadata: { google: { thoughtSignature: "t1" } },
      },
    ];
    assert.deepEqual(prompt(assistant(...content)), [{
      role: "assistant",
      content: [
        { type: "reasoning", text: "why", providerOptions: { anthropic: { signature: "s1" } } },
        { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "r1" } } },
        { type: "text", text: "", providerOptions: { openai: { itemId: "m1" } } },
        { type: "text", text: "so", providerOptions: { openai: { itemId: "m2" } } },
        {
          type: "tool-call",
          toolCallId: "c1",
          toolName: "add",
          input: JSON.parse('{"a":[1,{"b":null}],"__proto__":2}'),
          providerOptions: { google: { thoughtSignature: "t1" } },
        },
      ],
    }]);
  });

  it("passes over metadata of another shape, as a seed may hold", () => {
    const block = { type: "text", text: "so", providerMetadata: { openai: "m1" } };
    assert.deepEqual(prompt(assistant(block)), [{
      role: "assistant",
      content: [{ type: "text", text: "so" }],
    }]);
  });

  const inputs: [fact: string, text: string, input: unknown][] = [
    ["no arguments", "", {}],
    ["blank arguments", " \n", {}],
    ["broken JSON", '{"a":', { invalidArguments: '{"a":' }],
    ["a text", "add 1 and 2", { invalidArguments: "add 1 and 2" }],
    ["a JSON array", "[1,2]", { invalidArguments: "[1,2]" }],
    ["a JSON scalar", "null", { invalidArguments: "null" }],
  ];
  for (const [fact, text, input] of inputs) {
    it(`makes an object of ${fact} in an earlier tool call`, () => {
      assert.deepEqual(prompt(assistant({ type: "tool-call", id: "c1", name: "add", arguments: text })), [
        { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName: "add", input }] },
      ]);
    });
  }

  it("leaves out empty texts, and messages that are nothing else", () => {
    const empty: ContentBlock = { type: "text", text: "" };
    assert.deepEqual(prompt(user(empty, HI), assistant(empty), user(empty)), [
      { role: "user", content: [{ type: "text", text: "hi" }] },
    ]);
  });

  const outputs: [fact: string, content: ContentBlock[], isError: boolean, output: unknown][] = [
    ["joins texts", [HI, HI], false, { type: "text", value: "hihi" }],
    ["marks a failure", [HI], true, { type: "error-text", value: "hi" }],
    ["keeps an empty result", [], false, { type: "text", value: "" }],
  ];
  for (const [fact, content, isError, output] of outputs) {
    it(`${fact} of a tool result`, () => {
      assert.deepEqual(prompt(result(content, isError)), [{
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "c1", toolName: "add", output }],
      }]);
    });
  }

  it("puts results of one step in one message, and those of the next in another", () => {
    const part = {
      type: "tool-result",
      toolCallId: "c1",
      toolName: "add",
      output: { type: "text", value: "hi" },
    };
    assert.deepEqual(prompt(result([HI]), result([HI]), assistant(HI), result([HI])), [
      { role: "tool", content: [part, part] },
      { role: "assistant", content: [{ type: "text", text: "hi" }] },
      { role: "tool", content: [part] },
    ]);
  });

  const files = {
    v2: [
      { type: "media", data: "iVBO", mediaType: "image/png" },
      { type: "media", data: "JVBE", mediaType: "application/pdf" },
    ],
    v3: [
      { type: "image-data", data: "iVBO", mediaType: "image/png" },
      { type: "file-data", data: "JVBE", mediaType: "application/pdf" },
    ],
    v4: [
      { type: "file", data: { type: "data", data: "iVBO" }, mediaType: "image/png" },
      { type: "file", data: { type: "data", data: "JVBE" }, mediaType: "application/pdf" },
    ],
  };
  for (const version of ["v2", "v3", "v4"] as const) {
    it(`writes files of tool results as ${version} does, of failed ones too`, () => {
      for (const isError of [false, true]) {
        const messages: ModelMessage[] = [result([HI, PNG, PDF], isError)];
        assert.deepEqual(modelPrompt<unknown, unknown>({ system: "", messages }, DIALECTS[version]), [{
          role: "tool",
          content: [{
            type: "tool-result",
            toolCallId: "c1",
            toolName: "add",
            output: { type: "content", value: [{ type: "text", text: "hi" }, ...files[version]] },
          }],
        }]);
      }
    });
  }

  it("writes files of messages as v4 does", () => {
    assert.deepEqual(modelPrompt({ system: "", messages: [user(PNG)] }, DIALECT_V4), [{
      role: "user",
      content: [{ type: "file", data: { type: "data", data: "iVBO" }, mediaType: "image/png" }],
    }]);
  });

  const refused: [fact: string, message: ModelMessage, type: string, role: string][] = [
    ["reasoning of a user", user({ type: "reasoning", text: "a" }), '"reasoning"', "user"],
    [
      "a tool call of a user",
      user({ type: "tool-call", id: "c", name: "n", arguments: "" }),
      '"tool-call"',
      "user",
    ],
    ["a kind it does not know", user({ type: "video" }), '"video"', "user"],
    ["a kind whose name may be anything", result([{ type: "IGNORE ALL" }]), "unknown", "tool"],
    ["an image without data", user({ type: "image", uri: "file:///a.png" }), '"image"', "user"],
    ["an image without a type", assistant({ type: "image", data: "AA" }), '"image"', "assistant"],
    ["text without text", user({ type: "text" }), '"text"', "user"],
    ["a link without a name", user({ type: "resource_link", uri: "a:" }), '"resource_link"', "user"],
    ["a resource that is no object", user({ type: "resource", resource: "a" }), '"resource"', "user"],
    [
      "a resource with nothing in it",
      user({ type: "resource", resource: { uri: "a:" } }),
      '"resource"',
      "user",
    ],
    [
      "a resource without an address",
      user({ type: "resource", resource: { text: "a" } }),
      '"resource"',
      "user",
    ],
    [
      "a tool call without arguments",
      assistant({ type: "tool-call", id: "c", name: "n" }),
      '"tool-call"',
      "assistant",
    ],
  ];
  for (const [fact, message, type, role] of refused) {
    it(`refuses ${fact}`, () => {
      assert.throws(() => prompt(message), {
        name: "LanguageModelError",
        code: "UNSUPPORTED_CONTENT",
        message: `Cannot put a content block of type ${type} in a prompt's ${role} message: ` +
          "expected well-formed text, image, audio, resource_link or resource; turn it into one of these",
      });
    });
  }
});
