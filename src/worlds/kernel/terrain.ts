import { forkKey, type StreamKey } from "../../address.js";
import type { Fraction } from "../../fractions.js";
import { type Address, type Kernel, NO_ADDRESS, Status, within } from "../../kernel/index.js";
import {
  BAND_ROWS,
  BLOCK_COLS,
  DistancePlane,
  LANE_CELLS,
  NoiseOctave,
  NoisePlan,
  PlacementKind,
  Position,
  Share,
  TERRAIN_CODES,
  TerrainArea,
  TerrainOp,
} from "../../kernel/layout.js";
import { oddRToAxial } from "../../walks/hexes.js";
import type { Cell, GridSpec } from "../../walks/index.js";
import { shareRecord } from "../../walks/kernel/share.js";
import { type CellRectangle, cellsOfGrid, coordinatesOf, grown, overlap } from "../../walks/rectangles.js";
import { NO_TERRAIN, type PlacementSpec, type StepData, type TerrainProgram, type WorldPlan } from "../types.js";
import { Workspace } from "../workspace.js";

const MADE = "made terrain";
/** Size of a count, and of a priority. */
const WORD_BYTES = 4;
/** Size of a value of a field. */
const FIELD_BYTES = 2;
/** Vectors of noise begin at multiples of four columns, so a row of sums can begin and end a vector further out. */
const SUMS_MARGIN = 8;
/** The bits of a row of candidates are read 8 bytes at a time, so a read can go past their end. */
const BITS_MARGIN = 8;

/** The cells of placements, sorted by row, then column. */
export interface StandingCells {
  readonly rows: Int32Array;
  readonly cols: Int32Array;
  /** The terrain on which each placement was placed. A path can replace it later. */
  readonly terrains: Uint8Array;
}

/** A lattice cell of noise has four corners. */
const CORNERS = 4;

const NONE: StandingCells = { rows: new Int32Array(0), cols: new Int32Array(0), terrains: new Uint8Array(0) };

/** The terrain of cells, in an array that may contain more cells. */
export interface TerrainCells {
  /** Index of the terrain of each cell; NO_TERRAIN outside the grid. */
  readonly cells: Uint8Array;
  readonly at: number;
  readonly stride: number;
}

export interface MadeTerrain {
  readonly terrain: TerrainCells;
  readonly placements: readonly StandingCells[];
}

type Kind = NonNullable<ReturnType<typeof kindOf>>;

/** Makes rectangles of cells, all in the same memory of the kernel. Unusable after a trap, or after its release. */
export class KernelTerrain {
  readonly #kernel: Kernel;
  readonly #plan: WorldPlan;
  readonly #maps: readonly Address[];
  readonly #key: StreamKey;
  readonly #fieldsKey: StreamKey;
  readonly #kinds: readonly (Kind | undefined)[];
  readonly #distance: number;
  readonly #buffers = new Map<string, { readonly at: Address; readonly bytes: number }>();

  /** @param maps - The addresses of the layers' maps. */
  constructor(kernel: Kernel, plan: WorldPlan, maps: readonly Address[], key: StreamKey) {
    this.#kernel = kernel;
    this.#plan = plan;
    this.#maps = maps;
    this.#key = forkKey(key, "terrain");
    this.#fieldsKey = forkKey(key, "fields");
    const { spec } = plan;
    const placements = forkKey(key, "placements");
    this.#kinds = spec.placements.map((kind) => kindOf(kind, spec.rules.length > 0, forkKey(placements, kind.name)));
    this.#distance = Math.max(0, ...this.#kinds.map((kind) => kind?.distance ?? 0));
  }

