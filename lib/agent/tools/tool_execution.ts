/**
 * From a call as it comes in to the object that policies, tool and observers see.
 *
 * @module
 */
import type { JsonValue } from "../../schema/json_value.ts";
import { snapshotFrozenJsonValue } from "../../schema/snapshot_json_value.ts";
import { kindOf } from "../../seam/kind_of.ts";
import type { Agent } from "../agent.ts";
import type { ExecutionTokens } from "./execution_token.ts";
import type { ToolCallInput, ToolExecution } from "./tool_types.ts";

/** A call that has an identity. */
export interface AcceptedCall {
  /** The call. All of it but `signal` is read-only already. */
  readonly execution: ToolExecution;
  /** Why it fails before any policy looks at it. */
  readonly fault?: TypeError;
}

/**
 * Reads each field of a call once.
 *
 * @param caller Who calls, if the call does not say.
 * @throws {TypeError} When the call id or the name is no string: there would be nothing to give a result to.
 */
export function acceptCall(
  call: ToolCallInput,
  caller: Agent | undefined,
  tokens: ExecutionTokens,
): AcceptedCall {
  const { callId, name, agent = caller, parent, signal } = call;
  assertString(callId, "callId");
  assertString(name, "name");
  const args = readArguments(call);
  const isParentKnown = parent === undefined || tokens.has(parent);
  const execution: ToolExecution = Object.seal({
    token: tokens.mint(),
    callId,
    name,
    arguments: args ?? null,
    ...(agent === undefined ? {} : { agent }),
    ...(parent === undefined || !isParentKnown ? {} : { parent }),
    signal,
  });
  for (const field of Object.keys(execution)) {
    if (field !== "signal") Object.defineProperty(execution, field, { writable: false });
  }
  if (args === undefined) {
    return {
      execution,
      fault: new TypeError("tool execution arguments must be losslessly JSON-serializable"),
    };
  }
  if (!isParentKnown) {
    return { execution, fault: new TypeError("tool execution parent must be a token of this tool registry") };
  }
  return { execution };
}

function assertString(value: unknown, field: string): void {
  if (typeof value === "string") return;
  throw new TypeError(`tool execution ${field} must be a string, got ${kindOf(value)}`);
}

function readArguments(call: ToolCallInput): JsonValue | undefined {
  try {
    return snapshotFrozenJsonValue(call.arguments);
  } catch {
    // A getter threw: nothing that JSON carries does.
    return undefined;
  }
}
