import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { LayerMap, type LayerMapMessage, mergeLayerMaps, WalkMap } from "../../src/walks/index.js";
import { closedCells, endCells, OpenCells } from "../../src/walks/map/cellSet.js";
import { CHUNK_CELLS } from "../../src/walks/map/chunk.js";
import { ALL_CELLS } from "../../src/walks/rectangles.js";
import { mapOf, type Visited } from "./mapOf.js";

function recordsOf(map: LayerMap): number[][] {
  const rows: number[][] = [];
  for (const batch of map.records()) {
    const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
    for (let i = 0; i < batch.length; i += 12) {
      rows.push([view.getInt32(i, true), view.getInt32(i + 4, true), view.getUint32(i + 8, true)]);
    }
  }
  return rows;
}

const coordinate = fc.oneof(fc.integer({ min: -130, max: 130 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));
const visited = fc.uniqueArray(fc.tuple(coordinate, coordinate, fc.integer({ min: 1, max: 0xffff_ffff })), {
  maxLength: 40,
  selector: ([row, col]) => `${row},${col}`,
});
const sorted = (cells: readonly (readonly [number, number, number])[]) =>
  cells.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);

describe("a layer's map", () => {
  test("the empty map", () => {
    const map = new LayerMap([]);
    expect(map).toMatchObject({ cells: 0, visits: 0, maxVisits: 0, bounds: null, hasFirstVisits: false });
    expect(map.digest()).toBe(createHash("sha256").digest("hex"));
    expect([...map.records()]).toEqual([]);
    expect(new LayerMap([{ chunkRow: 0, chunkCol: 0, visits: new Uint32Array(CHUNK_CELLS) }]).bounds).toBeNull();
  });

  test("property: totals, cells, records and digest agree with the list of cells", () => {
    fc.assert(
      fc.property(visited, (cells) => {
        const map = mapOf(cells);
        const list = sorted(cells);
        expect(map.cells).toBe(list.length);
        expect(map.visits).toBe(list.reduce((sum, cell) => sum + cell[2], 0));
        expect(map.maxVisits).toBe(Math.max(0, ...list.map((cell) => cell[2])));
        const [rows, cols] = [list.map((cell) => cell[0]), list.map((cell) => cell[1])];
        const bounds = [Math.min(...rows), Math.min(...cols), Math.max(...rows), Math.max(...cols)];
        expect(map.bounds).toEqual(list.length === 0 ? null : bounds);
        expect(recordsOf(map)).toEqual(list);
        for (const [row, col, visits] of cells) expect(map.visitsAt(row, col)).toBe(visits);
        const bytes = Buffer.alloc(list.length * 12);
        for (const [i, [row, col, visits]] of list.entries()) {
          bytes.writeInt32LE(row, i * 12);
          bytes.writeInt32LE(col, i * 12 + 4);
          bytes.writeUInt32LE(visits, i * 12 + 8);
        }
        expect(map.digest()).toBe(createHash("sha256").update(bytes).digest("hex"));
      }),
      { seed: 20264 },
    );
  });

  test("visitsAt(2**32, 0) of a map does not return the visits of (0, 0): it is refused", () => {
    const map = mapOf([
      [64, -(2 ** 31), 5],
      [0, 0, 1],
    ]);
    for (const [row, col] of [
      [0, 2 ** 31],
      [-(2 ** 40), 0],
      [2 ** 32, 0],
      [Number.NaN, 0],
      [0.5, 0],
    ]) {
      expect(() => map.visitsAt(row, col)).toThrow(expect.objectContaining({ code: "argument.range" }));
      expect(() => map.firstVisitAt(row, col)).toThrow(expect.objectContaining({ code: "argument.range" }));
    }
    expect(map.visitsAt(2 ** 31 - 1, -(2 ** 31))).toBe(0);
  });

  test("first visits: the step, or undefined without a visit or without first visits", () => {
    const map = mapOf([
      [3, -4, 2, 0],
      [3, -5, 1, 17],
    ]);
    expect(map.hasFirstVisits).toBe(true);
    expect([map.firstVisitAt(3, -4), map.firstVisitAt(3, -5), map.firstVisitAt(3, -6)]).toEqual([0, 17, undefined]);
    expect(mapOf([[3, -4, 2]]).firstVisitAt(3, -4)).toBeUndefined();
  });

  test("chunks are sorted by row, then column", () => {
    const map = mapOf([
      [70, 0, 1],
      [0, 70, 1],
      [-1, 5, 1],
      [0, -70, 1],
    ]);
    expect(Array.from(map.chunks(), ({ chunkRow, chunkCol }) => [chunkRow, chunkCol])).toEqual([
      [-1, 0],
      [0, -2],
      [0, 1],
      [1, 0],
    ]);
  });

  test("property: a window is the cells one by one", () => {
    const corner = fc.integer({ min: -200, max: 200 });
    const side = fc.integer({ min: 1, max: 150 });
    fc.assert(
      fc.property(visited, corner, corner, side, side, (cells, row0, col0, rows, cols) => {
        const map = mapOf(cells);
        const window = map.window({ row0, col0, rows, cols });
        expect(window).toHaveLength(rows * cols);
        const inside = cells.filter(([r, c]) => r >= row0 && r < row0 + rows && c >= col0 && c < col0 + cols);
        for (const [row, col, visits] of inside) expect(window[(row - row0) * cols + col - col0]).toBe(visits);
        expect(window.filter((visits) => visits > 0)).toHaveLength(inside.length);
      }),
      { seed: 20265 },
    );
  });

  test("a window of no cells, of fractions or of more than 2^28 cells is refused", () => {
    const map = mapOf([[0, 0, 1]]);
    for (const [rows, cols] of [
      [0, 5],
      [1.5, 5],
      [2 ** 14, 2 ** 14 + 1],
      [-1, -1],
      [Number.NaN, 1],
    ]) {
      expect(() => map.window({ row0: 0, col0: 0, rows, cols })).toThrow(/argument\.range/);
    }
  });

  test("a window outside the 32-bit coordinates is refused", () => {
    const map = mapOf([[0, 0, 1]]);
    for (const [row, col] of [
      [0, 2 ** 31 - 1],
      [2 ** 31 - 1, 0],
      [-(2 ** 31) - 1, 0],
      [0, -(2 ** 32)],
    ]) {
      expect(() => map.window({ row0: row, col0: col, rows: 2, cols: 2 })).toThrow(/argument\.range/);
    }
    expect(map.window({ row0: 2 ** 31 - 2, col0: -(2 ** 31), rows: 2, cols: 2 })).toEqual(new Uint32Array(4));
  });

  test("records come in batches of at most 65,536", () => {
    const chunk = (chunkCol: number) => ({ chunkRow: 0, chunkCol, visits: new Uint32Array(CHUNK_CELLS).fill(1) });
    const map = new LayerMap(Array.from({ length: 17 }, (_, i) => chunk(i)));
    expect(Array.from(map.records(), (batch) => batch.length / 12)).toEqual([65536, 4096]);
    expect(
      recordsOf(map)
        .slice(0, 2000)
        .every(([row, col], i) => row === Math.floor(i / 1088) && col === i % 1088),
    ).toBe(true);
  });

  test("chunks of a wrong size, with a bad place or at one place are refused", () => {
    const good = { chunkRow: 0, chunkCol: 0, visits: new Uint32Array(CHUNK_CELLS) };
    expect(() => new LayerMap([good, good])).toThrow(/argument\.range/);
    expect(() => new LayerMap([{ ...good, visits: new Uint32Array(64) }])).toThrow(/argument\.range/);
    expect(() => new LayerMap([{ ...good, firstVisit: new Uint32Array(64) }])).toThrow(/argument\.range/);
    expect(() => new LayerMap([{ ...good, chunkRow: 2 ** 25 }])).toThrow(/argument\.range/);
    expect(() => new LayerMap([{ ...good, chunkCol: 0.5 }])).toThrow(/argument\.range/);
  });
});

