/**
 * The in-process providers: children that are agents of the host's own runtime.
 *
 * @module
 */
import type { OwnerScope } from "../agent/scope/owner_scope.ts";
import { SubagentError } from "../seam/errors.ts";
import type { SubagentCapabilities, SubagentProvider } from "../seam/types.ts";
import { completedTurns } from "./completed_turns.ts";
import type { ChildRuntime } from "./seam_parent.ts";
import { type SeamStartOptions, startSeamRun } from "./seam_start.ts";

/** What an in-process provider is made of. */
export interface InProcessProviderOptions {
  /** The runtime that the children are agents of, and the parents that are agents too. */
  readonly runtime: ChildRuntime;
  /** Name to register it under. @default `spawn` or `fork` */
  readonly name?: string;
  /** Ends the provider's children when it closes, and takes no new ones then. @default the scope of the runtime */
  readonly owner?: OwnerScope;
  /** Makes ids of children. @default random UUIDs */
  readonly newId?: () => string;
}

const CAPABILITIES: SubagentCapabilities = Object.freeze({
  agentOptions: true,
  outputSchema: true,
  depthLimit: true,
  toolFilter: true,
  persona: true,
});

/**
 * Makes a provider whose children begin with nothing but their prompt. The parent is a living agent of the runtime, in
 * whose scope the child lives, or any plain `{ id, cwd? }` of a host without agents, whose children live in the scope of
 * the runtime.
 *
 * @example
 * ```ts ignore
 * const runtime = createAgentRuntime({ model });
 * const subagents = new Subagents();
 * subagents.register(spawnProvider({ runtime }));
 * await using run = await subagents.start("spawn", { prompt: "Sort these", parent: { id: "host" } });
 * const { stopReason, output } = await run.result;
 * ```
 */
export function spawnProvider(options: InProcessProviderOptions): SubagentProvider {
  return inProcessProvider(options, {
    name: "spawn",
    inheritsParentContext: false,
    seedOf: () => undefined,
  });
}

/**
 * Makes a provider whose children begin with the completed turns of their parent, as they are at the start. The turn
 * that is going on in the parent is not among them; a parent without a completed turn has a fresh child.
 *
 * The parent is a living agent of the runtime: a host without agents has no turns, so its requests are refused.
 */
export function forkProvider(options: InProcessProviderOptions): SubagentProvider {
  return inProcessProvider(options, {
    name: "fork",
    inheritsParentContext: true,
    seedOf: (parent) => {
      if (parent.kind === "agent") return completedTurns(parent.agent.session.events);
      throw new SubagentError(
        "INVALID_REQUEST",
        "subagent request parent must be an agent of the provider's runtime: " +
          "a forked child begins with the parent's turns, and a host without agents has none",
      );
    },
  });
}

interface ProviderKind extends Pick<SeamStartOptions, "name" | "seedOf"> {
  readonly inheritsParentContext: boolean;
}

function inProcessProvider(
  { runtime, name, owner = runtime.owner, newId = () => globalThis.crypto.randomUUID() }:
    InProcessProviderOptions,
  kind: ProviderKind,
): SubagentProvider {
  const options: SeamStartOptions = { runtime, owner, name: name ?? kind.name, seedOf: kind.seedOf, newId };
  return {
    specificationVersion: "v1",
    name: options.name,
    capabilities: CAPABILITIES,
    inheritsParentContext: kind.inheritsParentContext,
    start: (request, context) => startSeamRun(options, request, context),
  };
}
