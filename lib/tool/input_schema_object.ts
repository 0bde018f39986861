/**
 * A tool's input schema in the shape that libraries take without knowing where it comes from.
 *
 * @module
 */
import type { ModelTool } from "./model_tool.ts";
import { inputViolations } from "./tool_input.ts";

/** What a library may ask a schema to be written in. Ours are plain enough to be the same in all of them. */
export interface JsonSchemaTarget {
  /** The dialect. */
  readonly target: string;
}

/** What holding a value against a schema gives. */
export type SchemaVerdict =
  | { readonly value: Record<string, unknown>; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** A schema as the Standard Schema and Standard JSON Schema specifications have it (version 1). */
export interface StandardInputSchema {
  /** The one property that these specifications ask for. */
  readonly "~standard": {
    /** Version of the specification. */
    readonly version: 1;
    /** Whose schema it is. */
    readonly vendor: "@subagent/seam";
    /** For type inference only. */
    readonly types?: {
      readonly input: Record<string, unknown>;
      readonly output: Record<string, unknown>;
    };
    /** Holds a value against the schema. */
    readonly validate: (value: unknown) => SchemaVerdict;
    /** Writes the schema down; a fresh copy each time. */
    readonly jsonSchema: {
      readonly input: (options: JsonSchemaTarget) => Record<string, unknown>;
      readonly output: (options: JsonSchemaTarget) => Record<string, unknown>;
    };
  };
}

/** Makes the schema object of a tool's input. */
export function standardInputSchema({ inputSchema }: Pick<ModelTool, "inputSchema">): StandardInputSchema {
  const write = () => structuredClone(inputSchema) as Record<string, unknown>;
  return {
    "~standard": {
      version: 1,
      vendor: "@subagent/seam",
      validate: (value) => {
        const violations = inputViolations(inputSchema, value);
        return violations.length === 0
          ? { value: value as Record<string, unknown> }
          : { issues: violations.map((message) => ({ message })) };
      },
      jsonSchema: { input: write, output: write },
    },
  };
}
