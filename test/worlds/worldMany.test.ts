import { expect, test } from "vitest";
import { compareWorld, type Seen } from "./compare.js";

/** Random worlds 100 … 499, compared cell by cell with the twin. */

const seen: Seen = { visits: 0, terrains: 0, placements: 0, contents: 0, walkers: 0, refused: 0 };

test.each(Array.from({ length: 400 }, (_, number) => 100 + number))("world %d", (number) => {
  compareWorld(number, seen);
});

test("few of the worlds cannot be made", () => {
  expect(seen.refused).toBeLessThan(40);
});
