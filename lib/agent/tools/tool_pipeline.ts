/**
 * The way of a call: policies, guards, the tool, policies for the result, observers.
 *
 * @module
 */
import { contain } from "../../seam/contain.ts";
import type { Agent } from "../agent.ts";
import { callListener, type ListenerErrorSink } from "../listener_error.ts";
import type { Registrations } from "../registrations.ts";
import { runWaterfall } from "../waterfall.ts";
import { checkedApproval, checkedGuardResult, checkedPostDecision, checkedPreDecision } from "./decisions.ts";
import { UnknownToolError } from "./errors.ts";
import { ExecutionTokens } from "./execution_token.ts";
import type { ToolCatalog } from "./tool_catalog.ts";
import { acceptCall, type AcceptedCall } from "./tool_execution.ts";
import type { ToolLayer } from "./tool_layer.ts";
import { decidedResult, errorResult, outputResult } from "./tool_result.ts";
import type {
  AllowDecision,
  ApprovalPort,
  DenyDecision,
  PostDecision,
  PreDecision,
  ToolCallInput,
  ToolExecution,
  ToolResult,
} from "./tool_types.ts";

/** What calls need of their host. */
export interface ToolPipelineOptions {
  /** Decides about calls that a policy asks for. @default none: they are refused */
  readonly approve?: ApprovalPort;
  /** Takes what observers throw. @default none: it is dropped */
  readonly onListenerError?: ListenerErrorSink;
}

const ALLOW: AllowDecision = Object.freeze({ kind: "allow" });
const ACCEPT: PostDecision = Object.freeze({ kind: "accept" });

/** Makes calls. Policies and tools are looked up when their turn comes, those of everybody before those of the agent. */
export class ToolPipeline {
  readonly #catalog: ToolCatalog;
  readonly #tokens: ExecutionTokens = new ExecutionTokens();
  readonly #approve: ApprovalPort;
  readonly #onListenerError: ListenerErrorSink | undefined;

  /** Makes a pipeline to the tools of a catalog. */
  constructor(catalog: ToolCatalog, { approve = refuseToApprove, onListenerError }: ToolPipelineOptions) {
    this.#catalog = catalog;
    this.#approve = approve;
    this.#onListenerError = onListenerError;
  }

  /**
   * Makes a call. Whatever fails, refusals included, is a result that post-execute policies and observers get to see.
   *
   * @param caller Who calls, if the call does not say.
   * @throws {TypeError} When the call id or the name is no string.
   */
  async execute(call: ToolCallInput, caller?: Agent): Promise<ToolResult> {
    const accepted = acceptCall(call, caller, this.#tokens);
    const { execution } = accepted;
    const outcome = await this.#attempt(execution, () => this.#perform(accepted));
    const result = await this.#attempt(execution, () => this.#review(execution, outcome));
    Object.freeze(execution);
    for (const observer of this.#registered(execution, "observers")) {
      callListener(() => observer(execution, result), "tools/result", this.#onListenerError);
    }
    return result;
  }

  async #attempt(execution: ToolExecution, action: () => Promise<ToolResult>): Promise<ToolResult> {
    try {
      return await action();
    } catch (thrown) {
      return errorResult(execution, thrown);
    }
  }

  async #perform({ execution, fault }: AcceptedCall): Promise<ToolResult> {
    if (fault !== undefined) throw fault;
    const { name, agent } = execution;
    const decision = await this.#decide(execution);
    if (decision.kind === "deny") throw new Error(decision.reason);
    this.#askGuards(execution);
    // An approval may take as long as a person does; by then the turn may be over.
    if (execution.signal?.aborted === true) throw new Error(`tool "${name}" was cancelled before it ran`);
    const tool = this.#catalog.find(name, agent);
    if (tool === undefined) throw new UnknownToolError(name);
    return outputResult(execution, await tool.execute(execution.arguments, execution));
  }

  async #decide(execution: ToolExecution): Promise<AllowDecision | DenyDecision> {
    const decision = await runWaterfall(this.#registered(execution, "preExecute"), {
      initial: ALLOW as PreDecision,
      subject: [execution],
      check: checkedPreDecision,
    });
    if (decision.kind !== "ask") return decision;
    const approve = this.#approve;
    return checkedApproval(await approve(execution, decision.reason));
  }

  #askGuards(execution: ToolExecution): void {
    for (const guard of this.#registered(execution, "guards")) {
      const answer: unknown = guard(execution);
      // A promise is no answer; what it rejects with must not end the host.
      contain(() => answer, () => {});
      const reason = checkedGuardResult(answer);
      if (reason !== undefined) throw new Error(reason);
    }
  }

  async #review(execution: ToolExecution, outcome: ToolResult): Promise<ToolResult> {
    const decision = await runWaterfall(this.#registered(execution, "postExecute"), {
      initial: ACCEPT,
      subject: [execution, outcome],
      check: checkedPostDecision,
    });
    return decidedResult(outcome, decision);
  }

  *#registered<Kind extends "preExecute" | "guards" | "postExecute" | "observers">(
    { agent }: ToolExecution,
    kind: Kind,
  ): Generator<RegisteredIn<Kind>, void, undefined> {
    for (const layer of this.#catalog.layers.for(agent)) {
      yield* layer[kind] as Registrations<RegisteredIn<Kind>>;
    }
  }
}

type RegisteredIn<Kind extends keyof ToolLayer> = ToolLayer[Kind] extends Registrations<infer T> ? T : never;

function refuseToApprove({ name }: ToolExecution): DenyDecision {
  return { kind: "deny", reason: `tool "${name}" requires approval (not yet supported)` };
}
