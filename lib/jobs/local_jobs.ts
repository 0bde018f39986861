/**
 * Background jobs in the memory of this process. What runs, runs here; all of it is gone when the process is.
 *
 * @module
 */
import { sharedDisposal } from "../seam/shared_disposal.ts";
import { type CheckedJobRequest, checkedJobRequest } from "./check_job_request.ts";
import { jobFingerprint } from "./job_fingerprint.ts";
import { JobNotices } from "./job_notices.ts";
import {
  foreignJob,
  jobsDisposed,
  keyConflict,
  limitReached,
  noJobController,
  ownerNotLive,
  unknownJob,
} from "./job_refusals.ts";
import { DEFAULT_KILL_REASON, noticeText, OWNER_DISPOSED, SERVICE_DISPOSED } from "./job_texts.ts";
import type {
  JobAccess,
  JobKill,
  JobNoticeListener,
  JobReading,
  JobRequest,
  JobSnapshot,
  KillOptions,
  WaitOptions,
} from "./jobs_types.ts";
import { LocalJob } from "./local_job.ts";
import { checkedLocalJobsOptions, type LocalJobs, type LocalJobsOptions } from "./local_jobs_options.ts";
import { assertWaitTimeout, waitFor } from "./wait_for.ts";

/**
 * Makes the jobs of one process.
 *
 * A job that was read or killed may be forgotten once there are more such ones than `remembered`, oldest first; one
 * that was not stays until it is, or until its owner is disposed of.
 *
 * @throws {TypeError} When an option is wrong, naming it and what it must be.
 */
export function localJobs(options: LocalJobsOptions): LocalJobs {
  return new JobsInMemory(options);
}

/** What belongs to one owner. */
interface OwnerRecord {
  readonly jobs: Set<LocalJob>;
  readonly byKey: Map<string, LocalJob>;
  isClosing: boolean;
}

class JobsInMemory implements LocalJobs {
  readonly #options: Required<LocalJobsOptions>;
  readonly #notices: JobNotices;
  readonly #jobs: Map<string, LocalJob> = new Map();
  readonly #owners: Map<string, OwnerRecord> = new Map();
  readonly #lastNumber: Map<string, number> = new Map();
  #isDisposed = false;

