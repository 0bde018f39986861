import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferred } from "../../fakes/test_support/deferred.ts";
import { timersOf } from "../../fakes/test_support/leaks.ts";
import { OwnedProcess, SpawnPendingError } from "./owned_process.ts";
import type { ProcessExit, ProcessHandle, ProcessHost, ProcessSpec, StopOptions } from "./port.ts";

const spec = { command: "agent", args: ["-x"], cwd: "/srv", env: { A: "1" }, stderr: "ignore" } as const;
const graces: StopOptions = { eofGraceMs: 20, killGraceMs: 30 };

/** A process that does what its test says, and what happened to it, in order. */
function rig(spawn?: (handle: ProcessHandle) => Promise<ProcessHandle>) {
  const log: unknown[] = [];
  const exit = deferred<ProcessExit>();
  const handle: ProcessHandle = {
    pid: undefined,
    exit: exit.promise,
    write: (data) => {
      log.push(["write", data]);
      return Promise.resolve();
    },
    stop: (options) => {
      log.push(["stop", options]);
      return Promise.resolve();
    },
  };
  const specs: ProcessSpec[] = [];
  const host: ProcessHost = {
    spawn: (asked) => {
      specs.push(asked);
      return spawn === undefined ? Promise.resolve(handle) : spawn(handle);
    },
  };
  const output = { data: () => log.push("data"), end: () => log.push("end") };
  return { log, exit, handle, specs, owned: new OwnedProcess({ host, output, graces }) };
}

describe("OwnedProcess", () => {
  it("starts what it is told to, and passes output and input on", async () => {
    const { owned, specs, log } = rig();
    assert.equal(owned.started, false);
    await owned.start(spec);
    assert.equal(owned.started, true);
    const { stdout, ...asked } = specs[0]!;
    assert.deepEqual(asked, spec);
    stdout.data(new Uint8Array(1));
    await owned.write("line\n");
    assert.deepEqual(log, ["data", ["write", "line\n"]]);
  });

  it("rejects a start with what the host throws, and has nothing to stop then", async () => {
    const error = new RangeError("raw");
    for (
      const spawn of [() => Promise.reject(error), () => {
        throw error;
      }]
    ) {
      const { owned, log } = rig(spawn);
      await assert.rejects(owned.start(spec), error);
      assert.equal(owned.started, false);
      await owned.stop(() => assert.fail("a farewell to nobody"));
      assert.deepEqual(log, []);
    }
  });

  it("takes a handle that a host gives without a promise", async () => {
    const { owned, log } = rig((handle) => handle as unknown as Promise<ProcessHandle>);
    await owned.start(spec);
    await owned.stop();
    assert.deepEqual(log, [["stop", graces]]);
  });

  it("knows the exit once there is one, and ends the output behind it though the pipe stays open", async () => {
    const { owned, exit, log } = rig();
    await owned.start(spec);
    assert.equal(owned.exit, undefined);
    const observed = owned.observeExit();
    exit.resolve({ exitCode: 7, signal: null });
    assert.deepEqual(await observed, { exitCode: 7, signal: null });
    assert.deepEqual(owned.exit, { exitCode: 7, signal: null });
    assert.deepEqual(await owned.observeExit(), { exitCode: 7, signal: null });
    while (log.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(log, ["end"]);
  });

  it("observes an exit no longer than killGraceMs, and none of a process that was never started", async () => {
    const { owned } = rig();
    assert.equal(await owned.observeExit(), undefined);
    await owned.start(spec);
    assert.equal(await owned.observeExit(), undefined);
  });

  it("stop() before any start has nothing to do", async () => {
    const { owned, log } = rig();
    await owned.stop();
    assert.deepEqual(log, []);
  });

  it("stop() says farewell and then stops, once however often it is called", async () => {
    const { owned, log } = rig();
    await owned.start(spec);
    const farewell = () => {
      log.push("farewell");
      return Promise.resolve();
    };
    const stopped = owned.stop(farewell);
    assert.equal(owned.stop(farewell), stopped, "one shared promise");
    await stopped;
    await owned.stop();
    assert.deepEqual(log, ["farewell", ["stop", graces]]);
  });

  it("stop() rejects with what the handle's stop() throws", async () => {
    const error = new RangeError("raw");
    const { owned } = rig((handle) => Promise.resolve({ ...handle, stop: () => Promise.reject(error) }));
    await owned.start(spec);
    await assert.rejects(owned.stop(), error);
  });

  it("stop() waits for a start under way and leaves no timer", async () => {
    const spawned = deferred<ProcessHandle>();
    const { owned, handle, log } = rig(() => spawned.promise);
    const timers = await timersOf(graces.killGraceMs, async () => {
      const starting = owned.start(spec);
      const stopped = owned.stop();
      spawned.resolve(handle);
      await Promise.all([starting, stopped]);
    });
    assert.deepEqual(log, [["stop", graces]]);
    assert.deepEqual(timers, { set: 1, left: 0 });
  });

  describe("with a host that does not say whether it started the process", () => {
    const pending = async (
      afterwards: (spawned: ReturnType<typeof deferred<ProcessHandle>>, handle: ProcessHandle) => void,
    ) => {
      const spawned = deferred<ProcessHandle>();
      const parts = rig(() => spawned.promise);
      const starting = parts.owned.start(spec).catch(() => {});
      await assert.rejects(parts.owned.stop(() => assert.fail("a farewell to nobody")), (error: Error) => {
        assert.ok(SpawnPendingError.is(error));
        assert.equal(error.waitedMs, graces.killGraceMs);
        return true;
      });
      assert.deepEqual(parts.log, []);
      afterwards(spawned, parts.handle);
      await starting;
      await new Promise((resolve) => setTimeout(resolve)); // whatever would be unhandled is by now
      return parts;
    };

    it("stop() rejects after killGraceMs, and stops what is started later", async () => {
      const { log, owned } = await pending((spawned, handle) => spawned.resolve(handle));
      assert.deepEqual(log, [["stop", graces]]);
      await assert.rejects(owned.stop(), SpawnPendingError.is);
    });

    it("a late process that cannot be stopped disturbs nobody", async () => {
      const stop = () => Promise.reject(new RangeError("raw"));
      await pending((spawned, handle) => spawned.resolve({ ...handle, stop }));
    });

    it("a late failure to start disturbs nobody", async () => {
      const { log } = await pending((spawned) => spawned.reject(new RangeError("raw")));
      assert.deepEqual(log, []);
    });
  });
});

describe("SpawnPendingError", () => {
  it("says how long the host was waited for", () => {
    const error = new SpawnPendingError(3000);
    assert.equal(
      `${error}`,
      "SpawnPendingError: The process host did not say within 3000 ms whether it started the child that was given up; if it does start it, it is told to stop it",
    );
    assert.equal(error.code, "SPAWN_PENDING");
  });

  it("is() knows one of another copy of the library, and nothing else", () => {
    const brand = { [Symbol.for("@subagent/seam.SpawnPendingError")]: true };
    assert.deepEqual(
      [new SpawnPendingError(1), brand, new Error("x"), null].map((value) => SpawnPendingError.is(value)),
      [true, true, false, false],
    );
  });
});
