/**
 * The seam: what a host asks for, what a provider is, what a run gives back. Types only.
 *
 * @module
 */
import type { ContentBlock } from "./content.ts";
import type { HostFailureSink } from "./host_failure.ts";

/** Who delegates. An in-process agent is one; a host without agents passes a plain object. */
export interface SubagentParent {
  /** Identity of the delegating agent or session; shows up in lifecycle events. */
  readonly id: string;
  /** Absolute working directory of the parent session, used when a provider configures none. */
  readonly cwd?: string;
}

/** Mask over the child's view of the global tool layer. At least one of the two lists is given. */
export interface SubagentToolFilter {
  /** Only these tools stay visible. */
  readonly allow?: readonly string[];
  /** These tools are hidden. */
  readonly deny?: readonly string[];
}

/** One delegation, as the host asks for it. */
export interface SubagentStartRequest {
  /** The child's first user message; a string is one text block. */
  readonly prompt: string | readonly ContentBlock[];
  /** The delegating agent or session. */
  readonly parent: SubagentParent;
  /** The only cancellation channel, before and after the run is published. */
  readonly signal?: AbortSignal;
  /** Short display label. */
  readonly label?: string;
  /** Child route overrides (provider, model, token limit). Needs the `agentOptions` capability. */
  readonly agentOptions?: Readonly<Record<string, unknown>>;
  /** Object-rooted JSON Schema of a machine-readable result. Needs the `outputSchema` capability. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Absolute cap of the delegation depth. Needs the `depthLimit` capability. */
  readonly maxDepth?: number;
  /** Mask over the child's tools. Needs the `toolFilter` capability. */
  readonly toolFilter?: SubagentToolFilter;
  /** Child-scoped replacement of the deployment persona. Needs the `persona` capability. */
  readonly persona?: string;
}

/** What a provider is able to enforce. A request that needs more is refused, never silently weakened. */
export interface SubagentCapabilities {
  /** Honours `agentOptions`. */
  readonly agentOptions: boolean;
  /** Honours `outputSchema`. */
  readonly outputSchema: boolean;
  /** Honours `maxDepth`. */
  readonly depthLimit: boolean;
  /** Honours `toolFilter`. */
  readonly toolFilter: boolean;
  /** Honours `persona`. */
  readonly persona: boolean;
}

/** What the seam writes down about an accepted delegation. */
export interface SubagentDescriptor {
  /** Version of this shape. */
  readonly version: 2;
  /** One prompt, one answer. */
  readonly mode: "one-shot";
  /** Registered provider name. */
  readonly provider: string;
  /** Display label of the request. */
  readonly label?: string;
}

/** The request as a provider gets it: a fresh copy, the prompt always in blocks. */
export interface ProviderStartRequest extends Omit<SubagentStartRequest, "prompt"> {
  /** The child's first user message. */
  readonly prompt: readonly ContentBlock[];
  /** What the seam writes down about this delegation. */
  readonly descriptor: SubagentDescriptor;
}

/** What the seam lends a provider for one start. */
export interface ProviderContext {
  /** Takes raw failures, for the host's own log only. Never throws. */
  readonly onHostFailure: HostFailureSink;
}

/**
 * Starts children of one kind. One provider object may be started many times at once; every start owns its own
 * state.
 */
export interface SubagentProvider {
  /** Version of this interface. Another value is refused at registration. */
  readonly specificationVersion: "v1";
  /** Registry name, matching `/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/`. */
  readonly name: string;
  /** What it is able to enforce. */
  readonly capabilities: SubagentCapabilities;
  /** Whether its children see the parent's completed turns; drives wording only. */
  readonly inheritsParentContext: boolean;
  /**
   * Starts one child. Fulfils when the child is ready and owned by the caller; rejects, after cleaning up, when it
   * did not come to that.
   */
  start(request: ProviderStartRequest, context: ProviderContext): Promise<SubagentRun>;
}

/** Why a run ended. The set is open: every consumer treats an unknown value as a failure. */
export type SubagentStopReason =
  | "completed"
  | "aborted"
  | "error"
  | "max-tokens"
  | "refusal"
  // deno-lint-ignore ban-types -- `string & {}` keeps completion of the literals while the set stays open
  | (string & {});

/** What came of a run. */
export interface SubagentResult {
  /** The child's answer, or what there was of it. */
  readonly output: readonly ContentBlock[];
  /** Why it ended. */
  readonly stopReason: SubagentStopReason;
  /** The machine-readable result of a run with an `outputSchema`. */
  readonly structured?: unknown;
  /** Fixed safe text (at most 4096 UTF-8 bytes) of a run that did not complete. Show it, never parse it. */
  readonly diagnostic?: string;
}

/** A published run. Whoever holds it disposes of it, on every path. */
export interface SubagentRun extends AsyncDisposable {
  /** Minted here, never by the child; for an in-process child its session id. */
  readonly id: string;
  /** The in-process child agent, if there is one. */
  readonly localAgent: SubagentParent | undefined;
  /** Settles once. Out-of-process runs never reject. */
  readonly result: Promise<SubagentResult>;
  /**
   * Cancels what is unsettled, ends the child and waits until it is gone. Idempotent: one shared promise.
   *
   * @throws {SubagentFailure} When the child could not be ended completely.
   */
  dispose(): Promise<void>;
}

/** Payload of `subagent/start`. */
export interface SubagentStartEvent {
  /** Fresh for every accepted run, equal in the start and end of one run. */
  readonly runId: string;
  /** Registered provider name. */
  readonly provider: string;
  /** The run's id. */
  readonly id: string;
  /** Id of the delegating parent, so that a listener is able to hear one parent only. */
  readonly parentId: string;
  /** Whether the child runs in this process. */
  readonly local: boolean;
}

/** Payload of `subagent/end`. */
export interface SubagentEndEvent extends SubagentStartEvent {
  /** Why the run ended; `error` when its result rejected. */
  readonly stopReason: SubagentStopReason;
  /** The run's output, left out when it is empty. */
  readonly lastAssistantMessage?: readonly ContentBlock[];
}

/** Lifecycle events by name. */
export interface SubagentEvents {
  /** A run was published. */
  readonly "subagent/start": SubagentStartEvent;
  /** A published run ended; always after its start. */
  readonly "subagent/end": SubagentEndEvent;
  /** A provider was registered. A listener that throws undoes the registration. */
  readonly "subagent/provider-added": SubagentProvider;
  /** A provider was removed; the payload is its name. */
  readonly "subagent/provider-removed": string;
}
