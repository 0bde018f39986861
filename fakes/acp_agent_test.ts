import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { atPointer, type Json, type JsonObject } from "./acp_agent/json.ts";
import type { AgentScript } from "./acp_agent/script.ts";
import { scriptedAgent } from "./launch.ts";
import { type RawClient, withAgent, withCommand } from "./test_support/raw_client.ts";
import { withFolder } from "./test_support/temp_folder.ts";

/** Text of all agent message chunks so far. */
function said(client: RawClient): string {
  return client.messages.map((message) => atPointer(message, "/params/update/content/text") ?? "").join("");
}

function code(response: JsonObject): Json | undefined {
  return atPointer(response as Json, "/error/code");
}

const INITIALIZE = { protocolVersion: 1, clientCapabilities: {} };
const NEW_SESSION = { cwd: "/", mcpServers: [] };

describe("the agent without a script", () => {
  it("echoes a prompt in two chunks and ends the turn", async () => {
    await withAgent({}, async (client) => {
      assert.deepEqual((await client.ask("hello there"))["result"], { stopReason: "end_turn" });
      const texts = client.messages.slice(2, -1).map((message) =>
        atPointer(message, "/params/update/content/text")
      );
      assert.deepEqual(texts, ["hello ", "there"]);
    });
  });

  it("runs without any argument, too", async () => {
    const { command, args } = scriptedAgent();
    assert.equal(args.at(-1), "{}");
    await withCommand({ command, args: args.slice(0, -1) }, async (client) => {
      assert.deepEqual((await client.ask("a"))["result"], { stopReason: "end_turn" });
    });
  });

  for (const asked of [1, 0, 65_535]) {
    it(`answers version 1 to a client that asks for ${asked}`, async () => {
      await withAgent({}, async (client) => {
        const response = await client.request("initialize", { protocolVersion: asked });
        assert.equal(atPointer(response as Json, "/result/protocolVersion"), 1);
      });
    });
  }

  it("gives each session another id and keeps their turns apart", async () => {
    await withAgent({}, async (client) => {
      const first = await client.open();
      const response = await client.request("session/new", NEW_SESSION);
      const second = String(atPointer(response as Json, "/result/sessionId"));
      assert.notEqual(first, second);
      await Promise.all(
        [client.prompt(first, "1"), client.prompt(second, "2")].map((id) => client.response(id)),
      );
      const owners = client.messages.slice(3).flatMap((message) => {
        const text = atPointer(message, "/params/update/content/text");
        return text === undefined ? [] : [[atPointer(message, "/params/sessionId"), text]];
      });
      assert.deepEqual(owners, [[first, "1"], [second, "2"]]);
    });
  });

  it("answers requests in the order in which they came, also when EOF follows at once", async () => {
    await withAgent({}, async (client) => {
      const ids = [
        client.sendRequest("initialize", INITIALIZE),
        client.sendRequest("session/new", NEW_SESSION),
      ];
      ids.push(client.prompt("session-1", "hi"));
      client.endInput();
      assert.deepEqual(await client.ending, { code: 0, signal: null });
      await client.until(() => client.stdoutEnded || undefined);
      assert.deepEqual(client.messages.flatMap((message) => atPointer(message, "/id") ?? []), ids);
    });
  });

  it("exits 0 at EOF in the middle of a turn", async () => {
    await withAgent({}, async (client) => {
      client.prompt(await client.open(), "hang");
      await client.call("session/update");
      client.endInput();
      assert.deepEqual(await client.ending, { code: 0, signal: null });
    });
  });

  it("reads CRLF, blank lines, text split inside a character, and a line of a mebibyte", async () => {
    await withAgent({}, async (client) => {
      const sessionId = await client.open();
      const prompt = (text: string) => {
        const params = { sessionId, prompt: [{ type: "text", text }] };
        return JSON.stringify({ jsonrpc: "2.0", id: text.length, method: "session/prompt", params });
      };
      const bytes = new TextEncoder().encode(`\r\n\n${prompt("é")}\r\n`);
      const cut = bytes.indexOf(0xc3) + 1;
      client.sendRaw(bytes.subarray(0, cut));
      await new Promise((fulfil) => setTimeout(fulfil, 30)); // so that the halves come apart
      client.sendRaw(bytes.subarray(cut));
      await client.response(1);
      assert.equal(said(client), "é");
      client.sendRaw(`${prompt("x".repeat(1_048_576))}\n`);
      await client.response(1_048_576);
    });
  });
});

