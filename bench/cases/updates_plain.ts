/** Many updates of an ACP agent: the baseline. */
import { caseOptions } from "./case_options.ts";
import { runCase } from "./meter.ts";
import { plainAcpAnswer } from "./plain_acp.ts";

await runCase(async () => (await plainAcpAnswer(caseOptions(), "go")).length);
