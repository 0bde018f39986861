/**
 * `subagent run`: one task, one agent, one answer.
 *
 * @module
 */
import { presentableError } from "../../seam/presentable_error.ts";
import { Subagents } from "../../seam/subagents.ts";
import type { SubagentProvider, SubagentRun } from "../../seam/types.ts";
import type { RunOptions } from "./run_options.ts";
import type { CliSystem } from "../cli_system.ts";
import { UsageFault } from "../command_words.ts";
import { EXIT_CODES } from "../exit_codes.ts";
import { Interruption } from "../interruption.ts";
import { ProgressLine } from "./progress.ts";
import { readOutputSchema } from "./output_schema_file.ts";
import { chosenProvider, type ProviderChoice } from "./provider_choice.ts";
import { readTask } from "./read_task.ts";
import {
  explainMissingResult,
  explainStart,
  outcomeOfError,
  presentOutcome,
  reportOf,
  type RunOutcome,
} from "./report.ts";
import { jsonLine } from "../terminal_text.ts";
import { type Delivery, writeAnswer, writeMessage } from "../write.ts";

/** What a caller may replace. */
export interface RunCommandParts {
  /** Makes the provider. @default {chosenProvider} */
  readonly chooseProvider?: ProviderChoice;
}

/**
 * Runs one task.
 *
 * @returns The exit code. Whatever it is, the agent was disposed of, or stderr says that something of it is left.
 * @throws {UsageFault} When the options or stdin cannot be used; nothing was started.
 */
export async function runCommand(
  options: RunOptions,
  system: CliSystem,
  { chooseProvider = chosenProvider }: RunCommandParts = {},
): Promise<number> {
  const interruption = new Interruption(system);
  const progress = new ProgressLine({
    stream: system.stderr,
    system,
    enabled: showsProgress(options, system),
  });
  try {
    const notes: RunNotes = {};
    const provider = await configured(() =>
      chooseProvider(options, {
        onActivity: progress.observe,
        onText: progress.countText,
        onModelFailure: (problem) => notes.modelFailure = problem,
      })
    );
    const { outputSchemaFile } = options;
    const outputSchema = outputSchemaFile === undefined
      ? undefined
      : await readOutputSchema(outputSchemaFile);
    const delegation = { options, system, interruption, progress, provider, outputSchema, notes };
    const attempt = await attemptTask(delegation);
    progress.erase();
    return await finish(delegation, attempt);
  } finally {
    progress.end();
    interruption.end();
  }
}

/** What one call of the command works with. */
interface Delegation {
  readonly options: RunOptions;
  readonly system: CliSystem;
  readonly interruption: Interruption;
  readonly progress: ProgressLine;
  readonly provider: SubagentProvider;
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined;
  readonly notes: RunNotes;
}

/** What is heard of a run beside its outcome. */
interface RunNotes {
  /** The last thing that went wrong with the model, for a person. */
  modelFailure?: string;
}

/** What a delegation came to, and the run that is still to be disposed of. */
interface Attempt {
  readonly outcome: RunOutcome;
  readonly elapsedMs: number;
  readonly run?: SubagentRun;
  /** More about a failed start, for a person. */
  readonly explanation?: string | undefined;
}

function showsProgress({ quiet, agentStderr }: RunOptions, { stderr, environment }: CliSystem): boolean {
  // The line is rewritten in place: lines of the agent in between would tear it up, a dumb terminal cannot do it.
  return stderr.isTerminal && environment["TERM"] !== "dumb" && !quiet && !agentStderr;
}

async function configured(
  makeProvider: () => SubagentProvider | Promise<SubagentProvider>,
): Promise<SubagentProvider> {
  try {
    return await makeProvider();
  } catch (cause) {
    // The message is about the options: there is no child yet whose text it could hold.
    throw new UsageFault(cause instanceof Error ? cause.message : "The options cannot be used", { cause });
  }
}

