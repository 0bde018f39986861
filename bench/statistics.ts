/**
 * The little statistics that a comparison needs.
 *
 * @module
 */

/**
 * The middle value; of an even number of values the mean of the two in the middle.
 *
 * @throws {RangeError} When there is no value.
 */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError("Cannot take the median of no values");
  return (lower + upper) / 2;
}

/** How one quantity of a subject compares with that of a baseline. */
export interface Ratio {
  /** Of the medians. */
  readonly ratio: number;
  /** The smallest of the rounds' own ratios: with `high` it shows how much of the ratio is noise. */
  readonly low: number;
  /** The largest of the rounds' own ratios. */
  readonly high: number;
}

/**
 * Compares a subject with a baseline, both measured in the same rounds in the same order.
 *
 * @throws {RangeError} When they have no rounds, or not equally many.
 */
export function compare(subject: readonly number[], baseline: readonly number[]): Ratio {
  if (subject.length !== baseline.length) {
    throw new RangeError(`Cannot compare ${subject.length} rounds with ${baseline.length}`);
  }
  const ratio = median(subject) / median(baseline);
  const ratios = subject.map((value, round) => value / (baseline[round] ?? NaN));
  return { ratio, low: Math.min(...ratios), high: Math.max(...ratios) };
}
