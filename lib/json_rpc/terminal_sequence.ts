/**
 * Control sequences of terminals in front of a frame.
 *
 * @module
 */

const BELL = 0x07;
const ESCAPE = 0x1b;
const LEFT_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const RIGHT_BRACKET = 0x5d;

/**
 * Skips the ANSI control sequences (ECMA-48 CSI) and operating system commands (OSC) that a line starts with.
 *
 * Launchers on Windows write window titles and cursor modes without a line ending, so they stand in front of the
 * agent's next frame; dropping that line would lose the frame and hang the request it answers.
 *
 * @returns The index behind them: `start` when there are none, or only one that is not complete.
 */
export function skipTerminalSequences(bytes: Uint8Array, start: number, end: number): number {
  let index = start;
  while (index < end && bytes[index] === ESCAPE) {
    const next = sequenceEnd(bytes, index + 1, end);
    if (next < 0) break;
    index = next;
  }
  return index;
}

/** Where the sequence ends whose second byte is at `index`; -1 if it is none or not complete. */
function sequenceEnd(bytes: Uint8Array, index: number, end: number): number {
  if (bytes[index] === LEFT_BRACKET) return controlSequenceEnd(bytes, index + 1, end);
  if (bytes[index] === RIGHT_BRACKET) return systemCommandEnd(bytes, index + 1, end);
  return -1;
}

// Parameter and intermediate bytes (0x20 to 0x3f), then one final byte (0x40 to 0x7e).
function controlSequenceEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let index = start; index < end; index++) {
    const byte = bytes[index]!;
    if (byte >= 0x40 && byte <= 0x7e) return index + 1;
    if (byte < 0x20 || byte > 0x3f) return -1;
  }
  return -1;
}

// Text up to BEL or ESC \.
function systemCommandEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let index = start; index < end; index++) {
    if (bytes[index] === BELL) return index + 1;
    if (bytes[index] === ESCAPE) return index + 1 < end && bytes[index + 1] === BACKSLASH ? index + 2 : -1;
  }
  return -1;
}
