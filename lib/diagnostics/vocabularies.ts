/**
 * The closed word lists that every text shown to a parent's model is made of.
 *
 * The lists are frozen: nobody is able to add a word at run time and so widen what gets through.
 *
 * @module
 */

/** What stands in for a word that is in none of the lists. */
export type Unknown = "unknown";

/** Where an ACP run was when it failed. */
export type AcpStage = "initialize" | "new-session" | "prompt" | "process" | "teardown";

/** What kind of fault ended an ACP run. */
export type AcpCategory =
  | "configuration"
  | "protocol"
  | "transport"
  | "process-start"
  | "process-exit"
  | "remote-limit"
  | "unknown";

/** The stop reasons of an ACP agent that a failure line names. */
export type AcpFailureStopReason = "max_turn_requests";

/** Where a DSH SDK run was when it failed. */
export type SdkStage = "initialize" | "session-run" | "shutdown";

/** What kind of fault ended a DSH SDK run. */
export type SdkCategory =
  | "configuration"
  | "protocol"
  | "transport"
  | "child-error"
  | "child-disposed"
  | "child-unknown"
  | "missing-terminal"
  | "unknown";

/** Which call across the seam failed, whatever the provider. */
export type SeamStage = "start" | "result" | "dispose";

/** What an ACP agent asked permission for: the tool kinds of ACP protocol version 1. */
export type PermissionKind =
  | "read"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "execute"
  | "think"
  | "fetch"
  | "switch_mode"
  | "other";

/** How permission requests are answered when nobody is there to ask. */
export type PermissionPolicy = "allow" | "reject";

/** What became of one permission request. */
export type PermissionDecision = "allowed" | "denied";

/** Every {@link AcpStage}. */
export const ACP_STAGES: readonly AcpStage[] = Object.freeze(
  ["initialize", "new-session", "prompt", "process", "teardown"] as const,
);

/** Every {@link AcpCategory}. */
export const ACP_CATEGORIES: readonly AcpCategory[] = Object.freeze(
  [
    "configuration",
    "protocol",
    "transport",
    "process-start",
    "process-exit",
    "remote-limit",
    "unknown",
  ] as const,
);

/** Every {@link AcpFailureStopReason}. */
export const ACP_FAILURE_STOP_REASONS: readonly AcpFailureStopReason[] = Object.freeze(
  ["max_turn_requests"] as const,
);

/** Every {@link SdkStage}. */
export const SDK_STAGES: readonly SdkStage[] = Object.freeze(
  ["initialize", "session-run", "shutdown"] as const,
);

/** Every {@link SdkCategory}. */
export const SDK_CATEGORIES: readonly SdkCategory[] = Object.freeze(
  [
    "configuration",
    "protocol",
    "transport",
    "child-error",
    "child-disposed",
    "child-unknown",
    "missing-terminal",
    "unknown",
  ] as const,
);

/** Every {@link SeamStage}. */
export const SEAM_STAGES: readonly SeamStage[] = Object.freeze(["start", "result", "dispose"] as const);

/** Every {@link PermissionKind}. */
export const PERMISSION_KINDS: readonly PermissionKind[] = Object.freeze(
  [
    "read",
    "edit",
    "delete",
    "move",
    "search",
    "execute",
    "think",
    "fetch",
    "switch_mode",
    "other",
  ] as const,
);

/**
 * The signal names a failure line may show: those of Linux, macOS and Windows, as Node, Deno and Bun report them.
 */
export const SIGNAL_NAMES: readonly string[] = Object.freeze(
  [
    "SIGABRT",
    "SIGALRM",
    "SIGBREAK",
    "SIGBUS",
    "SIGCHLD",
    "SIGCONT",
    "SIGEMT",
    "SIGFPE",
    "SIGHUP",
    "SIGILL",
    "SIGINFO",
    "SIGINT",
    "SIGIO",
    "SIGIOT",
    "SIGKILL",
    "SIGLOST",
    "SIGPIPE",
    "SIGPOLL",
    "SIGPROF",
    "SIGPWR",
    "SIGQUIT",
    "SIGSEGV",
    "SIGSTKFLT",
    "SIGSTOP",
    "SIGSYS",
    "SIGTERM",
    "SIGTRAP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGUNUSED",
    "SIGURG",
    "SIGUSR1",
    "SIGUSR2",
    "SIGVTALRM",
    "SIGWINCH",
    "SIGXCPU",
    "SIGXFSZ",
  ],
);

/** Tells whether a value is one of a list's words: the same primitive, never something that converts to it. */
export function isWordOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return (words as readonly unknown[]).includes(value);
}

/** The value if it is one of the list's words, else `unknown`. */
export function wordOr<Word extends string>(words: readonly Word[], value: unknown): Word | Unknown {
  return isWordOf(words, value) ? value : "unknown";
}
