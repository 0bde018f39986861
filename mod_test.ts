import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import * as mod from "./mod.ts";
import { moduleFacts } from "./tools/source/module_facts.ts";

// The public surface, pinned. Red here does not mean forbidden, it means deliberate: a name that comes is for good,
// a name that goes breaks callers and belongs in CHANGELOG.md.

const VALUES = [
  "ACP_CATEGORIES",
  "ACP_STAGES",
  "AssistantOutputFold",
  "JsonRpcResponseError",
  "LeftoverProcessesError",
  "MAX_DIAGNOSTIC_BYTES",
  "OutputLimitError",
  "OutputSchemaError",
  "PERMISSION_KINDS",
  "ProcessStartError",
  "RequestTimeoutError",
  "SDK_CATEGORIES",
  "SDK_STAGES",
  "SdkProtocolError",
  "SpawnPendingError",
  "StartTimeoutError",
  "SubagentAbortedError",
  "SubagentError",
  "SubagentFailure",
  "Subagents",
  "TransportClosedError",
  "acpProvider",
  "acpStopReason",
  "dshSdkProvider",
  "finalAssistantOutput",
  "formatFailure",
  "formatPermission",
  "joinDiagnostic",
  "limitDiagnostic",
  "presentableError",
  "sdkChildOutcome",
];

const TYPES = [
  "AbortedChild",
  "AcpActivity",
  "AcpActivityListener",
  "AcpCategory",
  "AcpFailureFacts",
  "AcpFailureStopReason",
  "AcpProviderConfig",
  "AcpProviderOptions",
  "AcpSessionActivity",
  "AcpStage",
  "AcpStopOutcome",
  "AssistantOutputEvent",
  "AudioBlock",
  "ByteReceiver",
  "ContentBlock",
  "DshSdkCommandConfig",
  "DshSdkHostFailure",
  "DshSdkProfileConfig",
  "DshSdkProviderConfig",
  "DshSdkProviderOptions",
  "DshSdkProviderSettings",
  "DshSdkStderr",
  "FailureFacts",
  "HostFailure",
  "HostFailureSink",
  "ImageBlock",
  "OtherBlock",
  "PermissionDecision",
  "PermissionFacts",
  "PermissionKind",
  "PermissionPolicy",
  "PresentableError",
  "ProcessExit",
  "ProcessHandle",
  "ProcessHost",
  "ProcessSpec",
  "ProcessStartFault",
  "ProviderContext",
  "ProviderStartRequest",
  "ReasoningBlock",
  "ResourceBlock",
  "ResourceLinkBlock",
  "SdkCategory",
  "SdkChildOutcome",
  "SdkFailureFacts",
  "SdkProtocolFault",
  "SdkStage",
  "SeamFailureFacts",
  "SeamStage",
  "StopOptions",
  "SubagentCapabilities",
  "SubagentDescriptor",
  "SubagentEndEvent",
  "SubagentErrorCode",
  "SubagentEvents",
  "SubagentListener",
  "SubagentParent",
  "SubagentProvider",
  "SubagentResult",
  "SubagentRun",
  "SubagentStartEvent",
  "SubagentStartRequest",
  "SubagentStopReason",
  "SubagentToolFilter",
  "SubagentsOptions",
  "TextBlock",
  "ToolCallBlock",
  "Unknown",
];

describe("mod.ts", () => {
  const { listedExports } = moduleFacts(readFileSync(new URL("./mod.ts", import.meta.url), "utf8"));
  const listed = (typeOnly: boolean) =>
    listedExports.filter((one) => one.typeOnly === typeOnly).map(({ name }) => name).sort();

  it("exports exactly these values at run time", () => {
    assert.deepEqual(Object.keys(mod).sort(), VALUES);
  });

  it("lists exactly these values", () => {
    assert.deepEqual(listed(false), VALUES);
  });

  it("lists exactly these types", () => {
    assert.deepEqual(listed(true), TYPES);
  });

  it("holds its vocabularies still", () => {
    for (
      const list of [
        mod.ACP_STAGES,
        mod.ACP_CATEGORIES,
        mod.SDK_STAGES,
        mod.SDK_CATEGORIES,
        mod.PERMISSION_KINDS,
      ]
    ) {
      assert.ok(Object.isFrozen(list) && list.length > 0);
    }
  });
});
