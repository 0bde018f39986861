import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { afterEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { denoGrants } from "./deno_permission.ts";
import { cleanUp, newToken, processesOf, temporaryFile } from "./process_fixtures_test.ts";

describe("denoGrants()", () => {
  for (const [state, expected] of [["granted", true], ["prompt", false], ["denied", false]] as const) {
    it(`is ${expected} for a permission in the state "${state}"`, () => {
      const asked: unknown[] = [];
      const permissions = { querySync: (descriptor: unknown) => (asked.push(descriptor), { state }) };
      assert.equal(denoGrants({ name: "read", path: "/proc" }, { Deno: { permissions } }), expected);
      assert.deepEqual(asked, [{ name: "read", path: "/proc" }]);
    });
  }
  it("is true on other runtimes", () => assert.equal(denoGrants({ name: "run" }, {}), true));
});

const inProject = fileURLToPath(new URL("../../node_modules/.bin/deno", import.meta.url));
const deno = "Deno" in globalThis ? process.execPath : inProject;
const skip = !existsSync(deno);

/** Runs a program that starts one child and stops it, under Deno with some permissions; what it says of the end. */
function stopUnderDeno(permissions: readonly string[], script: string, token: string): unknown {
  const program = temporaryFile(
    "host.mts",
    `import { nodeProcessHost } from ${
      JSON.stringify(new URL("./node_process_host.ts", import.meta.url).href)
    };
let ready = () => {};
const written = new Promise((resolve) => ready = resolve);
const handle = await nodeProcessHost().spawn({
  command: "sh", args: ["-c", ${JSON.stringify(script)}, "${token}"], cwd: "/", env: {}, stderr: "ignore",
  stdout: { data: ready, end() {} },
});
await written;
const failure = await handle.stop({ eofGraceMs: 80, killGraceMs: 1000 }).then(() => null, (error) => error.name);
console.log(JSON.stringify({ failure }));
Deno.exit();
`,
  );
  const { stdout } = spawnSync(deno, ["run", "--no-check", "--no-prompt", ...permissions, program], {
    encoding: "utf8",
    timeout: 15_000,
  });
  return JSON.parse(stdout);
}

describe(
  `a Deno host without --allow-all${skip ? " (skipped: there is no deno here)" : ""}`,
  { skip },
  () => {
    const permissions = ["--allow-run", "--allow-env", "--allow-read"];
    afterEach(cleanUp);

    it("ends the whole process group", () => {
      const token = newToken();
      const script = "trap '' TERM; sleep $0 & echo; while :; do sleep $0; done";
      assert.deepEqual(stopUnderDeno(permissions, script, token), { failure: null });
      assert.deepEqual(processesOf(token), []);
    });

    it("ends the group of a child that died first", () => {
      const token = newToken();
      assert.deepEqual(stopUnderDeno(permissions, "sleep $0 & echo; exit 3", token), { failure: null });
      assert.deepEqual(processesOf(token), []);
    });

    it("ends what left the group, while it has its parent", () => {
      const token = newToken();
      const script = "setsid sleep $0 & echo; exec sleep $0";
      assert.deepEqual(stopUnderDeno(permissions, script, token), { failure: null });
      assert.deepEqual(processesOf(token), []);
    });

    it("does not see what left the group and lost its parent: that needs --allow-all", () => {
      const token = newToken();
      const script = "(setsid sleep $0 &); echo; cat >/dev/null";
      assert.deepEqual(stopUnderDeno(permissions, script, token), { failure: null });
      assert.equal(processesOf(token).length, 1);
    });

    it("sees that with --allow-all", () => {
      const token = newToken();
      const script = "(setsid sleep $0 &); echo; cat >/dev/null";
      assert.deepEqual(stopUnderDeno(["--allow-all"], script, token), { failure: null });
      assert.deepEqual(processesOf(token), []);
    });

    it("that may run only its agent stops one that obeys the end of its stdin", () => {
      const scoped = ["--allow-run=sh", "--allow-env", "--allow-read"];
      assert.deepEqual(stopUnderDeno(scoped, "echo; cat >/dev/null", newToken()), { failure: null });
    });

    it("that may run only its agent may not send signals, and stop() says so", () => {
      const scoped = ["--allow-run=sh", "--allow-env", "--allow-read"];
      const script = "echo; exec sleep $0";
      assert.deepEqual(stopUnderDeno(scoped, script, newToken()), { failure: "NotCapable" });
    });
  },
);
