/**
 * From one session event to what it means for a run. Every check of an event is here, so that nothing unchecked is
 * ever looked at further in.
 *
 * @module
 */
import type { ContentBlock } from "../seam/content.ts";
import { isRecord } from "../seam/kind_of.ts";
import type { SdkProtocolFault } from "./errors.ts";
import { EVENT_TYPES } from "./protocol.ts";

/** What a session event means for a run. */
export type Observation =
  | {
    /** Messages entered or left the queue of prompts. */
    readonly kind: "queued";
    /** Ids of those that entered. */
    readonly messageIds: readonly string[];
  }
  | {
    /** The assistant goes on talking. */
    readonly kind: "text";
    /** The next piece. */
    readonly text: string;
  }
  | {
    /** The assistant committed a message. */
    readonly kind: "message";
    /** Its blocks, perhaps none. */
    readonly content: readonly ContentBlock[];
  }
  | {
    /** A turn ended. */
    readonly kind: "turn-end";
    /** Why, as the runtime put it. */
    readonly reason: unknown;
  }
  | {
    /** The event is not what the protocol says. */
    readonly kind: "malformed";
    /** What is wrong with it. */
    readonly fault: SdkProtocolFault;
    /** What the runtime sent. */
    readonly payload: unknown;
  };

/** Causes of an `aborted` turn that need nothing beside their kind. */
const PLAIN_ABORT_CAUSES: readonly unknown[] = ["user", "parent", "disposed", "legacy"];

/** Reads one event of the run's own session; undefined when it means nothing for the run. Never throws. */
export function readEvent(event: unknown): Observation | undefined {
  if (!isRecord(event) || typeof event["type"] !== "string") return malformed("no-event-envelope", event);
  const data = isRecord(event["data"]) ? event["data"] : {};
  switch (event["type"]) {
    case EVENT_TYPES.assistantChunk:
      return readChunk(data["chunk"]);
    case EVENT_TYPES.assistantMessage:
      return readMessage(data, event);
    case EVENT_TYPES.inboxSpliced:
      return { kind: "queued", messageIds: idsOf(data["inserted"]) };
    case EVENT_TYPES.turnEnd:
      return isTurnEndReason(data["reason"])
        ? { kind: "turn-end", reason: data["reason"] }
        : malformed("malformed-turn-end", event);
    default:
      return undefined;
  }
}

function readChunk(chunk: unknown): Observation | undefined {
  if (!isRecord(chunk) || chunk["type"] !== "text-delta" || typeof chunk["text"] !== "string") {
    return undefined;
  }
  return { kind: "text", text: chunk["text"] };
}

function readMessage(data: Readonly<Record<string, unknown>>, event: unknown): Observation {
  // Older runtimes put the content into the event's data itself.
  const message = data["message"] === undefined ? data : data["message"];
  const content = isRecord(message) ? message["content"] : undefined;
  return Array.isArray(content) && content.every(isContentBlock)
    ? { kind: "message", content }
    : malformed("malformed-assistant-content", event);
}

function isContentBlock(block: unknown): block is ContentBlock {
  return isRecord(block) && typeof block["type"] === "string";
}

function idsOf(inserted: unknown): string[] {
  if (!Array.isArray(inserted)) return [];
  return inserted.flatMap((message: unknown) =>
    isRecord(message) && typeof message["id"] === "string" ? [message["id"]] : []
  );
}

function isTurnEndReason(reason: unknown): boolean {
  if (!isRecord(reason) || typeof reason["kind"] !== "string") return false;
  if (reason["kind"] !== "aborted") return true;
  const cause = reason["reason"];
  // Older runtimes gave no cause, or free text.
  if (cause === undefined || typeof cause === "string") return true;
  if (!isRecord(cause)) return false;
  return PLAIN_ABORT_CAUSES.includes(cause["kind"]) ||
    (cause["kind"] === "hook" && typeof cause["reason"] === "string");
}

function malformed(fault: SdkProtocolFault, payload: unknown): Observation {
  return { kind: "malformed", fault, payload };
}
