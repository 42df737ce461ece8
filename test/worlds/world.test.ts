import { expect, test } from "vitest";
import { compareWorld, type Seen } from "./compare.js";

/** A hundred random worlds and windows of them, compared cell by cell with the twin; worldMany.test.ts has more. */

const seen: Seen = { visits: 0, terrains: 0, placements: 0, contents: 0, walkers: 0, refused: 0 };

test.each(Array.from({ length: 100 }, (_, number) => number))("world %d", (number) => {
  compareWorld(number, seen);
});

test("the worlds have something to compare", () => {
  expect(seen.visits).toBeGreaterThan(20_000);
  expect(seen.terrains).toBeGreaterThan(150);
  expect(seen.placements).toBeGreaterThan(5_000);
  expect(seen.contents).toBeGreaterThan(50);
  expect(seen.walkers).toBeGreaterThan(1000);
  expect(seen.refused).toBeLessThan(10);
});
