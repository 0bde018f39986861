import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { describe, it } from "node:test";
import { type ErrorScope, onDenoCrash } from "./deno_crash.ts";

/** A global scope as Deno has it. */
class FakeScope extends EventTarget implements ErrorScope {
  readonly Deno = {};
  readonly process = new EventEmitter() as EventEmitter & ErrorScope["process"];
  crashes = 0;
  readonly stop = onDenoCrash(() => this.crashes++, this as ErrorScope);

  throwError({ prevented = false } = {}): void {
    this.process.emit("uncaughtExceptionMonitor", new Error("boom"), "uncaughtException");
    const event = new Event("error", { cancelable: true });
    if (prevented) event.preventDefault();
    this.dispatchEvent(event);
  }

  reject(): void {
    this.process.emit("uncaughtExceptionMonitor", new Error("boom"), "unhandledRejection");
  }
}

describe("onDenoCrash()", () => {
  it("reports an error that nobody handles", () => {
    const scope = new FakeScope();
    scope.throwError();
    assert.equal(scope.crashes, 1);
  });
  it("reports a rejection that nobody handles", () => {
    const scope = new FakeScope();
    scope.reject();
    assert.equal(scope.crashes, 1);
  });
  it("does not report an error whose default was prevented", () => {
    const scope = new FakeScope();
    scope.throwError({ prevented: true });
    assert.equal(scope.crashes, 0);
  });
  it("reports nothing when uncaught exceptions have a listener", () => {
    const scope = new FakeScope();
    scope.process.on("uncaughtException", () => {});
    scope.throwError();
    scope.reject();
    assert.equal(scope.crashes, 0);
  });
  it("reports nothing once it was stopped, and leaves no listener", () => {
    const scope = new FakeScope();
    scope.stop();
    scope.throwError();
    scope.reject();
    assert.equal(scope.crashes, 0);
    assert.deepEqual(scope.process.eventNames(), []);
  });
  it("does not listen on other runtimes, which emit exit", () => {
    const process = new EventEmitter() as EventEmitter & ErrorScope["process"];
    onDenoCrash(() => {}, { process })();
    onDenoCrash(() => {}, { process });
    assert.deepEqual(process.eventNames(), []);
  });
});