describe("demonstration prompts", () => {
  for (
    const { word, text, answer } of [
      { word: "refuse", text: "", answer: { result: { stopReason: "refusal" } } },
      {
        word: "limit",
        text: "This answer stops in the mid",
        answer: { result: { stopReason: "max_tokens" } },
      },
      { word: " fail\n", text: "", answer: { error: { code: -32603, message: "Internal error" } } },
    ]
  ) {
    it(`${word.trim()} ends as it says`, async () => {
      await withAgent({}, async (client) => {
        const { result, error } = await client.ask(word);
        assert.deepEqual(result === undefined ? { error } : { result }, answer);
        assert.equal(said(client), text);
      });
    });
  }

  it("crash exits 3 in the middle of an answer", async () => {
    await withAgent({}, async (client) => {
      client.prompt(await client.open(), "crash");
      assert.deepEqual(await client.ending, { code: 3, signal: null });
      assert.equal(said(client), "This is as far as I");
    });
  });

  for (
    const { optionId, text } of [{ optionId: "allow", text: "May I? Allowed." }, {
      optionId: "reject",
      text: "May I? Not allowed.",
    }]
  ) {
    it(`ask says that the answer was ${optionId}`, async () => {
      await withAgent({}, async (client) => {
        const prompt = client.prompt(await client.open(), "ask");
        const { id = null } = await client.call("session/request_permission");
        client.send({ jsonrpc: "2.0", id, result: { outcome: { outcome: "selected", optionId } } });
        assert.deepEqual((await client.response(prompt))["result"], { stopReason: "end_turn" });
        assert.equal(said(client), text);
      });
    });
  }

  it("hang ends as cancelled on session/cancel", async () => {
    await withAgent({}, async (client) => {
      const sessionId = await client.open();
      const prompt = client.prompt(sessionId, "hang");
      await client.call("session/update");
      client.notify("session/cancel", { sessionId });
      assert.deepEqual((await client.response(prompt))["result"], { stopReason: "cancelled" });
    });
  });

  it("hang ends as -32800 on $/cancel_request for its id, and only for that", async () => {
    await withAgent({}, async (client) => {
      const sessionId = await client.open();
      const other = client.prompt(sessionId, "hang");
      const prompt = client.prompt(sessionId, "hang");
      client.notify("$/cancel_request", { requestId: prompt });
      assert.equal(code(await client.response(prompt)), -32800);
      assert.equal(client.messages.some((message) => atPointer(message, "/id") === other), false);
    });
  });

  it("ask ends as cancelled when the turn is cancelled before the answer", async () => {
    await withAgent({}, async (client) => {
      const sessionId = await client.open();
      const prompt = client.prompt(sessionId, "ask");
      const { id = null } = await client.call("session/request_permission");
      client.notify("session/cancel", { sessionId });
      assert.deepEqual((await client.response(prompt))["result"], { stopReason: "cancelled" });
      client.send({ jsonrpc: "2.0", id, result: { outcome: { outcome: "cancelled" } } });
      await client.response(client.prompt(sessionId, "next"));
      assert.equal(said(client), "May I? next");
    });
  });
});

