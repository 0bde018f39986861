/**
 * Recursion that does not use the engine's call stack.
 *
 * @module
 */

/**
 * One call of a recursive function, written as a generator: where a plain function would call itself, it yields the
 * walk of the part and gets back what that returned.
 */
export type Walk<Result> = Generator<Walk<Result>, Result, Result>;

/**
 * Runs a walk and all that it yields, depth first. What is walked may be as deep as memory allows.
 *
 * What one walk throws comes through as it is. The walks that wait for it are dropped then, and their `catch` and
 * `finally` blocks do not run.
 */
export function runWalk<Result>(root: Walk<Result>): Result {
  const waiting: Walk<Result>[] = [];
  let current = root;
  let step = current.next();
  for (;;) {
    if (step.done !== true) {
      waiting.push(current);
      current = step.value;
      step = current.next();
      continue;
    }
    const waiter = waiting.pop();
    if (waiter === undefined) return step.value;
    current = waiter;
    step = current.next(step.value);
  }
}
