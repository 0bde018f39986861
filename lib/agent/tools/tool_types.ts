/**
 * Tools, their calls, and the policies that stand between a call and its tool. Types only.
 *
 * @module
 */
import type { JsonObject, JsonValue } from "../../schema/json_value.ts";
import type { ContentBlock } from "../../seam/content.ts";
import type { SubagentToolFilter } from "../../seam/types.ts";
import type { Agent } from "../agent.ts";
import type { Waterfall } from "../waterfall.ts";
import type { ExecutionToken } from "./execution_token.ts";

/** What a model is told of a tool. */
export interface ToolSchema {
  /** Name that calls use. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** JSON Schema of the arguments, as it goes over the wire. */
  readonly parameters: JsonObject;
}

/** What a tool gives back: text, or blocks with facts about them. */
export type ToolOutput = string | ToolOutputParts;

/** What a tool gives back that is more than text. */
export interface ToolOutputParts {
  /** What the model gets to see. */
  readonly content: readonly ContentBlock[];
  /** Whether the model is told that the call failed. @default {false} */
  readonly isError?: boolean;
  /** Facts for the host; the model does not see them. */
  readonly meta?: JsonValue;
}

/** A tool. */
export interface ToolDefinition extends ToolSchema {
  /**
   * Does the work of one call. What it throws becomes the result `Error: <message>`, for the model to see.
   *
   * @param args The arguments: any deep-frozen JSON value. Nothing holds them against `parameters` before.
   * @param execution The call. Its `signal` says when nobody waits for the result any longer.
   */
  execute(args: JsonValue, execution: ToolExecution): ToolOutput | PromiseLike<ToolOutput>;
}

/** One call of a tool on its way. The object stays the same from the first policy to the last observer. */
export interface ToolExecution {
  /** Identity of this call, minted by the registry. Calls that are made for this one carry it as `parent`. */
  readonly token: ExecutionToken;
  /** Id of the call as the model gave it; models repeat them. */
  readonly callId: string;
  /** Name of the tool that was called, whether it exists or not. */
  readonly name: string;
  /** The arguments, deep-frozen; `null` when they were no JSON, in which case the call fails before any policy. */
  readonly arguments: JsonValue;
  /** Who calls; absent for a call by the host. */
  readonly agent?: Agent;
  /** `token` of the call that this one was made for, as a program does in Code Mode. */
  readonly parent?: ExecutionToken;
  /** Ends the call early. A policy may put a narrower one in its place; frozen like the rest once there is a result. */
  signal?: AbortSignal | undefined;
}

/** What came of a call; deep-frozen. */
export interface ToolResult {
  /** Id of the call. */
  readonly callId: string;
  /** What the model gets to see. */
  readonly content: readonly ContentBlock[];
  /** Whether the call failed. */
  readonly isError: boolean;
  /** Which failure it was, if it has a code. */
  readonly error?: ToolResultError;
  /** Facts for the host. */
  readonly meta?: JsonValue;
}

/** A failure that has a code. */
export interface ToolResultError {
  /** Name of the error's class. */
  readonly name: string;
  /** Stable. */
  readonly code: string;
}

/** Let the call through. */
export interface AllowDecision {
  /** Discriminant. */
  readonly kind: "allow";
}

/** Refuse the call. */
export interface DenyDecision {
  /** Discriminant. */
  readonly kind: "deny";
  /** Why; the model sees it as `Error: <reason>`. */
  readonly reason: string;
}

/** Leave it to the approval port. */
export interface AskDecision {
  /** Discriminant. */
  readonly kind: "ask";
  /** Why, for whoever approves. */
  readonly reason?: string;
}

/** What becomes of a call before its tool runs. */
export type PreDecision = AllowDecision | DenyDecision | AskDecision;

/** What an approval port answers. */
export type ApprovalDecision = AllowDecision | DenyDecision;