describe("what a well-behaved agent refuses", () => {
  interface Refusal {
    readonly name: string;
    readonly method: string;
    readonly params: Json;
    readonly code: number;
    readonly unchecked?: AgentScript["unchecked"];
    readonly early?: boolean;
  }
  const block = { type: "text", text: "a" };
  const refusals: readonly Refusal[] = [
    {
      name: "a session before initialize",
      method: "session/new",
      params: NEW_SESSION,
      code: -32600,
      early: true,
      unchecked: ["initialize-first"],
    },
    {
      name: "a version that is no number",
      method: "initialize",
      params: { protocolVersion: "1" },
      code: -32602,
      unchecked: ["params"],
    },
    {
      name: "a version beyond 16 bits",
      method: "initialize",
      params: { protocolVersion: 65_536 },
      code: -32602,
      unchecked: ["params"],
    },
    {
      name: "a relative cwd",
      method: "session/new",
      params: { cwd: ".", mcpServers: [] },
      code: -32602,
      unchecked: ["params"],
    },
    {
      name: "a session without mcpServers",
      method: "session/new",
      params: { cwd: "/" },
      code: -32602,
      unchecked: ["params"],
    },
    {
      name: "a prompt that is no list",
      method: "session/prompt",
      params: { sessionId: "session-1", prompt: "a" },
      code: -32602,
      unchecked: ["params"],
    },
    {
      name: "a block that nobody knows",
      method: "session/prompt",
      params: { sessionId: "session-1", prompt: [block, { type: "smell" }] },
      code: -32602,
      unchecked: ["params"],
    },
    {
      name: "a prompt for an unknown session",
      method: "session/prompt",
      params: { sessionId: "nobody", prompt: [block] },
      code: -32002,
      unchecked: ["session"],
    },
    { name: "an unknown method", method: "foo/bar", params: {}, code: -32601 },
    { name: "an extension", method: "_x/y", params: {}, code: -32601 },
    {
      name: "session/load, which it does not claim",
      method: "session/load",
      params: { sessionId: "s" },
      code: -32601,
    },
  ];
  for (const { name, method, params, code: expected, unchecked, early = false } of refusals) {
    it(`${name} gets ${expected}`, async () => {
      await withAgent({}, async (client) => {
        if (!early) await client.open();
        assert.equal(code(await client.request(method, params)), expected);
      });
    });
    if (unchecked === undefined) continue;
    it(`${name} passes with ${unchecked.join()} unchecked`, async () => {
      await withAgent({ unchecked }, async (client) => {
        if (!early) await client.open();
        assert.notEqual((await client.request(method, params))["result"], undefined);
      });
    });
  }

  it("the refusal of an unknown session carries its id", async () => {
    await withAgent({}, async (client) => {
      await client.open();
      const { error } = await client.request("session/prompt", { sessionId: "nobody", prompt: [] });
      assert.deepEqual(error, { code: -32002, message: "Resource not found", data: { sessionId: "nobody" } });
    });
  });

  for (
    const { name, line, code: expected } of [
      { name: "a line that is not JSON", line: "junk", code: -32700 },
      { name: "a batch", line: '[{"jsonrpc":"2.0","id":5,"method":"initialize"}]', code: -32600 },
      { name: "a scalar", line: "42", code: -32600 },
      { name: "null", line: "null", code: -32600 },
      { name: "a message without version", line: '{"id":5,"method":"initialize"}', code: -32600 },
    ]
  ) {
    it(`${name} gets ${expected} with id null, and the agent goes on`, async () => {
      await withAgent({}, async (client) => {
        client.sendRaw(`${line}\n`);
        assert.equal(code(await client.response(null)), expected);
        await client.open();
      });
    });
  }

  it("notifications, blank lines and stray responses get no answer", async () => {
    await withAgent({}, async (client) => {
      client.notify("_unknown", {});
      client.notify("session/cancel", { sessionId: "nobody" });
      client.notify("$/cancel_request", { requestId: 5 });
      client.send({ jsonrpc: "2.0", id: 77, result: {} });
      client.sendRaw("\n\r\n");
      await client.open();
      assert.equal(client.lines.length, 2);
    });
  });

  it("a response keeps the type of the request's id", async () => {
    await withAgent({}, async (client) => {
      for (const id of ["é", "0", 0, 9007199254740991, null]) {
        client.send({ jsonrpc: "2.0", id, method: "initialize", params: INITIALIZE });
        assert.notEqual((await client.response(id))["result"], undefined);
      }
    });
  });
});

