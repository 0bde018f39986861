/**
 * What the tests of the DSH SDK provider share: delegations to real child processes.
 *
 * @module
 */
import type { RuntimeScript } from "../../fakes/dsh_runtime/script.ts";
import { type AgentCommand, scriptedRuntime } from "../../fakes/launch.ts";
import { Workplace } from "../../fakes/test_support/workplace.ts";
import {
  delegateOnce,
  type Delegation,
  type Delegator,
  delegatorOf,
} from "../process/delegator_fixtures_test.ts";
import { nodeProcessHost } from "../process/node_process_host.ts";
import type { ProcessHost } from "../process/port.ts";
import type { SubagentStartRequest } from "../seam/types.ts";
import type { DshSdkProviderSettings } from "./config.ts";
import type { DshSdkHostFailure } from "./host_report.ts";
import { dshSdkProvider, type DshSdkProviderOptions } from "./provider.ts";

/** Graces short enough for tests and long enough for a busy machine. */
export const TEST_GRACES = {
  shutdownTimeoutMs: 2000,
  disposeEofGraceMs: 2000,
  disposeGraceMs: 2000,
} as const;

/** How a test delegates. */
export interface DelegationOptions {
  /** Configuration beside the launch. */
  readonly config?: Partial<DshSdkProviderSettings>;
  /** What is launched instead of the scripted runtime. */
  readonly command?: AgentCommand;
  /** Request fields beside prompt and parent. */
  readonly request?: Partial<SubagentStartRequest>;
  /** Options of the provider. */
  readonly provider?: DshSdkProviderOptions;
}

/** Registers a scripted runtime as `dsh-sdk`. */
export function delegator(
  workplace: Workplace,
  script: RuntimeScript,
  { config, command, request, provider }: DelegationOptions = {},
): Delegator<DshSdkHostFailure> {
  const runtime = dshSdkProvider({
    ...command ?? scriptedRuntime({ record: workplace.file("record"), ...script }),
    ...TEST_GRACES,
    ...config,
  }, provider);
  return delegatorOf(runtime, workplace.path, request);
}

/** Delegates once, disposes, and asserts that no process is left. */
export async function delegate(
  script: RuntimeScript,
  options?: DelegationOptions,
): Promise<Delegation<DshSdkHostFailure>> {
  using workplace = new Workplace();
  return await delegateOnce(delegator(workplace, script, options));
}

/** One text block, or none for no text. */
export function output(text: string): readonly { readonly type: "text"; readonly text: string }[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** A host that tells what its children have said to the provider by now. */
export function listeningHost(): { readonly processHost: ProcessHost; heard(): string } {
  const host = nodeProcessHost();
  let heard = "";
  return {
    heard: () => heard,
    processHost: {
      spawn: ({ stdout, ...spec }) =>
        host.spawn({
          ...spec,
          stdout: {
            data(chunk) {
              stdout.data(chunk);
              heard += new TextDecoder().decode(chunk);
            },
            end: () => stdout.end(),
          },
        }),
    },
  };
}
