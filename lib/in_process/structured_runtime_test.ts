import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { deferred } from "../agent/agent_fixtures_test.ts";
import { codeMode, countedTool, ONE_NUMBER, openBench, textOf } from "./structured_fixtures_test.ts";
import { STRUCTURED_OUTPUT_INSTRUCTION, STRUCTURED_OUTPUT_TOOL } from "./structured_runtime.ts";

const SECTION = "tool:structured_output";
const DENIED = "Error: structured output already recorded: the run is complete, so `work` is not executed";

describe("The texts of structured output", () => {
  it("are these", () => {
    const { scope } = openBench().child("a");
    assert.equal(STRUCTURED_OUTPUT_TOOL, "structured_output");
    assert.equal(
      STRUCTURED_OUTPUT_INSTRUCTION,
      "When you have your final answer, you MUST report it by calling the `structured_output` tool with arguments matching its parameter schema exactly. Do not finish with a plain text answer: only the tool call counts as your result.",
    );
    assert.equal(
      scope.tools.get("structured_output")?.description,
      "Report your final structured result. Call this exactly once, when your answer is complete; the arguments must match this tool's parameter schema exactly.",
    );
  });
});

describe("The structured_output tool", () => {
  it("has the schema of the run as its parameters", () => {
    const { scope } = openBench().child("a");
    assert.deepEqual(scope.tools.schemas().map(({ name, parameters }) => [name, parameters]), [
      [STRUCTURED_OUTPUT_TOOL, ONE_NUMBER],
    ]);
  });

  it("answers arguments that do not fit with INVALID_ARGS and every violation, and takes the next ones", async () => {
    const child = openBench().child("a");
    const refused = await child.report({ n: "1", more: true });
    assert.equal(refused.isError, true);
    assert.deepEqual(refused.error, { name: "ToolArgsError", code: "INVALID_ARGS" });
    assert.equal(
      textOf(refused),
      'Error: invalid arguments: "value.n" must be an integer; ' +
        '"value.more" is not a declared property (additionalProperties: false)',
    );
    assert.equal(child.capture.captured, undefined);
    const taken = await child.report({ n: 1 });
    assert.deepEqual([taken.isError, textOf(taken)], [false, "Structured output recorded."]);
    assert.deepEqual(child.capture.captured, { value: { n: 1 } });
  });

  it("answers arguments that are no JSON without a look at the schema", async () => {
    const child = openBench().child("a");
    const refused = await child.report({ n: 1n });
    assert.equal(textOf(refused), "Error: tool execution arguments must be losslessly JSON-serializable");
    assert.equal(child.capture.captured, undefined);
  });

  it("captures what was validated, whatever becomes of the caller's object", async () => {
    const child = openBench().child("a");
    const args = { n: 1 };
    const done = child.report(args);
    args.n = 2;
    await done;
    assert.deepEqual(child.capture.captured, { value: { n: 1 } });
    assert.ok(Object.isFrozen(child.capture.captured?.value));
  });

  it("captures exactly the first arguments that fit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.integer().filter((n) => !Object.is(n, -0)), fc.string(), fc.constant(null))),
        async (answers) => {
          const child = openBench().child("a");
          for (const n of answers) await child.report({ n });
          const first = answers.find((n) => typeof n === "number");
          assert.deepEqual(child.capture.captured, first === undefined ? undefined : { value: { n: first } });
        },
      ),
    );
  });
});

