/**
 * The teardown ladder: end of input, then a request to end, then force, each with its grace.
 *
 * @module
 */
import { LeftoverProcessesError } from "./errors.ts";
import type { StopOptions } from "./port.ts";
import { settlesWithin } from "./settles_within.ts";

/** A process tree as the ladder needs it. */
export interface EndableTree {
  /** Whether the root's exit was seen. */
  readonly exited: boolean;
  /** Why the last look may have missed something, if it may. */
  readonly lookError: unknown;
  /** The members that are alive, the root included until its exit was seen. Never rejects. */
  look(): Promise<readonly number[]>;
  /**
   * Asks the members to end, or ends them. Called after each look that found some, so that those it had missed are
   * reached too; asks nobody twice.
   */
  end(how: "ask" | "force", alive: readonly number[]): void;
}

/** A child as the ladder needs it. */
export interface EndableChild {
  /** Its process tree. */
  readonly tree: EndableTree;
  /** Fulfils when the root's exit was seen. Never rejects. */
  readonly exit: Promise<unknown>;
  /** Its stdin: `end` closes it behind everything written, `destroy` at once. */
  readonly input: { end(): void; destroy(): void };
}

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;
// On a machine with thousands of processes a look takes long: then a tenth of one core is spent on looking, no more.
const PAUSE_PER_LOOK = 9;

/**
 * Ends a process tree and makes sure that it is gone. Takes at most about `eofGraceMs` and twice `killGraceMs`.
 *
 * Gone means that the root's exit was seen and two looks in a row found no member: one look may miss a process that
 * was started while it was reading. From then on no signal is sent, since ids are used again.
 *
 * @throws {LeftoverProcessesError} When something is still alive.
 */
export async function endTree(
  child: EndableChild,
  { eofGraceMs, killGraceMs }: StopOptions,
  now: () => number = () => performance.now(),
): Promise<void> {
  // Whoever leaves the group, the session and the environment is known only as a child of its parent, as long as that
  // parent lives: so it is looked for now, and remembered.
  await child.tree.look();
  child.input.end();
  const eofDeadline = now() + eofGraceMs;
  // While the root goes on living, looking again and again would tell little.
  if (await settlesWithin(child.exit, eofGraceMs)) {
    if ((await remaining(child, "wait", eofDeadline - now(), now)).length === 0) return;
  }
  child.input.destroy();
  if ((await remaining(child, "ask", killGraceMs, now)).length === 0) return;
  const left = await remaining(child, "force", killGraceMs, now);
  if (left.length > 0) throw new LeftoverProcessesError(left, { cause: child.tree.lookError });
}

/** Takes one step of the ladder; what is alive at its end. */
async function remaining(
  { tree, exit }: EndableChild,
  step: "wait" | "ask" | "force",
  graceMs: number,
  now: () => number,
): Promise<readonly number[]> {
  let deadline: number | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let emptyLooks = 0;
  for (;;) {
    const begun = now();
    const alive = await tree.look();
    const lookMs = now() - begun;
    if (alive.length === 0) {
      if (++emptyLooks === 2) return alive;
      continue;
    }
    emptyLooks = 0;
    if (deadline !== undefined && now() >= deadline) return alive;
    if (step !== "wait") tree.end(step, alive);

    deadline ??= now() + graceMs; // from the first signal, however long the look before it took
    const leftMs = Math.max(0, deadline - now());
    // The root's exit is an event, and tells when the next look is worth while. Force looks for newcomers anyway.
    const byEvent = !tree.exited;
    const waitMs = byEvent && step === "ask"
      ? leftMs
      : Math.min(leftMs, Math.max(pauseMs, lookMs * PAUSE_PER_LOOK));
    if (byEvent) await settlesWithin(exit, waitMs);
    else await new Promise((resolve) => setTimeout(resolve, waitMs));
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
