import assert from "node:assert/strict";
import { constants } from "node:os";
import { describe, it } from "node:test";
import {
  ACP_CATEGORIES,
  ACP_FAILURE_STOP_REASONS,
  ACP_STAGES,
  isWordOf,
  PERMISSION_KINDS,
  SDK_CATEGORIES,
  SDK_STAGES,
  SEAM_STAGES,
  SIGNAL_NAMES,
  wordOr,
} from "./vocabularies.ts";

// Pins: a word more or less changes what a model may see, so it is changed here on purpose or not at all.
const pinned: readonly (readonly [string, readonly string[], string])[] = [
  ["ACP_STAGES", ACP_STAGES, "initialize new-session prompt process teardown"],
  [
    "ACP_CATEGORIES",
    ACP_CATEGORIES,
    "configuration protocol transport process-start process-exit remote-limit unknown",
  ],
  ["ACP_FAILURE_STOP_REASONS", ACP_FAILURE_STOP_REASONS, "max_turn_requests"],
  ["SDK_STAGES", SDK_STAGES, "initialize session-run shutdown"],
  [
    "SDK_CATEGORIES",
    SDK_CATEGORIES,
    "configuration protocol transport child-error child-disposed child-unknown missing-terminal unknown",
  ],
  ["SEAM_STAGES", SEAM_STAGES, "start result dispose"],
  [
    "PERMISSION_KINDS",
    PERMISSION_KINDS,
    "read edit delete move search execute think fetch switch_mode other",
  ],
  [
    "SIGNAL_NAMES",
    SIGNAL_NAMES,
    "SIGABRT SIGALRM SIGBREAK SIGBUS SIGCHLD SIGCONT SIGEMT SIGFPE SIGHUP SIGILL SIGINFO SIGINT SIGIO SIGIOT " +
    "SIGKILL SIGLOST SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP " +
    "SIGTSTP SIGTTIN SIGTTOU SIGUNUSED SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ",
  ],
];

describe("vocabularies", () => {
  for (const [name, words, expected] of pinned) {
    it(`${name} holds the pinned words in their order`, () => assert.equal(words.join(" "), expected));

    it(`${name} takes no word at run time`, () => {
      assert.throws(() => (words as string[]).push("ls -la /secret"), TypeError);
      assert.throws(() => (words as string[]).splice(0, 1), TypeError);
      assert.equal(words.join(" "), expected);
    });
  }

  it("SIGNAL_NAMES knows every signal of this machine", () => {
    const signals = Object.keys(constants.signals);
    assert.ok(signals.includes("SIGKILL"));
    assert.deepEqual(signals.filter((name) => !SIGNAL_NAMES.includes(name)), []);
  });
});

describe("isWordOf()", () => {
  it("takes a word of the list", () => assert.equal(isWordOf(ACP_STAGES, "prompt"), true));

  const convertible = {
    toString: () => "prompt",
    valueOf: () => "prompt",
    [Symbol.toPrimitive]: () => "prompt",
  };
  for (
    const [name, value] of [
      ["another word", "promptly"],
      ["another case", "Prompt"],
      ["a word with a space", "prompt "],
      ["a String object", new String("prompt")],
      ["an object that converts to a word", convertible],
      ["an array of a word", ["prompt"]],
      ["a symbol", Symbol("prompt")],
      ["a number", 0],
      ["a bigint", 0n],
      ["null", null],
      ["undefined", undefined],
      ["the name of an array's method", "includes"],
      ["the name of an array's property", "length"],
    ] as const
  ) {
    it(`refuses ${name}`, () => assert.equal(isWordOf(ACP_STAGES, value), false));
  }
});

describe("wordOr()", () => {
  it("keeps a word of the list", () => assert.equal(wordOr(SDK_STAGES, "shutdown"), "shutdown"));
  it("makes everything else unknown", () => assert.equal(wordOr(SDK_STAGES, "teardown"), "unknown"));
});
