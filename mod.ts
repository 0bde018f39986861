/**
 * Delegate one task to a subagent and get back its answer, or a fixed and safe reason why there is none.
 *
 * @example
 * ```ts ignore
 * import { acpProvider, Subagents } from "@subagent/seam";
 *
 * const subagents = new Subagents();
 * subagents.register(acpProvider({ command: "opencode", args: ["acp"] }));
 * await using run = await subagents.start("acp", {
 *   prompt: "Summarise the open issues",
 *   parent: { id: "host", cwd: "/srv/project" },
 * });
 * const { stopReason, output, diagnostic } = await run.result;
 * ```
 *
 * @module
 */

// The seam: registry, request, run, result.
export { Subagents, type SubagentsOptions } from "./lib/seam/subagents.ts";
export type { SubagentListener } from "./lib/seam/event_listeners.ts";
export type {
  ProviderContext,
  ProviderStartRequest,
  SubagentCapabilities,
  SubagentDescriptor,
  SubagentEndEvent,
  SubagentEvents,
  SubagentParent,
  SubagentProvider,
  SubagentResult,
  SubagentRun,
  SubagentStartEvent,
  SubagentStartRequest,
  SubagentStopReason,
  SubagentToolFilter,
} from "./lib/seam/types.ts";
export type {
  AudioBlock,
  ContentBlock,
  ImageBlock,
  OtherBlock,
  ReasoningBlock,
  ResourceBlock,
  ResourceLinkBlock,
  TextBlock,
  ToolCallBlock,
} from "./lib/seam/content.ts";
export type { HostFailure, HostFailureSink } from "./lib/seam/host_failure.ts";
export {
  SubagentAbortedError,
  SubagentError,
  type SubagentErrorCode,
  SubagentFailure,
} from "./lib/seam/errors.ts";
export { SubagentDepthError } from "./lib/seam/depth_error.ts";
export { OutputSchemaError, ToolArgsError } from "./lib/schema/errors.ts";
export { type PresentableError, presentableError } from "./lib/seam/presentable_error.ts";
export { StartTimeoutError } from "./lib/seam/opening.ts";
export { OutputLimitError } from "./lib/seam/output_budget.ts";
export {
  type AssistantOutputEvent,
  AssistantOutputFold,
  finalAssistantOutput,
} from "./lib/seam/assistant_output_fold.ts";

// Diagnostics: closed vocabularies and the only text they become.
export type { AbortedChild } from "./lib/diagnostics/format_aborted.ts";
export { formatFailure } from "./lib/diagnostics/format_failure.ts";
export { formatPermission, type PermissionFacts } from "./lib/diagnostics/format_permission.ts";
export { joinDiagnostic } from "./lib/diagnostics/join_diagnostic.ts";
export { limitDiagnostic, MAX_DIAGNOSTIC_BYTES } from "./lib/diagnostics/limit_diagnostic.ts";
export {
  ACP_CATEGORIES,
  ACP_STAGES,
  type AcpCategory,
  type AcpFailureStopReason,
  type AcpStage,
  PERMISSION_KINDS,
  type PermissionDecision,
  type PermissionKind,
  type PermissionPolicy,
  SDK_CATEGORIES,
  SDK_STAGES,
  type SdkCategory,
  type SdkStage,
  type SeamStage,
  type Unknown,
} from "./lib/diagnostics/vocabularies.ts";
export type {
  AcpFailureFacts,
  FailureFacts,
  SdkFailureFacts,
  SeamFailureFacts,
} from "./lib/diagnostics/failure_facts.ts";

