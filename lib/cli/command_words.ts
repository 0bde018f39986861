/**
 * The grammar of a command line: options, words, and what stands behind `--`.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { LONGEST_TIMER_MS } from "../seam/config_fields.ts";
import { nearestName } from "../seam/parse_config.ts";
import { jsonLine } from "./terminal_text.ts";

/** The options of a command: whether each takes a value, and its one-letter form. */
export type KnownOptions = Readonly<
  Record<string, { readonly type: "string" | "boolean"; readonly short?: string }>
>;

/** The values each given option has, in order; an option that takes none has the empty string. */
export type GivenOptions = ReadonlyMap<string, readonly string[]>;

/** What {@linkcode readWords} finds. */
export interface CommandWords {
  /** The given options. */
  readonly options: GivenOptions;
  /** What stands before `--` and belongs to no option. */
  readonly positionals: readonly string[];
  /** What stands behind the first `--`, or undefined without one. */
  readonly behindTerminator: readonly string[] | undefined;
}

/** A command line is wrong; the message names the fault and what to do. */
export class UsageFault extends Error {}

/**
 * Sorts the words of a command line.
 *
 * @param words The words.
 * @param known The options there are.
 * @param help The command that lists them, for error messages.
 * @throws {UsageFault} When an option is unknown, lacks its value or has one it does not take.
 */
export function readWords(words: readonly string[], known: KnownOptions, help: string): CommandWords {
  const options = new Map<string, string[]>();
  const positionals: string[] = [];
  let behindTerminator: string[] | undefined;
  // Not strict: the faults are worded here, because each runtime words them differently.
  const { tokens } = parseArgs({
    args: [...words],
    options: known,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === "option-terminator") behindTerminator = [];
    else if (token.kind === "positional") (behindTerminator ?? positionals).push(token.value);
    else options.set(token.name, [...(options.get(token.name) ?? []), valueOf(token, known, help)]);
  }
  return { options, positionals, behindTerminator };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function valueOf(
  { name, rawName, value, inlineValue }: OptionToken,
  known: KnownOptions,
  help: string,
): string {
  const option = Object.hasOwn(known, name) ? known[name] : undefined;
  if (option === undefined) {
    const nearest = nearestName(name, Object.keys(known));
    const question = nearest === undefined ? "" : `did you mean --${nearest}? `;
    throw new UsageFault(`Unknown option ${quoted(rawName)}: ${question}see ${help}`);
  }
  if (option.type === "boolean") {
    if (value === undefined) return "";
    throw new UsageFault(`Option ${rawName} takes no value; see ${help}`);
  }
  // A value that looks like an option is one whose value was forgotten, unless "=" says otherwise.
  if (value !== undefined && (inlineValue || !value.startsWith("-"))) return value;
  throw new UsageFault(`Option ${rawName} needs a value, as in ${rawName}=VALUE; see ${help}`);
}

/** Puts quotes round a word of the command line and makes control characters in it visible. */
export function quoted(word: string): string {
  return jsonLine(word);
}

/**
 * Gives the value of an option with a few words to choose from; the first of them is the default.
 *
 * @throws {UsageFault} When it is another one.
 */
export function choiceOf<Choice extends string>(
  name: string,
  options: GivenOptions,
  choices: readonly [defaultChoice: Choice, ...others: Choice[]],
): Choice {
  const given = options.get(name)?.at(-1);
  if (given === undefined) return choices[0];
  const choice = choices.find((each) => each === given);
  if (choice !== undefined) return choice;
  const words = choices.map(quoted);
  const list = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  throw new UsageFault(`Option --${name} must be ${list}, got ${quoted(given)}`);
}

/**
 * Gives the value of an option in milliseconds, if it is given.
 *
 * @throws {UsageFault} When it is no whole number from 1 to what a timer takes.
 */
export function millisecondsOf(name: string, options: GivenOptions): number | undefined {
  const given = options.get(name)?.at(-1);
  if (given === undefined) return undefined;
  const milliseconds = /^[0-9]+$/.test(given) ? Number(given) : 0;
  if (milliseconds >= 1 && milliseconds <= LONGEST_TIMER_MS) return milliseconds;
  throw new UsageFault(
    `Option --${name} must be a whole number of milliseconds from 1 to ${LONGEST_TIMER_MS}, got ${
      quoted(given)
    }`,
  );
}
