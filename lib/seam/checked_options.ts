/**
 * One way to check what a host may replace: functions and objects with methods, which no schema describes.
 *
 * @module
 */
import { isRecord, kindOf } from "./kind_of.ts";
import { nearestName } from "./parse_config.ts";

/** What an option must be. */
export interface OptionCheck {
  /** In words, with an article. */
  readonly expected: string;
  /** Whether a value is that. */
  readonly accepts: (value: unknown) => boolean;
}

/** A function. */
export const aFunction: OptionCheck = {
  expected: "a function",
  accepts: (value) => typeof value === "function",
};

/** A whole number above 0. */
export const aPositiveInteger: OptionCheck = {
  expected: "a positive safe integer",
  accepts: (value) => Number.isSafeInteger(value) && (value as number) > 0,
};

/** An object that has a method. */
export function objectWith(method: string): OptionCheck {
  return {
    expected: `an object with a method ${method}()`,
    accepts: (value) => isRecord(value) && typeof value[method] === "function",
  };
}

/**
 * Reads each option once and checks it. An option that is `undefined` counts as left out.
 *
 * @param owner Whose options they are, as the words an error begins with.
 * @throws {TypeError} When they are no object, when one is not what it must be, or when there is one more: a callback
 * whose name is misspelt would never be called, and nobody would know.
 */
export function checkedOptions<Options extends object>(
  owner: string,
  options: Options,
  checks: Readonly<Record<keyof Options, OptionCheck>>,
): Options {
  if (!isRecord(options)) {
    throw new TypeError(
      `${owner}: options must be an object, got ${kindOf(options)}; leave them out for none`,
    );
  }
  const known = Object.keys(checks);
  const checked: Record<string, unknown> = {};
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw unknownOption(owner, name, known);
    const value = options[name];
    if (value === undefined) continue;
    const { expected, accepts } = checks[name as keyof Options];
    if (!accepts(value)) {
      throw new TypeError(`${owner}: option "${name}" must be ${expected}, got ${kindOf(value)}`);
    }
    checked[name] = value;
  }
  return checked as Options;
}

function unknownOption(owner: string, name: string, known: readonly string[]): TypeError {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? `the options are ${known.join(", ")}` : `did you mean "${nearest}"?`;
  return new TypeError(`${owner}: there is no option ${JSON.stringify(name)}; ${hint}`);
}
