/**
 * Deno's permissions, asked without a prompt.
 *
 * @module
 */

/** What one wants to do, as `Deno.permissions.query` takes it. */
export interface DenoPermissionDescriptor {
  /** Kind of access. */
  readonly name: "read" | "run";
  /** The path concerned, for `read`. @default {every path} */
  readonly path?: string;
}

interface DenoGlobal {
  readonly permissions?: { querySync(descriptor: DenoPermissionDescriptor): { readonly state: string } };
}

/**
 * Tells whether something may be done without Deno stopping to ask the person at the terminal. True on other runtimes.
 */
export function denoGrants(descriptor: DenoPermissionDescriptor): boolean {
  const { Deno } = globalThis as { readonly Deno?: DenoGlobal };
  return Deno?.permissions === undefined || Deno.permissions.querySync(descriptor).state === "granted";
}
