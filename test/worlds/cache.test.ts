import { describe, expect, test } from "vitest";
import { type MadePart, type MadeRegion, RegionCache } from "../../src/worlds/regions.js";

/** The cache of regions keeps within its bytes, and drops the part that was used least recently. */

const SIZE = 1000;

/** A part of regions with these keys. */
function part(...keys: readonly number[]): MadePart {
  const terrain = { cells: new Uint8Array(0), at: 0, stride: 256 };
  const region = (key: number): MadeRegion => ({ i: 0, j: key, terrain, placements: [], contents: undefined });
  return { regions: new Map(keys.map((key) => [key, region(key)])), bytes: SIZE };
}

const sizeOf = (cache: RegionCache) => [1, 2, 3, 4, 5, 6, 7].filter((key) => cache.has(key)).length;
const inside = (cache: RegionCache, keys: readonly number[]) => keys.map((key) => cache.get(key)?.j === key);

describe("a cache of regions", () => {
  test("has at most its bytes", () => {
    const cache = new RegionCache(() => 3 * SIZE);
    for (let key = 0; key < 10; key++) {
      cache.add(part(key));
      expect(cache.bytes).toBe(Math.min(3, key + 1) * SIZE);
    }
    expect(inside(cache, [6, 7, 8, 9])).toEqual([false, true, true, true]);
  });

  test("drops the part that was used least recently, with all its regions", () => {
    const cache = new RegionCache(() => 2 * SIZE);
    cache.add(part(1, 2));
    cache.add(part(3, 4));
    expect(cache.get(2)?.j).toBe(2);
    cache.add(part(5));
    expect(inside(cache, [1, 2, 3, 4, 5])).toEqual([true, true, false, false, true]);
    expect([sizeOf(cache), cache.bytes]).toEqual([3, 2 * SIZE]);
  });

  test("keeps the last part even if it is too large, and counts regions that grow", () => {
    const cache = new RegionCache(() => 2 * SIZE);
    cache.add(part(1));
    cache.add(part(2));
    cache.grown(2, 5 * SIZE);
    expect([sizeOf(cache), cache.bytes]).toEqual([1, 6 * SIZE]);
    cache.grown(7, SIZE);
    expect(cache.bytes).toBe(6 * SIZE);
    cache.add(part(3));
    expect([sizeOf(cache), cache.bytes]).toEqual([1, SIZE]);
    cache.clear();
    expect([sizeOf(cache), cache.bytes]).toEqual([0, 0]);
  });
});
