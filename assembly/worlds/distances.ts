// Computes the distance of each cell of a rectangle to the nearest visited cell of a layer. Makes two passes over the
// rows of the rectangle.
//
// Between any two cells there is a shortest path on which neither the row nor the column ever turns back. Proof for
// axial coordinates: if row and column change in opposite directions, diagonal steps change both, and straight steps
// make the remaining changes. If not, each step changes only one of the two. Proof for odd-r coordinates: in the next
// row, the cell of the same column is always a neighbour. In every second row, the cell of the next column is a
// neighbour too. The path goes to the next column wherever it can, until it has reached the target's column. From there
// on, it stays in this column. Steps along the row make the remaining changes. So the path stays in every rectangle
// that contains both cells. Therefore it is enough to find the lengths of two kinds of paths:
//
//   down   along rows and downwards, from visited cells in the cell's row and above,
//   up     along rows and upwards, from visited cells in the cell's row and below.
//
// For each cell c of a row, the first pass uses two numbers. s(c) is the distance to the nearest visited cell in the
// row itself. a(c) is the smaller of the distances of the two neighbours in the row above. The first pass computes d(c)
// = min(s(c), 1 + a(c)). In the row above, distances of neighbours differ by at most 1, so a(c) of neighbours differs
// by at most 1 too. Therefore a path through the row above needs no steps along this row. The second pass takes the
// minimum with 1 + the distances in the row below, in the same way. The bytes outside a row are 255, which stands for
// far. Each row is padded to a multiple of LANE_CELLS. The padding counts as cells without visits.

import { LANE_CELLS } from "../core/layout";
import { HexMap } from "../walks/hexMap";
import { markVisited } from "../walks/windows";
import { DistancePlane } from "./layout";

/**
 * Constant vectors, kept in memory: V8 would build a constant again in every round of a loop, but loads a stored vector
 * only once.
 */
@unmanaged
class Ramps {
  one: v128;
  two: v128;
  four: v128;
  eight: v128;
  sixteen: v128;
  /**
   * For each lane, its distance to the left end of the vector (`fromLeft`) and to the right end (`fromRight`). The
   * first lane has the distance 1 to the left end.
   */
  fromLeft: v128;
  fromRight: v128;
}

// biome-ignore format: one vector a line
const ramps = memory.data<u8>(
  [
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
    8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
    16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16,
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
  ],
  16,
);

/** Computes the distances of a plane. `oddR` and `axialMaps` are the fields of the area. */
export function findDistances(plane: DistancePlane, oddR: u32, axialMaps: u32): void {
  const stride = <usize>plane.strideBytes;
  const width = stride - LANE_CELLS;
  const map = changetype<HexMap>(plane.map);
  const rows = plane.rows;
  const cells = plane.cells;
  // the row above the first row, and the row below the last row
  memory.fill(cells - stride - LANE_CELLS, 0xff, stride + LANE_CELLS);
  memory.fill(cells + <usize>rows * stride, 0xff, stride);
  // 0 for a visited cell, 255 for an unvisited cell
  markVisited(map, plane.row, plane.col, rows, plane.cols, axialMaps, 0, cells, stride);
  let at = cells;
  for (let i = 0; i < rows; ++i) {
    const row = plane.row + i;
    // the cells that fill up the row count as not visited
    memory.fill(at + plane.cols, 0xff, stride - plane.cols);
    scanRight(at, width);
    scanLeft(at, width, at - stride, oddR ? besides(row) : 1);
    at += stride;
  }
  for (let i = rows - 1; i >= 0; --i) {
    at -= stride;
    raise(at, width, at + stride, oddR ? besides(plane.row + i) : -1);
  }
}

/**
 * For odd-r coordinates. In the row above, a cell has two neighbours: one in its own column, and one in a column beside
 * it. Returns 1 if the second neighbour is to the right, −1 if it is to the left. The same holds for the row below.
 */
function besides(row: i32): isize {
  return row & 1 ? 1 : -1;
}

