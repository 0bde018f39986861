/**
 * The diagnostic of a result.
 *
 * @module
 */
import type { FailureFacts } from "./failure_facts.ts";
import { formatFailure } from "./format_failure.ts";
import { formatPermission, type PermissionFacts } from "./format_permission.ts";

/**
 * Writes the diagnostic of a run that did not complete: the failure line, the permission line, or both on two lines.
 * Gives `undefined` when there is nothing to say. It takes facts and not lines, so that no other text gets in.
 */
export function joinDiagnostic(failure?: FailureFacts, permission?: PermissionFacts): string | undefined {
  const lines = [
    ...(failure === undefined ? [] : [formatFailure(failure)]),
    ...(permission === undefined ? [] : [formatPermission(permission)]),
  ];
  return lines.length === 0 ? undefined : lines.join("\n");
}
