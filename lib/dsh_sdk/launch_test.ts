import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import type { DshSdkLaunch } from "./config.ts";
import { launchElsewhere, resolveLaunch } from "./launch.ts";

const profile = (fields: Partial<Extract<DshSdkLaunch, { kind: "profile" }>> = {}): DshSdkLaunch => ({
  kind: "profile",
  dshHome: "/srv/home",
  dshBin: undefined,
  profile: "sdk",
  patches: [],
  ...fields,
});

describe("resolveLaunch()", () => {
  let root: string;
  before(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "seam-launch-")));
    mkdirSync(join(root, "deep", "down"), { recursive: true });
    for (const name of ["bin.js", "a.yml", "b.yml"]) writeFileSync(join(root, name), "");
  });
  after(() => rmSync(root, { recursive: true }));

  it("leaves a command as it is", () => {
    const launch: DshSdkLaunch = { kind: "command", command: "runtime", args: ["--x"] };
    assert.deepEqual(resolveLaunch(launch), { command: "runtime", args: ["--x"], env: {} });
  });

  it("launches a profile under Node: the profile, then its patches in order, all paths absolute", () => {
    const launch = profile({ dshBin: "bin.js", profile: "other", patches: ["b.yml", join(root, "a.yml")] });
    assert.deepEqual(resolveLaunch(launch, { directory: root, node: "/bin/node" }), {
      command: "/bin/node",
      args: [
        join(root, "bin.js"),
        "--profile",
        "other",
        "--patch",
        join(root, "b.yml"),
        "--patch",
        join(root, "a.yml"),
      ],
      env: { DSH_HOME: "/srv/home" },
    });
  });

  it("runs the Node of this process, or the one on PATH where this is none", () => {
    const { command } = resolveLaunch(profile({ dshBin: "bin.js" }), { directory: root });
    const isNode = !("deno" in process.versions) && !("bun" in process.versions);
    assert.equal(command, isNode ? process.execPath : "node");
  });

  for (
    const [name, bin] of [["one program", "cli.mjs"], ["several programs", {
      other: "o.js",
      dsh: "./cli.mjs",
    }]] as const
  ) {
    it(`finds the package with ${name} upwards of the directory`, () => {
      const folder = join(root, "node_modules", "@deepseek-ai", "dsh");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "package.json"), JSON.stringify({ bin, exports: {} }));
      const { args } = resolveLaunch(profile(), { directory: join(root, "deep", "down"), node: "node" });
      rmSync(join(root, "node_modules"), { recursive: true });
      assert.deepEqual(args, [join(folder, "cli.mjs"), "--profile", "sdk"]);
    });
  }

  for (
    const [name, launch, message] of [
      [
        "a relative home",
        profile({ dshHome: "home" }),
        () => "subagent-dsh-sdk: config dshHome must be an absolute path: home",
      ],
      [
        "a command line that is not there",
        profile({ dshBin: "none.js" }),
        () => `subagent-dsh-sdk: config dshBin is not a file: ${join(root, "none.js")}`,
      ],
      [
        "a patch that is a folder",
        profile({ dshBin: "bin.js", patches: ["a.yml", "deep"] }),
        () => `subagent-dsh-sdk: config patches[1] is not a file: ${join(root, "deep")}`,
      ],
      [
        "a package that is not installed",
        profile(),
        () =>
          `subagent-dsh-sdk: package "@deepseek-ai/dsh" is not installed in ${root} or above: install it, or set dshBin to the module file of the command line`,
      ],
    ] as const
  ) {
    it(`refuses ${name}`, () => {
      assert.throws(() => resolveLaunch(launch, { directory: root }), { message: message() });
    });
  }
});

describe("launchElsewhere()", () => {
  it("leaves a command as it is", () => {
    const launch: DshSdkLaunch = { kind: "command", command: "runtime", args: ["--x"] };
    assert.deepEqual(launchElsewhere(launch), { command: "runtime", args: ["--x"], env: {} });
  });

  it("takes absolute paths as they are, of whatever system, and the node of the place", () => {
    const launch = profile({
      dshHome: "C:\\dsh",
      dshBin: "/nonexistent/bin.js",
      patches: ["\\\\share\\a.yml", "/nonexistent/b.yml"],
    });
    assert.deepEqual(launchElsewhere(launch), {
      command: "node",
      args: [
        "/nonexistent/bin.js",
        "--profile",
        "sdk",
        "--patch",
        "\\\\share\\a.yml",
        "--patch",
        "/nonexistent/b.yml",
      ],
      env: { DSH_HOME: "C:\\dsh" },
    });
  });

  for (
    const [field, launch] of [
      ["dshHome", profile({ dshHome: "home", dshBin: "/bin.js" })],
      ["dshBin", profile({ dshBin: "bin.js" })],
      ["dshBin", profile()],
      ["patches[1]", profile({ dshBin: "/bin.js", patches: ["/a.yml", "b.yml"] })],
    ] as const
  ) {
    it(`refuses ${field} of ${JSON.stringify(launch)}`, () => {
      assert.throws(() => launchElsewhere(launch), {
        name: "Error",
        message: `subagent-dsh-sdk: config ${field} must be an absolute path when a processHost is given`,
      });
    });
  }
});