  /** Makes at most 1,024 × 1,024 cells. The maps must be complete up to `plan.halo` rows and columns beyond them. */
  make(rect: CellRectangle, workspace = new Workspace()): MadeTerrain {
    const { rows, cols } = rect;
    const inside = overlap(rect, cellsOfGrid(this.#plan.walk.grid));
    if (inside.rows < 1 || inside.cols < 1) {
      const cells = workspace.bytes(MADE, rows * cols).fill(NO_TERRAIN);
      return { terrain: { cells, at: 0, stride: cols }, placements: this.#kinds.map(() => NONE) };
    }
    const kernel = this.#kernel;
    const layout = layoutOf(inside, this.#distance, this.#plan.walk.grid, this.#plan.program);
    const terrainAt = this.#buffer("terrain", layout.area.rows * layout.strideBytes);
    const at = this.#writeArea(layout, this.#plan.program, terrainAt);
    const kinds = this.#kinds.map((kind, k) => kind && this.#writeKind(kind, k, inside, layout));
    kernel.runStreams((exports) => exports.makeTerrain(at));
    const from = kernel.read(at, TerrainArea).terrain;
    const terrain = this.#copyTerrain(from, layout, rect, inside, workspace);
    return { terrain, placements: kinds.map((kind) => this.#standing(at, kind, layout)) };
  }

  /**
   * Computes a field in a rectangle inside the grid, and calls `take` for each row. Its layers must be complete up to
   * the reach of its program beyond the rectangle.
   */
  makeField(field: number, rect: CellRectangle, take: (values: Uint16Array, row: number) => void): void {
    const { fields, walk } = this.#plan;
    const { program } = fields[field];
    const layout = layoutOf(rect, 0, walk.grid, program);
    const values = this.#buffer("field", rect.rows * layout.strideBytes * FIELD_BYTES);
    const at = this.#writeArea(layout, program, values);
    this.#kernel.runStreams((exports) => exports.makeTerrain(at));
    for (let i = 0; i < rect.rows; i++) {
      take(this.#kernel.u16(within(values, i * layout.strideBytes * FIELD_BYTES), rect.cols), rect.row0 + i);
    }
  }

  /** Writes the area: the part of a rectangle inside the grid, and the cells around it that placements need. */
  #writeArea({ area, strideBytes, ...layout }: Layout, program: TerrainProgram, terrain: Address): Address {
    const at = this.#buffer("area", TerrainArea.bytes);
    this.#kernel.write(at, TerrainArea, {
      ...placeOf(area),
      oddR: Number(coordinatesOf(this.#plan.walk.grid) === "odd-r"),
      terrain,
      strideBytes,
      ops: this.#writeOps(program, area.cols),
      opCount: program.steps.length,
      masks: this.#buffer("masks", layout.maskBytes),
      counts: this.#buffer("counts", layout.countBytes),
      planes: this.#writePlanes(layout.planes),
      planeCount: layout.planes.length,
      // a mask is copied in whole vectors, so a read can go past the end of the last mask
      bands: this.#buffer("bands", program.chances * BAND_ROWS * layout.bandStrideBytes + LANE_CELLS),
      bandStrideBytes: layout.bandStrideBytes,
    });
    return at;
  }

  #writeOps({ steps }: TerrainProgram, cols: number): Address {
    const at = this.#buffer("ops", steps.length * TerrainOp.bytes);
    for (const [i, { layer, data: given, ...op }] of steps.entries()) {
      const map = layer === undefined ? NO_ADDRESS : this.#maps[layer];
      const data = given === undefined ? NO_ADDRESS : this.#writeData(i, given, cols);
      this.#kernel.write(within(at, i * TerrainOp.bytes), TerrainOp, { ...op, map, data });
    }
    return at;
  }

  #writeData(i: number, data: StepData, cols: number): Address {
    const purpose = `${data.kind} ${i}`;
    switch (data.kind) {
      case "chance":
        return this.#writeShare(purpose, forkKey(forkKey(this.#key, data.terrain), data.number), data.share);
      case "noise":
        return this.#writeNoise(purpose, data, cols);
      case "position": {
        const at = this.#buffer(purpose, Position.bytes);
        const [row, col] = axialOf(data.from, this.#plan.walk.grid);
        this.#kernel.write(at, Position, { row, col });
        return at;
      }
      case "table": {
        const at = this.#buffer(purpose, data.values.byteLength);
        this.#kernel.u16(at, data.values.length).set(data.values);
        return at;
      }
    }
  }

  #writeNoise(purpose: string, { name, scale, octaves }: Extract<StepData, { kind: "noise" }>, cols: number): Address {
    const key = forkKey(this.#fieldsKey, name);
    const list = this.#buffer(`octaves of ${purpose}`, octaves * NoiseOctave.bytes);
    for (let o = 0; o < octaves; o++) {
      const side = scale >> o;
      const { k0, k1 } = forkKey(key, o);
      this.#kernel.write(within(list, o * NoiseOctave.bytes), NoiseOctave, {
        k0,
        k1,
        shift: Math.log2(side),
        weights: this.#buffer(`weights ${o} of ${purpose}`, CORNERS * WORD_BYTES * side),
        // a row of cells lies in at most cols / side + 2 lattice cells, which have one more point
        slopes: this.#buffer(`slopes ${o} of ${purpose}`, 2 * (Math.ceil(cols / side) + 3)),
        row: 0,
        col: 0,
        points: 0,
      });
    }
    const at = this.#buffer(purpose, NoisePlan.bytes);
    const sums = this.#buffer(`sums of ${purpose}`, WORD_BYTES * (cols + SUMS_MARGIN));
    this.#kernel.write(at, NoisePlan, { octaves: list, octaveCount: octaves, sums });
    return at;
  }

  #writeShare(purpose: string, key: StreamKey, share: Fraction): Address {
    const at = this.#buffer(purpose, Share.bytes);
    this.#kernel.write(at, Share, shareRecord(key, share));
    return at;
  }

  #writePlanes(planes: Layout["planes"]): Address {
    const at = this.#buffer("planes", planes.length * DistancePlane.bytes);
    for (const [i, plane] of planes.entries()) {
      const { layer, rect, strideBytes } = plane;
      // a margin, a row before the first row, the rows, and a row after the last one
      const start = this.#buffer(`plane ${i}`, LANE_CELLS + (rect.rows + 2) * strideBytes);
      this.#kernel.write(within(at, i * DistancePlane.bytes), DistancePlane, {
        ...placeOf(rect),
        map: this.#maps[layer],
        cells: within(start, LANE_CELLS + strideBytes),
        strideBytes,
      });
    }
    return at;
  }

  #copyTerrain(
    from: Address,
    { area, strideBytes }: Layout,
    rect: CellRectangle,
    inside: CellRectangle,
    workspace: Workspace,
  ): TerrainCells {
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

  #writeKind(kind: Kind, number: number, inside: CellRectangle, { bandStrideBytes }: Layout): Address {
    const { key, distance, density, terrains } = kind;
    const kernel = this.#kernel;
    const at = this.#buffer(`kind ${number}`, PlacementKind.bytes);
    const table = this.#buffer(`terrains ${number}`, TERRAIN_CODES);
    kernel.u8(table, TERRAIN_CODES).set(terrains);
    const share = this.#writeShare(`density ${number}`, key, density);
    const ringRows = 2 ** Math.ceil(Math.log2(BAND_ROWS + 2 * distance));
    // all kinds share these two arrays, because the kinds are made one after another
    const bits = this.#buffer("bits", ringRows * (bandStrideBytes / 8 + BITS_MARGIN));
    const priorities =
      distance === 0 ? NO_ADDRESS : this.#buffer("priorities", ringRows * bandStrideBytes * WORD_BYTES);
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

  #standing(area: Address, kind: Address | undefined, layout: Layout): StandingCells {
    if (kind === undefined) return NONE;
    const kernel = this.#kernel;
    const before = kernel.call((exports) => exports.mark());
    const status = kernel.runStreams((exports) => exports.findPlacements(area, kind));
    if (status !== Status.OK) {
      kernel.call((exports) => exports.release(before));
      kernel.outOfMemory(`placements of world ${this.#plan.name}`);
    }
    const { standing, count } = kernel.read(kind, PlacementKind);
    const cells = kernel.i32(standing, 2 * count);
    const [rows, cols, terrains] = [new Int32Array(count), new Int32Array(count), new Uint8Array(count)];
    const { row0, col0 } = layout.area;
    const { terrain } = kernel.read(area, TerrainArea);
    const below = kernel.u8(terrain, layout.area.rows * layout.strideBytes);
    for (let i = 0; i < count; i++) {
      rows[i] = cells[2 * i];
      cols[i] = cells[2 * i + 1];
      terrains[i] = below[(rows[i] - row0) * layout.strideBytes + cols[i] - col0];
    }
    kernel.call((exports) => exports.release(before));
    return { rows, cols, terrains };
  }

  /**
   * Calls with the same purpose return the same memory, because new memory costs a page fault every 4 KiB. Memory that
   * is too small is replaced by at least twice as much. So all replaced memory together is smaller than the new memory.
   */
  #buffer(purpose: string, bytes: number): Address {
    const held = this.#buffers.get(purpose);
    if (held !== undefined && held.bytes >= bytes) return held.at;
    const size = Math.max(bytes, 2 * (held?.bytes ?? 0));
    const made = this.#kernel.call((exports) => exports.allocate(size));
    const at = this.#kernel.taken(made, `the terrain of world ${this.#plan.name}`);
    this.#buffers.set(purpose, { at, bytes: size });
    return at;
  }
}

