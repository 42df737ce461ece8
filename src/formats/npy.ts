import { error, fail, reading } from "../errors/index.js";
import { checkInteger, readList } from "../spec/index.js";
import { type CellBounds, type MapSource, readChunks } from "./mapSource.js";

/** Maximum number of cells in an array. The array then takes 1 GiB. */
const MAX_CELLS = 2 ** 28;
const ALIGNMENT_BYTES = 64;
/** Magic number and version 1.0. The length of the header follows as u16. */
const PREAMBLE = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0] as const;

/**
 * Writes the visits of a map as a NumPy array file: u32, little-endian, C order, shape (rows, columns). Element [0, 0]
 * is the cell (row0, col0) of the bounds. The format cannot store the bounds, so store them elsewhere.
 *
 * Source: numpy.lib.format, version 1.0.
 *
 * Cost: 4 bytes for each cell within the bounds, visited or not.
 *
 * @param bounds - the cells to write, corners inclusive. Default: the bounds of the map.
 * @throws RollmillError `argument.type` for anything but a map; `argument.range` for a map without visited cells, corners out of order, or more than 2²⁸ cells.
 */
export function toNpy(map: MapSource, bounds?: CellBounds | null): Uint8Array {
  const chunks = readChunks(map);
  const [row0, col0, row1, col1] = readBounds(bounds === undefined ? reading("the map", () => map.bounds) : bounds);
  const [rows, cols] = [row1 - row0 + 1, col1 - col0 + 1];
  const header = npyHeader(rows, cols);
  const file = new Uint8Array(header.length + rows * cols * 4);
  file.set(header);
  const cells = new DataView(file.buffer, header.length);
  for (const chunk of chunks) {
    const { side } = chunk;
    const [top, left] = [chunk.chunkRow * side, chunk.chunkCol * side];
    const [firstCol, lastCol] = [Math.max(col0, left), Math.min(col1, left + side - 1)];
    const lastRow = Math.min(row1, top + side - 1);
    for (let row = Math.max(row0, top); row <= lastRow; row++) {
      for (let col = firstCol; col <= lastCol; col++) {
        const count = chunk.visits[(row - top) * side + col - left];
        if (count > 0) cells.setUint32(((row - row0) * cols + col - col0) * 4, count, true);
      }
    }
  }
  return file;
}

// Pads the header's text with spaces and a newline, so that the data starts at a multiple of 64 bytes.
function npyHeader(rows: number, cols: number): Uint8Array {
  const text = `{'descr': '<u4', 'fortran_order': False, 'shape': (${rows}, ${cols}), }`;
  const fixed = PREAMBLE.length + 2;
  const bytes = Math.ceil((fixed + text.length + 1) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
  const header = new Uint8Array(bytes).fill(0x20);
  header.set(PREAMBLE);
  new DataView(header.buffer).setUint16(PREAMBLE.length, bytes - fixed, true);
  header.set(new TextEncoder().encode(text), fixed);
  header[bytes - 1] = 0x0a;
  return header;
}

function readBounds(given: CellBounds | null): CellBounds {
  if (given === null) {
    fail(
      error("argument.range", {
        problem: "the map has no visited cell",
        expected: 'at least one visited cell, or the option "bounds"',
      }),
    );
  }
  const bounds = readList("bounds", given, { of: "coordinates", most: 4 });
  for (const [i, coordinate] of bounds.entries()) checkInteger(`bounds[${i}]`, coordinate, -(2 ** 31), 2 ** 31 - 1);
  const [row0, col0, row1, col1] = bounds as unknown as CellBounds;
  const cells = (row1 - row0 + 1) * (col1 - col0 + 1);
  const isRectangle = bounds.length === 4 && row0 <= row1 && col0 <= col1;
  if (isRectangle && cells <= MAX_CELLS) return [row0, col0, row1, col1];
  return fail(
    error("argument.range", {
      problem: `the bounds [${bounds.join(", ")}] ${isRectangle ? "contain too many cells" : "are invalid"}`,
      expected: "[row0, col0, row1, col1] with row0 ≤ row1, col0 ≤ col1 and at most 2^28 cells",
      remedy: "Use bounds that contain only a part of the map",
    }),
  );
}
