import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Agent } from "../agent.ts";
import { fakeAgent, unfrozenIn } from "../agent_fixtures_test.ts";
import { InactiveScopeError } from "../scope/inactive_scope_error.ts";
import { namedTool, workshop } from "../tools/tool_fixtures_test.ts";
import type { PromptAssembly, PromptHost, PromptSection } from "./prompt_types.ts";
import { renderPrompt } from "./render_prompt.ts";
import { IDENTITY_SECTION, PERSONA_SECTION } from "./section_names.ts";
import { SystemPrompt } from "./system_prompt.ts";

const bad = <T>(value: unknown) => value as T;

/** Makes system prompts with tools of these names and one agent. */
function study(toolNames: readonly string[] = []) {
  const { registry: tools, owner, agent, scoped: scopedTools } = workshop(toolNames);
  const prompts = new SystemPrompt({ tools });
  return { tools, scopedTools, owner, agent, prompts, scoped: prompts.openAgent(owner, agent) };
}

function plain(name: string, order = 0, text = name): PromptSection {
  return { name, order, text };
}

/** Names of sections and tools, as the model gets them. */
async function outline(prompts: PromptHost, agent?: Agent): Promise<string> {
  const { sections, tools } = await prompts.assemble(agent);
  return [sections, tools].map((list) => list.map(({ name }) => name).join(",")).join(" | ");
}

async function textFor(prompts: PromptHost, agent?: Agent): Promise<string> {
  return renderPrompt(await prompts.assemble(agent));
}

describe("SystemPrompt.section()", () => {
  it("orders sections by order, and those of one order by name", async () => {
    const { prompts } = study();
    for (
      const [name, order] of [["b", 1], ["z", -100], ["a", 1], ["B", 1], ["m", 0.5], ["c", 1], [
        "zero",
        -0,
      ]] as const
    ) {
      prompts.section(plain(name, order));
    }
    assert.equal(await outline(prompts), "z,zero,m,B,a,b,c | ");
  });

  it("shows a scoped section to its agent alone", async () => {
    const { prompts, agent, scoped } = study();
    prompts.section(plain("global", 1));
    scoped.section(plain("own", 0));
    assert.equal(await outline(prompts), "global | ");
    assert.equal(await outline(prompts, agent), "own,global | ");
    assert.equal(await outline(scoped), "own,global | ");
  });

  it("puts a persona of one agent in the place of that of the deployment, and gives it back", async () => {
    const { prompts, agent, scoped } = study();
    prompts.section({ ...IDENTITY_SECTION, text: "You run in a harness." });
    prompts.section({ ...PERSONA_SECTION, text: "You are the deployment." });
    prompts.section(plain("tool:read", 100, "Read files."));
    const takeOut = scoped.section({ ...PERSONA_SECTION, text: "You are a pirate." });
    assert.equal(await textFor(prompts, agent), "You run in a harness.\n\nYou are a pirate.\n\nRead files.");
    assert.equal(await textFor(prompts), "You run in a harness.\n\nYou are the deployment.\n\nRead files.");
    takeOut();
    assert.equal(
      await textFor(prompts, agent),
      "You run in a harness.\n\nYou are the deployment.\n\nRead files.",
    );
  });

  it("takes the persona of the deployment away when that of the agent is empty", async () => {
    const { prompts, agent, scoped } = study();
    prompts.section({ ...PERSONA_SECTION, text: "You are the deployment." });
    scoped.section({ ...PERSONA_SECTION, text: "" });
    assert.equal(await textFor(prompts, agent), "");
  });

  it("puts a scoped section where its own order says", async () => {
    const { prompts, agent, scoped } = study();
    prompts.section(plain("a", 0));
    prompts.section(plain("b", 1));
    scoped.section(plain("a", 2));
    assert.equal(await outline(prompts, agent), "b,a | ");
  });

  it("makes the text anew for each prompt, for the agent that it is for", async () => {
    const { registry: tools, owner, agent } = workshop();
    const prompts = new SystemPrompt({ tools, variables: (agent) => ({ id: agent?.id ?? "nobody" }) });
    prompts.openAgent(owner, agent);
    let times = 0;
    prompts.section({
      name: "s",
      order: 0,
      text: ({ agent, variables }) => `${agent?.id} ${variables.id} ${++times}`,
    });
    assert.equal(await textFor(prompts, agent), "a a 1");
    assert.equal(await textFor(prompts), "undefined nobody 2");
  });

  it("does not follow the object it was given", async () => {
    const { prompts } = study();
    const section = { name: "s", order: 0, text: "before" };
    prompts.section(section);
    section.text = "after";
    assert.equal(await textFor(prompts), "before");
  });

  it("keeps literal text as it is", async () => {
    const { prompts } = study();
    prompts.section({ name: "tools:sdk", order: 150, text: "`{{mustache}}`", literal: true });
    assert.deepEqual((await prompts.assemble()).sections, [
      { name: "tools:sdk", order: 150, text: "`{{mustache}}`", literal: true },
    ]);
    assert.equal(await textFor(prompts), "`{{mustache}}`");
  });

  it("is taken out once, whatever has its name by then", async () => {
    const { prompts } = study();
    const takeOut = prompts.section(plain("s"));
    takeOut();
    prompts.section(plain("s"));
    takeOut();
    assert.equal(await outline(prompts), "s | ");
  });

  const refused: readonly (readonly [string, unknown, string])[] = [
    ["no object", "text", "system prompt section must be an object, got string"],
    [
      "no name",
      { order: 0, text: "" },
      "system prompt section name must be a non-empty string, got undefined",
    ],
    ["an empty name", plain(""), 'system prompt section name must be a non-empty string, got ""'],
    [
      "no order",
      { name: "s", text: "" },
      'system prompt section "s" order must be a finite number, got undefined',
    ],
    [
      "an infinite order",
      plain("s", Infinity),
      'system prompt section "s" order must be a finite number, got number',
    ],
    [
      "no text",
      { name: "s", order: 0 },
      'system prompt section "s" text must be a string or a function, got undefined',
    ],
    [
      "a flag that is none",
      { ...plain("s"), literal: "yes" },
      'system prompt section "s" literal must be a boolean, got string',
    ],
  ];
  for (const [what, section, message] of refused) {
    it(`refuses a section with ${what}`, () =>
      assert.throws(() => study().prompts.section(bad(section)), new TypeError(message)));
  }

  it("refuses a second section of a name in one place", () => {
    const { prompts, scoped } = study();
    prompts.section(plain("s"));
    scoped.section(plain("s"));
    assert.throws(
      () => prompts.section(plain("s")),
      new Error('system prompt section "s" is already registered in the global layer'),
    );
    assert.throws(
      () => scoped.section(plain("s")),
      new Error('system prompt section "s" is already registered in the layer of agent "a"'),
    );
  });
});

