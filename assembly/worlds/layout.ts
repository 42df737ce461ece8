// The memory of worlds, for both sides of the boundary. `npm run build:kernel` writes src/kernel/layout.ts from it.

/** Rows of cells are padded to a multiple of this number of cells: loops handle so many bytes at once. */
export const LANE_CELLS: u32 = 16;

/** Number of entries of a table of terrains: a terrain is one byte. */
export const TERRAIN_CODES: u32 = 256;

/** log2 of the number of columns for which a row of candidates has one fence. */
export const FENCE_BITS: u32 = 4;

/**
 * The operations of a program that decides the terrain of a row. It works on a stack of masks. A mask has one byte for
 * each cell: 0xff if a condition holds there, 0 if not. The rules are in reverse order: an earlier rule overwrites the
 * terrain of later ones.
 */
export const enum TerrainCode {
  /** Copies the visits of a layer to a row of counts. */
  LOAD_VISITS,
  /** Copies the first visits of a layer to a row of counts. */
  LOAD_FIRST_VISITS,
  /** Pushes whether a count is least … least + span. */
  RANGE,
  /** Pushes whether the distance to a visited cell of a layer is at most `value`. */
  WITHIN,
  /** Pushes whether a chance holds. */
  CHANCE,
  /** Pushes the same byte for all cells: `value`. */
  CONSTANT,
  /** Replaces the two masks on top by one. */
  AND,
  OR,
  /** Inverts the mask on top. */
  NOT,
  /** Pops a mask. Its cells get the terrain `value`. */
  RULE,
  /** Gives all cells the terrain `value`. */
  FILL,
}

/**
 * A probability part / whole with 0 < part ≤ whole, and the key of its random words.
 *
 *   0    4    8      12      16
 *   ├─ k0 ─┼─ k1 ─┼─ part ─┼─ whole ─┼─ bound ─┤
 */
@unmanaged
export class Share {
  k0: u32;
  k1: u32;
  part: u32;
  whole: u32;
  /** ⌊part · 2^32 / whole⌋: it holds for all words below, for no word above, and for this word extra words decide. */
  bound: u32;
}

/**
 * An operation of the program.
 *
 *   0      4      8     12      16     20      24
 *   ├─ code ─┼─ slot ─┼─ map ─┼─ least ─┼─ span ─┼─ value ─┼─ share ─┤
 */
@unmanaged
export class TerrainOp {
  code: TerrainCode;
  /** Number of a row of counts, or of a plane of distances. */
  slot: u32;
  /** The map of the layer that a row of counts is copied from. */
  map: usize;
  least: u32;
  span: u32;
  value: u32;
  /** The {@link Share} of a chance. */
  share: usize;
}

/**
 * The distances to the nearest visited cell of a layer, one byte a cell, 255 for 255 or more. Row i begins at
 * `cells` + i · strideBytes. The bytes outside the rows are 255: at least LANE_CELLS before and after each row, and a
 * whole row before the first and after the last.
 *
 *   0     4     8     12     16     20       24            28
 *   ├─ map ─┼─ row ─┼─ col ─┼─ rows ─┼─ cols ─┼─ cells ─┼─ strideBytes ─┤
 */
@unmanaged
export class DistancePlane {
  map: usize;
  row: i32;
  col: i32;
  rows: i32;
  cols: i32;
  cells: usize;
  strideBytes: u32;
}

/**
 * A rectangle of cells whose terrain is made. All its cells lie in the grid.
 *
 *   0     4     8      12     16     20        24            28    32
 *   ├─ row ─┼─ col ─┼─ rows ─┼─ cols ─┼─ oddR ─┼─ terrain ─┼─ strideBytes ─┼─ ops ─┤ …
 *
 *     32        36      40       44       48
 *   … ├─ opCount ─┼─ masks ─┼─ counts ─┼─ planes ─┼─ planeCount ─┤
 */
@unmanaged
export class TerrainArea {
  row: i32;
  col: i32;
  rows: i32;
  cols: i32;
  /** 1 if the coordinates are odd-r, 0 if they are axial. */
  oddR: u32;
  /** The terrain, one byte a cell. Row i begins at `terrain` + i · strideBytes. */
  terrain: usize;
  /** `cols` rounded up to a multiple of LANE_CELLS, plus LANE_CELLS. A mask has so many bytes too. */
  strideBytes: u32;
  /** The program, {@link TerrainOp}. */
  ops: usize;
  opCount: u32;
  /** The stack of masks. */
  masks: usize;
  /** The rows of counts, each 4 · strideBytes long. */
  counts: usize;
  /** {@link DistancePlane} records. */
  planes: usize;
  planeCount: u32;
}

/**
 * A kind of placement, and the rectangle to which its placements are wanted.
 *
 *   0     4     8      12     16         20       24           28
 *   ├─ row ─┼─ col ─┼─ rows ─┼─ cols ─┼─ distance ─┼─ share ─┼─ terrains ─┼─ fences ─┤ …
 *
 *     32        36
 *   … ├─ standing ─┼─ count ─┤
 */
@unmanaged
export class PlacementKind {
  row: i32;
  col: i32;
  rows: i32;
  cols: i32;
  /** No two are this close or closer, in steps; 0 if all candidates stand. */
  distance: i32;
  /** The {@link Share} of the density. Its part equals its whole if every cell of the terrains is a candidate. */
  share: usize;
  /** TERRAIN_CODES bytes: 1 if the kind stands on the terrain, 0 if not. */
  terrains: usize;
  /** Room for the fences of the area's rows; `fencesOf` entries a row. */
  fences: usize;
  /** Set by the kernel: the standing placements, {@link PlacedCell} sorted by row, then column, and their number. */
  standing: usize;
  count: u32;
}

/** A standing placement. */
@unmanaged
export class PlacedCell {
  row: i32;
  col: i32;
}
