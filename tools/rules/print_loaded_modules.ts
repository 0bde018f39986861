/**
 * Imports the module named as argument and prints, as a JSON array, the URL of everything that was resolved on the
 * way: what really happens at import, seen from inside Node.
 *
 * @module
 */

import { register } from "node:module";
import { MessageChannel } from "node:worker_threads";
import { pathToFileURL } from "node:url";

/** Runs in Node's loader thread; stands before tsx in the chain, so it sees the specifiers of the sources. */
const HOOKS = `
  let port;
  export function initialize(data) { port = data.port; }
  export async function resolve(specifier, context, nextResolve) {
    const resolved = await nextResolve(specifier, context);
    port.postMessage(resolved.url);
    return resolved;
  }
`;

const LAST = "data:text/javascript,export {}";
const { port1, port2 } = new MessageChannel();
register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, {
  data: { port: port2 },
  transferList: [port2],
});
const urls = new Set<string>();
port1.on("message", (url: string) => urls.add(url));
await import(pathToFileURL(process.argv[2] ?? "").href);
// Messages of the loader thread arrive in turns of their own: those before this one's are all there when it is.
await import(LAST);
while (!urls.has(LAST)) await new Promise((resolve) => setImmediate(resolve));
urls.delete(LAST);
port1.close();
process.stdout.write(JSON.stringify([...urls].sort()));