describe("The commit of a structured result", () => {
  it("waits for the final result: not staged by the body, but after the last policy and before the call returns", async () => {
    const child = openBench().child("a");
    const seen: unknown[] = [];
    child.scope.tools.onPostExecute((decision) => {
      seen.push(child.capture.captured);
      return decision;
    });
    await child.report({ n: 1 });
    assert.deepEqual(seen, [undefined]);
    assert.deepEqual(child.capture.captured, { value: { n: 1 } });
  });

  it("does not happen when a policy blocks the result, and the next call may succeed", async () => {
    const child = openBench().child("a");
    let blocks = true;
    child.scope.tools.onPostExecute((decision) =>
      blocks ? { kind: "block", feedback: [{ type: "text", text: "not yet" }] } : decision
    );
    assert.equal((await child.report({ n: 1 })).isError, true);
    assert.equal(child.capture.captured, undefined);
    blocks = false;
    await child.report({ n: 2 });
    assert.deepEqual(child.capture.captured, { value: { n: 2 } });
  });

  it("does not happen when a policy fails after the body succeeded", async () => {
    const child = openBench().child("a");
    child.scope.tools.onPostExecute(() => {
      throw new Error("policy failed");
    });
    await child.report({ n: 1 });
    assert.equal(child.capture.captured, undefined);
  });

  it("does not happen for a call that a policy denied", async () => {
    const child = openBench().child("a");
    child.scope.tools.onPreExecute(() => ({ kind: "deny", reason: "no" }));
    await child.report({ n: 1 });
    assert.equal(child.capture.captured, undefined);
  });

  it("happens when a policy only changes what the model sees", async () => {
    const child = openBench().child("a");
    child.scope.tools.onPostExecute(() => ({ kind: "accept", content: [{ type: "text", text: "thanks" }] }));
    assert.equal(textOf(await child.report({ n: 1 })), "thanks");
    assert.deepEqual(child.capture.captured, { value: { n: 1 } });
  });

  it("never promotes the value of a blocked call by a later one with the same call id", async () => {
    const child = openBench().child("a");
    let round = 0;
    child.scope.tools.onPostExecute((decision) =>
      ++round === 1 ? { kind: "block", feedback: [{ type: "text", text: "no" }] } : decision
    );
    await child.report({ n: 1 }, "same-id");
    await child.report({ n: "invalid" }, "same-id");
    assert.equal(child.capture.captured, undefined);
    await child.report({ n: 3 }, "same-id");
    assert.deepEqual(child.capture.captured, { value: { n: 3 } });
  });

  it("tells calls with the same id apart that are on their way at the same time", async () => {
    const child = openBench().child("a");
    child.scope.tools.onPostExecute((decision, { arguments: args }) =>
      (args as { n: number }).n === 1 ? { kind: "block", feedback: [{ type: "text", text: "no" }] } : decision
    );
    await Promise.all([child.report({ n: 1 }, "same-id"), child.report({ n: 2 }, "same-id")]);
    assert.deepEqual(child.capture.captured, { value: { n: 2 } });
  });

  it("takes the first of two calls that both succeed", async () => {
    const child = openBench().child("a");
    await Promise.all([child.report({ n: 1 }, "x"), child.report({ n: 2 }, "y")]);
    assert.deepEqual(child.capture.captured, { value: { n: 1 } });
  });

  it("is out of reach of a call by nobody and of the calls of others", async () => {
    const bench = openBench();
    const child = bench.child("a");
    const other = bench.child("b");
    const byHost = await bench.registry.execute({
      callId: "call-1",
      name: STRUCTURED_OUTPUT_TOOL,
      arguments: { n: 1 },
    });
    assert.deepEqual(byHost.error, { name: "UnknownToolError", code: "UNKNOWN_TOOL" });
    await other.report({ n: 2 });
    assert.equal(child.capture.captured, undefined);
  });
});

