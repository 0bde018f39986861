/**
 * Files that ship beside a module.
 *
 * @module
 */
import { readFile } from "node:fs/promises";

/**
 * Reads a text file that ships beside a module, from the disk or from the registry that the module came from.
 *
 * @param url Made with `new URL("file", import.meta.url)`.
 * @throws {Error} If there is no such file.
 */
export async function readText(url: URL): Promise<string> {
  if (url.protocol === "file:") return await readFile(url, "utf8");
  // A module from a registry has an https: address, which node:fs does not read. Only Deno gets here.
  const module = await import(url.href, { with: { type: "text" } }) as { readonly default: string };
  return module.default;
}
