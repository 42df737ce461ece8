// Gradient noise on the hex grid (docs/determinism.md). An octave has a lattice of points, one every S = 2^shift rows
// and columns in axial coordinates. The lattices of the octaves are shifted, because the value at a point of a lattice is
// 0 in its octave, and would be so in all octaves. Each point has a random gradient. The value of a cell is the sum over
// the four corners of its lattice cell of weight · (gradient · offset of the cell from the corner). The weight is (3/4 −
// distance²)⁴ or 0, for distances in units of S. Two of the corners, the lattice point to the right and the point
// below, are neighbours. A cell on the other side of the line between them has a distance of at least √(3/4) to a
// corner, so each cell has at most three weights above 0.
//
// Source: Perlin, "Noise hardware" (2001), simplex noise.
//
// In a row of cells, the offset from a corner is (dy, dx) with a constant dy, and gradient · offset = a + b · dx. So
// for each corner and column of a lattice cell, a table has the pair (weight, weight · dx), which is the same in all
// lattice cells of the row. One instruction multiplies four pairs by (a, b).

import { below } from "../core/below";
import {
  blockOf,
  blockWords,
  colInBlock,
  fillBlocks,
  ROW_WORDS_BYTES,
  rowInBand,
  selectCell,
  WORD_BYTES,
} from "../core/cellWords";
import { BLOCK_COLS } from "../core/layout";
import { useStream } from "../core/words";
import { FIELD_MOST, NoiseOctave, NoisePlan } from "./layout";

/** Cells per vector. */
const LANES: i32 = 4;
const CORNERS: i32 = 4;
const VECTOR: usize = sizeof<v128>();
/** Bytes in the table for a vector of cells: the pairs of one corner after the other. */
const GROUP: usize = <usize>CORNERS * VECTOR;
/** Bytes in the table for a cell. */
const CELL: usize = GROUP / LANES;
const GRADIENTS: u32 = 12;
/** `a` and `b` are in units of 2^−UNIT_BITS. */
const UNIT_BITS: i32 = 10;
/** A sum is multiplied by SUM_FACTOR / 2^SUM_BITS. Then the standard deviation is about 11,000. */
const SUM_FACTOR: i32 = 5;
const SUM_BITS: i32 = 14;
const MIDDLE: i32 = (FIELD_MOST + 1) / 2;

@unmanaged
class Gradient {
  row: i32;
  col: i32;
}

/**
 * For each {@link Gradient}, its products with a step of a row and with a step of a column, times 2. The gradients are
 * 7 · the six directions, and 4 · the six diagonals between them. Their squared lengths are 49 and 48.
 */
// biome-ignore format: one gradient a line
const gradients = memory.data<i32>([
  -14, -7,
  -7, 7,
  7, 14,
  14, 7,
  7, -7,
  -7, -14,
  -12, 0,
  0, 12,
  12, 12,
  12, 0,
  0, -12,
  -12, -12,
]);

@unmanaged
class Vector {
  /** Adds octave `o` to the sums of four cells, whose pairs are at an address. */
  @inline
  static add(sums: usize, pairs: usize, a: v128, b: v128, c: v128, d: v128, o: u32): void {
    const top = i32x4.add(i32x4.dot_i16x8_s(v128.load(pairs), a), i32x4.dot_i16x8_s(v128.load(pairs, VECTOR), b));
    const bottom = i32x4.add(
      i32x4.dot_i16x8_s(v128.load(pairs, 2 * VECTOR), c),
      i32x4.dot_i16x8_s(v128.load(pairs, 3 * VECTOR), d),
    );
    v128.store(sums, i32x4.add(v128.load(sums), i32x4.shr_s(i32x4.add(top, bottom), o)));
  }
}

/** Writes the noise of `cols` cells as u32. The first cell is (row, col) in axial coordinates. */
export function noiseRow(plan: NoisePlan, row: i32, col: i32, cols: i32, out: usize): void {
  const first = col & -LANES;
  const width = (col - first + cols + LANES - 1) & -LANES;
  memory.fill(plan.sums, 0, (<usize>width) << 2);
  for (let o: u32 = 0; o < plan.octaveCount; ++o) {
    addOctave(
      changetype<NoiseOctave>(plan.octaves + <usize>o * offsetof<NoiseOctave>()),
      o,
      row,
      first,
      width,
      plan.sums,
    );
  }
  let sums = plan.sums + ((<usize>(col - first)) << 2);
  const zero = i32x4.splat(0);
  const most = i32x4.splat(FIELD_MOST);
  const middle = i32x4.splat(MIDDLE);
  const factor = i32x4.splat(SUM_FACTOR);
  // writes whole vectors, and a row of counts has room for them
  for (const end = out + ((<usize>cols) << 2); out < end; out += VECTOR, sums += VECTOR) {
    const value = i32x4.add(middle, i32x4.shr_s(i32x4.mul(v128.load(sums), factor), SUM_BITS));
    v128.store(out, i32x4.min_s(most, i32x4.max_s(zero, value)));
  }
}

