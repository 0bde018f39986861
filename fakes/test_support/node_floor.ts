/**
 * Tests of packages that need a newer Node than this project does.
 *
 * @module
 */

/**
 * The `skip` option of a test that needs a certain Node: false where it is there, else the reason. Deno and Bun speak
 * for themselves. The gate runs every test file that imports this module on a newer Node too, so nothing goes untested.
 *
 * @param major The oldest major version.
 * @param minor The oldest minor version of that.
 */
export function skipBelowNode(major: number, minor = 0): string | false {
  if ("Deno" in globalThis || "Bun" in globalThis) return false;
  const [thisMajor = 0, thisMinor = 0] = process.versions.node.split(".").map(Number);
  const isEnough = thisMajor > major || (thisMajor === major && thisMinor >= minor);
  return isEnough ? false : `needs Node ${major}.${minor}, this is ${process.versions.node}`;
}