describe("merging maps", () => {
  test("property: visits add up, and neither order nor grouping matters", () => {
    fc.assert(
      fc.property(visited, visited, visited, (a, b, c) => {
        const [x, y, z] = [mapOf(a), mapOf(b), mapOf(c)];
        const sum = new Map<string, number>();
        for (const [row, col, visits] of [...a, ...b, ...c]) {
          const key = `${row},${col}`;
          sum.set(key, Math.min((sum.get(key) ?? 0) + visits, 0xffff_ffff));
        }
        const merged = mergeLayerMaps([x, y, z]);
        expect(merged.cells).toBe(sum.size);
        for (const [row, col] of [...a, ...b, ...c]) expect(merged.visitsAt(row, col)).toBe(sum.get(`${row},${col}`));
        expect(mergeLayerMaps([z, mergeLayerMaps([y, x])]).digest()).toBe(merged.digest());
      }),
      { seed: 20266 },
    );
  });

  test("visits saturate, first visits take the least", () => {
    const merged = mergeLayerMaps([
      mapOf([
        [0, 0, 0xffff_fffe, 7],
        [0, 1, 1, 5],
      ]),
      mapOf([
        [0, 0, 5, 9],
        [9, 9, 1, 2],
      ]),
    ]);
    expect(merged.visitsAt(0, 0)).toBe(0xffff_ffff);
    expect([merged.firstVisitAt(0, 0), merged.firstVisitAt(0, 1), merged.firstVisitAt(9, 9)]).toEqual([7, 5, 2]);
    expect(merged.firstVisitAt(1, 1)).toBeUndefined();
  });

  test("merging does not change the maps", () => {
    const a = mapOf([[0, 0, 3]]);
    const before = a.digest();
    mergeLayerMaps([a, mapOf([[0, 0, 4]])]);
    expect(mapOf([[0, 0, a.visitsAt(0, 0)]]).digest()).toBe(before);
  });

  test("maps with and without first visits merge only if first visits are dropped", () => {
    const maps = [mapOf([[0, 0, 1, 0]]), mapOf([[0, 0, 1]])];
    expect(() => mergeLayerMaps(maps)).toThrow(/walk\.mismatch/);
    expect(mergeLayerMaps(maps, { firstVisits: false })).toMatchObject({ visits: 2, hasFirstVisits: false });
    expect(mergeLayerMaps(maps.slice(0, 1), { firstVisits: false }).hasFirstVisits).toBe(false);
    expect(mergeLayerMaps([new LayerMap([]), maps[0]]).hasFirstVisits).toBe(true);
    expect(mergeLayerMaps([]).cells).toBe(0);
  });
});

