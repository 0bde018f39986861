/**
 * An event that happens once, and stays happened for whoever asks later.
 *
 * @module
 */

/** Closed until it is opened; then open for ever. */
export class Latch {
  /** Fulfils when the latch opens. */
  readonly opened: Promise<void>;
  #open = false;
  #fulfil: () => void = () => {};

  /** Makes a closed latch. */
  constructor() {
    this.opened = new Promise((fulfil) => this.#fulfil = fulfil);
  }

  /** Whether it is open. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Opens it. Opening twice does nothing more. */
  open(): void {
    this.#open = true;
    this.#fulfil();
  }
}
