// Memory layout of worlds, which the kernel and TypeScript share. `npm run build:kernel` writes src/kernel/layout.ts
// from this file.

/** Number of entries of a table with one entry for each terrain. A terrain is one byte. */
export const TERRAIN_CODES: u32 = 256;

/**
 * The operations of a program that decides the terrain of a row. It works on a stack of masks. A mask has one byte for
 * each cell: 0xff if a condition holds for the cell, 0 if not. The program runs the rules from the last to the first,
 * so that earlier rules overwrite the terrain of later rules.
 */
export const enum TerrainCode {
  /** Copies the visits of a layer to a row of counts. */
  LOAD_VISITS,
  /** Copies the first visits of a layer to a row of counts. */
  LOAD_FIRST_VISITS,
  /** Pushes the mask of the cells whose counts are in the range least … least + span, inclusive. */
  RANGE,
  /** Pushes the mask of the cells that a layer visited. */
  VISITED,
  /** Pushes the mask of the cells whose distance to a visited cell of a layer is at most `value`. */
  WITHIN,
  /** Pushes the mask of the cells for which a chance holds. `slot` is the index of the chance. */
  CHANCE,
  /** Pushes the same byte for all cells: `value`. */
  CONSTANT,
  /** AND and OR combine the two masks on top into one. */
  AND,
  OR,
  /** Inverts the mask on top. */
  NOT,
  /** Pops a mask. Sets its cells to the terrain `value`. */
  RULE,
  /** Sets all cells to the terrain `value`. */
  FILL,
  // operations of fields: each writes the row of counts `slot`
  /** Computes the {@link NoisePlan} at `data`. */
  NOISE,
  /** Copies the distances of the plane `value`. */
  DISTANCES,
  /** Computes the distances to the cell of the {@link Position} at `data`; if `value` is 1, the distances of rows. */
  POSITION,
  /** Sets all counts to `value`, as i32. */
  SET,
  /** Adds the row `least`, times `value` as i32. */
  ADD,
  /** Divides by `value`, rounds down, and clamps the quotients to 0 … FIELD_MOST. */
  DIVIDE,
  /** LEAST and MOST take the smaller or the greater of `slot` and the row `least`. */
  LEAST,
  MOST,
  /** Replaces each count c by entry min(c, `value`) of the table of u16 at `data`. */
  LOOK_UP,
  /** Stores the row `least` as the u16 of a field, in place of the terrain. */
  STORE,
}

/** The greatest value of a field. */
export const FIELD_MOST: i32 = 65535;

/**
 * An operation of the program.
 *
 *   0      4      8     12      16     20      24
 *   ├─ code ─┼─ slot ─┼─ map ─┼─ least ─┼─ span ─┼─ value ─┼─ data ─┤
 */
@unmanaged
export class TerrainOp {
  code: TerrainCode;
  /** Index of a row of counts, of a plane of distances, or of a chance. */
  slot: u32;
  /** The map from which a row of counts is copied. */
  map: usize;
  least: u32;
  span: u32;
  value: u32;
  /** The {@link Share} of a chance, or the data of a field. */
  data: usize;
}

/**
 * A cell to which distances are measured, in the coordinates of the area.
 *
 *   0     4     8
 *   ├─ row ─┼─ col ─┤
 */
@unmanaged
export class Position {
  row: i32;
  col: i32;
}

/**
 * Noise: the sum of octaves.
 *
 *   0           4              8        12
 *   ├─ octaves ─┼─ octaveCount ─┼─ sums ─┤
 */
@unmanaged
export class NoisePlan {
  /** Address of an array of {@link NoiseOctave}. */
  octaves: usize;
  octaveCount: u32;
  /** Address of a row of sums, i32. It has eight more sums than the area has columns. */
  sums: usize;
}

/**
 * An octave of noise. Its lattice has a point every 2^shift rows and columns.
 *
 *   0    4    8       12         16          20      24      28      32
 *   ├─ k0 ─┼─ k1 ─┼─ shift ─┼─ weights ─┼─ slopes ─┼─ row ─┼─ col ─┼─ points ─┤
 */
@unmanaged
export class NoiseOctave {
  /** The key of the random words of the lattice. */
  k0: u32;
  k1: u32;
  shift: i32;
  /** Address of four tables of 2^shift u32: for each corner of a lattice cell, the weights of a row of cells. */
  weights: usize;
  /** Address of the gradients of two rows of lattice points, a byte each. */
  slopes: usize;
  /** The place of the first gradient in the lattice, and how many gradients a row has. Set by the kernel. */
  row: i32;
  col: i32;
  points: i32;
}

/**
 * For each cell of a rectangle, the distance to the nearest visited cell of a layer, as one byte. 255 stands for 255 or
 * more. Row i begins at `cells` + i · strideBytes. A border of 255 surrounds the rows: at least LANE_CELLS bytes before
 * and after each row, and a whole row before the first row and after the last row.
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
 * A rectangle of cells whose terrain is computed. All cells of the rectangle are in the grid.
 *
 *   0     4     8      12     16     20          24        28            32
 *   ├─ row ─┼─ col ─┼─ rows ─┼─ cols ─┼─ oddR ─┼─ axialMaps ─┼─ terrain ─┼─ strideBytes ─┤ …
 *
 *     32    36        40      44       48       52           56      60
 *   … ├─ ops ─┼─ opCount ─┼─ masks ─┼─ counts ─┼─ planes ─┼─ planeCount ─┼─ bands ─┼─ bandStrideBytes ─┤
 */
