/**
 * Closes a standard stream for real, so that the other end of the pipe sees it.
 *
 * @module
 */
import { closeSync, openSync, readdirSync, readlinkSync } from "node:fs";

/** The little of Deno that is used, so that the file needs no other types. */
interface DenoLike {
  dlopen(
    path: string,
    symbols: { readonly dup2: { readonly parameters: readonly ["i32", "i32"]; readonly result: "i32" } },
  ): { readonly symbols: { dup2(from: number, to: number): number } };
}

/** Pseudo-folder of the process's own descriptors; Linux only. */
const DESCRIPTORS = "/proc/self/fd";

/**
 * Closes descriptor 0, 1 or 2.
 *
 * Under Deno a read of stdin is always under way, and it keeps the pipe open until the client's next write: that write
 * still succeeds, and only the one behind it fails.
 */
export function closeDescriptor(descriptor: 0 | 1 | 2): void {
  const deno = (globalThis as unknown as { Deno?: DenoLike }).Deno;
  const all = [descriptor, ...duplicatesOf(descriptor)];
  if (deno === undefined) return all.forEach((each) => closeSync(each));
  // Deno's closeSync() leaves the original open, and Deno goes on using the numbers. So each gets another file.
  const { symbols } = deno.dlopen("libc.so.6", { dup2: { parameters: ["i32", "i32"], result: "i32" } });
  const nothing = openSync("/dev/null", "r+");
  for (const each of all) symbols.dup2(nothing, each);
}

/** Descriptors of the same pipe beside the standard ones: Deno and Bun work with duplicates. */
function duplicatesOf(descriptor: number): number[] {
  const target = linkOf(descriptor);
  if (target === undefined) return [];
  return readdirSync(DESCRIPTORS).map(Number).filter((other) => other > 2 && linkOf(other) === target);
}

function linkOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(`${DESCRIPTORS}/${descriptor}`);
  } catch {
    return undefined; // no such pseudo-folder here, or the descriptor of its own listing
  }
}
