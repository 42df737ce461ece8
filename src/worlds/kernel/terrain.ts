import { forkKey, type StreamKey } from "../../address.js";
import { type Address, type Kernel, NO_ADDRESS, Status, within } from "../../kernel/index.js";
import {
  BAND_ROWS,
  BLOCK_COLS,
  DistancePlane,
  LANE_CELLS,
  PlacementKind,
  Share,
  TERRAIN_CODES,
  TerrainArea,
  TerrainOp,
} from "../../kernel/layout.js";
import { coordinatesOf } from "../../walks/coordinates.js";
import type { GridSpec } from "../../walks/index.js";
import type { CellRectangle } from "../../walks/map/openCells.js";
import { cellsOfGrid, overlap } from "../costs.js";
import { NO_TERRAIN, type PlacementSpec, type WorldPlan } from "../types.js";
import { Workspace } from "../workspace.js";
import { type Chance, compileRules, type Program } from "./program.js";

/** The name of the memory for the terrain, in a {@link Workspace}. */
const MADE = "made terrain";
const COUNT_BYTES = 4;
const PRIORITY_BYTES = 4;
/** Bytes after the bits of a row of candidates. The bits are read 8 bytes at a time, so a read can go past their end. */
const BITS_MARGIN = 8;

/** The settings of a {@link KernelTerrain}. */
interface TerrainSetup {
  readonly kernel: Kernel;
  readonly name: string;
  readonly plan: WorldPlan;
  /** The map of each layer, in the same kernel. */
  readonly maps: readonly Address[];
  /** The key of the world. It comes from the world's name and the ids of its forks. */
  readonly key: StreamKey;
}

/** The cells on which placements of one kind stand in a rectangle, sorted by row, then column. */
export interface StandingCells {
  readonly rows: Int32Array;
  readonly cols: Int32Array;
}

/** The terrain of the cells of a rectangle, in an array that may contain more cells. */
export interface TerrainCells {
  /** The index of each cell's terrain, or NO_TERRAIN for a cell outside the grid. */
  readonly cells: Uint8Array;
  /** `at`: the index of the first cell. `stride`: the number of elements from one row to the next. */
  readonly at: number;
  readonly stride: number;
}

/** The terrain and the placements of a rectangle. */
export interface MadeTerrain {
  readonly terrain: TerrainCells;
  /** The standing placements of each kind. */
  readonly placements: readonly StandingCells[];
}

/** A kind of placement that can have candidates. */
interface Kind {
  readonly distance: number;
  readonly density: Chance;
  readonly terrains: Uint8Array;
}

/** A rectangle of cells. The fields have the same names as in the kernel. */
interface Area {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

/** The rectangles and sizes of a call of {@link KernelTerrain.make}. */
interface Layout {
  /** The cells whose terrain is made. */
  readonly area: Area;
  readonly strideBytes: number;
  readonly maskBytes: number;
  readonly countBytes: number;
  readonly bandStrideBytes: number;
  /** The plane of distances of each layer that needs one. */
  readonly planes: readonly { readonly layer: number; readonly rect: Area; readonly strideBytes: number }[];
}

/**
 * Terrain and placements of rectangles, made in the kernel from the layers' maps. Keeps its memory in the kernel for
 * the next rectangle. A trap of the kernel, or a release of its memory, makes the object unusable.
 */
export class KernelTerrain {
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #maps: readonly Address[];
  readonly #grid: GridSpec;
  readonly #program: Program;
  /** The kinds of placements; undefined for a kind with density 0. */
  readonly #kinds: readonly (Kind | undefined)[];
  /** The greatest distance of a kind. */
  readonly #distance: number;
  readonly #buffers = new Map<string, { readonly at: Address; readonly bytes: number }>();

  constructor({ kernel, name, plan: { spec }, maps, key }: TerrainSetup) {
    this.#kernel = kernel;
    this.#name = name;
    this.#maps = maps;
    this.#grid = spec.walk.grid;
    this.#program = compileRules(spec, maps, key);
    const placements = forkKey(key, "placements");
    this.#kinds = spec.placements.map((kind) => kindOf(kind, spec.rules.length > 0, forkKey(placements, kind.name)));
    this.#distance = Math.max(0, ...this.#kinds.map((kind) => kind?.distance ?? 0));
  }

