/**
 * The commands of the program.
 *
 * @module
 */
import type { Command } from "./command.ts";
import { RUN } from "./run/run.ts";

/** Every command, in the order in which they are listed. */
export const COMMANDS: readonly Command[] = [RUN];
