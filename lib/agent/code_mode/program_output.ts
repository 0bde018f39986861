/**
 * What a program says.
 *
 * @module
 */

/** Lines of text, up to a number of characters. */
export class ProgramOutput {
  readonly #lines: string[] = [];
  #left: number;

  /** @param most Characters there is room for, the line breaks in between included. */
  constructor(most: number) {
    this.#left = most;
  }

  /** The lines. */
  get text(): string {
    return this.#lines.join("\n");
  }

  /** Adds a line, or what there is room for of it. @returns Whether there was room for all of it. */
  add(line: string): boolean {
    const room = this.#left - (this.#lines.length === 0 ? 0 : 1);
    if (room < 0) return false;
    this.#lines.push(line.slice(0, room));
    this.#left = room - line.length;
    return line.length <= room;
  }
}
