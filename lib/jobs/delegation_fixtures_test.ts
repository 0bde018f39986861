/**
 * Providers, runs and errors for the tests of jobs and tools.
 *
 * @module
 */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { SubagentFailure } from "../seam/errors.ts";
import { NO_START_CAPABILITIES } from "../seam/no_start_capabilities.ts";
import type {
  ProviderStartRequest,
  SubagentCapabilities,
  SubagentProvider,
  SubagentResult,
  SubagentRun,
} from "../seam/types.ts";

/** Every capability there is. */
export const ALL_CAPABILITIES: SubagentCapabilities = {
  agentOptions: true,
  outputSchema: true,
  depthLimit: true,
  toolFilter: true,
  persona: true,
};

/** What a provider of the tests is made of. */
export interface ProviderParts {
  readonly name?: string;
  readonly capabilities?: SubagentCapabilities;
  readonly inheritsParentContext?: boolean;
  readonly start?: (request: ProviderStartRequest) => Promise<SubagentRun>;
}

/** A provider; without `start` its children answer "done". */
export function providerOf(parts: ProviderParts = {}): SubagentProvider {
  const { name = "stub", capabilities = NO_START_CAPABILITIES, inheritsParentContext = false } = parts;
  const start = parts.start ?? (() => Promise.resolve(runOf({ result: completed("done") })));
  return { specificationVersion: "v1", name, capabilities, inheritsParentContext, start };
}

/** What a run of the tests is made of. */
export interface RunParts {
  readonly result: SubagentResult | PromiseLike<SubagentResult>;
  readonly dispose?: () => Promise<void>;
}

/** A run with the id `run-1`. */
export function runOf({ result, dispose = () => Promise.resolve() }: RunParts): SubagentRun {
  const settled = Promise.resolve(result);
  settled.catch(() => {}); // a test may look at it late
  return { id: "run-1", localAgent: undefined, result: settled, dispose, [Symbol.asyncDispose]: dispose };
}

/** The result of a child that answered. */
export function completed(text: string): SubagentResult {
  return { stopReason: "completed", output: [{ type: "text", text }] };
}

/** What a third party's provider must not get into any text. */
export const SECRET = "sk-live-0123456789";

/** What a third party's provider may throw. */
export function hostileThrowables(): readonly (readonly [name: string, thrown: unknown])[] {
  const throwing = () => {
    throw new Error(SECRET);
  };
  return [
    ["an error", new Error(SECRET, { cause: SECRET })],
    ["an error of a class of its own", new (class KeyError extends Error {})(SECRET)],
    ["an error whose name is text", Object.assign(new Error("x"), { name: SECRET })],
    ["a string", SECRET],
    ["an object that turns into text", { message: SECRET, toString: () => SECRET }],
    ["an object whose text throws", { toString: throwing, [Symbol.toPrimitive]: throwing }],
    ["an error whose message throws", Object.defineProperty(new Error("x"), "message", { get: throwing })],
    ["a proxy that throws at everything", new Proxy({}, proxyTraps(throwing))],
    ["an aggregate", new AggregateError([new Error(SECRET)], SECRET)],
    [
      "a failure of ours with another message",
      Object.assign(
        new SubagentFailure({ provider: "stub", stage: "start", category: "unknown" }, { cause: SECRET }),
        { message: SECRET, hint: SECRET },
      ),
    ],
    ["a symbol", Symbol(SECRET)],
  ];
}

function proxyTraps(trap: () => never): ProxyHandler<object> {
  return { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap, getOwnPropertyDescriptor: trap };
}

/** Results that no honest provider gives: reading them throws or gives the secret. */
export function hostileResults(): readonly (readonly [name: string, result: SubagentResult])[] {
  const secretGetter = (field: string) =>
    Object.defineProperty({ stopReason: "error", output: [] }, field, {
      get: () => {
        throw new Error(SECRET);
      },
    });
  const results: readonly (readonly [string, unknown])[] = [
    ["an output that throws", secretGetter("output")],
    ["a diagnostic that throws", secretGetter("diagnostic")],
    ["a block that throws", {
      stopReason: "completed",
      output: [Object.defineProperty({ type: "text" }, "text", {
        get: () => {
          throw new Error(SECRET);
        },
      })],
    }],
    ["an output that is text", { stopReason: "completed", output: 7 }],
  ];
  return results as readonly (readonly [string, SubagentResult])[];
}

/** Fails if the secret is anywhere in a value: own and hidden properties, causes, stacks. */
export function assertNoSecret(value: unknown): void {
  const seen = inspect(value, { depth: 20, showHidden: true, getters: true });
  assert.ok(!seen.includes(SECRET), seen);
  if (value instanceof Error) assert.ok(!`${value.stack} ${String(value)}`.includes(SECRET), value.stack);
}
