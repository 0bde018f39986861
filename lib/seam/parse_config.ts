/**
 * One way to check a provider's configuration and to say what is wrong with it.
 *
 * @module
 */
import type { z } from "zod";

/**
 * Parses a configuration with a strict object schema.
 *
 * A message of the schema that begins with the field's own name is a whole sentence and stands as it is; any other is
 * put behind the field's name. Values are never named, only their kinds: configurations hold secrets.
 *
 * @throws {TypeError} With every fault, in field order, joined by `; ` behind the prefix.
 */
export function parseConfig<S extends z.ZodObject>(prefix: string, schema: S, config: unknown): z.output<S> {
  const parsed = schema.safeParse(config);
  if (parsed.success) return parsed.data;
  const known = Object.keys(schema.shape);
  const faults = parsed.error.issues.flatMap((issue) => describe(issue, config, known));
  throw new TypeError(`${prefix}: ${faults.join("; ")}`);
}

function describe(issue: z.core.$ZodIssue, config: unknown, known: readonly string[]): string[] {
  const path = fieldPath(issue.path);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownField(key, path === "" ? known : []));
    case "invalid_type":
    case "invalid_value":
    case "invalid_union": {
      if (issue.message.startsWith(`${path} must`)) return [issue.message];
      const found = kindOf(valueAt(config, issue.path), issue.code);
      if (path === "") return [`config must be an object, but it is ${found}`];
      if (found === "missing") return [`config field "${path}" is required: it must be ${expected(issue)}`];
      return [`config field "${path}" must be ${expected(issue)}, but it is ${found}`];
    }
    case "invalid_key":
      return [
        `config field "${path}" is no valid name: ${issue.issues.map((inner) => inner.message).join(", ")}`,
      ];
    default:
      return [
        issue.message.startsWith(`${path} must`) ? issue.message : `config field "${path}" ${issue.message}`,
      ];
  }
}

function expected(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return issue.values.map((value) => JSON.stringify(value)).join(" or ");
  if (issue.code !== "invalid_type") return "of another kind";
  return /^[aeio]/.test(issue.expected) ? `an ${issue.expected}` : `a ${issue.expected}`;
}

function unknownField(key: string, known: readonly string[]): string {
  const nearest = nearestName(key, known);
  return `config has no field ${JSON.stringify(key)}` +
    (nearest === undefined
      ? (known.length > 0 ? `; known fields are ${known.join(", ")}` : "")
      : `; did you mean "${nearest}"?`);
}

/** The known name that is the fewest edits away, if it is near enough to be a likely slip. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(name.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance)) {
      best = { name: candidate, distance };
    }
  }
  return best?.name;
}

function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const substitution = previous[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      current[column] = Math.min(substitution, previous[column]! + 1, current[column - 1]! + 1);
    }
    previous = current;
  }
  return previous[to.length]!;
}

function fieldPath(path: readonly PropertyKey[]): string {
  return path.map((key, index) =>
    typeof key === "number" ? `[${key}]` : `${index > 0 ? "." : ""}${String(key)}`
  ).join("");
}

function valueAt(config: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    config,
  );
}

function kindOf(value: unknown, code: string): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (code === "invalid_value" && typeof value === "string") return "another string";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
