import { expect, test } from "vitest";
import { byteCache } from "../../src/jobs/tasks/byteCache.js";

/** Opens a cache of 10 bytes whose values are sizes. `use` returns the keys that it makes. */
function openCache(): (uses: Readonly<Record<string, number>>) => string[] {
  const cache = byteCache<number>(10, (size) => size);
  return (uses) => {
    const made: string[] = [];
    for (const [key, size] of Object.entries(uses)) {
      const value = cache(key, () => {
        made.push(key);
        return size;
      });
      expect(value).toBe(size);
    }
    return made;
  };
}

test("a cache drops what was used least recently, and only while it has too many bytes", () => {
  const use = openCache();
  expect(use({ a: 4, b: 4, c: 2 })).toEqual(["a", "b", "c"]);
  // 12 bytes with d: b goes, because a was used after it
  expect(use({ a: 4, d: 2, c: 2 })).toEqual(["d"]);
  expect(use({ a: 4, b: 4 })).toEqual(["b"]);
});

test("a cache keeps the last value even if it is too large", () => {
  const use = openCache();
  expect(use({ a: 4, b: 11 })).toEqual(["a", "b"]);
  expect(use({ b: 11 })).toEqual([]);
  expect(use({ a: 4 })).toEqual(["a"]);
  expect(use({ a: 4, c: 6 })).toEqual(["c"]);
  expect(use({ a: 4, c: 6 })).toEqual([]);
});
