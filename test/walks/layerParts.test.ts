import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startsKey } from "../../src/address.js";
import { createMill, type GridSpec, LayerMap, mergeLayerMaps, type Walk, type WalkInput } from "../../src/index.js";
import { specOf } from "../../src/spec/index.js";
import { compileWalk } from "../../src/walks/compile.js";
import { type MapChunk, parseWalk } from "../../src/walks/index.js";
import { type LayerPart, openParts } from "../../src/walks/layerParts.js";
import { bySector } from "../../src/walks/map/chunk.js";
import { type Coordinates, coordinatesOf } from "../../src/walks/rectangles.js";
import { keyIn, openKernel } from "../kernel/open.js";
import { refusalOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { cellsOf } from "./cases.js";

const setup = { seed: "moria", name: "isle" };
const KIB = 1024;
const open = (input: WalkInput): Walk => createMill({ seed: setup.seed }).walk(setup.name, input);

/** The map of each part, in the order of the parts. */
function mapsOf(parts: Iterable<LayerPart>, coordinates: Coordinates = "axial"): LayerMap[] {
  const maps = Array.from(parts, ({ chunks, walkerTotals }) => {
    const list = [...chunks()];
    const placesOf = (chunks: readonly MapChunk[]) => chunks.map(({ chunkRow, chunkCol }) => [chunkRow, chunkCol]);
    expect(placesOf(list)).toEqual(placesOf([...list].sort(bySector)));
    return new LayerMap(list, { coordinates, walkerTotals });
  });
  for (const map of maps.slice(0, -1)) expect([map.cells > 0, map.walkerTotals]).toEqual([true, undefined]);
  return maps;
}

/** Compares the sum of parts with a map: every cell, and the totals, which the last part has. */
function compare(maps: readonly LayerMap[], whole: LayerMap): void {
  expect(cellsOf(mergeLayerMaps([...maps].reverse()))).toEqual(cellsOf(whole));
  expect(cellsOf(mergeLayerMaps([mergeLayerMaps(maps.slice(1)), maps[0]]))).toEqual(cellsOf(whole));
  expect(maps.at(-1)?.walkerTotals).toEqual(whole.walkerTotals);
}

interface Case {
  readonly input: WalkInput;
  readonly walkers: { readonly from: number; readonly to: number };
  /** Number of bytes that the kernel has in the beginning. */
  readonly bytes: number;
  /** Maximum number of walkers in one batch. */
  readonly seats: number;
}

/**
 * Runs the last layer of a walk in a kernel that has `bytes` bytes left. If this is too little, takes as much as the
 * message asks for.
 */
function partsWithin({ input, walkers, bytes, seats }: Case, before: readonly LayerMap[]): LayerMap[] {
  const { grid, layers } = compileWalk(specOf(parseWalk(input)), setup);
  const plan = layers[layers.length - 1];
  const stream = keyIn(setup.seed, plan.streamName);
  const maxBytes = 2 ** 25;
  const kernel = openKernel(maxBytes);
  const filled = maxBytes - (kernel.call((exports) => exports.mark()) >>> 0) - bytes;
  kernel.taken(
    kernel.call((exports) => exports.allocate(filled)),
    "the test",
  );
  const startStream = startsKey(stream);
  const source = { kernel, name: plan.streamName, stream, plan };
  try {
    const layer = { grid, earlier: before, walkers, region: undefined, startStream, seats };
    return mapsOf(openParts(source, layer).run({}), coordinatesOf(grid));
  } catch (cause) {
    const { code, message } = cause as { code: unknown; message: string };
    if (code !== "kernel.memory") throw cause;
    const [, needed] = /at least (\d+) bytes/.exec(message) ?? [];
    const more = needed === undefined ? 64 * KIB : Number(needed) - maxBytes;
    return partsWithin({ input, walkers, bytes: bytes + more, seats }, before);
  }
}

const GRIDS: readonly GridSpec[] = [
  { kind: "unbounded" },
  { kind: "unbounded" },
  { kind: "bounded", rows: 130, cols: 70 },
  { kind: "torus", rows: 66, cols: 130, coordinates: "odd-r" },
  { kind: "torus", rows: 8193, cols: 8193 },
  { kind: "bounded", rows: 8194, cols: 8200, coordinates: "odd-r" },
];
const LAND = { name: "land", steps: 900, walkers: 5, start: { rect: [0, 0, 65, 69] } } as const;
const SEA = { name: "sea", steps: 60, walkers: 2, start: [[9, 7]] } as const;

const rivers = fc.record({
  steps: fc.oneof(fc.nat(40), fc.constantFrom(1023, 2048, 5000)),
  walkers: fc.integer({ min: 1, max: 30 }),
  firstVisit: fc.boolean(),
  heading: fc.constantFrom("E" as const, "resting" as const),
  preset: fc.constantFrom("uniform" as const, "sf66-rf33" as const),
  marked: fc.constantFrom(
    {},
    { until: { outside: "land" } } as const,
    { until: { on: "sea" }, closed: { cells: [[3, 3]] } } as const,
    { closed: { layers: ["sea"] } } as const,
  ),
});

const cases = fc
  .record({
    grid: fc.constantFrom(...GRIDS),
    layer: rivers,
    start: fc.constantFrom("land", "rect", "cells"),
    cuts: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
    bytes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 * KIB })),
    seats: fc.constantFrom(1, 3, 2 ** 16),
  })
  .map(({ grid, layer: { marked, ...layer }, start, cuts, ...rest }): Case => {
    const side = grid.kind === "unbounded" ? 3000 : Math.min(grid.rows, grid.cols, 3000);
    const starts = {
      land: { layer: "land" },
      rect: { rect: [0, 0, side - 1, side - 1] },
      cells: [
        [60, 63],
        [5, 9],
      ],
    } as const;
    const last = { name: "rivers", ...layer, ...marked, start: starts[start as keyof typeof starts] };
    const [from, to] = cuts.map((cut) => Math.floor(cut * (layer.walkers + 1))).sort((a, b) => a - b);
    const walkers = { from: Math.min(from, layer.walkers), to: Math.min(to, layer.walkers) };
    return { input: { grid, layers: [LAND, SEA, last] }, walkers, ...rest };
  });