describe("SystemPrompt.assemble()", () => {
  it("gives sections, the tools that the agent sees, and variables, deep-frozen", async () => {
    const { tools, scopedTools, agent, prompts, scoped } = study(["read", "write"]);
    prompts.section(plain("s", 1, "text"));
    scopedTools.restrict({ deny: ["write"] });
    scopedTools.register(namedTool("own"));
    const assembly = await scoped.assemble();
    assert.deepEqual(assembly, {
      sections: [{ name: "s", order: 1, text: "text" }],
      tools: tools.schemas(agent),
      variables: {},
    });
    assert.deepEqual(assembly.tools.map(({ name }) => name), ["read", "own"]);
    assert.deepEqual(unfrozenIn(assembly), []);
  });

  it("rejects for an agent that is disposed or of another runtime", async () => {
    const { prompts, owner, agent } = study();
    await owner.close();
    for (const stranger of [agent, fakeAgent("a")]) {
      await assert.rejects(
        prompts.assemble(stranger),
        new Error('Cannot assemble the system prompt of agent "a": it is disposed, or of another runtime'),
      );
    }
  });

  it("rejects with what a section throws", async () => {
    const { prompts } = study();
    const error = new Error("broken");
    prompts.section({
      name: "s",
      order: 0,
      text: () => {
        throw error;
      },
    });
    await assert.rejects(prompts.assemble(), error);
  });

  it("rejects when a section makes no text", async () => {
    const { prompts } = study();
    prompts.section({ name: "s", order: 0, text: () => bad(undefined) });
    await assert.rejects(
      prompts.assemble(),
      new TypeError('system prompt section "s" text must be a string, got undefined'),
    );
  });
});

