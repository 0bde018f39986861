/**
 * What a request may ask of a provider.
 *
 * @module
 */
import { isDepth } from "./depth_error.ts";
import { SubagentError } from "./errors.ts";
import type { SubagentCapabilities, SubagentProvider, SubagentStartRequest } from "./types.ts";

/** The fields of a request that need a capability, in the order in which they are looked at. */
const guarded: readonly (readonly [keyof SubagentStartRequest, keyof SubagentCapabilities])[] = [
  ["agentOptions", "agentOptions"],
  ["outputSchema", "outputSchema"],
  ["maxDepth", "depthLimit"],
  ["toolFilter", "toolFilter"],
  ["persona", "persona"],
];

/** The fields of a request, each read once, none checked yet. */
export type UncheckedRequest = { readonly [Field in keyof SubagentStartRequest]?: unknown };

/**
 * Refuses a request that needs more than the provider is able to enforce. Every value but `undefined` counts as
 * asked for: `maxDepth: 0` and `persona: ""` do.
 *
 * @throws {SubagentError} `UNSUPPORTED_CAPABILITY`, naming the first capability that is missing.
 */
export function assertCapabilities(provider: SubagentProvider, request: UncheckedRequest): void {
  for (const [field, capability] of guarded) {
    if (request[field] === undefined || provider.capabilities[capability]) continue;
    throw new SubagentError(
      "UNSUPPORTED_CAPABILITY",
      `subagent provider "${provider.name}" does not support the "${capability}" capability`,
    );
  }
}

/**
 * Checks a depth cap. Negative zero is refused with the other numbers that are no depth.
 *
 * @throws {TypeError} When it is given and no non-negative safe integer.
 */
export function assertMaxDepth(value: unknown): asserts value is number | undefined {
  if (value !== undefined && !isDepth(value)) {
    throw new TypeError("subagent maxDepth must be a non-negative safe integer");
  }
}

/**
 * Checks a persona.
 *
 * @throws {TypeError} When it is given and no string.
 */
export function assertPersona(value: unknown): asserts value is string | undefined {
  if (value !== undefined && typeof value !== "string") {
    throw new TypeError("subagent persona must be a string");
  }
}
