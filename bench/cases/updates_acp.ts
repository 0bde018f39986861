/** Many updates of an ACP agent: the library. */
import { acpProvider } from "../../mod.ts";
import { caseOptions } from "./case_options.ts";
import { libraryAnswer } from "./library_answer.ts";
import { runCase } from "./meter.ts";

const { command, args } = caseOptions();
await runCase(async () => (await libraryAnswer(acpProvider({ command, args }), "go")).length);
