#!/usr/bin/env node
/**
 * Drives real third-party agents through this library: `npm run test:agents`. See `--help`.
 *
 * @module
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { type ScenarioName, SCENARIOS } from "../../conformance/recipe.ts";
import { isRecipeName, loadRecipe, type RecipeName, RECIPES } from "../../conformance/recipe_index.ts";
import { cacheRoot } from "./package_cache.ts";
import { resultTable, type TrialResult } from "./result_table.ts";
import { installAgent, tryAgent } from "./try_agent.ts";

/** Two small agents of different makers and protocols that ask for permission and need a model. */
const CI_AGENTS: readonly RecipeName[] = ["claude-agent-acp-0.23", "codex-acp-0.16"];

const HELP = `Usage: npm run test:agents -- [--ci] [--scenario NAME]… [agent…]

Installs ACP agents from the npm registry into ${cacheRoot()} and delegates
scripted tasks to them, each in a fresh process, home and working directory, against a model server on
loopback. No key is needed. Fails when an outcome is not the expected one or a process is left behind.

  agents       ${RECIPES.join(", ")}
               (without names all of them)
  --ci         the two for continuous integration: ${CI_AGENTS.join(", ")}
  --scenario   only this one: ${SCENARIOS.join(", ")}

Needs Linux: elsewhere nothing tells whether a process was left behind.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ci: { type: "boolean", default: false },
    scenario: { type: "string", multiple: true, default: [] },
    help: { type: "boolean", default: false },
  },
});

const names = values.ci
  ? [...CI_AGENTS, ...positionals]
  : positionals.length > 0
  ? positionals
  : [...RECIPES];
const scenarios = values.scenario.length > 0 ? values.scenario : [...SCENARIOS];
const unknown = [
  ...names.filter((name) => !isRecipeName(name)),
  ...scenarios.filter((name) => !isScenarioName(name)),
];

if (values.help) process.stdout.write(HELP);
else if (unknown.length > 0) fail(2, `Unknown: ${unknown.join(", ")}\n\n${HELP}`);
else if (process.platform !== "linux") fail(2, `Cannot run on ${process.platform}\n\n${HELP}`);
else await run(names.filter(isRecipeName), scenarios.filter(isScenarioName));

async function run(names: readonly RecipeName[], scenarios: readonly ScenarioName[]): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const results: TrialResult[] = [];
  const here = `${process.platform}-${process.arch}`;
  for (const name of names) {
    const recipe = await loadRecipe(name);
    if (recipe.platforms !== undefined && !recipe.platforms.includes(here)) {
      print(`${name}: skipped, it exists for ${recipe.platforms.join(", ")} and this is ${here}`);
      continue;
    }
    const { agent, installMs } = await installAgent(recipe);
    print(installMs === undefined ? `${name}: from the cache` : `${name}: installed in ${installMs} ms`);
    for await (const result of tryAgent(agent, scenarios)) {
      results.push(result);
      print(resultLine(result));
    }
  }
  const failed = results.filter(({ differences }) => differences.length > 0);
  print(
    `\n${resultTable(results)}\n\nstop reason and ms; ~ known deviation of the agent, ! failed expectation`,
  );
  print(`${results.length - failed.length} passed, ${failed.length} failed`);
  if (results.length === 0) fail(1, "Nothing was tried");
  if (failed.length > 0) fail(1, failed.map(resultLine).join("\n"));
}

function resultLine({ agent, scenario, outcome, totalMs, differences }: TrialResult): string {
  const head = `${
    differences.length === 0 ? "ok  " : "FAIL"
  } ${agent}: ${scenario}: ${outcome}, ${totalMs} ms`;
  return [head, ...differences.map((difference) => `       ${difference}`)].join("\n");
}

function isScenarioName(name: string): name is ScenarioName {
  return (SCENARIOS as readonly string[]).includes(name);
}

function fail(exitCode: number, message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}