/** Adds octave `o` to the sums of `width` cells. `col` and `width` are multiples of LANES. */
function addOctave(octave: NoiseOctave, o: u32, row: i32, col: i32, width: i32, sums: usize): void {
  const shift = octave.shift;
  const side = 1 << shift;
  // columns are shifted by whole vectors, so that no vector lies in two lattice cells
  const down = octave.k0 & (side - 1);
  const right = octave.k1 & (side - LANES);
  const i = latticeOf(row, down, shift);
  const j = latticeOf(col, right, shift);
  const last = latticeOf(col + width - 1, right, shift);
  const y = (row + down) & (side - 1);
  const start = (col + right) & (side - 1);
  if (octave.row != i || octave.col != j || octave.points != last - j + 2) drawGradients(octave, i, j, last - j + 2);
  const isOne = j == last;
  const from = isOne ? start : 0;
  makeWeights(octave, y, from, isOne ? from + width : side);
  const weights = octave.weights;
  const above = octave.slopes;
  const under = above + octave.points;
  const unitY = y << UNIT_BITS;
  const unitSide = side << UNIT_BITS;
  // counts the cells that are left, because col + width can be 2^31
  for (let left = width, x = start, k: usize = 0; left > 0; x = 0, ++k) {
    const cells = min(left, side - x);
    left -= cells;
    const a = factors(load<u8>(above + k), unitY, shift);
    const b = factors(load<u8>(above + k + 1), unitY, shift);
    const c = factors(load<u8>(under + k), unitY - unitSide, shift);
    const d = factors(load<u8>(under + k + 1), unitY - unitSide, shift);
    let pairs = weights + <usize>x * CELL;
    const end = sums + ((<usize>cells) << 2);
    for (; sums + 2 * VECTOR <= end; pairs += 2 * GROUP, sums += 2 * VECTOR) {
      Vector.add(sums, pairs, a, b, c, d, o);
      Vector.add(sums + VECTOR, pairs + GROUP, a, b, c, d, o);
    }
    if (sums < end) {
      Vector.add(sums, pairs, a, b, c, d, o);
      sums += VECTOR;
    }
  }
}

/** Returns the row or column of the lattice cell of a row or column, in a lattice that is shifted back by `by`. */
function latticeOf(at: i32, by: i32, shift: i32): i32 {
  // at + by can be beyond 2^31
  return (at >> shift) + (((at & ((1 << shift) - 1)) + by) >> shift);
}

/** Returns the pair (a, b) of a gradient in all lanes. `unitY` is dy in units of 2^−UNIT_BITS. */
function factors(gradient: u32, unitY: i32, shift: i32): v128 {
  const steps = changetype<Gradient>(gradients + <usize>gradient * offsetof<Gradient>());
  const a = (unitY * steps.row) >> shift;
  const b = steps.col << UNIT_BITS;
  return i32x4.splat((a & 0xffff) | (b << 16));
}

/**
 * Fills the table for the columns `from` … `end` − 1 of a lattice cell, in row y of the cell. Both are multiples of LANES.
 *
 * The unit of a squared distance is 2^−14 for sides up to 128, and the square of a step for longer ones. From column to
 * column, 4 · distance² grows by a number that grows itself by a constant.
 */
function makeWeights(octave: NoiseOctave, y: i32, from: i32, end: i32): void {
  const shift = octave.shift;
  const side = 1 << shift;
  const more = max(0, 14 - 2 * shift);
  const less = max(0, 2 * shift - 14);
  const zero = i32x4.splat(0);
  const bend = i32x4.splat((8 * LANES * LANES) << more);
  for (let corner = 0; corner < CORNERS; ++corner) {
    const dy = corner & 2 ? y - side : y;
    const right = corner & 1 ? from - side : from;
    let dx = i32x4.add(i32x4(0, 1, 2, 3), i32x4.splat(right));
    const square = i32x4.add(i32x4.mul(dx, i32x4.add(dx, i32x4.splat(dy))), i32x4.splat(dy * dy));
    let near = i32x4.shl(i32x4.sub(i32x4.splat(3 << (2 * shift)), i32x4.shl(square, 2)), more);
    // 4 · (2 · LANES · dx + LANES² + LANES · dy)
    const growth = i32x4.add(i32x4.shl(dx, 1), i32x4.splat(LANES + dy));
    let fall = i32x4.shl(i32x4.mul(growth, i32x4.splat(4 * LANES)), more);
    let pairs = octave.weights + <usize>from * CELL + <usize>corner * VECTOR;
    for (let x = from; x < end; x += LANES, pairs += GROUP) {
      const unit = i32x4.shr_u(i32x4.max_s(zero, near), less);
      const second = i32x4.shr_u(i32x4.mul(unit, unit), 16);
      const weight = i32x4.shr_u(i32x4.mul(second, second), 16);
      // a weight is below 2^15, so the product of its upper half is 0
      const moment = i32x4.shr_s(i32x4.dot_i16x8_s(weight, dx), shift);
      v128.store(pairs, v128.or(weight, i32x4.shl(moment, 16)));
      near = i32x4.sub(near, fall);
      fall = i32x4.add(fall, bend);
      dx = i32x4.add(dx, i32x4.splat(LANES));
    }
  }
}

/** Draws the gradients of lattice rows i and i + 1, each of the columns j … j + points − 1. */
function drawGradients(octave: NoiseOctave, i: i32, j: i32, points: i32): void {
  octave.row = i;
  octave.col = j;
  octave.points = points;
  useStream(octave.k0, octave.k1);
  drawRow(i, j, points, octave.slopes);
  drawRow(i + 1, j, points, octave.slopes + points);
}

function drawRow(row: i32, col: i32, points: i32, out: usize): void {
  const end = blockOf(col + points - 1) + 1;
  for (let block = blockOf(col); block < end; ) {
    const filled = fillBlocks(row, block, end);
    for (let k: u32 = 0; k < filled; ++k) {
      const words = blockWords(k) + <usize>rowInBand(row) * ROW_WORDS_BYTES;
      for (let c = colInBlock(col); c < BLOCK_COLS && points; ++c, ++col, --points, ++out) {
        selectCell(row, block + k, c);
        store<u8>(out, <u8>below(load<u32>(words + <usize>c * WORD_BYTES), GRADIENTS));
      }
    }
    block += filled;
  }
}
