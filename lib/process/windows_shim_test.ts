import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseShim } from "./windows_shim.ts";

/** Literal shims, as the tools wrote them. */
const SHIMS = {
  npm: String.raw`@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0

IF EXIST "%dp0%\node.exe" (
  SET "_prog=%dp0%\node.exe"
) ELSE (
  SET "_prog=node"
  SET PATHEXT=%PATHEXT:;.JS;=;%
)

endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\node_modules\@zed-industries\codex-acp\bin\codex-acp.js" %*
`,
  npmWithNodeFlags: String.raw`@ECHO off
SETLOCAL
IF EXIST "%dp0%\node.exe" (
  SET "_prog=%dp0%\node.exe"
) ELSE (
  SET "_prog=node"
)
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%" --no-warnings=DEP0040 --enable-source-maps "%dp0%\node_modules\agent\cli.js" %*
`,
  npmNative: String.raw`@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0
"%dp0%\node_modules\opencode-ai\bin\opencode.exe"   %*
`,
  npm6: String.raw`@IF EXIST "%~dp0\node.exe" (
  "%~dp0\node.exe"  "%~dp0\node_modules\gemini\cli.js" %*
) ELSE (
  @SETLOCAL
  @SET PATHEXT=%PATHEXT:;.JS;=;%
  node  "%~dp0\node_modules\gemini\cli.js" %*
)
`,
  pnpm: String.raw`@SETLOCAL
@IF NOT DEFINED NODE_PATH (
  @SET "NODE_PATH=C:\work\node_modules\.pnpm\node_modules"
) ELSE (
  @SET "NODE_PATH=C:\work\node_modules\.pnpm\node_modules;%NODE_PATH%"
)
@IF EXIST "%~dp0\node.exe" (
  "%~dp0\node.exe"  "%~dp0\..\agent\bin.js" %*
) ELSE (
  @SET PATHEXT=%PATHEXT:;.JS;=;%
  node  "%~dp0\..\agent\bin.js" %*
)
`,
  npx: String.raw`:: Created by npm, please don't edit manually.
@ECHO OFF

SETLOCAL

SET "NODE_EXE=%~dp0\node.exe"
IF NOT EXIST "%NODE_EXE%" (
  SET "NODE_EXE=node"
)

SET "NPM_PREFIX_JS=%~dp0\node_modules\npm\bin\npm-prefix.js"
SET "NPX_CLI_JS=%~dp0\node_modules\npm\bin\npx-cli.js"
FOR /F "delims=" %%F IN ('CALL "%NODE_EXE%" "%NPM_PREFIX_JS%"') DO (
  SET "NPM_PREFIX_NPX_CLI_JS=%%F\node_modules\npm\bin\npx-cli.js"
)
IF EXIST "%NPM_PREFIX_NPX_CLI_JS%" (
  SET "NPX_CLI_JS=%NPM_PREFIX_NPX_CLI_JS%"
)

"%NODE_EXE%" "%NPX_CLI_JS%" %*
`,
  shellScript: String.raw`@ECHO off
SETLOCAL
SET "_prog=sh"
endLocal & "%_prog%"  "%~dp0\node_modules\agent\run.sh" %*
`,
} as const;

const beside = (text: string) => ({ text, inDirectory: true });
const word = (text: string) => ({ text, inDirectory: false });

describe("parseShim()", () => {
  for (
    const [name, text, expected] of [
      ["npm", SHIMS.npm, [
        beside("node.exe"),
        beside("node_modules\\@zed-industries\\codex-acp\\bin\\codex-acp.js"),
      ]],
      [
        "npm with flags for node",
        SHIMS.npmWithNodeFlags,
        [
          beside("node.exe"),
          word("--no-warnings=DEP0040"),
          word("--enable-source-maps"),
          beside("node_modules\\agent\\cli.js"),
        ],
      ],
      ["npm for a native program", SHIMS.npmNative, [beside("node_modules\\opencode-ai\\bin\\opencode.exe")]],
      ["npm 6", SHIMS.npm6, [word("node"), beside("node_modules\\gemini\\cli.js")]],
      ["pnpm", SHIMS.pnpm, [word("node"), beside("..\\agent\\bin.js")]],
      ["npx as Node installs it", SHIMS.npx, [
        beside("node.exe"),
        beside("node_modules\\npm\\bin\\npx-cli.js"),
      ]],
      ["npm for a shell script", SHIMS.shellScript, [word("sh"), beside("node_modules\\agent\\run.sh")]],
      ["one with Windows line ends", SHIMS.npm6.replaceAll("\n", "\r\n"), [
        word("node"),
        beside("node_modules\\gemini\\cli.js"),
      ]],
      ["a batch file that is no shim", "@echo off\r\necho hello\r\n", undefined],
      [
        "a batch file with a variable that is set elsewhere",
        '"%JAVA_HOME%\\bin\\java.exe" -jar agent.jar %*',
        undefined,
      ],
      ["a batch file with a variable that names itself", 'SET "A=%A%x"\n"%A%" %*', undefined],
      ["an empty file", "", undefined],
    ] as const
  ) {
    it(`reads ${name}`, () => assert.deepEqual(parseShim(text), expected));
  }
});
