import { describe, expect, test } from "vitest";
import { forkKey, type StreamKey } from "../../src/address.js";
import { halvesOf } from "../../src/calls/index.js";
import type { Kernel } from "../../src/kernel/index.js";
import { keyIn, openKernel } from "../kernel/open.js";
import { IS_SOAK } from "../soak.js";
import { failures, LENGTH, type Sheet, STREAMS, sheetOf } from "./interleaved.js";

/** A sheet of the kernel's words, a stream at a time. */
function kernelSheet(words: (kernel: Kernel, stream: number) => Uint32Array): Sheet {
  const kernel = openKernel();
  return sheetOf((s) => {
    const list = words(kernel, s).slice();
    let t = 0;
    return () => list[t++];
  });
}

/** Words 0 … LENGTH − 1 from a block on. */
function fill(kernel: Kernel, key: StreamKey, plane: number, block = 0): Uint32Array {
  kernel.run(key, (exports) => exports.fillWindow(...halvesOf(plane), block, LENGTH));
  return kernel.u32(kernel.window, LENGTH);
}

const loot = keyIn("statistics", "loot");

/** The key of a fork of a fork …, `depth` deep, each by the text "next". */
function lineage(depth: number): StreamKey {
  const keys = LINEAGE;
  while (keys.length <= depth) keys.push(forkKey(keys[keys.length - 1], "next"));
  return keys[depth];
}

const LINEAGE: StreamKey[] = [loot];

describe("16 MiB of words by address are independent", () => {
  const sheets: [string, (kernel: Kernel, stream: number) => Uint32Array][] = [
    ["planes 0 … 1,023: the walkers of a walk, the hops of a table", (kernel, s) => fill(kernel, loot, s)],
    ["planes from 2^32 − 1 down", (kernel, s) => fill(kernel, loot, 2 ** 32 - 1 - s)],
    ["planes 2^32 apart", (kernel, s) => fill(kernel, loot, s * 2 ** 32)],
    ["1,024 names that differ in a number", (kernel, s) => fill(kernel, keyIn("statistics", `list ${s}`), 0)],
    ["keys that differ in their low bits", (kernel, s) => fill(kernel, { k0: s, k1: 0 }, 0)],
    ["keys that differ in their high bits", (kernel, s) => fill(kernel, { k0: 0, k1: s << 22 }, 0)],
    ["1,024 forks by an integer", (kernel, s) => fill(kernel, forkKey(loot, s), 0)],
    ["1,024 forks by a pair", (kernel, s) => fill(kernel, forkKey(loot, [(s & 31) - 16, (s >> 5) - 16]), 0)],
    ["forks of forks, 1,024 deep", (kernel, s) => fill(kernel, lineage(s), 0)],
    ["consecutive stretches of one plane", (kernel, s) => fill(kernel, loot, 0, (s * LENGTH) / 1024)],
    ["stretches 2^32 indices apart", (kernel, s) => fill(kernel, loot, 0, s * 2 ** 22)],
    ["1,024 seeds that differ in a number", (kernel, s) => fill(kernel, keyIn(s, "loot"), 0)],
    ["1,024 seeds that repeat a digit", (kernel, s) => fill(kernel, keyIn("1".repeat(s + 1), "loot"), 0)],
    [
      "the first words of a million blocks",
      (kernel, s) =>
        Uint32Array.from({ length: LENGTH }, (_, t) =>
          kernel.run(loot, (exports) => exports.wordOf(3, 0, Math.floor(t / 4) * STREAMS + s, t % 4)),
        ),
    ],
    [
      "extra words beside neighbouring words, as below(2^32 − 1) takes them",
      (kernel, s) =>
        Uint32Array.from({ length: LENGTH }, (_, t) => {
          const [block, offset] = [s * 4 + (t >> 10), t & 1023];
          return kernel.run(loot, (exports) => exports.belowOf(9, 0, block, offset, 2 ** 32 - 1));
        }),
    ],
  ];
  // every second sheet in CI: a sheet takes two seconds
  test.each(sheets.filter((_, s) => IS_SOAK || s % 2 === 0))("%s", (_, words) =>
    expect(failures(kernelSheet(words))).toEqual([]),
  );
});

describe("the same tests catch generators whose streams are not", () => {
  test("mulberry32 by seed", () => {
    const sheet = sheetOf((seed) => {
      let a = seed;
      return () => {
        a = (a + 0x6d2b79f5) | 0;
        let t = Math.imul(a ^ (a >>> 15), 1 | a);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return t ^ (t >>> 14);
      };
    });
    expect(failures(sheet)).toContain("collisions");
  });

  test("xorshift32 by seed", () => {
    const sheet = sheetOf((seed) => {
      let x = seed + 1;
      return () => {
        x ^= x << 13;
        x ^= x >>> 17;
        x ^= x << 5;
        return x;
      };
    });
    expect(failures(sheet)).toEqual(expect.arrayContaining(["pairs of top bytes 1 apart", "bits in common 1 apart"]));
  });

  test("PCG32 by increment", () => {
    const step = 6364136223846793005n;
    const sheet = sheetOf((stream) => {
      const increment = BigInt(2 * stream + 1);
      let state = BigInt.asUintN(64, (increment + 42n) * step + increment);
      return () => {
        const word = Number((((state >> 18n) ^ state) >> 27n) & 0xffff_ffffn);
        const turn = Number(state >> 59n);
        state = BigInt.asUintN(64, state * step + increment);
        return (word >>> turn) | (word << (-turn & 31));
      };
    });
    expect(failures(sheet)).toContain("bits in common 1 apart");
  });

  test("a stream beside itself", () => {
    const sheet = kernelSheet((kernel, s) => fill(kernel, loot, s >> 1));
    expect(failures(sheet).length).toBeGreaterThan(2);
  });
});
