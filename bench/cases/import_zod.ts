/** Importing zod alone: the baseline. */
import { z } from "zod";
import { runCase } from "./meter.ts";

await runCase(() => Promise.resolve(typeof z.object === "function" ? 1 : 0));
