/**
 * The official SDK's client, connected to an agent process: a peer that reads the wire with somebody else's code.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import {
  client,
  type ClientContext,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { AgentCommand } from "../launch.ts";

/** What the client does when it is asked or told something. */
export interface SdkClientOptions {
  /** Answers a permission request. @default picks the first option */
  readonly onPermission?: (request: RequestPermissionRequest) => RequestPermissionResponse;
  /** Sees each update. */
  readonly onUpdate?: (update: SessionUpdate, sessionId: string) => void;
}

/** Runs a test body as the official client of a fresh agent process, and ends the process whatever happens. */
export async function withSdkClient(
  { command, args }: AgentCommand,
  body: (agent: ClientContext) => Promise<void>,
  { onPermission = firstOption, onUpdate = () => {} }: SdkClientOptions = {},
): Promise<void> {
  const child = spawn(command, [...args], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((fulfil) => child.on("exit", fulfil));
  // Node's and the DOM's stream types describe the same objects, but do not fit each other.
  type Streams = Parameters<typeof ndJsonStream>;
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as unknown as Streams[0],
    Readable.toWeb(child.stdout) as unknown as Streams[1],
  );
  // The update handler comes first: the SDK delays an update by one turn for each handler in front of its own.
  const app = client({ name: "test" })
    .onNotification(methods.client.session.update, ({ params }) => onUpdate(params.update, params.sessionId))
    .onRequest(methods.client.session.requestPermission, ({ params }) => onPermission(params));
  try {
    await app.connectWith(stream, body);
  } finally {
    child.stdin.end();
    await ended;
  }
}

function firstOption({ options }: RequestPermissionRequest): RequestPermissionResponse {
  return { outcome: { outcome: "selected", optionId: options[0]?.optionId ?? "" } };
}
