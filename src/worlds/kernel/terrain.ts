import { forkKey, type StreamKey } from "../../address.js";
import { type Address, type Kernel, NO_ADDRESS, within } from "../../kernel/index.js";
import {
  BAND_ROWS,
  BLOCK_COLS,
  DistancePlane,
  LANE_CELLS,
  NoiseOctave,
  NoisePlan,
  Position,
  TerrainArea,
  TerrainOp,
} from "../../kernel/layout.js";
import { oddRToAxial } from "../../walks/hexes.js";
import { type KernelValues, VALUE_BYTES } from "../../walks/kernel/slope.js";
import { type CellRectangle, cellsOfGrid, coordinatesOf, grown, isUpright, overlap } from "../../walks/rectangles.js";
import { areasOf, terrainArea } from "../areas.js";
import type { StandingCells } from "../standing.js";
import type { MadeTerrain, StoredCells, TerrainCells } from "../stored.js";
import { NO_TERRAIN, type StepData, type TerrainProgram, type WorldPlan, type WorldSpec } from "../types.js";
import { Workspace } from "../workspace.js";
import { Buffers } from "./buffers.js";
import { KernelPlacements, NONE, type PlacementArea, placeOf } from "./placements.js";

const MADE = "made terrain";
/** Size of a count. */
const WORD_BYTES = 4;
/** Vectors of noise begin at multiples of four columns, so a row of sums can begin and end a vector further out. */
const SUMS_MARGIN = 8;
/** A lattice cell of noise has four corners. */
const CORNERS = 4;

/** Takes the values of a row of a field. */
export type FieldRows = (values: Uint16Array, row: number) => void;

/** Makes rectangles of cells, all in the same memory of the kernel. Unusable after a trap, or after its release. */
export class KernelTerrain {
  readonly #kernel: Kernel;
  readonly #plan: WorldPlan;
  readonly #maps: readonly Address[];
  readonly #key: StreamKey;
  readonly #buffers: Buffers;
  readonly #placements: KernelPlacements;
  /** The tables of fields that the kernel has. They never change. */
  readonly #tables = new Map<Uint16Array, Address>();

  /** @param maps - The addresses of the layers' maps. */
  constructor(kernel: Kernel, plan: WorldPlan, maps: readonly Address[], key: StreamKey) {
    this.#kernel = kernel;
    this.#plan = plan;
    this.#maps = maps;
    this.#key = key;
    this.#buffers = new Buffers(kernel, plan.name);
    this.#placements = new KernelPlacements(kernel, plan, this.#buffers, key);
  }

