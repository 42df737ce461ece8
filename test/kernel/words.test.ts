import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BATCH_RESULTS } from "../../src/kernel/index.js";
import { highProduct, laneStart, philox, streamWords, type TwinKey, wordTwin, xoshiro128pp } from "../oracle/words.js";
import { openKernel, wordIn } from "./open.js";

const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const INDEX_EDGES = [0, 1, 3, 4, 1023, 1024, 1025, 2 ** 32 - 1, 2 ** 32, 2 ** 42 - 1];
const PLANE_EDGES = [0, 1, 15, 16, 2 ** 31, 2 ** 32 - 1];
const index = fc.oneof(fc.constantFrom(...INDEX_EDGES), fc.nat(5000), fc.integer({ min: 0, max: 2 ** 42 - 1 }));
const plane = fc.oneof(fc.constantFrom(...PLANE_EDGES), u32);

describe("the twin's vectors", () => {
  // Random123 1.14, tests/kat_vectors, lines "philox4x32 10"
  test.each([
    ["zeros", [0, 0], [0, 0, 0, 0], "6627e8d5 e169c58d bc57ac4c 9b00dbd8"],
    [
      "ones",
      [0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      "408f276d 41c83b0e a20bc7c6 6d5451fd",
    ],
    [
      "digits of pi",
      [0xa4093822, 0x299f31d0],
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      "d16cfe09 94fdcceb 5001e420 24126ea1",
    ],
  ] as const)("Philox4x32-10: %s", (_, key, counter, words) => {
    expect(philox(key, counter).map((word) => word.toString(16).padStart(8, "0"))).toEqual(words.split(" "));
  });

  test("the high half of a product of two words is that of BigInt, at the ends too", () => {
    const word = fc.oneof(u32, fc.constantFrom(0, 1, 0xffff, 0x10000, 0xd2511f53, 0xcd9e8d57, 2 ** 31, 2 ** 32 - 1));
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(highProduct(a, b)).toBe(Number((BigInt(a) * BigInt(b)) >> 32n));
      }),
      { seed: 20111115, numRuns: 2000 },
    );
  });

  test("Philox4x32-10: the 10,000th output of C++26's std::philox4x32, seed 20111115 ([rand.predef])", () => {
    expect(philox([20111115, 0], [2499, 0, 0, 0])[3]).toBe(1955073260);
  });

  test("xoshiro128++ from 1, 2, 3, 4: the first ten outputs of the authors' C (also rust-random's test)", () => {
    const state = Uint32Array.of(1, 2, 3, 4);
    expect(Array.from({ length: 10 }, () => xoshiro128pp(state))).toEqual([
      641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295, 495546011, 621204420,
    ]);
  });

  test("purposes are FNV-1a of UTF-8: the authors' vectors, and a name beyond ASCII by its bytes", () => {
    // http://www.isthe.com/chongo/src/fnv/test_fnv.c
    expect(["", "a", "b", "foobar"].map(purposeOf)).toEqual([0x811c9dc5, 0xe40c292c, 0xe70c2de5, 0xbf9cf968]);
    const slow = (name: string) =>
      Buffer.from(name, "utf8").reduce(
        (hash, byte) => Number((BigInt(hash ^ byte) * 16777619n) & 0xffff_ffffn),
        0x811c9dc5,
      );
    for (const name of ["Zwergenmühle", "矿坑", "🪓", "land/rivers", "\ud800", "__proto__"]) {
      expect([name, purposeOf(name)]).toEqual([name, slow(name)]);
    }
  });

  test("a key is the first two int32 of seedrandom keyed by the seed's text", () => {
    // seedrandom 3.0.5: g = seedrandom("moria"); [g.int32() >>> 0, g.int32() >>> 0]
    expect(keyOf("moria")).toEqual([2947725710, 2347313629]);
    expect(keyOf(1)).toEqual(keyOf("1"));
    expect(keyOf(10n ** 20n)).toEqual(keyOf("100000000000000000000"));
    expect(keyOf(-0)).toEqual(keyOf("0"));
    expect(keyOf("")).not.toEqual(keyOf("0"));
  });
});