type Layout = ReturnType<typeof layoutOf>;

function layoutOf(inside: CellRectangle, distance: number, grid: GridSpec, program: TerrainProgram) {
  /** Returns the block of random words to which a column belongs. Column 0 is in block 0. */
  const blockOf = (col: number) => Math.floor(col / BLOCK_COLS);
  const around = (cells: CellRectangle, margin: number) => overlap(grown(cells, margin), cellsOfGrid(grid));
  const area = around(inside, distance);
  const strideBytes = strideOf(area.cols);
  const planes = [...program.reaches].map(([layer, reach]) => {
    const rect = around(area, reach);
    return { layer, rect, strideBytes: strideOf(rect.cols) };
  });
  return {
    area,
    strideBytes,
    maskBytes: program.depth * strideBytes,
    countBytes: WORD_BYTES * program.rows * strideBytes,
    bandStrideBytes: BLOCK_COLS * (blockOf(area.col0 + area.cols - 1) - blockOf(area.col0) + 1),
    planes,
  };
}

function axialOf(cell: Cell, grid: GridSpec): Cell {
  return coordinatesOf(grid) === "odd-r" ? oddRToAxial(cell) : cell;
}

function placeOf({ row0: row, col0: col, rows, cols }: CellRectangle) {
  return { row, col, rows, cols };
}

/** Returns undefined if the density is 0. If the world has no rules, placements can be on all cells. */
function kindOf({ terrains, density, distance }: PlacementSpec, hasRules: boolean, key: StreamKey) {
  if (density.numerator === 0n) return undefined;
  const table = new Uint8Array(TERRAIN_CODES).fill(Number(!hasRules));
  for (const terrain of terrains) table[terrain] = 1;
  return { key, distance, density, terrains: table };
}

/** Returns the bytes of a row: padded to whole vectors, plus a margin of one vector. */
function strideOf(cols: number): number {
  return Math.ceil(cols / LANE_CELLS) * LANE_CELLS + LANE_CELLS;
}
