// Every call of surface.mjs with every value of values.mjs in the place of every argument and of every option.
import { callsOf } from "./surface.mjs";
import { VALUES } from "./values.mjs";

/** Yields `{ name, call, spoil }` for each case: `spoil(args)` returns the arguments with one of them spoilt. */
export function* cases(lib) {
  for (const call of callsOf()) {
    const valid = call.prepare(lib).args;
    for (const [value, make] of VALUES) {
      for (let place = 0; place <= valid.length; place++) {
        const spoil = (args) => args.toSpliced(place, 1, make());
        yield { name: `${call.name} with ${value} as argument ${place}`, call, spoil };
      }
      for (const [place, key] of keysOf(valid)) {
        const spoil = (args) => args.toSpliced(place, 1, { ...args[place], [key]: make() });
        yield { name: `${call.name} with ${value} as key ${key} of argument ${place}`, call, spoil };
      }
    }
  }
}

/** Returns the keys of every plain object among the arguments. */
function keysOf(args) {
  return args.flatMap((arg, place) => {
    const isPlain = typeof arg === "object" && arg !== null && Object.getPrototypeOf(arg) === Object.prototype;
    return isPlain ? Object.keys(arg).map((key) => [place, key]) : [];
  });
}
