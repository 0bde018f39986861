/**
 * A published run behind the seam.
 *
 * @module
 */
import { joinDiagnostic } from "../diagnostics/join_diagnostic.ts";
import { SubagentFailure } from "../seam/errors.ts";
import { sharedDisposal } from "../seam/shared_disposal.ts";
import type { SubagentResult, SubagentRun } from "../seam/types.ts";
import type { RunDrive } from "./run_drive.ts";
import { lastOf, lastTurnReason } from "./run_outcome.ts";
import type { RunParent } from "./seam_rules.ts";

/** What a run needs of its provider. */
export interface SeamRunParts {
  /** Registered name of the provider. */
  readonly name: string;
  /** Takes a raw failure of the run. Never throws. */
  readonly report: (operation: "run" | "dispose", error: unknown, runId: string) => void;
}

/** Makes the run of a published child. Its result never rejects, and no word of the child is in its diagnostic. */
export function seamRun(drive: RunDrive<RunParent>, { name, report }: SeamRunParts): SubagentRun {
  const { id } = drive;
  const dispose = sharedDisposal(async () => {
    const [disposal] = await Promise.allSettled([drive.dispose(), drive.result]);
    if (disposal.status === "fulfilled") return;
    const { reason: cause } = disposal as { readonly reason: unknown };
    report("dispose", cause, id);
    throw new SubagentFailure({ provider: name, stage: "dispose", category: "unknown" }, { cause });
  });
  return Object.freeze({
    id,
    localAgent: drive.agent,
    result: settle(drive, name, (error) => report("run", error, id)),
    dispose,
    [Symbol.asyncDispose]: dispose,
  });
}

async function settle(
  drive: RunDrive<RunParent>,
  name: string,
  report: (error: unknown) => void,
): Promise<SubagentResult> {
  const diagnostic = joinDiagnostic({ provider: name, stage: "result", category: "unknown" }) as string;
  try {
    const result = await drive.result;
    if (result.stopReason !== "error") return result;
    report(whyItFailed(drive));
    return { ...result, diagnostic };
  } catch (error) {
    report(error);
    return { output: [], stopReason: "error", diagnostic };
  }
}

/** What there is to say about it, for the host alone. What a turn failed with went to the runtime's own sink. */
function whyItFailed({ events }: RunDrive<RunParent>): Error {
  const end = lastOf(events, "turn/end");
  if (end === undefined) return new Error("The child ended before its turn did");
  const reason = lastTurnReason(events);
  return reason === "completed"
    ? new Error("The child finished without reporting a structured result")
    : new Error(`The child's turn ended as ${JSON.stringify(reason)}: see onFailure of its runtime`, {
      cause: end.data,
    });
}
