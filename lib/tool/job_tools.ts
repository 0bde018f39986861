/**
 * The tools that a model looks after its background jobs with.
 *
 * @module
 */
import { killText, listText, readingText } from "../jobs/job_texts.ts";
import type { JobKill, JobReading, Jobs, JobSnapshot } from "../jobs/jobs_types.ts";
import type { JsonObject } from "../schema/json_value.ts";
import { aFunction, checkedOptions } from "../seam/checked_options.ts";
import type { ModelTool, ModelToolCall, ModelToolResult } from "./model_tool.ts";
import { shownJobsError } from "./shown_jobs_error.ts";
import { assertNotAborted, checkedInput, toolSchema } from "./tool_input.ts";

/** Options of {@link jobTools}. */
export interface JobToolsOptions {
  /** Takes what the jobs threw and a model must not see. Default: it is dropped. */
  readonly onFailure?: (error: unknown) => void;
}

/** The tools for jobs. */
export interface JobTools {
  /** Gives what came of a job; waits for it on demand. */
  readonly output: ModelTool<JobReading>;
  /** Ends a job. */
  readonly kill: ModelTool<JobKill>;
  /** Lists the jobs of the caller. */
  readonly list: ModelTool<readonly JobSnapshot[]>;
}

const JOB_ID = {
  type: "string",
  description: "Id of the job, as the call that started it gave it.",
} as const;

const OUTPUT_SCHEMA = toolSchema({
  type: "object",
  properties: {
    job_id: JOB_ID,
    wait_ms: {
      type: "number",
      description: "Milliseconds to wait for the job at most, if it is not done. Left out: do not wait.",
    },
  },
  required: ["job_id"],
  additionalProperties: false,
});

const KILL_SCHEMA = toolSchema({
  type: "object",
  properties: { job_id: JOB_ID },
  required: ["job_id"],
  additionalProperties: false,
});

const LIST_SCHEMA = toolSchema({ type: "object", properties: {}, additionalProperties: false });

/**
 * Makes the tools `job_output`, `job_kill` and `job_list`. Each of them reaches the jobs of the calling parent only.
 *
 * @throws {TypeError} When an option is wrong.
 */
export function jobTools(jobs: Jobs, options: JobToolsOptions = {}): JobTools {
  const { onFailure = () => {} } = checkedOptions("jobTools()", options, { onFailure: aFunction });
  return Object.freeze({
    output: jobTool("job_output", OUTPUT_WORDS, OUTPUT_SCHEMA, onFailure, async (input, access) => {
      const { job_id: id, wait_ms: timeoutMs } = input as {
        readonly job_id: string;
        readonly wait_ms?: number;
      };
      if (timeoutMs !== undefined) await jobs.wait(id, { ...access, timeoutMs });
      const value = await jobs.read(id, access);
      return { text: readingText(value), value };
    }),
    kill: jobTool("job_kill", KILL_WORDS, KILL_SCHEMA, onFailure, async (input, { owner }) => {
      const value = await jobs.kill(input.job_id as string, { owner });
      return { text: killText(value), value };
    }),
    list: jobTool("job_list", LIST_WORDS, LIST_SCHEMA, onFailure, async (_input, { owner }) => {
      const value = await jobs.list({ owner });
      return { text: listText(value), value };
    }),
  });
}

const OUTPUT_WORDS =
  "Give the whole output of a background job and where it stands. A job that is not done has no " +
  "output yet: go on with other work until its notice comes, or wait for it with wait_ms.";

const KILL_WORDS =
  "End a background job that is no longer needed. It stops soon, not at once, and no notice comes.";

const LIST_WORDS = "List the background jobs of this conversation: id, kind, status, description.";

/** Who calls, and until when. */
interface JobCall {
  readonly owner: string;
  readonly signal: AbortSignal | undefined;
}

function jobTool<Value>(
  name: string,
  description: string,
  inputSchema: JsonObject,
  onFailure: (error: unknown) => void,
  body: (input: JsonObject, call: JobCall) => Promise<ModelToolResult<Value>>,
): ModelTool<Value> {
  return Object.freeze({
    name,
    description,
    inputSchema,
    execute: async (input: unknown, { parent, signal }: ModelToolCall) => {
      assertNotAborted(signal);
      if (parent === undefined) {
        throw new Error(`${name} tool requires a calling agent (exec.agent was undefined)`);
      }
      const checked = checkedInput(inputSchema, input);
      try {
        return await body(checked, { owner: parent.id, signal });
      } catch (error) {
        throw shownJobsError(error, onFailure);
      }
    },
  });
}
