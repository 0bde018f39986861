import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ToolArgsError } from "../../schema/errors.ts";
import { callOf, namedTool, textOf, type Workshop, workshop } from "./tool_fixtures_test.ts";
import type { ApprovalPort, ToolCallInput } from "./tool_types.ts";

// Every text here is written out by hand: whoever changes one changes what models and hosts see.

describe("Texts that the model sees", () => {
  interface Row {
    readonly condition: string;
    readonly text: string;
    readonly arrange?: (shop: Workshop) => unknown;
    readonly approve?: ApprovalPort;
    readonly call?: Partial<ToolCallInput>;
  }
  const bad = <T>(value: unknown) => value as T;
  const rows: readonly Row[] = [
    {
      condition: "the tool does not exist",
      call: { name: "X" },
      text: 'Error: unknown tool "X"',
    },
    {
      condition: "the tool is restricted away",
      arrange: ({ scoped }) => scoped.restrict({ allow: [] }),
      text: 'Error: unknown tool "read"',
    },
    {
      condition: "the arguments are no JSON",
      call: { arguments: { value: NaN } },
      text: "Error: tool execution arguments must be losslessly JSON-serializable",
    },
    {
      condition: "the parent is no token",
      call: { parent: bad("token") },
      text: "Error: tool execution parent must be a token of this tool registry",
    },
    {
      condition: "a policy refuses",
      arrange: ({ registry }) => registry.onPreExecute(() => ({ kind: "deny", reason: "not on Sundays" })),
      text: "Error: not on Sundays",
    },
    {
      condition: "a policy asks and nobody is there to approve",
      arrange: ({ registry }) => registry.onPreExecute(() => ({ kind: "ask", reason: "sure?" })),
      text: 'Error: tool "read" requires approval (not yet supported)',
    },
    {
      condition: "approval is refused",
      arrange: ({ registry }) => registry.onPreExecute(() => ({ kind: "ask" })),
      approve: () => ({ kind: "deny", reason: "the user said no" }),
      text: "Error: the user said no",
    },
    {
      condition: "approval fails",
      arrange: ({ registry }) => registry.onPreExecute(() => ({ kind: "ask" })),
      approve: () => Promise.reject(new Error("nobody home")),
      text: "Error: nobody home",
    },
    {
      condition: "approval is no decision",
      arrange: ({ registry }) => registry.onPreExecute(() => ({ kind: "ask" })),
      approve: () => bad(true),
      text:
        "Error: tool approval returned an invalid decision; expected { kind: 'allow' } or { kind: 'deny', reason }",
    },
    {
      condition: "a policy returns no decision",
      arrange: ({ registry }) => registry.onPreExecute(() => bad(undefined)),
      text: "Error: tools/pre-execute returned an invalid decision; " +
        "expected { kind: 'allow' }, { kind: 'deny', reason } or { kind: 'ask', reason? }",
    },
    {
      condition: "a policy throws",
      arrange: ({ registry }) =>
        registry.onPreExecute(() => {
          throw new Error("policy broken");
        }),
      text: "Error: policy broken",
    },
    {
      condition: "a guard refuses",
      arrange: ({ scoped }) => scoped.guard(({ name }) => `done already, so \`${name}\` is not executed`),
      text: "Error: done already, so `read` is not executed",
    },
    {
      condition: "a guard answers something else",
      arrange: ({ registry }) => registry.guard(() => bad(false)),
      text: "Error: tool guard returned an invalid result; expected a string or undefined",
    },
    {
      condition: "a guard throws",
      arrange: ({ registry }) =>
        registry.guard(() => {
          throw new Error("guard broken");
        }),
      text: "Error: guard broken",
    },
    {
      condition: "the call is cancelled before the tool runs",
      call: { signal: AbortSignal.abort() },
      text: 'Error: tool "read" was cancelled before it ran',
    },
    {
      condition: "the tool throws",
      arrange: ({ scoped }) =>
        scoped.register(namedTool("read", {
          execute: () => {
            throw new Error("no such file");
          },
        })),
      text: "Error: no such file",
    },
    {
      condition: "the tool refuses its arguments",
      arrange: ({ scoped }) =>
        scoped.register(namedTool("read", {
          execute: () => Promise.reject(new ToolArgsError(['"value.path" must be a string', "v2"])),
        })),
      text: 'Error: invalid arguments: "value.path" must be a string; v2',
    },
    {
      condition: "the tool returns no output",
      arrange: ({ scoped }) => scoped.register(namedTool("read", { execute: () => bad(undefined) })),
      text: 'Error: tool "read" returned an invalid result; ' +
        "expected a string or { content, isError?, meta? } that is losslessly JSON-serializable",
    },
    {
      condition: "a policy for the result returns no decision",
      arrange: ({ registry }) => registry.onPostExecute(() => bad({ kind: "allow" })),
      text: "Error: tools/post-execute returned an invalid decision; " +
        "expected { kind: 'accept', content? } or { kind: 'block', feedback }",
    },
    {
      condition: "a policy for the result throws",
      arrange: ({ registry }) =>
        registry.onPostExecute(() => {
          throw new Error("post broken");
        }),
      text: "Error: post broken",
    },
  ];
  for (const { condition, text, arrange, approve, call } of rows) {
    it(`"${text}" when ${condition}`, async () => {
      const shop = workshop(["read"], approve === undefined ? {} : { approve });
      arrange?.(shop);
      const result = await shop.scoped.execute(callOf("read", call));
      assert.equal(textOf(result), text);
      assert.equal(result.isError, true);
    });
  }
});

