/**
 * As much of JSR as `deno publish` needs to believe that it published, on loopback.
 *
 * @module
 */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const ABSENT = { code: "packageVersionNotFound", message: "Absent" };
const DONE = { id: "task", status: "success" };

/** A running fake of JSR. */
export interface FakeRegistry extends AsyncDisposable {
  /** For the variable JSR_URL. */
  readonly url: string;
  /** The archives that were uploaded so far. */
  readonly uploads: readonly Uint8Array[];
}

/** Starts the fake on a free port of 127.0.0.1. */
export async function startFakeRegistry(): Promise<FakeRegistry> {
  const uploads: Uint8Array[] = [];
  const server = createServer((request, response) => {
    const isVersion = /\/versions\/[^/?]+/.test(request.url ?? "");
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method === "POST" && isVersion) uploads.push(concatenate(chunks));
      // A version that exists is not published again, so it must not; everything else is there and well.
      const status = request.method === "GET" && isVersion ? 404 : 200;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(status === 404 ? ABSENT : DONE));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    uploads,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