describe("handlers of a script", () => {
  it("onStart runs before anything is read", async () => {
    await withAgent(
      { onStart: [{ do: "line", text: "banner" }, { do: "sleep", ms: 50 }] },
      async (client) => {
        await client.request("initialize", INITIALIZE);
        assert.equal(client.lines[0], "banner");
      },
    );
  });

  it("onInitialize and onSessionNew answer as written", async () => {
    const script: AgentScript = {
      onInitialize: [{ do: "reply", result: { protocolVersion: 99 } }],
      onSessionNew: [{ do: "reply", result: { sessionId: 5, cwd: { $param: "/cwd" } } }],
    };
    await withAgent(script, async (client) => {
      assert.deepEqual((await client.request("initialize", INITIALIZE))["result"], { protocolVersion: 99 });
      assert.deepEqual((await client.request("session/new", NEW_SESSION))["result"], {
        sessionId: 5,
        cwd: "/",
      });
    });
  });

  it("an initialize that failed leaves the agent uninitialized", async () => {
    await withAgent(
      { onInitialize: [{ do: "reply", error: { code: 1, message: "no" } }] },
      async (client) => {
        await client.request("initialize", INITIALIZE);
        assert.equal(code(await client.request("session/new", NEW_SESSION)), -32600);
      },
    );
  });

  it("turns give the first call, the second and all others their own steps", async () => {
    const script: AgentScript = {
      onPrompt: { turns: [[{ do: "stop", reason: "refusal" }], [{ do: "stop", reason: "max_tokens" }]] },
    };
    await withAgent(script, async (client) => {
      const sessionId = await client.open();
      const reasons: (Json | undefined)[] = [];
      for (let call = 0; call < 3; call++) {
        const response = await client.response(client.prompt(sessionId, "go"));
        reasons.push(atPointer(response as Json, "/result/stopReason"));
      }
      assert.deepEqual(reasons, ["refusal", "max_tokens", "max_tokens"]);
    });
  });

  it("a handler without an answer leaves the request open", async () => {
    await withAgent({ onSessionNew: [], onPrompt: [] }, async (client) => {
      await client.request("initialize", INITIALIZE);
      const open = client.sendRequest("session/new", NEW_SESSION);
      await client.request("foo/bar", {});
      assert.equal(client.messages.some((message) => atPointer(message, "/id") === open), false);
    });
  });

  it("onMethod takes requests and notifications by name, onAnyRequest the other requests", async () => {
    const script: AgentScript = {
      onMethod: {
        "session/load": [{ do: "reply", result: {} }],
        "_note": [{ do: "notify", method: "_noted", params: { $param: "" } }],
      },
      onAnyRequest: [{ do: "reply", result: { any: { $requestId: true } } }],
    };
    await withAgent(script, async (client) => {
      await client.open();
      assert.deepEqual((await client.request("session/load", {}))["result"], {});
      client.notify("_note", { a: 1 });
      assert.deepEqual((await client.call("_noted"))["params"], { a: 1 });
      assert.deepEqual((await client.request("foo/bar", {}))["result"], { any: 3 });
    });
  });

  it("an empty onCancel ignores the cancel", async () => {
    await withAgent(
      { onCancel: [], onMethod: { _after: [{ do: "notify", method: "_ok" }] } },
      async (client) => {
        const sessionId = await client.open();
        const prompt = client.prompt(sessionId, "hang");
        client.notify("session/cancel", { sessionId });
        client.notify("_after", {});
        await client.call("_ok");
        assert.equal(client.messages.some((message) => atPointer(message, "/id") === prompt), false);
      },
    );
  });

  it("onNotJson and onNotMessage answer junk in another way, or die of it", async () => {
    const script: AgentScript = {
      onNotJson: [{ do: "send", message: { jsonrpc: "2.0", error: { code: -32700, message: "what" } } }],
      onNotMessage: [{ do: "exit", code: 1 }],
    };
    await withAgent(script, async (client) => {
      client.sendRaw("junk\n");
      await client.message((message) => atPointer(message as Json, "/error/message") === "what");
      client.sendRaw("42\n");
      assert.deepEqual(await client.ending, { code: 1, signal: null });
    });
  });

  it("placeholders show what the process was given", async () => {
    await withFolder(async (folder) => {
      const facts = [{ $cwd: true }, { $env: "FAKE_VARIABLE" }, { $pid: true }];
      await withAgent({ onPrompt: [{ do: "text", text: facts }, { do: "stop" }] }, async (client) => {
        await client.ask("go");
        assert.deepEqual(JSON.parse(said(client)), [folder, "vålue", client.pid]);
      }, { cwd: folder, env: { FAKE_VARIABLE: "vålue" } });
    });
  });
});

describe("the command line", () => {
  it("takes a script from a file", async () => {
    await withFolder(async (folder) => {
      const options = { scriptFile: join(folder, "script.json") };
      await withAgent({ onPrompt: [{ do: "stop", reason: "refusal" }] }, async (client) => {
        assert.deepEqual((await client.ask("go"))["result"], { stopReason: "refusal" });
      }, options);
    });
  });

  const { command, args } = scriptedAgent();
  for (
    const { name, argument, message } of [
      {
        name: "a script that is not JSON",
        argument: ["{"],
        message: /^acp_agent: cannot use the script: .*JSON/,
      },
      {
        name: "an unknown step",
        argument: ['{"onEof":[{"do":"fly"}]}'],
        message: /at onEof\[0\]\.do, got "fly"\n$/,
      },
      { name: "--file without a path", argument: ["--file"], message: /Expected a path behind --file\n$/ },
      {
        name: "a file that is not there",
        argument: ["--file", "/no/such/file"],
        message: /ENOENT|no such file/i,
      },
    ]
  ) {
    it(`${name} exits 2 and says why`, async () => {
      await withCommand({ command, args: [...args.slice(0, -1), ...argument] }, async (client) => {
        assert.deepEqual(await client.ending, { code: 2, signal: null });
        await client.until(() => client.stderrEnded || undefined);
        assert.match(client.stderr, message);
        assert.equal(client.bytes.length, 0);
      });
    });
  }

  it("a script file with a typo is refused by the agent as well as by the launcher", async () => {
    await withFolder(async (folder) => {
      const scriptFile = join(folder, "script.json");
      writeFileSync(scriptFile, '{"onpromt":[]}');
      await withCommand({ command, args: [...args.slice(0, -1), "--file", scriptFile] }, async (client) => {
        assert.deepEqual(await client.ending, { code: 2, signal: null });
      });
    });
  });
});
