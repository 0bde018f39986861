/// <reference types="node" />

// For tsc only: Deno and JSR take the same declaration from lib/std_jsonc.d.ts.
declare module "deno-std/jsonc/mod.js" {
  export function parse(text: string): unknown;
}
