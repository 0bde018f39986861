/**
 * A process host whose children cannot be ended for sure, for tests of what is told then. It holds no test itself.
 *
 * @module
 */
import { nodeProcessHost } from "./node_process_host.ts";
import type { ProcessHost } from "./port.ts";

/** What is different about a stubborn host. */
export interface StubbornHostOptions {
  /** Whether nobody hears of an exit. @default {false} */
  readonly hideExit?: boolean;
}

/** Makes a host that ends its children and says that it could not. */
export function stubbornHost({ hideExit = false }: StubbornHostOptions = {}): ProcessHost {
  const host = nodeProcessHost();
  return {
    async spawn(spec) {
      const handle = await host.spawn(spec);
      return {
        pid: handle.pid,
        exit: hideExit ? new Promise(() => {}) : handle.exit,
        write: (data) => handle.write(data),
        stop: async (options) => {
          await handle.stop(options);
          throw new Error("raw leftover canary");
        },
      };
    },
  };
}