describe("SystemPrompt.onAssemble()", () => {
  it("hands listeners the assembly of the one before, global ones before scoped, and the agent", async () => {
    const { prompts, scoped, agent } = study();
    const seen: unknown[] = [];
    for (const [place, host] of [["scoped", scoped], ["global", prompts]] as const) {
      host.onAssemble((assembly, context) => {
        seen.push([place, assembly.sections.map(({ name }) => name), context.agent === agent]);
        return { ...assembly, sections: [...assembly.sections, { name: place, order: 9, text: place }] };
      });
    }
    assert.equal(await outline(scoped), "global,scoped | ");
    assert.deepEqual(seen, [["global", [], true], ["scoped", ["global"], true]]);
    seen.length = 0;
    await prompts.assemble();
    assert.deepEqual(seen, [["global", [], false]]);
  });

  it("may change sections, tools and variables, later on too", async () => {
    const { prompts } = study(["read"]);
    prompts.section(plain("s", 0, "in {{where}}"));
    const takeOut = prompts.onAssemble((assembly) =>
      Promise.resolve({ ...assembly, tools: [], variables: { where: "there" } })
    );
    assert.equal(await textFor(prompts), "in there");
    assert.equal(await outline(prompts), "s | ");
    takeOut();
    assert.equal(await outline(prompts), "s | read");
  });

  it("leaves the order of listeners alone", async () => {
    const { prompts } = study(["x", "y"]);
    prompts.section(plain("a", 0));
    prompts.section(plain("b", 1));
    prompts.onAssemble(({ sections, tools, variables }) => ({
      sections: [...sections].reverse(),
      tools: [...tools].reverse(),
      variables,
    }));
    assert.equal(await outline(prompts), "b,a | y,x");
  });

  it("gets what it cannot change in place", async () => {
    const { prompts } = study(["read"]);
    prompts.section(plain("s"));
    prompts.onAssemble((assembly) => {
      assert.deepEqual(unfrozenIn(assembly), []);
      return assembly;
    });
    await prompts.assemble();
  });

  it("detaches what a listener returns", async () => {
    const { prompts } = study();
    const section = { name: "s", order: 0, text: "before" };
    prompts.onAssemble((assembly) => ({ ...assembly, sections: [section] }));
    prompts.onAssemble((assembly) => {
      section.text = "after";
      return assembly;
    });
    assert.equal(await textFor(prompts), "before");
  });

  it("rejects with what a listener throws", async () => {
    const { prompts } = study();
    const error = new Error("broken");
    prompts.onAssemble(() => Promise.reject(error));
    await assert.rejects(prompts.assemble(), error);
  });

  const whole: PromptAssembly = { sections: [], tools: [], variables: {} };
  const section = { name: "s", order: 0, text: "" };
  const tool = { name: "t", description: "", parameters: {} };
  const malformed: readonly (readonly [string, unknown])[] = [
    ["nothing", undefined],
    ["a text", "prompt"],
    ["what JSON loses something of", { ...whole, more: undefined }],
    ["no sections", { tools: [], variables: {} }],
    ["no tools", { sections: [], variables: {} }],
    ["no variables", { sections: [], tools: [] }],
    ["a section that is a text", { ...whole, sections: ["s"] }],
    ["a section without name", { ...whole, sections: [{ order: 0, text: "" }] }],
    ["a section without order", { ...whole, sections: [{ name: "s", text: "" }] }],
    ["a section without text", { ...whole, sections: [{ name: "s", order: 0 }] }],
    ["a section with a flag that is none", { ...whole, sections: [{ ...section, literal: 1 }] }],
    ["a tool that is null", { ...whole, tools: [null] }],
    ["a tool without name", { ...whole, tools: [{ ...tool, name: 1 }] }],
    ["a tool without description", { ...whole, tools: [{ ...tool, description: 1 }] }],
    ["a tool without parameters", { ...whole, tools: [{ ...tool, parameters: [] }] }],
    ["a variable that is no text", { ...whole, variables: { a: 1 } }],
  ];
  for (const [what, value] of malformed) {
    it(`rejects when a listener returns ${what}`, async () => {
      const { prompts } = study();
      prompts.onAssemble(() => bad(value));
      await assert.rejects(
        prompts.assemble(),
        new TypeError(
          "systemPrompt.onAssemble() listener returned an invalid assembly; " +
            "expected { sections, tools, variables } that is losslessly JSON-serializable",
        ),
      );
    });
  }

  it("refuses what is no function", () => {
    assert.throws(
      () => study().prompts.onAssemble(bad(1)),
      new TypeError("systemPrompt.onAssemble() takes a function, got number"),
    );
  });
});

