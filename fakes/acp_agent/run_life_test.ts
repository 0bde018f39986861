import assert from "node:assert/strict";
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { type RawClient, withAgent } from "../test_support/raw_client.ts";
import { withFolder } from "../test_support/temp_folder.ts";
import type { SpawnStep } from "./life_step.ts";
import { readRecord } from "./record.ts";
import type { AgentScript, Step } from "./script.ts";

const LINUX = process.platform === "linux";

/** What Linux says about a process, or `undefined` when it is gone or a zombie. */
function processFacts(
  pid: number,
): { state: string; parent: number; group: number; session: number } | undefined {
  try {
    // The name in parentheses may hold spaces; what follows the last one does not.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    const [state = "", parent, group, session] = fields;
    return state === "Z"
      ? undefined
      : { state, parent: Number(parent), group: Number(group), session: Number(session) };
  } catch {
    return undefined; // a process that is gone has no file
  }
}

/** What a process has open, on Linux. */
function openFiles(pid: number): (string | undefined)[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).map((descriptor) => {
    try {
      return readlinkSync(join(folder, descriptor));
    } catch {
      return undefined; // closed since the listing
    }
  });
}

function pidIn(file: string): number {
  const pid = Number(readFileSync(file, "utf8"));
  assert.ok(Number.isInteger(pid) && pid > 1, `"${file}" holds a pid`);
  return pid;
}

/** Plays a prompt handler whose process is expected to end by itself. */
async function playToEnd(
  steps: readonly Step[],
  body: (client: RawClient) => Promise<void> | void,
): Promise<void> {
  await withAgent({ onPrompt: steps }, async (client) => {
    client.prompt(await client.open(), "go");
    await client.ending;
    await body(client);
  });
}

describe("steps about the process", () => {
  it("exit ends the process with a code, behind what was written", async () => {
    await playToEnd([{ do: "text", text: "x".repeat(50_000) }, { do: "exit", code: 3 }], async (client) => {
      assert.deepEqual(await client.ending, { code: 3, signal: null });
      await client.until(() => client.stdoutEnded || undefined);
      assert.match(client.lines[2] ?? "", /"text":"x{50000}"/);
    });
  });

  it("exit has code 0 unless told otherwise", async () => {
    await playToEnd([{ do: "exit" }], async (client) => {
      assert.deepEqual(await client.ending, { code: 0, signal: null });
    });
  });

  for (const signal of [undefined, "SIGTERM", "SIGABRT"]) {
    it(`kill ends the process by ${signal ?? "SIGKILL, its default"}`, async () => {
      await playToEnd([signal === undefined ? { do: "kill" } : { do: "kill", signal }], async (client) => {
        assert.deepEqual(await client.ending, { code: null, signal: signal ?? "SIGKILL" });
      });
    });
  }

  it(
    "kill with SIGSTOP leaves a process that only SIGKILL moves",
    { skip: !LINUX && "reads /proc" },
    async () => {
      await withAgent(
        { onStart: [{ do: "kill", signal: "SIGSTOP" }], onSigterm: [{ do: "exit" }] },
        async (client) => {
          await client.until(() => processFacts(client.pid)?.state === "T" || undefined);
          process.kill(client.pid, "SIGTERM");
          assert.equal(processFacts(client.pid)?.state, "T");
          process.kill(client.pid, "SIGKILL");
          assert.deepEqual(await client.ending, { code: null, signal: "SIGKILL" });
        },
      );
    },
  );

  it("kill with a signal that does not exist exits 70", async () => {
    await playToEnd([{ do: "kill", signal: "SIGNONE" }], async (client) => {
      assert.deepEqual(await client.ending, { code: 70, signal: null });
    });
  });

  it("close ends stdout for the reader while the process lives on, and closing twice does no more", async () => {
    await withFolder(async (folder) => {
      const record = join(folder, "record");
      const script: AgentScript = {
        record,
        onPrompt: [{ do: "text", text: "last" }, { do: "close", stream: "stdout" }, {
          do: "close",
          stream: "stdout",
        }, {
          do: "text",
          text: "dropped",
        }],
      };
      await withAgent(script, async (client) => {
        client.prompt(await client.open(), "go");
        await client.until(() => client.stdoutEnded || undefined);
        client.notify("_alive", {});
        await client.until(() => readFileSync(record, "utf8").includes("_alive") || undefined);
        assert.equal(client.lines.length, 3);
      });
    });
  });

  it("close ends stderr for the reader while the process lives on", async () => {
    const steps: Step[] = [{ do: "stderr", text: "last" }, { do: "close", stream: "stderr" }, {
      do: "stderr",
      text: "dropped",
    }, { do: "stop" }];
    await withAgent({ onPrompt: steps }, async (client) => {
      await client.ask("go");
      await client.until(() => client.stderrEnded || undefined);
      assert.equal(client.stderr, "last");
    });
  });

  it(
    "close breaks stdin for the writer while the process lives on",
    { skip: !LINUX && "reads /proc" },
    async () => {
      await withFolder(async (folder) => {
        const gate = join(folder, "gate");
        const script: AgentScript = {
          onPrompt: [
            { do: "close", stream: "stdin" },
            { do: "text", text: "closed" },
            { do: "waitForFile", path: gate },
            { do: "stop" },
            { do: "exit" },
          ],
        };
        await withAgent(script, async (client) => {
          const sessionId = await client.open();
          const stdin = readlinkSync(`/proc/${client.pid}/fd/0`);
          const prompt = client.prompt(sessionId, "go");
          await client.call("session/update");
          assert.equal(openFiles(client.pid).includes(stdin), false);
          // Bun 1.4 reports no error of a write to a child that has closed its stdin.
          if (process.versions["bun"] === undefined) {
            const error = await client.until(() => {
              client.notify("_unread", {});
              return client.inputError;
            });
            assert.match(error, /^E(PIPE|CONNRESET)$/);
          }
          writeFileSync(gate, "");
          await client.response(prompt);
        });
      });
    },
  );

  it("pauseStdin leaves what is sent unread until resumeStdin", async () => {
    const script: AgentScript = {
      onPrompt: [{ do: "pauseStdin" }, { do: "text", text: "paused" }, { do: "sleep", ms: 300 }, {
        do: "text",
        text: "resuming",
      }, { do: "resumeStdin" }],
      onMethod: { _late: [{ do: "notify", method: "_read" }] },
    };
    await withAgent(script, async (client) => {
      client.prompt(await client.open(), "go");
      await client.call("session/update");
      client.notify("_late", {});
      await client.call("_read");
      const order = client.lines.slice(2).map((line) => /paused|resuming|_read/.exec(line)?.[0]);
      assert.deepEqual(order, ["paused", "resuming", "_read"]);
    });
  });

  it("pauseStdin before anything is read keeps an agent from reading at all", async () => {
    await withFolder(async (folder) => {
      const record = join(folder, "record");
      await withAgent(
        { record, onStart: [{ do: "pauseStdin" }, { do: "line", text: "up" }] },
        async (client) => {
          client.notify("_unread", {});
          await client.until(() => client.lines[0]);
          await new Promise((fulfil) => setTimeout(fulfil, 100)); // the time in which it could read
          assert.deepEqual(readRecord(record).map(({ event }) => event), ["start"]);
          process.kill(client.pid, "SIGKILL");
        },
      );
    });
  });
});

