/**
 * Closes a standard stream for real, so that the other end of the pipe sees it.
 *
 * @module
 */
import { closeSync, readdirSync, readlinkSync } from "node:fs";

/** The little of Deno that is used, so that the file needs no other types. */
interface DenoLike {
  dlopen(
    path: string,
    symbols: { readonly close: { readonly parameters: readonly ["i32"]; readonly result: "i32" } },
  ): { readonly symbols: { close(descriptor: number): number } };
}

/**
 * Closes descriptor 0, 1 or 2.
 *
 * Under Deno a read of stdin is always under way, and it keeps the pipe open until the client's next write: that write
 * still succeeds, and only the one behind it fails.
 */
export function closeDescriptor(descriptor: 0 | 1 | 2): void {
  const deno = (globalThis as unknown as { Deno?: DenoLike }).Deno;
  if (deno === undefined) return closeSync(descriptor);
  // Deno keeps duplicates of its standard streams and its closeSync() leaves them and the original open, so every
  // descriptor of the same pipe is closed through libc.
  const { symbols } = deno.dlopen("libc.so.6", { close: { parameters: ["i32"], result: "i32" } });
  const target = linkOf(descriptor);
  const same = readdirSync("/proc/self/fd").map(Number).filter((other) => linkOf(other) === target);
  for (const other of same) symbols.close(other);
}

function linkOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined; // the descriptor of the listing itself is closed by now
  }
}
