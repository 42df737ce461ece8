import seedrandom from "seedrandom";
import { error, fail } from "./errors/index.js";

/** Version of the random words. Results are equal only if this version is equal (docs/determinism.md). */
export const STREAM_VERSION = 2;

/** The seed of a mill. A number or a bigint is used as its decimal text. */
export type Seed = string | number | bigint;

/**
 * The id of a child stream:
 *
 * - a text,
 * - a safe integer, or a bigint −2^63 … 2^63 − 1,
 * - a pair of integers −2^31 … 2^31 − 1, such as the coordinates of a region.
 *
 * The number 5 and the bigint 5n are the same id. The text "5" is a different id.
 */
export type ForkId = string | number | bigint | readonly [number, number];

/** The 64-bit key of a stream, as two signed 32-bit halves. The key selects the random words of the stream. */
export interface StreamKey {
  readonly k0: number;
  readonly k1: number;
}

// Each fold includes a tag. So a name, a fork's id and the start cells of a walk have different keys, even if their
// bytes are equal. The tag of a name is its length in bytes. The tag of a text id is TEXT_FORK plus its length.
const TEXT_FORK = 2 ** 30;
const INTEGER_FORK = 2 ** 31 + 1;
const PAIR_FORK = 2 ** 31 + 2;
const STARTS = 2 ** 31 + 3;

const MAX_BYTES = 2 ** 30 - 1;

/**
 * Returns the key of a mill. ARC4 (from the package seedrandom) turns the seed into two words. ARC4 repeats short
 * inputs, and reads only the low byte of each character: so its input is the seed's length in bytes, a colon, and one
 * character for each byte. Two seeds may still give the same two words, so the seed is folded into them.
 *
 * @throws RollmillError `argument.range` for a seed of 2^30 bytes or more.
 */
export function seedKey(seed: Seed): StreamKey {
  const bytes = utf8Of(String(seed), "the seed");
  // in parts of 4096, because engines limit the number of arguments of a call
  const text = [`${bytes.length}:`];
  for (let i = 0; i < bytes.length; i += 4096) text.push(String.fromCharCode(...bytes.subarray(i, i + 4096)));
  const generator = seedrandom(text.join(""));
  return fold({ k0: generator.int32(), k1: generator.int32() }, bytes, bytes.length);
}

/** @throws RollmillError `argument.range` for a name of 2^30 bytes or more. */
export function nameKey(mill: StreamKey, name: string): StreamKey {
  const bytes = utf8Of(name, "the name");
  return fold(mill, bytes, bytes.length);
}

export function startsKey(layer: StreamKey): StreamKey {
  return foldChunk(layer, [1, 0], 0, STARTS);
}

/** @throws RollmillError `argument.type`, `argument.range` for an invalid id. */
export function forkKey(parent: StreamKey, id: ForkId): StreamKey {
  if (typeof id === "string") {
    const bytes = utf8Of(id, "the id of a fork");
    return fold(parent, bytes, TEXT_FORK + bytes.length);
  }
  if (typeof id === "number" && Number.isSafeInteger(id)) {
    return foldChunk(parent, [id, Math.floor(id / 2 ** 32)], 0, INTEGER_FORK);
  }
  if (typeof id === "bigint" && BigInt.asIntN(64, id) === id) {
    return foldChunk(parent, [Number(BigInt.asIntN(32, id)), Number(id >> 32n)], 0, INTEGER_FORK);
  }
  const pair = pairOf(id);
  return pair === undefined ? refuseId(id) : foldChunk(parent, pair, 0, PAIR_FORK);
}

/** An id in a form that JSON can store. Equal ids have equal forms. A large bigint becomes an object with a text. */
export type PlainForkId = string | number | { readonly integer: string } | readonly [number, number];

/** @throws RollmillError `argument.type`, `argument.range` for an invalid id. */
export function plainId(id: ForkId): PlainForkId {
  if (typeof id === "bigint" && BigInt.asIntN(64, id) === id) {
    const number = Number(id);
    return Number.isSafeInteger(number) ? number : { integer: String(id) };
  }
  if (typeof id === "string") return id;
  // −0 and 0 are the same id
  if (typeof id === "number" && Number.isSafeInteger(id)) return id + 0;
  return pairOf(id) ?? refuseId(id);
}

