/**
 * What a DeepSeek Harness runtime gets wrong beyond JSON-RPC itself.
 *
 * @module
 */
import { brandError, hasBrand } from "../diagnostics/error_brand.ts";

/** What a runtime got wrong; each has one fixed message. */
export type SdkProtocolFault =
  | "no-server-identity"
  | "no-message-id"
  | "no-event-envelope"
  | "malformed-assistant-content"
  | "malformed-turn-end";

const MESSAGES: Readonly<Record<SdkProtocolFault, string>> = {
  "no-server-identity": "initialize returned no server identity",
  "no-message-id": "session/prompt returned no message id",
  "no-event-envelope": "session.event carried no event envelope",
  "malformed-assistant-content": "assistant/message event carried malformed content",
  "malformed-turn-end": "turn/end event carried a malformed reason",
};

/**
 * The runtime sent valid JSON-RPC that is not the DeepSeek Harness SDK protocol. The message is fixed. What the runtime
 * sent is behind a getter over private state, where no printer finds it.
 */
export class SdkProtocolError extends Error {
  /** What the runtime got wrong. */
  readonly fault: SdkProtocolFault;
  readonly #payload: unknown;

  static {
    brandError(this, "SdkProtocolError");
  }

  /** Makes the error of one fault and keeps what the runtime sent. */
  constructor(fault: SdkProtocolFault, payload: unknown) {
    super(MESSAGES[fault]);
    this.fault = fault;
    this.#payload = payload;
  }

  /** Stable code for callers that branch. */
  get code(): "SDK_PROTOCOL" {
    return "SDK_PROTOCOL";
  }

  /** What the runtime sent, verbatim: text of the child, for the host's own log only. */
  get payload(): unknown {
    return this.#payload;
  }

  /** Tells whether a value is such an error, also one of another copy of this library. */
  static is(value: unknown): value is SdkProtocolError {
    return hasBrand(value, "SdkProtocolError");
  }
}