  /**
   * Makes at most 1,024 × 1,024 cells. The maps must be complete in all cells of `cellsNeeded`. Pass `stored` only if
   * it can make them.
   */
  make(rect: CellRectangle, workspace = new Workspace(), stored?: StoredCells): MadeTerrain {
    const { rows, cols } = rect;
    const { spec, program } = this.#plan;
    const inside = overlap(rect, cellsOfGrid(spec.grid));
    if (inside.rows < 1 || inside.cols < 1) {
      const cells = workspace.bytes(MADE, rows * cols).fill(NO_TERRAIN);
      return { terrain: { cells, at: 0, stride: cols }, placements: spec.placements.map(() => NONE) };
    }
    const areas = areasOf(spec, inside, stored);
    const layout = layoutOf(terrainArea(areas, inside), spec.grid, program);
    const from = this.#buffers.take("terrain", layout.area.rows * layout.strideBytes);
    const at = this.#writeArea("area", layout, program, from);
    if (stored === undefined) this.#kernel.runStreams((exports) => exports.makeTerrain(at));
    else
      stored.groundInto(layout.area, this.#kernel.u8(from, layout.area.rows * layout.strideBytes), layout.strideBytes);
    const terrain = this.#copyTerrain(from, layout, rect, inside, workspace);
    const limited = (k: number, cells: CellRectangle) => this.#limit(k, cells, { layout, from });
    const known = (k: number) => stored?.standing(k, areas[k].known);
    const found = this.#placements.find(inside, areas, { at, ...layout }, { limited, known });
    const below = this.#kernel.u8(from, layout.area.rows * layout.strideBytes);
    const placements = found.map(({ rows, cols }) => {
      const terrains = new Uint8Array(rows.length);
      for (let k = 0; k < rows.length; k++) terrains[k] = below[firstOf(layout, rows[k], cols[k])];
      return { rows, cols, terrains };
    });
    return { terrain, placements };
  }

  /** Makes the terrain of cells inside the grid, with the same limits as {@link make}. */
  ground(cells: CellRectangle): TerrainCells {
    const { spec, program } = this.#plan;
    const layout = layoutOf(cells, spec.grid, program);
    const from = this.#buffers.take("terrain", cells.rows * layout.strideBytes);
    this.#run("area", layout, program, from);
    return this.#copyTerrain(from, layout, cells, cells, new Workspace());
  }

  /** Adds the sizes and facings to placements of kind k. */
  withTraits(k: number, standing: StandingCells): StandingCells {
    return this.#placements.withTraits(k, standing);
  }

  /** Copies the terrain in `cells`, and removes it from the cells on which kind k cannot stand. */
  #limit(
    k: number,
    cells: CellRectangle,
    { layout, from }: { readonly layout: Layout; readonly from: Address },
  ): PlacementArea | undefined {
    const program = this.#plan.limits[k];
    if (program === undefined) return undefined;
    const own = layoutOf(cells, this.#plan.spec.grid, program);
    const to = this.#buffers.take("limited terrain", own.area.rows * own.strideBytes);
    for (let i = 0; i < cells.rows; i++) {
      const row = firstOf(layout, cells.row0 + i, cells.col0);
      const terrain = this.#kernel.u8(within(from, row), cells.cols);
      this.#kernel.u8(within(to, i * own.strideBytes), cells.cols).set(terrain);
    }
    const at = this.#run("limited area", own, program, to);
    return { at, ...own };
  }

  /**
   * Computes a field in a rectangle inside the grid, and calls `take` for each row. Its layers must be complete up to
   * the reach of its program beyond the rectangle.
   */
  makeField(field: number, rect: CellRectangle, take: FieldRows, grid = this.#plan.spec.grid): void {
    const { at, rowBytes } = this.fieldValues(field, rect, grid);
    for (let i = 0; i < rect.rows; i++) take(this.#kernel.u16(within(at, i * rowBytes), rect.cols), rect.row0 + i);
  }

  /** Like {@link makeField}, but the values stay in the kernel until the next call. */
  fieldValues(field: number, rect: CellRectangle, grid = this.#plan.spec.grid): KernelValues {
    const { program } = this.#plan.fields[field];
    const layout = layoutOf(rect, grid, program);
    const rowBytes = layout.strideBytes * VALUE_BYTES;
    const values = this.#buffers.take("field", rect.rows * rowBytes);
    this.#run("area", layout, program, values);
    return { at: values, rowBytes, row0: rect.row0, col0: rect.col0 };
  }

  /** Writes an area, and runs its program. Returns the address of the area. */
  #run(purpose: string, layout: Layout, program: TerrainProgram, to: Address): Address {
    const at = this.#writeArea(purpose, layout, program, to);
    this.#kernel.runStreams((exports) => exports.makeTerrain(at));
    return at;
  }

  #writeArea(purpose: string, layout: Layout, program: TerrainProgram, terrain: Address): Address {
    const { area, oddR, strideBytes } = layout;
    const at = this.#buffers.take(purpose, TerrainArea.bytes);
    this.#kernel.write(at, TerrainArea, {
      ...placeOf(area),
      oddR,
      axialMaps: Number(oddR === 1 && isUpright(this.#plan.spec.grid)),
      terrain,
      strideBytes,
      ops: this.#writeOps(program, layout),
      opCount: program.steps.length,
      masks: this.#buffers.take("masks", layout.maskBytes),
      counts: this.#buffers.take("counts", layout.countBytes),
      planes: this.#writePlanes(layout.planes),
      planeCount: layout.planes.length,
      // a mask is copied in whole vectors, so a read can go past the end of the last mask
      bands: this.#buffers.take("bands", program.chances * BAND_ROWS * layout.bandStrideBytes + LANE_CELLS),
      bandStrideBytes: layout.bandStrideBytes,
    });
    return at;
  }

