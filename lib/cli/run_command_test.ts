import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_START_CAPABILITIES } from "../seam/no_start_capabilities.ts";
import { SubagentAbortedError, SubagentFailure } from "../seam/errors.ts";
import type { ProviderStartRequest, SubagentProvider, SubagentResult } from "../seam/types.ts";
import type { RunOptions } from "./arguments.ts";
import { UsageFault } from "./command_words.ts";
import { runCommand } from "./run_command.ts";
import { FakeCliSystem } from "./testing.ts";

const OPTIONS: RunOptions = {
  provider: "acp",
  permission: "reject",
  env: {},
  json: false,
  quiet: false,
  agentStderr: false,
  task: { kind: "text", text: "do it" },
  command: "agent",
  args: [],
};

const TEARDOWN = "Subagent failure (provider: ACP; stage: teardown; category: unknown)";

const answer = (text: string): SubagentResult => ({ stopReason: "completed", output: [{ type: "text", text }] });

/** How the child of a test behaves. */
interface FakeChild {
  /** Fulfils when the child is ready; cancelled starts reject by themselves. */
  readonly ready?: () => Promise<void>;
  /** What it answers, unless it is cancelled first. */
  readonly result?: () => Promise<SubagentResult>;
  readonly dispose?: () => Promise<void>;
}

/** One run of the command with a child in this process. */
class Session {
  readonly system: FakeCliSystem = new FakeCliSystem();
  /** What the provider was asked for, in order; "dispose" where that came. */
  readonly log: (string | ProviderStartRequest)[] = [];
  readonly #child: FakeChild;
  readonly #waiters: Set<() => void> = new Set();

  constructor(child: FakeChild = {}) {
    this.#child = child;
  }

