#!/usr/bin/env node
/**
 * The nearest alternatives doing the same work against the same scripted agent: `npm run bench:peers`. Linux only.
 *
 * @module
 */
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { installedNode } from "../../tools/installed_node.ts";
import { cacheRoot, installPackages } from "../../tools/real_agents/package_cache.ts";
import { PROJECT_ROOT } from "../../tools/source/project_files.ts";
import { buildScripts } from "../build_scripts.ts";
import { type PeerRuns, scenarioReport } from "./peer_report.ts";
import { NODE_MAJOR, type Peer, PEERS } from "./peers.ts";
import { type CellResult, runCell } from "./run_cell.ts";
import { type Scenario, SCENARIOS } from "./scenarios.ts";

const peerNames = PEERS.map(({ name }) => name);
const scenarioNames = SCENARIOS.map(({ name }) => name);

const HELP = `Usage: npm run bench:peers -- [options]

  --peer NAME      one library: ${peerNames.join(", ")}; may be given several times
  --only NAME      one scenario: ${scenarioNames.join(", ")}; may be given several times
  --json FILE      also writes every measurement to a file

Installs the libraries from the npm registry into a cache folder the first time, and Node ${NODE_MAJOR} if this one is older.
`;

const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    peer: { type: "string", multiple: true, default: peerNames },
    only: { type: "string", multiple: true, default: scenarioNames },
    json: { type: "string" },
  },
});
const wrong = values.peer.find((name) => !peerNames.includes(name)) ??
  values.only.find((name) => !scenarioNames.includes(name));

if (values.help) process.stdout.write(HELP);
else if (wrong !== undefined || process.platform !== "linux") {
  process.stderr.write(
    wrong === undefined
      ? `The comparison looks for processes in /proc: it runs on Linux, not on ${process.platform}\n`
      : `There is neither a library nor a scenario "${wrong}"; see --help\n`,
  );
  process.exitCode = 2;
} else await main();

async function main(): Promise<void> {
  const isNew = Number.parseInt(process.versions.node) >= NODE_MAJOR;
  const node = isNew ? { path: process.execPath, version: process.version } : await installedNode(NODE_MAJOR);
  const peers = PEERS.filter(({ name }) => values.peer.includes(name));
  const folders = new Map<string, string>();
  for (const peer of peers) folders.set(peer.name, await packagesOf(peer));
  process.stdout.write(`Node ${node.version}\n`);
  for (const { name, install } of peers) {
    process.stdout.write(`${name}: ${install.length === 0 ? "this library" : install.join(", ")}\n`);
  }
  const scripts = await buildScripts();
  const results: unknown[] = [];
  try {
    for (const scenario of SCENARIOS.filter(({ name }) => values.only.includes(name))) {
      const runs = await runScenario(scenario, peers, (peer) =>
        runCell({
          scenario,
          driver: scripts.path(`peers/drivers/${peer.driver}`),
          packages: folders.get(peer.name) ?? "",
          node: node.path,
        }));
      process.stdout.write(`\n${scenarioReport(scenario, runs)}\n`);
      results.push({ scenario: scenario.name, what: scenario.what, runs });
    }
  } finally {
    await scripts.remove();
  }
  if (values.json !== undefined) {
    const report = { date: new Date().toISOString(), node: node.version, peers, results };
    await writeFile(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
  }
}

/** Runs the libraries in turn, round after round. */
async function runScenario(
  { rounds }: Scenario,
  peers: readonly Peer[],
  run: (peer: Peer) => Promise<CellResult>,
): Promise<PeerRuns[]> {
  const results = peers.map(({ name }) => ({ peer: name, runs: [] as CellResult[] }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, peer] of peers.entries()) results[index]?.runs.push(await run(peer));
  }
  return results;
}

/** Installs what a library needs; libraries of the same package share a folder. */
async function packagesOf({ install }: Peer): Promise<string> {
  const [first] = install;
  if (first === undefined) return PROJECT_ROOT;
  const name = first.replace(/^@[^/]+\//, "").replace(/@.*$/, "");
  return (await installPackages({ name, install }, join(dirname(cacheRoot()), "peers"))).folder;
}