describe("onEof and onSigterm", () => {
  it("an empty onEof keeps the process alive behind the end of stdin", async () => {
    await withFolder(async (folder) => {
      const record = join(folder, "record");
      await withAgent(
        { record, onEof: [], onPrompt: [{ do: "sleep", ms: 150 }, { do: "stop" }] },
        async (client) => {
          const prompt = client.prompt(await client.open(), "go");
          client.endInput();
          await client.response(prompt);
          assert.ok(readRecord(record).some(({ event }) => event === "eof"));
          process.kill(client.pid, "SIGTERM");
          assert.deepEqual(await client.ending, { code: null, signal: "SIGTERM" });
        },
      );
    });
  });

  it("onEof takes its steps when the reader of stdout goes", async () => {
    const script: AgentScript = {
      onPrompt: [{ do: "repeat", steps: [{ do: "text", text: "x".repeat(1_000) }] }],
      onEof: [{ do: "exit", code: 9 }],
    };
    await withAgent(script, async (client) => {
      client.prompt(await client.open(), "go");
      await client.call("session/update");
      client.breakStdout();
      assert.deepEqual(await client.ending, { code: 9, signal: null });
    });
  });

  it("without onSigterm the signal kills", async () => {
    await withAgent({ onStart: [{ do: "line", text: "up" }] }, async (client) => {
      await client.until(() => client.lines[0]);
      process.kill(client.pid, "SIGTERM");
      assert.deepEqual(await client.ending, { code: null, signal: "SIGTERM" });
    });
  });

  it("onSigterm takes its steps, such as exiting with a code", async () => {
    const script: AgentScript = { onSigterm: [{ do: "line", text: "bye" }, { do: "exit", code: 5 }] };
    await withAgent(script, async (client) => {
      await client.open();
      process.kill(client.pid, "SIGTERM");
      assert.deepEqual(await client.ending, { code: 5, signal: null });
      await client.until(() => client.stdoutEnded || undefined);
      assert.equal(client.lines.at(-1), "bye");
    });
  });

  it("an empty onSigterm ignores the signal and records it", async () => {
    await withFolder(async (folder) => {
      const record = join(folder, "record");
      await withAgent({ record, onSigterm: [] }, async (client) => {
        const sessionId = await client.open();
        process.kill(client.pid, "SIGTERM");
        await client.until(() => readRecord(record).some(({ event }) => event === "signal") || undefined);
        await client.response(client.prompt(sessionId, "alive"));
      });
    });
  });
});