  #writeOps({ steps }: TerrainProgram, layout: Layout): Address {
    const at = this.#buffers.take("ops", steps.length * TerrainOp.bytes);
    for (const [i, { layer, data: given, ...op }] of steps.entries()) {
      const map = layer === undefined ? NO_ADDRESS : this.#maps[layer];
      const data = given === undefined ? NO_ADDRESS : this.#writeData(i, given, layout);
      this.#kernel.write(within(at, i * TerrainOp.bytes), TerrainOp, { ...op, map, data });
    }
    return at;
  }

  #writeData(i: number, data: StepData, { area, oddR }: Layout): Address {
    const purpose = `${data.kind} ${i}`;
    switch (data.kind) {
      case "chance":
        return this.#buffers.writeShare(purpose, data.ids.reduce(forkKey, this.#key), data.share);
      case "noise":
        return this.#writeNoise(purpose, data, area.cols);
      case "position": {
        const at = this.#buffers.take(purpose, Position.bytes);
        // walkers read the fields of an odd-r world in axial coordinates
        const isAxial = oddR === 0 && coordinatesOf(this.#plan.spec.grid) === "odd-r";
        const [row, col] = isAxial ? oddRToAxial(data.from) : data.from;
        this.#kernel.write(at, Position, { row, col });
        return at;
      }
      case "table":
        return this.#tables.get(data.values) ?? this.#writeTable(data.values);
    }
  }

  #writeTable(values: Uint16Array): Address {
    const at = this.#buffers.take(`table ${this.#tables.size}`, values.byteLength);
    this.#kernel.u16(at, values.length).set(values);
    this.#tables.set(values, at);
    return at;
  }

  #writeNoise(purpose: string, { name, scale, octaves }: Extract<StepData, { kind: "noise" }>, cols: number): Address {
    const key = forkKey(forkKey(this.#key, "fields"), name);
    const list = this.#buffers.take(`octaves of ${purpose}`, octaves * NoiseOctave.bytes);
    for (let o = 0; o < octaves; o++) {
      const side = scale >> o;
      const { k0, k1 } = forkKey(key, o);
      this.#kernel.write(within(list, o * NoiseOctave.bytes), NoiseOctave, {
        k0,
        k1,
        shift: Math.log2(side),
        weights: this.#buffers.take(`weights ${o} of ${purpose}`, CORNERS * WORD_BYTES * side),
        // a row of cells lies in at most cols / side + 2 lattice cells, which have one more point
        slopes: this.#buffers.take(`slopes ${o} of ${purpose}`, 2 * (Math.ceil(cols / side) + 3)),
        row: 0,
        col: 0,
        points: 0,
      });
    }
    const at = this.#buffers.take(purpose, NoisePlan.bytes);
    const sums = this.#buffers.take(`sums of ${purpose}`, WORD_BYTES * (cols + SUMS_MARGIN));
    this.#kernel.write(at, NoisePlan, { octaves: list, octaveCount: octaves, sums });
    return at;
  }

  #writePlanes(planes: Layout["planes"]): Address {
    const at = this.#buffers.take("planes", planes.length * DistancePlane.bytes);
    for (const [i, plane] of planes.entries()) {
      const { layer, rect, strideBytes } = plane;
      // a margin, a row before the first row, the rows, and a row after the last one
      const start = this.#buffers.take(`plane ${i}`, LANE_CELLS + (rect.rows + 2) * strideBytes);
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
    layout: Layout,
    rect: CellRectangle,
    inside: CellRectangle,
    workspace: Workspace,
  ): TerrainCells {
    const isWhole = inside.rows === rect.rows && inside.cols === rect.cols;
    // the usual case: copies all rows at once, with the bytes between them
    if (isWhole) {
      const first = within(from, firstOf(layout, inside.row0, inside.col0));
      const made = this.#kernel.u8(first, (inside.rows - 1) * layout.strideBytes + inside.cols);
      const cells = workspace.bytes(MADE, made.length);
      cells.set(made);
      return { cells, at: 0, stride: layout.strideBytes };
    }
    const cells = workspace.bytes(MADE, rect.rows * rect.cols).fill(NO_TERRAIN);
    for (let i = 0; i < inside.rows; i++) {
      const to = (inside.row0 + i - rect.row0) * rect.cols + (inside.col0 - rect.col0);
      const first = firstOf(layout, inside.row0 + i, inside.col0);
      cells.set(this.#kernel.u8(within(from, first), inside.cols), to);
    }
    return { cells, at: 0, stride: rect.cols };
  }
}

type Layout = ReturnType<typeof layoutOf>;

/** Lays out the cells `area`, which are inside the grid, and what their program needs. */
function layoutOf(area: CellRectangle, grid: WorldSpec["grid"], program: TerrainProgram) {
  /** Returns the block of random words to which a column belongs. Column 0 is in block 0. */
  const blockOf = (col: number) => Math.floor(col / BLOCK_COLS);
  const around = (cells: CellRectangle, margin: number) => overlap(grown(cells, margin), cellsOfGrid(grid));
  const strideBytes = strideOf(area.cols);
  const planes = [...program.reaches].map(([layer, reach]) => {
    const rect = around(area, reach);
    return { layer, rect, strideBytes: strideOf(rect.cols) };
  });
  return {
    area,
    oddR: Number(coordinatesOf(grid) === "odd-r"),
    strideBytes,
    maskBytes: program.depth * strideBytes,
    countBytes: WORD_BYTES * program.rows * strideBytes,
    bandStrideBytes: BLOCK_COLS * (blockOf(area.col0 + area.cols - 1) - blockOf(area.col0) + 1),
    planes,
  };
}

/** Returns the index of a cell in an array with the rows of a layout. */
function firstOf({ area, strideBytes }: Layout, row: number, col: number): number {
  return (row - area.row0) * strideBytes + (col - area.col0);
}

/** Returns the bytes of a row: padded to whole vectors, plus a margin of one vector. */
function strideOf(cols: number): number {
  return Math.ceil(cols / LANE_CELLS) * LANE_CELLS + LANE_CELLS;
}
