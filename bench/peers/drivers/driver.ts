/**
 * What all drivers share: one delegation through a library, watched from outside, in a process of its own.
 *
 * The driver talks to its parent over IPC, so that a library may print what it likes. It stays alive after its report,
 * as a host does, until the parent has looked for what the library left behind and disconnects.
 *
 * @module
 */
import process from "node:process";
import type { AgentCommand } from "../../../fakes/launch.ts";
import { readRecord } from "../../../fakes/acp_agent/record.ts";
import { readUsage, type Usage } from "../../cases/usage.ts";

/** What a driver is told on its command line. */
export interface DriverOptions {
  /** The agent to delegate to. */
  readonly agent: AgentCommand;
  /** The folder whose `node_modules` holds the library. */
  readonly packages: string;
  /** The text of a whole answer. */
  readonly answer: string;
  /** How often the answer repeats that text. */
  readonly times: number;
  /** The agent's record. Given, the turn is cancelled once the agent has its prompt. */
  readonly cancelWhenPrompted?: string;
  /** Bound of the turn, its start included, in milliseconds. */
  readonly turnMs: number;
  /** Bound of closing, in milliseconds. */
  readonly closeMs: number;
}

/** How a turn ended by the library's own word; anything that it throws is an error. */
export interface TurnEnd {
  /** Whether it says that the turn was cancelled. */
  readonly cancelled: boolean;
  /** The text of the answer. */
  readonly text: string;
}

/** A delegation as its library lets one hold it. */
export interface Delegation {
  /** The turn. */
  readonly ended: Promise<TurnEnd>;
  /** Cancels the turn. */
  cancel(): unknown;
  /** Ends the agent and whatever belongs to it, as far as the library knows how to. */
  close(): unknown;
}

/**
 * What came back: the whole answer; less or other text as if it were the answer; the word that the turn was cancelled; an
 * error; or nothing within the bound.
 */
export type Outcome = "answer" | "other text" | "cancelled" | "error" | "hang";

/** What a driver saw. */
export interface DriverReport extends Usage {
  /** What came back. */
  readonly outcome: Outcome;
  /** Until it came back, in seconds: from the start, or from the cancel if there is one. */
  readonly seconds: number;
  /** How closing went. */
  readonly closing: "done" | "error" | "hang";
  /** How long closing took, in seconds. */
  readonly closeSeconds: number;
  /** What the library threw, first lines only, or what is wrong with its answer. */
  readonly detail: string | undefined;
}

const PROMPT = "Say hello";
const POLL_MS = 5;

/** Drives one delegation and reports it. The import of the library belongs to `start`, and to its cost. */
export async function drive(
  start: (options: DriverOptions, prompt: string) => Promise<Delegation>,
): Promise<void> {
  // A library's own listener may be missing; without this one the host would be gone, and its report with it.
  process.on("unhandledRejection", (error) => details.push(`unhandled rejection: ${firstLine(error)}`));
  process.on("uncaughtException", (error) => details.push(`uncaught exception: ${firstLine(error)}`));
  const details: string[] = [];
  const options: DriverOptions = JSON.parse(process.argv[2] ?? "{}");

  let begun = performance.now();
  let delegation: Delegation | undefined;
  const turn = async (): Promise<Outcome> => {
    delegation = await start(options, PROMPT);
    if (options.cancelWhenPrompted !== undefined) {
      await prompted(options.cancelWhenPrompted);
      begun = performance.now();
      void Promise.resolve(delegation.cancel()).catch((error) => details.push(`cancel: ${firstLine(error)}`));
    }
    const { cancelled, text } = await delegation.ended;
    if (cancelled) return "cancelled";
    const whole = options.answer.repeat(options.times);
    if (text === whole) return "answer";
    details.push(
      `${text.length} of ${whole.length} characters, ${
        whole.startsWith(text) ? "the end is missing" : "not its beginning"
      }`,
    );
    return "other text";
  };
  const outcome = await bounded(turn, options.turnMs, (error) => details.push(firstLine(error)));
  const seconds = (performance.now() - begun) / 1e3;

  const closeBegun = performance.now();
  const close = async () => void await delegation?.close();
  const closed = await bounded(close, options.closeMs, (error) => details.push(`close: ${firstLine(error)}`));
  const report: DriverReport = {
    outcome: outcome ?? "error",
    seconds,
    closing: closed ?? "done",
    closeSeconds: (performance.now() - closeBegun) / 1e3,
    detail: details.length === 0 ? undefined : details.join("; "),
    ...readUsage(),
  };
  process.once("disconnect", () => process.exit());
  process.send?.(report);
}

/** Waits for an action; `hang` when it takes too long, `error` when it throws. */
async function bounded<T>(
  action: () => Promise<T>,
  boundMs: number,
  onError: (error: unknown) => void,
): Promise<T | "hang" | "error"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const bound = new Promise<"hang">((resolve) => timer = setTimeout(() => resolve("hang"), boundMs));
  try {
    return await Promise.race([action(), bound]);
  } catch (error) {
    onError(error);
    return "error";
  } finally {
    clearTimeout(timer);
  }
}

async function prompted(record: string): Promise<void> {
  const isPrompt = (entry: unknown) => JSON.stringify(entry).includes('"session/prompt"');
  while (!readRecord(record).some(isPrompt)) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

function firstLine(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(JSON.stringify(error));
  return `${name}: ${message}`.split("\n")[0]?.slice(0, 160) ?? "";
}
