/**
 * A folder for one test.
 *
 * @module
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs a test body with a fresh folder, and removes the folder whatever happens. */
export async function withFolder(body: (folder: string) => Promise<void> | void): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fakes-")));
  try {
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
