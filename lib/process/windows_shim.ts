/**
 * The `.cmd` files that npm, pnpm and Node's installer write.
 *
 * @module
 */

/** One word of a shim's last command. */
export interface ShimWord {
  /** Its text; a path when it is one. */
  readonly text: string;
  /** Whether it is a path relative to the shim's own directory. */
  readonly inDirectory: boolean;
}

/**
 * Reads which program a shim starts: the words before `%*` in its last command, variables filled in. Undefined when it
 * is no shim of a kind that is known.
 *
 * Of two values of a variable the first counts: a shim first sets what lies beside it. For npm's own `npx.cmd` that is
 * the npm that came with Node, not a newer one installed globally, which only running it could find.
 */
export function parseShim(text: string): readonly ShimWord[] | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const command = lines.filter((line) => /\s%\*$/.test(line)).at(-1);
  if (command === undefined) return undefined;

  const variables = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^@?SET\s+"([^=\s"]+)=([^"]*)"$/i.exec(line) ?? [];
    const key = name?.toUpperCase();
    if (key !== undefined && value !== undefined && !variables.has(key)) variables.set(key, value);
  }
  variables.set("DP0", "%~dp0"); // `SET dp0=%~dp0`: the shim's own directory, with a backslash at its end

  // Everything up to the last `&` or `@` prepares the window; `IF EXIST … (` and `ELSE` stand on lines of their own.
  const start = command.replace(/^.*[&@]\s*(?=")/, "").replace(/\s%\*$/, "");
  const words = start.match(/"[^"]*"|[^\s"]+/g) ?? [];
  const expanded = words.map((word) => expand(word.replaceAll('"', ""), variables));
  return expanded.every((word) => word !== undefined) ? expanded : undefined;
}

function expand(word: string, variables: ReadonlyMap<string, string>): ShimWord | undefined {
  let text = word;
  for (let depth = 0; depth < 4; depth++) {
    text = text.replace(/%([^%~]+)%/g, (whole, name: string) => variables.get(name.toUpperCase()) ?? whole);
  }
  const [, path] = /^%~dp0\\*(.+)$/i.exec(text) ?? [];
  if (path !== undefined && !path.includes("%")) return { text: path, inDirectory: true };
  return text.includes("%") ? undefined : { text, inDirectory: false };
}
