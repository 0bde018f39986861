/**
 * The environment variable that says to which process trees a process belongs.
 *
 * A process that left its parent's group and session and outlived its parent is still found by what it inherited. The
 * value is a lineage: a host that is itself a child appends its own id, so the outer host finds the inner one's
 * processes even after the inner host died.
 *
 * @module
 */

/** Name of the variable. It passes the scrub of {@linkcode childEnvironment}, so nested hosts see it. */
export const TREE_MARKER = "SUBAGENT_SEAM_TREE";

const LINEAGE = /^[\w-]{1,64}(?::[\w-]{1,64}){0,30}$/;

/**
 * Puts a tree's id behind the lineage that the host itself inherited.
 *
 * An inherited value that is no lineage, or is as deep as 31 hosts, is dropped: it is somebody else's, and an
 * environment must not grow without bound.
 */
export function markerValue(inherited: string | undefined, id: string): string {
  return inherited !== undefined && LINEAGE.test(inherited) && inherited.split(":").length < 31
    ? `${inherited}:${id}`
    : id;
}

/** Tells whether a NUL-delimited environment block has the tree's id in its marker. */
export function carriesMarker(environment: string, id: string): boolean {
  if (!environment.includes(id)) return false; // nearly always, and far cheaper than splitting
  return environment.split("\0").some((entry) =>
    entry.startsWith(`${TREE_MARKER}=`) && entry.slice(TREE_MARKER.length + 1).split(":").includes(id)
  );
}
