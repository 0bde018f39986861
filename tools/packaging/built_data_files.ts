/**
 * Chooses the files that lie in `dist/` as they lie in the sources.
 *
 * @module
 */

/** Folders that tsconfig.build.json compiles. */
const BUILT = ["lib/", "fakes/"];

/**
 * Everything in a built folder that the compiler does not write: data that a module reads beside itself, and
 * handwritten declarations, which a copied `@ts-types` comment names.
 */
export function builtDataFiles(paths: readonly string[]): string[] {
  return paths.filter((path) =>
    BUILT.some((folder) => path.startsWith(folder)) && (!path.endsWith(".ts") || path.endsWith(".d.ts"))
  );
}
