import { forkKey, type StreamKey } from "../../address.js";
import type { Fraction } from "../../fractions.js";
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
import { type CellRectangle, cellsOfGrid, grown, overlap } from "../../walks/rectangles.js";
import { NO_TERRAIN, type PlacementSpec, type TerrainProgram, type TerrainStep, type WorldPlan } from "../types.js";
import { Workspace } from "../workspace.js";

const MADE = "made terrain";
const COUNT_BYTES = 4;
const PRIORITY_BYTES = 4;
/** The bits of a row of candidates are read 8 bytes at a time, so a read can go past their end. */
const BITS_MARGIN = 8;

interface TerrainSetup {
  readonly kernel: Kernel;
  readonly name: string;
  readonly plan: WorldPlan;
  readonly maps: readonly Address[];
  readonly key: StreamKey;
}

/** Sorted by row, then column. */
export interface StandingCells {
  readonly rows: Int32Array;
  readonly cols: Int32Array;
}

/** In an array that may contain more cells. */
export interface TerrainCells {
  /** NO_TERRAIN for a cell outside the grid. */
  readonly cells: Uint8Array;
  readonly at: number;
  readonly stride: number;
}

export interface MadeTerrain {
  readonly terrain: TerrainCells;
  readonly placements: readonly StandingCells[];
}

/** A probability between 0 and 1, and the key of its random words. */
interface Chance {
  readonly key: StreamKey;
  readonly share: Fraction;
}

/** A kind that can have candidates. */
interface Kind {
  readonly distance: number;
  readonly density: Chance;
  readonly terrains: Uint8Array;
}

interface Layout {
  /** The cells whose terrain is made. */
  readonly area: CellRectangle;
  readonly strideBytes: number;
  readonly maskBytes: number;
  readonly countBytes: number;
  readonly bandStrideBytes: number;
  /** The plane of distances of each layer that needs one. */
  readonly planes: readonly { readonly layer: number; readonly rect: CellRectangle; readonly strideBytes: number }[];
}

/**
 * Terrain and placements of rectangles, made in the kernel from the layers' maps. Keeps its memory in the kernel for
 * the next rectangle. A trap, or a release of this memory, makes the object unusable.
 */
export class KernelTerrain {
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #maps: readonly Address[];
  readonly #grid: GridSpec;
  readonly #program: TerrainProgram;
  readonly #key: StreamKey;
  /** Undefined for a kind with density 0. */
  readonly #kinds: readonly (Kind | undefined)[];
  readonly #distance: number;
  readonly #buffers = new Map<string, { readonly at: Address; readonly bytes: number }>();

  constructor({ kernel, name, plan: { spec, program }, maps, key }: TerrainSetup) {
    this.#kernel = kernel;
    this.#name = name;
    this.#maps = maps;
    this.#grid = spec.walk.grid;
    this.#program = program;
    this.#key = forkKey(key, "terrain");
    const placements = forkKey(key, "placements");
    this.#kinds = spec.placements.map((kind) => kindOf(kind, spec.rules.length > 0, forkKey(placements, kind.name)));
    this.#distance = Math.max(0, ...this.#kinds.map((kind) => kind?.distance ?? 0));
  }

