import { describe, expect, test } from "vitest";
import { type Column, hexPicture, toCsv, toNpy, toPng } from "../../src/formats/index.js";
import { createMill, LayerMap } from "../../src/index.js";
import { NEVER, WalkMap } from "../../src/walks/index.js";
import { refusalOf } from "../refusal.js";
import { cellsOf } from "./cases.js";
import { mapOf } from "./mapOf.js";

const walked = createMill({ seed: "moria" })
  .walk("land", { walkers: 40, steps: 1500, firstVisit: true, preset: "five-ways" })
  .run().total;
const dated = mapOf([
  [-1, -1, 5, 0],
  [-1, 0, 1, 3],
  [0, 2, 9, 70],
]);
const plain = mapOf([[0, 0, 3]]);

/** The rows of columns, as objects. */
const rowsOf = (columns: readonly Column[]) =>
  Array.from({ length: (columns[0] as { values: Int32Array }).values.length }, (_, i) =>
    Object.fromEntries(columns.map((column) => [column.name, (column as { values: Int32Array }).values[i]])),
  );

describe("first visits reach every output", () => {
  test("columns: row, col, visits and, if asked for, firstVisit, by row, then column", () => {
    const listed = cellsOf(walked).map(({ first, ...cell }) => ({ ...cell, firstVisit: first }));
    expect(rowsOf(walked.columns({ firstVisits: true }))).toEqual(listed);
    expect(rowsOf(walked.columns())).toEqual(listed.map(({ firstVisit: _, ...cell }) => cell));
    expect(toCsv(dated.columns({ firstVisits: true }))).toBe(
      "row,col,visits,firstVisit\n-1,-1,5,0\n-1,0,1,3\n0,2,9,70\n",
    );
  });

  test("columns in batches of 65,536 cells; one empty batch of an empty map", () => {
    const chunks = Array.from({ length: 33 }, (_, chunkCol) => ({
      chunkRow: 0,
      chunkCol,
      visits: new Uint32Array(4096).fill(chunkCol + 1),
    }));
    const map = new LayerMap(chunks);
    const batches = [...map.columnBatches()];
    expect(batches.map(([{ values }]) => values.length)).toEqual([65536, 65536, 33 * 4096 - 2 * 65536]);
    expect(rowsOf(map.columns())).toEqual(batches.flatMap(rowsOf));
    expect([...new LayerMap([]).columnBatches({ firstVisits: true })].map(rowsOf)).toEqual([[]]);
  });

  test("the summary has the latest step and a digest of their own, which the visits do not change", () => {
    const other = mapOf([
      [-1, -1, 1, 0],
      [-1, 0, 1, 3],
      [0, 2, 1, 70],
    ]);
    const later = mapOf([
      [-1, -1, 5, 0],
      [-1, 0, 1, 4],
      [0, 2, 9, 70],
    ]);
    expect(dated.firstVisitSummary()).toEqual({ latest: 70, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(other.firstVisitSummary()).toEqual(dated.firstVisitSummary());
    expect(later.firstVisitSummary()?.digest).not.toBe(dated.firstVisitSummary()?.digest);
    expect(plain.firstVisitSummary()).toBeUndefined();
    const layers = [dated, plain].map((map, i) => ({ name: String(i), steps: 1, map }));
    const { firstVisits, layers: each } = new WalkMap(layers).summary();
    expect([firstVisits, ...each.map((layer) => layer.firstVisits)]).toEqual([
      undefined,
      dated.firstVisitSummary(),
      undefined,
    ]);
  });

  test("the sum of layers keeps the smallest first visits if all layers keep them", () => {
    const again = mapOf([[0, 2, 1, 7]]);
    const sum = new WalkMap([dated, again].map((map, i) => ({ name: String(i), steps: 1, map }))).total;
    expect([sum.firstVisitAt(0, 2), sum.visitsAt(0, 2), sum.firstVisitAt(-1, 0)]).toEqual([7, 10, 3]);
  });

  test(".npy: the steps, and 2^32 − 1 for cells without visits", () => {
    const bytes = toNpy(dated, { show: "firstVisits" });
    expect([...new Uint32Array(bytes.buffer.slice(bytes.length - 32))]).toEqual([
      0,
      3,
      NEVER,
      NEVER,
      NEVER,
      NEVER,
      NEVER,
      70,
    ]);
  });

  test("pictures: step t has the level of t + 1 visits; a pixel of several cells shows the smallest step", () => {
    const steps = mapOf([
      [0, 0, 5, 0],
      [0, 1, 1, 3],
      [0, 2, 9, 15],
    ]);
    const counts = mapOf([
      [0, 0, 1],
      [0, 1, 4],
      [0, 2, 16],
    ]);
    const { pixels } = hexPicture([steps], { pixelsPerCell: 1, show: "firstVisits" });
    expect([...pixels]).toEqual([...hexPicture([counts], { pixelsPerCell: 1 }).pixels]);
    const wide = mapOf([
      [0, 0, 1, 9],
      [0, 1, 1, 3],
      [0, 99, 1, 15],
    ]);
    const [first] = hexPicture([wide], { maxSide: 50, show: "firstVisits" }).pixels;
    expect(first).toBe(1 + Math.round(254 / 2));
    expect(toPng(steps, { pixelsPerCell: 1, show: "firstVisits" })).toEqual(toPng(counts, { pixelsPerCell: 1 }));
  });

  test("of a map without first visits they are refused", () => {
    for (const job of [
      () => toPng(plain, { show: "firstVisits" }),
      () => toNpy(plain, { show: "firstVisits" }),
      () => plain.columns({ firstVisits: true }),
      () => toPng(dated, { show: "firstVisits", pool: "max" }),
      () => toPng(dated, { show: "steps" as "visits" }),
    ]) {
      expect(refusalOf(job).code).toBe("argument.range");
    }
  });
});

describe("windows of every output", () => {
  test("of columns: the cells inside", () => {
    for (const window of [
      { row0: -3, col0: -70, rows: 9, cols: 135 },
      { row0: 0, col0: 0, rows: 1, cols: 1 },
      { row0: 63, col0: 63, rows: 2, cols: 2 },
      { row0: 900, col0: 900, rows: 2, cols: 2 },
    ]) {
      const { row0, col0, rows, cols } = window;
      const inside = ({ row, col }: { row: number; col: number }) =>
        row >= row0 && row < row0 + rows && col >= col0 && col < col0 + cols;
      const cells = cellsOf(walked)
        .filter(inside)
        .map(({ row, col, visits }) => ({ row, col, visits }));
      expect(rowsOf(walked.columns({ window }))).toEqual(cells);
    }
  });

  test("of pictures: as large as the window, with the cells of the window alone", () => {
    const map = mapOf([
      [0, 0, 7],
      [1, 1, 7],
      [5, 5, 7],
    ]);
    const { width, height, pixels } = hexPicture([map], {
      pixelsPerCell: 2,
      window: { row0: 0, col0: 0, rows: 2, cols: 2 },
    });
    expect([width, height, pixels.filter((level) => level > 0).length]).toEqual([5, 4, 8]);
    const empty = hexPicture([map], { pixelsPerCell: 2, window: { row0: 8, col0: 8, rows: 2, cols: 2 } });
    expect([empty.width, empty.height, new Set(empty.pixels)]).toEqual([5, 4, new Set([0])]);
  });

  const square = { row0: 0, col0: 0, rows: 1, cols: 1 };
  test.each([
    [{ ...square, rows: 0 }],
    [{ row0: 0, col0: 0, rows: 1 }],
    [{ ...square, rows: 1.5 }],
    [{ ...square, cols: "1" }],
    [{ ...square, row0: 2 ** 31 }],
    [[0, 0, 1, 1]],
    ["0,0,1,1"],
    [null],
  ])("%j is no window", (window) => {
    for (const job of [
      () => hexPicture([plain], { window: window as never }),
      () => toNpy(plain, { window: window as never }),
      () => plain.columns({ window: window as never }),
    ]) {
      expect(refusalOf(job).code).toBe("argument.range");
    }
  });
});

describe("256 layers are drawn", () => {
  const layers = Array.from({ length: 256 }, (_, i) => mapOf([[0, i, 1]]));

  test("a level each, and the last shares that of the first", () => {
    const { pixels, levels } = hexPicture(layers, { pixelsPerCell: 1 });
    expect(levels).toBe(1);
    expect([...pixels]).toEqual(layers.map((_, i) => 1 + (i % 255)));
  });

  test("as PNG; a colour map of the last that differs from the first's is refused", () => {
    const png = toPng(layers.map((map) => ({ map })));
    expect(png.length).toBeGreaterThan(0);
    const colored = (colorMap: "greys" | "inferno") => layers.map((map, i) => (i < 255 ? { map } : { map, colorMap }));
    expect(toPng(colored("inferno"))).toEqual(png);
    expect(refusalOf(() => toPng(colored("greys"))).code).toBe("argument.range");
  });
});