describe("what later layers read", () => {
  const ranksOf = (map: LayerMap) => new OpenCells(endCells(map, "outside"), ALL_CELLS);

  test("property: the n-th cell by row, then column", () => {
    fc.assert(
      fc.property(visited, (cells) => {
        const ranks = ranksOf(mapOf(cells));
        expect(Array.from({ length: ranks.count }, (_, n) => ranks.cellAt(n))).toEqual(
          sorted(cells).map(([row, col]) => [row, col]),
        );
      }),
      { seed: 20267 },
    );
  });

  test("cells side by side", () => {
    const cells: Visited[] = [0, 1, 2, 7, 8, 63, 64].map((col) => [0, col, 1]);
    const ranks = ranksOf(mapOf(cells));
    expect(cells.map((_, n) => ranks.cellAt(n)[1])).toEqual([0, 1, 2, 7, 8, 63, 64]);
    const listed = [...closedCells(Int32Array.from(cells.flatMap((cell) => cell.slice(0, 2))), []).chunks()];
    const walked = [...closedCells(new Int32Array(0), [mapOf(cells)]).chunks()];
    expect(listed).toEqual(walked);
    expect([...listed[0].bits.subarray(0, 8)]).toEqual([0b1000_0111, 1, 0, 0, 0, 0, 0, 0b1000_0000]);
  });

  test("property: closed cells are the union of the listed and the visited", () => {
    fc.assert(
      fc.property(visited, visited, visited, (listed, a, b) => {
        const flat = Int32Array.from(listed.flatMap((cell) => cell.slice(0, 2)));
        const found = new Set<string>();
        for (const { chunkRow, chunkCol, bits } of closedCells(flat, [mapOf(a), mapOf(b)]).chunks()) {
          expect(bits).toHaveLength(512);
          for (let i = 0; i < CHUNK_CELLS; i++) {
            if ((bits[i >> 3] >> (i & 7)) & 1)
              found.add(`${chunkRow * 64 + Math.floor(i / 64)},${chunkCol * 64 + (i % 64)}`);
          }
        }
        expect(found).toEqual(new Set([...listed, ...a, ...b].map(([row, col]) => `${row},${col}`)));
      }),
      { seed: 20268, numRuns: 40 },
    );
  });
});