@unmanaged
export class TerrainArea {
  row: i32;
  col: i32;
  rows: i32;
  cols: i32;
  /** 1 if the coordinates are odd-r, 0 if they are axial. */
  oddR: u32;
  /** 1 if `oddR` is 1 and the maps of the layers are axial, 0 if the maps have the coordinates of the area. */
  axialMaps: u32;
  /** The terrain, one byte for each cell. Row i begins at `terrain` + i · strideBytes. */
  terrain: usize;
  /** `cols` rounded up to a multiple of LANE_CELLS, plus LANE_CELLS. A mask has the same size. */
  strideBytes: u32;
  /** Address of the program, an array of {@link TerrainOp}. */
  ops: usize;
  opCount: u32;
  /** The stack of masks. */
  masks: usize;
  /** The rows of counts, each 4 · strideBytes long. */
  counts: usize;
  /** Address of an array of {@link DistancePlane}. */
  planes: usize;
  planeCount: u32;
  /** Address of the masks of the current band: BAND_ROWS masks for each chance of the program. */
  bands: usize;
  /** Size of a mask of a band, in bytes: the number of columns of all blocks that have words for cells of the area. */
  bandStrideBytes: u32;
}

/**
 * A kind of placement, and the rectangle in which the caller wants its placements.
 *
 *   0     4     8      12     16         20       24           28      32            36
 *   ├─ row ─┼─ col ─┼─ rows ─┼─ cols ─┼─ distance ─┼─ share ─┼─ terrains ─┼─ bits ─┼─ priorities ─┼─ ringRows ─┤ …
 *
 *     40           44              48         52
 *   … ├─ relations ─┼─ relationCount ─┼─ standing ─┼─ count ─┤
 */
@unmanaged
export class PlacementKind {
  row: i32;
  col: i32;
  rows: i32;
  cols: i32;
  /** Two standing placements are always more than this many steps apart. 0 if all candidates stand. */
  distance: i32;
  /** The {@link Share} of the density. If part equals whole, every cell of the terrains is a candidate. */
  share: usize;
  /** Address of TERRAIN_CODES bytes, one for each terrain: 1 if the kind can stand on the terrain, 0 if not. */
  terrains: usize;
  /**
   * The addresses of two rings with the candidates of `ringRows` rows. `ringRows` is a power of two, at least BAND_ROWS
   * + 2 · distance. A row of `bits` takes bandStrideBytes / 8 + 8 bytes. A row of `priorities` takes 4 ·
   * bandStrideBytes bytes. If `priorities` is 0, the distance must be 0, and candidates have no priorities.
   */
  bits: usize;
  priorities: usize;
  ringRows: i32;
  /** Address of an array of {@link PlacementRelation}. A candidate must meet all of them. */
  relations: usize;
  relationCount: u32;
  /**
   * Set by the kernel: address and length of an array of {@link PlacedCell}. It has the standing placements, sorted by
   * row, then by column.
   */
  standing: usize;
  count: u32;
}

/**
 * A condition on the nearest of several cells.
 *
 *   0       4       8          12       16
 *   ├─ cells ─┼─ count ─┼─ distance ─┼─ isNear ─┤
 */
@unmanaged
export class PlacementRelation {
  /** Address and length of an array of {@link PlacedCell}, sorted by row, then by column. */
  cells: usize;
  count: u32;
  distance: i32;
  /** 1 if one of the cells must be within the distance, 0 if none may be. */
  isNear: u32;
}

/** A standing placement. */
@unmanaged
export class PlacedCell {
  row: i32;
  col: i32;
  /** Undefined if the kind's candidates have no priorities. */
  priority: u32;
}

/**
 * A search for the cheapest way between two cells, over the terrain of a rectangle.
 *
 *   0     4     8      12     16        20     24      28          32        36      40
 *   ├─ row ─┼─ col ─┼─ rows ─┼─ cols ─┼─ terrain ─┼─ oddR ─┼─ costs ─┼─ leastCost ─┼─ fromRow ─┼─ fromCol ─┤ …
 *
 *     40      44      48       52      56        60        64      68     72       76
 *   … ├─ toRow ─┼─ toCol ─┼─ margin ─┼─ nodes ─┼─ links ─┼─ buckets ─┼─ moves ─┼─ cost ─┼─ length ─┤
 */
@unmanaged
export class WaySearch {
  row: i32;
  col: i32;
  rows: i32;
  cols: i32;
  /** The terrain of the rectangle, one byte for each cell, row by row. */
  terrain: usize;
  /** 1 if the coordinates are odd-r, 0 if they are axial. */
  oddR: u32;
  /** Address of TERRAIN_CODES u16: the cost of a cell of each terrain, 0 if it is closed. */
  costs: usize;
  /** The least of the costs above 0; 0 if all terrain is closed. */
  leastCost: u32;
  fromRow: i32;
  fromCol: i32;
  toRow: i32;
  toCol: i32;
  /** How far the hexagon of the search reaches beyond both ends, in rows, columns and diagonals. */
  margin: i32;
  /** Memory of the kernel: the cells, their links in the queue, and the buckets of the queue. */
  nodes: usize;
  links: usize;
  buckets: usize;
  /** Set by the kernel: the directions of the steps, a byte each, the cost of the way, and the number of its steps. */
  moves: usize;
  cost: u32;
  /** Number of steps; 0 without a way. */
  length: u32;
}
