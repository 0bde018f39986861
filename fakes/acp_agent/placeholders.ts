/**
 * Placeholders: an object with exactly one member whose name starts with `$` stands for something that only the running
 * agent knows. Anything else in a script is literal.
 *
 * | placeholder | value |
 * | --- | --- |
 * | `{ "$sessionId": true }` | session of the handled message; in `session/new` the new one |
 * | `{ "$requestId": true }` | id of the handled request; with `"string"` turned into a string |
 * | `{ "$param": "/a/0" }` | value at a JSON Pointer into the handled message's params, else `null` |
 * | `{ "$promptText": true }` | text blocks of the handled prompt, joined |
 * | `{ "$answer": "name" }` | the client's response to the request sent `as` that name, else `null` |
 * | `{ "$index": true }` | number of the repetition, from 0, in a step with `times` |
 * | `{ "$env": "NAME" }` | one environment variable, else `null`; with `true` the whole environment |
 * | `{ "$cwd": true }`, `{ "$argv": true }`, `{ "$pid": true }` | facts about the process |
 * | `{ "$text": value }` | a string as it is, anything else as its JSON text, placeholders filled |
 * | `{ "$repeat": { "text": "ab", "times": 3 } }` | `"ababab"` |
 *
 * @module
 */
import process from "node:process";
import { asText, atPointer, isObject, type Json } from "./json.ts";

/** What placeholders are filled from. */
export interface Scope {
  /** Session of the handler. */
  readonly sessionId: string;
  /** Id of the handled request, if there is one. */
  readonly requestId: Json | undefined;
  /** Params of the handled message, if there are any. */
  readonly params: Json | undefined;
  /** Responses of the client by name. */
  readonly answers: ReadonlyMap<string, Json>;
  /** Number of the repetition. */
  readonly index: number;
}

const PLACEHOLDERS: Readonly<Record<string, (argument: Json, scope: Scope) => Json | undefined>> = {
  $sessionId: (_, scope) => scope.sessionId,
  $requestId: (form, { requestId }) => form === "string" ? asText(requestId) : requestId,
  $param: (pointer, scope) => atPointer(scope.params, asText(pointer)),
  $promptText: (_, scope) => promptText(scope.params),
  $answer: (name, scope) => scope.answers.get(asText(name)),
  $text: (value, scope) => asText(fill(value, scope)),
  $index: (_, scope) => scope.index,
  $env: (name) => name === true ? { ...process.env } : process.env[asText(name)],
  $cwd: () => process.cwd(),
  $argv: () => process.argv.slice(1),
  $pid: () => process.pid,
  $repeat: (what) => asText(atPointer(what, "/text")).repeat(Number(atPointer(what, "/times"))),
};

/** Copies a value with its placeholders filled. */
export function fill(value: Json, scope: Scope): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => fill(item, scope));
  if (!isObject(value)) return value;
  const [first, ...rest] = Object.entries(value);
  if (first !== undefined && rest.length === 0 && Object.hasOwn(PLACEHOLDERS, first[0])) {
    return PLACEHOLDERS[first[0]]?.(first[1] ?? null, scope) ?? null;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, member === undefined ? member : fill(member, scope)]),
  );
}

/** Whether a value differs from one repetition to the next. */
export function countsRepetitions(value: Json): boolean {
  return JSON.stringify(value).includes('"$index":');
}

/** Text blocks of a prompt's params, joined. */
export function promptText(params: Json | undefined): string {
  const blocks = atPointer(params, "/prompt");
  if (!Array.isArray(blocks)) return "";
  return (blocks as readonly Json[]).map((block) => {
    const text = atPointer(block, "/text");
    return atPointer(block, "/type") === "text" && typeof text === "string" ? text : "";
  }).join("");
}
