import { error, fail } from "../../errors/index.js";
import { checkInteger, readOptions } from "../../spec/index.js";
import { joined, littleEndian } from "../bytes.js";
import { checkNumbers } from "../checks.js";
import {
  type CellBounds,
  cornersOf,
  type MapSource,
  type MapView,
  numbersOf,
  readBounds,
  readChunks,
  readView,
} from "./mapSource.js";

const MAX_CELLS = 2 ** 28;
const ALIGNMENT_BYTES = 64;
/** The type of an array in its header, by the bytes of a number. */
const NPY_TYPES = { 1: "|u1", 2: "<u2", 4: "<u4" } as const;
/** The magic number and the version 1.0. The length of the header follows, as u16. */
const PREAMBLE = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0] as const;

/**
 * Writes a map as a NumPy array file (numpy.lib.format 1.0): u32, little-endian, C order, shape (rows, columns).
 * Element [0, 0] is the cell (row0, col0) of the window. The file does not contain row0 and col0, so store them
 * elsewhere. An unvisited cell is 0, or 2³² − 1 in an array of first visits.
 *
 * Cost: 4 bytes for each cell of the window, visited or not.
 *
 * @throws RollmillError `argument.type` for a malformed map; `argument.range` for an invalid window, more than 2²⁸
 * cells, first visits of a map that does not keep them, or, without `window`, a map without visited cells.
 */
export function toNpy(map: MapSource, options: MapView = {}): Uint8Array {
  const view = readView(readOptions("toNpy", options, ["window", "show"]));
  const [row0, col0, row1, col1] = windowOf(map, view);
  const [rows, cols] = [row1 - row0 + 1, col1 - col0 + 1];
  const header = npyHeader(rows, cols, "<u4");
  const file = new Uint8Array(header.length + rows * cols * 4);
  if (view.show === "firstVisits") file.fill(0xff);
  file.set(header);
  const cells = new DataView(file.buffer, header.length);
  for (const chunk of readChunks(map)) {
    const numbers = numbersOf(chunk, view.show);
    const { side } = chunk;
    const [top, left] = [chunk.chunkRow * side, chunk.chunkCol * side];
    const [firstCol, lastCol] = [Math.max(col0, left), Math.min(col1, left + side - 1)];
    const lastRow = Math.min(row1, top + side - 1);
    for (let row = Math.max(row0, top); row <= lastRow; row++) {
      for (let col = firstCol; col <= lastCol; col++) {
        const cell = (row - top) * side + col - left;
        if (chunk.visits[cell] > 0) cells.setUint32(((row - row0) * cols + col - col0) * 4, numbers[cell], true);
      }
    }
  }
  return file;
}

/**
 * Writes a grid as a NumPy array file (numpy.lib.format 1.0): u8, u16 or u32, little-endian, C order, shape
 * (rows, columns).
 *
 * @param values - the numbers, row by row.
 * @param cols - the number of columns. It must divide the length of `values`.
 * @throws RollmillError `argument.type` for anything but these arrays; `argument.range` for a wrong number of columns,
 * or more than 2²⁸ numbers.
 */
export function gridToNpy(values: Uint8Array | Uint16Array | Uint32Array, cols: number): Uint8Array {
  if (!(values instanceof Uint16Array)) checkNumbers("values", values);
  const { length, BYTES_PER_ELEMENT: bytes } = values;
  checkInteger("cols", cols, 1, MAX_CELLS);
  if (length > MAX_CELLS || length % cols !== 0) {
    const expected = `a multiple of ${cols}, at most 2^28`;
    fail(error("argument.range", { problem: "the grid has a wrong number of values", got: length, expected }));
  }
  const header = npyHeader(length / cols, cols, NPY_TYPES[bytes as keyof typeof NPY_TYPES]);
  return joined([header, littleEndian(values)]);
}

/** Returns the header. Spaces and a newline pad it, so that the data start at a multiple of 64 bytes. */
export function npyHeader(rows: number, cols: number, type: "|u1" | "<u2" | "<u4"): Uint8Array {
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${rows}, ${cols}), }`;
  const fixed = PREAMBLE.length + 2;
  const bytes = Math.ceil((fixed + text.length + 1) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
  const header = new Uint8Array(bytes).fill(0x20);
  header.set(PREAMBLE);
  new DataView(header.buffer).setUint16(PREAMBLE.length, bytes - fixed, true);
  header.set(new TextEncoder().encode(text), fixed);
  header[bytes - 1] = 0x0a;
  return header;
}

function windowOf(map: MapSource, view: MapView): CellBounds {
  const window = view.window === undefined ? readBounds(map) : cornersOf(view.window);
  if (window === null) {
    const expected = 'at least one visited cell, or the option "window"';
    return fail(error("argument.range", { problem: "the map has no visited cell", expected }));
  }
  const [row0, col0, row1, col1] = window;
  if ((row1 - row0 + 1) * (col1 - col0 + 1) <= MAX_CELLS) return window;
  const problem = `the window [${window.join(", ")}] contains too many cells`;
  const remedy = 'Set "window" to a smaller part of the map';
  return fail(error("argument.range", { problem, expected: "at most 2^28 cells", remedy }));
}
