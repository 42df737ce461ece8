import { describe, expect, test } from "vitest";
import { bytesOf, type MadeRegion, RegionCache } from "../../src/worlds/cache.js";

/** The cache of regions keeps within its bytes, and drops the region that was used least recently. */

function region(cells: number): MadeRegion {
  const terrain = new Uint8Array(cells);
  return { terrain, placements: [], visits: new Map(), firstVisits: new Map(), contents: undefined };
}

const SIZE = bytesOf(region(1000));

describe("a cache of regions", () => {
  test("has at most its bytes", () => {
    const cache = new RegionCache(() => 3 * SIZE);
    for (let key = 0; key < 10; key++) {
      cache.set(key, region(1000));
      expect(cache.bytes).toBe(Math.min(3, key + 1) * SIZE);
    }
    expect([6, 7, 8, 9].map((key) => cache.has(key))).toEqual([false, true, true, true]);
  });

  test("drops the region that was used least recently", () => {
    const cache = new RegionCache(() => 2 * SIZE);
    cache.set(1, region(1000));
    cache.set(2, region(1000));
    expect(cache.get(1)).toBeDefined();
    cache.set(3, region(1000));
    expect([1, 2, 3].map((key) => cache.has(key))).toEqual([true, false, true]);
  });

  test("keeps the last region even if it is too large, and counts regions that grow", () => {
    const cache = new RegionCache(() => 2 * SIZE);
    cache.set(1, region(1000));
    const grown = region(1000);
    cache.set(2, grown);
    grown.visits.set(0, new Uint32Array(5000));
    cache.grown(2, 20_000);
    expect([cache.size, cache.bytes, cache.has(2)]).toEqual([1, bytesOf(grown), true]);
    cache.grown(7, 20_000);
    expect(cache.bytes).toBe(bytesOf(grown));
    cache.set(3, region(1000));
    expect([cache.size, cache.bytes]).toEqual([1, SIZE]);
    cache.clear();
    expect([cache.size, cache.bytes]).toEqual([0, 0]);
  });
});
