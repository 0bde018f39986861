/**
 * What a child inherits from its host's environment.
 *
 * @module
 */
import { markerValue, TREE_MARKER } from "./tree_marker.ts";

/** The parts a child's environment is made of. */
export interface ChildEnvironmentParts {
  /** The host's own environment; its credentials are dropped. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  /** What the child gets on top, unfiltered; `undefined` removes an inherited variable. */
  readonly explicit: Readonly<Record<string, string | undefined>>;
  /** Operating system, as `process.platform` names it; on `win32` names differ by more than case. */
  readonly platform: string;
  /** Id of the child's process tree, for {@linkcode TREE_MARKER}. @default {no marker is set} */
  readonly marker?: string;
}

/**
 * Makes a child's environment.
 *
 * Inherited variables are dropped when their name contains `KEY`, `PASSWORD`, `SECRET` or `TOKEN` in any case, or
 * begins with `DSH_` in any case. It is a rule about names: a secret under another name, such as one that ends in
 * `PASSPHRASE`, passes. What is named explicitly is never filtered.
 */
export function childEnvironment(
  { inherited, explicit, platform, marker }: ChildEnvironmentParts,
): Record<string, string> {
  // Windows has one variable per name whatever its case, and passes on only one of `Path` and `PATH`.
  const sameAs = platform === "win32" ? (name: string) => name.toUpperCase() : (name: string) => name;
  const entries = new Map<string, readonly [name: string, value: string]>();
  const set = (name: string, value: string | undefined): void => {
    entries.delete(sameAs(name));
    if (value !== undefined) entries.set(sameAs(name), [name, value]);
  };

  for (const [name, value] of Object.entries(inherited)) {
    if (!isCredentialName(name)) set(name, value);
  }
  const lineage = entries.get(sameAs(TREE_MARKER))?.[1];
  for (const [name, value] of Object.entries(explicit)) set(name, value);
  if (marker !== undefined) set(TREE_MARKER, markerValue(lineage, marker));
  return Object.fromEntries(entries.values());
}

function isCredentialName(name: string): boolean {
  return /KEY|PASSWORD|SECRET|TOKEN/i.test(name) || name.toUpperCase().startsWith("DSH_");
}
