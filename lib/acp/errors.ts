/**
 * What this provider itself finds wrong with an agent. Host-only: a model sees the fixed failure line instead.
 *
 * @module
 */
import { brandError } from "../diagnostics/error_brand.ts";

/** The agent chose a protocol version that this client does not speak. */
export class UnsupportedVersionError extends Error {
  static {
    brandError(this, "UnsupportedVersionError");
  }

  /** Says so, without the value the agent sent. */
  constructor() {
    super("The ACP agent did not agree to protocol version 1");
  }
}

/** The agent answered `session/new` without a session id. */
export class SessionIdError extends Error {
  static {
    brandError(this, "SessionIdError");
  }

  /** Says so, without the value the agent sent. */
  constructor() {
    super("ACP child published without a session id");
  }
}
