import assert from "node:assert/strict";
import { win32 } from "node:path";
import { describe, it } from "node:test";
import { windowsCommand, type WindowsSearch } from "./windows_command.ts";

const NODE = "C:\\Program Files\\nodejs\\node.exe";
const NPM_SHIM = 'SET "_prog=node"\r\n"%_prog%"  "%~dp0\\node_modules\\agent\\cli.js" %*\r\n';

function search(
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
): WindowsSearch {
  const found = new Map(Object.entries(files).map(([path, text]) => [path.toLowerCase(), text]));
  return {
    cwd: "C:\\work",
    environment: {
      Path: 'C:\\npm;"C:\\Program Files\\nodejs";;C:\\tools',
      PathExt: ".COM;.EXE;.BAT;.CMD;.JS",
      ...environment,
    },
    files: {
      read: (path) => found.get(path.toLowerCase()),
      exists: (path) => found.has(path.toLowerCase()),
      resolve: (directory, path) => win32.resolve(directory, path),
    },
  };
}

function run(command: string, where: WindowsSearch): string {
  const { command: program, args } = windowsCommand({ command, args: ["acp", "a b"] }, where);
  return [program, ...args].join(" | ");
}

describe("windowsCommand()", () => {
  for (
    const [name, command, where, expected] of [
      [
        "finds a program on PATH, whatever the case of its name",
        "agent",
        search({ "C:\\tools\\agent.EXE": "" }),
        "C:\\tools\\agent.EXE | acp | a b",
      ],
      [
        "takes the first directory of PATH",
        "agent",
        search({ "C:\\tools\\agent.exe": "", "C:\\npm\\agent.exe": "" }),
        "C:\\npm\\agent.EXE | acp | a b",
      ],
      [
        "takes the first extension of PATHEXT",
        "agent",
        search({ "C:\\npm\\agent.cmd": NPM_SHIM, "C:\\npm\\agent.exe": "" }),
        "C:\\npm\\agent.EXE | acp | a b",
      ],
      [
        "knows the usual extensions without PATHEXT",
        "agent",
        search({ "C:\\npm\\agent.exe": "" }, { PathExt: "" }),
        "agent | acp | a b",
      ],
      [
        "finds a command with its extension",
        "agent.exe",
        search({ "C:\\tools\\agent.exe": "" }),
        "C:\\tools\\agent.exe | acp | a b",
      ],
      [
        "finds a relative path in the working directory",
        ".\\bin\\agent",
        search({ "C:\\work\\bin\\agent.exe": "" }),
        "C:\\work\\bin\\agent.EXE | acp | a b",
      ],
      [
        "finds an absolute path",
        "D:\\agent.exe",
        search({ "D:\\agent.exe": "" }),
        "D:\\agent.exe | acp | a b",
      ],
      [
        "does not look into the working directory for a bare name",
        "agent",
        search({ "C:\\work\\agent.exe": "" }),
        "agent | acp | a b",
      ],
      ["leaves a command that is not found to the system", "gone", search({}), "gone | acp | a b"],
      [
        "starts the script of a shim with the node on PATH (openclaw/acpx#191, aws/agentcore-cli#1849)",
        "agent",
        search({ "C:\\npm\\agent.cmd": NPM_SHIM, [NODE]: "" }),
        "C:\\Program Files\\nodejs\\node.EXE | C:\\npm\\node_modules\\agent\\cli.js | acp | a b",
      ],
      [
        "prefers the node beside the shim when it is there (agentclientprotocol/typescript-sdk#68)",
        "C:\\Program Files\\nodejs\\npx.cmd",
        search({
          "C:\\Program Files\\nodejs\\npx.cmd":
            '"%~dp0\\node.exe" "%~dp0\\node_modules\\npm\\bin\\npx-cli.js" %*',
          [NODE]: "",
        }),
        "C:\\Program Files\\nodejs\\node.exe | C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npx-cli.js | acp | a b",
      ],
      [
        "leaves node to the system when there is none on PATH",
        "agent",
        search({ "C:\\npm\\agent.cmd": NPM_SHIM }),
        "node | C:\\npm\\node_modules\\agent\\cli.js | acp | a b",
      ],
      [
        "starts the native program of a shim",
        "agent.cmd",
        search({ "C:\\npm\\agent.cmd": '"%~dp0\\node_modules\\agent\\agent.exe" %*' }),
        "C:\\npm\\node_modules\\agent\\agent.exe | acp | a b",
      ],
    ] as const
  ) {
    it(name, () => assert.equal(run(command, where), expected));
  }

  for (
    const [name, file, text] of [
      ["a batch file that is no shim", "agent.bat", "@echo off\r\necho hello\r\n"],
      ["a shim of a shell script", "agent.cmd", '"sh" "%~dp0\\run.sh" %*'],
      ["a PowerShell script", "agent.ps1", "Write-Output hello"],
      ["an empty shim", "agent.cmd", ""],
    ] as const
  ) {
    it(`refuses ${name} and says what to configure`, () => {
      assert.throws(() => run(file, search({ [`C:\\npm\\${file}`]: text })), {
        name: "ProcessStartError",
        fault: "needs-shell",
        message: /configure the program that it starts/,
      });
    });
  }
});
