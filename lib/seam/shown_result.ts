/**
 * A result as it may be shown: what a provider says in it is looked at, not trusted.
 *
 * @module
 */
import { limitDiagnostic } from "../diagnostics/limit_diagnostic.ts";
import { joinText } from "./content.ts";
import type { SubagentResult } from "./types.ts";

/** What of a result reaches a model or a person. */
export interface ShownResult {
  /** Why the run ended: a word that {@link shownStopReason} lets through. */
  readonly stopReason: string;
  /** The text blocks of the output, joined with no separator; blocks of other kinds are dropped. */
  readonly text: string;
  /** Within the size limit of a diagnostic. Never there for a completed run. */
  readonly diagnostic?: string;
}

/**
 * Reads a result. A diagnostic that is no string counts as absent.
 *
 * @throws {TypeError} When the result is none.
 * @throws What a getter or a proxy's trap of the result throws: not to be shown.
 */
export function shownResult(result: SubagentResult): ShownResult {
  const { stopReason, output, diagnostic } = result;
  const shown = { stopReason: shownStopReason(stopReason), text: joinText(output) };
  if (shown.stopReason === "completed" || typeof diagnostic !== "string") return shown;
  return { ...shown, diagnostic: limitDiagnostic(diagnostic) };
}

/**
 * A stop reason as it may be shown. The set is open and the word is the provider's, so only a short lower-case word
 * passes; anything else, of whatever type, is `unknown`.
 */
export function shownStopReason(stopReason: unknown): string {
  return typeof stopReason === "string" && /^[a-z][a-z0-9_-]{0,63}$/.test(stopReason)
    ? stopReason
    : "unknown";
}
