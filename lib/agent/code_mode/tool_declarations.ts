/**
 * Tools as declarations that a model reads to write programs.
 *
 * @module
 */
import type { ToolSchema } from "../tools/tool_types.ts";
import { SchemaTypes } from "./schema_types.ts";
import { docComment, propertyName } from "./type_text.ts";

/** Declares tools in TypeScript, as an object `tools`. Nothing that a description or a name holds leaves its place. */
export function declareTools(tools: readonly ToolSchema[]): string {
  return `declare const tools: {\n${tools.map(declareTool).join("")}};`;
}

function declareTool({ name, description, parameters }: ToolSchema): string {
  const { required } = parameters;
  const mark = Array.isArray(required) && required.length > 0 ? "" : "?";
  const type = new SchemaTypes(parameters).typeOf(parameters);
  return `${docComment(description, "  ")}  ${propertyName(name)}(args${mark}: ${type}): Promise<string>;\n`;
}