describe("the parts of a layer add up to its map", () => {
  test("on any grid, with ends, first visits and closed cells, in any memory that is accepted", () => {
    let [parts, longest] = [0, 0];
    fc.assert(
      fc.property(cases, (each) => {
        const walk = open(each.input);
        const land = walk.runLayer({ layer: "land" });
        const sea = walk.runLayer({ layer: "sea" });
        const options = { layer: "rivers", walkers: each.walkers, earlier: { land, sea } };
        let whole: LayerMap;
        try {
          whole = walk.runLayer(options);
        } catch (cause) {
          // all start cells can be closed
          if ((cause as { code: unknown }).code === "walk.closed-start") return;
          throw cause;
        }
        const maps = partsWithin(each, [land, sea]);
        compare(maps, whole);
        parts += maps.length - 1;
        longest = Math.max(longest, maps.length);
      }),
      { seed: 50100, numRuns: IS_SOAK ? 120 : 60 },
    );
    expect([parts > (IS_SOAK ? 250 : 80), longest > 20]).toEqual([true, true]);
  });

  test.each([
    ["a straight line of 300 tiles", { tensor: { absolute: { E: 1 } }, steps: 64 * 300 }],
    ["the same with first visits", { tensor: { absolute: { SE: 1 } }, steps: 64 * 300, firstVisit: true }],
    ["1,000 walkers in as many tiles", { walkers: 1000, steps: 3, start: { rect: [-1e6, -1e6, 1e6, 1e6] } }],
    ["walkers that take no step", { walkers: 1000, start: { rect: [-1e6, -1e6, 1e6, 1e6] } }],
    ["long walks of several kernel calls", { steps: 2 ** 24 + 5000, preset: "sf66-rf33" }],
  ] as [string, WalkInput][])("%s, in 1 to 256 MiB", (_, input) => {
    const walk = open(input);
    const whole = walk.runLayer();
    const counts = [2 ** 20, ...(IS_SOAK ? [2 ** 21, 2 ** 23] : []), 2 ** 28].map((maxMemory) => {
      const maps = mapsOf(walk.openParts({ maxMemory }).run({}));
      expect(mergeLayerMaps(maps).digest()).toBe(whole.digest());
      if (whole.cells < 100_000) compare(maps, whole);
      else expect(maps.at(-1)?.walkerTotals).toEqual(whole.walkerTotals);
      return maps.length;
    });
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect([counts[0] > 2, counts.at(-1)]).toEqual([true, 1]);
  });

  test.each([false, true])(
    "walkers that end in as many chunks, where the visits of ends fill the memory (first visits: %s)",
    (firstVisit) => {
      const land = { name: "land", walkers: 60, steps: 9, start: { rect: [0, 0, 4000, 4000] } } as const;
      const last = { name: "rivers", walkers: 80, steps: 500, start: { layer: "land" }, firstVisit } as const;
      const input: WalkInput = { layers: [land, { ...last, until: { outside: "land" } }] };
      const walk = open(input);
      const before = walk.runLayer({ layer: "land" });
      const whole = walk.runLayer({ layer: "rivers", earlier: { land: before } });
      expect(whole.walkerTotals?.ended).toBe(80);
      for (let kib = 0; kib < 300; kib += IS_SOAK ? 20 : 60) {
        const each = { input, walkers: { from: 0, to: 80 }, bytes: kib * KIB, seats: 2 ** 16 };
        compare(partsWithin(each, [before]), whole);
      }
    },
  );

  test("parts of shards add up to the layer, and the parts of a region to the region", () => {
    const walk = open({ walkers: 40, steps: 2000, start: { rect: [0, 0, 2000, 2000] } });
    const shards = [0, 13, 40].slice(1).map((to, i) => ({ from: [0, 13, 40][i], to }));
    const layer = walk.openParts({ walkers: { from: 0, to: 27 }, maxMemory: 2 ** 20 });
    // a run that was given up leaves nothing in the map
    layer.run({ walkers: shards[0] }).next();
    const maps = shards.flatMap((walkers) => mapsOf(layer.run({ walkers })));
    expect(maps.length).toBeGreaterThan(4);
    expect(mergeLayerMaps(maps).digest()).toBe(walk.run().total.digest());
    const villages = open({ layers: [{ name: "villages", scatter: { walkers: 30 }, steps: 4000 }] });
    const region = { layer: "villages", region: [2, -3] } as const;
    const parts = mapsOf(villages.openParts({ ...region, maxMemory: 2 ** 20 }).run({}));
    compare(parts, villages.runLayer(region));
  });
});

