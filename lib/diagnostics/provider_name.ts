/**
 * The shape of a provider's registered name, the only word in a failure line that a host chooses.
 *
 * @module
 */

const shape = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/;

/** The rule of {@link isProviderName} in words, for error messages. */
export const PROVIDER_NAME_RULE: string =
  '1 to 64 ASCII letters, digits, spaces, ".", "_" or "-", beginning with a letter or a digit';

/**
 * Tells whether a value may be a registered provider name. The alphabet leaves out everything that would let a
 * name imitate the rest of a failure line: `:`, `;`, brackets, quotes, line breaks.
 */
export function isProviderName(value: unknown): value is string {
  return typeof value === "string" && shape.test(value);
}
