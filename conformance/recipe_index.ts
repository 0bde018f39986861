/**
 * The recipes that ship with the kit.
 *
 * @module
 */
import { readText } from "./read_text.ts";
import { parseRecipe, type Recipe } from "./recipe.ts";

/** Names of all recipes. A list, because a module that was loaded from a URL cannot list a folder. */
export const RECIPES = [
  "claude-agent-acp",
  "claude-agent-acp-0.23",
  "claude-agent-acp-0.49",
  "codex-acp",
  "codex-acp-0.16",
  "copilot",
  "kilo",
  "pi",
  "qwen-code",
  "sdk-example",
] as const;

/** Name of a recipe. */
export type RecipeName = (typeof RECIPES)[number];

/** Tells whether a recipe of that name ships with the kit. */
export function isRecipeName(name: string): name is RecipeName {
  return (RECIPES as readonly string[]).includes(name);
}

/** Where a recipe's file is. */
export function recipeUrl(name: RecipeName): URL {
  return new URL(`recipes/${name}.jsonc`, import.meta.url);
}

/** Reads one recipe. */
export async function loadRecipe(name: RecipeName): Promise<Recipe> {
  return parseRecipe(await readText(recipeUrl(name)), `conformance/recipes/${name}.jsonc`);
}