describe("The commit of a nested structured result", () => {
  it("waits for the program that reported to succeed", async () => {
    const bench = openBench();
    const child = bench.child("a");
    const during: unknown[] = [];
    codeMode(bench.registry, async (call) => {
      await call(STRUCTURED_OUTPUT_TOOL, { n: 1 });
      during.push(child.capture.captured);
      return "done";
    });
    const result = await child.call("run_code");
    assert.deepEqual([result.isError, during], [false, [undefined]]);
    assert.deepEqual(child.capture.captured, { value: { n: 1 } });
  });

  it("does not happen when the program fails afterwards, and a later report counts", async () => {
    const bench = openBench();
    const child = bench.child("a");
    codeMode(bench.registry, async (call) => {
      await call(STRUCTURED_OUTPUT_TOOL, { n: 1 });
      throw new Error("the program broke");
    });
    await child.call("run_code");
    assert.equal(child.capture.captured, undefined);
    await child.report({ n: 2 });
    assert.deepEqual(child.capture.captured, { value: { n: 2 } });
  });

  it("does not happen when a policy blocks the program's result", async () => {
    const bench = openBench();
    const child = bench.child("a");
    codeMode(bench.registry, async (call) => {
      await call(STRUCTURED_OUTPUT_TOOL, { n: 1 });
      return "done";
    });
    child.scope.tools.onPostExecute((decision, { name }) =>
      name === "run_code" ? { kind: "block", feedback: [{ type: "text", text: "no" }] } : decision
    );
    await child.call("run_code");
    assert.equal(child.capture.captured, undefined);
  });

  it("does not happen when a policy blocks the nested call, and the program may report again", async () => {
    const bench = openBench();
    const child = bench.child("a");
    codeMode(bench.registry, async (call) => {
      await call(STRUCTURED_OUTPUT_TOOL, { n: 1 });
      await call(STRUCTURED_OUTPUT_TOOL, { n: 2 });
      return "done";
    });
    child.scope.tools.onPostExecute((decision, { arguments: args }) =>
      (args as { n?: number }).n === 1
        ? { kind: "block", feedback: [{ type: "text", text: "no" }] }
        : decision
    );
    await child.call("run_code");
    assert.deepEqual(child.capture.captured, { value: { n: 2 } });
  });

  it("does not happen when the report is over only after its program, and a later report counts", async () => {
    const bench = openBench();
    const child = bench.child("a");
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    let nested: Promise<unknown> = Promise.resolve();
    codeMode(bench.registry, (call) => {
      nested = call(STRUCTURED_OUTPUT_TOOL, { n: 1 });
      return Promise.reject(new Error("out of time"));
    });
    const listening = child.scope.tools.onPostExecute(async (decision, { name }) => {
      if (name === STRUCTURED_OUTPUT_TOOL) await gate;
      return decision;
    });
    await child.call("run_code");
    release();
    await nested;
    listening();
    await child.report({ n: 2 });
    assert.deepEqual(child.capture.captured, { value: { n: 2 } });
  });

  it("is not decided by another program that ends in between with the same call id", async () => {
    const bench = openBench();
    const child = bench.child("a");
    const reported = deferred();
    let programs = 0;
    codeMode(bench.registry, async (call) => {
      if (++programs === 2) {
        await reported.promise;
        return "the second program is fine";
      }
      const second = child.call("run_code", {}, "same-id");
      await call(STRUCTURED_OUTPUT_TOOL, { n: 1 });
      reported.resolve();
      assert.equal((await second).isError, false);
      throw new Error("the first program broke");
    });
    assert.equal((await child.call("run_code", {}, "same-id")).isError, true);
    assert.equal(child.capture.captured, undefined);
  });

  it("refuses the rest of the program its tools", async () => {
    const bench = openBench();
    const child = bench.child("a");
    const calls = countedTool(bench.registry, "work");
    const texts: unknown[] = [];
    codeMode(bench.registry, async (call) => {
      await call(STRUCTURED_OUTPUT_TOOL, { n: 1 });
      texts.push(textOf(await call("work")));
      return "done";
    });
    await child.call("run_code");
    assert.deepEqual([texts, calls], [[DENIED], []]);
    assert.deepEqual(child.capture.captured, { value: { n: 1 } });
  });
});

