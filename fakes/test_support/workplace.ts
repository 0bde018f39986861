/**
 * A place where fakes work during a test, and an independent look at what they leave behind.
 *
 * @module
 */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { readRecord } from "../acp_agent/record.ts";

/** A folder of its own, also the working directory by which its processes are found again. */
export class Workplace implements Disposable {
  /** Absolute path without symbolic links. */
  readonly path: string = realpathSync(mkdtempSync(join(tmpdir(), "seam-")));

  /** A path in the folder. */
  file(name: string): string {
    return join(this.path, name);
  }

  /** What the fakes of this place received, in order: the messages as they came. */
  messages(): Readonly<Record<string, unknown>>[] {
    return readRecord(this.file("record")).flatMap((entry) =>
      entry.event === "message" ? [entry.message as Readonly<Record<string, unknown>>] : []
    );
  }

  /** The methods the fakes of this place received, in order; an answer of ours counts as `answer`. */
  received(): string[] {
    return this.messages().map(({ method }) => typeof method === "string" ? method : "answer");
  }

  /** Process ids that work in the folder, as the system sees it. Empty where /proc does not exist. */
  processes(): number[] {
    if (process.platform !== "linux") return [];
    return readdirSync("/proc").filter((entry) => /^\d+$/.test(entry)).map(Number).filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === this.path;
      } catch {
        return false; // gone meanwhile, a zombie, or somebody else's
      }
    });
  }

  /** Asserts that nothing is left running, and removes the folder. */
  [Symbol.dispose](): void {
    const left = this.processes();
    for (const pid of left) process.kill(pid, "SIGKILL");
    rmSync(this.path, { recursive: true, force: true });
    assert.deepEqual(left, [], "processes left behind");
  }
}
