import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { demonstrate, type Scene, type SceneOutcome, SCENES } from "./demonstration.ts";

const SCENE: Scene = {
  title: "What is to see.",
  words: ["agent", "it's two words", "a/b=c"],
  exitCode: 1,
  stdout: "",
  output: "no\n",
};

async function show(outcome: Partial<SceneOutcome>) {
  let printed = "";
  const asAnnounced = await demonstrate([SCENE, SCENE], (text) => printed += text, (words, onOutput) => {
    assert.deepEqual(words, SCENE.words);
    onOutput("no\n");
    return Promise.resolve({ exitCode: 1, stdout: "", output: "no\n", ...outcome });
  });
  return { asAnnounced, printed };
}

describe("demonstrate()", () => {
  it("prints what there is to see, the command for a shell, the output and the exit code", async () => {
    const scene = "What is to see.\n\n$ agent 'it'\\''s two words' a/b=c\nno\nexit code 1\n\n";
    assert.deepEqual(await show({}), { asAnnounced: true, printed: scene + scene });
  });

  const faults: [fact: string, outcome: Partial<SceneOutcome>][] = [
    ["another exit code", { exitCode: 0 }],
    ["a signal", { exitCode: null }],
    ["something on stdout", { stdout: "no\n" }],
    ["other output", { output: "no\nno\n" }],
  ];
  for (const [fact, outcome] of faults) {
    it(`notices ${fact}`, async () => {
      const { asAnnounced, printed } = await show(outcome);
      assert.equal(asAnnounced, false);
      assert.match(printed, /This is not as announced\./);
    });
  }

  it("shows the bundled scenes as announced", async () => {
    let printed = "";
    assert.ok(await demonstrate(SCENES, (text) => printed += text), printed);
    assert.deepEqual(printed.match(/^exit code .*$/gm), ["exit code 0", "exit code 1"]);
  });
});