describe("a call of openParts", () => {
  const line: WalkInput = { tensor: { absolute: { E: 1 } }, steps: 64 * 300 };

  test("reports progress to the end over all parts, and can be aborted at any part", () => {
    const walk = open({ ...line, walkers: 3 } as WalkInput);
    const shares: number[] = [];
    const onProgress = ({ done, total }: { done: number; total: number }) => shares.push(done / total) && undefined;
    expect(mapsOf(walk.openParts({ maxMemory: 2 ** 20 }).run({ onProgress })).length).toBeGreaterThan(3);
    expect(shares.at(-1)).toBe(1);
    expect(shares.every((share, i) => i === 0 || share >= shares[i - 1])).toBe(true);
    const controller = new AbortController();
    const parts = walk.openParts({ maxMemory: 2 ** 20 }).run({ signal: controller.signal });
    expect(parts.next().done).toBe(false);
    controller.abort(new Error("stop"));
    expect(() => [...parts]).toThrow("stop");
  });

  test("a part can be read several times", () => {
    const parts = open(line)
      .openParts({ maxMemory: 2 ** 20 })
      .run({});
    const { value: first } = parts.next();
    if (first === undefined) throw new Error("no part");
    const chunks = first.chunks();
    expect(chunks.next().value).toEqual([...first.chunks()][0]);
    parts.return();
  });

  test.each([
    ["a bounded grid", { grid: { kind: "bounded", rows: 1000, cols: 1000 } }],
    ["a grid with first visits", { grid: { kind: "torus", rows: 600, cols: 600 }, firstVisit: true }],
  ] as [string, WalkInput][])(
    "%s that does not fit is refused at once, and the message tells how much does",
    (_, input) => {
      const walk = open({ ...input, walkers: 70_000, steps: 3 } as WalkInput);
      const refusal = refusalOf(() => walk.openParts({ maxMemory: 2 ** 20 }));
      const [, needed] = /Raise "maxMemory" to at least (\d+) bytes/.exec(refusal.message) ?? [];
      expect(refusal.code).toBe("kernel.memory");
      // more memory also makes more seats
      const maxMemory = Number(needed) + 2 ** 18;
      const maps = mapsOf(walk.openParts({ maxMemory }).run({}));
      expect([maps.length, maps[0].digest()]).toEqual([1, walk.run().total.digest()]);
    },
  );

  test("invalid options are refused by the call, not by the first part", () => {
    const walk = open({ walkers: 3, steps: 5 });
    expect(refusalOf(() => walk.openParts({ maxMemory: 2 ** 20 - 1 })).code).toBe("argument.range");
    expect(refusalOf(() => walk.openParts({ memory: 2 ** 20 } as object)).code).toBe("argument.option");
    expect(refusalOf(() => walk.openParts({ walkers: { from: 0, to: 4 } })).code).toBe("argument.range");
    expect(mapsOf(walk.openParts({ walkers: { from: 2, to: 2 } }).run({})).map(({ cells }) => cells)).toEqual([0]);
  });
});
