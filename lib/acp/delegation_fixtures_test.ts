/**
 * What the tests of the ACP provider share: delegations to real child processes.
 *
 * @module
 */
import assert from "node:assert/strict";
import { scriptedAgent } from "../../fakes/launch.ts";
import type { AgentScript, Step } from "../../fakes/acp_agent/script.ts";
import { deferred } from "../../fakes/test_support/deferred.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import {
  delegateOnce,
  type Delegation,
  type Delegator,
  delegatorOf,
} from "../process/delegator_fixtures_test.ts";
import type { SubagentResult, SubagentRun, SubagentStartRequest } from "../seam/types.ts";
import type { AcpProviderConfig } from "./config.ts";
import { acpProvider, type AcpProviderOptions } from "./provider.ts";

/** Grace short enough for tests and long enough for a busy machine to deliver an exit event. */
export const TEST_GRACES = { disposeEofGraceMs: 2000, disposeGraceMs: 2000 } as const;

/** How a test delegates. */
export interface DelegationOptions {
  /** Configuration beside the command. */
  readonly config?: Partial<AcpProviderConfig>;
  /** Request fields beside prompt and parent. */
  readonly request?: Partial<SubagentStartRequest>;
  /** Options of the provider. */
  readonly provider?: AcpProviderOptions;
}

/** Registers a scripted agent as `acp`. */
export function delegator(
  workplace: Workplace,
  script: AgentScript,
  { config, request, provider }: DelegationOptions = {},
): Delegator {
  const agent = acpProvider({
    ...scriptedAgent({ record: workplace.file("record"), ...script }),
    ...TEST_GRACES,
    stderr: "ignore",
    ...config,
  }, provider);
  return delegatorOf(agent, workplace.path, request);
}

/** Delegates once, disposes, and asserts that no process is left. */
export async function delegate(script: AgentScript, options?: DelegationOptions): Promise<Delegation> {
  using workplace = new Workplace();
  return await delegateOnce(delegator(workplace, script, options));
}

/** The text of an output. */
export function textOf({ output }: SubagentResult): string {
  assert.ok(output.length <= 1, "an output is one block or none");
  return output.map((block) => (block as { readonly text: string }).text).join("");
}

/** A megabyte, in bytes. */
export const MiB: number = 1024 * 1024;

/** A step that says something. */
export const text = (value: string): Step => ({ do: "text", text: value });

/** A step that ends the turn well. */
export const done: Step = { do: "stop" };

/** A step that never ends. */
export const hang: Step = { do: "hang" };

/** The result of a run that went well. */
export const completed = (value: string): SubagentResult => ({
  stopReason: "completed",
  output: value === "" ? [] : [{ type: "text", text: value }],
});

/** The diagnostic of a run whose agent exited. */
export const exitLine = (code: number): string =>
  `Subagent failure (provider: ACP; stage: process; category: process-exit; exit code: ${code})`;

/** A run under way, with the means to watch and to cancel it. */
export interface StartedRun extends Delegator {
  /** The run. */
  readonly run: SubagentRun;
  /** Cancels it. */
  readonly controller: AbortController;
  /** Fulfils with its first text. */
  readonly firstText: Promise<void>;
}

/** Starts a run. */
export async function started(
  workplace: Workplace,
  script: AgentScript,
  options: DelegationOptions = {},
): Promise<StartedRun> {
  const controller = new AbortController();
  const firstText = deferred();
  const host = delegator(workplace, script, {
    ...options,
    provider: { onActivity: ({ kind }) => kind === "text" && firstText.resolve() },
  });
  const run = await host.start({ signal: controller.signal });
  return { run, controller, firstText: firstText.promise, ...host };
}
