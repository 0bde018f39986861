/**
 * What a provider gave back, as the host gets it.
 *
 * @module
 */
import { contain } from "./contain.ts";
import { startFailure, SubagentFailure } from "./errors.ts";
import { sharedDisposal } from "./shared_disposal.ts";
import type { SubagentParent, SubagentResult, SubagentRun } from "./types.ts";

/** Takes a raw failure of a run's start or disposal, with the run's id when it has one. Must not throw. */
export type RunFailureSink = (operation: "start" | "dispose", error: unknown, runId?: string) => void;

/**
 * Wraps the run of a provider: one shared disposal, also behind `Symbol.asyncDispose`, whatever the provider did
 * about either; `id`, `localAgent` and `result` as they are. Every field is read once.
 *
 * @param returned What the provider's `start` fulfilled with.
 * @param provider The provider's registered name.
 * @param report Takes what is wrong with a run that is none, and what its disposal rejects with.
 * @throws {SubagentFailure} When it is no run; the `cause` says why. What could be disposed of was.
 * @throws {AggregateError} When that disposal failed too.
 */
export async function publishedRun(
  returned: unknown,
  provider: string,
  report: RunFailureSink,
): Promise<SubagentRun> {
  let dispose: (() => Promise<void>) | undefined;
  let id: string | undefined;
  let unchecked: unknown;
  try {
    const run = checkedObject(returned);
    unchecked = run.result;
    dispose = checkedDispose(run, (error) => report("dispose", error, id));
    id = checkedId(run.id);
    const result = checkedResult(unchecked);
    const localAgent = (run.localAgent ?? undefined) as SubagentParent | undefined;
    return Object.freeze({ id, localAgent, result, dispose, [Symbol.asyncDispose]: dispose });
  } catch (cause) {
    contain(() => unchecked, () => {}); // nobody will wait for this result, and its rejection would end the host
    report("start", cause);
    const failure = new SubagentFailure({ provider, stage: "start", category: "unknown" }, { cause });
    throw startFailure(failure, await disposalFailure(dispose, provider));
  }
}

/** The values of a run, none checked yet. */
type UncheckedRun = { readonly [Field in "id" | "localAgent" | "result" | "dispose"]?: unknown };

function checkedObject(returned: unknown): UncheckedRun {
  if (typeof returned === "object" && returned !== null) return returned;
  throw new TypeError("start must fulfil with a SubagentRun");
}

function checkedDispose(run: UncheckedRun, onError: (error: unknown) => void): () => Promise<void> {
  const { dispose } = run;
  if (typeof dispose !== "function") throw new TypeError("run dispose must be a function");
  return sharedDisposal(() => Reflect.apply(dispose, run, []) as Promise<void>, onError);
}

function checkedId(id: unknown): string {
  if (typeof id === "string") return id;
  throw new TypeError("run id must be a string");
}

function checkedResult(result: unknown): Promise<SubagentResult> {
  const then = typeof result === "object" && result !== null && "then" in result ? result.then : undefined;
  if (typeof then === "function") return result as Promise<SubagentResult>;
  throw new TypeError("run result must be a promise");
}

async function disposalFailure(
  dispose: (() => Promise<void>) | undefined,
  provider: string,
): Promise<SubagentFailure | undefined> {
  try {
    await dispose?.();
    return undefined;
  } catch (cause) {
    return new SubagentFailure({ provider, stage: "dispose", category: "unknown" }, { cause });
  }
}
