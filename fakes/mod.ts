/**
 * Programs that play the other side: an ACP agent and a DeepSeek Harness runtime that do what a script says, and a model
 * server that answers what a prompt says. For tests and demonstrations without a key.
 *
 * @example
 * ```ts ignore — a fragment: an agent that is cut off in mid-answer
 * import { scriptedAgent } from "@subagent/seam/fakes";
 *
 * const { command, args } = scriptedAgent({
 *   onPrompt: [{ do: "text", text: "half an ans" }, { do: "exit", code: 3 }],
 * });
 * ```
 *
 * @module
 */
export { type AgentCommand, scriptedAgent, type ScriptedAgentOptions, scriptedRuntime } from "./launch.ts";
export type { AgentScript, Check, Handler, Step, Turns } from "./acp_agent/script.ts";
export type { Json, JsonObject } from "./acp_agent/json.ts";
export type {
  BurstStep,
  BytesStep,
  EchoStep,
  FramingStep,
  LineStep,
  NotifyStep,
  RawStep,
  ReplyStep,
  SendStep,
  StderrStep,
  StopStep,
  TextStep,
  UpdateStep,
  WireStep,
} from "./acp_agent/wire_step.ts";
export type {
  AnswerCases,
  AskStep,
  EndTurnsStep,
  FlowStep,
  HangStep,
  RepeatStep,
  RequestStep,
  SleepStep,
  WaitForFileStep,
  WaitForMessageStep,
  WaitStep,
} from "./acp_agent/flow_step.ts";
export type {
  CloseStep,
  ExitStep,
  KillStep,
  LifeStep,
  PauseStdinStep,
  ResumeStdinStep,
  SpawnStep,
} from "./acp_agent/life_step.ts";
export type {
  AcceptStep,
  CommonStep,
  EndStep,
  EventStep,
  MessageStep,
  ReceiptStep,
  RuntimeBurstStep,
  RuntimeHandler,
  RuntimeRepeatStep,
  RuntimeScript,
  RuntimeStep,
  RuntimeTextStep,
  SdkStep,
  StatusStep,
} from "./dsh_runtime/script.ts";
export type { JournalEntry } from "./model_server/journal.ts";
export type { Plan } from "./model_server/plan.ts";
export type { ProtocolName } from "./model_server/protocol.ts";
export type {
  Answer,
  JsonSchemaObject,
  Message,
  ModelRequest,
  TextEnd,
  Tool,
  ToolCall,
} from "./model_server/conversation.ts";
export { type ModelServer, type ModelServerOptions, startModelServer } from "./model_server.ts";
