import { describe, expect, test } from "vitest";
import { IS_SOAK } from "../soak.js";
import { compareWorld, type Seen } from "./compare.js";
import { slopeWorld } from "./slopeWorlds.js";

describe("random worlds whose layers read fields", () => {
  const seen: Seen = { visits: 0, terrains: 0, placements: 0, contents: 0, fields: 0, walkers: 0, refused: 0 };
  const worlds = Array.from({ length: IS_SOAK ? 700 : 12 }, (_, number) => slopeWorld(number) ?? []).flat();

  test.each(worlds.map((given, k) => [k, given] as const))("world %d is that of the twin", (_, given) => {
    compareWorld(given, seen);
  });

  test("have something to compare", () => {
    expect(worlds.length).toBeGreaterThan(5);
    expect(seen.visits).toBeGreaterThan(1000);
    expect(seen.walkers).toBeGreaterThan(1000);
    expect(seen.refused).toBe(0);
  });
});
