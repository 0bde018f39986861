/**
 * Writing to the command's streams.
 *
 * @module
 */
import { errorCode } from "../process/errors.ts";
import type { CliStream, CliSystem } from "./cli_system.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { escapeControls } from "./terminal_text.ts";

/** What became of the answer. */
export type Delivery = "written" | "reader-gone" | "failed";

/** Writes to stdout, on a line of its own. What fails for another reason than a reader that went away is said on stderr. */
export async function writeAnswer({ stdout, stderr }: CliSystem, text: string): Promise<Delivery> {
  try {
    await stdout.write(lineFor(stdout, text));
    return "written";
  } catch (error) {
    const code = errorCode(error);
    // EPIPE is how `| head` and a closed pager say that they have had enough.
    if (code === "EPIPE") return "reader-gone";
    await writeMessage(stderr, `Cannot write the answer to stdout${code === undefined ? "" : ` (${code})`}`);
    return "failed";
  }
}

/** Writes to stdout what is all that a command has to say, and gives the exit code. */
export async function printText(system: CliSystem, text: string): Promise<number> {
  switch (await writeAnswer(system, text)) {
    case "written":
      return EXIT_CODES.success;
    case "reader-gone":
      return EXIT_CODES.brokenPipe;
    case "failed":
      return EXIT_CODES.failure;
  }
}

/** Writes to stderr, on a line of its own. If that fails there is nobody left to tell. */
export async function writeMessage(stream: CliStream, text: string): Promise<void> {
  await stream.write(lineFor(stream, text)).catch(() => {});
}

function lineFor(stream: CliStream, text: string): string {
  const shown = stream.isTerminal ? escapeControls(text) : text;
  return shown.endsWith("\n") ? shown : `${shown}\n`;
}
