// As port.test.ts, for the contents of worlds and the digest of a world.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { WorldInput } from "../../src/worlds/index.js";
import { aliasPick, below, buildAlias, forkKey, type Key, prefixPick, streamKey } from "./port.mjs";
import { addressOf } from "./portWorlds.mjs";

const PAGE = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8");
const SEED = "moria";
const SIDE = 256;
const BEASTS = [8, 3, 1];
const ORES = [
  { id: "iron", mass: 3, quantity: 9 },
  { id: "gold", mass: 1, quantity: 2 },
];
const WORLD: WorldInput = {
  layers: [
    { name: "land", steps: 40, scatter: { side: 64, walkers: 2 }, firstVisit: true },
    { name: "late", steps: 9, scatter: { walkers: 5 } },
  ],
  terrain: [{ terrain: "road", when: { land: { visits: [1, null] } } }, { terrain: "field" }],
  placements: [
    { name: "lair", density: "1/3000", content: { pools: "beasts", pool: "e" } },
    { name: "ore", density: "1/9000", content: { pools: "ores", pool: "i", stock: "region" } },
    { name: "stone", density: "1/20000" },
  ],
  pools: {
    beasts: { roots: { e: { kind: "infinite", records: BEASTS.map((mass, k) => ({ id: `beast ${k}`, mass })) } } },
    ores: { roots: { i: { kind: "finite", records: ORES } } },
  },
};

interface Found {
  readonly row: number;
  readonly col: number;
  readonly content: unknown;
}

/** The placements of a kind in a region, by the page. `hold` makes the content of a rank from the key of the region. */
function placed(
  world: Key,
  [i, j]: readonly [number, number],
  { name, n, hold }: { name: string; n: number; hold: (key: Key) => (rank: number) => unknown },
): Found[] {
  const candidates = forkKey(forkKey(world, "placements"), name);
  const at = hold(forkKey(forkKey(forkKey(world, "contents"), name), [i, j]));
  const found: Found[] = [];
  for (let row = i * SIDE; row < (i + 1) * SIDE; row++) {
    for (let col = j * SIDE; col < (j + 1) * SIDE; col++) {
      if (below(candidates, ...addressOf(row, col), n) > 0) continue;
      found.push({ row, col, content: at(found.length) });
    }
  }
  return found;
}

function drawBeasts(key: Key): (rank: number) => unknown {
  return (rank) => `beast ${aliasPick(key, 0, rank, buildAlias(BEASTS))}`;
}

/** Draws from a full stock, in order of the ranks. */
function drawOres(key: Key): (rank: number) => unknown {
  const left = ORES.map(({ quantity }) => quantity);
  return (rank) => {
    const ore = prefixPick(
      key,
      0,
      rank,
      ORES.map(({ mass }, k) => mass * left[k]),
    );
    left[ore]--;
    return ORES[ore].id;
  };
}

const KINDS = [
  { name: "lair", n: 3000, hold: drawBeasts },
  { name: "ore", n: 9000, hold: drawOres },
  { name: "stone", n: 20_000, hold: () => () => undefined },
];
const REGIONS = [
  [0, 0],
  [-1, 2],
  [4, -3],
] as const;

describe("contents of worlds", () => {
  const world = createMill({ seed: SEED }).world("land", WORLD);
  const key = streamKey(SEED, "land");

  test.each(REGIONS)("region (%i, %i) holds what the page says", (i, j) => {
    const wanted = KINDS.flatMap((kind) => placed(key, [i, j], kind).map((found) => ({ kind: kind.name, ...found })));
    expect(wanted.length).toBeGreaterThan(20);
    const found = [...world.region(i, j).placements].map((one) => ({ content: undefined, ...one }));
    expect(found).toEqual(wanted);
  });

  test("the check of the page is right", () => {
    const ores = placed(key, [-1, 2], KINDS[1]).slice(0, 5);
    const rows = [...PAGE.matchAll(/^\| \((−?\d+), (−?\d+)\) \| \d+ \| \d \| \d+ \| \d+, \d \| (\w+) \|$/gm)];
    const cells = rows.map(([, row, col, content]) => ({ row: numberOf(row), col: numberOf(col), content }));
    expect(cells).toEqual(ores);
    const [high, low] = forkKey(forkKey(forkKey(key, "contents"), "ore"), [-1, 2]);
    expect(PAGE).toContain(`(\`0x${high.toString(16)}\`, \`0x${low.toString(16)}\`)`);
  });

  test("the digest of a world is that of the page", () => {
    const [row0, col0, rows, cols] = [-20, 200, 40, 100];
    const hash = createHash("sha256");
    for (const [i, j] of [
      [-1, 0],
      [-1, 1],
      [0, 0],
      [0, 1],
    ]) {
      const [top, left] = [Math.max(row0, i * SIDE), Math.max(col0, j * SIDE)];
      const end = [Math.min(row0 + rows, (i + 1) * SIDE), Math.min(col0 + cols, (j + 1) * SIDE)];
      const part = world.window(
        { row0: top, col0: left, rows: end[0] - top, cols: end[1] - left },
        { visits: ["land", "late"] },
      );
      const region = createHash("sha256").update(counts(part.visits("land")));
      region.update(int32(...part.firstVisits("land"))).update(counts(part.visits("late")));
      region.update(part.terrain);
      for (const { row, col, kind, content } of part.placements) {
        const text = Buffer.from(content === undefined ? "" : JSON.stringify(content));
        const number = KINDS.findIndex(({ name }) => name === kind);
        region.update(int32(row, col, number, text.length)).update(text);
      }
      hash.update(int32(i, j)).update(region.digest());
    }
    expect(world.digest({ row0, col0, rows, cols })).toBe(hash.digest("hex"));
  });

  test("the digest has the full number of many visits", () => {
    const layers = [{ name: "pit", preset: "uniform" as const, walkers: 1, steps: 4000 }];
    const pit = createMill({ seed: SEED }).world("pit", { grid: { kind: "bounded", rows: 3, cols: 3 }, layers });
    const visits = pit.window({ row0: 0, col0: 0, rows: 3, cols: 3 }, { visits: ["pit"] }).visits("pit");
    expect(Math.max(...visits)).toBeGreaterThan(255);
    const region = createHash("sha256").update(counts(visits)).update(new Uint8Array(9));
    const hash = createHash("sha256").update(int32(0, 0)).update(region.digest());
    expect(pit.digest({ row0: 0, col0: 0, rows: 3, cols: 3 })).toBe(hash.digest("hex"));
  });
});

/** Reads a number with the minus sign of the page. */
function numberOf(text: string): number {
  return Number(text.replace("−", "-"));
}

/** Visits: a byte each, then the full numbers of those from 255 on. */
function counts(visits: Uint32Array): Buffer {
  const bytes = Buffer.from(visits.map((count) => Math.min(count, 255)));
  return Buffer.concat([bytes, int32(...visits.filter((count) => count >= 255))]);
}

/** Numbers as little-endian words of 32 bits. */
function int32(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [k, number] of numbers.entries()) bytes.writeUInt32LE(number >>> 0, 4 * k);
  return bytes;
}