// Both scans go through the vectors of a row. For each vector, they first compute the distances inside the vector: the
// minimum with the lanes that are 1, 2, 4 and 8 lanes away. Then they use `carry`: all its lanes have the distance of
// the last cell of the vector before. The next carry does not need the result of this vector, so a vector waits for
// only two instructions of the vector before. Vectors without visited cells are not skipped, because the processor
// could not predict such a branch.

/** For each cell of a row, computes the distance to the nearest visited cell at or to the left of the cell. */
function scanRight(at: usize, width: usize): void {
  const constant = changetype<Ramps>(ramps);
  const one = constant.one;
  const two = constant.two;
  const four = constant.four;
  const eight = constant.eight;
  const sixteen = constant.sixteen;
  const fromLeft = constant.fromLeft;
  const far = i8x16.splat(-1);
  let carry = far;
  for (const end = at + width; at < end; at += LANE_CELLS) {
    let x = v128.load(at);
    x = i8x16.min_u(
      x,
      i8x16.add_sat_u(v128.shuffle<i8>(far, x, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30), one),
    );
    x = i8x16.min_u(
      x,
      i8x16.add_sat_u(v128.shuffle<i8>(far, x, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29), two),
    );
    x = i8x16.min_u(
      x,
      i8x16.add_sat_u(v128.shuffle<i8>(far, x, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27), four),
    );
    x = i8x16.min_u(
      x,
      i8x16.add_sat_u(v128.shuffle<i8>(far, x, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23), eight),
    );
    v128.store(at, i8x16.min_u(x, i8x16.add_sat_u(carry, fromLeft)));
    const last = v128.shuffle<i8>(x, x, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15);
    carry = i8x16.min_u(last, i8x16.add_sat_u(carry, sixteen));
  }
}

/**
 * Computes two upper bounds of each cell's distance, and lowers the distance to the smaller bound. The first bound is
 * the distance to the nearest visited cell on the right. The second is 1 + the distance of a neighbour in the row at
 * `above`.
 */
function scanLeft(at: usize, width: usize, above: usize, beside: isize): void {
  const constant = changetype<Ramps>(ramps);
  const one = constant.one;
  const two = constant.two;
  const four = constant.four;
  const eight = constant.eight;
  const sixteen = constant.sixteen;
  const fromRight = constant.fromRight;
  const far = i8x16.splat(-1);
  let carry = far;
  for (let i: isize = width - LANE_CELLS; i >= 0; i -= LANE_CELLS) {
    let x = v128.load(at + i);
    x = i8x16.min_u(
      x,
      i8x16.add_sat_u(v128.shuffle<i8>(x, far, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16), one),
    );
    x = i8x16.min_u(
      x,
      i8x16.add_sat_u(v128.shuffle<i8>(x, far, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17), two),
    );
    x = i8x16.min_u(
      x,
      i8x16.add_sat_u(v128.shuffle<i8>(x, far, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19), four),
    );
    x = i8x16.min_u(
      x,
      i8x16.add_sat_u(v128.shuffle<i8>(x, far, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23), eight),
    );
    const nearer = i8x16.min_u(v128.load(above + i), v128.load(above + i + beside));
    const inRow = i8x16.min_u(x, i8x16.add_sat_u(carry, fromRight));
    v128.store(at + i, i8x16.min_u(inRow, i8x16.add_sat_u(nearer, one)));
    const first = v128.shuffle<i8>(x, x, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    carry = i8x16.min_u(first, i8x16.add_sat_u(carry, sixteen));
  }
}

/** Lowers each cell's distance to 1 + the distance of a neighbour in the row at `below`, if this sum is less. */
function raise(at: usize, width: usize, below: usize, beside: isize): void {
  const one = changetype<Ramps>(ramps).one;
  for (const end = at + width; at < end; at += LANE_CELLS) {
    const nearer = i8x16.min_u(v128.load(below), v128.load(below + beside));
    v128.store(at, i8x16.min_u(v128.load(at), i8x16.add_sat_u(nearer, one)));
    below += LANE_CELLS;
  }
}
