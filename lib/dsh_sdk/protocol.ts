/**
 * The few words of the DeepSeek Harness SDK protocol that this provider speaks.
 *
 * @module
 */
import type { ContentBlock } from "../seam/content.ts";

/** Methods of the runtime that a client calls. */
export const RUNTIME_METHODS = {
  initialize: "initialize",
  sessionPrompt: "session/prompt",
  shutdown: "shutdown",
} as const;

/** Notifications of the runtime that matter to a run. */
export const RUNTIME_NOTIFICATIONS = {
  sessionEvent: "session.event",
  sessionStatus: "session.status",
} as const;

/** Types of session events that matter to a run. */
export const EVENT_TYPES = {
  inboxSpliced: "agent/inbox/spliced",
  assistantChunk: "assistant/chunk",
  assistantMessage: "assistant/message",
  turnEnd: "turn/end",
} as const;

/** Params of `initialize`. */
export interface InitializeParams {
  /** Absolute working directory of the runtime's sessions. */
  readonly cwd: string;
  /** Model provider, by the runtime's name for it. */
  readonly provider: string;
  /** Model, by the provider's name for it. */
  readonly model: string;
  /** Most tokens of one model answer. */
  readonly maxTokens?: number;
}

/** Params of `session/prompt`. */
export interface PromptParams {
  /** The session; an unknown id creates one. */
  readonly sessionId: string;
  /** The user message. */
  readonly contentBlocks: readonly ContentBlock[];
}