  /**
   * Makes a rectangle of at most 1,024 × 1,024 cells. The maps must be final on the rectangle, and up to `halo` (of the
   * plan) rows and columns around it.
   *
   * @throws RollmillError `kernel.memory`.
   */
  make(rect: CellRectangle, workspace = new Workspace()): MadeTerrain {
    const { rows, cols } = rect;
    const inside = overlap(rect, cellsOfGrid(this.#grid));
    if (inside.rows < 1 || inside.cols < 1) {
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

  /** The area is the part of a rectangle inside the grid, and the cells around it that placements need. */
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
      ...placeOf(area),
      oddR: Number(coordinatesOf(this.#grid) === "odd-r"),
      terrain,
      strideBytes,
      ops,
      opCount: this.#program.steps.length,
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
    const { steps } = this.#program;
    const at = this.#buffer("ops", steps.length * TerrainOp.bytes);
    for (const [i, { layer, chance, ...op }] of steps.entries()) {
      const map = layer === undefined ? NO_ADDRESS : this.#maps[layer];
      const share = chance === undefined ? NO_ADDRESS : this.#writeChance(`chance ${i}`, chance);
      this.#kernel.write(within(at, i * TerrainOp.bytes), TerrainOp, { ...op, map, share });
    }
    return at;
  }

  #writeChance(purpose: string, { terrain, number, share }: NonNullable<TerrainStep["chance"]>): Address {
    return this.#writeShare(purpose, { key: forkKey(forkKey(this.#key, terrain), number), share });
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
        ...placeOf(rect),
        map: this.#maps[layer],
        // leaves room for the margin and for the row before the first
        cells: within(start, LANE_CELLS + strideBytes),
        strideBytes,
      });
    }
    return at;
  }

  #copyTerrain(
    at: Address,
    { area, strideBytes }: Layout,
    {
      rect,
      inside,
      workspace,
    }: { readonly rect: CellRectangle; readonly inside: CellRectangle; readonly workspace: Workspace },
  ): TerrainCells {
    const from = this.#kernel.read(at, TerrainArea).terrain;
    const firstOf = (row: number) => (row - area.row0) * strideBytes + (inside.col0 - area.col0);
    const isWhole = inside.rows === rect.rows && inside.cols === rect.cols;
    // the usual case: copies all rows at once, with the bytes between them
    if (isWhole) {
      const first = within(from, firstOf(inside.row0));
      const made = this.#kernel.u8(first, (inside.rows - 1) * strideBytes + inside.cols);
      const cells = workspace.bytes(MADE, made.length);
      cells.set(made);
      return { cells, at: 0, stride: strideBytes };
    }
    const cells = workspace.bytes(MADE, rect.rows * rect.cols).fill(NO_TERRAIN);
    for (let i = 0; i < inside.rows; i++) {
      const to = (inside.row0 + i - rect.row0) * rect.cols + (inside.col0 - rect.col0);
      cells.set(this.#kernel.u8(within(from, firstOf(inside.row0 + i)), inside.cols), to);
    }
    return { cells, at: 0, stride: rect.cols };
  }

  #writeKind(
    { distance, density, terrains }: Kind,
    number: number,
    { inside, layout: { bandStrideBytes } }: { readonly inside: CellRectangle; readonly layout: Layout },
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
      ...placeOf(inside),
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

  #layout(inside: CellRectangle): Layout {
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
      bandStrideBytes: BLOCK_COLS * (blockOf(area.col0 + area.cols - 1) - blockOf(area.col0) + 1),
      planes,
    };
  }

  /** Extends a rectangle by `distance` cells on each side, and cuts it at the edge of the grid. */
  #around(rectangle: CellRectangle, distance: number): CellRectangle {
    return overlap(grown(rectangle, distance), cellsOfGrid(this.#grid));
  }

  /**
   * The next call for a purpose returns the same memory, because new memory costs a page fault every 4 KiB. If it is
   * too small, new memory of at least twice the size replaces it. So all replaced memory together is smaller than the
   * memory in use.
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

function placeOf({ row0: row, col0: col, rows, cols }: CellRectangle) {
  return { row, col, rows, cols };
}

/** If the world has no rules, the kind can stand on all cells. */
function kindOf({ terrains, density, distance }: PlacementSpec, hasRules: boolean, key: StreamKey): Kind | undefined {
  if (density.numerator === 0n) return undefined;
  const table = new Uint8Array(TERRAIN_CODES).fill(Number(!hasRules));
  for (const terrain of terrains) table[terrain] = 1;
  return { distance, density: { key, share: density }, terrains: table };
}

/** The block of random words to which a column belongs. Here, column 0 is in block 0. */
function blockOf(col: number): number {
  return Math.floor(col / BLOCK_COLS);
}

/** Padded to whole vectors, plus a margin of one vector. */
function strideOf(cols: number): number {
  return Math.ceil(cols / LANE_CELLS) * LANE_CELLS + LANE_CELLS;
}

/** A margin, a row before the first row, the rows, and a row after the last one. */
function planeBytes({ rect, strideBytes }: Layout["planes"][number]): number {
  return LANE_CELLS + (rect.rows + 2) * strideBytes;
}
