/**
 * What becomes of live trees when the host ends.
 *
 * @module
 */

import { onDenoCrash } from "./deno_crash.ts";

/** A process tree that can be killed without waiting. */
export interface KillableTree {
  /**
   * Kills what is alive. True when another round is worth while, because something was. Never throws.
   *
   * @param round Names the round of killing, the same for all trees.
   */
  killNow(round: object): boolean;
}

// One listener for all trees: Node warns at the eleventh, and hosts run hundreds of children.
const live = new Set<KillableTree>();
let stopListening = (): void => {};
// A process may be started while the others are looked at; after three rounds it is a race one cannot win.
const ROUNDS = 3;

/**
 * Kills a tree at the host's exit, until the returned function is called.
 *
 * It happens at each end that JavaScript sees: `process.exit()`, an uncaught exception, an event loop with nothing left
 * to do. It does not happen when a signal ends the host, be it SIGKILL or an unhandled SIGTERM or SIGINT: agents then
 * see the end of their stdin, and Ctrl-C does not reach them since they have their own process group. A host that
 * wants more handles the signals and stops its runs.
 */
export function killAtHostExit(tree: KillableTree): () => void {
  if (live.size === 0) stopListening = listen();
  live.add(tree);
  return () => {
    if (live.delete(tree) && live.size === 0) stopListening();
  };
}

function listen(): () => void {
  globalThis.process.on("exit", killAll);
  const stopListeningForCrash = onDenoCrash(killAll);
  return () => {
    globalThis.process.off("exit", killAll);
    stopListeningForCrash();
  };
}

function killAll(): void {
  for (let count = 0; count < ROUNDS; count++) {
    const round = {};
    const found = [...live].filter((tree) => tree.killNow(round));
    if (found.length === 0) return;
  }
}
