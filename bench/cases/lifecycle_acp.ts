/** Delegations one after the other, each in its own agent process: the library. */
import { acpProvider } from "../../mod.ts";
import { caseOptions } from "./case_options.ts";
import { libraryAnswer } from "./library_answer.ts";
import { runCase } from "./meter.ts";

const { command, args, times } = caseOptions();
const provider = acpProvider({ command, args });
await runCase(async () => {
  let right = 0;
  for (let round = 0; round < times; round++) {
    const prompt = `task ${round}`;
    if (await libraryAnswer(provider, prompt) === prompt) right++;
  }
  return right;
});
