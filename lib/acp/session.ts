/**
 * The conversation with one agent: handshake, one prompt, and everything the agent says in between.
 *
 * @module
 */
import type {
  InitializeRequest,
  NewSessionRequest,
  PromptRequest,
  RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import type { AcpStage, PermissionPolicy } from "../diagnostics/vocabularies.ts";
import type { PermissionFacts } from "../diagnostics/format_permission.ts";
import { JsonRpcPeer } from "../json_rpc/peer.ts";
import { JSON_RPC_METHOD_NOT_FOUND, JsonRpcReplyError } from "../json_rpc/reply_error.ts";
import type { ContentBlock } from "../seam/content.ts";
import type { ByteReceiver } from "../process/port.ts";
import { AssistantOutputFold } from "../seam/assistant_output_fold.ts";
import { OutputBudget, OutputLimitError } from "../seam/output_budget.ts";
import type { AcpSessionActivity } from "./activity.ts";
import { SessionIdError, UnsupportedVersionError } from "./errors.ts";
import { answerPermission } from "./permission.ts";
import { acpPrompt, type PromptCapabilities, promptCapabilities } from "./prompt_content.ts";
import {
  AGENT_METHODS,
  CLIENT_METHODS,
  isRecord,
  PERMISSION_CANCELLED,
  PROTOCOL_VERSION,
} from "./protocol.ts";

/** What a session needs to know. */
export interface AcpSessionOptions {
  /** Hands one line to the agent. */
  write(line: string): Promise<void>;
  /** Absolute working directory of the session. */
  readonly cwd: string;
  /** How permission requests are answered. */
  readonly permission: PermissionPolicy;
  /** Largest line taken from the agent, in bytes. */
  readonly maxMessageBytes: number;
  /** Most answer text kept, in UTF-8 bytes. */
  readonly maxOutputBytes: number;
  /** Takes what happens in the session, for the host to watch. Never throws. */
  onActivity?(activity: AcpSessionActivity): void;
}

/** Where the conversation stands. Text counts as answer only while `prompting`; `over` grants no permission. */
type Phase = "handshake" | "prompting" | "over";

/** One ACP session from the client's side, over whatever carries its lines. */
export class AcpSession implements ByteReceiver {
  readonly #options: AcpSessionOptions;
  readonly #peer: JsonRpcPeer;
  readonly #fold = new AssistantOutputFold();
  readonly #budget: OutputBudget;
  #phase: Phase = "handshake";
  #stage: AcpStage = "initialize";
  #sessionId: string | undefined;
  #capabilities: PromptCapabilities = promptCapabilities(undefined);
  #permission: PermissionFacts | undefined;
  #overflow: OutputLimitError | undefined;

  /** Prepares a session; nothing is written yet. */
  constructor(options: AcpSessionOptions) {
    this.#options = options;
    this.#budget = new OutputBudget(options.maxOutputBytes);
    this.#peer = new JsonRpcPeer({
      write: options.write,
      maxMessageBytes: options.maxMessageBytes,
      onNotification: (method, params) => this.#notified(method, params),
      onRequest: (method, params) => this.#requested(method, params),
    });
  }

  /** The operation under way, as a failure would name it. */
  get stage(): AcpStage {
    return this.#stage;
  }

  /** The latest permission decision, if the agent asked at all. */
  get permission(): PermissionFacts | undefined {
    return this.#permission;
  }

  /** The answer as far as it came: one text block, or none. */
  collectOutput(): readonly ContentBlock[] {
    return this.#fold.collect() ?? [];
  }

  /** Takes bytes of the agent. */
  data(chunk: Uint8Array): void {
    this.#peer.receive(chunk);
  }

  /** The agent's output is over: whatever is pending rejects. */
  end(): void {
    this.#peer.end();
  }

  /**
   * Shakes hands and creates the session.
   *
   * @throws {UnsupportedVersionError} When the agent chose a protocol version we do not speak.
   * @throws {SessionIdError} When the agent created a session without naming it.
   */
  async open(): Promise<void> {
    const initialize: InitializeRequest = { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} };
    const agent = await this.#peer.request(AGENT_METHODS.initialize, initialize);
    if (!isRecord(agent) || agent["protocolVersion"] !== PROTOCOL_VERSION) {
      throw new UnsupportedVersionError();
    }
    this.#capabilities = promptCapabilities(agent);

    this.#stage = "new-session";
    const newSession: NewSessionRequest = { cwd: this.#options.cwd, mcpServers: [] };
    await this.#peer.request(AGENT_METHODS.sessionNew, newSession, {
      // At once, not a microtask later: what follows in the same read may already name the session.
      onResult: (session) => {
        const sessionId = isRecord(session) ? session["sessionId"] : undefined;
        if (typeof sessionId === "string") this.#sessionId = sessionId;
      },
    });
    if (this.#sessionId === undefined) throw new SessionIdError();
  }

  /**
   * Sends the prompt and waits for the end of the turn.
   *
   * @returns The `stopReason` as it came, unchecked.
   * @throws {OutputLimitError} When the agent said more than is kept.
   */
  async prompt(blocks: readonly ContentBlock[]): Promise<unknown> {
    this.#stage = "prompt";
    this.#phase = "prompting";
    const prompt: PromptRequest = {
      sessionId: this.#sessionId!,
      prompt: acpPrompt(blocks, this.#capabilities),
    };
    try {
      const result = await this.#peer.request(AGENT_METHODS.sessionPrompt, prompt, {
        // At once: what follows the response is not part of the answer, even when it comes in the same read.
        onResult: () => this.#phase = "over",
      });
      // A null result has no stop reason to read: that is a broken response, not an unknown reason.
      if (result === null) throw new TypeError("The agent answered the prompt with null");
      return (result as { readonly stopReason?: unknown }).stopReason;
    } catch (error) {
      throw this.#overflow ?? error;
    } finally {
      this.#phase = "over";
    }
  }

  /** Cancels the turn locally: asks the agent to stop, and grants nothing from now on. */
  cancel(): void {
    const wasPrompting = this.#phase === "prompting";
    this.#phase = "over";
    if (!wasPrompting) return;
    // Best effort: a dead or deaf agent does not hear it, and dispose() ends it anyway.
    this.#peer.notify(AGENT_METHODS.sessionCancel, { sessionId: this.#sessionId }).catch(() => {});
  }

  /** Lets go of everything pending. */
  close(): void {
    this.#phase = "over";
    this.#peer.close();
  }

  #notified(method: string, params: unknown): void {
    if (method !== CLIENT_METHODS.sessionUpdate || this.#phase !== "prompting") return;
    if (!isRecord(params) || params["sessionId"] !== this.#sessionId) return;
    const update = params["update"];
    if (!isRecord(update) || update["sessionUpdate"] !== "agent_message_chunk") return;
    const content = update["content"];
    if (!isRecord(content) || content["type"] !== "text" || typeof content["text"] !== "string") return;
    const room = this.#budget.remainingBytes;
    this.#fold.pushText(this.#budget.take(content["text"]));
    this.#options.onActivity?.({ kind: "text", bytes: room - this.#budget.remainingBytes });
    if (!this.#budget.exceeded) return;
    this.#overflow = new OutputLimitError(this.#options.maxOutputBytes);
    this.#peer.close(this.#overflow);
  }

  #requested(method: string, params: unknown): RequestPermissionResponse {
    if (method !== CLIENT_METHODS.sessionRequestPermission) {
      throw new JsonRpcReplyError(JSON_RPC_METHOD_NOT_FOUND, "Method not found");
    }
    // Agents ask before the session/new response too; until a session has a name, the one being made is meant.
    const foreign = this.#sessionId !== undefined &&
      !(isRecord(params) && params["sessionId"] === this.#sessionId);
    if (foreign || this.#phase === "over") return PERMISSION_CANCELLED;
    const { response, decision } = answerPermission(this.#options.permission, params);
    this.#permission = decision;
    this.#options.onActivity?.({ kind: "permission", decision });
    return response;
  }
}