// Providers.
export { acpProvider, type AcpProviderOptions } from "./lib/acp/provider.ts";
export type { AcpProviderConfig } from "./lib/acp/config.ts";
export type { AcpActivity, AcpActivityListener, AcpSessionActivity } from "./lib/acp/activity.ts";
export { type AcpStopOutcome, acpStopReason } from "./lib/acp/stop_reason.ts";
export { dshSdkProvider, type DshSdkProviderOptions } from "./lib/dsh_sdk/provider.ts";
export type {
  DshSdkCommandConfig,
  DshSdkProfileConfig,
  DshSdkProviderConfig,
  DshSdkProviderSettings,
  DshSdkStderr,
} from "./lib/dsh_sdk/config.ts";
export type { DshSdkHostFailure } from "./lib/dsh_sdk/host_report.ts";
export { type SdkChildOutcome, sdkChildOutcome } from "./lib/dsh_sdk/child_outcome.ts";
export { SdkProtocolError, type SdkProtocolFault } from "./lib/dsh_sdk/errors.ts";
export { JsonRpcResponseError, RequestTimeoutError, TransportClosedError } from "./lib/json_rpc/errors.ts";
export { SpawnPendingError } from "./lib/process/owned_process.ts";
export type {
  ByteReceiver,
  ProcessExit,
  ProcessHandle,
  ProcessHost,
  ProcessSpec,
  StopOptions,
} from "./lib/process/port.ts";
export { LeftoverProcessesError, ProcessStartError, type ProcessStartFault } from "./lib/process/errors.ts";

// Children in this process.
export { forkProvider, type InProcessProviderOptions, spawnProvider } from "./lib/in_process/provider.ts";
export type { ChildRuntime } from "./lib/in_process/seam_parent.ts";
export {
  type InProcessRun,
  type InProcessRunOptions,
  type InProcessRunRequest,
  startInProcessRun,
} from "./lib/in_process/start_in_process_run.ts";
export { type AgentWithDepth, depthOf } from "./lib/in_process/depth.ts";
export {
  STRUCTURED_OUTPUT_INSTRUCTION,
  STRUCTURED_OUTPUT_TOOL,
} from "./lib/in_process/structured_runtime.ts";

// The runtime that they live in.
export {
  type AgentRuntime,
  type AgentRuntimeOptions,
  createAgentRuntime,
  type RuntimeFailure,
} from "./lib/agent/runtime.ts";
export type {
  Agent,
  AgentOptions,
  AgentScope,
  PromptPolicy,
  TurnPolicyHost,
  TurnStopPolicy,
} from "./lib/agent/agent.ts";
export type {
  AgentEvents,
  AgentHandle,
  AgentSessionMeta,
  AgentsHost,
  CreateAgentOptions,
} from "./lib/agent/agents_types.ts";
export type { ListenerError } from "./lib/agent/listener_error.ts";
export { InactiveScopeError } from "./lib/agent/scope/inactive_scope_error.ts";
export {
  openOwnerScope,
  type OwnerScope,
  type OwnerScopeState,
  type ScopeCleanup,
  type ScopeEffect,
} from "./lib/agent/scope/owner_scope.ts";
export type { SessionEvent, SessionHeader } from "./lib/agent/session/session_event.ts";
export type { SessionEventListener, SessionLog } from "./lib/agent/session/session_log.ts";
export type { AgentSessionEvents, TurnEndReason } from "./lib/agent/loop/session_events.ts";
export type {
  AssembleContext,
  AssembledSection,
  AssembleListener,
  PromptAssembly,
  PromptHost,
  PromptProtection,
  PromptSection,
} from "./lib/agent/prompt/prompt_types.ts";
export type {
  AcceptDecision,
  AllowDecision,
  ApprovalDecision,
  ApprovalPort,
  AskDecision,
  BlockDecision,
  DenyDecision,
  PostDecision,
  PostExecuteListener,
  PreDecision,
  PreExecuteListener,
  ToolCallInput,
  ToolDefinition,
  ToolExecution,
  ToolGuard,
  ToolOutput,
  ToolOutputParts,
  ToolRegistryHost,
  ToolResult,
  ToolResultError,
  ToolResultObserver,
  ToolSchema,
} from "./lib/agent/tools/tool_types.ts";
export { UnknownToolError } from "./lib/agent/tools/errors.ts";
export type { ExecutionToken } from "./lib/agent/tools/execution_token.ts";
export type { Waterfall } from "./lib/agent/waterfall.ts";
export type { CodeModeOptions } from "./lib/agent/code_mode/code_mode.ts";
export { CodeRunFailedError, type CodeRunFailure } from "./lib/agent/code_mode/code_run_failed_error.ts";
export type { JsonArray, JsonObject, JsonScalar, JsonValue } from "./lib/schema/json_value.ts";

