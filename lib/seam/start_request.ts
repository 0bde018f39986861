/**
 * From the request of a host to the request that a provider gets.
 *
 * @module
 */
import { assertOutputSchema } from "../schema/assert_output_schema.ts";
import type { ContentBlock } from "./content.ts";
import { SubagentError } from "./errors.ts";
import { isRecord, kindOf } from "./kind_of.ts";
import { assertCapabilities, assertMaxDepth, assertPersona, type UncheckedRequest } from "./start_gate.ts";
import type {
  ProviderStartRequest,
  SubagentDescriptor,
  SubagentParent,
  SubagentProvider,
  SubagentStartRequest,
  SubagentToolFilter,
} from "./types.ts";

/** A request that passed, with what the seam itself needs of it. */
export interface AcceptedRequest {
  /** What the provider gets. */
  readonly request: ProviderStartRequest;
  /** Id of the delegating parent, as it was when the request came in. */
  readonly parentId: string;
}

/**
 * Reads each field of a request once, checks it against the provider and by shape, and copies it: lists and blocks
 * are the provider's own, `parent`, `signal`, `agentOptions` and `outputSchema` keep their identity. An optional
 * field that was not given is absent.
 *
 * @throws {SubagentError} `UNSUPPORTED_CAPABILITY` or `INVALID_REQUEST`.
 * @throws {TypeError} When `maxDepth` or `persona` has the wrong shape.
 */
export function acceptRequest(provider: SubagentProvider, request: SubagentStartRequest): AcceptedRequest {
  const given = readFields(request);
  assertCapabilities(provider, given);
  const { maxDepth, persona } = given;
  assertMaxDepth(maxDepth);
  assertPersona(persona);
  if (given.outputSchema !== undefined) assertOutputSchema(given.outputSchema);
  const outputSchema = given.outputSchema as Readonly<Record<string, unknown>> | undefined;
  const prompt = checkedPrompt(given.prompt);
  const { parent, parentId } = checkedParent(given.parent);
  const label = optional(given.label, checkedLabel);
  const fields: ProviderStartRequest = {
    prompt,
    parent,
    ...present("signal", optional(given.signal, checkedSignal)),
    ...present("label", label),
    ...present("agentOptions", optional(given.agentOptions, checkedAgentOptions)),
    ...present("outputSchema", outputSchema),
    ...present("maxDepth", maxDepth),
    ...present("toolFilter", optional(given.toolFilter, checkedToolFilter)),
    ...present("persona", persona),
    descriptor: describe(provider.name, label),
  };
  return { request: fields, parentId };
}

function readFields(request: SubagentStartRequest): UncheckedRequest {
  if (!isRecord(request)) throw invalid("", "an object", request);
  const { prompt, parent, signal, label, agentOptions, outputSchema, maxDepth, toolFilter, persona } =
    request;
  return { prompt, parent, signal, label, agentOptions, outputSchema, maxDepth, toolFilter, persona };
}

function describe(provider: string, label: string | undefined): SubagentDescriptor {
  return Object.freeze({ version: 2, mode: "one-shot", provider, ...present("label", label) });
}

function checkedPrompt(prompt: unknown): readonly ContentBlock[] {
  if (typeof prompt === "string") return [{ type: "text", text: prompt }];
  if (!Array.isArray(prompt)) throw invalid("prompt", "a string or an array of content blocks", prompt);
  // Array.from visits holes, which map() would skip.
  return Array.from(prompt, (block: unknown, index) => checkedBlock(block, `prompt[${index}]`));
}

function checkedBlock(block: unknown, where: string): ContentBlock {
  if (!isRecord(block)) throw invalid(where, "a content block", block);
  // The copy is what gets checked, so that a getter is not able to answer differently afterwards.
  const { type, ...rest } = block;
  if (typeof type !== "string") throw invalid(`${where}.type`, "a string", type);
  if (type === "text" && typeof rest.text !== "string") throw invalid(`${where}.text`, "a string", rest.text);
  return { type, ...rest };
}

function checkedParent(parent: unknown): { readonly parent: SubagentParent; readonly parentId: string } {
  if (!isRecord(parent)) throw invalid("parent", "an object", parent);
  const { id, cwd } = parent;
  if (typeof id !== "string") throw invalid("parent.id", "a string", id);
  if (cwd !== undefined && typeof cwd !== "string") throw invalid("parent.cwd", "a string", cwd);
  // An in-process agent is a parent by identity, hence no copy.
  return { parent: parent as unknown as SubagentParent, parentId: id };
}

/** Takes signals of other realms and of polyfills too, hence no `instanceof`. */
function checkedSignal(signal: unknown): AbortSignal {
  const looksRight = isRecord(signal) && typeof signal.aborted === "boolean" &&
    typeof signal.addEventListener === "function" && typeof signal.removeEventListener === "function";
  if (!looksRight) throw invalid("signal", "an AbortSignal", signal);
  return signal as unknown as AbortSignal;
}

function checkedLabel(label: unknown): string {
  if (typeof label !== "string") throw invalid("label", "a string", label);
  return label;
}

function checkedAgentOptions(options: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(options)) throw invalid("agentOptions", "an object", options);
  return options;
}

function checkedToolFilter(filter: unknown): SubagentToolFilter {
  if (!isRecord(filter)) throw invalid("toolFilter", "an object", filter);
  const { allow, deny } = filter;
  if (allow === undefined && deny === undefined) {
    throw refusal(`subagent request toolFilter must hold "allow" or "deny", got neither`);
  }
  return {
    ...present("allow", optional(allow, (list) => checkedNames(list, "toolFilter.allow"))),
    ...present("deny", optional(deny, (list) => checkedNames(list, "toolFilter.deny"))),
  };
}

function checkedNames(list: unknown, where: string): readonly string[] {
  if (!Array.isArray(list)) throw invalid(where, "an array of strings", list);
  return Array.from(list, (name: unknown, index) => {
    if (typeof name !== "string") throw invalid(`${where}[${index}]`, "a string", name);
    return name;
  });
}

function optional<T>(value: unknown, check: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : check(value);
}

/** An object with the field, or an empty one when there is no value: to spread, so that absent stays absent. */
function present<Field extends string, T>(
  field: Field,
  value: T | undefined,
): { readonly [Key in Field]?: T } {
  return value === undefined ? {} : { [field]: value } as { readonly [Key in Field]: T };
}

function invalid(field: string, expected: string, value: unknown): SubagentError {
  const where = field === "" ? "subagent request" : `subagent request ${field}`;
  return refusal(`${where} must be ${expected}, got ${kindOf(value)}`);
}

function refusal(message: string): SubagentError {
  return new SubagentError("INVALID_REQUEST", message);
}
