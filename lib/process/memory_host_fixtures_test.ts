/**
 * A process host without processes, for tests: its children are functions of this one. It holds no test itself, and
 * needs nothing of a runtime but its language.
 *
 * @module
 */
import type { ProcessExit, ProcessHandle, ProcessHost, ProcessSpec } from "./port.ts";

/** A message of a line, whatever the protocol. */
export type Message = Readonly<Record<string, unknown>>;

/** Plays a child: gets each message written to it, and says what it likes. */
export type Actor = (message: Message, say: (message: Message) => void) => void;

/** What became of one child. */
export interface MemoryChild {
  /** As it was asked for. */
  readonly spec: ProcessSpec;
  /** The messages written to it. */
  readonly received: Message[];
  /** How often it was told to stop. */
  stops: number;
}

/** A host and the children it had. */
export interface MemoryHost {
  /** The host. */
  readonly processHost: ProcessHost;
  /** Its children, oldest first. */
  readonly children: readonly MemoryChild[];
}

/** Makes a host whose children are played by an actor, and exit with 0 when they are stopped. */
export function memoryHost(actor: Actor): MemoryHost {
  const children: MemoryChild[] = [];
  const spawn = (spec: ProcessSpec): Promise<ProcessHandle> => {
    const child: MemoryChild = { spec, received: [], stops: 0 };
    children.push(child);
    const encoder = new TextEncoder();
    const say = (message: Message) =>
      spec.stdout.data(encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
    let end!: (exit: ProcessExit) => void;
    const exit = new Promise<ProcessExit>((resolve) => end = resolve);
    return Promise.resolve({
      pid: undefined,
      exit,
      write(data) {
        const message = JSON.parse(data) as Message;
        child.received.push(message);
        actor(message, say);
        return Promise.resolve();
      },
      stop() {
        if (child.stops++ === 0) spec.stdout.end();
        end({ exitCode: 0, signal: null });
        return Promise.resolve();
      },
    });
  };
  return { processHost: { spawn }, children };
}

/** Makes a host that starts its children, and says so, only once it may. */
export function lateHost({ processHost }: MemoryHost, permission: Promise<void>): ProcessHost {
  return {
    async spawn(spec) {
      await permission;
      return await processHost.spawn(spec);
    },
  };
}
