/**
 * Holds what an agent writes against the JSON Schema that the official SDK publishes.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { atPointer, isObject, type Json, type JsonObject } from "../acp_agent/json.ts";
import { isValid } from "./json_schema.ts";

const ROOT = JSON.parse(
  readFileSync(
    createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json"),
    "utf8",
  ),
) as JsonObject;

const DEFINITIONS = Object.entries(ROOT["$defs"] as JsonObject) as readonly (readonly [string, JsonObject])[];

/** Definition of the params (`Request`, `Notification`) or result (`Response`) of a method on one side. */
function definition(
  method: Json,
  side: "agent" | "client",
  suffix: "Request" | "Response" | "Notification",
): Json {
  const found = DEFINITIONS.find(([name, schema]) =>
    name.endsWith(suffix) && schema["x-method"] === method && schema["x-side"] === side
  );
  if (found === undefined) throw new Error(`The schema has no ${suffix} of ${JSON.stringify(method)}`);
  return found[1] as Json;
}

/**
 * Why a message of an agent is not schema-valid, if it is not. The schema's own union of responses takes any result,
 * so a result is held against the definition of its method.
 *
 * @param methods Methods of the client's requests by id, for the agent's responses.
 */
export function agentMessageFault(message: Json, methods: ReadonlyMap<Json, string>): string | undefined {
  if (!isObject(message)) return "is no object";
  if (!isValid(message as Json, atPointer(ROOT as Json, "/anyOf/0") ?? false, ROOT as Json)) {
    return "is no agent message";
  }
  const { id, method, params, result, error } = message;
  if (method !== undefined) {
    const kind = id === undefined ? "Notification" : "Request";
    return isValid(params ?? null, definition(method, "client", kind), ROOT as Json)
      ? undefined
      : "has wrong params";
  }
  if ((result === undefined) === (error === undefined)) return "has not exactly one of result and error";
  if (error !== undefined) return undefined; // the union above has looked into it
  const asked = methods.get(id ?? null);
  if (asked === undefined) return "answers no request";
  return isValid(result ?? null, definition(asked, "agent", "Response"), ROOT as Json)
    ? undefined
    : "has a wrong result";
}
