import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import type { ContentBlock } from "../seam/content.ts";
import { acpPrompt, assertPromptBlocks, promptCapabilities } from "./prompt_content.ts";

const text: ContentBlock = { type: "text", text: "do it" };
const link: ContentBlock = { type: "resource_link", uri: "file:///a", name: "a" };
const image: ContentBlock = { type: "image", data: "aGk=", mimeType: "image/png" };
const audio: ContentBlock = { type: "audio", data: "aGk=", mimeType: "audio/wav" };
const resource: ContentBlock = { type: "resource", resource: { uri: "file:///b", text: "b" } };
const reasoning: ContentBlock = { type: "reasoning", text: "hm" };
const custom: ContentBlock = { type: "custom", anything: 1 };
const all = [custom, audio, text, image, reasoning, resource, link];
const none = { image: false, audio: false, embeddedContext: false };

describe("acpPrompt()", () => {
  for (
    const [name, capabilities, expected] of [
      ["passes text and resource links to every agent, in order", none, [text, link]],
      ["passes images where they are advertised", { ...none, image: true }, [text, image, link]],
      ["passes audio where it is advertised", { ...none, audio: true }, [audio, text, link]],
      ["passes embedded resources where they are advertised", { ...none, embeddedContext: true }, [
        text,
        resource,
        link,
      ]],
    ] as const
  ) {
    it(name, () => assert.deepEqual(acpPrompt(all, capabilities), expected));
  }

  it("may leave nothing", () => assert.deepEqual(acpPrompt([reasoning, image], none), []));

  it("keeps members the protocol does not define off the wire", () => {
    assert.deepEqual(acpPrompt([{ ...text, secret: "host only" } as ContentBlock], none), [text]);
  });
});

describe("promptCapabilities()", () => {
  const of = (value: unknown) => promptCapabilities({ agentCapabilities: { promptCapabilities: value } });
  for (
    const [name, found, expected] of [
      ["reads what is true", of({ image: true, audio: false, embeddedContext: true }), {
        image: true,
        audio: false,
        embeddedContext: true,
      }],
      ["takes only true for true", of({ image: "yes", audio: 1, embeddedContext: {} }), none],
      ["takes null for not advertised", of(null), none],
      [
        "takes a result without capabilities for not advertised",
        promptCapabilities({ protocolVersion: 1 }),
        none,
      ],
      ["takes any other result for not advertised", promptCapabilities("hello"), none],
    ] as const
  ) {
    it(name, () => assert.deepEqual(found, expected));
  }
});

describe("assertPromptBlocks()", () => {
  it("accepts complete blocks and kinds it does not know", () => assertPromptBlocks(all));

  for (
    const [block, message] of [
      [
        { type: "text" },
        "subagent request prompt[1].text must be a string, but it is a value of type undefined",
      ],
      [{ type: "text", text: null }, "subagent request prompt[1].text must be a string, but it is null"],
      [
        { type: "image", data: "x" },
        "subagent request prompt[1].mimeType must be a string, but it is a value of type undefined",
      ],
      [
        { type: "audio", data: [], mimeType: "x" },
        "subagent request prompt[1].data must be a string, but it is an array",
      ],
      [
        { type: "resource_link", uri: "x", name: 3 },
        "subagent request prompt[1].name must be a string, but it is a value of type number",
      ],
      [
        { type: "resource" },
        "subagent request prompt[1].resource must be an object, but it is a value of type undefined",
      ],
      [
        { type: "resource", resource: {} },
        "subagent request prompt[1].resource.uri must be a string, but it is a value of type undefined",
      ],
      [
        { type: "resource", resource: { uri: "x" } },
        "subagent request prompt[1].resource.blob must be a string, but it is a value of type undefined",
      ],
      [
        { type: "resource", resource: { uri: "x", text: "", more: 1n } },
        "subagent request prompt[1].resource must be JSON data, but it is a value of type object",
      ],
      [
        { type: "resource_link", uri: "x", name: "y", size: 10n },
        "subagent request prompt[1].size must be a finite number, but it is a value of type bigint",
      ],
      [
        { type: "resource_link", uri: "x", name: "y", title: 3 },
        "subagent request prompt[1].title must be a string, but it is a value of type number",
      ],
      [
        { type: "image", data: "x", mimeType: "y", uri: null },
        "subagent request prompt[1].uri must be a string, but it is null",
      ],
    ] as const
  ) {
    it(`refuses ${inspect(block)}`, () => {
      assert.throws(() => assertPromptBlocks([text, block as unknown as ContentBlock]), {
        name: "SubagentError",
        code: "INVALID_REQUEST",
        message,
      });
    });
  }
});
