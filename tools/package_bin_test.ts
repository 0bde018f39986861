import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { packageBin } from "./package_bin.ts";

describe("packageBin()", () => {
  it("runs a script under Node", () => {
    const { command, args } = packageBin("attw", "@arethetypeswrong/cli");
    assert.equal(command, "node");
    assert.match(args.join(), /arethetypeswrong\/cli\/dist\/index\.js$/);
  });

  it("runs a script without an ending under Node", () => {
    assert.equal(packageBin("tsc", "typescript").command, "node");
  });

  it("starts a binary itself", () => {
    const { command, args } = packageBin("bun");
    assert.match(command, /bun\.exe$/);
    assert.deepEqual(args, []);
  });

  it("throws for a command that the package does not have", () => {
    assert.throws(
      () => packageBin("nothing", "typescript"),
      /Cannot find the command "nothing": "typescript" has none/,
    );
  });

  it("throws for a package that is not installed", () => {
    assert.throws(() => packageBin("no-such-package"), { code: "ENOENT" });
  });
});
