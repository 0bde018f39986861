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

/** What of the global scope is needed. */
export interface DenoScope {
  /** There under Deno only. */
  readonly Deno?: {
    readonly permissions?: { querySync(descriptor: DenoPermissionDescriptor): { readonly state: string } };
  };
}

/**
 * Tells whether something may be done without Deno stopping to ask the person at the terminal. True on other runtimes.
 */
export function denoGrants(
  descriptor: DenoPermissionDescriptor,
  { Deno }: DenoScope = globalThis as DenoScope,
): boolean {
  return Deno?.permissions === undefined || Deno.permissions.querySync(descriptor).state === "granted";
}
