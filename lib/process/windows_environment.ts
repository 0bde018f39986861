/**
 * Environment variables of Windows, whose names differ by more than case.
 *
 * @module
 */

/** The value of a variable, whatever the case of its name. */
export function lookUp(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const wanted = name.toUpperCase();
  return Object.entries(environment).find(([key]) => key.toUpperCase() === wanted)?.[1];
}
