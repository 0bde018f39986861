/**
 * What a model is told about the delegation tool.
 *
 * @module
 */
import type { JsonObject } from "../schema/json_value.ts";
import { toolSchema } from "./tool_input.ts";

/** What the words depend on. */
export interface ToolWordsOptions {
  /** Whether children know the conversation. */
  readonly inheritsParentContext: boolean;
  /** Whether a task may be done in the background. */
  readonly offersBackground: boolean;
}

const FRESH =
  "Hand one self-contained task to a subagent and get its final answer back. The subagent begins with an " +
  "empty conversation and knows nothing of this one, so the prompt must hold all it needs: the goal, the facts and " +
  "paths found so far, what to leave alone, and what to answer with.";

const FORKED =
  "Hand one task to a subagent that knows this conversation up to the last completed turn, and get its " +
  "final answer back. Do not repeat what was said in it; the prompt says what to do now, what to leave alone, and " +
  "what to answer with. What happens here after that turn does not reach the subagent.";

const COMMON =
  "It works on its own, cannot ask back, and none of its steps appear here: only its last message does. " +
  "Good for work that can be described in full and whose details do not matter here, such as a search through many " +
  "files or a change that stands alone; do what takes one or two steps yourself. Several calls in one step work at " +
  'the same time. When the task is not done, the result says why in fixed words; text behind "Partial output" is ' +
  "unfinished.";

const BACKGROUND =
  "With run_in_background the call returns a job id at once and the subagent goes on beside this " +
  "conversation: a notice comes when it is done, and job_output gives its answer.";

/** The description of the tool. */
export function toolDescription({ inheritsParentContext, offersBackground }: ToolWordsOptions): string {
  return [inheritsParentContext ? FORKED : FRESH, COMMON, ...(offersBackground ? [BACKGROUND] : [])].join(
    " ",
  );
}

/** The schema of the tool's input; deep-frozen. */
export function toolInputSchema({ inheritsParentContext, offersBackground }: ToolWordsOptions): JsonObject {
  return toolSchema({
    type: "object",
    properties: {
      description: {
        type: "string",
        description: "The task in three to six words, for lists that people see.",
      },
      prompt: {
        type: "string",
        description: inheritsParentContext
          ? "The task, and what the answer must hold."
          : "The whole task: goal, background, limits, and what the answer must hold.",
      },
      ...(offersBackground
        ? {
          run_in_background: {
            type: "boolean",
            description: "true: do not wait, return a job id. Left out: wait for the answer.",
          },
        }
        : {}),
    },
    required: ["description", "prompt"],
    additionalProperties: false,
  });
}