describe("SystemPrompt.protect()", () => {
  /** A prompt of sections a, b, c and tools x, y, z, and a listener that turns everything over. */
  function overturned(listener: (assembly: PromptAssembly) => PromptAssembly) {
    const parts = study(["x", "y", "z"]);
    for (const [order, name] of [..."abc"].entries()) parts.prompts.section(plain(name, order));
    parts.prompts.onAssemble(listener);
    return parts;
  }
  const strip = (assembly: PromptAssembly): PromptAssembly => ({ ...assembly, sections: [], tools: [] });

  it("brings sections and tools back that listeners stripped", async () => {
    const { prompts } = overturned(strip);
    assert.equal(await outline(prompts), " | ");
    const takeOut = prompts.protect({ sections: ["b"], tools: ["z", "x"] });
    assert.equal(await outline(prompts), "b | x,z");
    takeOut();
    assert.equal(await outline(prompts), " | ");
  });

  it("undoes replacing, moving and duplicating", async () => {
    const { prompts } = overturned(({ sections, tools, variables }) => ({
      sections: [...sections.slice(1), { name: "a", order: 0, text: "replaced" }, ...sections],
      tools: tools.map((tool) => ({ ...tool, description: "replaced" })),
      variables,
    }));
    prompts.protect({ sections: ["a"], tools: ["y"] });
    const { sections, tools } = await prompts.assemble();
    assert.deepEqual(sections.map(({ name, text }) => `${name}=${text}`), [
      "a=a",
      "b=b",
      "c=c",
      "b=b",
      "c=c",
    ]);
    assert.deepEqual(tools.map(({ description }) => description), ["replaced", "The y tool", "replaced"]);
  });

  it("drops injected copies of what was absent on purpose", async () => {
    const { prompts } = overturned((assembly) => ({
      ...assembly,
      tools: [...assembly.tools, { name: "structured_output", description: "", parameters: {} }],
    }));
    prompts.protect({ tools: ["structured_output"] });
    assert.equal(await outline(prompts), "a,b,c | x,y,z");
  });

  it("of one agent holds for its prompts alone", async () => {
    const { prompts, agent, scoped } = overturned(strip);
    scoped.protect({ sections: ["b"], tools: ["y"] });
    assert.equal(await outline(prompts, agent), "b | y");
    assert.equal(await outline(prompts), " | ");
  });

  it("of one agent adds up with that of all", async () => {
    const { prompts, agent, scoped } = overturned(strip);
    prompts.protect({ sections: ["a"] });
    scoped.protect({ sections: ["c"] });
    assert.equal(await outline(prompts, agent), "a,c | ");
  });

  it("of one agent covers what the agent shadows with", async () => {
    const { prompts, agent, scoped } = overturned(strip);
    scoped.section(plain("b", 1, "own"));
    scoped.protect({ sections: ["b"] });
    assert.equal(await textFor(prompts, agent), "own");
  });

  it("of all keeps agents from shadowing the section, those that shadow it already included", async () => {
    const { prompts, agent, scoped } = overturned((assembly) => assembly);
    scoped.section(plain("b", 1, "own"));
    assert.equal(await textFor(prompts, agent), "a\n\nown\n\nc");
    const takeOut = prompts.protect({ sections: ["b", "d"] });
    assert.equal(await textFor(prompts, agent), "a\n\nb\n\nc");
    for (const name of ["b", "d"]) {
      assert.throws(
        () => scoped.section(plain(name)),
        new Error(`system prompt section "${name}" is protected for every agent; a scope cannot shadow it`),
      );
    }
    prompts.section(plain("d", 9));
    assert.equal(await textFor(prompts, agent), "a\n\nb\n\nc\n\nd");
    takeOut();
    assert.equal(await textFor(prompts, agent), "a\n\nown\n\nc\n\nd");
  });

  const refused: readonly (readonly [string, unknown, Error])[] = [
    ["nothing", {}, new Error("systemPrompt.protect() requires at least one section or tool name")],
    [
      "empty lists",
      { sections: [], tools: [] },
      new Error("systemPrompt.protect() requires at least one section or tool name"),
    ],
    ["no object", null, new TypeError("systemPrompt.protect() protection must be an object, got null")],
    [
      "a list that is none",
      { sections: "a" },
      new TypeError('systemPrompt.protect() "sections" must be an array of strings, got string'),
    ],
    [
      "a name that is none",
      { sections: ["a"], tools: [1] },
      new TypeError('systemPrompt.protect() "tools"[0] must be a string, got number'),
    ],
  ];
  for (const [what, protection, error] of refused) {
    it(`refuses ${what}`, () => assert.throws(() => study().prompts.protect(bad(protection)), error));
  }
});

describe("SystemPrompt.openAgent()", () => {
  it("leaves nothing of an agent when its owner closes", async () => {
    const { prompts, owner, scoped } = study();
    scoped.section(plain("own"));
    assert.equal(prompts.agentCount, 1);
    await owner.close();
    assert.equal(prompts.agentCount, 0);
  });

  const late: readonly (readonly [string, (scoped: PromptHost) => unknown])[] = [
    ["add a section", (scoped) => scoped.section(plain("late"))],
    ["protect a prompt", (scoped) => scoped.protect({ sections: ["late"] })],
    ["add a listener", (scoped) => scoped.onAssemble((assembly) => assembly)],
  ];
  for (const [action, act] of late) {
    it(`refuses to ${action} when the owner is not active`, async () => {
      const { owner, scoped } = study();
      await owner.close();
      assert.throws(() => act(scoped), (error) => {
        assert.ok(InactiveScopeError.is(error));
        assert.equal(error.message, `Cannot ${action}: inactive context "agent a" is closed`);
        return true;
      });
    });
  }
});
