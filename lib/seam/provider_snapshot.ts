/**
 * What the registry keeps of a provider.
 *
 * @module
 */
import { isProviderName, PROVIDER_NAME_RULE } from "../diagnostics/provider_name.ts";
import { SubagentError } from "./errors.ts";
import { isRecord, kindOf } from "./kind_of.ts";
import type { SubagentCapabilities, SubagentProvider, SubagentRun } from "./types.ts";

/** The one version of the provider interface that this copy of the package speaks. */
const specificationVersion = "v1";

/**
 * Reads each field of a provider once, checks it and keeps it in a frozen copy whose `start` is called on the
 * original object. Whatever happens to the original afterwards changes nothing.
 *
 * @throws {SubagentError} `INVALID_PROVIDER`, naming the first field that has the wrong shape.
 */
export function snapshotProvider(provider: SubagentProvider): SubagentProvider {
  const given: unknown = provider;
  if (!isRecord(given)) throw invalid(`subagent provider must be an object, got ${kindOf(given)}`);
  checkVersion(given.specificationVersion);
  const name = checkedName(given.name);
  const where = `subagent provider "${name}"`;
  const capabilities = checkedCapabilities(given.capabilities, where);
  const inheritsParentContext = checkedBoolean(given.inheritsParentContext, `${where} inheritsParentContext`);
  const { start } = given;
  if (typeof start !== "function") throw invalid(`${where} start must be a function, got ${kindOf(start)}`);
  return Object.freeze<SubagentProvider>({
    specificationVersion,
    name,
    capabilities,
    inheritsParentContext,
    start: (request, context) => Reflect.apply(start, provider, [request, context]) as Promise<SubagentRun>,
  });
}

function checkVersion(value: unknown): void {
  if (value === specificationVersion) return;
  const got = typeof value === "string" ? quoted(value) : kindOf(value);
  throw invalid(
    `subagent provider specificationVersion must be "${specificationVersion}", got ${got}: ` +
      `use a provider made for this version of @subagent/seam, or another version of @subagent/seam`,
  );
}

function checkedName(value: unknown): string {
  if (isProviderName(value)) return value;
  const got = typeof value === "string" ? quoted(value) : kindOf(value);
  throw invalid(`subagent provider name must be ${PROVIDER_NAME_RULE}, got ${got}`);
}

function checkedCapabilities(value: unknown, where: string): SubagentCapabilities {
  if (!isRecord(value)) throw invalid(`${where} capabilities must be an object, got ${kindOf(value)}`);
  const flag = (name: keyof SubagentCapabilities) =>
    checkedBoolean(value[name], `${where} capability "${name}"`);
  return Object.freeze({
    agentOptions: flag("agentOptions"),
    outputSchema: flag("outputSchema"),
    depthLimit: flag("depthLimit"),
    toolFilter: flag("toolFilter"),
    persona: flag("persona"),
  });
}

function checkedBoolean(value: unknown, where: string): boolean {
  if (typeof value === "boolean") return value;
  throw invalid(`${where} must be a boolean, got ${kindOf(value)}`);
}

/** A string of the provider's author, short enough for one line. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function invalid(message: string): SubagentError {
  return new SubagentError("INVALID_PROVIDER", message);
}
