import type { LongCall } from "../../calls/index.js";
import type { Rgb } from "../../formats/index.js";
import type { LayerPlan } from "../../walks/index.js";
import { type CellRectangle, contains, overlap } from "../../walks/rectangles.js";
import { indexIn, piecesOf, regionBlocks } from "../../worlds/compose.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import type { OpenedJob } from "../folder/manifest.js";
import { cellsPart, countsIn, partOf, sectorName } from "../folder/part.js";
import { failDamaged } from "../folder/store.js";
import type { RectangleInput } from "../plan/parse.js";
import { cellsOfSector, sectorsIn } from "../plan/phases.js";
import { byteCache } from "../tasks/context.js";
import { isTerrain, type PlacementPlaces, readPlacements } from "../tasks/placements.js";
import type { ExportName, JobResult, Sector } from "../types.js";

/** Of the sections of parts, and of the placements. */
const CACHE_BYTES = 2 ** 28;
const PLACES_CACHE_BYTES = 2 ** 26;
/** Of a sector, besides 10 for each placement. */
const PLACES_BYTES = 2 ** 10;

const PLAIN = { name: "", color: [122, 128, 120] } as const;

/** A window of the map of a finished job. Reads a sector when a caller asks for it, and keeps the latest. */
export class ExportSource {
  readonly job: OpenedJob;
  readonly result: JobResult;
  readonly window: CellRectangle;
  readonly #sections = byteCache<Uint8Array | Uint32Array>(CACHE_BYTES, ({ byteLength }) => byteLength);
  readonly #places = byteCache<PlacementPlaces>(PLACES_CACHE_BYTES, ({ rows }) => PLACES_BYTES + 10 * rows.length);

  constructor(job: OpenedJob, result: JobResult, window = result.extent) {
    this.job = job;
    this.result = result;
    this.window = window;
  }

  get coordinates(): "axial" | "odd-r" {
    const { grid } = this.job.plan.walk;
    return "coordinates" in grid && grid.coordinates === "odd-r" ? "odd-r" : "axial";
  }

  get terrains(): readonly { readonly name: string; readonly color: Rgb }[] {
    const { terrains } = this.job.spec;
    return terrains.length === 0 ? [PLAIN] : terrains.map(({ name, color }) => ({ name, color }));
  }

  get layers(): readonly LayerPlan[] {
    return this.job.plan.walk.layers.filter(({ name }) => this.job.manifest.visits.includes(name));
  }

  get sectors(): readonly Sector[] {
    return sectorsIn(this.window, "row");
  }

  cellsOf(sector: Sector): CellRectangle {
    return cellsOfSector(sector, this.window);
  }

  /** Row by row; 255 for cells outside the window. */
  terrain(cells: CellRectangle): Uint8Array<ArrayBuffer> {
    const values = new Uint8Array(cells.rows * cells.cols).fill(NO_TERRAIN);
    this.#copy(cells, "terrain", values);
    return values;
  }

  /** Row by row; 0 for cells outside the window. */
  visits(layer: string, cells: CellRectangle): Uint32Array<ArrayBuffer> {
    const values = new Uint32Array(cells.rows * cells.cols);
    this.#copy(cells, `visits ${layer}`, values);
    return values;
  }

  /** At most 2³² − 1 for a cell. Undefined if there are no layers. */
  sumOfVisits(layers: readonly string[], cells: CellRectangle): Uint32Array<ArrayBuffer> | undefined {
    if (layers.length === 0) return undefined;
    const [sums, ...rest] = layers.map((layer) => this.visits(layer, cells));
    for (const visits of rest) {
      for (let i = 0; i < sums.length; i++) sums[i] = Math.min(sums[i] + visits[i], 0xffff_ffff);
    }
    return sums;
  }

  /** Sector by sector. Only those in the window. */
  *placements(): Generator<PlacementPlaces, void> {
    for (const sector of this.sectors) {
      const all = this.#placementsOf(sector);
      const { rows, cols, kinds, terrains } = all;
      const inside: number[] = [];
      for (let p = 0; p < rows.length; p++) if (contains(this.window, rows[p], cols[p])) inside.push(p);
      if (inside.length === rows.length) yield all;
      else
        yield {
          rows: Int32Array.from(inside, (p) => rows[p]),
          cols: Int32Array.from(inside, (p) => cols[p]),
          kinds: Uint8Array.from(inside, (p) => kinds[p]),
          terrains: Uint8Array.from(inside, (p) => terrains[p]),
        };
    }
  }

