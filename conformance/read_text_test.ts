import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readText } from "./read_text.ts";

describe("readText()", () => {
  it("reads a file beside a module", async () => {
    assert.match(await readText(new URL("read_text.ts", import.meta.url)), /^\/\*\*\n \* Files that ship/);
  });

  it("rejects when there is no such file", async () => {
    await assert.rejects(readText(new URL("read_text.none", import.meta.url)), { code: "ENOENT" });
  });

  if ("Deno" in globalThis) {
    it("reads what a module of a registry has beside it (Deno only: others load no modules from a URL)", async () => {
      assert.equal(await readText(new URL("data:text/plain,%7B%7D%0A")), "{}\n");
    });
  }
});
