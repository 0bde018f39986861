/**
 * What is said about jobs. The words are fixed; models and hosts match on them.
 *
 * @module
 */
import type { JobKill, JobReading, JobSnapshot } from "./jobs_types.ts";

/** Why a job is cancelled when nobody says why. */
export const DEFAULT_KILL_REASON = "background subagent task killed";
/** Why the jobs of an owner that goes are cancelled. */
export const OWNER_DISPOSED = "owner disposed";
/** Why all jobs are cancelled when their service ends. */
export const SERVICE_DISPOSED = "jobs service disposed";
/** Stands in for an error that may hold anybody's text. */
export const HIDDEN_ERROR = "unknown error";
const NO_JOBS = "(no background jobs)";

/** Where a job is, in brackets. */
export function statusText(job: JobSnapshot): string {
  return job.status === "failed" ? `[status: ${job.status}, ${job.detail}]` : `[status: ${job.status}]`;
}

/** What reading a job says: the output, and where the job is on a line of its own. */
export function readingText({ text, job }: JobReading): string {
  const output = text === "" ? "(no new output)" : text;
  return `${output}${output.endsWith("\n") ? "" : "\n"}${statusText(job)}`;
}

/** The list of jobs, one a line. */
export function listText(jobs: readonly JobSnapshot[]): string {
  return jobs.length === 0 ? NO_JOBS : jobs.map(listLine).join("\n");
}

function listLine({ id, kind, status, label }: JobSnapshot): string {
  return `${id} [${kind}] ${status} — ${oneLine(label)}`;
}

/** What asking a job to end says. */
export function killText({ kind, job }: JobKill): string {
  return kind === "requested"
    ? `requested cancellation of job ${job.id}`
    : `job ${job.id} had already finished ${statusText(job)}`;
}

/** What an owner is told when a job of its settled. */
export function noticeText(job: JobSnapshot): string {
  return `background job ${job.id} (${job.kind}: ${oneLine(job.label)}) finished ${statusText(job)}. ` +
    "Read its output with job_output.";
}

/** What starting a delegation in the background says. */
export function startedText({ id }: JobSnapshot): string {
  return `started background subagent job ${id}`;
}

/** A label is a model's; with line breaks it would be able to look like another entry. */
function oneLine(label: string): string {
  return label.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
