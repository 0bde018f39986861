import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { runProcess } from "../run_process.ts";
import { readTar } from "./read_tar.ts";

const folder = mkdtempSync(join(tmpdir(), "read-tar-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Packs these files with the system's tar. */
async function pack(
  format: string,
  files: Record<string, string>,
  prepare: (root: string) => void = () => {},
): Promise<Uint8Array> {
  const root = mkdtempSync(join(folder, "files-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  prepare(root);
  const archive = `${root}.tgz`;
  const result = await runProcess("tar", ["--format", format, "-czf", archive, "-C", root, "."], {
    cwd: root,
  });
  assert.equal(result.exitCode, 0, result.output);
  return readFileSync(archive);
}

describe("readTar()", () => {
  const long = `./${"folder/".repeat(12)}${"name".repeat(30)}.ts`;
  for (const format of ["ustar", "pax"]) {
    const files = {
      "./a.ts": "one\n",
      "./empty.ts": "",
      "./lib/b.ts": "é".repeat(700),
      ...(format === "pax" && { [long]: "long" }),
    };
    it(`reads what the system's tar packs as ${format}`, async () => {
      const read = readTar(await pack(format, files));
      assert.deepEqual(
        Object.fromEntries([...read].sort()),
        Object.fromEntries(Object.entries(files).sort()),
      );
    });
  }

  it("refuses an entry that is no file", async () => {
    const archive = await pack("ustar", {}, (root) => symlinkSync("elsewhere", join(root, "link")));
    assert.throws(() => readTar(archive), /"\.\/link" is of type "2"/);
  });

  it("refuses what is no archive", () => {
    assert.throws(() => readTar(gzipSync("x".repeat(600))), /no tar header at byte 0/);
    assert.throws(() => readTar(new TextEncoder().encode("no gzip at all")), { code: "Z_DATA_ERROR" });
  });
});