async function attemptTask(
  { options, system, interruption, progress, provider, outputSchema }: Delegation,
): Promise<Attempt> {
  const { signal } = interruption;
  const prompt = await readTask(options.task, system, signal);
  if (prompt === undefined) {
    return { outcome: { kind: "result", result: { stopReason: "aborted", output: [] } }, elapsedMs: 0 };
  }
  const parent = {
    id: "subagent run",
    ...(options.cwd === undefined ? { cwd: currentDirectory(system) } : {}),
  };
  const startedAt = system.now();
  const elapsed = () => Math.round(system.now() - startedAt);
  if (options.timeoutMs !== undefined) interruption.limit(options.timeoutMs);

  // Raw failures may hold text of the child, so nobody takes them: what may be shown is in the errors themselves.
  const subagents = new Subagents();
  subagents.register(provider);
  let run: SubagentRun;
  try {
    run = await subagents.start(provider.name, {
      prompt,
      parent,
      signal,
      ...(outputSchema === undefined ? {} : { outputSchema }),
    });
  } catch (error) {
    const outcome = outcomeOfError(error, provider.name, "start");
    return { outcome, elapsedMs: elapsed(), explanation: explainStart(error) };
  }
  progress.enter("working");
  try {
    const result = await run.result;
    return { outcome: { kind: "result", result }, elapsedMs: elapsed(), run };
  } catch (error) {
    return { outcome: outcomeOfError(error, provider.name, "result"), elapsedMs: elapsed(), run };
  }
}

function currentDirectory(system: CliSystem): string {
  try {
    return system.currentDirectory();
  } catch (cause) {
    throw new UsageFault("The current directory does not exist: go to one that does, or use --cwd DIR", {
      cause,
    });
  }
}

/** Says what came of it, ends the agent, and gives the exit code. */
async function finish(
  { options, system, interruption, progress, provider, notes }: Delegation,
  { outcome, elapsedMs, run, explanation: startExplanation }: Attempt,
): Promise<number> {
  const presented = presentOutcome(outcome);
  const failed = presented.kind === "failure";
  // An answer may come in spite of a failure of the model, which is then nobody's concern.
  const explanation = startExplanation ??
    (failed ? notes.modelFailure ?? explainMissingResult(outcome, options) : undefined);
  const problems: string[] = [];
  if (failed && interruption.cause?.kind === "timeout") {
    problems.push(`Time limit of ${interruption.cause.timeoutMs} ms reached`);
  }
  for (const problem of problems) await writeMessage(system.stderr, problem);

  let delivery: Delivery = "written";
  if (!options.json) {
    // Before the agent is ended: that may take seconds, and the answer is there.
    if (failed) await writeMessage(system.stderr, presented.text);
    else delivery = await unlessInterrupted(writeAnswer(system, presented.text), interruption.signal);
  }
  if (explanation !== undefined) await writeMessage(system.stderr, explanation);

  progress.enter("ending");
  const leftover = await disposalProblem(run, provider.name);
  progress.end();
  if (leftover !== undefined) problems.push(leftover);
  // After the agent was ended: one object says it all.
  if (options.json) delivery = await writeAnswer(system, jsonLine(reportOf(outcome, problems, elapsedMs)));
  else if (leftover !== undefined) await writeMessage(system.stderr, leftover);

  if (interruption.stopSignal !== undefined) return EXIT_CODES[interruption.stopSignal];
  if (failed || leftover !== undefined || delivery === "failed") return EXIT_CODES.failure;
  return delivery === "reader-gone" ? EXIT_CODES.brokenPipe : EXIT_CODES.success;
}

/** A reader that stopped reading holds up neither the end of the agent nor that of the command. */
function unlessInterrupted(delivery: Promise<Delivery>, signal: AbortSignal): Promise<Delivery> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve("failed");
    signal.addEventListener("abort", giveUp, { once: true });
    delivery.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}

async function disposalProblem(
  run: SubagentRun | undefined,
  providerName: string,
): Promise<string | undefined> {
  try {
    await run?.dispose();
    return undefined;
  } catch (error) {
    return presentableError(error, providerName, "dispose").message;
  }
}