  /**
   * Makes the terrain and the placements of a rectangle of at most 1,024 × 1,024 cells. The maps must be final on the
   * rectangle, and up to `halo` rows and columns around it. `halo` is a field of the plan.
   *
   * @param workspace - The memory for the terrain. Default: new memory.
   * @throws RollmillError `kernel.memory`.
   */
  make({ row0: row, col0: col, rows, cols }: CellRectangle, workspace = new Workspace()): MadeTerrain {
    const rect = { row, col, rows, cols };
    const inside = this.#cut(rect);
    if (inside.rows === 0 || inside.cols === 0) {
      const none = { rows: new Int32Array(0), cols: new Int32Array(0) };
      const cells = workspace.bytes(MADE, rows * cols).fill(NO_TERRAIN);
      return { terrain: { cells, at: 0, stride: cols }, placements: this.#kinds.map(() => none) };
    }
    const kernel = this.#kernel;
    const layout = this.#layout(inside);
    const at = this.#writeArea(layout);
    const kinds = this.#kinds.map((kind, k) => kind && this.#writeKind(kind, k, { inside, layout }));
    kernel.runStreams((exports) => exports.makeTerrain(at));
    const terrain = this.#copyTerrain(at, layout, { rect, inside, workspace });
    return { terrain, placements: kinds.map((kind) => this.#standing(at, kind)) };
  }

  /**
   * Writes a TerrainArea for the kernel, and returns its address. The area is the part of a rectangle inside the grid,
   * and the cells around it that placements need.
   */
  #writeArea(layout: Layout): Address {
    const { area, strideBytes } = layout;
    const at = this.#buffer("area", TerrainArea.bytes);
    const terrain = this.#buffer("terrain", area.rows * strideBytes);
    const masks = this.#buffer("masks", layout.maskBytes);
    const counts = this.#buffer("counts", layout.countBytes);
    // a mask is copied in whole vectors, so a read can go past the end of the last mask
    const bands = this.#buffer("bands", this.#program.chances * BAND_ROWS * layout.bandStrideBytes + LANE_CELLS);
    const ops = this.#writeOps();
    const planes = this.#writePlanes(layout);
    this.#kernel.write(at, TerrainArea, {
      ...area,
      oddR: Number(coordinatesOf(this.#grid) === "odd-r"),
      terrain,
      strideBytes,
      ops,
      opCount: this.#program.ops.length,
      masks,
      counts,
      planes,
      planeCount: layout.planes.length,
      bands,
      bandStrideBytes: layout.bandStrideBytes,
    });
    return at;
  }

  #writeOps(): Address {
    const { ops } = this.#program;
    const at = this.#buffer("ops", ops.length * TerrainOp.bytes);
    for (const [i, { chance, ...op }] of ops.entries()) {
      const share = chance === undefined ? NO_ADDRESS : this.#writeShare(`chance ${i}`, chance);
      this.#kernel.write(within(at, i * TerrainOp.bytes), TerrainOp, { ...op, share });
    }
    return at;
  }

  #writeShare(purpose: string, { key: { k0, k1 }, share: { numerator, denominator } }: Chance): Address {
    const at = this.#buffer(purpose, Share.bytes);
    const bound = Number((numerator << 32n) / denominator);
    this.#kernel.write(at, Share, { k0, k1, part: Number(numerator), whole: Number(denominator), bound });
    return at;
  }

