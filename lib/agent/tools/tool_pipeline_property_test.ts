import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { callOf, namedTool, textOf, workshop } from "./tool_fixtures_test.ts";
import type {
  PostDecision,
  PreDecision,
  ToolDefinition,
  ToolRegistryHost,
  ToolResult,
} from "./tool_types.ts";

type Place = "global" | "scoped";
type Throwing = { readonly does: "throw"; readonly message: string };

/** What a policy for calls does, whatever it is given. */
type PreAct =
  | { readonly does: "pass" }
  | { readonly does: "decide"; readonly decision: PreDecision }
  | { readonly does: "return"; readonly value: unknown }
  | Throwing;

/** What a guard does. */
type GuardAct = { readonly does: "pass" } | { readonly does: "refuse"; readonly reason: string } | Throwing;

/** What the tool does. */
type ToolAct =
  | { readonly does: "return"; readonly text: string }
  | { readonly does: "fail"; readonly text: string }
  | Throwing;

/** What a policy for results does. */
type PostAct =
  | { readonly does: "pass" }
  | { readonly does: "replace"; readonly text: string }
  | { readonly does: "block"; readonly text: string }
  | { readonly does: "return"; readonly value: unknown }
  | Throwing;

interface Placed<Act> {
  readonly place: Place;
  readonly isAsync: boolean;
  readonly act: Act;
}

interface Plan {
  readonly pre: readonly Placed<PreAct>[];
  readonly guards: readonly Placed<GuardAct>[];
  readonly tool: ToolAct | undefined;
  readonly post: readonly Placed<PostAct>[];
  readonly approval: "allow" | "deny" | "absent";
  readonly isRestricted: boolean;
}

const text = fc.string({ maxLength: 5 });
const throwing = fc.record({ does: fc.constant("throw" as const), message: text });
const pass = fc.constant({ does: "pass" } as const);
const nonsense = fc.record({
  does: fc.constant("return" as const),
  value: fc.constantFrom<unknown>(undefined, null, "allow", { kind: "perhaps" }, { kind: "deny" }, {
    kind: "block",
  }),
});

function placed<Act>(act: fc.Arbitrary<Act>): fc.Arbitrary<readonly Placed<Act>[]> {
  const one = fc.record({ place: fc.constantFrom<Place>("global", "scoped"), isAsync: fc.boolean(), act });
  return fc.array(one, { maxLength: 3 });
}

const decision: fc.Arbitrary<PreDecision> = fc.oneof(
  fc.record({ kind: fc.constant("allow" as const) }),
  fc.record({ kind: fc.constant("deny" as const), reason: text }),
  fc.record({ kind: fc.constant("ask" as const) }),
);
const preAct: fc.Arbitrary<PreAct> = fc.oneof(
  { weight: 3, arbitrary: pass },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("decide" as const), decision }) },
  nonsense,
  throwing,
);
const guardAct: fc.Arbitrary<GuardAct> = fc.oneof(
  { weight: 4, arbitrary: pass },
  fc.record({ does: fc.constant("refuse" as const), reason: text }),
  throwing,
);
const toolAct: fc.Arbitrary<ToolAct> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant("return" as const), text }) },
  fc.record({ does: fc.constant("fail" as const), text }),
  throwing,
);
const postAct: fc.Arbitrary<PostAct> = fc.oneof(
  { weight: 3, arbitrary: pass },
  fc.record({ does: fc.constantFrom("replace" as const, "block" as const), text }),
  nonsense,
  throwing,
);
const plan: fc.Arbitrary<Plan> = fc.record({
  pre: placed(preAct),
  guards: placed(guardAct),
  tool: fc.option(toolAct, { nil: undefined, freq: 5 }),
  post: placed(postAct),
  approval: fc.constantFrom("allow" as const, "deny" as const, "absent" as const),
  isRestricted: fc.boolean(),
});

/** What is expected of a call. */
interface Expected {
  readonly text: string;
  readonly isError: boolean;
  readonly ranTool: boolean;
  readonly code?: string;
}

const PRE_NONSENSE = "Error: tools/pre-execute returned an invalid decision; " +
  "expected { kind: 'allow' }, { kind: 'deny', reason } or { kind: 'ask', reason? }";
const POST_NONSENSE = "Error: tools/post-execute returned an invalid decision; " +
  "expected { kind: 'accept', content? } or { kind: 'block', feedback }";

function inOrder<Act>(acts: readonly Placed<Act>[]): Act[] {
  return [
    ...acts.filter(({ place }) => place === "global"),
    ...acts.filter(({ place }) => place === "scoped"),
  ]
    .map(({ act }) => act);
}

