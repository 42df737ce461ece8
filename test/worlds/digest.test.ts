import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { FILE_NAMES, parseObjects } from "../../src/objects/index.js";
import { overlap } from "../../src/walks/rectangles.js";
import { digestOfRegions, digestsOf } from "../../src/worlds/digest.js";
import type { WorldInput } from "../../src/worlds/index.js";
import { Workspace } from "../../src/worlds/workspace.js";
import { codeOf } from "../refusal.js";

const KEYS = ["object", "objectBase", "egoItem", "artifact"] as const;
const read = (key: (typeof KEYS)[number]) =>
  readFileSync(new URL(`../../examples/hoard/${FILE_NAMES[key]}`, import.meta.url), "utf8");
const [object, objectBase, egoItem, artifact] = KEYS.map(read);

/** Returns the digest of a world whose objects were read from files in a folder. */
function digestWith(folder: string, level: number): string {
  const files = Object.fromEntries(KEYS.map((key) => [key, `${folder}/${FILE_NAMES[key]}`]));
  const { spec: hoard } = parseObjects({ object, objectBase, egoItem, artifact }, { files });
  if (hoard === undefined) throw new Error("the files have errors");
  const world: WorldInput = {
    layers: [{ name: "land" }],
    terrain: [{ terrain: "land" }],
    placements: [{ name: "chest", density: "1/50", content: { objects: "hoard", level } }],
    objects: { hoard },
  };
  return createMill({ seed: "moria" }).world("land", world).digest({ row0: 0, col0: 0, rows: 40, cols: 40 });
}

test("a digest depends on the objects, and not on the folder of their files", () => {
  expect(digestWith("a", 30)).toBe(digestWith("b/c", 30));
  expect(digestWith("a", 30)).not.toBe(digestWith("a", 60));
});

const HILLS: WorldInput = {
  layers: [{ name: "hills", steps: 3, scatter: { side: 64, walkers: 9 }, firstVisit: true }],
  terrain: [{ terrain: "hill", when: { hills: { within: 2 } } }, { terrain: "plain" }],
  placements: [{ name: "ore", density: "1/20", distance: 2 }],
};

test("regions that are made together have the digest of regions that are made alone", () => {
  using world = createMill({ seed: "moria" }).world("land", HILLS);
  // regions −2 … 4 in rows and −5 … 1 in columns: several parts of 4 × 4 regions, most of them not whole
  const rectangle = { row0: -300, col0: -1100, rows: 1500, cols: 1500 };
  const alone = createMill({ seed: "moria" }).world("land", HILLS);
  const digests = [-2, -1, 0, 1, 2, 3, 4].flatMap((i) =>
    [-5, -4, -3, -2, -1, 0, 1].flatMap((j) => {
      const cells = overlap(rectangle, { row0: i * 256, col0: j * 256, rows: 256, cols: 256 });
      return digestsOf(cells, alone.byRegion(cells, { visits: ["hills"] }, new Workspace()));
    }),
  );
  expect(world.digest({ row0: -300, col0: -1100, rows: 1500, cols: 1500 })).toBe(digestOfRegions(digests));
});

test("a digest hashes visits, large counts, first visits and terrain, region by region", () => {
  const world = createMill({ seed: "moria" }).world("land", {
    layers: [{ name: "land", preset: "uniform", walkers: 400, steps: 3000, firstVisit: true }],
    terrain: [{ terrain: "land", when: { land: { visits: [1, null] } } }, { terrain: "sea" }],
  });
  // four regions, around the cell on which the walkers start
  const corners = [-1, 0].flatMap((i) => [-1, 0].map((j) => ({ i, j })));
  const digests = corners.map(({ i, j }) => {
    const window = world.window({ row0: 30 * i, col0: 40 * j, rows: 30, cols: 40 }, { visits: ["land"] });
    const visits = window.visits("land");
    const large = visits.filter((count) => count >= 255);
    expect(large.length).toBeGreaterThan(0);
    const hash = createHash("sha256").update(Uint8Array.from(visits, (count) => Math.min(count, 255)));
    for (const numbers of [large, window.firstVisits("land")]) hash.update(new Uint8Array(numbers.buffer));
    return { i, j, digest: hash.update(window.terrain).digest("hex") };
  });
  expect(world.digest({ row0: -30, col0: -40, rows: 60, cols: 80 })).toBe(digestOfRegions(digests));
});

test("maxRegions applies to each region alone", () => {
  const digest = (maxRegions?: number) =>
    createMill({ seed: "moria" })
      .world("land", HILLS, { maxRegions })
      .digest({ row0: 0, col0: 0, rows: 700, cols: 700 });
  // the cells 0 … 255 and 7 more on each side: regions −1 … 4 in rows and columns
  expect(digest(36)).toBe(digest());
  expect(codeOf(() => digest(35))).toBe("world.regions");
});
