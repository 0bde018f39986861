import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { aFunction, checkedOptions, objectWith } from "./checked_options.ts";

interface Options {
  readonly onEnd?: () => void;
  readonly clock?: { now(): number };
}

const check = (options: unknown): Options =>
  checkedOptions("watch()", options as Options, { onEnd: aFunction, clock: objectWith("now") });

describe("checkedOptions()", () => {
  it("gives what it was given, without what is undefined", () => {
    const clock = { now: () => 1 };
    assert.deepEqual(check({ clock, onEnd: undefined }), { clock });
    assert.deepEqual(check({}), {});
  });

  it("takes an object whose method is inherited", () => {
    class Clock {
      now() {
        return 1;
      }
    }
    const clock = new Clock();
    assert.equal(check({ clock }).clock, clock);
  });

  for (
    const [options, message] of [
      [null, "watch(): options must be an object, got null; leave them out for none"],
      ["quick", "watch(): options must be an object, got string; leave them out for none"],
      [{ onEnd: 5 }, 'watch(): option "onEnd" must be a function, got number'],
      [{ clock: {} }, 'watch(): option "clock" must be an object with a method now(), got object'],
      [{ clock: null }, 'watch(): option "clock" must be an object with a method now(), got null'],
      [{ onend: () => {} }, 'watch(): there is no option "onend"; did you mean "onEnd"?'],
      [{ verbose: true }, 'watch(): there is no option "verbose"; the options are onEnd, clock'],
    ] as const
  ) {
    it(`refuses ${JSON.stringify(options)}`, () => {
      assert.throws(() => check(options), new TypeError(message));
    });
  }

  it("reads an option once", () => {
    const answers = [() => {}, 5];
    const { onEnd } = check({
      get onEnd() {
        return answers.shift();
      },
    });
    assert.equal(typeof onEnd, "function");
  });
});
