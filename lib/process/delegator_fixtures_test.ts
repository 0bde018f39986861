/**
 * What the tests of providers with a child process share: a service with one of them behind it. It holds no test itself.
 *
 * @module
 */
import type { HostFailure } from "../seam/host_failure.ts";
import { Subagents } from "../seam/subagents.ts";
import type { SubagentProvider, SubagentResult, SubagentRun, SubagentStartRequest } from "../seam/types.ts";

/** A service with one provider behind it. */
export interface Delegator<Failure extends HostFailure = HostFailure> {
  /** The service. */
  readonly subagents: Subagents;
  /** What the host's private sink got. */
  readonly hostFailures: Failure[];
  /** Starts one run. */
  start(request?: Partial<SubagentStartRequest>): Promise<SubagentRun>;
}

/**
 * Registers a provider with a service of its own.
 *
 * @param cwd Where the parent session works, unless the request says otherwise.
 */
export function delegatorOf<Failure extends HostFailure = HostFailure>(
  provider: SubagentProvider,
  cwd: string,
  request: Partial<SubagentStartRequest> = {},
): Delegator<Failure> {
  const hostFailures: Failure[] = [];
  const subagents = new Subagents({ onHostFailure: (failure) => void hostFailures.push(failure as Failure) });
  subagents.register(provider);
  const start = (more?: Partial<SubagentStartRequest>) =>
    subagents.start(provider.name, { prompt: "do X", parent: { id: "parent", cwd }, ...request, ...more });
  return { subagents, hostFailures, start };
}

/** What became of one delegation, disposed of. */
export interface Delegation<Failure extends HostFailure = HostFailure> {
  /** The result. */
  readonly result: SubagentResult;
  /** What the host's private sink got. */
  readonly hostFailures: readonly Failure[];
}

/** Delegates once and disposes. */
export async function delegateOnce<Failure extends HostFailure>(
  { start, hostFailures }: Delegator<Failure>,
): Promise<Delegation<Failure>> {
  const run = await start();
  try {
    return { result: await run.result, hostFailures };
  } finally {
    await run.dispose();
  }
}

/** A signal that takes one listener, as the opening does, and throws at the next, as the publication asks for one. */
export function signalOfOneListener(): AbortSignal {
  const { signal } = new AbortController();
  const add = signal.addEventListener.bind(signal);
  let left = 1;
  return Object.assign(signal, {
    addEventListener(...args: Parameters<typeof add>) {
      if (left-- === 0) throw new Error("no more listeners");
      add(...args);
    },
  });
}
