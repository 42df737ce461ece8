// Decides the terrain of a rectangle, row by row. A program of TerrainOps evaluates the conditions of the rules for all
// cells of a row at once. It goes from the last rule to the first. So in the end, each cell has the terrain of the
// first rule that holds. A mask has one byte for each cell of a row: 0xff if a condition holds for the cell, 0 if not.

import { colInBlock, rowInBand } from "../core/cellWords";
import { BAND_ROWS, LANE_CELLS, Share } from "../core/layout";
import { Vectors } from "../core/vectors";
import { HexMap } from "../walks/hexMap";
import { copyFirstVisits, copyVisits, markVisited } from "../walks/windows";
import { chanceMasks } from "./chances";
import { findDistances } from "./distances";
import {
  addRow,
  divideRow,
  leastRow,
  lookUpRow,
  mostRow,
  positionRow,
  rowsTo,
  setRow,
  storeRow,
  widenRow,
} from "./fields";
import { DistancePlane, NoisePlan, Position, TerrainArea, TerrainCode, TerrainOp } from "./layout";
import { noiseRow } from "./noise";

const COUNT_BYTES: usize = sizeof<u32>();

/** Computes the terrain of an area. The maps must be final in all cells that the conditions read. */
export function makeTerrain(area: TerrainArea): void {
  for (let i: u32 = 0; i < area.planeCount; ++i) findDistances(planeAt(area, i), area.oddR, area.axialMaps);
  for (let i = 0; i < area.rows; ++i) {
    if (i == 0 || rowInBand(area.row + i) == 0) decideChances(area, area.row + i);
    decideRow(area, i);
  }
}

/**
 * Decides all chances of the program for a whole band: the BAND_ROWS rows whose cells share blocks of random words
 * (cellWords.ts). `row` is a row of the band.
 */
function decideChances(area: TerrainArea, row: i32): void {
  const end = area.ops + <usize>area.opCount * offsetof<TerrainOp>();
  for (let at = area.ops; at < end; at += offsetof<TerrainOp>()) {
    const op = changetype<TerrainOp>(at);
    if (op.code != TerrainCode.CHANCE) continue;
    chanceMasks(changetype<Share>(op.data), row, area.col, area.cols, bandAt(area, op, 0), area.bandStrideBytes);
  }
}

/** Returns the address of the mask of a chance for a row of the current band. */
function bandAt(area: TerrainArea, op: TerrainOp, rowInBand: i32): usize {
  return area.bands + (<usize>op.slot * BAND_ROWS + rowInBand) * <usize>area.bandStrideBytes;
}

function planeAt(area: TerrainArea, i: u32): DistancePlane {
  return changetype<DistancePlane>(area.planes + <usize>i * offsetof<DistancePlane>());
}

/** Runs the program for row i of the area. */
function decideRow(area: TerrainArea, i: i32): void {
  const stride = <usize>area.strideBytes;
  const width = stride - LANE_CELLS;
  const terrain = area.terrain + <usize>i * stride;
  const row = area.row + i;
  const end = area.ops + <usize>area.opCount * offsetof<TerrainOp>();
  // `top` is the address of the stack's first free mask
  let top = area.masks;
  for (let at = area.ops; at < end; at += offsetof<TerrainOp>()) {
    const op = changetype<TerrainOp>(at);
    switch (op.code) {
      case TerrainCode.LOAD_VISITS:
        copyVisits(changetype<HexMap>(op.map), row, area.col, 1, area.cols, area.axialMaps, countsAt(area, op.slot));
        break;
      case TerrainCode.LOAD_FIRST_VISITS:
        copyFirstVisits(
          changetype<HexMap>(op.map),
          row,
          area.col,
          1,
          area.cols,
          area.axialMaps,
          countsAt(area, op.slot),
        );
        break;
      case TerrainCode.RANGE:
        rangeMask(countsAt(area, op.slot), op.least, op.span, top, width);
        top += stride;
        break;
      case TerrainCode.VISITED:
        markVisited(changetype<HexMap>(op.map), row, area.col, 1, area.cols, area.axialMaps, 0xff, top, stride);
        top += stride;
        break;
      case TerrainCode.WITHIN:
        withinMask(distancesAt(planeAt(area, op.slot), row, area.col), op.value, top, width);
        top += stride;
        break;
      case TerrainCode.CHANCE:
        copyMask(bandAt(area, op, rowInBand(row)) + colInBlock(area.col), top, width);
        top += stride;
        break;
      case TerrainCode.CONSTANT:
        memory.fill(top, <u8>op.value, width);
        top += stride;
        break;
      case TerrainCode.AND:
        top -= stride;
        andMask(top - stride, top, width);
        break;
      case TerrainCode.OR:
        top -= stride;
        orMask(top - stride, top, width);
        break;
      case TerrainCode.NOT:
        invertMask(top - stride, width);
        break;
      case TerrainCode.RULE:
        top -= stride;
        give(terrain, <u8>op.value, top, width);
        break;
      case TerrainCode.FILL:
        memory.fill(terrain, <u8>op.value, width);
        break;
      default:
        runField(area, op, i);
    }
  }
}