/** The whole contract of a call, said once more: why it is refused, or else what the tool does. */
function modelOutcome({ pre, guards, tool, approval, isRestricted }: Plan): Expected {
  const refused = (message: string): Expected => ({
    text: `Error: ${message}`,
    isError: true,
    ranTool: false,
  });
  let decision: PreDecision = { kind: "allow" };
  for (const act of inOrder(pre)) {
    if (act.does === "throw") return refused(act.message);
    if (act.does === "return") return { text: PRE_NONSENSE, isError: true, ranTool: false };
    if (act.does === "decide") decision = act.decision;
  }
  if (decision.kind === "deny") return refused(decision.reason);
  if (decision.kind === "ask" && approval === "deny") return refused("not approved");
  if (decision.kind === "ask" && approval === "absent") {
    return refused('tool "work" requires approval (not yet supported)');
  }
  for (const act of inOrder(guards)) {
    if (act.does === "refuse") return refused(act.reason);
    if (act.does === "throw") return refused(act.message);
  }
  if (tool === undefined || isRestricted) return { ...refused('unknown tool "work"'), code: "UNKNOWN_TOOL" };
  if (tool.does === "throw") return { ...refused(tool.message), ranTool: true };
  return { text: tool.text, isError: tool.does === "fail", ranTool: true };
}

/** What becomes of it afterwards: the last decision counts, unless a policy fails. */
function modelResult(plan: Plan): Expected {
  const outcome = modelOutcome(plan);
  const { ranTool } = outcome;
  let last: PostAct = { does: "pass" };
  for (const act of inOrder(plan.post)) {
    if (act.does === "throw") return { text: `Error: ${act.message}`, isError: true, ranTool };
    if (act.does === "return") return { text: POST_NONSENSE, isError: true, ranTool };
    if (act.does !== "pass") last = act;
  }
  if (last.does === "pass") return outcome;
  return { ...outcome, text: last.text, isError: outcome.isError || last.does === "block" };
}

/** Does at once what `act` does, or a moment later. */
function perform<T>(isAsync: boolean, act: () => T): T | Promise<T> {
  return isAsync ? Promise.resolve().then(act) : act();
}

function raise(message: string): never {
  throw new Error(message);
}

function decidePre(act: PreAct, before: PreDecision): PreDecision {
  switch (act.does) {
    case "pass":
      return before;
    case "decide":
      return act.decision;
    case "return":
      return act.value as PreDecision;
    case "throw":
      return raise(act.message);
  }
}

function decidePost(act: PostAct, before: PostDecision): PostDecision {
  switch (act.does) {
    case "pass":
      return before;
    case "replace":
      return { kind: "accept", content: [{ type: "text", text: act.text }] };
    case "block":
      return { kind: "block", feedback: [{ type: "text", text: act.text }] };
    case "return":
      return act.value as PostDecision;
    case "throw":
      return raise(act.message);
  }
}

function answer(act: GuardAct): string | undefined {
  if (act.does === "throw") raise(act.message);
  return act.does === "refuse" ? act.reason : undefined;
}

function toolOf(act: ToolAct, onRun: () => void): ToolDefinition {
  return namedTool("work", {
    execute: () => {
      onRun();
      if (act.does === "throw") raise(act.message);
      return act.does === "return"
        ? act.text
        : { content: [{ type: "text", text: act.text }], isError: true };
    },
  });
}

describe("A call with any policies", () => {
  it("ends as the model of the pipeline says, and observers of both places see just that", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (plan) => {
        const { approval } = plan;
        const { registry, scoped } = workshop(["other"], {
          ...(approval === "absent" ? {} : {
            approve: () =>
              approval === "allow" ? { kind: "allow" } : { kind: "deny", reason: "not approved" },
          }),
        });
        const host = (place: Place): ToolRegistryHost => place === "global" ? registry : scoped;
        let runs = 0;
        if (plan.tool !== undefined) registry.register(toolOf(plan.tool, () => runs++));
        if (plan.isRestricted) scoped.restrict({ allow: ["other"] });
        for (const { place, isAsync, act } of plan.pre) {
          host(place).onPreExecute((before) => perform(isAsync, () => decidePre(act, before)));
        }
        for (const { place, act } of plan.guards) host(place).guard(() => answer(act));
        for (const { place, isAsync, act } of plan.post) {
          host(place).onPostExecute((before) => perform(isAsync, () => decidePost(act, before)));
        }
        const observed: ToolResult[] = [];
        for (const place of ["global", "scoped"] as const) {
          host(place).onResult((_, result) => {
            observed.push(result);
            raise("an observer changes nothing");
          });
        }

        const result = await scoped.execute(callOf("work"));

        const expected = modelResult(plan);
        assert.equal(textOf(result), expected.text);
        assert.equal(result.isError, expected.isError);
        assert.equal(result.error?.code, expected.code);
        assert.equal(runs, expected.ranTool ? 1 : 0);
        assert.deepEqual(observed.map((one) => one === result), [true, true]);
      }),
      { numRuns: 500 },
    );
  });
});