describe("kernel = twin, word for word", () => {
  const key = keyOf("moria");

  test("every edge of index and plane", () => {
    const kernel = openKernel(key);
    for (const p of PLANE_EDGES) {
      for (const i of INDEX_EDGES) {
        for (const purpose of [0, 2 ** 32 - 1, purposeOf("loot")]) {
          expect([p, i, wordIn(kernel, purpose, p, i)]).toEqual([p, i, wordTwin(key, purpose, p, i)]);
        }
      }
    }
  });

  test("any key, any address", () => {
    fc.assert(
      fc.property(u32, u32, u32, plane, index, (k0, k1, purpose, p, i) => {
        const other: TwinKey = [k0, k1];
        expect(wordIn(openKernel(other), purpose, p, i)).toBe(wordTwin(other, purpose, p, i));
      }),
      { seed: 30101, numRuns: 60 },
    );
  });

  test("half-filled blocks go on in any order of planes, blocks, purposes and offsets", () => {
    const kernel = openKernel(key);
    const purposes = [purposeOf("a"), purposeOf("b")].map((purpose) => [purpose, streamWords(key, purpose)] as const);
    // planes 0, 16 and 32 share a slot of the kernel's cache, so they push one another out
    const address = fc.tuple(fc.nat(1), fc.constantFrom(0, 1, 16, 32, 2 ** 32 - 16), fc.nat(2), fc.nat(1023));
    fc.assert(
      fc.property(fc.array(address, { minLength: 10, maxLength: 60 }), (addresses) => {
        for (const [which, p, block, offset] of addresses) {
          const [purpose, words] = purposes[which];
          const i = block * 1024 + offset;
          expect(wordIn(kernel, purpose, p, i)).toBe(words.word(p, i));
        }
      }),
      { seed: 30102, numRuns: 60 },
    );
  });

  test("a new key forgets the words of the old one", () => {
    const kernel = openKernel([1, 2]);
    expect(wordIn(kernel, 7, 0, 5)).toBe(wordTwin([1, 2], 7, 0, 5));
    kernel.call((exports) => exports.setKey(3, 4));
    expect(wordIn(kernel, 7, 0, 5)).toBe(wordTwin([3, 4], 7, 0, 5));
  });

  test("a bulk fill is the single words: any first block, any length, the last block in part", () => {
    const kernel = openKernel(key);
    const single = openKernel(key);
    const block = fc.oneof(fc.nat(3), fc.constantFrom(2 ** 22 - 1, 2 ** 32 - 8));
    const end = fc.oneof(fc.integer({ min: 1, max: 4100 }), fc.constantFrom(1, 4, 5, 1023, 1024, 1025, 4096));
    fc.assert(
      fc.property(u32, plane, block, end, (purpose, p, first, count) => {
        kernel.call((exports) => exports.fillWindow(purpose, p, first, count));
        const filled = kernel.u32(kernel.window, count).slice();
        for (const i of [0, 1, 2, 3, 1022, 1023, 1024, 1027, 2048, count - 2, count - 1]) {
          if (i < 0 || i >= count) continue;
          expect([i, filled[i]]).toEqual([i, wordIn(single, purpose, p, first * 1024 + i)]);
        }
      }),
      { seed: 30103, numRuns: 60 },
    );
  });

  test("a window's whole length is the twin's blocks", () => {
    const kernel = openKernel(key);
    const count = BATCH_RESULTS;
    kernel.call((exports) => exports.fillWindow(9, 3, 2, count));
    const { word } = streamWords(key, 9);
    expect(kernel.u32(kernel.window, count).slice()).toEqual(
      Uint32Array.from({ length: count }, (_, i) => word(3, 2048 + i)),
    );
  });
});

describe("the lane start that would stay zero for ever", () => {
  // Philox is a bijection, so the counter that gives four zeros is found by running it backwards; among the keys (k, 0)
  // only these three have it on a lane's counter (a search over all k).
  test.each([
    [1908138023, 2, 124976758, 3764386047, 3403441670],
    [2257790483, 1, 3001532084, 2434846031, 1385090301],
    [4263011346, 2, 3134312608, 2552446338, 1966760941],
  ])("key %s, lane %s starts from 1, 2, 3, 4", (k0, lane, block, p, purpose) => {
    const key: TwinKey = [k0, 0];
    expect(philox(key, [lane, block, p, purpose])).toEqual([0, 0, 0, 0]);
    expect([...laneStart(key, { purpose, plane: p, block, lane })]).toEqual([1, 2, 3, 4]);
    const kernel = openKernel(key);
    const single = Array.from({ length: 1024 }, (_, i) => wordIn(kernel, purpose, p, block * 1024 + i));
    const { word } = streamWords(key, purpose);
    expect(single).toEqual(Array.from({ length: 1024 }, (_, i) => word(p, block * 1024 + i)));
    expect([0, 1, 2].map((i) => single[4 * i + lane])).toEqual([641, 1573767, 3222811527]);
    // first, second and last block of a fill
    for (const before of [0, 1, 3]) {
      kernel.call((exports) => exports.fillWindow(purpose, p, block - before, (before + 1) * 1024));
      expect([...kernel.u32(kernel.window, (before + 1) * 1024).subarray(before * 1024)]).toEqual(single);
    }
  });
});
