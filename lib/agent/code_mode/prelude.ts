/**
 * The part of the sandbox that runs inside it, in front of the program.
 *
 * @module
 */

/**
 * Source of a function `(call, log, done, names) => { start, settle }`. Everything that it needs later is taken before the
 * program runs, so that a program that changes the built-ins fools nobody but itself. Between the sandbox and its host
 * only text and numbers pass.
 *
 * All text crosses as JSON: the engine's own strings end at a NUL on the way.
 *
 * - `call(name, arguments)` gives the number of a call that was queued.
 * - `log(text)` takes a line. `done(kind, text)` takes the end, once.
 * - `start(source)` runs a program: the body of an async function. `settle(number, isError, text)` ends a call.
 */
export const PRELUDE = `(call, log, done, names) => {
  "use strict";
  const { stringify, parse } = JSON;
  const { apply, defineProperty } = Reflect;
  const { create, freeze } = Object;
  const { then } = Promise.prototype;
  const PromiseClass = Promise, ErrorClass = Error, TypeErrorClass = TypeError, StringOf = String;
  const SyntaxErrorClass = SyntaxError;
  const AsyncFunction = (async () => {}).constructor;
  const namesOf = parse(names);
  const waiting = create(null);
  const entry = (resolve, reject) => {
    const made = create(null);
    made.resolve = resolve;
    made.reject = reject;
    return made;
  };
  const put = (target, key, value) => {
    const descriptor = create(null);
    descriptor.value = value;
    descriptor.enumerable = true;
    defineProperty(target, key, descriptor);
  };

  const tools = create(null);
  for (let index = 0; index < namesOf.length; index++) {
    const name = namesOf[index];
    put(tools, name, (args) => new PromiseClass((resolve, reject) => {
      const json = stringify(args === undefined ? {} : args);
      if (typeof json !== "string") throw new TypeErrorClass("arguments of a tool must be JSON");
      waiting[call(stringify(name), json)] = entry(resolve, reject);
    }));
  }
  freeze(tools);

  const show = (value) => {
    if (typeof value === "string") return value;
    if (value === undefined) return "undefined";
    try {
      const json = stringify(value);
      if (typeof json === "string") return json;
    } catch {}
    return StringOf(value);
  };
  const line = (...values) => {
    let text = "";
    for (let index = 0; index < values.length; index++) text += (index === 0 ? "" : " ") + show(values[index]);
    log(stringify(text));
  };
  const consoleObject = create(null);
  put(consoleObject, "log", line);
  put(consoleObject, "info", line);
  put(consoleObject, "warn", line);
  put(consoleObject, "error", line);
  freeze(consoleObject);

  const tell = (kind, text) => done(stringify(kind), stringify(StringOf(text)));
  const succeed = (value) => {
    let text;
    try {
      text = value === undefined ? "" : show(value);
    } catch (error) {
      return fail(error);
    }
    tell("returned", text);
  };
  const fail = (error) => {
    let text = "the program threw something that cannot be shown";
    try {
      if (typeof error !== "object" || error === null) text = show(error);
      else text = error.name === "Error" ? error.message : error.name + ": " + error.message;
    } catch {}
    tell("threw", text);
  };

  return {
    start(source) {
      let running;
      try {
        running = new AsyncFunction("tools", "console", parse(source))(tools, consoleObject);
      } catch (error) {
        return tell(error instanceof SyntaxErrorClass ? "unreadable" : "threw", error.message);
      }
      // The constructor does not look whether the source ends its own function.
      if (!(running instanceof PromiseClass)) return tell("unreadable", "it is more than the body of a function");
      apply(then, running, [succeed, fail]);
    },
    settle(number, isError, text) {
      const { resolve, reject } = waiting[number];
      delete waiting[number];
      if (isError) reject(new ErrorClass(parse(text)));
      else resolve(parse(text));
    },
  };
}`;
