/**
 * A recipe: how to run one real ACP agent without a key, against the scripted model server, and what this library
 * reports of it where that differs from what the protocol would lead one to expect.
 *
 * Strings in `command`, `args`, `env` and `files` (paths and contents) may hold placeholders:
 * `${URL}` address of the model server, `${HOME}` a fresh empty home folder, `${CACHE}` the folder the packages are
 * installed in, `${NODE}` a Node.js binary that satisfies `node`, `${NODE_DIR}` its folder, `${PATH}` the ordinary
 * search path.
 *
 * @module
 */
import { z } from "zod";
import { parseJsonc } from "../lib/jsonc.ts";

/** What is tried with each agent. Every one is a fresh process with a fresh home and a fresh working directory. */
export const SCENARIOS = [
  "plain",
  "length-limit",
  "length-limit-always",
  "refusal",
  "server-error",
  "unauthorized",
  "permission-allow",
  "permission-reject",
  "cancel",
  "kill",
] as const;

/** Name of a scenario. */
export type ScenarioName = (typeof SCENARIOS)[number];

/** What comes of one scenario, as a parent sees it. */
export interface ScenarioOutcome {
  /** The result's stop reason. */
  readonly stopReason: "completed" | "aborted" | "error" | "max-tokens" | "refusal";
  /** The result's diagnostic, whole; left out when there is none. */
  readonly diagnostic?: string;
  /** The answer's text, whole; left out where it does not matter. */
  readonly text?: string;
  /** Whether the agent asked for permission; left out where it does not matter. */
  readonly asked?: boolean;
  /** Whether the command took effect; left out where there is none. */
  readonly effect?: boolean;
  /** Who ended the run: the agent, or the runner because its patience was at an end. @default {"agent"} */
  readonly endedBy?: "agent" | "runner";
}

/** An outcome that differs from the norm, and why. */
export interface Deviation extends ScenarioOutcome {
  /** Why it differs: what the agent does. */
  readonly because: string;
}

/** How to run one agent. */
export interface Recipe {
  /** Unique name, and the name of its file. */
  readonly name: string;
  /** npm packages with exact versions. */
  readonly install: readonly string[];
  /** The Node.js it needs: `>=MAJOR`, or `any` for an agent that is a program of its own. */
  readonly node: string;
  /** Platforms it exists for, as `process.platform`-`process.arch`. @default {all} */
  readonly platforms?: readonly string[];
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** Its environment, beside `PATH`, `HOME`, `LANG` and `TMPDIR`. */
  readonly env: Readonly<Record<string, string>>;
  /** Files to write before the start: path to content; what is no string is written as JSON. */
  readonly files: Readonly<Record<string, unknown>>;
  /** What one has to know about the agent. */
  readonly notes: readonly string[];
  /** Where the outcome differs from the norm. */
  readonly expectations: Readonly<Partial<Record<ScenarioName, Deviation>>>;
}

const text = z.string().min(1);

const deviation: z.ZodType<Deviation> = z.strictObject({
  stopReason: z.enum(["completed", "aborted", "error", "max-tokens", "refusal"]),
  diagnostic: text.exactOptional(),
  text: z.string().exactOptional(),
  asked: z.boolean().exactOptional(),
  effect: z.boolean().exactOptional(),
  endedBy: z.enum(["agent", "runner"]).exactOptional(),
  because: text,
});

const recipe: z.ZodType<Recipe> = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/, "must be lower case letters, digits, dots and hyphens"),
  install: z.array(z.string().regex(/^(@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/, "must be NAME@EXACT.VERSION"))
    .min(1),
  node: z.string().regex(/^(any|>=\d+)$/, 'must be "any" or ">=MAJOR"'),
  platforms: z.array(text).min(1).exactOptional(),
  command: text,
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  files: z.record(z.string().startsWith("${HOME}/"), z.unknown()),
  notes: z.array(text).min(1),
  expectations: z.partialRecord(z.enum(SCENARIOS), deviation),
});

/**
 * Reads a recipe.
 *
 * @param source The file's text, JSONC.
 * @param fileName How errors call the file.
 * @throws {JsoncSyntaxError} If it is not JSONC.
 * @throws {TypeError} If it is no recipe; the message names every field that is wrong.
 */
export function parseRecipe(source: string, fileName: string): Recipe {
  const parsed = recipe.safeParse(parseJsonc(source, fileName));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) =>
    `${path.join(".") || "the recipe"}: ${message}`
  );
  throw new TypeError(`${fileName}: ${faults.join("; ")}`);
}
