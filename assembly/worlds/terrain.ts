// Decides the terrain of a rectangle, row by row: a program of TerrainOps evaluates the conditions of the rules for all
// cells of a row at once, and the first rule that holds gives a cell its terrain.

import { HexMap } from "../walks/hexMap";
import { copyFirstRow, copyRow } from "../walks/rows";
import { chanceMask } from "./chances";
import { findDistances } from "./distances";
import { DistancePlane, LANE_CELLS, NO_TERRAIN, Share, TerrainArea, TerrainCode, TerrainOp } from "./layout";
import { andMask, COUNT_BYTES, invertMask, orMask, rangeMask, withinMask } from "./masks";

/** Makes the terrain of an area. The maps are final as far as the conditions reach. */
export function makeTerrain(area: TerrainArea): void {
  for (let i: u32 = 0; i < area.planeCount; ++i) findDistances(planeAt(area, i), area.counts, area.oddR);
  for (let i = 0; i < area.rows; ++i) decideRow(area, i);
}

function planeAt(area: TerrainArea, i: u32): DistancePlane {
  return changetype<DistancePlane>(area.planes + <usize>i * offsetof<DistancePlane>());
}

/** Runs the program for row i of the area, until all cells have a terrain. */
function decideRow(area: TerrainArea, i: i32): void {
  const stride = area.strideBytes;
  const width = stride - LANE_CELLS;
  const terrain = area.terrain + <usize>i * stride;
  const row = area.row + i;
  memory.fill(terrain, <u8>NO_TERRAIN, stride);
  const end = area.ops + <usize>area.opCount * offsetof<TerrainOp>();
  // `top` is the first free mask of the stack
  let top = area.masks;
  for (let at = area.ops; at < end; at += offsetof<TerrainOp>()) {
    const op = changetype<TerrainOp>(at);
    switch (op.code) {
      case TerrainCode.LOAD_VISITS:
        copyRow(changetype<HexMap>(op.map), row, area.col, area.cols, countsAt(area, op));
        break;
      case TerrainCode.LOAD_FIRST_VISITS:
        copyFirstRow(changetype<HexMap>(op.map), row, area.col, area.cols, countsAt(area, op));
        break;
      case TerrainCode.RANGE:
        rangeMask(countsAt(area, op), op.least, op.span, top, width);
        top += stride;
        break;
      case TerrainCode.WITHIN:
        withinMask(distancesAt(planeAt(area, op.slot), row, area.col), op.value, top, width);
        top += stride;
        break;
      case TerrainCode.CHANCE:
        chanceMask(changetype<Share>(op.share), row, area.col, area.cols, top);
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
        if (!give(terrain, <u8>op.value, top, width)) return;
        break;
    }
  }
}

function countsAt(area: TerrainArea, op: TerrainOp): usize {
  return area.counts + <usize>op.slot * area.strideBytes * COUNT_BYTES;
}

/** Address of the distance of a cell. */
function distancesAt(plane: DistancePlane, row: i32, col: i32): usize {
  return plane.cells + <usize>(row - plane.row) * plane.strideBytes + (col - plane.col);
}

/** Gives a terrain to the cells of a mask that have none. Returns whether cells without a terrain remain. */
function give(terrain: usize, code: u8, mask: usize, width: usize): bool {
  const codes = i8x16.splat(code);
  const none = i8x16.splat(<u8>NO_TERRAIN);
  let open = i8x16.splat(0);
  for (const end = terrain + width; terrain < end; terrain += LANE_CELLS) {
    const before = v128.load(terrain);
    const given = v128.and(v128.load(mask), i8x16.eq(before, none));
    const after = v128.bitselect(codes, before, given);
    v128.store(terrain, after);
    open = v128.or(open, i8x16.eq(after, none));
    mask += LANE_CELLS;
  }
  return v128.any_true(open);
}
