import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ChildOutput } from "./child_output.ts";

function recorder() {
  const seen: string[] = [];
  let ended!: () => void;
  const end = new Promise<void>((resolve) => ended = resolve);
  const target = {
    data: (chunk: Uint8Array) => void seen.push(new TextDecoder().decode(chunk)),
    end: () => {
      seen.push("end");
      ended();
    },
  };
  return { seen, end, target };
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe("ChildOutput", () => {
  it("passes chunks and the end of the pipe on", () => {
    const { seen, target } = recorder();
    const output = new ChildOutput(target, { boundMs: 1000 });
    output.data(bytes("a"));
    output.end();
    assert.deepEqual(seen, ["a", "end"]);
  });

  it("ends when the process is dead and the pipe is silent, though something holds it open", async () => {
    const { seen, end, target } = recorder();
    const output = new ChildOutput(target, { quietMs: 1, boundMs: 60_000 });
    output.data(bytes("a"));
    output.processEnded();
    output.data(bytes("b"));
    await end;
    assert.deepEqual(seen, ["a", "b", "end"]);
  });

  it("ends at the bound while a descendant keeps writing", async () => {
    const { end, target } = recorder();
    const output = new ChildOutput(target, { quietMs: 2, boundMs: 20 });
    output.processEnded();
    const writer = setInterval(() => output.data(bytes("x")), 0);
    await end;
    clearInterval(writer);
  });

  it("ends once, and takes nothing afterwards", async () => {
    const { seen, end, target } = recorder();
    const output = new ChildOutput(target, { quietMs: 1, boundMs: 1000 });
    output.processEnded();
    output.processEnded();
    output.end();
    output.end();
    output.data(bytes("late"));
    await end;
    assert.deepEqual(seen, ["end"]);
  });
});
