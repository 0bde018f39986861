/**
 * What is known about a failure, as data.
 *
 * @module
 */
import { isProviderName } from "./provider_name.ts";
import { readOwn } from "./read_own.ts";
import {
  ACP_CATEGORIES,
  ACP_FAILURE_STOP_REASONS,
  ACP_STAGES,
  type AcpCategory,
  type AcpFailureStopReason,
  type AcpStage,
  isWordOf,
  SDK_CATEGORIES,
  SDK_STAGES,
  type SdkCategory,
  type SdkStage,
  SEAM_STAGES,
  type SeamStage,
  SIGNAL_NAMES,
  type Unknown,
  wordOr,
} from "./vocabularies.ts";

/** A failure of the ACP provider. */
export interface AcpFailureFacts {
  /** Discriminant. */
  readonly provider: "ACP";
  /** Where the run was. */
  readonly stage: AcpStage | Unknown;
  /** What kind of fault it was. */
  readonly category: AcpCategory;
  /** Why the agent stopped, when its own stop reason is the failure. */
  readonly stopReason?: AcpFailureStopReason | Unknown;
  /** Exit code of the child, once it was observed; null as in a process exit that a signal caused. */
  readonly exitCode?: number | null;
  /** Name of the signal that ended the child, once it was observed; null as in a process exit with a code. */
  readonly signal?: string | null;
}

/** A failure of the DSH SDK provider. */
export interface SdkFailureFacts {
  /** Discriminant. */
  readonly provider: "DSH SDK";
  /** Where the run was. */
  readonly stage: SdkStage | Unknown;
  /** What kind of fault it was. */
  readonly category: SdkCategory;
}

/** A failure that the seam saw in a provider it knows nothing more about. */
export interface SeamFailureFacts {
  /** The provider's registered name. */
  readonly provider: string;
  /** Which call failed. */
  readonly stage: SeamStage | Unknown;
  /** Nothing more is known. */
  readonly category: Unknown;
}

/** What is known about a failure. Only words of the closed lists ever reach a text. */
export type FailureFacts = AcpFailureFacts | SdkFailureFacts | SeamFailureFacts;

/**
 * Makes facts out of any value: frozen, plain, every word from its list. Each field is read once, so that what was
 * checked is what is kept. A word outside its list becomes `unknown`; an exit code that is no safe integer and a
 * signal that has no known name are left out. Never throws.
 */
export function checkedFacts(facts: unknown): FailureFacts {
  const provider = readOwn(facts, "provider");
  const stage = readOwn(facts, "stage");
  if (isWordOf(SEAM_STAGES, stage)) return seamFacts(provider, stage);
  if (provider === "ACP") return acpFacts(facts, stage);
  if (provider === "DSH SDK") {
    return Object.freeze({
      provider,
      stage: wordOr(SDK_STAGES, stage),
      category: wordOr(SDK_CATEGORIES, readOwn(facts, "category")),
    });
  }
  return seamFacts(provider, "unknown");
}

function seamFacts(provider: unknown, stage: SeamStage | Unknown): SeamFailureFacts {
  return Object.freeze({
    provider: isProviderName(provider) ? provider : "unknown",
    stage,
    category: "unknown",
  });
}

function acpFacts(facts: unknown, stage: unknown): AcpFailureFacts {
  const category = wordOr(ACP_CATEGORIES, readOwn(facts, "category"));
  const stopReason = readOwn(facts, "stopReason");
  const exitCode = readOwn(facts, "exitCode");
  const signal = readOwn(facts, "signal");
  return Object.freeze({
    provider: "ACP",
    stage: wordOr(ACP_STAGES, stage),
    category,
    ...(stopReason === undefined ? {} : { stopReason: wordOr(ACP_FAILURE_STOP_REASONS, stopReason) }),
    // Adding 0 turns -0 into 0.
    ...(isExitCode(exitCode) ? { exitCode: exitCode + 0 } : {}),
    ...(isWordOf(SIGNAL_NAMES, signal) ? { signal } : {}),
  });
}

function isExitCode(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