  run(options: Partial<RunOptions> = {}): Promise<number> {
    return runCommand({ ...OPTIONS, ...options }, this.system, { chooseProvider: () => this.#provider() });
  }

  /** Fulfils when the provider was asked for so many things. */
  async logged(count: number): Promise<void> {
    while (this.log.length < count) await new Promise<void>((resolve) => this.#waiters.add(resolve));
  }

  get disposals(): number {
    return this.log.filter((entry) => entry === "dispose").length;
  }

  #note(entry: string | ProviderStartRequest): void {
    this.log.push(entry);
    for (const waiter of this.#waiters) waiter();
    this.#waiters.clear();
  }

  #provider(): SubagentProvider {
    const { ready = async () => {}, result = async () => answer("yes"), dispose = async () => {} } = this.#child;
    return {
      specificationVersion: "v1",
      name: "acp",
      capabilities: NO_START_CAPABILITIES,
      inheritsParentContext: false,
      start: async (request) => {
        this.#note(request);
        const aborted = new Promise<void>((resolve) => {
          request.signal?.addEventListener("abort", () => resolve());
        });
        await Promise.race([ready(), aborted]);
        if (request.signal?.aborted) throw new SubagentAbortedError("ACP");
        const disposeOnce = () => {
          this.#note("dispose");
          return dispose();
        };
        const cancelled = aborted.then(() => ({ stopReason: "aborted", output: [{ type: "text", text: "so far" }] }));
        return {
          id: "run",
          localAgent: undefined,
          result: Promise.race([result(), cancelled]),
          dispose: disposeOnce,
          [Symbol.asyncDispose]: disposeOnce,
        };
      },
    };
  }
}

const never = () => new Promise<never>(() => {});

/** What the command wrote and how it ended; checks that it kept nothing. */
async function ended(session: Session, code: Promise<number>) {
  const exitCode = await code;
  const { system } = session;
  assert.equal(system.held, 0, "timers and listeners");
  return { exitCode, stdout: system.stdout.text, stderr: system.stderr.text };
}

describe("runCommand()", () => {
  it("writes the answer to stdout and nothing else", async () => {
    const session = new Session();
    assert.deepEqual(await ended(session, session.run()), { exitCode: 0, stdout: "yes\n", stderr: "" });
    assert.equal(session.disposals, 1);
  });

  it("hands over the task, its parent's directory and a signal", async () => {
    const session = new Session();
    session.system.directory = "/some/where";
    await session.run();
    const [request] = session.log as [ProviderStartRequest];
    assert.deepEqual(request.prompt, [{ type: "text", text: "do it" }]);
    assert.deepEqual(request.parent, { id: "subagent run", cwd: "/some/where" });
    assert.equal(request.signal?.aborted, false);
  });

  it("does not look for the current directory when one is given", async () => {
    const session = new Session();
    session.system.directory = new Error("ENOENT");
    assert.equal(await session.run({ cwd: "elsewhere" }), 0);
    assert.deepEqual((session.log[0] as ProviderStartRequest).parent, { id: "subagent run" });
  });

  it("starts nothing in a directory that is gone", async () => {
    const session = new Session();
    session.system.directory = new Error("ENOENT");
    await assert.rejects(session.run(), (error) =>
      error instanceof UsageFault &&
      error.message === "The current directory does not exist: go to one that does, or use --cwd DIR");
    assert.deepEqual(session.log, []);
    assert.equal(session.system.held, 0);
  });

  it("takes what the provider finds wrong with the options for a usage fault", async () => {
    const system = new FakeCliSystem();
    const chooseProvider = () => {
      throw new TypeError("subagent-acp: command must name a program");
    };
    await assert.rejects(runCommand(OPTIONS, system, { chooseProvider }), (error) =>
      error instanceof UsageFault && error.message === "subagent-acp: command must name a program");
    assert.equal(system.held, 0);
  });

  it("reads the task from stdin", async () => {
    const session = new Session();
    session.system.stdin = new TextEncoder().encode("from stdin\n");
    assert.equal(await session.run({ task: { kind: "stdin" } }), 0);
    assert.deepEqual((session.log[0] as ProviderStartRequest).prompt, [{ type: "text", text: "from stdin\n" }]);
  });
});

describe("runCommand() without a whole answer", () => {
  const failed: SubagentResult = {
    stopReason: "error",
    output: [{ type: "text", text: "so far" }],
    diagnostic: "Subagent failure (provider: ACP; stage: prompt; category: transport)",
  };
  const rows: [fact: string, child: FakeChild, stderr: string, json: object][] = [
    [
      "tells of a run that failed",
      { result: async () => failed },
      "subagent run failed\n" +
      "Diagnostic: Subagent failure (provider: ACP; stage: prompt; category: transport)\n" +
      "Partial output before the run ended:\nso far\n",
      {
        stopReason: "error",
        output: "so far",
        diagnostic: "Subagent failure (provider: ACP; stage: prompt; category: transport)",
      },
    ],
    [
      "tells of a start that failed",
      {
        ready: async () => {
          throw new SubagentFailure({ provider: "ACP", stage: "initialize", category: "transport" }, {
            cause: new Error("canary"),
          });
        },
      },
      "Subagent failure (provider: ACP; stage: initialize; category: transport)\n",
      {
        stopReason: "error",
        output: "",
        error: "Subagent failure (provider: ACP; stage: initialize; category: transport)",
      },
    ],
    [
      "shows nothing of a stranger's error",
      { ready: () => Promise.reject(new Error("canary")) },
      "Subagent failure (provider: acp; stage: start; category: unknown)\n",
      {
        stopReason: "error",
        output: "",
        error: "Subagent failure (provider: acp; stage: start; category: unknown)",
      },
    ],
    [
      "tells of a result that breaks its promise",
      { result: () => Promise.reject(new Error("canary")) },
      "Subagent failure (provider: acp; stage: result; category: unknown)\n",
      {
        stopReason: "error",
        output: "",
        error: "Subagent failure (provider: acp; stage: result; category: unknown)",
      },
    ],
    [
      "tells of both a failed run and an agent that did not end",
      {
        result: async () => ({ stopReason: "refusal", output: [] }),
        dispose: async () => {
          throw new SubagentFailure({ provider: "ACP", stage: "teardown", category: "unknown" });
        },
      },
      `subagent declined the task\n${TEARDOWN}\n`,
      { stopReason: "refusal", output: "", error: TEARDOWN },
    ],
  ];
  for (const [fact, child, stderr, json] of rows) {
    it(`${fact} on stderr`, async () => {
      const session = new Session(child);
      assert.deepEqual(await ended(session, session.run()), { exitCode: 1, stdout: "", stderr });
      assert.equal(session.disposals, child.ready === undefined ? 1 : 0);
    });

    it(`${fact} in one JSON object`, async () => {
      const session = new Session(child);
      const { exitCode, stdout, stderr } = await ended(session, session.run({ json: true }));
      assert.deepEqual([exitCode, stderr], [1, ""]);
      assert.deepEqual(JSON.parse(stdout), { ...json, elapsedMs: 0 });
    });
  }

  it("fails when something of the agent is left, even though the answer was written", async () => {
    const session = new Session({
      dispose: async () => {
        throw new SubagentFailure({ provider: "ACP", stage: "teardown", category: "unknown" });
      },
    });
    const { exitCode, stdout, stderr } = await ended(session, session.run());
    assert.deepEqual([exitCode, stdout, stderr], [1, "yes\n", `${TEARDOWN}\n`]);
  });
});

describe("runCommand() and its streams", () => {
  /** What had been written when the agent was disposed of. */
  async function writtenAtDisposal(json: boolean): Promise<string> {
    let written = "";
    const session: Session = new Session({
      dispose: async () => {
        written = session.system.stdout.text;
      },
    });
    assert.equal(await session.run({ json }), 0);
    return written;
  }

  it("writes an answer before it ends the agent, which may take seconds", async () => {
    assert.equal(await writtenAtDisposal(false), "yes\n");
  });

  it("writes JSON after it ended the agent, so that one object says it all", async () => {
    assert.equal(await writtenAtDisposal(true), "");
  });

  it("gives the time the run took in whole milliseconds", async () => {
    const session: Session = new Session({
      result: async () => {
        session.system.advance(12.6);
        return answer("yes");
      },
    });
    await session.run({ json: true });
    assert.deepEqual(JSON.parse(session.system.stdout.text), { stopReason: "completed", output: "yes", elapsedMs: 13 });
  });

  for (const json of [false, true]) {
    it(`disposes of the run of a reader that went away${json ? " from JSON" : ""}`, async () => {
      const session = new Session();
      session.system.stdout.fault = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
      assert.deepEqual(await ended(session, session.run({ json })), { exitCode: 141, stdout: "", stderr: "" });
      assert.equal(session.disposals, 1);
    });
  }

  it("fails when the answer cannot be written", async () => {
    const session = new Session();
    session.system.stdout.fault = Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" });
    const { exitCode, stderr } = await ended(session, session.run());
    assert.deepEqual([exitCode, stderr], [1, "Cannot write the answer to stdout (ENOSPC)\n"]);
    assert.equal(session.disposals, 1);
  });

  it("shows a terminal the phases, and takes the line away before anything else is written", async () => {
    const session: Session = new Session({
      ready: async () => session.system.advance(200),
      result: async () => {
        session.system.advance(200);
        return answer("yes");
      },
      dispose: async () => session.system.advance(200),
    });
    const { system } = session;
    system.stderr.isTerminal = true;
    const order: string[] = [];
    for (const stream of [system.stdout, system.stderr]) {
      const write = stream.write.bind(stream);
      stream.write = (text) => {
        order.push(text);
        return write(text);
      };
    }
    assert.equal(await session.run(), 0);
    assert.deepEqual(order, [
      "\r\x1b[2Ksubagent starting, 0 s",
      "\r\x1b[2Ksubagent working, 0 s",
      "\r\x1b[2K",
      "yes\n",
      "\r\x1b[2Ksubagent ending, 0 s",
      "\r\x1b[2K",
    ]);
    assert.equal(system.held, 0);
  });

  const silent: [fact: string, options: Partial<RunOptions>, isTerminal: boolean, term: string][] = [
    ["for a pipe", {}, false, "xterm"],
    ["with --quiet", { quiet: true }, true, "xterm"],
    ["beside the agent's stderr", { agentStderr: true }, true, "xterm"],
    ["on a dumb terminal", {}, true, "dumb"],
  ];
  for (const [fact, options, isTerminal, term] of silent) {
    it(`shows no progress ${fact}`, async () => {
      const session: Session = new Session({ ready: async () => session.system.advance(1000) });
      session.system.environment = { TERM: term };
      session.system.stderr.isTerminal = isTerminal;
      assert.equal(await session.run(options), 0);
      assert.deepEqual(session.system.stderr.writes, []);
    });
  }
});

describe("runCommand() told to stop", () => {
  it("ends before anything was started while it reads the task", async () => {
    const session = new Session();
    const code = session.run({ task: { kind: "stdin" } });
    session.system.send("SIGINT");
    assert.deepEqual(await ended(session, code), { exitCode: 130, stdout: "", stderr: "subagent run was cancelled\n" });
    assert.deepEqual(session.log, []);
  });

  it("cancels a start", async () => {
    const session = new Session({ ready: never });
    const code = session.run();
    await session.logged(1);
    session.system.send("SIGTERM");
    assert.deepEqual(await ended(session, code), {
      exitCode: 143,
      stdout: "",
      stderr: "subagent request was aborted before the ACP child started\n",
    });
  });

  it("cancels a run, disposes of it and shows what there is of the answer", async () => {
    const working = Promise.withResolvers<void>();
    const session = new Session({
      result: () => {
        working.resolve();
        return never();
      },
    });
    const code = session.run();
    await working.promise;
    session.system.send("SIGHUP");
    assert.deepEqual(await ended(session, code), {
      exitCode: 129,
      stdout: "",
      stderr: "subagent run was cancelled\nPartial output before the run ended:\nso far\n",
    });
    assert.equal(session.disposals, 1);
  });
});
