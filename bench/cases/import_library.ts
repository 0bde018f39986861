/** Importing the library. */
import { acpProvider } from "../../mod.ts";
import { runCase } from "./meter.ts";

await runCase(() => Promise.resolve(typeof acpProvider === "function" ? 1 : 0));
