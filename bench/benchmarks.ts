/**
 * The benchmarks, as data.
 *
 * @module
 */
import { scriptedAgent, scriptedRuntime } from "../fakes/launch.ts";
import type { Benchmark, BenchmarkCase } from "./benchmark.ts";

/** How many updates one turn streams. */
const UPDATES = 200_000;

/** Bytes of one update, its line end included. */
const UPDATE_BYTES = 206;

/** How many delegations one process makes, each with an agent of its own. */
const DELEGATIONS = 30;

/** How many children in this process a case makes: at once, or in so many batches. */
const CHILDREN = 1_000;
const BATCHES = 10;

const SENTENCE = "The quick brown fox jumps over the lazy dog and runs away. ";

/** The line of an update with this text, as the scripted agent writes it. */
export function updateLine(text: string): string {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  const params = { sessionId: "session-1", update };
  return `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params })}\n`;
}

/** Makes the text whose update is a line of so many bytes. */
export function textOfUpdate(bytes: number): string {
  return SENTENCE.repeat(Math.ceil(bytes / SENTENCE.length)).slice(0, bytes - updateLine("").length);
}

/** Makes all benchmarks. */
export function benchmarks(): readonly Benchmark[] {
  return [updates(), events(), lifecycle(), children(), imports()];
}

function updates(): Benchmark {
  const text = textOfUpdate(UPDATE_BYTES);
  const { command, args } = scriptedAgent({
    onPrompt: [{ do: "text", text, times: UPDATES }, { do: "stop" }],
  });
  const of = (name: string): BenchmarkCase => ({
    name,
    script: `updates_${name}`,
    options: { command, args },
    expected: UPDATES * text.length,
  });
  return {
    name: "updates",
    work: `${UPDATES} updates of ${UPDATE_BYTES} bytes in one turn of an ACP agent`,
    cases: [of("plain"), of("acp"), of("sdk")],
    comparisons: [
      { quantity: "CPU", of: "acp", against: "plain", atMost: 1.5 },
      { quantity: "CPU with start", of: "acp", against: "plain" },
      { quantity: "peak memory", of: "acp", against: "plain", atMost: 1.5 },
      { quantity: "CPU", of: "acp", against: "sdk", atMost: 0.25 },
      { quantity: "CPU with start", of: "acp", against: "sdk" },
      { quantity: "peak memory", of: "acp", against: "sdk" },
    ],
  };
}

function events(): Benchmark {
  const text = textOfUpdate(UPDATE_BYTES);
  const { command, args } = scriptedRuntime({
    onPrompt: [{ do: "accept" }, { do: "text", text, times: UPDATES }, { do: "end" }],
  });
  const of = (name: string): BenchmarkCase => ({
    name,
    script: `events_${name}`,
    options: { command, args },
    expected: UPDATES * text.length,
  });
  return {
    name: "events",
    work: `${UPDATES} events with the same text in one turn of a DeepSeek Harness runtime`,
    cases: [of("plain"), of("dsh_sdk")],
    comparisons: [
      { quantity: "CPU", of: "dsh_sdk", against: "plain", atMost: 1.5 },
      { quantity: "CPU with start", of: "dsh_sdk", against: "plain" },
      { quantity: "peak memory", of: "dsh_sdk", against: "plain", atMost: 1.5 },
    ],
  };
}

function lifecycle(): Benchmark {
  const { command, args } = scriptedAgent();
  const of = (name: string): BenchmarkCase => ({
    name,
    script: `lifecycle_${name}`,
    options: { command, args, times: DELEGATIONS },
    expected: DELEGATIONS,
  });
  return {
    name: "lifecycle",
    work: `${DELEGATIONS} times spawn, handshake, answer and disposal of an ACP agent`,
    roundsFactor: 2,
    cases: [of("plain"), of("acp")],
    comparisons: [{ quantity: "CPU with children", of: "acp", against: "plain", atMost: 1.15 }],
  };
}

function children(): Benchmark {
  // The same number of children in both cases: what it costs to warm up is the same, and CPU is cost a child.
  const of = (atOnce: number): BenchmarkCase => ({
    name: `${atOnce} at once`,
    script: "children",
    options: { atOnce, times: CHILDREN / atOnce },
    expected: CHILDREN,
  });
  const [few, many] = [of(CHILDREN / BATCHES), of(CHILDREN)];
  return {
    name: "children",
    work: `${CHILDREN} delegations to children in this process`,
    cases: [few, many],
    comparisons: [{ quantity: "CPU", of: many.name, against: few.name, atMost: 1.5 }],
  };
}

function imports(): Benchmark {
  const of = (name: string): BenchmarkCase => ({ name, script: `import_${name}`, options: {}, expected: 1 });
  return {
    name: "import",
    work: "a Node that imports one thing and ends",
    roundsFactor: 4,
    cases: [of("nothing"), of("zod"), of("library")],
    comparisons: [
      { quantity: "CPU with start", of: "library", against: "zod", atMost: 2 },
      { quantity: "CPU with start", of: "zod", against: "nothing" },
      { quantity: "peak memory", of: "library", against: "zod" },
    ],
  };
}
