/**
 * The part of the sandbox that runs inside it, in front of the program.
 *
 * @module
 */

/** What the prelude is told. */
export interface PreludeSettings {
  /** Names of the tools. */
  readonly toolNames: readonly string[];
  /** Most characters of a text; one more is handed out, which shows that there is more. */
  readonly maxText: number;
  /** Most characters of the arguments of a call, as JSON. */
  readonly maxArgument: number;
}

/**
 * Source of a function `(settings, called, log, end) => { start, next, settle }`. It makes the globals `tools` and
 * `console`. Everything that it needs later it takes before the program runs, and what it keeps it keeps in objects
 * without a prototype: a program that changes the built-ins fools nobody but itself. Between the sandbox and its host go
 * numbers and JSON; all other text would lose its NULs and lone surrogates on the way.
 *
 * - `called()` is told of each call. `log(text)` takes a line. `end(kind, text, stack)` takes the end, once.
 * - `start(program)` runs the program, an async function.
 * - `next()` gives the next call that waits, as `{ tool, json }`. `settle(isError, text)` ends the call given last.
 */
export const PRELUDE = `(settings, called, log, end) => {
  "use strict";
  const { stringify, parse } = JSON;
  const { apply, defineProperty, getPrototypeOf } = Reflect;
  const { create, freeze } = Object;
  const { isArray } = Array;
  const { isFinite } = Number;
  const { then } = Promise.prototype;
  const { slice } = String.prototype;
  const ObjectPrototype = Object.prototype;
  const PromiseClass = Promise, ErrorClass = Error, TypeErrorClass = TypeError, RangeErrorClass = RangeError;
  const StringOf = String;
  const { toolNames, maxText, maxArgument } = parse(settings);

  const put = (target, key, value) => {
    const descriptor = create(null);
    descriptor.value = value;
    descriptor.enumerable = true;
    defineProperty(target, key, descriptor);
  };
  const cut = (text, most) => text.length > most ? apply(slice, text, [0, most]) : text;
  const handOut = (text) => stringify(cut(text, maxText + 1));

  let first, last, current;
  const enqueue = (tool, json, error, resolve, reject) => {
    const call = create(null);
    call.tool = tool;
    call.json = json;
    call.error = error;
    call.resolve = resolve;
    call.reject = reject;
    call.next = undefined;
    if (first === undefined) first = call;
    else last.next = call;
    last = call;
    called();
  };

  const kindOf = (value) => {
    if (value === undefined) return "undefined";
    if (typeof value === "number") return StringOf(value);
    if (typeof value !== "object") return "a " + typeof value;
    return value instanceof PromiseClass ? "a promise; await it first" : "no plain object";
  };
  const survives = (value, holder) => {
    switch (typeof value) {
      case "string":
      case "boolean":
        return true;
      case "number":
        return isFinite(value);
      case "undefined":
        return !isArray(holder);
      case "object": {
        if (value === null || isArray(value)) return true;
        const prototype = getPrototypeOf(value);
        return prototype === ObjectPrototype || prototype === null;
      }
      default:
        return false;
    }
  };
  const toJson = (name, args) => {
    const json = stringify(args === undefined ? {} : args, function (key, value) {
      if (survives(value, this)) return value;
      const at = key === "" ? "" : " at " + stringify(key);
      throw new TypeErrorClass("arguments of " + name + " must survive JSON;" + at + " there is " + kindOf(value));
    });
    // A toJSON() of their own gave nothing.
    if (json === undefined) throw new TypeErrorClass("arguments of " + name + " must survive JSON; there is undefined");
    if (json.length > maxArgument) {
      throw new RangeErrorClass("arguments of " + name + " must be at most " + maxArgument + " characters of JSON");
    }
    return json;
  };

  const tools = create(null);
  for (let index = 0; index < toolNames.length; index++) {
    const tool = index, name = toolNames[index];
    put(tools, name, (args) => {
      // Made here, so that its stack shows the line of the program.
      const error = new ErrorClass();
      return new PromiseClass((resolve, reject) => enqueue(tool, toJson(name, args), error, resolve, reject));
    });
  }
  put(globalThis, "tools", freeze(tools));

  const wordsOf = (error) => {
    const { name, message } = error;
    return name === "Error" || name === undefined ? StringOf(message) : StringOf(name) + ": " + StringOf(message);
  };
  const show = (value) => {
    if (typeof value === "string") return value;
    if (value === undefined) return "undefined";
    if (value instanceof ErrorClass) return wordsOf(value);
    try {
      const json = stringify(value);
      if (typeof json === "string") return json;
    } catch {}
    return StringOf(value);
  };
  const line = (...values) => {
    let text = "";
    for (let index = 0; index < values.length; index++) {
      text = cut(text + (index === 0 ? "" : " ") + show(values[index]), maxText + 1);
    }
    log(handOut(text));
  };
  const consoleObject = create(null);
  put(consoleObject, "debug", line);
  put(consoleObject, "error", line);
  put(consoleObject, "info", line);
  put(consoleObject, "log", line);
  put(consoleObject, "warn", line);
  put(globalThis, "console", freeze(consoleObject));

  const fail = (error) => {
    let text = "the program threw something that cannot be shown";
    let stack = "";
    try {
      text = show(error);
      if (error instanceof ErrorClass) stack = StringOf(error.stack);
    } catch {}
    end('"threw"', handOut(text), stringify(cut(stack, 1000)));
  };
  const succeed = (value) => {
    let text;
    try {
      text = value === undefined ? "" : show(value);
    } catch (error) {
      return fail(error);
    }
    end('"returned"', handOut(text), '""');
  };

  const result = create(null);
  result.start = (program) => {
    let running;
    try {
      running = program();
    } catch (error) {
      return fail(error);
    }
    // The source may have closed the function that it stands in, and not have stopped there.
    if (!(running instanceof PromiseClass)) {
      return end('"unreadable"', '"it is more than the body of a function"', '""');
    }
    // Else then() would ask the program for the class of the promise to make.
    put(running, "constructor", undefined);
    apply(then, running, [succeed, fail]);
  };
  result.next = () => {
    current = first;
    if (current === undefined) return undefined;
    first = current.next;
    return current;
  };
  result.settle = (isError, json) => {
    const text = parse(json);
    current.json = undefined;
    if (isError) {
      put(current.error, "message", text);
      current.reject(current.error);
    } else current.resolve(text);
  };
  return result;
}`;
