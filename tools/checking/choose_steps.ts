/**
 * Chooses steps by name.
 *
 * @module
 */

/** What a choice needs to know of a step. */
export interface NamedStep {
  /** Its name. */
  readonly name: string;
  /** Names of steps that must have passed before. */
  readonly needs?: readonly string[];
}

/** Which steps to run. */
export interface StepChoice {
  /** Only these and what they need; all when empty. */
  readonly only: readonly string[];
  /** Not these; what needs one of them is left out too. */
  readonly skip: readonly string[];
}

/**
 * Gives the chosen steps in their order.
 *
 * @throws {Error} When a name is none of a step, or nothing is left.
 */
export function chooseSteps<S extends NamedStep>(steps: readonly S[], { only, skip }: StepChoice): S[] {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const unknown = [...only, ...skip].filter((name) => !byName.has(name));
  if (unknown.length > 0) {
    throw new Error(
      `No step is called ${unknown.map((name) => `"${name}"`).join(", ")}; there are ${
        [...byName.keys()].join(", ")
      }`,
    );
  }
  const wanted = new Set<string>();
  function want(name: string): void {
    wanted.add(name);
    for (const need of byName.get(name)?.needs ?? []) want(need);
  }
  for (const name of only.length > 0 ? only : byName.keys()) want(name);
  const left = steps.filter(({ name }) => wanted.has(name) && !isSkipped(name, byName, skip));
  if (left.length === 0) throw new Error("No step is left to run");
  return left;
}

function isSkipped(name: string, byName: ReadonlyMap<string, NamedStep>, skip: readonly string[]): boolean {
  return skip.includes(name) || (byName.get(name)?.needs ?? []).some((need) => isSkipped(need, byName, skip));
}
