/**
 * Identity of tool calls.
 *
 * @module
 */

/** Identity of one call. It shows nothing and reaches nothing; it is only ever equal to itself. */
export interface ExecutionToken {
  /** Never there; keeps other objects from passing as tokens. */
  readonly executionToken: never;
}

/** Makes tokens, and knows its own. */
export class ExecutionTokens {
  readonly #minted: WeakSet<object> = new WeakSet();

  /** Makes a token. */
  mint(): ExecutionToken {
    const token = Object.freeze(Object.create(null)) as ExecutionToken;
    this.#minted.add(token);
    return token;
  }

  /** Tells whether a value is a token that was made here. */
  has(value: unknown): value is ExecutionToken {
    return typeof value === "object" && value !== null && this.#minted.has(value);
  }
}
