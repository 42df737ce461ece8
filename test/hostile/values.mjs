// What a caller in plain JavaScript may pass by mistake or on purpose, each made anew for each call.

function sparse(length) {
  const list = [];
  list.length = length;
  return list;
}

function nested(depth) {
  let value = {};
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { value };
  return value;
}

function cyclic() {
  const object = {};
  return Object.assign(object, { cycle: object, rows: object, subpools: object });
}

class Own {
  #hidden = 1;
  get from() {
    return this.#hidden;
  }
}

const NUMBERS = [0, -0, -1, 1.5, 3, 255, 256, 65_536, 2 ** 31, 2 ** 32, 4e9, 2 ** 42, 2 ** 53, 1e308];
const TEXTS = [
  "",
  " ",
  "0",
  "x",
  "__proto__",
  "constructor",
  "toString",
  "a.b",
  "~",
  "*",
  "\u0000",
  "\ud800",
  "😀",
  "é".repeat(300),
];

/** Pairs of a name, which messages and tests show, and a function that makes the value. */
export const VALUES = [
  ["undefined", () => undefined],
  ["null", () => null],
  ["true", () => true],
  ["NaN", () => Number.NaN],
  ["Infinity", () => Number.POSITIVE_INFINITY],
  ...NUMBERS.map((number) => [Object.is(number, -0) ? "-0" : String(number), () => number]),
  ...TEXTS.map((text) => [`text ${JSON.stringify(text).slice(0, 12)}`, () => text]),
  ["text of a million characters", () => "x".repeat(1e6)],
  ["bigint", () => 5n],
  ["large bigint", () => 2n ** 70n],
  ["symbol", () => Symbol("s")],
  ["function", () => () => 1],
  ["function of a Promise", () => async () => 1],
  ["class", () => Own],
  ["class instance", () => new Own()],
  ["empty object", () => ({})],
  ["object without a prototype", () => Object.create(null)],
  ["frozen object", () => Object.freeze({ from: 1, at: 2 })],
  ["object with toString", () => ({ toString: () => "x", valueOf: () => 1 })],
  ["object whose toString throws", () => ({ toString: fails, valueOf: fails, [Symbol.toPrimitive]: fails })],
  ["object with __proto__", () => JSON.parse('{"__proto__": {"from": 1}, "constructor": 2}')],
  ["object with a cycle", cyclic],
  ["object with a length", () => ({ length: 4e9 })],
  ["deep object", () => nested(20_000)],
  ["empty array", () => []],
  ["array", () => [1, "a", null, undefined, {}, [], 5n]],
  ["array with a hole", () => Object.assign([], { 1: 1 })],
  ["sparse array of 2^31", () => sparse(2 ** 31)],
  ["sparse array of 2^32 - 1", () => sparse(2 ** 32 - 1)],
  ["array of 100,000", () => new Array(1e5).fill(1)],
  [
    "Map",
    () =>
      new Map([
        ["from", 1],
        [{}, 2],
      ]),
  ],
  ["Set", () => new Set([1, "a"])],
  ["Date", () => new Date(Number.NaN)],
  ["RegExp", () => /x/g],
  ["Promise", () => Promise.resolve(1)],
  ["boxed text", () => Object("x")],
  ["boxed number", () => Object(5)],
  ["Uint8Array", () => new Uint8Array(3)],
  ["Uint32Array", () => new Uint32Array(3)],
  ["Float64Array", () => Float64Array.of(1, Number.NaN)],
  ["BigInt64Array", () => new BigInt64Array(2)],
  ["DataView", () => new DataView(new ArrayBuffer(8))],
  ["ArrayBuffer", () => new ArrayBuffer(8)],
  ["SharedArrayBuffer view", () => new Uint32Array(new SharedArrayBuffer(16))],
  ["iterator without an end", () => ({ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) })],
  ["signal that is not one", () => ({ aborted: "no", throwIfAborted: 5 })],
];

function fails() {
  throw new Error("hostile");
}

/** The reason of {@link deadline}: a call that stops by it has done what it must. */
export const LATE = new Error("the deadline of the fuzzer");

/** Returns an AbortSignal that is aborted after some milliseconds, also while synchronous code runs. */
export function deadline(milliseconds) {
  const end = performance.now() + milliseconds;
  return {
    get aborted() {
      return performance.now() > end;
    },
    reason: LATE,
    throwIfAborted() {
      if (performance.now() > end) throw LATE;
    },
    addEventListener() {},
    removeEventListener() {},
  };
}

/**
 * Returns the error of the library's own code that an error of a callback reports: a system is a callback too. Undefined
 * if it was the hostile code that failed, as a class does that is called.
 */
function fault({ code, cause }) {
  if (code !== "argument.callback" || !(cause instanceof Error)) return undefined;
  const [first = ""] = String(cause.stack).match(/^ {4}at .*$/m) ?? [];
  return /\/(dist|src)\//.test(first) && !/^Class constructor/.test(cause.message) ? cause : undefined;
}

/**
 * Makes a call and awaits or iterates over its result. Returns undefined if it ends in a result, in an error of the
 * library, or by the deadline; otherwise what it threw.
 */
export async function outcomeOf({ RollmillError }, invoke, args) {
  try {
    const result = await invoke(args);
    if (typeof result?.next === "function") for (let i = 0; i < 5 && !(await result.next()).done; i++);
    return undefined;
  } catch (thrown) {
    if (thrown === LATE) return undefined;
    if (thrown instanceof RollmillError) return fault(thrown);
    return thrown instanceof Error ? thrown : new Error(`threw ${typeof thrown}`);
  }
}

/** Puts a deadline into the options of a long call, unless the options are no object or have a signal of their own. */
export function withDeadline({ long }, args, milliseconds) {
  if (long === undefined) return args;
  try {
    const options = args[long];
    if (options !== undefined && Object.prototype.toString.call(options) !== "[object Object]") return args;
    if (options?.signal !== undefined) return args;
    const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(options ?? {}));
    return args.toSpliced(long, 1, Object.assign(copy, { signal: deadline(milliseconds) }));
  } catch {
    // the options cannot be read: the call must refuse them
    return args;
  }
}
