/**
 * What the tests of the protocols share: a client that knows none of them.
 *
 * @module
 */
import { type ModelServer, startModelServer } from "../model_server.ts";

/** One server-sent event as it came; data that is JSON is parsed. */
export type WireEvent = readonly [event: string | undefined, data: unknown];

/** Runs a test against a fresh server and closes it on every path. */
export async function withModelServer(test: (server: ModelServer) => Promise<void>): Promise<void> {
  const server = await startModelServer();
  try {
    await test(server);
  } finally {
    await server.close();
  }
}

/** Posts JSON and takes the response as it is. */
export async function post(server: ModelServer, path: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Posts JSON and reads the answer's JSON. */
export async function postForJson(server: ModelServer, path: string, body: unknown): Promise<unknown> {
  const response = await post(server, path, body);
  return await response.json();
}

/** Posts JSON and reads the answer's events. */
export async function postForEvents(server: ModelServer, path: string, body: unknown): Promise<WireEvent[]> {
  const response = await post(server, path, body);
  return (await response.text()).split("\n\n").filter((block) => block !== "").map(wireEvent);
}

function wireEvent(block: string): WireEvent {
  const { event, data = "" } = /^(?:event: (?<event>.*)\n)?data: (?<data>.*)$/.exec(block)?.groups ?? {};
  return [event, data.startsWith("{") ? JSON.parse(data) : data];
}
