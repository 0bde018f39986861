/**
 * The words by which a prompt says how the model behaves.
 *
 * | word | the model |
 * | --- | --- |
 * | `SAY:text` | answers the text |
 * | `THINK:text` | reasons first |
 * | `STOP:max_tokens`, `STOP:refusal` | breaks off for that reason; with `!` behind it also when the agent asks it to go on |
 * | `HTTP:code`, `HTTP:code*n` | answers an HTTP error, always or to the first `n` requests |
 * | `SLOW:ms`, `SLOW:ms:n` | waits so many milliseconds after each word, with `n` in `n` made-up words |
 * | `CUT` | drops the connection after the first word |
 * | `HANG` | never answers |
 * | `TOOL:bash:command` | calls the agent's shell tool, whatever its name |
 * | `TOOL:write:path:text` | calls the agent's tool for writing a file, whatever its name |
 * | `TOOL:name:json` | calls the tool of that name with those arguments |
 *
 * Words on one line combine. The texts of `SAY` and `THINK` end at the next word; `TOOL` takes the rest of the line,
 * so it comes last, and what stands before it describes the answer after the tool's result.
 *
 * @module
 */

/** What one scripted line asks for. */
export interface Script {
  /** The line itself, from its first word on. */
  readonly line: string;
  readonly say?: string;
  readonly think?: string;
  readonly stop?: { readonly reason: "max-tokens" | "refusal"; readonly always: boolean };
  readonly http?: { readonly status: number; readonly times: number };
  readonly slow?: { readonly delayMs: number; readonly words?: number };
  readonly cut?: boolean;
  readonly hang?: boolean;
  readonly tool?: { readonly name: string; readonly argument: string };
}

// Not inside a longer word: an agent's own prompt may hold "STOP:" in a path or CUT in SHORTCUT.
const WORD =
  /(?<![\w:/.-])(?:(?<text>SAY|THINK):|STOP:(?<stop>max_tokens|refusal)(?<always>!)?|HTTP:(?<status>[1-5]\d\d)(?:\*(?<times>\d+))?|SLOW:(?<delay>\d+)(?::(?<words>\d+))?|(?<bare>CUT|HANG)(?![\w:-])|TOOL:(?<tool>[\w.-]+):)/g;

// Agents put the prompt between tags of their own in side requests.
const CLOSING_TAGS = /(?:<\/[\w-]+>\s*)+$/;

/**
 * Reads the last scripted line of a text: agents merge messages, and the last line is the newest.
 *
 * @returns The script, or undefined when no line holds a word.
 */
export function readScript(text: string): Script | undefined {
  for (const line of text.split(/\r?\n/).reverse()) {
    const words = [...line.matchAll(WORD)];
    if (words.length > 0) return scriptOf(line.replace(CLOSING_TAGS, ""), words);
  }
  return undefined;
}

function scriptOf(line: string, words: readonly RegExpExecArray[]): Script {
  let script: Script = { line: line.slice(words[0]?.index).trim() };
  for (const [index, word] of words.entries()) {
    const rest = line.slice(word.index + word[0].length);
    const untilNextWord = line.slice(word.index + word[0].length, words[index + 1]?.index).trim();
    const { text, stop, always, status, times, delay, words: count, bare, tool } = word.groups ?? {};
    if (tool !== undefined) return { ...script, tool: { name: tool, argument: rest.trim() } };
    if (text === "SAY") script = { ...script, say: untilNextWord };
    if (text === "THINK") script = { ...script, think: untilNextWord };
    if (bare === "CUT") script = { ...script, cut: true };
    if (bare === "HANG") script = { ...script, hang: true };
    if (stop !== undefined) {
      const reason = stop === "refusal" ? "refusal" : "max-tokens";
      script = { ...script, stop: { reason, always: always !== undefined } };
    }
    if (status !== undefined) {
      script = {
        ...script,
        http: { status: Number(status), times: times === undefined ? Infinity : Number(times) },
      };
    }
    if (delay !== undefined) {
      script = { ...script, slow: { delayMs: Number(delay), ...(count && { words: Number(count) }) } };
    }
  }
  return script;
}
