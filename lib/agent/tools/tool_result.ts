/**
 * From what a tool or a policy did to the result of a call.
 *
 * @module
 */
import { snapshotFrozenJsonValue } from "../../schema/snapshot_json_value.ts";
import type { ContentBlock } from "../../seam/content.ts";
import { isRecord } from "../../seam/kind_of.ts";
import { snapshotContent } from "./tool_content.ts";
import type { PostDecision, ToolExecution, ToolResult, ToolResultError } from "./tool_types.ts";

/** Makes the result of what a tool returned. @throws {TypeError} When that is no output. */
export function outputResult({ callId, name }: ToolExecution, output: unknown): ToolResult {
  if (typeof output === "string") {
    return Object.freeze({ callId, content: textContent(output), isError: false });
  }
  const result = isRecord(output) ? readParts(callId, output) : undefined;
  if (result !== undefined) return result;
  throw new TypeError(
    `tool "${name}" returned an invalid result; expected a string or { content, isError?, meta? } ` +
      "that is losslessly JSON-serializable",
  );
}

function readParts(callId: string, output: Readonly<Record<string, unknown>>): ToolResult | undefined {
  const { isError = false, meta: givenMeta } = output;
  const content = snapshotContent(output.content);
  if (content === undefined || typeof isError !== "boolean") return undefined;
  if (givenMeta === undefined) return Object.freeze({ callId, content, isError });
  const meta = snapshotFrozenJsonValue(givenMeta);
  return meta === undefined ? undefined : Object.freeze({ callId, content, isError, meta });
}

/** Makes the result of what was thrown, by whomever. Never throws. */
export function errorResult({ callId }: ToolExecution, thrown: unknown): ToolResult {
  const error = codedError(thrown);
  return Object.freeze({
    callId,
    content: textContent(`Error: ${messageOf(thrown)}`),
    isError: true,
    ...(error === undefined ? {} : { error }),
  });
}

/** Applies what was decided about a result. A failure stays one, and keeps its code. */
export function decidedResult(result: ToolResult, decision: PostDecision): ToolResult {
  if (decision.kind === "accept") {
    return decision.content === undefined ? result : Object.freeze({ ...result, content: decision.content });
  }
  // The facts belong to the content that is held back.
  const { meta: _withheld, ...rest } = result;
  return Object.freeze({ ...rest, content: decision.feedback, isError: true });
}

function textContent(text: string): readonly ContentBlock[] {
  return Object.freeze([Object.freeze({ type: "text", text })]);
}

/** Errors of other realms are no `Error` of ours, hence no `instanceof`. */
function messageOf(thrown: unknown): string {
  try {
    const message = isRecord(thrown) ? thrown.message : undefined;
    return typeof message === "string" ? message : String(thrown);
  } catch {
    return "<unrenderable thrown value>";
  }
}

function codedError(thrown: unknown): ToolResultError | undefined {
  try {
    if (!isRecord(thrown)) return undefined;
    const { name, code } = thrown;
    return typeof name === "string" && typeof code === "string" ? Object.freeze({ name, code }) : undefined;
  } catch {
    return undefined;
  }
}
