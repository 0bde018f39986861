/** What becomes of a start when somebody else's process host does not do as it should, over each provider. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferred } from "../../fakes/test_support/deferred.ts";
import {
  acpProvider,
  type AcpProviderConfig,
  dshSdkProvider,
  type ProcessHost,
  type SubagentProvider,
  TransportClosedError,
} from "../../mod.ts";
import { StartTimeoutError } from "../seam/opening.ts";
import { delegatorOf } from "./delegator_fixtures_test.ts";
import { lateHost, memoryHost } from "./memory_host_fixtures_test.ts";
import { SpawnPendingError } from "./owned_process.ts";

const graces = { disposeEofGraceMs: 30, disposeGraceMs: 30 } as const;
type Settings = Pick<AcpProviderConfig, "cwd" | "startTimeoutMs" | "disposeGraceMs">;

interface Row {
  readonly provider: string;
  make(settings: Settings, processHost: ProcessHost): SubagentProvider;
  /** The lines of a cancelled start, one that took too long, and one whose clean-up failed. */
  readonly aborted: string;
  readonly late: string;
  readonly cleanup: string;
  /** The lines of a spawn that threw an error of no class of ours, and a transport's. */
  readonly threw: string;
  readonly threwTransport: string;
  readonly configuration: string;
  readonly prefix: string;
}

const acp = (stage: string, category: string) =>
  `Subagent failure (provider: ACP; stage: ${stage}; category: ${category})`;
const dsh = (stage: string, category: string) =>
  `Subagent failure (provider: DSH SDK; stage: ${stage}; category: ${category})`;

const rows: readonly Row[] = [
  {
    provider: "acp",
    make: (settings, processHost) =>
      acpProvider({ command: "agent", ...graces, ...settings }, { processHost }),
    aborted: "subagent request was aborted before the ACP child started",
    late: acp("process", "transport"),
    cleanup: acp("teardown", "unknown"),
    threw: acp("process", "process-start"),
    threwTransport: acp("process", "process-start"),
    configuration: acp("initialize", "configuration"),
    prefix: "subagent-acp",
  },
  {
    provider: "dsh-sdk",
    make: (settings, processHost) =>
      dshSdkProvider({ command: "runtime", shutdownTimeoutMs: 30, ...graces, ...settings }, { processHost }),
    aborted: "subagent request was aborted before the SDK child started",
    late: dsh("initialize", "transport"),
    cleanup: dsh("shutdown", "unknown"),
    threw: dsh("initialize", "unknown"),
    threwTransport: dsh("initialize", "transport"),
    configuration: dsh("initialize", "configuration"),
    prefix: "subagent-dsh-sdk",
  },
];

for (const row of rows) {
  describe(`${row.provider} with a process host of somebody else's`, () => {
    const delegator = (processHost: ProcessHost, settings: Settings = {}) =>
      delegatorOf(row.make(settings, processHost), "/on/another/machine");

    const raw = new RangeError("raw canary");
    const closed = new TransportClosedError("raw canary");
    for (
      const [how, error, message, spawn] of [
        ["rejects", raw, row.threw, () => Promise.reject(raw)],
        ["throws at once", raw, row.threw, () => {
          throw raw;
        }],
        ["rejects with an error of a transport", closed, row.threwTransport, () => Promise.reject(closed)],
      ] as const
    ) {
      it(`a spawn() that ${how} is a start that failed, the original for the host alone`, async () => {
        const { start, hostFailures } = delegator({ spawn });
        await assert.rejects(start(), { name: "SubagentFailure", message });
        assert.deepEqual(hostFailures, [{ provider: row.provider, operation: "start", error }]);
      });
    }

    it("a cancelled start waits for a spawn() that is slow, and stops what it started", async () => {
      const memory = memoryHost(() => {});
      const permission = deferred();
      const controller = new AbortController();
      const { start, hostFailures } = delegator(lateHost(memory, permission.promise), {
        disposeGraceMs: 20_000,
      });
      const starting = start({ signal: controller.signal });
      controller.abort();
      permission.resolve();
      await assert.rejects(starting, { name: "SubagentAbortedError", message: row.aborted });
      assert.deepEqual(memory.children.map(({ stops }) => stops), [1]);
      assert.deepEqual(hostFailures.filter(({ operation }) => operation === "start"), []);
    });

    it("a cancelled start does not wait for ever for a spawn() that never settles", async () => {
      const controller = new AbortController();
      const { start, hostFailures } = delegator({ spawn: () => new Promise(() => {}) });
      const starting = start({ signal: controller.signal });
      controller.abort();
      await assert.rejects(starting, { name: "AggregateError", message: row.cleanup });
      assert.deepEqual(hostFailures.map(({ operation }) => operation), ["dispose"]);
      assert.ok(SpawnPendingError.is(hostFailures[0]?.error));
    });

    it("nor does one that timed out, and what is started afterwards is stopped unused", async () => {
      const memory = memoryHost(() => {});
      const permission = deferred();
      const { start, hostFailures } = delegator(lateHost(memory, permission.promise), { startTimeoutMs: 30 });
      await assert.rejects(start(), { name: "AggregateError", message: `${row.late}; ${row.cleanup}` });
      assert.deepEqual(hostFailures.map(({ operation }) => operation), ["start", "dispose"]);
      assert.ok(StartTimeoutError.is(hostFailures[0]?.error));
      assert.ok(SpawnPendingError.is(hostFailures[1]?.error));

      permission.resolve();
      await new Promise((resolve) => setTimeout(resolve)); // whatever follows takes promises only
      assert.deepEqual(memory.children.map(({ stops, received }) => ({ stops, received })), [
        { stops: 1, received: [] },
      ]);
      assert.equal(hostFailures.length, 2);
    });

    it("a relative configured directory is refused when the provider is made", () => {
      assert.throws(() => delegator({ spawn: () => assert.fail("spawned") }, { cwd: "work" }), {
        message: `${row.prefix}: config cwd must be an absolute path when a processHost is given`,
      });
    });

    it("a parent's relative directory is refused at the start", async () => {
      const { start } = delegator({ spawn: () => assert.fail("spawned") });
      await assert.rejects(start({ parent: { id: "parent", cwd: "work" } }), { message: row.configuration });
    });

    it("a directory of another machine is taken as it is", async () => {
      for (const settings of [{}, { cwd: "D:\\configured" }]) {
        const cwds: string[] = [];
        const spawn = ({ cwd }: { readonly cwd: string }) => {
          cwds.push(cwd);
          return Promise.reject(raw);
        };
        await assert.rejects(
          delegator({ spawn }, settings).start({ parent: { id: "parent", cwd: "C:\\parent" } }),
        );
        assert.deepEqual(cwds, [settings.cwd ?? "C:\\parent"]);
      }
    });
  });
}
