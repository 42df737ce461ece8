// Distances of all cells of a rectangle to the nearest visited cell of a layer, in two passes over its rows.
//
// Between any two cells there is a shortest path whose rows and columns change in one direction only. Axial
// coordinates: if the row and the column change in opposite directions, diagonal steps change both, and straight steps
// change the rest; otherwise each step changes one of the two. Odd-r coordinates: the cell of the same column in the
// next row is always a neighbour, and in every other row the cell of the next column is one as well; the path takes
// that one until it has the column, and then stays in the column; steps along the row change what is left. So the path
// stays in every rectangle that contains both cells, and it is enough to find the lengths of paths
//
//   down   along rows and downwards, from visited cells in the cell's row and above,
//   up     along rows and upwards, from visited cells in the cell's row and below.
//
// The first pass finds d(c) = min(s(c), 1 + a(c)) in each row: s is the distance to visited cells of the row itself,
// and a is the smaller distance of the two neighbours in the row above. Distances of neighbours in that row differ by at
// most 1, so those of a do too. Therefore a path through a needs no steps along the row. The second pass takes the
// minimum with 1 + the distances in the row below, in the same way. The bytes outside a row are 255, which is far. The
// cells that pad a row to a multiple of LANE_CELLS belong to a wider rectangle, in which they are not visited.

import { HexMap } from "../walks/hexMap";
import { copyVisits } from "../walks/windows";
import { DistancePlane, LANE_CELLS } from "./layout";
import { COUNT_BYTES, rangeMask } from "./masks";

/** Constant vectors in memory: V8 builds a constant anew in every round of a loop, but loads it only once. */
@unmanaged
class Ramps {
  one: v128;
  two: v128;
  four: v128;
  eight: v128;
  /** Distances of the lanes from the lane before the first, and from the lane after the last. */
  fromLeft: v128;
  fromRight: v128;
}

const ramps = memory.data(<i32>offsetof<Ramps>(), 16);

/**
 * Finds the distances of a plane. `counts` has room for a row of counts, rounded up to a multiple of LANE_CELLS. `oddR`
 * is 1 if the coordinates are odd-r, 0 if they are axial.
 */
export function findDistances(plane: DistancePlane, counts: usize, oddR: u32): void {
  setRamps();
  const stride = <usize>plane.strideBytes;
  const width = stride - LANE_CELLS;
  const map = changetype<HexMap>(plane.map);
  const rows = plane.rows;
  const cells = plane.cells;
  memory.fill(cells - stride - LANE_CELLS, 0xff, (<usize>rows + 2) * stride + LANE_CELLS);
  // the cells that fill up the row stay without visits
  memory.fill(counts + <usize>plane.cols * COUNT_BYTES, 0, (width - plane.cols) * COUNT_BYTES);
  let at = cells;
  for (let i = 0; i < rows; ++i) {
    const row = plane.row + i;
    copyVisits(map, row, plane.col, 1, plane.cols, counts);
    // 0 for a visited cell, 255 for another one
    rangeMask(counts, 0, 0, at, width);
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
 * In odd-r coordinates, a cell has two neighbours in the row above and two in the row below: one in its column, and one
 * in the column that is this much further to the right.
 */
function besides(row: i32): isize {
  return row & 1 ? 1 : -1;
}

function setRamps(): void {
  const to = changetype<Ramps>(ramps);
  to.one = i8x16.splat(1);
  to.two = i8x16.splat(2);
  to.four = i8x16.splat(4);
  to.eight = i8x16.splat(8);
  to.fromLeft = i8x16(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  to.fromRight = i8x16(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
}

/** Finds the distances to the nearest visited cell of the row at or to the left of each cell. */
function scanRight(at: usize, width: usize): void {
  const constant = changetype<Ramps>(ramps);
  const one = constant.one;
  const two = constant.two;
  const four = constant.four;
  const eight = constant.eight;
  const fromLeft = constant.fromLeft;
  const far = i8x16.splat(-1);
  let carry = far;
  for (const end = at + width; at < end; at += LANE_CELLS) {
    let x = v128.load(at);
    if (i8x16.all_true(x)) {
      x = i8x16.add_sat_u(carry, fromLeft);
    } else {
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
      x = i8x16.min_u(x, i8x16.add_sat_u(carry, fromLeft));
    }
    v128.store(at, x);
    carry = v128.shuffle<i8>(x, x, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15);
  }
}

/**
 * Takes the minimum with the distances to visited cells to the right, and with 1 + the distances of the two neighbours
 * in the row at `above`. A vector without a visited cell has no distance that its own cells can shorten.
 */
function scanLeft(at: usize, width: usize, above: usize, beside: isize): void {
  const constant = changetype<Ramps>(ramps);
  const one = constant.one;
  const two = constant.two;
  const four = constant.four;
  const eight = constant.eight;
  const fromRight = constant.fromRight;
  const far = i8x16.splat(-1);
  let carry = far;
  for (let i: isize = width - LANE_CELLS; i >= 0; i -= LANE_CELLS) {
    let x = v128.load(at + i);
    if (!i8x16.all_true(x)) {
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
    }
    x = i8x16.min_u(x, i8x16.add_sat_u(carry, fromRight));
    carry = v128.shuffle<i8>(x, x, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    const nearer = i8x16.min_u(v128.load(above + i), v128.load(above + i + beside));
    v128.store(at + i, i8x16.min_u(x, i8x16.add_sat_u(nearer, one)));
  }
}

/** Takes the minimum with 1 + the distances of the two neighbours in the row at `below`. */
function raise(at: usize, width: usize, below: usize, beside: isize): void {
  const one = changetype<Ramps>(ramps).one;
  for (const end = at + width; at < end; at += LANE_CELLS) {
    const nearer = i8x16.min_u(v128.load(below), v128.load(below + beside));
    v128.store(at, i8x16.min_u(v128.load(at), i8x16.add_sat_u(nearer, one)));
    below += LANE_CELLS;
  }
}
