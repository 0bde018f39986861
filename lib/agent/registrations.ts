/**
 * What was registered, in order.
 *
 * @module
 */

/** A list whose entries take themselves out. The same value may be in it more than once. */
export class Registrations<T> implements Iterable<T> {
  // Entries are told apart by identity, hence the boxes.
  readonly #entries: Set<{ readonly value: T }> = new Set();

  /** How many there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** Adds a value at the end. Returns what takes it out again; calling that more than once does nothing. */
  add(value: T): () => void {
    const entry = { value };
    this.#entries.add(entry);
    return () => void this.#entries.delete(entry);
  }

  /** The values that are there when the iteration begins, less those that are taken out before their turn. */
  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (const entry of [...this.#entries]) {
      if (this.#entries.has(entry)) yield entry.value;
    }
  }
}
