/**
 * Refuses a script with a misspelt handler, step or field, which would otherwise be a fake that quietly does something
 * else than its test says.
 *
 * @module
 */
import { isObject } from "./json.ts";
import type { AgentScript, Check } from "./script.ts";
import { type FieldKind, STEP_FIELDS } from "./step_fields.ts";

type HandlerName = Exclude<keyof AgentScript, "record" | "unchecked" | "onMethod">;

/** Handlers by field name; the type keeps it complete. */
const HANDLERS: Readonly<Record<HandlerName, true>> = {
  onStart: true,
  onInitialize: true,
  onSessionNew: true,
  onPrompt: true,
  onCancel: true,
  onAnyRequest: true,
  onNotJson: true,
  onNotMessage: true,
  onEof: true,
  onSigterm: true,
};

const CHECKS: Readonly<Record<Check, true>> = {
  "initialize-first": true,
  params: true,
  session: true,
};

/**
 * Takes parsed JSON for a script.
 *
 * @throws {TypeError} When something in it is not part of the step language; the message names the place.
 */
export function checkScript(value: unknown): AgentScript {
  if (!isObject(value)) throw wrong("script", "an object", value);
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    if (name === "record") expectType(field, "string", name);
    else if (name === "unchecked") checkChecks(field);
    else if (name === "onMethod") checkMethods(field);
    else if (Object.hasOwn(HANDLERS, name)) checkHandler(field, name);
    else throw new TypeError(`Unknown field "${name}" in the script`);
  }
  return value as AgentScript;
}

function checkChecks(value: unknown): void {
  if (!Array.isArray(value)) throw wrong("unchecked", "a list", value);
  for (const name of value) {
    if (typeof name !== "string" || !Object.hasOwn(CHECKS, name)) {
      throw wrong("unchecked", `one of ${Object.keys(CHECKS).join(", ")}`, name);
    }
  }
}

function checkMethods(value: unknown): void {
  if (!isObject(value)) throw wrong("onMethod", "an object", value);
  for (const [method, handler] of Object.entries(value)) checkHandler(handler, `onMethod["${method}"]`);
}

function checkHandler(value: unknown, at: string): void {
  if (!isObject(value)) return checkSteps(value, at);
  if (!Array.isArray(value["turns"]) || value["turns"].length === 0 || Object.keys(value).length !== 1) {
    throw wrong(at, "a list of steps or { turns: [steps, …] }", value);
  }
  value["turns"].forEach((steps, index) => checkSteps(steps, `${at}.turns[${index}]`));
}

function checkSteps(value: unknown, at: string): void {
  if (!Array.isArray(value)) throw wrong(at, "a list of steps", value);
  value.forEach((step, index) => checkStep(step, `${at}[${index}]`));
}

function checkStep(value: unknown, at: string): void {
  if (!isObject(value)) throw wrong(at, "a step", value);
  const kind = value["do"];
  if (typeof kind !== "string" || !Object.hasOwn(STEP_FIELDS, kind)) {
    throw wrong(`${at}.do`, `one of ${Object.keys(STEP_FIELDS).join(", ")}`, kind);
  }
  const rules = new Map(Object.entries(STEP_FIELDS[kind as keyof typeof STEP_FIELDS]));
  for (const [name, rule] of rules) {
    if (rule.required && value[name] === undefined) throw wrong(`${at}.${name}`, "a value", undefined);
  }
  for (const [name, field] of Object.entries(value)) {
    if (name === "do" || field === undefined) continue;
    const rule = rules.get(name);
    if (rule === undefined) throw new TypeError(`Unknown field "${name}" in step "${kind}" at ${at}`);
    checkField(field, rule.holds, `${at}.${name}`);
  }
  if (value["wait"] === false && value["on"] !== undefined) {
    throw new TypeError(`Field "on" at ${at} needs the answer, so "wait" cannot be false`);
  }
}

function checkField(value: unknown, kind: FieldKind, at: string): void {
  if (kind === "json") return;
  if (kind === "steps") return checkSteps(value, at);
  if (kind === "cases") {
    if (!isObject(value)) throw wrong(at, "an object of steps by outcome", value);
    for (const [outcome, steps] of Object.entries(value)) checkSteps(steps, `${at}["${outcome}"]`);
  } else if (kind === "cut") {
    if (value !== "character" && !(Array.isArray(value) && value.every(Number.isSafeInteger))) {
      throw wrong(at, '"character" or a list of byte offsets', value);
    }
  } else if (typeof kind === "string") expectType(value, kind, at);
  else if (!kind.includes(String(value))) throw wrong(at, `one of ${kind.join(", ")}`, value);
}

function expectType(value: unknown, type: "string" | "number" | "boolean", at: string): void {
  const actual: string = typeof value;
  if (actual !== type) throw wrong(at, `a ${type}`, value);
}

function wrong(at: string, expected: string, value: unknown): TypeError {
  return new TypeError(
    `Expected ${expected} at ${at}, got ${JSON.stringify(value)?.slice(0, 80) ?? "nothing"}`,
  );
}