// Models.
export { fromLanguageModel } from "./lib/agent/model/from_language_model.ts";
export { LanguageModelError, type LanguageModelErrorCode } from "./lib/agent/model/language_model_error.ts";
export type {
  AssistantModelMessage,
  FinishChunk,
  ModelChunk,
  ModelFinishReason,
  ModelMessage,
  ModelPort,
  ModelRequest,
  ModelUsage,
  ReasoningDeltaChunk,
  TextDeltaChunk,
  ToolCallChunk,
  ToolCallDeltaChunk,
  ToolModelMessage,
  UserModelMessage,
} from "./lib/agent/model/model_types.ts";
export type {
  LanguageModelAnswer,
  LanguageModelAssistantPart,
  LanguageModelCall,
  LanguageModelFilePart,
  LanguageModelIdentity,
  LanguageModelJson,
  LanguageModelLike,
  LanguageModelMessage,
  LanguageModelProviderOptions,
  LanguageModelReasoningPart,
  LanguageModelStream,
  LanguageModelStreamPart,
  LanguageModelStreamReader,
  LanguageModelTextPart,
  LanguageModelTool,
  LanguageModelToolCallPart,
  LanguageModelToolOutput,
  LanguageModelToolResultPart,
  LanguageModelV2Call,
  LanguageModelV2Like,
  LanguageModelV2ResultFile,
  LanguageModelV3Call,
  LanguageModelV3Like,
  LanguageModelV3ResultFile,
  LanguageModelV4Call,
  LanguageModelV4FileData,
  LanguageModelV4Like,
  LanguageModelV4ResultFile,
} from "./lib/agent/model/language_model_like.ts";

// What hosts put on top: the delegation tool, background jobs.
export {
  type BackgroundStart,
  type DelegationValue,
  type SubagentTool,
  subagentTool,
  type SubagentToolOptions,
} from "./lib/tool/subagent_tool.ts";
export type { SubagentToolConfig } from "./lib/tool/subagent_tool_config.ts";
export { mountSubagentTool, type MountSubagentToolOptions } from "./lib/tool/mount_subagent_tool.ts";
export {
  type ForegroundAnswer,
  presentForeground,
  type PresentForegroundOptions,
} from "./lib/tool/present_foreground.ts";
export { type JobTools, jobTools, type JobToolsOptions } from "./lib/tool/job_tools.ts";
export type { ModelTool, ModelToolCall, ModelToolResult } from "./lib/tool/model_tool.ts";
export type { ToolAdapterOptions } from "./lib/tool/adapter_call.ts";
export type { JsonSchemaTarget, SchemaVerdict, StandardInputSchema } from "./lib/tool/input_schema_object.ts";
export {
  type AiSdkCallOptions,
  type AiSdkSchemaOptions,
  type AiSdkTool,
  toAiSdkTool,
} from "./lib/tool/ai_sdk_tool.ts";
export {
  type McpCallContext,
  type McpInputSchema,
  type McpJson,
  type McpTool,
  type McpToolResult,
  toMcpTool,
} from "./lib/tool/mcp_tool.ts";
export { type AgentTool, type AgentToolExecution, toAgentTool } from "./lib/tool/agent_tool.ts";
export { localJobs } from "./lib/jobs/local_jobs.ts";
export type {
  JobFailure,
  JobOwnerState,
  LocalJobs,
  LocalJobsOptions,
} from "./lib/jobs/local_jobs_options.ts";
export type { JobClock } from "./lib/jobs/job_clock.ts";
export { JobError, type JobErrorCode } from "./lib/jobs/job_error.ts";
export type {
  JobAccess,
  JobActivity,
  JobAssignment,
  JobFacts,
  JobKill,
  JobNotice,
  JobNoticeListener,
  JobOutcome,
  JobReading,
  JobRequest,
  JobRunner,
  Jobs,
  JobSnapshot,
  JobState,
  JobStatus,
  KillOptions,
  WaitOptions,
} from "./lib/jobs/jobs_types.ts";
export {
  type Delegation,
  type DelegationRequest,
  delegationRunner,
  type DelegationRunnerOptions,
  delegationWork,
} from "./lib/jobs/delegation.ts";
export { type SettleOptions, settleRun, settleStart } from "./lib/jobs/settle_run.ts";
