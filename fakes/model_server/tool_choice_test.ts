import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonSchemaObject, Tool, ToolCall } from "./conversation.ts";
import { chooseTool } from "./tool_choice.ts";

function tool(name: string, properties: JsonSchemaObject = {}, required: readonly string[] = []): Tool {
  return { name, kind: "function", parameters: { type: "object", properties, required } };
}

function called(name: string, args: JsonSchemaObject): ToolCall {
  return { kind: "function", name, arguments: args };
}

const text = { type: "string" };

describe("chooseTool() for bash", () => {
  const rows: [fact: string, tools: Tool[], call: ToolCall | undefined][] = [
    [
      "finds a tool of that name",
      [tool("read"), tool("Bash", { command: text })],
      called("Bash", { command: "ls -l" }),
    ],
    ["prefers the plain name to one that merely speaks of commands", [
      tool("list_commands", { command: text }),
      tool("run_shell_command", { command: text }),
    ], called("run_shell_command", { command: "ls -l" })],
    [
      "finds any tool that sounds like one",
      [tool("launch_terminal", { cmd: text })],
      called("launch_terminal", { cmd: "ls -l" }),
    ],
    ["makes up what else is required", [
      tool("bash", { command: text, description: text, background: { type: "boolean" } }, [
        "command",
        "description",
        "background",
      ]),
    ], called("bash", { command: "ls -l", description: "text", background: false })],
    ["wraps the command in a shell where words are wanted", [
      tool("shell", { command: { type: "array", items: text } }),
    ], called("shell", { command: ["bash", "-lc", "ls -l"] })],
    ["passes one command where a list of commands is wanted", [
      tool("run_commands", { commands: { type: "array" } }),
    ], called("run_commands", { commands: ["ls -l"] })],
    [
      "asks to leave the sandbox where that is an argument",
      [
        tool("exec_command", { cmd: text, sandbox_permissions: text, justification: text }),
      ],
      called("exec_command", {
        cmd: "ls -l",
        sandbox_permissions: "require_escalated",
        justification: "The sandbox does not allow it",
      }),
    ],
    ["calls OpenAI's local shell by its own item", [{
      name: "local_shell",
      kind: "local-shell",
      parameters: {},
    }], {
      kind: "local-shell",
      name: "local_shell",
      command: ["bash", "-lc", "ls -l"],
    }],
    ["passes the bare command to a free-form tool", [{ name: "shell", kind: "freeform", parameters: {} }], {
      kind: "freeform",
      name: "shell",
      input: "ls -l",
    }],
    ["finds nothing among other tools", [tool("read"), tool("grep")], undefined],
  ];
  for (const [fact, tools, call] of rows) {
    it(fact, () => assert.deepEqual(chooseTool("bash", "ls -l", tools), call));
  }
});

describe("chooseTool() for write", () => {
  const patch = "*** Begin Patch\n*** Add File: a.txt\n+b:c\n*** End Patch\n";
  const rows: [fact: string, tools: Tool[], call: ToolCall | undefined][] = [
    [
      "splits path and text at the first colon",
      [tool("Write", { file_path: text, content: text })],
      called("Write", {
        file_path: "a.txt",
        content: "b:c",
      }),
    ],
    ["names the subcommand of an editor", [
      tool("str_replace_editor", { command: { enum: ["view", "create"] }, path: text, file_text: text }, [
        "command",
      ]),
    ], called("str_replace_editor", { command: "create", path: "a.txt", file_text: "b:c" })],
    ["writes a patch as free text", [{ name: "apply_patch", kind: "freeform", parameters: {} }], {
      kind: "freeform",
      name: "apply_patch",
      input: patch,
    }],
    [
      "writes a patch as argument",
      [tool("apply_patch", { input: text })],
      called("apply_patch", { input: patch }),
    ],
    ["finds nothing among other tools", [tool("read")], undefined],
  ];
  for (const [fact, tools, call] of rows) {
    it(fact, () => assert.deepEqual(chooseTool("write", "a.txt:b:c", tools), call));
  }
});

describe("chooseTool() by name", () => {
  it("passes JSON arguments on", () => {
    assert.deepEqual(
      chooseTool("delegate", '{"task":"x"}', [tool("delegate")]),
      called("delegate", { task: "x" }),
    );
  });
  it("makes up required arguments when the text is no JSON object", () => {
    const delegate = tool("delegate", { task: text }, ["task"]);
    assert.deepEqual(chooseTool("delegate", "[1]", [delegate]), called("delegate", { task: "text" }));
    assert.deepEqual(chooseTool("delegate", "{", [delegate]), called("delegate", { task: "text" }));
  });
  it("passes the text of a free-form tool on as it is", () => {
    const tools: Tool[] = [{ name: "note", kind: "freeform", parameters: {} }];
    assert.deepEqual(chooseTool("note", "{a", tools), { kind: "freeform", name: "note", input: "{a" });
  });
  it("finds no tool that is not offered", () => {
    assert.equal(chooseTool("delegate", "{}", [tool("other")]), undefined);
  });
});
