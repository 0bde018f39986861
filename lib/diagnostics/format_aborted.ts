/**
 * The texts of a start that was cancelled.
 *
 * @module
 */

/** Which kind of child did not come to be. */
export type AbortedChild = "ACP" | "DSH SDK" | "in-process";

const texts: ReadonlyMap<unknown, string> = new Map<AbortedChild, string>([
  ["ACP", "subagent request was aborted before the ACP child started"],
  ["DSH SDK", "subagent request was aborted before the SDK child started"],
  ["in-process", "subagent request was aborted before child publication"],
]);

/** The value if it is one of the three words, else `in-process`, whose text names no kind of child. */
export function abortedChild(child: unknown): AbortedChild {
  return texts.has(child) ? child as AbortedChild : "in-process";
}

/**
 * Writes the fixed text for a start that was cancelled before its run was published and left nothing behind: see
 * {@link abortedChild} for other values than the three.
 */
export function formatAborted(child: AbortedChild): string {
  return texts.get(abortedChild(child)) as string;
}
