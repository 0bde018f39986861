/**
 * The service: a registry of providers and the one way to start a child.
 *
 * @module
 */
import { aFunction, checkedOptions } from "./checked_options.ts";
import { SubagentError } from "./errors.ts";
import { EventListeners, type SubagentListener } from "./event_listeners.ts";
import { containedSink, type HostFailure, type HostFailureSink } from "./host_failure.ts";
import { kindOf } from "./kind_of.ts";
import { announceRun } from "./lifecycle.ts";
import { isPresentable } from "./presentable_error.ts";
import { snapshotProvider } from "./provider_snapshot.ts";
import { publishedRun } from "./published_run.ts";
import { acceptRequest } from "./start_request.ts";
import type {
  ProviderStartRequest,
  SubagentEvents,
  SubagentProvider,
  SubagentRun,
  SubagentStartRequest,
} from "./types.ts";

/** Options of {@link Subagents}. */
export interface SubagentsOptions {
  /** Takes raw failures, for the host's own log only. Default: they are dropped. */
  readonly onHostFailure?: HostFailureSink;
  /** Makes the id that a run's start and end event share. Default: a random UUID. */
  readonly newRunId?: () => string;
}

/**
 * Delegates tasks to children through registered providers.
 *
 * Errors of `start` that come from a provider pass through as they are: before a model sees one, it goes through
 * `presentableError`. Those that would lose their meaning there are handed to `onHostFailure` as well.
 */
export class Subagents {
  readonly #providers: Map<string, SubagentProvider> = new Map();
  readonly #listeners: EventListeners = new EventListeners();
  readonly #report: HostFailureSink;
  readonly #newRunId: () => string;

  /**
   * Makes an empty registry.
   *
   * @throws {TypeError} When an option is wrong, naming it and what it must be.
   */
  constructor(options: SubagentsOptions = {}) {
    const { onHostFailure, newRunId = () => globalThis.crypto.randomUUID() } = checkedOptions(
      "new Subagents()",
      options,
      { onHostFailure: aFunction, newRunId: aFunction },
    );
    this.#report = containedSink(onHostFailure);
    this.#newRunId = newRunId;
  }

  /**
   * Registers a provider under its name. The registry keeps a frozen snapshot: later changes of the object have no
   * effect. Listeners of `subagent/provider-added` hear of it; one that throws undoes the registration, and its error
   * is what this call throws.
   *
   * @returns Removes the provider again: new starts are refused, published runs are left alone. Calling it again
   *   does nothing, also when another provider has taken the name since.
   * @throws {SubagentError} `INVALID_PROVIDER` or `DUPLICATE_PROVIDER`.
   */
  register(provider: SubagentProvider): () => void {
    const snapshot = snapshotProvider(provider);
    const { name } = snapshot;
    if (this.#providers.has(name)) {
      throw new SubagentError(
        "DUPLICATE_PROVIDER",
        `a subagent provider named "${name}" is already registered`,
      );
    }
    this.#providers.set(name, snapshot);
    try {
      this.#listeners.emitOrThrow("subagent/provider-added", snapshot, this.#onListenerError(name));
    } catch (error) {
      this.#remove(snapshot);
      throw error;
    }
    return () => this.#remove(snapshot);
  }

  /** The snapshot of a registered provider, if there is one of that name. */
  provider(name: string): SubagentProvider | undefined {
    return this.#providers.get(name);
  }

  /** The registered names in the order of their registration. */
  names(): string[] {
    return [...this.#providers.keys()];
  }

  /**
   * Starts one child. Fulfils when it is ready; from then on the caller owns the run and disposes of it, on every
   * path. Refusals are rejections too, in this order: no such provider, a capability it lacks, `maxDepth`, `persona`,
   * the shape of any other field.
   *
   * @throws {SubagentError} `NO_PROVIDER`, `UNSUPPORTED_CAPABILITY` or `INVALID_REQUEST`.
   * @throws {TypeError} When `maxDepth` or `persona` has the wrong shape.
   * @throws {OutputSchemaError} When `outputSchema` is outside the supported subset of JSON Schema.
   * @throws {SubagentDepthError} When the child would be deeper than `maxDepth`.
   * @throws {SubagentFailure} When the child did not get ready, or the provider returned no run.
   * @throws {AggregateError} When taking the child down again failed as well.
   * @throws {SubagentAbortedError} When the request's signal was aborted before the child was ready.
   */
  async start(name: string, request: SubagentStartRequest): Promise<SubagentRun> {
    const provider = this.#providerNamed(name);
    const accepted = acceptRequest(provider, request);
    const runId = this.#newRunId();
    const returned = await this.#startChild(provider, accepted.request);
    const run = await publishedRun(
      returned,
      provider.name,
      (operation, error, id) => this.#reportRaw(provider.name, operation, error, id),
    );
    announceRun({
      run,
      runId,
      provider: provider.name,
      parentId: accepted.parentId,
      emit: (type, payload) =>
        this.#listeners.emit(type, payload, this.#onListenerError(provider.name, run.id)),
      onResultError: (error) => this.#reportRaw(provider.name, "run", error, run.id),
    });
    return run;
  }

  /**
   * Listens to lifecycle events. A listener that throws, or whose promise rejects, is reported to `onHostFailure` and
   * disturbs neither the others nor the run; only a throw at `subagent/provider-added` reaches the one who registers.
   * Listeners may come and go during a dispatch: who comes hears the next event, who goes hears no more.
   *
   * @returns Ends the subscription.
   * @throws {TypeError} When there is no such event or the listener is no function.
   */
  on<T extends keyof SubagentEvents>(type: T, listener: SubagentListener<T>): () => void {
    return this.#listeners.on(type, listener);
  }

  #providerNamed(name: unknown): SubagentProvider {
    if (typeof name !== "string") {
      throw new SubagentError(
        "INVALID_REQUEST",
        `subagent provider name must be a string, got ${kindOf(name)}`,
      );
    }
    const provider = this.#providers.get(name);
    if (provider === undefined) {
      throw new SubagentError("NO_PROVIDER", `no subagent provider registered for "${name}"`);
    }
    return provider;
  }

  async #startChild(provider: SubagentProvider, request: ProviderStartRequest): Promise<unknown> {
    try {
      return await provider.start(request, { onHostFailure: this.#report });
    } catch (error) {
      this.#reportRaw(provider.name, "start", error);
      throw error;
    }
  }

  #remove(snapshot: SubagentProvider): void {
    const { name } = snapshot;
    if (this.#providers.get(name) !== snapshot) return;
    this.#providers.delete(name);
    this.#listeners.emit("subagent/provider-removed", name, this.#onListenerError(name));
  }

  #onListenerError(provider: string, runId?: string): (error: unknown) => void {
    return (error) => this.#report(hostFailure(provider, "listener", error, runId));
  }

  /** Reports what `presentableError` would hide; the rest was reported, cause and all, by the provider that made it. */
  #reportRaw(provider: string, operation: HostFailure["operation"], error: unknown, runId?: string): void {
    if (!isPresentable(error)) this.#report(hostFailure(provider, operation, error, runId));
  }
}

function hostFailure(
  provider: string,
  operation: HostFailure["operation"],
  error: unknown,
  runId: string | undefined,
): HostFailure {
  return { provider, operation, ...(runId === undefined ? {} : { runId }), error };
}