/** Let the result stand, perhaps with other content. A failure stays one. */
export interface AcceptDecision {
  /** Discriminant. */
  readonly kind: "accept";
  /** What the model sees instead. */
  readonly content?: readonly ContentBlock[];
}

/** Make a failure of the result. */
export interface BlockDecision {
  /** Discriminant. */
  readonly kind: "block";
  /** What the model sees instead. */
  readonly feedback: readonly ContentBlock[];
}

/** What becomes of a result before anybody sees it. */
export type PostDecision = AcceptDecision | BlockDecision;

/** Decides about calls; begins with `allow`. The last decision counts. */
export type PreExecuteListener = Waterfall<PreDecision, [execution: ToolExecution]>;

/** Decides about results, those of refused calls included; begins with `accept`. The last decision counts. */
export type PostExecuteListener = Waterfall<PostDecision, [execution: ToolExecution, result: ToolResult]>;

/** Refuses a call by giving the reason, or lets it be. There is no way to allow what another one refuses. */
export type ToolGuard = (execution: ToolExecution) => string | undefined;

/** Hears of final results. A promise it returns is not awaited. */
export type ToolResultObserver = (
  execution: Readonly<ToolExecution>,
  result: ToolResult,
) => PromiseLike<void> | void;

/** Decides about calls that a policy asks for. */
export type ApprovalPort = (
  execution: ToolExecution,
  reason: string | undefined,
) => ApprovalDecision | PromiseLike<ApprovalDecision>;

/** A call as it comes in. */
export interface ToolCallInput {
  /** Id of the call. */
  readonly callId: string;
  /** Name of the tool. */
  readonly name: string;
  /** The arguments, already parsed. */
  readonly arguments: unknown;
  /** Who calls. @default the agent of the scope that is asked, if it is one of an agent */
  readonly agent?: Agent | undefined;
  /** Token of the call that this one is made for. */
  readonly parent?: ExecutionToken | undefined;
  /** Ends the call early. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Tools and their policies, as seen from a place: what is registered at the global one holds for every agent, what is
 * registered in the scope of an agent holds for that agent and dies with it.
 *
 * Whatever registers something returns what takes it out again, which may be called more than once. In the scope of
 * an agent that is no longer active it throws an {@link InactiveScopeError}.
 */
export interface ToolRegistryHost {
  /**
   * Adds a tool. One of an agent takes the place of a global one with its name.
   *
   * @throws {TypeError} When the definition has the wrong shape.
   * @throws {Error} When the place has a tool of this name, or the name is reserved.
   */
  register(tool: ToolDefinition): () => void;
  /**
   * Narrows what an agent sees of the global tools, those that come later included: with `allow` only the listed ones,
   * with `deny` all but the listed ones. Restrictions add up. Tools of the agent's own scope stay visible. This is
   * about what is visible; it is no authority, and an agent's children do not inherit it.
   *
   * @throws {Error} When it is asked for outside the scope of an agent, empty, or naming tools that are not there.
   */
  restrict(filter: SubagentToolFilter): () => void;
  /** Adds a refusal that nothing is able to overrule. One that throws, or answers anything else, refuses too. */
  guard(check: ToolGuard): () => void;
  /** Adds a policy for calls. One that throws, or returns no decision, fails the call. */
  onPreExecute(listener: PreExecuteListener): () => void;
  /** Adds a policy for results. One that throws, or returns no decision, fails the call. */
  onPostExecute(listener: PostExecuteListener): () => void;
  /** Adds an observer of final results. */
  onResult(observer: ToolResultObserver): () => void;
  /**
   * Makes a call. Every way in which it can fail is a result, once it has an identity.
   *
   * @throws {TypeError} When the call id or the name is no string.
   */
  execute(call: ToolCallInput): Promise<ToolResult>;
  /** What a model is told of the tools that an agent sees. @param agent Default: as for calls. */
  schemas(agent?: Agent): readonly ToolSchema[];
  /** The tool that a call of an agent would reach. @param agent Default: as for calls. */
  get(name: string, agent?: Agent): ToolDefinition | undefined;
}
