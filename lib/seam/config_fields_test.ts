import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { z } from "zod";
import {
  environment,
  milliseconds,
  nonEmpty,
  positiveInteger,
  timerMilliseconds,
  word,
} from "./config_fields.ts";
import { parseConfig } from "./parse_config.ts";

const schema = z.strictObject({
  delayMs: milliseconds("delayMs").optional(),
  timerMs: timerMilliseconds("timerMs").optional(),
  count: positiveInteger("count").optional(),
  name: word.optional(),
  file: nonEmpty("a file").optional(),
  env: environment.optional(),
});
const parse = (config: unknown) => parseConfig("host", schema, config);

describe("the fields that configurations share", () => {
  for (
    const config of [
      { delayMs: Number.MIN_VALUE },
      { delayMs: Number.MAX_VALUE },
      { timerMs: 0.5 },
      { timerMs: 2147483647 },
      { count: 1 },
      { count: Number.MAX_SAFE_INTEGER },
      { name: "" },
      { name: "two\nlines" },
      { file: "f" },
      { env: { "A B": "1", B: undefined } },
    ]
  ) {
    it(`take ${JSON.stringify(config)} as it is`, () => assert.deepEqual(parse(config), config));
  }

  const delay = "delayMs must be a positive finite number";
  const timer = "timerMs must be a positive finite number no greater than 2147483647";
  const count = "count must be a positive safe integer";
  for (
    const [config, message] of [
      ...[0, -0, -1, NaN, Infinity, "1", null].flatMap((value) => [
        [{ delayMs: value }, delay] as const,
        [{ timerMs: value }, timer] as const,
        [{ count: value }, count] as const,
      ]),
      [{ timerMs: 2147483648 }, timer],
      [{ count: 1.5 }, count],
      [{ count: 2 ** 53 }, count],
      [{ name: "a\0" }, 'config field "name" must not contain a NUL character'],
      [{ name: 1 }, 'config field "name" must be a string, but it is a number'],
      [{ file: "" }, 'config field "file" must name a file'],
      [{ file: "\0" }, 'config field "file" must not contain a NUL character'],
      [{ env: { A: "\0" } }, 'config field "env.A" must not contain a NUL character'],
      [{ env: { A: null } }, 'config field "env.A" must be a string, but it is null'],
      [{ env: { "A=B": "" } }, 'config field "env.A=B" is no valid name: must be a variable name'],
      [{ env: { "": "" } }, 'config field "env." is no valid name: must be a variable name'],
      [{ env: { "A\0": "" } }, 'config field "env.A\0" is no valid name: must be a variable name'],
    ] as const
  ) {
    const [[field, value] = []] = Object.entries(config);
    it(`refuse ${field} ${typeof value === "number" ? String(value) : JSON.stringify(value)} (${typeof value})`, () => {
      assert.throws(() => parse(config), { name: "TypeError", message: `host: ${message}` });
    });
  }
});
