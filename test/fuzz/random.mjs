// Random cases: a call of surface.mjs with one to three places of its arguments spoilt. Case k of a seed is always the
// same, so that a case can be repeated alone.
import { callsOf } from "../hostile/surface.mjs";
import { VALUES } from "../hostile/values.mjs";

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  2,
  0.5,
  7,
  63,
  64,
  255,
  256,
  4095,
  65_535,
  65_536,
  2 ** 24,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
];
const LARGE = [
  2 ** 32,
  4e9,
  2 ** 42 - 1,
  2 ** 42,
  2 ** 53 - 1,
  2 ** 53,
  1e300,
  1e-300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
];
const PIECES = [
  "\n",
  ":",
  "|",
  ",",
  '"',
  ".",
  "*",
  "~",
  "N:",
  "0",
  "-1",
  "4294967296",
  "\u0000",
  "\ud800",
  "é",
  " ",
  "\t",
  "r",
  "s1",
];
const CALLS = callsOf();

/** Returns case k of a seed: `name`, `call` and `spoil`, which returns the spoilt arguments. */
export function randomCase(seed, k) {
  const random = new Random(seed, k);
  const call = random.of(CALLS);
  return { name: `case ${k}: ${call.name}`, call, spoil: (args) => spoil(random, args) };
}

/** Random integers by a counter and the hash of MurmurHash3's end (fmix32). */
export class Random {
  #state;

  constructor(seed, k) {
    this.#state = 0x9e3779b9;
    for (const part of [seed, k % 2 ** 32, Math.floor(k / 2 ** 32)]) this.#state = hash(this.#state ^ hash(part));
  }

  below(n) {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return (hash(this.#state) >>> 0) % n;
  }

  of(list) {
    return list[this.below(list.length)];
  }
}

function hash(value) {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function spoil(random, args) {
  let spoilt = copyOf(args);
  for (let times = 1 + random.below(3); times > 0; times--) spoilt = spoilPlace(random, spoilt);
  return spoilt;
}

/** Copies plain objects, lists, maps and typed arrays, so that the valid arguments stay as they are. */
function copyOf(value) {
  if (Array.isArray(value)) return value.map(copyOf);
  if (value instanceof Map) return new Map(value);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return value.slice();
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, copyOf(entry)]));
}

function isPlain(value) {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Spoils one place: the arguments as a whole, one of them, or a value inside one of them. */
function spoilPlace(random, args) {
  if (random.below(20) === 0) return args.slice(0, random.below(args.length + 1));
  if (random.below(20) === 0) return [...args, random.of(VALUES)[1]()];
  let [holder, key] = [args, random.below(Math.max(1, args.length))];
  try {
    for (let depth = 0; depth < 7 && random.below(5) > 0; depth++) {
      const keys = keysOf(holder[key]);
      if (keys.length === 0) break;
      [holder, key] = [holder[key], random.of(keys)];
    }
    // the list of arguments itself stays a list: its length and its prototype are no arguments
    if (holder === args) holder[key] = changed(random, holder[key]);
    else change(random, holder, key);
  } catch {
    // an earlier change has made the place unreadable or unchangeable
  }
  return args;
}

function keysOf(value) {
  if (Array.isArray(value)) return Array.from({ length: Math.min(value.length, 50) }, (_, i) => i);
  return isPlain(value) ? Object.keys(value) : [];
}

/** Changes the value of a key, deletes the key, or adds another key with the value. */
function change(random, holder, key) {
  const kind = random.below(10);
  if (kind === 0) delete holder[key];
  else if (kind === 1) holder[random.of(["from", "at", "n", "__proto__", "length", "id", "kind"])] = holder[key];
  else holder[key] = changed(random, holder[key]);
}

/** Returns another value in place of a value. */
function changed(random, value) {
  if (random.below(4) === 0) return random.of(VALUES)[1]();
  if (typeof value === "number") return random.of(random.below(2) === 0 ? NUMBERS : LARGE);
  if (typeof value === "string") return textOf(random, value);
  if (Array.isArray(value)) return listOf(random, value);
  if (isPlain(value)) return objectOf(random, value);
  return random.of(VALUES)[1]();
}

function textOf(random, text) {
  if (text.length > MOST) return random.of(VALUES)[1]();
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + random.below(20));
  const kind = random.below(5);
  if (kind === 0) return text.slice(0, at) + text.slice(end);
  if (kind === 1) return text.slice(0, end) + text.slice(at);
  if (kind === 2) return text.slice(0, at) + random.of(PIECES).repeat(1 + random.below(4)) + text.slice(at);
  if (kind === 3) return text.slice(0, at) + random.of(PIECES).repeat(20_000) + text.slice(at);
  return text.slice(0, at) + String.fromCharCode(random.below(65_536)) + text.slice(at + 1);
}

/** Longest list and text that are changed again: a change copies them. */
const MOST = 1e6;

function listOf(random, list) {
  const { length } = list;
  if (length > MOST) return random.of(VALUES)[1]();
  const copy = Array.from({ length }, (_, i) => list[i]);
  const kind = random.below(6);
  if (kind === 0) return [...copy, ...copy];
  if (kind === 1) return copy.reverse();
  if (kind === 2 && length > 0) return Array.from({ length: 20_000 }, (_, i) => copy[i % length]);
  if (kind === 3) return Object.assign(copy, { length: random.of([length + 1, 2 ** 24, 2 ** 31, 2 ** 32 - 1]) });
  if (kind === 4) return new Set(copy);
  return Object.freeze(copy.slice(random.below(length + 1)));
}

function objectOf(random, object) {
  const kind = random.below(4);
  if (kind === 0) return Object.assign(Object.create(null), object);
  if (kind === 1) return Object.freeze({ ...object });
  if (kind === 2) return Object.create(object);
  return new Map(Object.entries(object));
}
