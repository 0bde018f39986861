/** Delegations one after the other, each in its own agent process: the baseline. */
import { caseOptions } from "./case_options.ts";
import { runCase } from "./meter.ts";
import { plainAcpAnswer } from "./plain_acp.ts";

const options = caseOptions();
await runCase(async () => {
  let right = 0;
  for (let round = 0; round < options.times; round++) {
    const prompt = `task ${round}`;
    if (await plainAcpAnswer(options, prompt) === prompt) right++;
  }
  return right;
});
