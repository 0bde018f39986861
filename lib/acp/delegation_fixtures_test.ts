/**
 * What the tests of the ACP provider share: delegations to real child processes, and an independent look at what they
 * leave behind.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { readRecord } from "../../fakes/acp_agent/record.ts";
import { scriptedAgent } from "../../fakes/launch.ts";
import type { AgentScript, Step } from "../../fakes/acp_agent/script.ts";
import type { HostFailure } from "../seam/host_failure.ts";
import { Subagents } from "../seam/subagents.ts";
import type { SubagentResult, SubagentRun, SubagentStartRequest } from "../seam/types.ts";
import type { AcpProviderConfig } from "./config.ts";
import { acpProvider, type AcpProviderOptions } from "./provider.ts";

/** Grace short enough for tests and long enough for a busy machine to deliver an exit event. */
export const TEST_GRACES = { disposeEofGraceMs: 2000, disposeGraceMs: 2000 } as const;

/** A folder of its own, also the working directory by which its processes are found again. */
export class Workplace implements Disposable {
  /** Absolute path without symbolic links. */
  readonly path: string = realpathSync(mkdtempSync(join(tmpdir(), "seam-acp-")));

  /** A path in the folder. */
  file(name: string): string {
    return join(this.path, name);
  }

  /** What the agents of this place received, in order: the messages as they came. */
  messages(): Readonly<Record<string, unknown>>[] {
    return readRecord(this.file("record")).flatMap((entry) =>
      entry.event === "message" ? [entry.message as Readonly<Record<string, unknown>>] : []
    );
  }

  /** The methods the agents of this place received, in order; an answer of ours counts as `answer`. */
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

  /** Ends what a failed test left running, and removes the folder. */
  [Symbol.dispose](): void {
    for (const pid of this.processes()) process.kill(pid, "SIGKILL");
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** How a test delegates. */
export interface DelegationOptions {
  /** Configuration beside the command. */
  readonly config?: Partial<AcpProviderConfig>;
  /** Request fields beside prompt and parent. */
  readonly request?: Partial<SubagentStartRequest>;
  /** Options of the provider. */
  readonly provider?: AcpProviderOptions;
}

/** A service with one scripted agent behind it. */
export interface Delegator {
  /** The service. */
  readonly subagents: Subagents;
  /** What the host's private sink got. */
  readonly hostFailures: HostFailure[];
  /** Starts one run. */
  start(request?: Partial<SubagentStartRequest>): Promise<SubagentRun>;
}

/** Registers a scripted agent as `acp`. */
export function delegator(
  workplace: Workplace,
  script: AgentScript,
  { config, request, provider }: DelegationOptions = {},
): Delegator {
  const hostFailures: HostFailure[] = [];
  const subagents = new Subagents({ onHostFailure: (failure) => void hostFailures.push(failure) });
  subagents.register(
    acpProvider({
      ...scriptedAgent({ record: workplace.file("record"), ...script }),
      ...TEST_GRACES,
      stderr: "ignore",
      ...config,
    }, provider),
  );
  return {
    subagents,
    hostFailures,
    start: (more) =>
      subagents.start("acp", {
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
  readonly hostFailures: readonly HostFailure[];
}

/** Delegates once, disposes, and asserts that no process is left. */
export async function delegate(script: AgentScript, options?: DelegationOptions): Promise<Delegation> {
  using workplace = new Workplace();
  const { start, hostFailures } = delegator(workplace, script, options);
  const run = await start();
  try {
    return { result: await run.result, hostFailures };
  } finally {
    await run.dispose();
    assert.deepEqual(workplace.processes(), [], "processes left behind");
  }
}

/** The text of an output. */
export function textOf({ output }: SubagentResult): string {
  assert.ok(output.length <= 1, "an output is one block or none");
  return output.map((block) => (block as { readonly text: string }).text).join("");
}

/** Waits for a condition to come true, looking again after each turn of the event loop; fails at the deadline. */
export async function eventually(condition: () => boolean, what: string, deadlineMs = 10_000): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!condition()) {
    if (performance.now() > end) assert.fail(`not within ${deadlineMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A promise and what settles it. */
export interface Deferred<T> {
  /** The promise. */
  readonly promise: Promise<T>;
  /** Fulfils it. */
  readonly resolve: (value: T) => void;
}

/** Makes a promise that is settled from outside. */
export function deferred<T = void>(): Deferred<T> {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((resolvePromise) => resolve = resolvePromise);
  return { promise, resolve };
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
