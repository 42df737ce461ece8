import { describe, expect, test } from "vitest";
import { type ForkId, forkKey, nameKey, type Seed, type StreamKey, seedKey } from "../../src/address.js";

/** Returns how many of the keys are equal to another one, by sorting them as u64. */
function repeatedKeys(count: number, keyOf: (i: number) => StreamKey): number {
  const halves = new Int32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const { k0, k1 } = keyOf(i);
    halves[2 * i] = k0;
    halves[2 * i + 1] = k1;
  }
  const keys = new BigUint64Array(halves.buffer).sort();
  let repeated = 0;
  for (let i = 1; i < count; i++) if (keys[i] === keys[i - 1]) repeated++;
  return repeated;
}

const seedsHave = (seeds: readonly Seed[]) => repeatedKeys(seeds.length, (i) => seedKey(seeds[i]));

/** 1,000 characters: ASCII, accents, Greek, Chinese, and characters outside the BMP. */
const ALPHABET = [
  ...charactersFrom(0x20, 95),
  ...charactersFrom(0xc0, 105),
  ...charactersFrom(0x3b1, 25),
  ...charactersFrom(0x4e00, 600),
  ...charactersFrom(0x1f300, 175),
];

function charactersFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => String.fromCodePoint(first + i));
}

const moria = seedKey("moria");

describe("keys of names and forks are distinct", () => {
  test("of the first 10^6 integers, as names, as integers and as pairs", () => {
    expect(repeatedKeys(1e6, (i) => nameKey(moria, String(i)))).toBe(0);
    const ids = (i: number): ForkId => (i < 1e6 ? i : [Math.floor(i / 1000) - 1500, i % 1000]);
    expect(repeatedKeys(2e6, (i) => forkKey(moria, ids(i)))).toBe(0);
  });

  test("of all texts of up to two characters of 1,000, as names and as forks", () => {
    expect(new Set(ALPHABET).size).toBe(1000);
    const count = 1 + 1000 + 1e6;
    const textOf = (i: number) => {
      if (i <= 1000) return i === 0 ? "" : ALPHABET[i - 1];
      return ALPHABET[Math.floor((i - 1001) / 1000)] + ALPHABET[(i - 1001) % 1000];
    };
    const keyOf = (i: number) => (i < count ? nameKey(moria, textOf(i)) : forkKey(moria, textOf(i - count)));
    expect(repeatedKeys(2 * count, keyOf)).toBe(0);
  });

  test("of powers of a text, of zeros and of long texts", () => {
    const texts = ["moria", "1", "\0", "☃", "🪓"].flatMap((text) =>
      Array.from({ length: 600 }, (_, n) => text.repeat(n + 1)),
    );
    const keyOf = (i: number) => (i < 3000 ? nameKey(moria, texts[i]) : forkKey(moria, texts[i - 3000]));
    expect(repeatedKeys(6000, keyOf)).toBe(0);
  });
});

describe("keys of seeds are distinct", () => {
  // a seed sets up ARC4, which costs as much as a hundred names: a part of the integers and texts
  test("of integers, whose decimal texts repeat", () => {
    const first = Array.from({ length: 20_000 }, (_, i) => i);
    const repeats = Array.from({ length: 10 }, (_, digit) =>
      Array.from({ length: 300 }, (_, n) => String(digit).repeat(n + 6)),
    );
    expect(seedsHave([...first, ...repeats.flat()])).toBe(0);
  });

  test("of texts of up to two characters, whose low bytes are equal", () => {
    const pairs = ALPHABET.flatMap((a) => [ALPHABET[0], "一", "🌀"].flatMap((b) => [a + b, `${b}${b}${a}`]));
    expect(seedsHave(["", ...ALPHABET, ...pairs])).toBe(0);
  });

  test("of powers of a text, beyond 256 bytes, and outside the BMP", () => {
    const powers = ["moria", "ab", "\0", "☃", "🪓"].flatMap((text) =>
      Array.from({ length: 400 }, (_, n) => text.repeat(n + 1)),
    );
    // one byte differs, before and after the 256 bytes that ARC4 reads
    const long = Array.from({ length: 1000 }, (_, n) => `${"x".repeat(n)}y${"x".repeat(999 - n)}`);
    expect(seedsHave([...powers, ...long])).toBe(0);
  });
});
