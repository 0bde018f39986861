/**
 * Runs of the command with a child in this process, for its tests. It holds no test itself.
 *
 * @module
 */
import { SubagentAbortedError } from "../../seam/errors.ts";
import { NO_START_CAPABILITIES } from "../../seam/no_start_capabilities.ts";
import type { ProviderStartRequest, SubagentProvider, SubagentResult } from "../../seam/types.ts";
import { readWords } from "../command_words.ts";
import { FakeCliSystem } from "../fake_system_fixtures_test.ts";
import { runCommand } from "./run_command.ts";
import { type CommandRunOptions, parseRunOptions, RUN_OPTIONS, type RunOptions } from "./run_options.ts";

/** A command line with nothing but a task and an agent. */
export const OPTIONS: CommandRunOptions = {
  provider: "acp",
  permission: "reject",
  env: {},
  json: false,
  quiet: false,
  agentStderr: false,
  task: { kind: "text", text: "do it" },
  command: "agent",
  args: [],
};

/** Reads the words behind `subagent run` as the program does. */
export function parseRunWords(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): RunOptions {
  return parseRunOptions(readWords(words, RUN_OPTIONS, "subagent run --help"), environment);
}

/** A completed run. */
export function answer(text: string): SubagentResult {
  return { stopReason: "completed", output: [{ type: "text", text }] };
}

/** What there is of the answer of a run that is cancelled. */
const SO_FAR: SubagentResult = { stopReason: "aborted", output: [{ type: "text", text: "so far" }] };

/** Never settles. */
export function never(): Promise<never> {
  return new Promise(() => {});
}

/** How the child of a test behaves. */
export interface FakeChild {
  /** Fulfils when the child is ready; a start that is cancelled meanwhile rejects by itself. @default {at once} */
  readonly ready?: () => void | Promise<void>;
  /** What it answers, unless it is cancelled first. @default {yes} */
  readonly result?: () => SubagentResult | Promise<SubagentResult>;
  /** What it answers when it is cancelled. @default {what there is of the answer} */
  readonly cancelled?: () => SubagentResult;
  /** Ends it. @default {at once} */
  readonly dispose?: () => void | Promise<void>;
}

/** What happened to a child. */
export type ChildEvent =
  | { readonly kind: "started"; readonly request: ProviderStartRequest }
  | { readonly kind: "working" }
  | { readonly kind: "disposed" };

/** One run of the command. */
export class Session {
  /** Where it runs. */
  readonly system: FakeCliSystem = new FakeCliSystem();
  /** What happened to the child, in order. */
  readonly events: ChildEvent[] = [];
  readonly #child: FakeChild;
  readonly #waiters: Set<() => void> = new Set();

  /** A session whose command has not begun. */
  constructor(child: FakeChild = {}) {
    this.#child = child;
  }

  /** Runs the command. */
  run(options: Partial<CommandRunOptions> = {}): Promise<number> {
    return runCommand({ ...OPTIONS, ...options }, this.system, { chooseProvider: () => this.#provider() });
  }

  /** The request the child was started with. */
  get request(): ProviderStartRequest | undefined {
    return this.events.flatMap((event) => event.kind === "started" ? [event.request] : [])[0];
  }

  /** How often something happened to the child. */
  count(kind: ChildEvent["kind"]): number {
    return this.events.filter((event) => event.kind === kind).length;
  }

  /** Fulfils once something happened to the child. */
  async until(kind: ChildEvent["kind"]): Promise<void> {
    while (this.count(kind) === 0) await new Promise<void>((resolve) => this.#waiters.add(resolve));
  }

  #note(event: ChildEvent): void {
    this.events.push(event);
    for (const waiter of this.#waiters) waiter();
    this.#waiters.clear();
  }

  async #work(): Promise<SubagentResult> {
    // A turn of the event loop later the command knows that the child is ready.
    await new Promise((resolve) => setImmediate(resolve));
    this.#note({ kind: "working" });
    return await (this.#child.result ?? (() => answer("yes")))();
  }

  async #dispose(): Promise<void> {
    this.#note({ kind: "disposed" });
    await this.#child.dispose?.();
  }

  #provider(): SubagentProvider {
    return {
      specificationVersion: "v1",
      name: "acp",
      capabilities: NO_START_CAPABILITIES,
      inheritsParentContext: false,
      start: async (request) => {
        this.#note({ kind: "started", request });
        const aborted = new Promise<void>((resolve) => {
          request.signal?.addEventListener("abort", () => resolve());
        });
        await Promise.race([this.#child.ready?.(), aborted]);
        if (request.signal?.aborted) throw new SubagentAbortedError("ACP");
        const cancelled = aborted.then(this.#child.cancelled ?? (() => SO_FAR));
        const dispose = () => this.#dispose();
        return {
          id: "run",
          localAgent: undefined,
          result: Promise.race([this.#work(), cancelled]),
          dispose,
          [Symbol.asyncDispose]: dispose,
        };
      },
    };
  }
}