describe("Texts of refused registrations", () => {
  const unscoped = "tools.restrict() requires a scoped context (agent.ctx): " +
    "a restriction narrows what one agent sees, and the global layer belongs to all";
  const reserved = 'tools.restrict() cannot name reserved Code Mode presentation transport "run_code"; ' +
    "name the tools that programs call through it";
  const noop = 'tools.restrict({}) is a no-op: pass "allow" to keep only some tools, or "deny" to hide some';
  const taken = 'tool name "run_code" is reserved for the Code Mode presentation transport';
  const bad = <T>(value: unknown) => value as T;
  const rows: readonly (readonly [string, (shop: Workshop) => unknown, Error])[] = [
    [
      "a restriction at the global place",
      ({ registry }) => registry.restrict({ deny: ["b"] }),
      new Error(unscoped),
    ],
    [
      "a restriction that is no object",
      ({ scoped }) => scoped.restrict(bad("b")),
      new TypeError("tools.restrict() filter must be an object, got string"),
    ],
    ["an empty restriction", ({ scoped }) => scoped.restrict({}), new Error(noop)],
    [
      "a restriction of two undefined lists",
      ({ scoped }) => scoped.restrict(bad({ allow: undefined, deny: undefined })),
      new Error(noop),
    ],
    [
      "an allow list that is none",
      ({ scoped }) => scoped.restrict(bad({ allow: "b" })),
      new TypeError('tools.restrict() "allow" must be an array of strings, got string'),
    ],
    [
      "a deny list with a number",
      ({ scoped }) => scoped.restrict(bad({ deny: ["b", 1] })),
      new TypeError('tools.restrict() "deny"[1] must be a string, got number'),
    ],
    [
      "a restriction of run_code",
      ({ scoped }) => scoped.restrict({ deny: ["run_code"] }),
      new Error(reserved),
    ],
    [
      "a restriction of run_code when it is there",
      ({ registry, scoped }) => {
        registry.installTransport(namedTool("run_code"), { exclusive: false });
        scoped.restrict({ allow: ["nothing", "run_code"] });
      },
      new Error(reserved),
    ],
    [
      "a restriction of an unknown tool",
      ({ scoped }) => scoped.restrict({ deny: ["x"] }),
      new Error('tools.restrict() names unknown tool "x"; known tools for this scope: a, b'),
    ],
    [
      "a restriction of unknown tools, in the order in which they are named, each once",
      ({ scoped }) => scoped.restrict({ allow: ["y", "a", "y"], deny: ["x", "y"] }),
      new Error('tools.restrict() names unknown tools "y", "x"; known tools for this scope: a, b'),
    ],
    [
      "a restriction where there are scoped tools and restrictions already",
      ({ scoped }) => {
        scoped.register(namedTool("aa"));
        scoped.restrict({ allow: [] });
        scoped.restrict({ deny: ["x"] });
      },
      new Error('tools.restrict() names unknown tool "x"; known tools for this scope: a, aa, b'),
    ],
    [
      "a restriction where there is no tool",
      () => workshop().scoped.restrict({ allow: ["x"] }),
      new Error('tools.restrict() names unknown tool "x"; known tools for this scope: (none)'),
    ],
    [
      "a second global tool of a name",
      ({ registry }) => registry.register(namedTool("a")),
      new Error('tool "a" is already registered in the global layer'),
    ],
    [
      "a second scoped tool of a name",
      ({ scoped }) => {
        scoped.register(namedTool("a"));
        scoped.register(namedTool("a"));
      },
      new Error('tool "a" is already registered in the layer of agent "a"'),
    ],
    ["a global run_code", ({ registry }) => registry.register(namedTool("run_code")), new Error(taken)],
    ["a scoped run_code", ({ scoped }) => scoped.register(namedTool("run_code")), new Error(taken)],
  ];
  for (const [what, act, error] of rows) {
    it(`"${error.message}" for ${what}`, () => assert.throws(() => act(workshop(["b", "a"])), error));
  }
});
