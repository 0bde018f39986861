/**
 * Putting protected entries back where they were.
 *
 * @module
 */

/** Something that goes by a name. */
export interface NamedEntry {
  /** The name. */
  readonly name: string;
}

/**
 * Makes protected entries of a list canonical. All that carry a protected name are dropped. Then each canonical one
 * is put back, in canonical order, before the first of those entries that are left which came after it in the
 * canonical list and is not protected itself; at the end if there is none. The other entries stay as they are.
 *
 * A name that is protected and not in the canonical list is dropped for good: what was not there was not there on
 * purpose.
 *
 * @param canonical The list before anybody changed it; names are unique.
 * @param changed The list afterwards.
 * @param isProtected Whether a name is protected.
 */
export function protectEntries<Entry extends NamedEntry>(
  canonical: readonly Entry[],
  changed: readonly Entry[],
  isProtected: (name: string) => boolean,
): readonly Entry[] {
  const entries = changed.filter(({ name }) => !isProtected(name));
  canonical.forEach((entry, index) => {
    if (!isProtected(entry.name)) return;
    const later = new Set(canonical.slice(index + 1).map(({ name }) => name));
    // Of those that are protected, only earlier ones are back by now: what is found is not protected.
    const at = entries.findIndex(({ name }) => later.has(name));
    entries.splice(at === -1 ? entries.length : at, 0, entry);
  });
  return entries;
}
