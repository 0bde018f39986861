/** The part of `deno-std/jsonc/mod.js` that we use; the package brings no types of its own. */
export declare function parse(text: string): unknown;
