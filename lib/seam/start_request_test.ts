import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SubagentError } from "./errors.ts";
import { NO_START_CAPABILITIES } from "./no_start_capabilities.ts";
import { acceptRequest } from "./start_request.ts";
import type { SubagentProvider, SubagentRun, SubagentStartRequest } from "./types.ts";

const all = { agentOptions: true, outputSchema: true, depthLimit: true, toolFilter: true, persona: true };

function provider(capabilities = all): SubagentProvider {
  return {
    specificationVersion: "v1",
    name: "mine",
    capabilities,
    inheritsParentContext: false,
    start: () => Promise.reject<SubagentRun>(new Error("not in this test")),
  };
}

const parent = { id: "parent-1" };
const minimal: SubagentStartRequest = { prompt: "do it", parent };
const accept = (request: unknown) => acceptRequest(provider(), request as SubagentStartRequest);

describe("acceptRequest()", () => {
  it("makes one text block of a string and leaves absent fields absent", () => {
    const { request, parentId } = accept(minimal);
    assert.deepEqual(request, {
      prompt: [{ type: "text", text: "do it" }],
      parent,
      descriptor: { version: 2, mode: "one-shot", provider: "mine" },
    });
    assert.equal(parentId, "parent-1");
  });

  it("takes undefined for absent", () => {
    const { request } = accept({
      ...minimal,
      signal: undefined,
      label: undefined,
      agentOptions: undefined,
      outputSchema: undefined,
      maxDepth: undefined,
      toolFilter: undefined,
      persona: undefined,
    });
    assert.deepEqual(Object.keys(request), ["prompt", "parent", "descriptor"]);
  });

  it("hands every field on, and no field that it does not know", () => {
    const { signal } = new AbortController();
    const agentOptions = { model: "small" };
    const outputSchema = { type: "object" };
    const given = {
      prompt: [{ type: "text", text: "look" }, { type: "image", data: "AA==", mimeType: "image/png" }],
      parent: { id: "parent-1", cwd: "/home" },
      signal,
      label: "a task",
      agentOptions,
      outputSchema,
      maxDepth: 0,
      toolFilter: { allow: ["read"], deny: [] },
      persona: "",
      descriptor: { version: 1 },
      extra: true,
    };
    const { request } = accept(given);
    const { extra: _extra, ...known } = given;
    assert.deepEqual(request, {
      ...known,
      descriptor: { version: 2, mode: "one-shot", provider: "mine", label: "a task" },
    });
    assert.equal(request.signal, signal);
    assert.equal(request.parent, given.parent);
    assert.equal(request.agentOptions, agentOptions);
    assert.equal(request.outputSchema, outputSchema);
    assert.ok(Object.isFrozen(request.descriptor));
  });

  it("copies lists and blocks, so that later changes do not reach the provider", () => {
    const given = {
      prompt: [{ type: "text", text: "look" }],
      parent,
      toolFilter: { allow: ["read"], deny: ["write"] },
    };
    const { request } = accept(given);
    given.prompt[0]!.text = "changed";
    given.prompt.push({ type: "text", text: "more" });
    given.toolFilter.allow.push("more");
    given.toolFilter.deny.length = 0;
    assert.deepEqual(request.prompt, [{ type: "text", text: "look" }]);
    assert.deepEqual(request.toolFilter, { allow: ["read"], deny: ["write"] });
  });

  it("takes either list of a tool filter alone", () => {
    assert.deepEqual(accept({ ...minimal, toolFilter: { allow: [] } }).request.toolFilter, { allow: [] });
    assert.deepEqual(accept({ ...minimal, toolFilter: { deny: ["x"] } }).request.toolFilter, { deny: ["x"] });
  });

  it("takes blocks of kinds that it does not know, and an empty prompt", () => {
    const block = { type: "of-tomorrow", payload: { deep: [1] } };
    assert.deepEqual(accept({ ...minimal, prompt: [block] }).request.prompt, [block]);
    assert.deepEqual(accept({ ...minimal, prompt: [] }).request.prompt, []);
    assert.deepEqual(accept({ ...minimal, prompt: "" }).request.prompt, [{ type: "text", text: "" }]);
  });

  it("takes a signal that is no AbortSignal of this realm but works like one", () => {
    const signal = { aborted: false, addEventListener() {}, removeEventListener() {} };
    assert.equal(accept({ ...minimal, signal }).request.signal, signal);
  });

  it("reads each field of the request once, and each of a block", () => {
    const reads: string[] = [];
    const watched = (target: object, prefix: string): object =>
      new Proxy(target, {
        get(object, key, receiver) {
          if (typeof key === "string") reads.push(prefix + key);
          return Reflect.get(object, key, receiver) as unknown;
        },
      });
    accept(watched({
      prompt: [watched({ type: "text", text: "x" }, "block.")],
      parent: watched({ id: "p", cwd: "/" }, "parent."),
      label: "x",
    }, ""));
    assert.deepEqual([...reads].sort(), [
      "agentOptions",
      "block.text",
      "block.type",
      "label",
      "maxDepth",
      "outputSchema",
      "parent",
      "parent.cwd",
      "parent.id",
      "persona",
      "prompt",
      "signal",
      "toolFilter",
    ]);
  });

  it("checks what it hands on, not what a getter answers the first time", () => {
    let reads = 0;
    const block = {
      type: "text",
      get text() {
        return ++reads === 1 ? "first" : 7;
      },
    };
    assert.deepEqual(accept({ ...minimal, prompt: [block] }).request.prompt, [{
      type: "text",
      text: "first",
    }]);
    assert.equal(reads, 1);
  });

  const secret = "secret";
  const signal = { aborted: false, addEventListener() {}, removeEventListener() {} };
  const refused: readonly (readonly [string, unknown, string])[] = [
    ["no request", undefined, "subagent request must be an object, got undefined"],
    ["a null request", null, "subagent request must be an object, got null"],
    ["a request that is a string", secret, "subagent request must be an object, got string"],
    [
      "no prompt",
      { parent },
      "subagent request prompt must be a string or an array of content blocks, got undefined",
    ],
    [
      "a prompt that is one block",
      { ...minimal, prompt: { type: "text", text: secret } },
      "subagent request prompt must be a string or an array of content blocks, got object",
    ],
    [
      "a String object for a prompt",
      { ...minimal, prompt: new String(secret) },
      "subagent request prompt must be a string or an array of content blocks, got object",
    ],
    [
      "a block that is a string",
      { ...minimal, prompt: [{ type: "text", text: "x" }, secret] },
      "subagent request prompt[1] must be a content block, got string",
    ],
    [
      "a hole for a block",
      { ...minimal, prompt: new Array(1) },
      "subagent request prompt[0] must be a content block, got undefined",
    ],
    [
      "a block without type",
      { ...minimal, prompt: [{}] },
      "subagent request prompt[0].type must be a string, got undefined",
    ],
    [
      "a block of a numeric type",
      { ...minimal, prompt: [{ type: 1 }] },
      "subagent request prompt[0].type must be a string, got number",
    ],
    [
      "a text block without text",
      { ...minimal, prompt: [{ type: "text" }] },
      "subagent request prompt[0].text must be a string, got undefined",
    ],
    ["no parent", { prompt: "x" }, "subagent request parent must be an object, got undefined"],
    [
      "a parent that is an id",
      { prompt: "x", parent: secret },
      "subagent request parent must be an object, got string",
    ],
    [
      "a parent without id",
      { prompt: "x", parent: {} },
      "subagent request parent.id must be a string, got undefined",
    ],
    [
      "a null cwd",
      { prompt: "x", parent: { id: "p", cwd: null } },
      "subagent request parent.cwd must be a string, got null",
    ],
    [
      "a cwd that is a URL",
      { prompt: "x", parent: { id: "p", cwd: new URL("file:///secret") } },
      "subagent request parent.cwd must be a string, got object",
    ],
    [
      "a null signal",
      { ...minimal, signal: null },
      "subagent request signal must be an AbortSignal, got null",
    ],
    [
      "a controller for a signal",
      { ...minimal, signal: new AbortController() },
      "subagent request signal must be an AbortSignal, got object",
    ],
    [
      "a signal that cannot be listened to",
      { ...minimal, signal: { ...signal, addEventListener: undefined } },
      "subagent request signal must be an AbortSignal, got object",
    ],
    [
      "a signal that cannot be let go of",
      { ...minimal, signal: { ...signal, removeEventListener: undefined } },
      "subagent request signal must be an AbortSignal, got object",
    ],
    ["a numeric label", { ...minimal, label: 7 }, "subagent request label must be a string, got number"],
    ["a null label", { ...minimal, label: null }, "subagent request label must be a string, got null"],
    [
      "agent options that are a list",
      { ...minimal, agentOptions: [secret] },
      "subagent request agentOptions must be an object, got array",
    ],
    [
      "a tool filter that is a list",
      { ...minimal, toolFilter: [secret] },
      "subagent request toolFilter must be an object, got array",
    ],
    [
      "an empty tool filter",
      { ...minimal, toolFilter: {} },
      'subagent request toolFilter must hold "allow" or "deny", got neither',
    ],
    [
      "a string for a list of tools",
      { ...minimal, toolFilter: { allow: secret } },
      "subagent request toolFilter.allow must be an array of strings, got string",
    ],
    [
      "a null list of tools",
      { ...minimal, toolFilter: { allow: [], deny: null } },
      "subagent request toolFilter.deny must be an array of strings, got null",
    ],
    [
      "a tool that is no string",
      { ...minimal, toolFilter: { deny: ["x", { name: secret }] } },
      "subagent request toolFilter.deny[1] must be a string, got object",
    ],
    [
      "a hole for a tool",
      { ...minimal, toolFilter: { allow: new Array(1) } },
      "subagent request toolFilter.allow[0] must be a string, got undefined",
    ],
  ];
  for (const [name, request, message] of refused) {
    it(`refuses ${name}`, () =>
      assert.throws(() => accept(request), (error) => {
        assert.ok(SubagentError.is(error));
        assert.equal(error.code, "INVALID_REQUEST");
        assert.equal(error.message, message);
        return true;
      }));
  }

  it("looks at capabilities, maxDepth, persona and the other shapes in this order", () => {
    const broken: Record<string, unknown> = {
      prompt: 7,
      parent: 7,
      maxDepth: -1,
      persona: 7,
      agentOptions: {},
    };
    const refusedBy = (request: object, capabilities: typeof all) => {
      let message = "";
      try {
        acceptRequest(provider(capabilities), request as SubagentStartRequest);
      } catch (error) {
        message = (error as Error).message;
      }
      return message;
    };
    assert.equal(
      refusedBy(broken, NO_START_CAPABILITIES),
      'subagent provider "mine" does not support the "agentOptions" capability',
    );
    assert.equal(refusedBy(broken, all), "subagent maxDepth must be a non-negative safe integer");
    broken.maxDepth = 1;
    assert.equal(refusedBy(broken, all), "subagent persona must be a string");
    broken.persona = "x";
    assert.equal(
      refusedBy(broken, all),
      "subagent request prompt must be a string or an array of content blocks, got number",
    );
  });
});

