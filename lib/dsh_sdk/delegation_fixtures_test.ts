/**
 * What the tests of the DSH SDK provider share: delegations to real child processes, and an independent look at what
 * they leave behind.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { readRecord } from "../../fakes/acp_agent/record.ts";
import { scriptedRuntime } from "../../fakes/dsh_runtime/launch.ts";
import type { RuntimeScript } from "../../fakes/dsh_runtime/script.ts";
import type { AgentCommand } from "../../fakes/launch.ts";
import { nodeProcessHost } from "../process/node_process_host.ts";
import type { ProcessHost } from "../process/port.ts";
import { Subagents } from "../seam/subagents.ts";
import type { SubagentResult, SubagentRun, SubagentStartRequest } from "../seam/types.ts";
import type { DshSdkProviderSettings } from "./config.ts";
import type { DshSdkHostFailure } from "./host_report.ts";
import { dshSdkProvider, type DshSdkProviderOptions } from "./provider.ts";

/** Graces short enough for tests and long enough for a busy machine. */
export const TEST_GRACES = {
  shutdownTimeoutMs: 2000,
  disposeEofGraceMs: 2000,
  disposeGraceMs: 2000,
} as const;

/** A folder of its own, also the working directory by which its processes are found again. */
export class Workplace implements Disposable {
  /** Absolute path without symbolic links. */
  readonly path: string = realpathSync(mkdtempSync(join(tmpdir(), "seam-dsh-")));

  /** A path in the folder. */
  file(name: string): string {
    return join(this.path, name);
  }

  /** What the runtimes of this place received, in order: the messages as they came. */
  messages(): Readonly<Record<string, unknown>>[] {
    return readRecord(this.file("record")).flatMap((entry) =>
      entry.event === "message" ? [entry.message as Readonly<Record<string, unknown>>] : []
    );
  }

  /** The methods the runtimes of this place received, in order; an answer of ours counts as `answer`. */
  received(): string[] {
    return this.messages().map(({ method }) => typeof method === "string" ? method : "answer");
  }

  /** Process ids that work in the folder, as the system sees it. Empty where /proc does not exist. */
  processes(): number[] {
    if (process.platform !== "linux") return [];
    return readdirSync("/proc").filter((entry) => /^\d+$/.test(entry)).map(Number).filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === this.path;
      } catch {
        return false; // gone meanwhile, a zombie, or somebody else's
      }
    });
  }

  /** Asserts that nothing is left running, and removes the folder. */
  [Symbol.dispose](): void {
    const left = this.processes();
    for (const pid of left) process.kill(pid, "SIGKILL");
    rmSync(this.path, { recursive: true, force: true });
    assert.deepEqual(left, [], "processes left behind");
  }
}

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

/** A service with one scripted runtime behind it. */
export interface Delegator {
  /** The service. */
  readonly subagents: Subagents;
  /** What the host's private sink got. */
  readonly hostFailures: DshSdkHostFailure[];
  /** Starts one run. */
  start(request?: Partial<SubagentStartRequest>): Promise<SubagentRun>;
}

/** Registers a scripted runtime as `dsh-sdk`. */
export function delegator(
  workplace: Workplace,
  script: RuntimeScript,
  { config, command, request, provider }: DelegationOptions = {},
): Delegator {
  const hostFailures: DshSdkHostFailure[] = [];
  const subagents = new Subagents({ onHostFailure: (failure) => void hostFailures.push(failure) });
  subagents.register(
    dshSdkProvider({
      ...command ?? scriptedRuntime({ record: workplace.file("record"), ...script }),
      ...TEST_GRACES,
      ...config,
    }, provider),
  );
  return {
    subagents,
    hostFailures,
    start: (more) =>
      subagents.start("dsh-sdk", {
        prompt: "do X",
        parent: { id: "parent", cwd: workplace.path },
        ...request,
        ...more,
      }),
  };
}

/** What became of one delegation, disposed of. */
export interface Delegation {
  /** The result. */
  readonly result: SubagentResult;
  /** What the host's private sink got. */
  readonly hostFailures: readonly DshSdkHostFailure[];
}

/** Delegates once, disposes, and asserts that no process is left. */
export async function delegate(script: RuntimeScript, options?: DelegationOptions): Promise<Delegation> {
  using workplace = new Workplace();
  const { start, hostFailures } = delegator(workplace, script, options);
  const run = await start();
  try {
    return { result: await run.result, hostFailures };
  } finally {
    await run.dispose();
  }
}

/** One text block, or none for no text. */
export function output(text: string): readonly { readonly type: "text"; readonly text: string }[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** Waits for a condition to come true, looking again after each turn of the event loop; fails at the deadline. */
export async function eventually(condition: () => boolean, what: string, deadlineMs = 10_000): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!condition()) {
    if (performance.now() > end) assert.fail(`not within ${deadlineMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
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

/** A host whose children cannot be ended for sure, though they are. */
export function stubbornHost(): ProcessHost {
  const host = nodeProcessHost();
  return {
    async spawn(spec) {
      const handle = await host.spawn(spec);
      return {
        pid: handle.pid,
        exit: handle.exit,
        write: (data) => handle.write(data),
        stop: async (options) => {
          await handle.stop(options);
          throw new Error("raw leftover canary");
        },
      };
    },
  };
}