describe("spawn", () => {
  /** Starts an agent that spawns one descendant, hands over both pids, and ends the descendant. */
  async function withDescendant(
    options: Omit<SpawnStep, "do" | "pidFile">,
    body: (pid: number, client: RawClient) => Promise<void> | void,
  ): Promise<void> {
    await withFolder(async (folder) => {
      const pidFile = join(folder, "pid");
      const spawning: Step = { do: "spawn", pidFile, ...options };
      await withAgent({ onPrompt: [spawning, { do: "stop" }, { do: "hang" }] }, async (client) => {
        await client.ask("go");
        const pid = pidIn(pidFile);
        try {
          await body(pid, client);
        } finally {
          if (processFacts(pid) !== undefined) process.kill(pid, "SIGKILL");
        }
      }, { env: { FAKE_MARKER: "m4rk" } });
    });
  }

  const skip = !LINUX && "reads /proc";

  it("plain starts a child in the agent's group that outlives the agent", { skip }, async () => {
    await withDescendant({ how: "plain" }, async (pid, client) => {
      const facts = processFacts(pid);
      assert.equal(facts?.parent, client.pid);
      assert.equal(facts?.group, processFacts(client.pid)?.group);
      client.endInput();
      assert.deepEqual(await client.ending, { code: 0, signal: null });
      assert.ok(processFacts(pid) !== undefined);
    });
  });

  it("setsid starts a child in a session of its own", { skip }, async () => {
    await withDescendant({ how: "setsid" }, (pid, client) => {
      const facts = processFacts(pid);
      assert.equal(facts?.parent, client.pid);
      assert.equal(facts?.session, pid);
    });
  });

  it("daemon starts a process that no chain of parents ties to the agent", { skip }, async () => {
    await withDescendant({ how: "daemon" }, async (pid, client) => {
      const ancestors = () => {
        const found: number[] = [];
        for (let at = processFacts(pid)?.parent; at !== undefined && at > 0; at = processFacts(at)?.parent) {
          found.push(at);
        }
        return found;
      };
      await client.until(() => ancestors().includes(client.pid) ? undefined : true);
      assert.notEqual(processFacts(pid)?.session, processFacts(client.pid)?.session);
    });
  });

  it("ignoreSigterm starts one that SIGTERM does not end", { skip }, async () => {
    await withDescendant({ how: "plain", ignoreSigterm: true }, (pid) => {
      process.kill(pid, "SIGTERM");
      assert.match(readFileSync(`/proc/${pid}/status`, "utf8"), /^SigIgn:\s.*[4567cdef][0-9a-f]{3}$/m);
      assert.ok(processFacts(pid) !== undefined);
    });
  });

  it("the environment goes along unless clearEnv", { skip }, async () => {
    const read = (pid: number, what: string) => readFileSync(`/proc/${pid}/${what}`, "utf8");
    // The pid is known before the shell that wrote it becomes a `sleep`; on the way it has no environment to read.
    const environment = async (pid: number, client: RawClient) => {
      await client.until(() => read(pid, "cmdline").startsWith("sleep") || undefined);
      return read(pid, "environ");
    };
    await withDescendant({ how: "plain" }, async (pid, client) => {
      assert.match(await environment(pid, client), /FAKE_MARKER=m4rk/);
    });
    await withDescendant({ how: "plain", clearEnv: true }, async (pid, client) => {
      assert.doesNotMatch(await environment(pid, client), /FAKE_MARKER/);
    });
  });

  it("holdStdout keeps the agent's stdout open behind its exit", { skip }, async () => {
    await withDescendant({ how: "plain", holdStdout: true }, async (pid, client) => {
      client.endInput();
      await client.ending;
      await new Promise((fulfil) => setTimeout(fulfil, 100)); // the time in which an end would come
      assert.equal(client.stdoutEnded, false);
      process.kill(pid, "SIGKILL");
      await client.until(() => client.stdoutEnded || undefined);
    });
    await withDescendant({ how: "plain" }, async (pid, client) => {
      client.endInput();
      await client.until(() => client.stdoutEnded || undefined);
      assert.ok(processFacts(pid) !== undefined);
    });
  });

  it("seconds bounds its life", { skip }, async () => {
    await withDescendant({ how: "plain", seconds: 1 }, async (pid, client) => {
      await client.until(() => processFacts(pid) === undefined || undefined);
    });
  });
});