describe("a walk's map", () => {
  const land = {
    name: "land",
    steps: 10,
    map: mapOf([
      [0, 0, 3, 0],
      [0, 1, 8, 1],
    ]),
  };
  const rivers = {
    name: "rivers",
    steps: 2,
    map: mapOf([
      [0, 1, 2],
      [-5, 70, 1],
    ]),
  };

  test("several layers: the sum at the top, each layer below it, whether or not it keeps first visits", () => {
    const walk = new WalkMap([land, rivers]);
    const { layers, ...top } = walk.summary();
    const sum = mapOf([
      [0, 0, 3],
      [0, 1, 10],
      [-5, 70, 1],
    ]);
    expect(top).toEqual({
      cells: 3,
      steps: 12,
      visits: 14,
      maxVisits: 10,
      bounds: [-5, 0, 0, 70],
      digest: sum.digest(),
    });
    expect(layers.map(({ name, cells, steps }) => [name, cells, steps])).toEqual([
      ["land", 2, 10],
      ["rivers", 2, 2],
    ]);
    expect(layers[1].digest).toBe(rivers.map.digest());
    expect(walk.layer("rivers")?.map).toBe(rivers.map);
    expect(walk.layer("roads")).toBeUndefined();
  });

  test("one layer: the sum is its own map, first visits and all", () => {
    const walk = new WalkMap([land]);
    expect(walk.total).toBe(land.map);
    expect(JSON.parse(JSON.stringify(walk.summary())).layers).toHaveLength(1);
  });
});

describe("a map as a message", () => {
  const first = (map: LayerMap) => [...map.chunks()].map(({ firstVisit }) => firstVisit && [...firstVisit]);
  const mill = createMill({ seed: "messages" });
  const walk = mill.walk("land", { walkers: 5, steps: 3000 });
  const stepped = mill.walk("sea", { walkers: 5, steps: 3000, firstVisit: true });

  test.each([
    ["copied", (message: LayerMapMessage) => structuredClone(message)],
    ["transferred", (message: LayerMapMessage) => structuredClone(message, { transfer: [message.visits.buffer] })],
  ])("gives the same map when it is %s", (_, send) => {
    for (const map of [walk.run().total, stepped.runLayer(), new LayerMap([])]) {
      const before = map.digest();
      const received = LayerMap.from(send(map.toMessage()));
      expect(received).toMatchObject({ cells: map.cells, visits: map.visits, bounds: map.bounds });
      expect(received.digest()).toBe(before);
      expect(first(received)).toEqual(first(map));
      // the sender keeps its map
      expect(new LayerMap(map.chunks()).digest()).toBe(before);
    }
  });

  test("refuses a value that is not a message", () => {
    const message = walk.run().total.toMessage();
    for (const wrong of [undefined, null, {}, walk.run().total, { ...message, visits: [...message.visits] }]) {
      expect(() => LayerMap.from(wrong as unknown as LayerMapMessage)).toThrow(
        expect.objectContaining({ code: "argument.type" }),
      );
    }
    const short = [
      { ...message, visits: message.visits.subarray(1) },
      { ...message, firstVisits: message.visits.subarray(1) },
      { ...message, places: message.places.subarray(1) },
      { ...message, places: new Int32Array(message.places.length) },
    ];
    for (const wrong of short) {
      expect(() => LayerMap.from(wrong)).toThrow(expect.objectContaining({ code: "argument.range" }));
    }
  });
});
