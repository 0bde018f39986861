/**
 * Programs of people who installed the package: each must run, or pass the type check, in an empty project.
 *
 * @module
 */

/** Programs that print the names that they can import from `specifier`, by file name. */
export function namesPrograms(specifier: string): Readonly<Record<string, string>> {
  return {
    "import.mjs": `
      import * as module from ${JSON.stringify(specifier)};
      console.log(Object.keys(module).sort().join("\\n"));
    `,
    "require.cjs": `
      const module_ = require(${JSON.stringify(specifier)});
      console.log(Object.keys(module_).sort().join("\\n"));
    `,
  };
}

/** Prints those built-in modules for processes and threads that the import loaded: none, if importing is to be cheap. */
export const LOADED_PROGRAM = `
  const before = new Set(process.moduleLoadList);
  await import("@subagent/seam");
  const loaded = process.moduleLoadList.filter((name) => !before.has(name));
  console.log(loaded.filter((name) => /child_process|cluster|worker_threads/.test(name)).join());
`;

/** Uses the types as a host would. */
export const TYPED_PROGRAM = `
  import {
    type ContentBlock, formatFailure, Subagents, SubagentError, type SubagentProvider, type SubagentResult,
  } from "@subagent/seam";

  const provider: SubagentProvider["specificationVersion"] = "v1";
  const subagents: Subagents = new Subagents({ onHostFailure: () => {} });
  const names: string[] = subagents.names();
  async function delegate(): Promise<SubagentResult | undefined> {
    try {
      const run = await subagents.start("acp", { prompt: "Hello", parent: { id: "host" } });
      await run.dispose();
      return await run.result;
    } catch (error) {
      if (SubagentError.is(error)) return undefined;
      throw error;
    }
  }
  function text(blocks: readonly ContentBlock[]): string {
    return blocks.map((block) => (block.type === "text" ? String(block.text) : "")).join("");
  }
  // @ts-expect-error A wrong type must be found, or this check finds nothing
  const wrong: number = subagents.names();
  export { delegate, formatFailure, names, provider, text, wrong };
`;

/** Compiler options of the consumers that check types; nothing skipped. */
export const TYPE_CHECKS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  nodenext: { module: "NodeNext", moduleResolution: "NodeNext" },
  bundler: { module: "ESNext", moduleResolution: "Bundler" },
};