/** Converts a result of {@link plainId} back to an id. Returns undefined for any other value. */
export function idOfPlain(plain: unknown): ForkId | undefined {
  if (typeof plain === "string" || (typeof plain === "number" && Number.isSafeInteger(plain))) return plain;
  const pair = pairOf(plain);
  if (pair !== undefined) return pair;
  if (typeof plain !== "object" || plain === null || !("integer" in plain)) return undefined;
  const { integer } = plain;
  if (typeof integer !== "string" || !/^-?[0-9]{16,19}$/.test(integer)) return undefined;
  const id = BigInt(integer);
  return BigInt.asIntN(64, id) === id ? id : undefined;
}

function pairOf(id: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(id) || id.length !== 2) return undefined;
  const [row, col]: unknown[] = id;
  return isInt32(row) && isInt32(col) ? [row, col] : undefined;
}

function isInt32(value: unknown): value is number {
  return typeof value === "number" && (value | 0) === value + 0;
}

function refuseId(id: unknown): never {
  const isNumeric = typeof id === "number" || typeof id === "bigint" || Array.isArray(id);
  const expected = "a string, a safe integer, a signed 64-bit bigint, or a pair of signed 32-bit integers";
  return fail(error(isNumeric ? "argument.range" : "argument.type", { problem: "invalid fork id", got: id, expected }));
}

function utf8Of(text: string, what: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= MAX_BYTES) return bytes;
  const expected = `at most ${MAX_BYTES} bytes of UTF-8`;
  return fail(error("argument.range", { problem: `${what} is too long`, got: bytes.length, expected }));
}

/** Folds bytes into a key, in chunks of 8. Pads the last chunk with zeros. An empty array is read as 8 zeros. */
function fold(key: StreamKey, bytes: Uint8Array, tag: number): StreamKey {
  const wordAt = (i: number) => bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
  let folded = key;
  for (let i = 0; i < Math.max(1, bytes.length); i += 8) {
    folded = foldChunk(folded, [wordAt(i), wordAt(i + 4)], i / 8, tag);
  }
  return folded;
}

/** Returns a new key: the first two words of Philox4x32-10. */
function foldChunk({ k0, k1 }: StreamKey, [low, high]: readonly [number, number], chunk: number, tag: number) {
  const words = philox({ k0: k0 ^ FOLD_KEY_0, k1: k1 ^ FOLD_KEY_1 }, [low | 0, high | 0, chunk, tag | 0]);
  return { k0: words[0], k1: words[1] };
}

// Folds and random words use the same function. A fold XORs these constants into the key. So a fold and a random word
// of one stream never use the same key and counter.
const FOLD_KEY_0 = 0x5851f42d;
const FOLD_KEY_1 = 0x4c957f2d;

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;

type FourWords = readonly [number, number, number, number];

/**
 * Returns the words of Philox4x32-10, as signed integers. The kernel has the same function; this copy works where no
 * kernel runs.
 */
export function philox(key: StreamKey, counter: FourWords): FourWords {
  let { k0, k1 } = key;
  let [c0, c1, c2, c3] = counter;
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = highProduct(c0, MULTIPLIER_0);
    const low0 = Math.imul(c0, MULTIPLIER_0);
    const high1 = highProduct(c2, MULTIPLIER_1);
    const low1 = Math.imul(c2, MULTIPLIER_1);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + WEYL_0) | 0;
    k1 = (k1 + WEYL_1) | 0;
  }
  return [c0, c1, c2, c3];
}

/** Returns the high 32 bits of a product of unsigned integers. Doubles hold the products of 16-bit halves exactly. */
function highProduct(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = aLow * bHigh + (middle & 0xffff);
  return (aHigh * bHigh + (middle >>> 16) + (carry >>> 16)) | 0;
}
