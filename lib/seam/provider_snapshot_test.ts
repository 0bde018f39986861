import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SubagentError } from "./errors.ts";
import { snapshotProvider } from "./provider_snapshot.ts";
import type { ProviderContext, ProviderStartRequest, SubagentProvider, SubagentRun } from "./types.ts";

const capabilities = {
  agentOptions: true,
  outputSchema: false,
  depthLimit: true,
  toolFilter: false,
  persona: true,
};
const neverStarts = () => Promise.reject<SubagentRun>(new Error("not in this test"));

function fields() {
  return {
    specificationVersion: "v1",
    name: "mine",
    capabilities: { ...capabilities },
    inheritsParentContext: false,
    start: neverStarts,
  };
}

describe("snapshotProvider()", () => {
  it("keeps the fields of a provider, frozen, and no others", () => {
    const snapshot = snapshotProvider({ ...fields(), secret: "x" } as unknown as SubagentProvider);
    assert.deepEqual(Object.keys(snapshot), [
      "specificationVersion",
      "name",
      "capabilities",
      "inheritsParentContext",
      "start",
    ]);
    assert.equal(snapshot.specificationVersion, "v1");
    assert.equal(snapshot.name, "mine");
    assert.deepEqual(snapshot.capabilities, capabilities);
    assert.equal(snapshot.inheritsParentContext, false);
    assert.ok(Object.isFrozen(snapshot));
    assert.ok(Object.isFrozen(snapshot.capabilities));
  });

  it("calls start on the original object with what it was given", async () => {
    const run = {} as SubagentRun;
    class Provider {
      readonly specificationVersion = "v1";
      readonly name = "mine";
      readonly capabilities = capabilities;
      readonly inheritsParentContext = true;
      readonly #run = run;
      heard: unknown[] = [];
      start(request: ProviderStartRequest, context: ProviderContext): Promise<SubagentRun> {
        this.heard = [request, context];
        return Promise.resolve(this.#run);
      }
    }
    const provider = new Provider();
    const request = {} as ProviderStartRequest;
    const context = {} as ProviderContext;
    assert.equal(await snapshotProvider(provider).start(request, context), run);
    assert.equal(provider.heard[0], request);
    assert.equal(provider.heard[1], context);
  });

  it("is not changed by what becomes of the original", async () => {
    const original = fields();
    const snapshot = snapshotProvider(original as SubagentProvider);
    const failure = new Error("not in this test");
    original.name = "other";
    original.capabilities.persona = false;
    original.inheritsParentContext = true;
    original.start = () => Promise.reject(new Error("replaced"));
    assert.equal(snapshot.name, "mine");
    assert.equal(snapshot.capabilities.persona, true);
    assert.equal(snapshot.inheritsParentContext, false);
    await assert.rejects(snapshot.start({} as ProviderStartRequest, {} as ProviderContext), failure);
  });

  it("reads each field once", () => {
    const reads: string[] = [];
    const watched = <T extends object>(target: T, prefix = ""): T =>
      new Proxy(target, {
        get(object, key) {
          reads.push(prefix + String(key));
          return Reflect.get(object, key) as unknown;
        },
      });
    const original = fields();
    snapshotProvider(
      watched({
        ...original,
        capabilities: watched(original.capabilities, "capabilities."),
      }) as SubagentProvider,
    );
    assert.deepEqual(reads, [
      "specificationVersion",
      "name",
      "capabilities",
      "capabilities.agentOptions",
      "capabilities.outputSchema",
      "capabilities.depthLimit",
      "capabilities.toolFilter",
      "capabilities.persona",
      "inheritsParentContext",
      "start",
    ]);
  });

  const upgrade =
    ": use a provider made for this version of @subagent/seam, or another version of @subagent/seam";
  const rule =
    'must be 1 to 64 ASCII letters, digits, spaces, ".", "_" or "-", beginning with a letter or a digit';
  const refused: readonly (readonly [string, unknown, string])[] = [
    ["null", null, "subagent provider must be an object, got null"],
    ["an array", [], "subagent provider must be an object, got array"],
    ["a function", () => {}, "subagent provider must be an object, got function"],
    [
      "a later version",
      { ...fields(), specificationVersion: "v2" },
      `subagent provider specificationVersion must be "v1", got "v2"${upgrade}`,
    ],
    [
      "no version",
      { ...fields(), specificationVersion: undefined },
      `subagent provider specificationVersion must be "v1", got undefined${upgrade}`,
    ],
    ["no name", { ...fields(), name: undefined }, `subagent provider name ${rule}, got undefined`],
    ["a name of another shape", { ...fields(), name: "a/b" }, `subagent provider name ${rule}, got "a/b"`],
    [
      "a name with a line break",
      { ...fields(), name: "a\nb" },
      `subagent provider name ${rule}, got "a\\nb"`,
    ],
    [
      "a name that is far too long",
      { ...fields(), name: "x".repeat(5000) },
      `subagent provider name ${rule}, got "${"x".repeat(80)}…"`,
    ],
    [
      "no capabilities",
      { ...fields(), capabilities: undefined },
      'subagent provider "mine" capabilities must be an object, got undefined',
    ],
    ...(["agentOptions", "outputSchema", "depthLimit", "toolFilter", "persona"] as const).map((name) =>
      [
        `a capability ${name} that is no boolean`,
        { ...fields(), capabilities: { ...capabilities, [name]: "yes" } },
        `subagent provider "mine" capability "${name}" must be a boolean, got string`,
      ] as const
    ),
    [
      "the first of several wrong capabilities",
      { ...fields(), capabilities: {} },
      'subagent provider "mine" capability "agentOptions" must be a boolean, got undefined',
    ],
    [
      "an inheritsParentContext that is no boolean",
      { ...fields(), inheritsParentContext: 0 },
      'subagent provider "mine" inheritsParentContext must be a boolean, got number',
    ],
    [
      "a start that is no function",
      { ...fields(), start: {} },
      'subagent provider "mine" start must be a function, got object',
    ],
  ];
  for (const [name, provider, message] of refused) {
    it(`refuses ${name}`, () =>
      assert.throws(() => snapshotProvider(provider as SubagentProvider), (error) => {
        assert.ok(SubagentError.is(error));
        assert.equal(error.code, "INVALID_PROVIDER");
        assert.equal(error.message, message);
        return true;
      }));
  }
});
