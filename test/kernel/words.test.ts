import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ForkId, forkKey, nameKey, type Seed, type StreamKey, seedKey, startsKey } from "../../src/address.js";
import { halvesOf } from "../../src/calls/index.js";
import { BATCH_RESULTS } from "../../src/kernel/index.js";
import {
  blockWords,
  forkTwin,
  highProduct,
  laneStart,
  nameTwin,
  philox,
  seedKeyTwin,
  startsKeyTwin,
  streamKey,
  streamWords,
  type TwinKey,
  wordTwin,
  xoshiro128pp,
} from "../oracle/words.js";
import { refusalOf } from "../refusal.js";
import { keyIn, keyOfTwin, openKernel, wordIn } from "./open.js";

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
});

describe("keys", () => {
  const textOf = ({ k0, k1 }: StreamKey) => `${k0 >>> 0} ${k1 >>> 0}`;
  const distinct = (seeds: readonly Seed[]) => new Set(seeds.map((seed) => textOf(seedKey(seed)))).size;
  const kernel = openKernel();
  /** Words of a stream by the kernel and by the twin, which must agree. */
  const wordsOf = (key: StreamKey, twin: TwinKey, [plane, index, count]: readonly [number, number, number]) => {
    expect(textOf(key)).toBe(twin.join(" "));
    const at = { high: Math.floor(plane / 2 ** 32), plane: plane % 2 ** 32 };
    return Array.from({ length: count }, (_, i) => {
      const word = wordIn(kernel, twin, { ...at, index: index + i });
      expect(word).toBe(streamWords(twin).word(plane, index + i));
      return word;
    });
  };

  test.each<[string, readonly [number, number, number], StreamKey, TwinKey, readonly number[]]>([
    [
      "a name",
      [2, 1020, 4],
      keyIn("moria", "loot"),
      streamKey("moria", "loot"),
      [4045842433, 3576891522, 180445478, 334943498],
    ],
    [
      "a fork by a text",
      [0, 0, 3],
      forkKey(keyIn("moria", "loot"), "player/7"),
      forkTwin(streamKey("moria", "loot"), "player/7"),
      [2154524513, 1661645364, 418228369],
    ],
    [
      "a fork by a pair, forked by an integer",
      [2 ** 32 + 2, 5, 2],
      forkKey(forkKey(keyIn("moria", "loot"), [-1, 2]), -5),
      forkTwin(forkTwin(streamKey("moria", "loot"), [-1, 2]), -5n),
      [1936450523, 1536235962],
    ],
    ["a seed beyond ASCII", [0, 0, 2], keyIn("☃", "a"), streamKey("☃", "a"), [2649142603, 152138404]],
    ["seed 1", [0, 0, 2], keyIn("1", "a"), streamKey("1", "a"), [2357897744, 1886701105]],
    ["seed 11", [0, 0, 2], keyIn("11", "a"), streamKey("11", "a"), [3369889510, 4121749072]],
    [
      "a seed and a name of several chunks",
      [0, 5_000_000, 3],
      keyIn("the mines of moria", "caverns/of/the/deep"),
      streamKey("the mines of moria", "caverns/of/the/deep"),
      [1405183725, 3561593907, 1711956278],
    ],
    [
      "the last indices of a plane above 2^33",
      [2 ** 33 + 7, 2 ** 42 - 2, 2],
      keyIn("moria", "loot"),
      streamKey("moria", "loot"),
      [2770695561, 1671042138],
    ],
    [
      "a name in a fork of the mill",
      [0, 0, 3],
      nameKey(forkKey(seedKey("moria"), "save 1"), "loot"),
      nameTwin(forkTwin(seedKeyTwin("moria"), "save 1"), "loot"),
      [1556534894, 1294840801, 2681299646],
    ],
    [
      "the rows of starts",
      [0, 3, 1],
      startsKey(keyIn("moria", "land/rivers")),
      startsKeyTwin(streamKey("moria", "land/rivers")),
      [3183974873],
    ],
    [
      "the columns of starts",
      [1, 3, 1],
      startsKey(keyIn("moria", "land/rivers")),
      startsKeyTwin(streamKey("moria", "land/rivers")),
      [2607625539],
    ],
    ["the empty seed", [0, 0, 2], keyIn("", "a"), streamKey("", "a"), [2411781765, 3762281735]],
    [
      "a lone surrogate in a name, which is U+FFFD",
      [0, 0, 2],
      keyIn("moria", "\ud800x"),
      streamKey("moria", "\ufffdx"),
      [661869965, 2002132549],
    ],
    [
      "a fork by the largest safe integer",
      [0, 0, 2],
      forkKey(keyIn("moria", "loot"), 2 ** 53 - 1),
      forkTwin(streamKey("moria", "loot"), 2n ** 53n - 1n),
      [828564109, 3213690173],
    ],
  ])("the check values of stream 2: %s", (_, place, key, twin, words) => {
    expect(wordsOf(key, twin, place)).toEqual(words);
  });

  test("the check values of stream 2: extra words", () => {
    const { extra } = streamWords(streamKey("moria", "loot"));
    expect([0, 1, 2, 3, 4, 5].map((i) => extra(2, 2 ** 32 + 9, i))).toEqual([
      4261806718, 2084972750, 3205509561, 822565897, 2670453789, 285169779,
    ]);
  });

  test("a seed stands for its text", () => {
    expect(seedKey(1)).toEqual(seedKey("1"));
    expect(seedKey(10n ** 20n)).toEqual(seedKey("100000000000000000000"));
    expect(seedKey(-0)).toEqual(seedKey("0"));
    expect(seedKey("\ud800")).toEqual(seedKey("\ufffd"));
    expect(seedKey("")).not.toEqual(seedKey("0"));
  });

  test("texts that ARC4 does not tell apart have different keys", () => {
    // a repeated text
    const repeated = ["1", "a", "moria"].flatMap((text) => Array.from({ length: 60 }, (_, i) => text.repeat(i + 1)));
    // characters with the same low byte
    const chinese = Array.from({ length: 0x9fff - 0x4e00 }, (_, i) => String.fromCharCode(0x4e00 + i));
    const astral = Array.from({ length: 1000 }, (_, i) => String.fromCodePoint(0x20000 + 256 * i));
    // beyond 256 bytes, ARC4 mixes the text into one key of 256 bytes
    const long = Array.from({ length: 600 }, (_, i) => "x".repeat(i + 100));
    const apart = Array.from({ length: 600 }, (_, i) => `${"y".repeat(i)}z${"y".repeat(600 - i)}`);
    const seeds = ["", ...repeated, ...chinese, ...astral, ...long, ...apart];
    expect(distinct(seeds)).toBe(new Set(seeds).size);
    expect(distinct([1, 11, 111, 1111, "moria", "moriamoria"])).toBe(6);
  });

  test("padding of the last chunk does not make texts equal", () => {
    const texts = Array.from({ length: 20 }, (_, i) => "\0".repeat(i));
    const mill = seedKey("moria");
    expect(new Set(texts.map((text) => textOf(nameKey(mill, text)))).size).toBe(20);
    expect(new Set(texts.map((text) => textOf(forkKey(mill, text)))).size).toBe(20);
    expect(distinct(texts)).toBe(20);
  });

  test("equal ids of forks have equal keys, and all others different ones", () => {
    const key = keyIn("moria", "loot");
    const forkText = (id: ForkId) => textOf(forkKey(key, id));
    expect(forkText(-0)).toBe(forkText(0));
    expect(forkText(5n)).toBe(forkText(5));
    expect(forkText(-5n)).toBe(forkText(-5));
    expect(forkText([-0, 0])).toBe(forkText([0, 0]));
    expect(forkText("\ud800")).toBe(forkText("\ufffd"));
    const texts = ["", "0", "5", "-5", "0,0", "1,0", "\u0005", "\u0005\0\0\0\0\0\0\0"];
    const numbers = [0, 5, -5, 1, -1, 2 ** 32, 2 ** 32 + 5, -(2 ** 32), 2 ** 53 - 1, 1 - 2 ** 53];
    const large = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n, 2n ** 62n];
    const ids: ForkId[] = [...texts, ...numbers, ...large];
    const pairs = [-(2 ** 31), -1, 0, 1, 5, 2 ** 31 - 1].flatMap((a) => [0, 1, -1].map((b): ForkId => [a, b]));
    const all = [...ids.map(forkText), ...pairs.map(forkText), textOf(startsKey(key)), textOf(key)];
    expect(new Set(all).size).toBe(ids.length + pairs.length + 2);
  });

  test("a fork by any integer or pair is the fold of its bytes", () => {
    const key = streamKey("moria", "loot");
    const i32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
    const equal = (id: ForkId, twin: Parameters<typeof forkTwin>[1]) =>
      expect(textOf(forkKey(keyOfTwin(key), id))).toBe(forkTwin(key, twin).join(" "));
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.maxSafeInteger(),
        i32,
        i32,
        (n, m, a, b) => {
          equal(n, n);
          equal(m, BigInt(m));
          equal([a, b], [a, b]);
        },
      ),
      { seed: 30104, numRuns: 300 },
    );
  });

  test("names and forks by any text are the fold of its bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        expect(textOf(keyIn(text, text))).toBe(streamKey(text, text).join(" "));
        expect(textOf(forkKey(seedKey(text), text))).toBe(forkTwin(seedKeyTwin(text), text).join(" "));
      }),
      { seed: 30105, numRuns: 300 },
    );
  });

  test.each([
    [1.5, "argument.range"],
    [2 ** 53, "argument.range"],
    [Number.NaN, "argument.range"],
    [2n ** 63n, "argument.range"],
    [-(2n ** 63n) - 1n, "argument.range"],
    [[1], "argument.range"],
    [[1, 2, 3], "argument.range"],
    [[1, 2 ** 31], "argument.range"],
    [[0.5, 0], "argument.range"],
    [["1", 2], "argument.range"],
    [undefined, "argument.type"],
    [null, "argument.type"],
    [true, "argument.type"],
    [{}, "argument.type"],
  ])("%s is not the id of a fork", (id, code) => {
    expect(refusalOf(() => forkKey(seedKey("moria"), id as ForkId)).code).toBe(code);
  });
});

