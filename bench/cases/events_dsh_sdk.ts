/** Many events of a DeepSeek Harness runtime: the library. */
import { dshSdkProvider } from "../../mod.ts";
import { caseOptions } from "./case_options.ts";
import { libraryAnswer } from "./library_answer.ts";
import { runCase } from "./meter.ts";

const { command, args } = caseOptions();
await runCase(async () => (await libraryAnswer(dshSdkProvider({ command, args }), "go")).length);
