/**
 * Letting several listeners work on one value.
 *
 * @module
 */

/**
 * Takes the value as the listeners before left it and returns the value for those after it. One that has nothing to
 * say returns what it got.
 */
export type Waterfall<Value, Subject extends readonly unknown[]> = (
  value: Value,
  ...subject: Subject
) => Value | PromiseLike<Value>;

/** What a waterfall is made of. */
export interface WaterfallRun<Value, Subject extends readonly unknown[]> {
  /** The value that the first listener gets. */
  readonly initial: Value;
  /** What the value is about. */
  readonly subject: Subject;
  /** Checks and detaches what a listener returned. What it throws ends the waterfall. */
  readonly check: (value: unknown) => Value;
}

/** Calls listeners one after the other and gives the last value. What one throws ends the waterfall. */
export async function runWaterfall<Value, Subject extends readonly unknown[]>(
  listeners: Iterable<Waterfall<Value, Subject>>,
  { initial, subject, check }: WaterfallRun<Value, Subject>,
): Promise<Value> {
  let value = initial;
  for (const listener of listeners) value = check(await listener(value, ...subject));
  return value;
}
