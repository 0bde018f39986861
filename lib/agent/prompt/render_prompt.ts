/**
 * From an assembled prompt to the text that the model gets.
 *
 * @module
 */
import type { AssembledSection, PromptAssembly } from "./prompt_types.ts";

/**
 * Renders the system prompt: the sections in their order, `{{name}}` replaced by the variable of that name, empty
 * sections left out, a blank line in between. What is put in is not looked at again.
 *
 * @throws {Error} When a section names a variable that there is not.
 */
export function renderPrompt(
  { sections, variables }: Pick<PromptAssembly, "sections" | "variables">,
): string {
  return sections.map((section) => renderSection(section, variables)).filter((text) => text !== "").join(
    "\n\n",
  );
}

function renderSection(
  { name: section, text, literal = false }: AssembledSection,
  variables: Readonly<Record<string, string>>,
): string {
  if (literal) return text;
  return text.replace(/\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/g, (_, name: string) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value !== undefined) return value;
    const known = Object.keys(variables).sort().join(", ") || "(none)";
    throw new Error(
      `Cannot render system prompt section "${section}": unknown variable "${name}"; known variables: ${known}`,
    );
  });
}