  #writePlanes({ planes }: Layout): Address {
    const at = this.#buffer("planes", planes.length * DistancePlane.bytes);
    for (const [i, plane] of planes.entries()) {
      const { layer, rect, strideBytes } = plane;
      const start = this.#buffer(`plane ${i}`, planeBytes(plane));
      this.#kernel.write(within(at, i * DistancePlane.bytes), DistancePlane, {
        ...rect,
        map: this.#maps[layer],
        // leaves room for the margin and for the row before the first
        cells: within(start, LANE_CELLS + strideBytes),
        strideBytes,
      });
    }
    return at;
  }

  /** Copies the terrain of a rectangle. `inside` is the part of the rectangle in the grid. */
  #copyTerrain(
    at: Address,
    { area, strideBytes }: Layout,
    { rect, inside, workspace }: { readonly rect: Area; readonly inside: Area; readonly workspace: Workspace },
  ): TerrainCells {
    const from = this.#kernel.read(at, TerrainArea).terrain;
    const firstOf = (row: number) => (row - area.row) * strideBytes + (inside.col - area.col);
    const isWhole = inside.rows === rect.rows && inside.cols === rect.cols;
    // the usual case: copies all rows at once, with the bytes between them
    if (isWhole) {
      const first = within(from, firstOf(inside.row));
      const made = this.#kernel.u8(first, (inside.rows - 1) * strideBytes + inside.cols);
      const cells = workspace.bytes(MADE, made.length);
      cells.set(made);
      return { cells, at: 0, stride: strideBytes };
    }
    const cells = workspace.bytes(MADE, rect.rows * rect.cols).fill(NO_TERRAIN);
    for (let i = 0; i < inside.rows; i++) {
      const to = (inside.row + i - rect.row) * rect.cols + (inside.col - rect.col);
      cells.set(this.#kernel.u8(within(from, firstOf(inside.row + i)), inside.cols), to);
    }
    return { cells, at: 0, stride: rect.cols };
  }

  /** Writes a PlacementKind for the kernel, and returns its address. `inside` is the rectangle of the placements. */
  #writeKind(
    { distance, density, terrains }: Kind,
    number: number,
    { inside, layout: { bandStrideBytes } }: { readonly inside: Area; readonly layout: Layout },
  ): Address {
    const kernel = this.#kernel;
    const at = this.#buffer(`kind ${number}`, PlacementKind.bytes);
    const table = this.#buffer(`terrains ${number}`, TERRAIN_CODES);
    kernel.u8(table, TERRAIN_CODES).set(terrains);
    const share = this.#writeShare(`density ${number}`, density);
    const ringRows = 2 ** Math.ceil(Math.log2(BAND_ROWS + 2 * distance));
    // all kinds share these two arrays, because the kinds are made one after another
    const bits = this.#buffer("bits", ringRows * (bandStrideBytes / 8 + BITS_MARGIN));
    const priorities =
      distance === 0 ? NO_ADDRESS : this.#buffer("priorities", ringRows * bandStrideBytes * PRIORITY_BYTES);
    kernel.write(at, PlacementKind, {
      ...inside,
      distance,
      share,
      terrains: table,
      bits,
      priorities,
      ringRows,
      standing: NO_ADDRESS,
      count: 0,
    });
    return at;
  }

  /** Finds the standing placements of a kind. */
  #standing(area: Address, kind: Address | undefined): StandingCells {
    if (kind === undefined) return { rows: new Int32Array(0), cols: new Int32Array(0) };
    const kernel = this.#kernel;
    const before = kernel.call((exports) => exports.mark());
    const status = kernel.runStreams((exports) => exports.findPlacements(area, kind));
    if (status !== Status.OK) {
      kernel.call((exports) => exports.release(before));
      kernel.outOfMemory(`placements of world ${this.#name}`);
    }
    const { standing, count } = kernel.read(kind, PlacementKind);
    const cells = kernel.i32(standing, 2 * count);
    const [rows, cols] = [new Int32Array(count), new Int32Array(count)];
    for (let i = 0; i < count; i++) {
      rows[i] = cells[2 * i];
      cols[i] = cells[2 * i + 1];
    }
    kernel.call((exports) => exports.release(before));
    return { rows, cols };
  }

  #layout(inside: Area): Layout {
    const area = this.#around(inside, this.#distance);
    const strideBytes = strideOf(area.cols);
    const planes = [...this.#program.reaches].map(([layer, reach]) => {
      const rect = this.#around(area, reach);
      return { layer, rect, strideBytes: strideOf(rect.cols) };
    });
    return {
      area,
      strideBytes,
      maskBytes: this.#program.depth * strideBytes,
      countBytes: COUNT_BYTES * this.#program.rows * strideBytes,
      bandStrideBytes: BLOCK_COLS * (blockOf(area.col + area.cols - 1) - blockOf(area.col) + 1),
      planes,
    };
  }

  /** Extends a rectangle by `distance` cells on each side, and cuts it at the edge of the grid. */
  #around({ row, col, rows, cols }: Area, distance: number): Area {
    const rim = 2 * distance;
    return this.#cut({ row: row - distance, col: col - distance, rows: rows + rim, cols: cols + rim });
  }

  /** Returns the part of a rectangle that is in the grid. It may have no cells. */
  #cut({ row, col, rows, cols }: Area): Area {
    const inside = overlap({ row0: row, col0: col, rows, cols }, cellsOfGrid(this.#grid));
    return { row: inside.row0, col: inside.col0, rows: Math.max(0, inside.rows), cols: Math.max(0, inside.cols) };
  }

  /**
   * Returns memory for a purpose. The next call for this purpose returns the same memory, because new memory costs a
   * page fault every 4 KiB. If this memory is too small, new memory of at least twice the size replaces it. So all
   * replaced memory together is smaller than the memory in use.
   */
  #buffer(purpose: string, bytes: number): Address {
    const held = this.#buffers.get(purpose);
    if (held !== undefined && held.bytes >= bytes) return held.at;
    const size = Math.max(bytes, 2 * (held?.bytes ?? 0));
    const at = this.#kernel.taken(
      this.#kernel.call((exports) => exports.allocate(size)),
      `the terrain of world ${this.#name}`,
    );
    this.#buffers.set(purpose, { at, bytes: size });
    return at;
  }
}

/** Prepares a kind. If the world has no rules, the kind can stand on all cells. */
function kindOf({ terrains, density, distance }: PlacementSpec, hasRules: boolean, key: StreamKey): Kind | undefined {
  if (density.numerator === 0n) return undefined;
  const table = new Uint8Array(TERRAIN_CODES).fill(Number(!hasRules));
  for (const terrain of terrains) table[terrain] = 1;
  return { distance, density: { key, share: density }, terrains: table };
}

/** Returns the number of the block of random words to which a column belongs. Here, column 0 is in block 0. */
function blockOf(col: number): number {
  return Math.floor(col / BLOCK_COLS);
}

/** Size of a row of `cols` bytes: padded to whole vectors, plus a margin of one vector. */
function strideOf(cols: number): number {
  return Math.ceil(cols / LANE_CELLS) * LANE_CELLS + LANE_CELLS;
}

/**
 * Size of a plane of distances in bytes: a margin, a row before the first row, the rows, and a row after the last one.
 */
function planeBytes({ rect, strideBytes }: Layout["planes"][number]): number {
  return LANE_CELLS + (rect.rows + 2) * strideBytes;
}
