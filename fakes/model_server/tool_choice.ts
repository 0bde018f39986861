/**
 * Which of an agent's tools runs a command or writes a file, and with what arguments.
 *
 * @module
 */
import type { JsonSchemaObject, Tool, ToolCall } from "./conversation.ts";
import { objectOf, objectsOf, stringOf } from "./json.ts";
import { requiredArguments, typeOf } from "./schema_example.ts";

// Every agent has its own name for these two; the first pattern that finds a tool wins.
const SHELL_TOOLS = [
  /^(local_)?(bash|shell)$/i,
  /^(shell|exec|execute|run|run_shell|run_terminal)_?(command|cmd)s?$/i,
  /shell|bash|terminal|exec|command/i,
];
const WRITE_TOOLS = [
  /^write_?(to_)?(file)?$/i,
  /^create_?(file)?$/i,
  /^(fs_write|save-file|editor|str_replace.*)$/i,
];
const PATCH_TOOL = /^apply_patch$/;

const COMMAND_FIELDS = ["command", "cmd", "commands", "script", "input"];
const PATH_FIELDS = ["file_path", "filePath", "path", "absolute_path", "filename", "file"];
const TEXT_FIELDS = ["content", "contents", "file_text", "file_content", "text"];

/**
 * Turns `TOOL:name:argument` into a call.
 *
 * @param name `bash`, `write`, or the exact name of a tool.
 * @param argument A command, `path:text`, or JSON arguments (what is no JSON object counts as none given: the tool's
 * required arguments are made up).
 * @returns The call, or undefined when the agent offers no such tool.
 */
export function chooseTool(name: string, argument: string, tools: readonly Tool[]): ToolCall | undefined {
  if (name === "bash") return commandCall(argument, firstMatch(tools, SHELL_TOOLS));
  if (name === "write") {
    const colon = argument.indexOf(":");
    const [path, text] = colon < 0 ? [argument, ""] : [argument.slice(0, colon), argument.slice(colon + 1)];
    return writeCall(path, text, firstMatch(tools, [...WRITE_TOOLS, PATCH_TOOL]));
  }
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return undefined;
  if (tool.kind === "freeform") return { kind: "freeform", name, input: argument };
  return { kind: "function", name, arguments: jsonObject(argument) ?? requiredArguments(tool.parameters) };
}

function commandCall(command: string, tool: Tool | undefined): ToolCall | undefined {
  if (tool === undefined) return undefined;
  const { name, kind, parameters } = tool;
  const words = ["bash", "-lc", command];
  if (kind === "local-shell") return { kind, name, command: words };
  if (kind === "freeform") return { kind, name, input: command };
  const properties = objectOf(parameters["properties"]);
  const field = COMMAND_FIELDS.find((one) => one in properties) ?? "command";
  const many = field === "commands" ? [command] : words;
  return {
    kind: "function",
    name,
    arguments: {
      ...requiredArguments(parameters),
      [field]: takesArray(objectOf(properties[field])) ? many : command,
      ...escalation(properties),
    },
  };
}

// Codex asks for permission only when the model says that the sandbox is in its way.
function escalation(properties: JsonSchemaObject): JsonSchemaObject {
  if (!("sandbox_permissions" in properties)) return {};
  const justification = "justification" in properties
    ? { justification: "The sandbox does not allow it" }
    : {};
  return { sandbox_permissions: "require_escalated", ...justification };
}

function writeCall(path: string, text: string, tool: Tool | undefined): ToolCall | undefined {
  if (tool === undefined) return undefined;
  const { name, kind, parameters } = tool;
  const properties = objectOf(parameters["properties"]);
  if (PATCH_TOOL.test(name)) {
    const patch = `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch\n`;
    if (kind === "freeform") return { kind, name, input: patch };
    return { kind: "function", name, arguments: { [Object.keys(properties)[0] ?? "input"]: patch } };
  }
  const command = objectOf(properties["command"])["enum"];
  return {
    kind: "function",
    name,
    arguments: {
      ...requiredArguments(parameters),
      ...(Array.isArray(command) && command.includes("create") ? { command: "create" } : {}),
      [PATH_FIELDS.find((one) => one in properties) ?? "path"]: path,
      [TEXT_FIELDS.find((one) => one in properties) ?? "content"]: text,
    },
  };
}

function firstMatch(tools: readonly Tool[], patterns: readonly RegExp[]): Tool | undefined {
  return patterns.map((pattern) => tools.find(({ name }) => pattern.test(name))).find((tool) =>
    tool !== undefined
  );
}

function takesArray(schema: JsonSchemaObject): boolean {
  return typeOf(schema) === "array" ||
    objectsOf(schema["anyOf"]).some((one) => stringOf(one["type"]) === "array");
}

function jsonObject(text: string): JsonSchemaObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as JsonSchemaObject
      : undefined;
  } catch {
    return undefined;
  }
}
