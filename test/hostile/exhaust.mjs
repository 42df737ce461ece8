// Every call of surface.mjs with every value of values.mjs in the place of every argument and of every option.
import { callsOf } from "./surface.mjs";
import { VALUES } from "./values.mjs";

/** Returns `{ name, call, spoil }` for each case: `spoil(args)` returns the arguments with one of them spoilt. */
export function* cases() {
  for (const call of callsOf()) {
    for (const [value, make] of VALUES) {
      yield { name: `${call.name} with only ${value}`, call, spoil: () => [make()] };
      for (let position = 0; position < 4; position++) {
        yield {
          name: `${call.name} with ${value} at ${position}`,
          call,
          spoil: (args) => (position < args.length ? args.toSpliced(position, 1, make()) : undefined),
        };
      }
    }
    yield* keysOf(call);
  }
}

/** One case for each value: every option of every object among the arguments has this value, one after another. */
function* keysOf(call) {
  for (let position = 0; position < 4; position++) {
    for (let place = 0; place < 14; place++) {
      for (const [value, make] of VALUES) {
        yield {
          name: `${call.name} with ${value} as key ${place} of argument ${position}`,
          call,
          spoil: (args) => spoilKey(args, { position, place }, make),
        };
      }
    }
  }
}

function spoilKey(args, { position, place }, make) {
  const options = args[position];
  if (Object.prototype.toString.call(options) !== "[object Object]") return undefined;
  if (![Object.prototype, null].includes(Object.getPrototypeOf(options))) return undefined;
  const keys = Object.keys(options);
  if (place >= keys.length) return undefined;
  return args.toSpliced(position, 1, { ...options, [keys[place]]: make() });
}