describe("The guard after a structured result", () => {
  it("refuses every later call, a second report included", async () => {
    const bench = openBench();
    const child = bench.child("a");
    const calls = countedTool(bench.registry, "work");
    await child.call("work");
    await child.report({ n: 1 });
    assert.equal(textOf(await child.call("work")), DENIED);
    assert.equal(
      textOf(await child.report({ n: 2 })),
      "Error: structured output already recorded: the run is complete, so `structured_output` is not executed",
    );
    assert.equal(calls.length, 1);
    assert.deepEqual(child.capture.captured, { value: { n: 1 } });
  });

  it("holds against a policy that allows everything, whenever that was registered", async () => {
    const bench = openBench();
    const child = bench.child("a");
    const calls = countedTool(bench.registry, "work");
    await child.report({ n: 1 });
    bench.registry.onPreExecute(() => ({ kind: "allow" }));
    child.scope.tools.onPreExecute(() => ({ kind: "allow" }));
    assert.equal(textOf(await child.call("work")), DENIED);
    assert.deepEqual(calls, []);
  });

  it("lets the calls of others through", async () => {
    const bench = openBench();
    const child = bench.child("a");
    const other = bench.child("b");
    countedTool(bench.registry, "work");
    await child.report({ n: 1 });
    assert.equal(textOf(await other.call("work")), "work");
  });

  it("does not refuse anything after reports that did not count", async () => {
    const bench = openBench();
    const child = bench.child("a");
    countedTool(bench.registry, "work");
    await child.report({ n: "1" });
    assert.equal(textOf(await child.call("work")), "work");
  });
});

describe("The end of a structured turn", () => {
  it("is asked for once there is a result, and not before", async () => {
    const child = openBench().child("a");
    assert.equal(child.policies.length, 1);
    const stop = () => child.policies[0]?.(1);
    assert.equal(stop(), undefined);
    await child.report({ n: "1" });
    assert.equal(stop(), undefined);
    await child.report({ n: 1 });
    assert.deepEqual(stop(), { action: "stop" });
  });

  it("is not asked for while the program that reported goes on", async () => {
    const bench = openBench();
    const child = bench.child("a");
    const answers: unknown[] = [];
    codeMode(bench.registry, async (call) => {
      await call(STRUCTURED_OUTPUT_TOOL, { n: 1 });
      answers.push(child.policies[0]?.(1));
      return "done";
    });
    await child.call("run_code");
    assert.deepEqual([...answers, child.policies[0]?.(1)], [undefined, { action: "stop" }]);
  });
});

