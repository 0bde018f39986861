import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callTools, say } from "../agent/scripted_model_fixtures_test.ts";
import { type Answer, openRig, type Script } from "./runtime_fixtures_test.ts";
import { STRUCTURED_OUTPUT_INSTRUCTION } from "./structured_runtime.ts";

const outputSchema = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
};

const runs = (code: string): Answer => callTools(["run_code", { code }]);
const openCodeRig = (script?: Script) => openRig(script, {}, { mode: "code" });

describe("A run with a schema in Code Mode", () => {
  it("gives what a program reported, and the turn ends with the program", async () => {
    const rig = await openCodeRig(() => runs("await tools.structured_output({ n: 1 }); return 'done';"));
    const run = rig.start({ outputSchema });
    const { structured, stopReason } = await run.result;
    assert.deepEqual([structured, stopReason, rig.model.requests.length], [{ n: 1 }, "completed", 1]);
    await run.dispose();
    await rig.close();
  });

  it("lets a program try again after arguments that do not fit", async () => {
    const rig = await openCodeRig(() =>
      runs(`
        try {
          await tools.structured_output({ n: "one" });
        } catch (error) {
          await tools.structured_output({ n: error.message.includes("must be an integer") ? 2 : 0 });
        }`)
    );
    const run = rig.start({ outputSchema });
    assert.deepEqual((await run.result).structured, { n: 2 });
    await run.dispose();
    await rig.close();
  });

  it("goes on when a program broke behind its report, which does not count", async () => {
    const rig = await openCodeRig((_, count) =>
      count === 1 ? runs("await tools.structured_output({ n: 1 }); throw new Error('broken');") : say("sorry")
    );
    const run = rig.start({ outputSchema });
    assert.deepEqual(await run.result, { output: [{ type: "text", text: "sorry" }], stopReason: "error" });
    const results = rig.model.requests[1]?.messages.filter(({ role }) => role === "tool") ?? [];
    assert.match(JSON.stringify(results), /Error: code run failed .*broken/);
    await run.dispose();
    await rig.close();
  });

  it("denies what a program wants to do behind its report", async () => {
    let ran = 0;
    const rig = await openCodeRig(() =>
      runs("await tools.structured_output({ n: 1 }); await tools.work({}).catch(() => {});")
    );
    rig.runtime.tools.register({
      name: "work",
      description: "",
      parameters: { type: "object" },
      execute: () => `${++ran}`,
    });
    const run = rig.start({ outputSchema });
    assert.deepEqual((await run.result).structured, { n: 1 });
    assert.equal(ran, 0);
    await run.dispose();
    await rig.close();
  });

  it("finds its tool in the protected declaration of the program's tools, and nowhere else", async () => {
    const rig = await openCodeRig(() => runs("await tools.structured_output({ n: 1 });"));
    rig.runtime.prompt.onAssemble((assembly) => ({ ...assembly, sections: [], tools: [] }));
    const run = rig.start({ outputSchema });
    assert.deepEqual((await run.result).structured, { n: 1 });
    const [request] = rig.model.requests;
    assert.deepEqual(request?.tools.map(({ name }) => name), ["run_code"]);
    const [declaration = "", instruction] = request?.system.split(/\n\n(?=When you have)/) ?? [];
    assert.match(declaration, /structured_output\(args: \{ n: number;? \}\): Promise<string>/);
    assert.equal(instruction, STRUCTURED_OUTPUT_INSTRUCTION);
    await run.dispose();
    await rig.close();
  });

  it("cannot be cut off from its transport: a filter that names it is refused", async () => {
    const rig = await openCodeRig();
    const run = rig.start({ outputSchema, toolFilter: { deny: ["run_code"] } });
    await assert.rejects(run.started, /cannot name reserved Code Mode presentation transport "run_code"/);
    await run.dispose();
    await rig.close();
  });
});
