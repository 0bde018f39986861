/**
 * What stands in an object and is not there.
 *
 * @module
 */

/**
 * Copies an object without the own fields that are `undefined`: to many callers that is how a field is left out, and no
 * JSON carries it.
 */
export function withoutUndefined(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
