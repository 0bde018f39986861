/**
 * The processes of one agent, found without the library's help.
 *
 * @module
 */
import process from "node:process";
import { type LivingProcess, readProcesses } from "./read_processes.ts";

/** Watches the processes of the agent that was started in one folder. */
export class AgentProcesses {
  readonly #root: string;
  readonly #seen = new Set<string>();

  /** @param root The launch's folder: it stands in the environment of whatever the agent starts. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The process that this one started, or undefined when it has ended. */
  direct(): LivingProcess | undefined {
    return this.look().find(({ parent }) => parent === process.pid);
  }

  /**
   * Finds the living processes of the agent: those that name the folder in environment, arguments or working
   * directory, their descendants, and any that an earlier look found and that lives on under another parent.
   */
  look(): readonly LivingProcess[] {
    const all = readProcesses();
    const found = new Set(all.filter((one) => this.#names(one) || this.#seen.has(one.identity)));
    for (let before = -1; before !== found.size;) {
      before = found.size;
      const parents = new Set([...found].map(({ pid }) => pid));
      for (const one of all) if (parents.has(one.parent)) found.add(one);
    }
    for (const { identity } of found) this.#seen.add(identity);
    return [...found];
  }

  #names({ environment, argv, cwd }: LivingProcess): boolean {
    return [cwd, ...argv, ...environment].some((text) => text.includes(this.#root));
  }
}
