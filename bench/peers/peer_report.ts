/**
 * The libraries side by side.
 *
 * @module
 */
import { median } from "../statistics.ts";
import { table } from "../table.ts";
import type { CellResult } from "./run_cell.ts";
import type { Scenario } from "./scenarios.ts";

/** One library's runs of a scenario. */
export interface PeerRuns {
  /** Name of the library. */
  readonly peer: string;
  /** Its runs. */
  readonly runs: readonly CellResult[];
}

/** The report of one scenario: a row for each library, and below what the libraries said. */
export function scenarioReport(
  { name, what, wanted }: Pick<Scenario, "name" | "what" | "wanted">,
  results: readonly PeerRuns[],
): string {
  const rows = [
    ["", "came back", "after s", "closing", "took s", "CPU s", "peak MB", "left"],
    ...results.map(row),
  ];
  const notes = results.flatMap(({ peer, runs }) => {
    const said = runs.map(({ report, fate }) => report === undefined ? fate : report.detail)
      .filter((text) => text !== undefined);
    return [...new Set(said)].map((text) => `  ${peer}: ${text}`);
  });
  return [`${name}: ${what} (wanted: ${wanted})`, "", table(rows).replace(/^/gm, "  "), ...notes].join("\n");
}

function row({ peer, runs }: PeerRuns): string[] {
  const reports = runs.map(({ report }) => report).filter((report) => report !== undefined);
  const figure = (values: readonly number[], digits: number) =>
    values.length === 0 ? "-" : median(values).toFixed(digits);
  return [
    peer,
    words(runs.map(({ report }) => report?.outcome ?? "crash")),
    figure(reports.map(({ seconds }) => seconds), 2),
    words(reports.map(({ closing }) => closing)),
    figure(reports.map(({ closeSeconds }) => closeSeconds), 2),
    figure(reports.map(({ processCpuSeconds }) => processCpuSeconds), 2),
    figure(reports.map(({ peakBytes }) => peakBytes / 1e6), 0),
    words(runs.map(({ left }) => String(left))),
  ];
}

/** Each different word once; mostly there is one. */
function words(all: readonly string[]): string {
  return all.length === 0 ? "-" : [...new Set(all)].join(" or ");
}
