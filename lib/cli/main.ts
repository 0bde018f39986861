#!/usr/bin/env node
/**
 * The program `subagent`.
 *
 * @module
 */
import process from "node:process";
import { runCli } from "./cli.ts";
import { nodeCliSystem } from "./node_cli_system.ts";

// An explicit exit: stdin may still be open, and a process that could not be ended must not keep this one.
process.exit(await runCli(process.argv.slice(2), nodeCliSystem()));