describe("acceptRequest() with an output schema", () => {
  const accept = (outputSchema: unknown, more: object = {}) =>
    acceptRequest(provider(all), { ...minimal, outputSchema, ...more } as unknown as SubagentStartRequest);

  for (
    const [name, schema, message] of [
      ["that is no object", true, "unsupported JSON schema: schema must be a schema object"],
      [
        "of another root type",
        { type: "string" },
        'unsupported JSON schema: schema.type must be "object" (structured output is object-rooted)',
      ],
      [
        "with a keyword outside the subset",
        { type: "object", properties: { a: { type: "string", pattern: "x" } } },
        "unsupported JSON schema: schema.properties.a.pattern is not a supported keyword " +
        "(subset: type/oneOf/properties/required/additionalProperties/items/enum/const + annotations)",
      ],
    ] as const
  ) {
    it(`refuses one ${name}`, () => {
      assert.throws(() => accept(schema), { name: "OutputSchemaError", code: "UNSUPPORTED_SCHEMA", message });
    });
  }

  it("refuses it behind maxDepth and persona, and before any other field", () => {
    assert.throws(() => accept({}, { maxDepth: -1 }), { name: "TypeError" });
    assert.throws(() => accept({}, { persona: 1 }), { name: "TypeError" });
    assert.throws(() => accept({}, { prompt: 1, parent: 1 }), { name: "OutputSchemaError" });
  });
});
