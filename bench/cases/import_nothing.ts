/** What Node costs by itself. */
import { runCase } from "./meter.ts";

await runCase(() => Promise.resolve(1));