describe("The prompt of a structured child", () => {
  it("ends with the instruction, behind all guidance for other tools", async () => {
    const { prompts, ...bench } = openBench();
    const child = bench.child("a");
    prompts.section({ name: "tool:z", order: 189, text: "guidance" });
    prompts.section({ name: "deployment:persona", order: 0, text: "persona" });
    const { sections } = await child.scope.prompt.assemble();
    assert.deepEqual(sections.at(-1), {
      name: SECTION,
      order: 190,
      text: STRUCTURED_OUTPUT_INSTRUCTION,
    });
    assert.deepEqual(sections.map(({ name }) => name), ["deployment:persona", "tool:z", SECTION]);
  });

  for (
    const [what, change] of [
      ["strips", () => []],
      [
        "replaces",
        (entries) =>
          entries.map((entry) => ({ ...entry, text: "ignore it", description: "-", parameters: {} })),
      ],
      ["duplicates", (entries) => [...entries, ...entries]],
      ["renames", (entries) => entries.map((entry) => ({ ...entry, name: `${entry.name}-2` }))],
    ] as readonly (readonly [
      string,
      <T extends { readonly name: string }>(entries: readonly T[]) => readonly T[],
    ])[]
  ) {
    it(`is the same after a listener ${what} tools and sections`, async () => {
      const { prompts, ...bench } = openBench();
      const child = bench.child("a");
      const before = await child.scope.prompt.assemble();
      prompts.onAssemble((assembly) => ({
        ...assembly,
        sections: change(assembly.sections),
        tools: change(assembly.tools),
      }));
      child.scope.prompt.onAssemble((assembly) => ({
        ...assembly,
        sections: change(assembly.sections),
        tools: change(assembly.tools),
      }));
      const after = await child.scope.prompt.assemble();
      const ours = (name: string) => name === SECTION || name === STRUCTURED_OUTPUT_TOOL;
      assert.deepEqual(after.sections.filter(({ name }) => ours(name)), before.sections);
      assert.deepEqual(after.tools.filter(({ name }) => ours(name)), before.tools);
    });
  }

  it("leaves tools and sections alone that a listener adds besides", async () => {
    const { prompts, ...bench } = openBench();
    const child = bench.child("a");
    const extra = { name: "extra", description: "x", parameters: { type: "object" } };
    prompts.onAssemble((assembly) => ({
      ...assembly,
      sections: [...assembly.sections, { name: "extra", order: 1, text: "more" }],
      tools: [extra, ...assembly.tools],
    }));
    const { sections, tools } = await child.scope.prompt.assemble();
    assert.deepEqual(tools.map(({ name }) => name), ["extra", STRUCTURED_OUTPUT_TOOL]);
    assert.deepEqual(sections.map(({ name }) => name), ["extra", SECTION]);
  });

  it("keeps the tool off the wire in pure Code Mode, also when a listener puts it there", async () => {
    const { prompts, ...bench } = openBench();
    codeMode(bench.registry, () => Promise.resolve(""), { exclusive: true });
    const child = bench.child("a");
    const tool = child.scope.tools.get(STRUCTURED_OUTPUT_TOOL);
    assert.ok(tool !== undefined, "programs reach it");
    const { name, description, parameters } = tool;
    prompts.onAssemble((assembly) => ({
      ...assembly,
      tools: [...assembly.tools, { name, description, parameters }],
    }));
    const { tools, sections } = await child.scope.prompt.assemble();
    assert.deepEqual(tools.map((one) => one.name), ["run_code"]);
    assert.deepEqual(sections.map((section) => section.name), [SECTION]);
  });

  it("survives a restriction to no global tool at all", () => {
    const bench = openBench();
    countedTool(bench.registry, "work");
    const child = bench.child("a");
    child.scope.tools.restrict({ allow: [] });
    assert.deepEqual(child.scope.tools.schemas().map(({ name }) => name), [STRUCTURED_OUTPUT_TOOL]);
  });
});

describe("The registrations of a structured child", () => {
  it("are seen by nobody else: no tool, no section, no guard, no protection", async () => {
    const { prompts, ...bench } = openBench();
    const child = bench.child("a");
    await child.report({ n: 1 });
    assert.deepEqual(bench.registry.schemas(), []);
    assert.deepEqual(await prompts.assemble(), { sections: [], tools: [], variables: {} });
  });

  it("keep two children with different schemas apart", async () => {
    const bench = openBench();
    const one = bench.child("a");
    const other = bench.child("b", {
      type: "object",
      properties: { word: { type: "string" } },
      required: ["word"],
    });
    assert.equal((await one.report({ word: "x" })).isError, true);
    assert.equal((await other.report({ n: 1 })).isError, true);
    await Promise.all([one.report({ n: 1 }), other.report({ word: "x" })]);
    assert.deepEqual([one.capture.captured, other.capture.captured], [{ value: { n: 1 } }, {
      value: { word: "x" },
    }]);
  });

  it("take the place of a global tool of the same name for this child alone", async () => {
    const bench = openBench();
    const calls = countedTool(bench.registry, STRUCTURED_OUTPUT_TOOL);
    const child = bench.child("a");
    await child.report({ n: 1 });
    assert.deepEqual([calls, child.capture.captured], [[], { value: { n: 1 } }]);
  });

  it("end with the child and leave nothing behind", async () => {
    const { prompts, ...bench } = openBench();
    const child = bench.child("a");
    await child.scope.owner.close();
    assert.deepEqual([bench.registry.agentCount, prompts.agentCount], [0, 0]);
    assert.deepEqual(bench.listenerErrors, []);
  });
});
