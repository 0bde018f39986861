/**
 * The port of background jobs: what is started, what is known of it, who hears of its end. Types only.
 *
 * A job is data, so that the one who starts it, the one who runs it and the one who reads it may be different
 * processes. What the data means is known to a {@link JobRunner} alone, which every process that runs jobs has.
 *
 * @module
 */
import type { JsonObject } from "../schema/json_value.ts";
import type { SubagentParent } from "../seam/types.ts";

/** A job as it is asked for. */
export interface JobRequest {
  /** What sort of work it is; the first part of the job's id. Not empty. */
  readonly kind: string;
  /** Short display label. Not empty. */
  readonly label: string;
  /**
   * Whose job it is. An implementation in one process hands the runner this very object, so that an in-process agent
   * stays itself; one across processes keeps `id` and `cwd`.
   */
  readonly owner: SubagentParent;
  /**
   * Makes starting idempotent: a second request of the same owner with the same key gives the job that is there, as
   * long as that is remembered. Default: every request is a new job.
   */
  readonly key?: string;
  /** What there is to do, as lossless JSON. */
  readonly work: JsonObject;
}

/** A job as its runner gets it. */
export interface JobAssignment {
  /** Id of the job. */
  readonly id: string;
  /** What sort of work it is. */
  readonly kind: string;
  /** Display label. */
  readonly label: string;
  /** Whose job it is. */
  readonly owner: SubagentParent;
  /** What there is to do; deep-frozen. */
  readonly work: JsonObject;
}

/**
 * Begins the work of one job. Called once a job, by the process that runs it, and never for a job that may have begun
 * before. What it throws settles the job as `failed` with a fixed text.
 */
export type JobRunner = (job: JobAssignment) => JobActivity;

/** Work that has begun. */
export interface JobActivity {
  /**
   * Asks the work to end soon. Called at most once unless it threw, after which the job counts as not cancelled.
   *
   * @param reason Why; fixed text.
   */
  cancel(reason: string): void;
  /**
   * Fulfils once nothing of the work is left running. A rejection settles the job as `failed` with a fixed text: the
   * error may be anybody's, and details are shown to models.
   */
  readonly done: Promise<JobOutcome>;
}

/** How work ended. `output` and `detail` are shown to models. */
export type JobOutcome =
  | {
    /** It was done. */
    readonly status: "completed";
    /** What came of it. */
    readonly output: string;
  }
  | {
    /** It was not done. */
    readonly status: "failed";
    /** Why: safe text. */
    readonly detail: string;
  }
  | {
    /** It was cancelled, and nothing of it is left. */
    readonly status: "killed";
  };

/** Where a job is. A job that waits for somebody to run it is `running` too. */
export type JobStatus = "running" | "stopping" | JobOutcome["status"];

/** Where a job is, with what belongs to that. */
export type JobState =
  | {
    /** Not settled; `stopping` once it was asked to end. */
    readonly status: "running" | "stopping";
  }
  | {
    /** Settled. */
    readonly status: "completed" | "killed";
    /** When, in milliseconds since 1970. */
    readonly settledAt: number;
  }
  | {
    /** Settled. */
    readonly status: "failed";
    /** When, in milliseconds since 1970. */
    readonly settledAt: number;
    /** Why: safe text. */
    readonly detail: string;
  };

/** What stays the same about a job. */
export interface JobFacts {
  /** `<kind>-<number>`, with numbers from 1 for each kind. */
  readonly id: string;
  /** What sort of work it is. */
  readonly kind: string;
  /** Display label. */
  readonly label: string;
  /** Id of the owner. */
  readonly owner: string;
  /** When it was accepted, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** What is known of a job at one moment; frozen. */
export type JobSnapshot = JobFacts & JobState;

/** What reading a job gives. */
export interface JobReading {
  /** The whole output of a completed job, however often it is read; empty for any other. */
  readonly text: string;
  /** The job. */
  readonly job: JobSnapshot;
}

/** What asking a job to end came to. */
export interface JobKill {
  /** `requested`: it will settle, perhaps as completed. `already-finished`: nothing was done. */
  readonly kind: "requested" | "already-finished";
  /** The job. */
  readonly job: JobSnapshot;
}

/** That a job settled. */
export interface JobNotice {
  /** The job. */
  readonly job: JobSnapshot;
  /** The notice in words, for a model. Like everything about the job in it, it names this job alone. */
  readonly text: string;
}

/**
 * Takes notices. One that throws, or whose promise rejects, gets the notice again later; one that may have to forget
 * it before it is acted on keeps its promise pending until then.
 */
export type JobNoticeListener = (notice: JobNotice) => PromiseLike<void> | void;

/** Who looks. */
export interface JobAccess {
  /** Id of the owner: jobs of others are refused. Default: whoever operates the host, for whom all jobs are open. */
  readonly owner?: string | undefined;
}

/** How to end a job. */
export interface KillOptions extends JobAccess {
  /** Why; fixed text for the runner. @default {"background subagent task killed"} */
  readonly reason?: string;
}

/** How to wait for a job. */
export interface WaitOptions extends JobAccess {
  /** Milliseconds to wait at most, above 0. Default: until it settles. */
  readonly timeoutMs?: number | undefined;
  /** Ends the waiting; the job goes on. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Background jobs. Every method refuses with a {@link JobError}, whose message is safe to show.
 *
 * - A job settles once: what comes later changes nothing.
 * - A result stays until it was read and the implementation's bounds need the room, or its owner is gone.
 * - Each settlement is noticed at least once, unless the owner has read the job by then or ended it itself.
 */
export interface Jobs {
  /**
   * Accepts a job. Fulfils when it is sure to run and to settle.
   *
   * @throws {JobError} `INVALID_JOB`, `OWNER_NOT_LIVE`, `UNAVAILABLE`, `LIMIT_REACHED`, or `KEY_CONFLICT` when the
   *   owner has used the key for something else.
   */
  start(request: JobRequest): Promise<JobSnapshot>;
  /**
   * Gives what came of a job. From then on a settled one is not noticed.
   *
   * @throws {JobError} `UNKNOWN_JOB` or `FOREIGN_JOB`.
   */
  read(id: string, access?: JobAccess): Promise<JobReading>;
  /**
   * Waits until a job is settled, or for some time.
   *
   * @returns The job; not settled when the time ran out.
   * @throws {JobError} `UNKNOWN_JOB`, `FOREIGN_JOB`, `INVALID_TIMEOUT`, or `WAIT_ABORTED`.
   */
  wait(id: string, options?: WaitOptions): Promise<JobSnapshot>;
  /**
   * Asks a job to end. It is not noticed: who ends a job knows.
   *
   * @throws {JobError} `UNKNOWN_JOB`, `FOREIGN_JOB`, or `CANCEL_FAILED`, after which the job goes on as before.
   */
  kill(id: string, options?: KillOptions): Promise<JobKill>;
  /** The jobs that are remembered, oldest first: those of one owner, or all. */
  list(access?: JobAccess): Promise<readonly JobSnapshot[]>;
  /**
   * Tells a listener of jobs of an owner that settled, those that nobody was told of so far included.
   *
   * @param owner Id of the owner.
   * @returns Ends that. What the listener has not taken by then is left for the next one.
   */
  onNotice(owner: string, listener: JobNoticeListener): () => void;
}
