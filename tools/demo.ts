#!/usr/bin/env node
/**
 * `npm start`: a success and a failure with the bundled agent. Exits 0 when both come as announced, else 1.
 *
 * @module
 */

import process from "node:process";
import { demonstrate, SCENES } from "./demonstration.ts";

const asAnnounced = await demonstrate(SCENES, (text) => void process.stdout.write(text));
process.exitCode = asAnnounced ? 0 : 1;