  constructor(options: LocalJobsOptions) {
    this.#options = checkedLocalJobsOptions(options);
    const { clock, noticeRetryMs, onFailure } = this.#options;
    this.#notices = new JobNotices({
      clock,
      retryMs: noticeRetryMs,
      onListenerError: ({ job }, error) => onFailure({ jobId: job.id, operation: "notice", error }),
    });
  }

  start(request: JobRequest): Promise<JobSnapshot> {
    return promised(() => this.#start(request));
  }

  read(id: string, access: JobAccess = {}): Promise<JobReading> {
    return promised(() => {
      const job = this.#accessible(id, access);
      const reading = { text: job.output, job: job.snapshot() };
      if (!job.isActive) this.#markReported(job);
      return reading;
    });
  }

  async wait(id: string, options: WaitOptions = {}): Promise<JobSnapshot> {
    const { timeoutMs, signal } = options;
    assertWaitTimeout(timeoutMs);
    const job = this.#accessible(id, options);
    if (job.isActive) await waitFor(job.settled, { timeoutMs, signal }, this.#options.clock);
    return job.snapshot();
  }

  kill(id: string, options: KillOptions = {}): Promise<JobKill> {
    return promised(() => {
      const job = this.#accessible(id, options);
      const kind = job.isActive ? "requested" : "already-finished";
      job.cancel(options.reason ?? DEFAULT_KILL_REASON);
      this.#markReported(job);
      return { kind, job: job.snapshot() };
    });
  }

  list({ owner }: JobAccess = {}): Promise<readonly JobSnapshot[]> {
    const jobs = owner === undefined ? this.#jobs.values() : this.#owners.get(owner)?.jobs ?? [];
    return Promise.resolve(Array.from(jobs, (job) => job.snapshot()));
  }

  onNotice(owner: string, listener: JobNoticeListener): () => void {
    return this.#notices.subscribe(owner, listener);
  }

  async disposeOwner(owner: string): Promise<readonly JobSnapshot[]> {
    const record = this.#owners.get(owner);
    if (record === undefined) return [];
    record.isClosing = true;
    this.#notices.forget(owner);
    const jobs = [...record.jobs];
    for (const job of jobs) job.abandon(OWNER_DISPOSED);
    await Promise.all(jobs.map(({ settled }) => settled));
    for (const job of jobs) this.#jobs.delete(job.facts.id);
    if (this.#owners.get(owner) === record) this.#owners.delete(owner);
    return jobs.map((job) => job.snapshot());
  }

  readonly dispose: () => Promise<void> = sharedDisposal(async () => {
    this.#isDisposed = true;
    this.#notices.close();
    const jobs = [...this.#jobs.values()];
    for (const job of jobs) job.abandon(SERVICE_DISPOSED);
    await Promise.all(jobs.map(({ settled }) => settled));
  });

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** One step: two starts at once cannot both take the last place, or one key. */
  #start(request: JobRequest): JobSnapshot {
    if (this.#isDisposed) throw jobsDisposed();
    const checked = checkedJobRequest(request);
    const fingerprint = jobFingerprint(checked);
    const record = this.#owners.get(checked.ownerId);
    const known = checked.key === undefined ? undefined : record?.byKey.get(checked.key);
    if (known !== undefined) {
      if (known.fingerprint !== fingerprint) throw keyConflict(known.facts.id);
      return known.snapshot();
    }
    this.#assertMayStart(checked, record);
    const job = this.#newJob(checked, fingerprint);
    job.begin(this.#options.run);
    return job.snapshot();
  }

  #assertMayStart({ owner, ownerId }: CheckedJobRequest, record: OwnerRecord | undefined): void {
    const state = record?.isClosing === true ? "not-live" : this.#options.ownerState(owner);
    if (state === "uncontrolled") throw noJobController();
    if (state !== "live") throw ownerNotLive(ownerId);
    const active = [...record?.jobs ?? []].filter(({ isActive }) => isActive);
    if (active.length >= this.#options.limit) throw limitReached(this.#options.limit);
  }

  #newJob({ kind, label, owner, ownerId, key, work }: CheckedJobRequest, fingerprint: string): LocalJob {
    const number = (this.#lastNumber.get(kind) ?? 0) + 1;
    this.#lastNumber.set(kind, number);
    const id = `${kind}-${number}`;
    const job = new LocalJob({
      facts: { id, kind, label, owner: ownerId, startedAt: this.#options.clock.now() },
      owner,
      work,
      fingerprint,
      now: () => this.#options.clock.now(),
      onSettled: (settled) => this.#onSettled(settled),
      onError: (operation, error) => this.#options.onFailure({ jobId: id, operation, error }),
    });
    let record = this.#owners.get(ownerId);
    if (record === undefined) {
      this.#owners.set(ownerId, record = { jobs: new Set(), byKey: new Map(), isClosing: false });
    }
    record.jobs.add(job);
    if (key !== undefined) record.byKey.set(key, job);
    this.#jobs.set(id, job);
    return job;
  }

  #accessible(id: string, { owner }: JobAccess): LocalJob {
    const job = this.#jobs.get(id);
    if (job === undefined) throw unknownJob(id);
    if (owner !== undefined && job.facts.owner !== owner) throw foreignJob(id);
    return job;
  }

  #onSettled(job: LocalJob): void {
    if (job.isReported) return this.#forgetOld(job.facts.owner);
    const snapshot = job.snapshot();
    job.notice = Object.freeze({ job: snapshot, text: noticeText(snapshot) });
    this.#notices.add(job.notice);
  }

  #markReported(job: LocalJob): void {
    job.isReported = true;
    if (job.notice !== undefined) this.#notices.withdraw(job.notice);
    if (!job.isActive) this.#forgetOld(job.facts.owner);
  }

  #forgetOld(owner: string): void {
    const record = this.#owners.get(owner);
    if (record === undefined) return;
    const settled = [...record.jobs].filter(({ isActive, isReported }) => !isActive && isReported);
    for (const job of settled.slice(0, Math.max(0, settled.length - this.#options.remembered))) {
      record.jobs.delete(job);
      this.#jobs.delete(job.facts.id);
      for (const [key, keyed] of record.byKey) if (keyed === job) record.byKey.delete(key);
    }
    if (record.jobs.size === 0 && !record.isClosing) this.#owners.delete(owner);
  }
}

/** Does something now; what it throws becomes a rejection. */
function promised<T>(action: () => T): Promise<T> {
  return new Promise((resolve) => resolve(action()));
}
