import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { halvesOf } from "../../src/calls/index.js";
import { BelowTemplate } from "../oracle/below.js";
import { belowTwin, prefixPick } from "../oracle/tableTwin.js";
import { streamWords, type TwinKey } from "../oracle/words.js";
import { keyOfTwin, openKernel, placeOf } from "./open.js";

const WORDS = 65536;
const LARGEST = 4096;
const small = new BelowTemplate(16);
const full = new BelowTemplate(32);

describe("proof by enumeration at 16 bits, every m of 1 … 4096 over all 65,536 words", () => {
  test("each outcome has exactly 65,536 of the 65,536·m pairs of word and r: error 0", () => {
    const unequal: number[] = [];
    for (let m = 1; m <= LARGEST; m++) if (pairs(m).some((count, j) => count !== (j < m ? WORDS : 0))) unequal.push(m);
    expect(unequal).toEqual([]);
  });

  test("Lemire's extra words: each residue is accepted exactly ⌊65536 / m⌋ times", () => {
    const unequal: number[] = [];
    for (let m = 1; m <= LARGEST; m++) {
      const accepted = new Int32Array(m + 1);
      const least = small.least(m);
      for (let x = 0; x < WORDS; x++) if (!small.rejects(x, m, least)) accepted[small.high(x, m)]++;
      if (accepted.some((count, r) => count !== (r < m ? Math.floor(WORDS / m) : 0))) unequal.push(m);
    }
    expect(unequal).toEqual([]);
  });

  test("the first entry is not one too heavy and the last is reached: word 0 gives 0, the last word m − 1", () => {
    for (let m = 1; m <= LARGEST; m++) {
      expect(small.finish(0, m, 0)).toBe(0);
      expect(small.finish(WORDS - 1, m, m - 1)).toBe(m - 1);
    }
  });
});

/** Pairs of word and r by outcome; m itself must stay 0. */
function pairs(m: number): Float64Array {
  const counts = new Float64Array(m + 1);
  for (let word = 0; word < WORDS; word++) {
    const high = small.high(word, m);
    if (small.settles(word, m)) {
      counts[high] += m;
      continue;
    }
    const carries = WORDS - small.low(word, m);
    const parted = small.finish(word, m, carries - 1) === high && small.finish(word, m, carries) === high + 1;
    counts[high] += parted ? carries : Number.NaN;
    counts[high + 1] += m - carries;
  }
  return counts;
}

describe("a prefix pick", () => {
  test("every r of every list of up to four weights 0 … 3 falls on an entry as often as it weighs; weight 0 never", () => {
    for (let code = 1; code < 4 ** 4; code++) {
      const weights = [code & 3, (code >> 2) & 3, (code >> 4) & 3, code >> 6];
      const total = weights.reduce((a, b) => a + b);
      const counts = [0, 0, 0, 0];
      for (let r = 0; r < total; r++) counts[prefixPick(weights.map(BigInt), BigInt(r))]++;
      expect(counts).toEqual(weights);
    }
  });
});

describe("at 32 bits", () => {
  const bound = fc.oneof(
    fc.integer({ min: 1, max: 2 ** 32 - 1 }),
    fc.integer({ min: 1, max: 5000 }),
    fc.constantFrom(1, 2, 3, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 2, 2 ** 32 - 1),
  );
  const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });

  test("the template is the same as one written in BigInt", () => {
    fc.assert(
      fc.property(u32, bound, fc.array(u32, { minLength: 1, maxLength: 3 }), (word, m, extras) => {
        const extra = (i: number) => extras[i] ?? 2 ** 32 - 1;
        expect(full.below(word, m, extra)).toBe(Number(belowTwin(word, BigInt(m), extra)));
      }),
      { seed: 30110, numRuns: 2000 },
    );
  });

  const key: TwinKey = [2947725710, 2347313629];
  const kernel = openKernel();
  const belowIn = (plane: number, index: number, m: number) =>
    kernel.run(keyOfTwin(key), (exports) => exports.belowOf(...halvesOf(plane), ...placeOf(index), m)) >>> 0;

  test("kernel = twin for any address and any bound", () => {
    const index = fc.oneof(fc.nat(10_000), fc.integer({ min: 0, max: 2 ** 42 - 1 }));
    fc.assert(
      fc.property(fc.oneof(u32, fc.maxSafeNat()), index, bound, (plane, i, m) => {
        const words = streamWords(key);
        const expected = full.below(words.word(plane, i), m, (j) => words.extra(plane, i, j));
        expect(belowIn(plane, i, m)).toBe(expected);
      }),
      { seed: 30111, numRuns: 150 },
    );
  });

  // word·m mod 2^32 + m − 1 is 2^32 exactly, and r is m − 1: found by solving (word + 1)·m ≡ 1 (mod 2^32) for the even
  // words of the first 2^30 addresses of this plane
  const PLANE = 77 * 2 ** 32;
  test.each([
    [108734159, 3435973836, 5],
    [582303819, 266059920, 113],
    [939226230, 2558005160, 1177],
  ])("a carry by the largest r alone: index %s, word %s, m = %s", (index, word, m) => {
    const words = streamWords(key);
    const extra = (i: number) => words.extra(PLANE, index, i);
    expect([words.word(PLANE, index), full.low(word, m) + m - 1]).toEqual([word, 2 ** 32]);
    expect([full.settles(word, m), full.uniform(m, extra)]).toEqual([false, m - 1]);
    expect(belowIn(PLANE, index, m)).toBe(full.high(word, m) + 1);
  });

  // from 2^32 on, the extra words' counter carries the index's high part
  test.each([0, 2 ** 32 - 200, 5 * 2 ** 32 + 77, 2 ** 42 - 600])(
    "kernel = twin where words do not settle, from index %s",
    (from) => {
      const words = streamWords(key);
      const seen = { settled: 0, stayed: 0, carried: 0, manyExtras: 0 };
      for (const m of [2 ** 31 + 1, 2 ** 32 - 1, 3 * 2 ** 30, 2 ** 31 - 1]) {
        for (let i = from; i < from + 600; i++) {
          let used = 0;
          const word = words.word(5, i);
          const expected = full.below(word, m, (j) => {
            used = j + 1;
            return words.extra(5, i, j);
          });
          expect([m, i, belowIn(5, i, m)]).toEqual([m, i, expected]);
          if (used === 0) seen.settled++;
          else if (expected === full.high(word, m)) seen.stayed++;
          else seen.carried++;
          if (used > 4) seen.manyExtras++;
        }
      }
      expect(Math.min(seen.settled, seen.stayed, seen.carried)).toBeGreaterThan(100);
      // a fifth extra word is of a second Philox counter
      expect(seen.manyExtras).toBeGreaterThan(5);
    },
  );
});
