/**
 * Fields that the configurations of several providers have. A text that begins with the field's name is a whole
 * sentence for {@linkcode parseConfig}; the others go behind it.
 *
 * @module
 */
import { z } from "zod";

/** The longest delay of a timer, in milliseconds; a longer one would fire at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/** A time in milliseconds, above 0. */
export function milliseconds(field: string): z.ZodNumber {
  const error = `${field} must be a positive finite number`;
  return z.number({ error }).positive({ error });
}

/** A time in milliseconds, above 0, that a timer takes. */
export function timerMilliseconds(field: string): z.ZodNumber {
  const error = `${field} must be a positive finite number no greater than ${LONGEST_TIMER_MS}`;
  return z.number({ error }).positive({ error }).max(LONGEST_TIMER_MS, { error });
}

/** A whole number above 0. */
export function positiveInteger(field: string): z.ZodInt {
  const error = `${field} must be a positive safe integer`;
  return z.int({ error }).positive({ error });
}

/** Text that the system takes as an argument, a path or a value: without NUL. */
export const word: z.ZodString = z.string().refine((text) => !text.includes("\0"), {
  error: "must not contain a NUL character",
});

/** A word that is not empty. */
export function nonEmpty(what: string): z.ZodString {
  return word.min(1, { error: `must name ${what}` });
}

/** Variables of an explicit environment; `undefined` removes one. Node's `process.env` is no plain object, so it is copied. */
export const environment: z.ZodType<Record<string, string | undefined>> = z.preprocess(
  (value) => value === globalThis.process?.env ? { ...value } : value,
  z.record(z.string().regex(/^[^=\0]+$/, { error: "must be a variable name" }), word.optional()),
);
