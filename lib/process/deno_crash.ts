/**
 * The end of a Deno process that its `exit` event does not report.
 *
 * @module
 */

/** What of the global scope is needed. */
export interface ErrorScope {
  /** There under Deno only. */
  readonly Deno?: unknown;
  /** Emits what Deno has taken over from Node. */
  readonly process: Pick<NodeJS.Process, "listenerCount" | "off" | "on">;
  addEventListener?(type: "error", listener: (event: { readonly defaultPrevented: boolean }) => void): void;
  removeEventListener?(
    type: "error",
    listener: (event: { readonly defaultPrevented: boolean }) => void,
  ): void;
}

/**
 * Calls a listener when an error that nobody handles is about to end this process under Deno, until the returned
 * function is called. Does nothing on other runtimes.
 *
 * Node and Bun emit `exit` for such an error. Deno 2.9 does so for `process.exit()` alone. A listener of the `error`
 * event that was added later and prevents its default is not foreseen: the host then goes on without its children.
 */
export function onDenoCrash(listener: () => void, scope: ErrorScope = globalThis): () => void {
  if (scope.Deno === undefined) return () => {};
  const { process } = scope;

  const isHandled = (): boolean => process.listenerCount("uncaughtException") > 0;
  const onError = (event: { readonly defaultPrevented: boolean }): void => {
    if (!event.defaultPrevented && !isHandled()) listener();
  };
  // Of a thrown error the monitor hears before those who may still prevent its effect, of a rejection after them.
  const onUncaught = (_error: unknown, origin: string): void => {
    if (origin === "unhandledRejection" && !isHandled()) listener();
  };
  scope.addEventListener?.("error", onError);
  process.on("uncaughtExceptionMonitor", onUncaught);
  return () => {
    scope.removeEventListener?.("error", onError);
    process.off("uncaughtExceptionMonitor", onUncaught);
  };
}