/** Runs an operation of a field for row i of the area. */
function runField(area: TerrainArea, op: TerrainOp, i: i32): void {
  const cols = area.cols;
  const row = area.row + i;
  const axialCol = area.oddR ? area.col - (row >> 1) : area.col;
  const counts = countsAt(area, op.slot);
  switch (op.code) {
    case TerrainCode.NOISE:
      noiseRow(changetype<NoisePlan>(op.data), row, axialCol, cols, counts);
      break;
    case TerrainCode.DISTANCES:
      widenRow(distancesAt(planeAt(area, op.value), row, area.col), counts, cols);
      break;
    case TerrainCode.POSITION:
      if (op.value) setRow(counts, rowsTo(changetype<Position>(op.data), row), cols);
      else positionRow(changetype<Position>(op.data), area.oddR, row, axialCol, counts, cols);
      break;
    case TerrainCode.SET:
      setRow(counts, <i32>op.value, cols);
      break;
    case TerrainCode.ADD:
      addRow(counts, countsAt(area, op.least), <i32>op.value, cols);
      break;
    case TerrainCode.DIVIDE:
      divideRow(counts, <i32>op.value, cols);
      break;
    case TerrainCode.LEAST:
      leastRow(counts, countsAt(area, op.least), cols);
      break;
    case TerrainCode.MOST:
      mostRow(counts, countsAt(area, op.least), cols);
      break;
    case TerrainCode.LOOK_UP:
      lookUpRow(counts, op.data, op.value, cols);
      break;
    case TerrainCode.STORE:
      storeRow(countsAt(area, op.least), area.terrain + <usize>i * <usize>area.strideBytes * sizeof<u16>(), cols);
      break;
  }
}

/** Returns the address of a row of counts. */
function countsAt(area: TerrainArea, slot: u32): usize {
  return area.counts + <usize>slot * <usize>area.strideBytes * COUNT_BYTES;
}

/** Returns the address at which a plane has the distance from the cell (row, col) to the nearest visited cell. */
function distancesAt(plane: DistancePlane, row: i32, col: i32): usize {
  return plane.cells + <usize>(row - plane.row) * <usize>plane.strideBytes + (col - plane.col);
}

/** Sets the cells of a mask to a terrain. */
function give(terrain: usize, code: u8, mask: usize, width: usize): void {
  const codes = i8x16.splat(code);
  for (const end = terrain + width; terrain < end; terrain += LANE_CELLS) {
    v128.store(terrain, v128.bitselect(codes, v128.load(terrain), v128.load(mask)));
    mask += LANE_CELLS;
  }
}

/** Computes the mask of the cells whose counts are in the range least … least + span, inclusive. */
function rangeMask(counts: usize, least: u32, span: u32, mask: usize, width: usize): void {
  const first = i32x4.splat(least);
  const most = i32x4.splat(span);
  for (const end = mask + width; mask < end; mask += LANE_CELLS) {
    const a = i32x4.sub(changetype<Vectors>(counts).a, first);
    const b = i32x4.sub(changetype<Vectors>(counts).b, first);
    const c = i32x4.sub(changetype<Vectors>(counts).c, first);
    const d = i32x4.sub(changetype<Vectors>(counts).d, first);
    v128.store(mask, Vectors.packAtMost(a, b, c, d, most));
    counts += offsetof<Vectors>();
  }
}

/** Computes the mask of the cells whose distance is at most `most`. */
function withinMask(distances: usize, most: u32, mask: usize, width: usize): void {
  const limit = i8x16.splat(<i8>most);
  for (const end = mask + width; mask < end; mask += LANE_CELLS) {
    v128.store(mask, i8x16.le_u(v128.load(distances), limit));
    distances += LANE_CELLS;
  }
}

function copyMask(from: usize, mask: usize, width: usize): void {
  for (const end = mask + width; mask < end; mask += LANE_CELLS, from += LANE_CELLS) v128.store(mask, v128.load(from));
}

/** Replaces the mask at `mask` by its intersection with the mask at `other`. */
function andMask(mask: usize, other: usize, width: usize): void {
  for (const end = mask + width; mask < end; mask += LANE_CELLS) {
    v128.store(mask, v128.and(v128.load(mask), v128.load(other)));
    other += LANE_CELLS;
  }
}

/** Replaces the mask at `mask` by its union with the mask at `other`. */
function orMask(mask: usize, other: usize, width: usize): void {
  for (const end = mask + width; mask < end; mask += LANE_CELLS) {
    v128.store(mask, v128.or(v128.load(mask), v128.load(other)));
    other += LANE_CELLS;
  }
}

function invertMask(mask: usize, width: usize): void {
  for (const end = mask + width; mask < end; mask += LANE_CELLS) v128.store(mask, v128.not(v128.load(mask)));
}
