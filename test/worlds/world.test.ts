import { expect, test } from "vitest";
import { IS_SOAK } from "../soak.js";
import { compareWorld, type Seen } from "./compare.js";
import { randomWorld } from "./randomWorld.js";

/** Random worlds and windows of them, compared cell by cell with the twin. */
const WORLDS = IS_SOAK ? 500 : 20;

const seen: Seen = { visits: 0, terrains: 0, placements: 0, contents: 0, fields: 0, walkers: 0, refused: 0 };

test.each(Array.from({ length: WORLDS }, (_, number) => number))("world %d", (number) => {
  compareWorld(randomWorld(number), seen);
});

test("the worlds have something to compare", () => {
  expect(seen.visits).toBeGreaterThan(3_000);
  expect(seen.terrains).toBeGreaterThan(25);
  expect(seen.placements).toBeGreaterThan(700);
  expect(seen.contents).toBeGreaterThan(5);
  expect(seen.walkers).toBeGreaterThan(150);
  expect(seen.refused).toBeLessThan(WORLDS / 8);
});
