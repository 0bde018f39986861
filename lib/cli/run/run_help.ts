/**
 * What `subagent run --help` prints.
 *
 * @module
 */

/** `subagent run --help`. */
export const RUN_HELP: string = `Start an agent, give it one task, print the answer, end the agent.

Usage:
  subagent run [options] "task" -- command args…
  subagent run --provider spawn --model-url URL --model NAME [options] "task"

The task is one argument; "-" reads it from stdin. Behind "--" stands the command that starts the agent: any program
that speaks the Agent Client Protocol on stdin and stdout, or a DeepSeek Harness runtime. It runs in the directory of
--cwd, without the credentials of this environment (variables named *KEY*, *TOKEN*, *SECRET*, *PASSWORD* and DSH_*).
With --provider spawn there is no command: the agent runs in this process, without tools, on a model behind a server
that speaks OpenAI's chat completions.

Options:
  --provider acp|dsh-sdk|spawn
                             What the command speaks, or spawn. Default: acp.
  --permission allow|reject  Answer when the agent asks for permission. Default: reject. Only for acp.
  --cwd DIR                  Directory of the agent. Default: the current one.
  --env NAME[=VALUE]         Give the agent a variable: NAME passes that of this environment on, credential or not.
                             May be repeated.
  --timeout MS               Cancel the run after so many milliseconds. Default: no limit.
  --json                     Print one JSON object instead, whatever comes of the run:
                             { stopReason, output, structured?, diagnostic?, error?, elapsedMs }.
  --quiet                    Show no progress line. (There is one only on a terminal.)
  --agent-stderr             Let the agent's stderr through to stderr. Default: it is dropped.
  --model-url URL            Address of the model's API, such as http://127.0.0.1:11434/v1. This option and those below
                             are only for spawn, which has no use for --permission, --cwd, --env and --agent-stderr.
  --model NAME               Name of the model there.
  --model-key-env NAME       Variable that holds the API key. Default: SUBAGENT_MODEL_KEY, if it is set.
  --output-schema FILE       JSON Schema that the answer has to match; the answer is JSON then.
  -h, --help                 Print this text.

The answer goes to stdout and nothing else does. If there is none, stderr says why and holds what there was of it. On a
terminal, control characters of the agent are made visible; a pipe or a file gets its text as it is.

Exit codes:
  0    The answer was printed.
  1    There is no whole answer, it could not be written, or something of the agent is still running.
  2    The command line is wrong.
  129  SIGHUP stopped the run.
  130  Ctrl-C stopped the run. A second Ctrl-C does not wait for the agent to end.
  141  Who read stdout went away.
  143  SIGTERM stopped the run.
`;
