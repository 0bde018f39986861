/**
 * Narrowing what an agent sees of the global tools.
 *
 * @module
 */
import { isRecord, kindOf } from "../../seam/kind_of.ts";
import type { SubagentToolFilter } from "../../seam/types.ts";
import { checkedNames } from "../checked_names.ts";
import { RUN_CODE_TOOL } from "./run_code_tool.ts";

/** A restriction in force. */
export class ToolRestriction {
  /** Everything the filter names, each once: first what it allows, then what it denies. */
  readonly names: ReadonlySet<string>;
  readonly #allowed: ReadonlySet<string> | undefined;
  readonly #denied: ReadonlySet<string>;

  /**
   * Reads a filter, each field once. Whether the tools are there is not known here.
   *
   * @throws {TypeError} When the filter has the wrong shape.
   * @throws {Error} When it says nothing, or names the reserved tool.
   */
  constructor(filter: SubagentToolFilter) {
    if (!isRecord(filter)) {
      throw new TypeError(`tools.restrict() filter must be an object, got ${kindOf(filter)}`);
    }
    const { allow, deny } = filter;
    if (allow === undefined && deny === undefined) {
      throw new Error(
        `tools.restrict({}) is a no-op: pass "allow" to keep only some tools, or "deny" to hide some`,
      );
    }
    this.#allowed = allow === undefined ? undefined : checkedNames(allow, 'tools.restrict() "allow"');
    this.#denied = deny === undefined ? new Set() : checkedNames(deny, 'tools.restrict() "deny"');
    this.names = new Set([...this.#allowed ?? [], ...this.#denied]);
    if (this.names.has(RUN_CODE_TOOL)) {
      throw new Error(
        `tools.restrict() cannot name reserved Code Mode presentation transport "${RUN_CODE_TOOL}"; ` +
          "name the tools that programs call through it",
      );
    }
  }

  /** Tells whether a global tool stays visible. */
  admits(name: string): boolean {
    return (this.#allowed === undefined || this.#allowed.has(name)) && !this.#denied.has(name);
  }
}

/** Refuses names of tools that are not there. @throws {Error} When there are any. */
export function assertKnownTools(names: Iterable<string>, known: ReadonlySet<string>): void {
  const unknown = Array.from(names).filter((name) => !known.has(name)).map((name) => `"${name}"`);
  if (unknown.length === 0) return;
  const list = known.size === 0 ? "(none)" : [...known].sort().join(", ");
  throw new Error(
    `tools.restrict() names unknown ${unknown.length === 1 ? "tool" : "tools"} ${unknown.join(", ")}; ` +
      `known tools for this scope: ${list}`,
  );
}
