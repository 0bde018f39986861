/**
 * Rules for what is published, held over the archive that was really made.
 *
 * @module
 */

import { posix } from "node:path";
import { moduleFacts } from "../source/module_facts.ts";
import { tokenize } from "../source/tokens.ts";
import { isTestFile } from "../source/project_files.ts";

/** Kinds of specifiers that JSR resolves for everybody. */
const RESOLVED = /^(?:node|npm|jsr):/;

/** A declaration file named for a JavaScript import. */
const TYPES_COMMENT = /@ts-types="([^"]+)"/;

/**
 * Gives one sentence for each import of an upload to JSR that would not resolve there. Bare specifiers do only through
 * a configuration that is not uploaded; a path into `node_modules` leads nowhere.
 *
 * @param files The uploaded files: text by path.
 */
export function uploadViolations(files: ReadonlyMap<string, string>): string[] {
  return [...files].filter(([path]) => /\.[jt]s$/.test(path)).flatMap(([path, source]) => {
    const named = tokenize(source).comments.map(({ text }) => TYPES_COMMENT.exec(text)?.[1] ?? []).flat();
    const specifiers = [...moduleFacts(source).imports.map(({ specifier }) => specifier), ...named];
    return specifiers.filter((specifier) => !resolves(path, specifier, files))
      .map((specifier) => `${path} imports "${specifier}", which JSR cannot resolve`);
  });
}

function resolves(path: string, specifier: string, files: ReadonlyMap<string, string>): boolean {
  if (!specifier.startsWith(".")) return RESOLVED.test(specifier);
  return files.has(posix.join(posix.dirname(path), specifier));
}

/**
 * Gives one sentence for each file that does not belong into a package: tests, and what lies outside the published
 * folders and files.
 *
 * @param paths The packed files.
 * @param published Names of published files and folders.
 */
export function strayFileViolations(paths: Iterable<string>, published: readonly string[]): string[] {
  return [...paths].flatMap((path) => {
    if (isTestFile(path) || /_test\.(?:js|d\.ts)(?:\.map)?$/.test(path)) return [`${path} is a test`];
    const known = published.some((one) => path === one || path.startsWith(`${one}/`));
    return known ? [] : [`${path} is not to be published`];
  });
}
