/**
 * Prompts on their way to an agent.
 *
 * @module
 */
import type { ContentBlock as AcpContentBlock } from "@agentclientprotocol/sdk";
import { snapshotJsonValue } from "../schema/snapshot_json_value.ts";
import type { ContentBlock } from "../seam/content.ts";
import { SubagentError } from "../seam/errors.ts";
import { isRecord } from "./protocol.ts";

/** Which optional kinds of content an agent said it takes. */
export interface PromptCapabilities {
  /** Takes images. */
  readonly image: boolean;
  /** Takes audio. */
  readonly audio: boolean;
  /** Takes embedded resources. */
  readonly embeddedContext: boolean;
}

/** Reads `agentCapabilities.promptCapabilities` of an `initialize` result; what is absent or not `true` is not advertised. */
export function promptCapabilities(initializeResult: unknown): PromptCapabilities {
  const agent = isRecord(initializeResult) ? initializeResult["agentCapabilities"] : undefined;
  const prompt = isRecord(agent) ? agent["promptCapabilities"] : undefined;
  const has = (name: string) => isRecord(prompt) && prompt[name] === true;
  return { image: has("image"), audio: has("audio"), embeddedContext: has("embeddedContext") };
}

/**
 * Picks the blocks an agent takes. Text and resource links always pass; images, audio and embedded resources pass
 * where the agent advertises them; every other block (reasoning, tool calls, unknown kinds) is dropped. The order
 * stays, and what is left may be empty.
 */
export function acpPrompt(
  blocks: readonly ContentBlock[],
  capabilities: PromptCapabilities,
): AcpContentBlock[] {
  return blocks.filter((block) => accepts(block.type, capabilities)).map(wireBlock);
}

/**
 * Refuses blocks that name an ACP kind but lack what the protocol demands of it, before a process is started.
 *
 * @throws {SubagentError} `INVALID_REQUEST`, naming the block, the field and the kind of value found.
 */
export function assertPromptBlocks(blocks: readonly ContentBlock[]): void {
  blocks.forEach((block, index) => {
    const source = block as Readonly<Record<string, unknown>>;
    const required = REQUIRED_STRINGS[block.type] ?? [];
    for (const field of required) assertString(source, field, `prompt[${index}]`);
    for (const field of WIRE_MEMBERS[block.type] ?? []) {
      const value = source[field];
      if (value === undefined || required.includes(field) || field === "resource") continue;
      if (field === "size") assertSize(value, `prompt[${index}].size`);
      else assertString(source, field, `prompt[${index}]`);
    }
    if (block.type !== "resource") return;
    const { resource } = source;
    const path = `prompt[${index}].resource`;
    if (!isRecord(resource)) throw invalid(path, "an object", resource);
    assertString(resource, "uri", path);
    if (typeof resource["text"] !== "string") assertString(resource, "blob", path);
    if (snapshotJsonValue(resource) === undefined) throw invalid(path, "JSON data", resource);
  });
}

const REQUIRED_STRINGS: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
};

function accepts(type: string, capabilities: PromptCapabilities): boolean {
  switch (type) {
    case "text":
    case "resource_link":
      return true;
    case "image":
      return capabilities.image;
    case "audio":
      return capabilities.audio;
    case "resource":
      return capabilities.embeddedContext;
    default:
      return false;
  }
}

// Only the members the protocol defines go on the wire: a host's own annotations stay with the host.
function wireBlock(block: ContentBlock): AcpContentBlock {
  const members = WIRE_MEMBERS[block.type] ?? [];
  const source = block as Readonly<Record<string, unknown>>;
  const wire: Record<string, unknown> = { type: block.type };
  for (const name of members) if (source[name] !== undefined) wire[name] = source[name];
  return wire as unknown as AcpContentBlock;
}

const WIRE_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  image: ["data", "mimeType", "uri"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name", "mimeType", "title", "description", "size"],
  resource: ["resource"],
};

function assertString(source: Readonly<Record<string, unknown>>, field: string, path: string): void {
  if (typeof source[field] !== "string") throw invalid(`${path}.${field}`, "a string", source[field]);
}

// A bigint, say, would make JSON.stringify throw when the agent is already running, and look like the agent's fault.
function assertSize(value: unknown, path: string): void {
  if (!Number.isFinite(value)) throw invalid(path, "a finite number", value);
}

function invalid(path: string, expected: string, found: unknown): SubagentError {
  const kind = found === null
    ? "null"
    : Array.isArray(found)
    ? "an array"
    : `a value of type ${typeof found}`;
  return new SubagentError(
    "INVALID_REQUEST",
    `subagent request ${path} must be ${expected}, but it is ${kind}`,
  );
}