describe("kernel = twin, word for word", () => {
  const key = streamKey("moria", "loot");

  test("every edge of index and plane", () => {
    const kernel = openKernel();
    for (const plane of PLANE_EDGES) {
      for (const index of INDEX_EDGES) {
        for (const high of [0, 1, 2 ** 31, 2 ** 32 - 1]) {
          const word = wordIn(kernel, key, { high, plane, index });
          expect([high, plane, index, word]).toEqual([high, plane, index, wordTwin(key, high, plane, index)]);
        }
      }
    }
  });

  test("any key, any address", () => {
    const kernel = openKernel();
    fc.assert(
      fc.property(u32, u32, u32, plane, index, (k0, k1, high, p, i) => {
        expect(wordIn(kernel, [k0, k1], { high, plane: p, index: i })).toBe(wordTwin([k0, k1], high, p, i));
      }),
      { seed: 30101, numRuns: 60 },
    );
  });

  test("each word of a block, if nothing else is read from the block", () => {
    const kernel = openKernel();
    const { word } = streamWords(key);
    // all blocks share one slot of the kernel's cache
    for (let i = 0; i < 1024; i++) {
      const index = i * 1024 + i;
      expect([index, wordIn(kernel, key, { high: 0, plane: 0, index })]).toEqual([index, word(0, index)]);
    }
  });

  test("half-filled blocks go on in any order of planes, blocks, streams and offsets", () => {
    const kernel = openKernel();
    const twins = ["a", "b"].map((name) => {
      const twin = streamKey("moria", name);
      return { twin, key: keyOfTwin(twin), words: streamWords(twin) };
    });
    // planes 0, 16 and 32 share a slot of the kernel's cache, so they push one another out
    const address = fc.tuple(
      fc.nat(1),
      fc.constantFrom(0, 1, 16, 32, 2 ** 32 - 16, 2 ** 32, 2 ** 33 + 16),
      fc.nat(2),
      fc.nat(1023),
    );
    fc.assert(
      fc.property(fc.array(address, { minLength: 10, maxLength: 60 }), (addresses) => {
        for (const [which, p, block, offset] of addresses) {
          const { key: stream, words } = twins[which];
          const word = kernel.run(stream, (exports) => exports.wordOf(...halvesOf(p), block, offset)) >>> 0;
          expect(word).toBe(words.word(p, block * 1024 + offset));
        }
      }),
      { seed: 30102, numRuns: 60 },
    );
  });

  test("a new stream forgets the words of the old one", () => {
    const kernel = openKernel();
    const at = { high: 0, plane: 0, index: 5 };
    expect(wordIn(kernel, [1, 2], at)).toBe(wordTwin([1, 2], 0, 0, 5));
    expect(wordIn(kernel, [3, 4], at)).toBe(wordTwin([3, 4], 0, 0, 5));
    expect(wordIn(kernel, [1, 4], at)).toBe(wordTwin([1, 4], 0, 0, 5));
    expect(wordIn(kernel, [1, 2], at)).toBe(wordTwin([1, 2], 0, 0, 5));
  });

  test("a bulk fill is the single words: any first block, any length, the last block in part", () => {
    const kernel = openKernel();
    const single = openKernel();
    const block = fc.oneof(fc.nat(3), fc.constantFrom(2 ** 22 - 1, 2 ** 32 - 8));
    const end = fc.oneof(fc.integer({ min: 1, max: 4100 }), fc.constantFrom(1, 4, 5, 1023, 1024, 1025, 4096));
    fc.assert(
      fc.property(u32, plane, block, end, (high, p, first, count) => {
        kernel.run(keyOfTwin(key), (exports) => exports.fillWindow(p, high, first, count));
        const filled = kernel.u32(kernel.window, count).slice();
        for (const i of [0, 1, 2, 3, 1022, 1023, 1024, 1027, 2048, count - 2, count - 1]) {
          if (i < 0 || i >= count) continue;
          const word = wordIn(single, key, { high, plane: p, index: first * 1024 + i });
          expect([i, filled[i]]).toEqual([i, word]);
        }
      }),
      { seed: 30103, numRuns: 60 },
    );
  });

  test("a window's whole length is the twin's blocks", () => {
    const kernel = openKernel();
    const count = BATCH_RESULTS;
    kernel.run(keyOfTwin(key), (exports) => exports.fillWindow(3, 9, 2, count));
    const { word } = streamWords(key);
    expect(kernel.u32(kernel.window, count).slice()).toEqual(
      Uint32Array.from({ length: count }, (_, i) => word(9 * 2 ** 32 + 3, 2048 + i)),
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
  ])("key %s, lane %s starts from 1, 2, 3, 4", (k0, lane, block, p, high) => {
    const key: TwinKey = [k0, 0];
    expect(philox(key, [lane, block, p, high])).toEqual([0, 0, 0, 0]);
    expect([...laneStart(key, { high, plane: p, block, lane })]).toEqual([1, 2, 3, 4]);
    const kernel = openKernel();
    const single = Array.from({ length: 1024 }, (_, i) =>
      wordIn(kernel, key, { high, plane: p, index: block * 1024 + i }),
    );
    expect(single).toEqual([...blockWords(key, high, p, block)]);
    expect([0, 1, 2].map((i) => single[4 * i + lane])).toEqual([641, 1573767, 3222811527]);
    const alone = [0, 1, 2].map((i) =>
      wordIn(openKernel(), key, { high, plane: p, index: block * 1024 + 4 * i + lane }),
    );
    expect(alone).toEqual([641, 1573767, 3222811527]);
    // first, second and last block of a fill
    for (const before of [0, 1, 3]) {
      kernel.run(keyOfTwin(key), (exports) => exports.fillWindow(p, high, block - before, (before + 1) * 1024));
      expect([...kernel.u32(kernel.window, (before + 1) * 1024).subarray(before * 1024)]).toEqual(single);
    }
  });
});
