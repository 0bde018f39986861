#!/usr/bin/env node
/**
 * Publishes to a fake of JSR on loopback and looks into what was uploaded. `deno publish --dry-run` is not enough: it
 * once called an upload good whose import led into this machine's `node_modules`.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { packageBin } from "./package_bin.ts";
import { startFakeRegistry } from "./packaging/fake_registry.ts";
import { readTar } from "./packaging/read_tar.ts";
import { strayFileViolations, uploadViolations } from "./packaging/upload_rules.ts";
import { runProcess } from "./run_process.ts";
import { PROJECT_ROOT } from "./source/project_files.ts";

const { command, args } = packageBin("deno");
const publish = ["publish", "--allow-dirty", "--no-provenance", "--token", "none"];
await using registry = await startFakeRegistry();
const result = await runProcess(command, [...args, ...publish], {
  cwd: PROJECT_ROOT,
  env: { ...process.env, JSR_URL: registry.url, NO_COLOR: "1" },
});
const [upload] = registry.uploads;
if (result.exitCode !== 0 || upload === undefined) {
  process.stderr.write(`${result.output}\nCannot publish to the fake registry\n`);
  process.exitCode = 1;
} else {
  const files = new Map([...readTar(upload)].map(([path, text]) => [path.replace(/^\.?\//, ""), text]));
  const { publish: { include } } = JSON.parse(readFileSync(`${PROJECT_ROOT}deno.json`, "utf8"));
  const violations = [...uploadViolations(files), ...strayFileViolations(files.keys(), include)];
  if (!files.has("mod.ts")) violations.push("The upload has no mod.ts");
  process.stdout.write(`${[...violations, `${files.size} files, ${upload.length} bytes`].join("\n")}\n`);
  if (violations.length > 0) process.exitCode = 1;
}