  #placementsOf(sector: Sector): PlacementPlaces {
    return this.#places(sectorName(sector), () => {
      // `contents` is left out, because it would keep the head of the part in memory
      const { rows, cols, kinds, terrains } = readPlacements(this.job, sector);
      return { rows, cols, kinds, terrains };
    });
  }

  #copy(cells: CellRectangle, section: string, values: Uint8Array | Uint32Array): void {
    const wanted = overlap(cells, this.window);
    if (wanted.rows <= 0 || wanted.cols <= 0) return;
    for (const sector of sectorsIn(wanted, "row")) {
      const from = this.#section(sector, section);
      const regions = regionBlocks(cellsOfSector(sector, this.result.extent));
      for (const { block, cells: piece } of piecesOf(wanted, regions)) {
        let start = indexIn(block, piece.row0, piece.col0);
        let to = indexIn({ ...cells, at: 0 }, piece.row0, piece.col0);
        for (let r = 0; r < piece.rows; r++) {
          values.set(from.subarray(start, start + piece.cols), to);
          start += block.cols;
          to += cells.cols;
        }
      }
    }
  }

  #section(sector: Sector, name: string): Uint8Array | Uint32Array {
    const { spec, store } = this.job;
    const part = cellsPart(sector);
    return this.#sections(`${part} ${name}`, () => {
      const bytes = partOf(this.job, part).section(name) ?? failDamaged(store, part);
      const { rows, cols } = cellsOfSector(sector, this.result.extent);
      const isSound = () => bytes.length === rows * cols && bytes.every((terrain) => isTerrain(spec, terrain));
      const cells = name !== "terrain" ? countsIn(bytes, rows * cols) : isSound() ? bytes : undefined;
      return cells ?? failDamaged(store, part, { problem: `the section "${name}" has impossible cells` });
    });
  }
}

/** Rectangles of at most `height` rows, from the first row to the last. */
export function* bandsOf({ row0, col0, rows, cols }: CellRectangle, height: number): Generator<CellRectangle, void> {
  for (let r = 0; r < rows; r += height) yield { row0: row0 + r, col0, rows: Math.min(height, rows - r), cols };
}

/** `pixels` has one for each cell, row by row: the number of a colour, or 255 outside the map. */
export interface PixelMap {
  readonly colors: readonly Rgb[];
  readonly pixels: (cells: CellRectangle) => Uint8Array<ArrayBuffer>;
}

/** One for cells without visits, and one for each power of 2. */
const VISIT_COLORS = 1 + 32;
const DARK: Rgb = [24, 26, 34];
const LIGHT: Rgb = [236, 232, 214];

/** Shows the terrain, or the visits of all layers if the world has no terrain. */
export function pixelMap(source: ExportSource): PixelMap {
  if (source.job.spec.terrains.length > 0) {
    return { colors: source.terrains.map(({ color }) => color), pixels: (cells) => source.terrain(cells) };
  }
  const layers = source.layers.map(({ name }) => name);
  const colors = Array.from({ length: VISIT_COLORS }, (_, k): Rgb => {
    const part = (i: 0 | 1 | 2) => Math.round(DARK[i] + (LIGHT[i] - DARK[i]) * Math.min(1, k / 16));
    return [part(0), part(1), part(2)];
  });
  const pixels = (cells: CellRectangle) => {
    const numbers = source.terrain(cells);
    const visits = source.sumOfVisits(layers, cells);
    for (let i = 0; i < numbers.length; i++) {
      if (numbers[i] !== NO_TERRAIN) numbers[i] = visits === undefined ? 0 : 32 - Math.clz32(visits[i]);
    }
    return numbers;
  };
  return { colors, pixels };
}

/** Options of `exportJob`. Progress counts cells. */
export interface ExportOptions extends LongCall {
  /** The file or the folder to write. Its parent folder must exist. Default: one in the folder `exports` of the job. */
  readonly to?: string | undefined;
  /** Exports only these cells. Default: all cells of the job. A `report` is always about the whole job. */
  readonly window?: RectangleInput | undefined;
  /** For `npy`: the layer whose visits are exported. Default: the terrain is exported. */
  readonly layer?: string | undefined;
  /** For `png`: the longest side in pixels. Default 4096. */
  readonly maxSide?: number | undefined;
  /**
   * For `png`: names of layers that the job keeps. The more these layers visit a cell, the darker it is. Only for at
   * most 2²⁴ cells. Default: no layers.
   */
  readonly darken?: readonly string[] | undefined;
  /** Like `darken`, but lighter. Default: no layers; in a world without terrain, all layers. */
  readonly lighten?: readonly string[] | undefined;
}

/** A job that can be exported. `openJob` returns it. */
export interface ExportableJob {
  readonly folder: string;
  /** @internal */
  readonly opened: OpenedJob;
}

/** The result of an export. */
export interface Exported {
  readonly kind: ExportName;
  /** The path of the file or of the folder. */
  readonly to: string;
  /** The file to open: the page of `tiles`, or `to` itself. */
  readonly main: string;
}

export type WriteOptions = Omit<ExportOptions, "to" | "window">;
