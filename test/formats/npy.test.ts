import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toNpy } from "../../src/formats/maps/npy.js";
import { LayerMap } from "../../src/walks/index.js";
import { CHUNK_CELLS } from "../../src/walks/map/chunk.js";

function chunk(chunkRow: number, chunkCol: number, cells: Record<number, number>) {
  const visits = new Uint32Array(CHUNK_CELLS);
  for (const [i, count] of Object.entries(cells)) visits[Number(i)] = count;
  return { chunkRow, chunkCol, visits };
}

/** Reads a .npy file as its specification says: an independent, strict reader. */
function readNpy(file: Uint8Array): { shape: number[]; data: number[] } {
  expect([...file.subarray(0, 8)]).toEqual([0x93, ...Buffer.from("NUMPY"), 1, 0]);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const length = view.getUint16(8, true);
  expect((10 + length) % 64).toBe(0);
  const header = Buffer.from(file.subarray(10, 10 + length)).toString("latin1");
  const match = /^\{'descr': '<u4', 'fortran_order': False, 'shape': \((\d+), (\d+)\), \} *\n$/.exec(header);
  const shape = [Number(match?.[1]), Number(match?.[2])];
  expect(file.length).toBe(10 + length + shape[0] * shape[1] * 4);
  const data = Array.from({ length: shape[0] * shape[1] }, (_, i) => view.getUint32(10 + length + i * 4, true));
  return { shape, data };
}

describe("a map as a NumPy file", () => {
  // across the corner of four chunks: (-1, -1), (-1, 0) and (0, 1)
  const map = new LayerMap([chunk(-1, -1, { 4095: 7 }), chunk(-1, 0, { 4032: 0xffff_ffff }), chunk(0, 0, { 1: 3 })]);

  test("its own bounds, row by row, zero where no walker was", () => {
    expect(map.bounds).toEqual([-1, -1, 0, 1]);
    expect(readNpy(toNpy(map))).toEqual({ shape: [2, 3], data: [7, 0xffff_ffff, 0, 0, 0, 3] });
  });

  test("property: any window is the map's window", () => {
    const corner = fc.integer({ min: -80, max: 80 });
    const side = fc.integer({ min: 1, max: 30 });
    fc.assert(
      fc.property(corner, corner, side, side, (row, col, rows, cols) => {
        const window = { row0: row, col0: col, rows, cols };
        const { shape, data } = readNpy(toNpy(map, { window }));
        expect(shape).toEqual([rows, cols]);
        expect(data).toEqual([...map.window(window)]);
      }),
      { seed: 20270 },
    );
  });

  test("no cells, a window without rows and more than 2^28 cells are refused", () => {
    expect(() => toNpy(new LayerMap([]))).toThrow(/argument\.range/);
    expect(() => toNpy(map, { window: { row0: 0, col0: 0, rows: 0, cols: 1 } })).toThrow(/argument\.range/);
    expect(() => toNpy(map, { window: { row0: 0, col0: 0, rows: Number.NaN, cols: 1 } })).toThrow(/argument\.range/);
    expect(() => toNpy(map, { window: { row0: 0, col0: 0, rows: 2 ** 14 + 1, cols: 2 ** 14 + 1 } })).toThrow(
      /argument\.range/,
    );
  });
});
