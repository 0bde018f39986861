/**
 * Answers HTTP requests as the scripted model. One object is one server's memory: the journal, the failures counted so
 * far and the last id.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonSchemaObject } from "./conversation.ts";
import type { JournalEntry } from "./journal.ts";
import { type Plan, plan } from "./plan.ts";
import type { Protocol } from "./protocol.ts";
import { replyJson, replyStream, replyWhole } from "./reply.ts";
import { BodyError, readJsonBody } from "./request_body.ts";
import { routeOf } from "./route.ts";

/** The scripted model behind HTTP. */
export class ScriptedModel {
  /** What happened so far, oldest first. */
  readonly journal: JournalEntry[] = [];
  readonly #failures = new Map<string, number>();
  #requests = 0;
  #ids = 0;

  /** Forgets the journal and the counted failures. Ids go on, so that they stay unique. */
  reset(): void {
    this.journal.length = 0;
    this.#failures.clear();
  }

  /** Answers one request. Never rejects: whatever is wrong with a request becomes its answer. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET" } = request;
    // A client that takes us for a proxy writes the whole address in the request line.
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const route = routeOf(method, url.pathname);
    try {
      switch (route.kind) {
        case "model":
          return await this.#answerModel(route.protocol, await readJsonBody(request), url, response);
        case "journal":
          return replyJson(response, 200, this.journal);
        case "reset":
          this.reset();
          return replyJson(response, 200, {});
        case "fixed":
          this.#note(method, url, 200);
          return replyJson(response, 200, route.body);
        case "unknown":
          this.#note(method, url, 404);
          return replyJson(response, 404, { error: { message: `Nothing at ${method} ${url.pathname}` } });
      }
    } catch (error) {
      if (request.destroyed && !request.complete) return;
      const status = error instanceof BodyError ? error.status : 500;
      const message = error instanceof Error ? error.message : String(error);
      this.#note(method, url, status);
      replyJson(
        response,
        status,
        route.kind === "model" ? route.protocol.error(status, message) : { error: { message } },
      );
    }
  }

  async #answerModel(
    protocol: Protocol,
    body: JsonSchemaObject,
    url: URL,
    response: ServerResponse,
  ): Promise<void> {
    const request = protocol.read(body, url);
    const planned = plan(request, this.#failures);
    const id = ++this.#requests;
    this.journal.push({ kind: "model-request", id, protocol: protocol.name, request, plan: planned });
    response.once("close", () => {
      this.journal.push({ kind: "model-request-closed", id, complete: response.writableFinished });
    });
    if (planned.kind === "hang") return;
    if (planned.kind === "http-error") return this.#fail(protocol, planned, response);
    const context = { model: request.model, newId: (prefix: string) => `${prefix}${++this.#ids}` };
    const { answer } = planned;
    if (request.stream) return await replyStream(response, protocol.stream(answer, context), planned);
    const pieces = answer.kind === "text" ? answer.pieces.length : 0;
    await replyWhole(response, protocol.whole(answer, context), pieces, planned);
  }

  #fail(protocol: Protocol, { line, status }: Plan & { kind: "http-error" }, response: ServerResponse): void {
    this.#failures.set(line, (this.#failures.get(line) ?? 0) + 1);
    const headers: Record<string, string> = status === 429 ? { "retry-after": "1" } : {};
    replyJson(response, status, protocol.error(status, `Scripted error ${status}`), headers);
  }

  #note(method: string, { pathname: path }: URL, status: number): void {
    this.journal.push({ kind: "other-request", method, path, status });
  }
}
