import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { completed, providerOf, runOf } from "../jobs/delegation_fixtures_test.ts";
import { Subagents } from "../seam/subagents.ts";
import type { SubagentParent, SubagentResult } from "../seam/types.ts";
import { toAgentTool } from "./agent_tool.ts";
import { subagentTool } from "./subagent_tool.ts";

/** The delegation tool as a runtime has it, and who its children's parents were. */
function toolOf(result: SubagentResult) {
  const parents: SubagentParent[] = [];
  const subagents = new Subagents();
  subagents.register(providerOf({
    start: ({ parent }) => {
      parents.push(parent);
      return Promise.resolve(runOf({ result }));
    },
  }));
  const tool = subagentTool(subagents, { provider: "stub", maxDepth: "provider-managed" });
  return { tool, adapted: toAgentTool(tool), parents };
}

describe("toAgentTool()", () => {
  const TASK = { description: "look around", prompt: "what is there" };
  const agent = { id: "agent-1", cwd: "/srv", options: {} };

  it("keeps name, description and schema", () => {
    const { tool, adapted } = toolOf(completed("yes"));
    const { name, description, parameters } = adapted;
    assert.deepEqual({ name, description, parameters }, {
      name: "subagent",
      description: tool.description,
      parameters: tool.inputSchema,
    });
  });

  it("makes the calling agent itself the parent, and gives the answer", async () => {
    const { adapted, parents } = toolOf(completed("yes"));
    assert.equal(await adapted.execute(TASK, { agent }), "yes");
    assert.equal(parents[0], agent);
  });

  it("throws what the model is to see", async () => {
    const { adapted } = toolOf({ stopReason: "refusal", output: [] });
    await assert.rejects(adapted.execute(TASK, { agent }), { message: "subagent declined the task" });
    await assert.rejects(adapted.execute(TASK, {}), {
      message: "subagent tool requires a calling agent (exec.agent was undefined)",
    });
    await assert.rejects(adapted.execute(null, { agent }), { name: "ToolArgsError", code: "INVALID_ARGS" });
    await assert.rejects(adapted.execute(TASK, { agent, signal: AbortSignal.abort() }), {
      message: "tool call aborted before dispatch",
    });
  });
});
