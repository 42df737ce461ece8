import { type LongCall, Watch } from "../../calls/index.js";
import type { Rgb, ThemeName, TiledEncoding } from "../../formats/index.js";
import { NEVER } from "../../walks/index.js";
import { FULL_BYTE } from "../../walks/map/chunkCodec.js";
import { type CellRectangle, contains, coordinatesOf, overlap } from "../../walks/rectangles.js";
import { copyCells, piecesOf, regionBlocks } from "../../worlds/compose.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import type { OpenedJob } from "../folder/manifest.js";
import { countsIn, partName, partOf, wordsIn } from "../folder/part.js";
import { failDamaged } from "../folder/store.js";
import type { RectangleInput } from "../plan/parse.js";
import { sectorsIn } from "../plan/phases.js";
import { cellsOfSector, sectorName } from "../plan/sectors.js";
import { usualMemory } from "../plan/space.js";
import { byteCache } from "../tasks/byteCache.js";
import { areTerrains, type PlacementPlaces, readPlacements } from "../tasks/placements.js";
import type { ExportName, JobResult, Sector } from "../types.js";

const PLACES_CACHE_BYTES = 2 ** 26;
/** The folder in a job's folder to which exports are written. */
export const EXPORTS_FOLDER = "exports";
/** A sector's {@link PlacementPlaces} need about this many bytes, and 12 more for each placement. */
const PLACES_BYTES = 2 ** 10;

const PLAIN: { name: string; color: Rgb } = { name: "", color: [122, 128, 120] };

export type ExportSource = ReturnType<typeof exportSource>;

interface SourceOptions {
  /** Default: all cells. */
  readonly window?: CellRectangle;
  /** The memory of the thread. */
  readonly maxMemory?: number;
}

/** Opens a window of a finished job's map. Reads a sector when a caller needs it, and caches the latest sectors. */
export function exportSource(
  job: OpenedJob,
  result: JobResult,
  { window = result.extent, maxMemory = usualMemory(1) }: SourceOptions = {},
) {
  const { spec, store, manifest, plan } = job;
  const { layers } = plan.walk;
  const sectionOf = byteCache<Uint8Array | Uint32Array>(maxMemory / 4, ({ byteLength }) => byteLength);
  const placesOf = byteCache<PlacementPlaces>(PLACES_CACHE_BYTES, ({ rows }) => PLACES_BYTES + 12 * rows.length);
  const sectors: readonly Sector[] = sectorsIn(window, "row");

  function readSection(sector: Sector, name: string): Uint8Array | Uint32Array {
    const part = partName.cells(sector);
    const bytes = partOf(job, part).section(name) ?? failDamaged(store, part);
    const { rows, cols } = cellsOfSector(sector, result.extent);
    const count = rows * cols;
    const firstVisits = () => (bytes.length === 4 * count ? wordsIn(bytes) : undefined);
    const counts = () => (name.startsWith("first ") ? firstVisits() : narrowCountsIn(bytes, count));
    const terrain = () => (bytes.length === count && areTerrains(spec, bytes) ? bytes : undefined);
    const cells = name === "terrain" ? terrain() : counts();
    return cells ?? failDamaged(store, part, `the section "${name}" has impossible cells`);
  }

  function copy<Values extends Uint8Array | Uint32Array>(
    cells: CellRectangle,
    section: string,
    values: Values,
  ): Values {
    const wanted = overlap(cells, window);
    if (wanted.rows <= 0 || wanted.cols <= 0) return values;
    for (const sector of sectorsIn(wanted, "row")) {
      const from = sectionOf(`${sectorName(sector)} ${section}`, () => readSection(sector, section));
      const regions = regionBlocks(cellsOfSector(sector, result.extent));
      for (const { block, cells: piece } of piecesOf(wanted, regions)) {
        copyCells(piece, { ...block, values: from }, { ...cells, at: 0, values });
      }
    }
    return values;
  }

  function visits(layer: string, cells: CellRectangle): Uint32Array<ArrayBuffer> {
    return copy(cells, `visits ${layer}`, new Uint32Array(cells.rows * cells.cols));
  }

  return {
    job,
    result,
    window,
    maxMemory,
    coordinates: coordinatesOf(spec.grid),
    terrains:
      spec.terrains.length === 0 ? [PLAIN] : spec.terrains.map(({ name, color, tags }) => ({ name, color, tags })),
    layers: layers.filter(({ name }) => manifest.visits.includes(name)),
    sectors,
    cellsOf: (sector: Sector) => cellsOfSector(sector, window),
    /** Returns the terrain of each cell as a byte, row by row; 255 for cells outside the window. */
    terrain(cells: CellRectangle): Uint8Array<ArrayBuffer> {
      return copy(cells, "terrain", new Uint8Array(cells.rows * cells.cols).fill(NO_TERRAIN));
    },
    /** Returns the number of visits of each cell, row by row; 0 for cells outside the window. */
    visits,
    /** Returns the step of each cell's first visit, row by row; {@link NEVER} without visits and outside the window. */
    firstVisits(layer: string, cells: CellRectangle): Uint32Array<ArrayBuffer> {
      return copy(cells, `first ${layer}`, new Uint32Array(cells.rows * cells.cols).fill(NEVER));
    },
    /** Adds up the visits of layers, to at most 2³² − 1 for a cell. Returns undefined if `names` is empty. */
    sumOfVisits(names: readonly string[], cells: CellRectangle): Uint32Array<ArrayBuffer> | undefined {
      if (names.length === 0) return undefined;
      const [sums, ...rest] = names.map((layer) => visits(layer, cells));
      for (const more of rest) for (let i = 0; i < sums.length; i++) sums[i] = Math.min(sums[i] + more[i], 0xffff_ffff);
      return sums;
    },
    /** Yields the placements in the window, sector by sector; `among` are sectors of the window. */
    *placements(among = sectors): Generator<PlacementPlaces, void> {
      for (const sector of among) {
        yield placesOf(sectorName(sector), () => {
          // leaves out the function `contents`, which would keep the head of the part in memory
          const { rows, cols, kinds, terrains, sizes, facings } = readPlacements(job, sector);
          const isInside = (_: number, p: number) => contains(window, rows[p], cols[p]);
          return {
            rows: rows.filter(isInside),
            cols: cols.filter(isInside),
            kinds: kinds.filter(isInside),
            terrains: terrains.filter(isInside),
            sizes: sizes.filter(isInside),
            facings: facings.filter(isInside),
          };
        });
      }
    },
  };
}

/** Most sectors have only counts of one byte. They need no array of 32-bit numbers. */
function narrowCountsIn(bytes: Uint8Array, length: number): Uint8Array | Uint32Array | undefined {
  return bytes.length === length && !bytes.includes(FULL_BYTE) ? bytes : countsIn(bytes, length);
}

/** Returns a function that reports progress. Its argument is the work since the last call, out of `total`. */
export function progressOf(what: string, total: number, call: LongCall): (more: number) => void {
  const watch = new Watch(what, total, call);
  let done = 0;
  return (more) => {
    done += more;
    watch.passed(done);
  };
}

/** Cuts a rectangle into rectangles of at most `height` rows, from the first row to the last. */
export function* bandsOf({ row0, col0, rows, cols }: CellRectangle, height: number): Generator<CellRectangle, void> {
  for (let r = 0; r < rows; r += height) yield { row0: row0 + r, col0, rows: Math.min(height, rows - r), cols };
}

/** `pixels` returns a byte for each cell, row by row: the index of its colour, or 255 outside the map. */
export interface PixelMap {
  readonly colors: readonly Rgb[];
  readonly pixels: (cells: CellRectangle) => Uint8Array<ArrayBuffer>;
}

/** One colour for cells without visits, and one for each range of visits from 2ᵏ to 2ᵏ⁺¹ − 1. */
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

/** What the export `heights` shows of a layer. */
export type LayerHeights = "visits" | "firstVisits" | "distance";

/** Options of `exportJob`. Progress counts cells; for `parquet` and `csv`, sectors. */
export interface ExportOptions extends LongCall {
  /** The path of the file or folder to write. Its parent must exist. Default: a path in the job's folder `exports`. */
  readonly to?: string | undefined;
  /** Exports only these cells. Default: all cells of the job. A `report` is always about the whole job. */
  readonly window?: RectangleInput | undefined;
  /**
   * For `npy`: the layer whose visits are exported. Default: the terrain is exported. For `heights`: the layer that
   * {@link show} is about.
   */
  readonly layer?: string | undefined;
  /** For `tiled`: how the tiles are stored. Default `zlib`. */
  readonly encoding?: TiledEncoding | undefined;
  /**
   * For `tiled`: whether the map is infinite. Its tiles are stored in chunks, and their positions follow from the cells.
   * Default: only if the window has more than 2²⁴ tiles. The maps of a `.world` file are finite.
   */
  readonly infinite?: boolean | undefined;
  /** For `heights`: the field that is exported. Default: the first field, or else the visits of the first kept layer. */
  readonly field?: string | undefined;
  /**
   * For `heights`, with {@link layer}: the visits of each cell (default), the step of its first visit, or the number of
   * steps to the nearest visited cell of the job.
   */
  readonly show?: LayerHeights | undefined;
  /**
   * For `heights`, with {@link layer}: the number with the value 65,535. Higher numbers have this value too. Default:
   * 255 visits, step 65,535, or 64 steps of distance, which is at most 255.
   */
  readonly most?: number | undefined;
  /**
   * For `tiles` and `pmtiles` of a map in axial coordinates: if true, shifts the rows so that columns run straight down.
   * The page then shows odd-r coordinates. Default false.
   */
  readonly upright?: boolean | undefined;
  /** For `tiles` and `pmtiles`: if true, the cell of each placement has the colour of its kind. Default false. */
  readonly marks?: boolean | undefined;
  /** For `heights`: exports tiles of this side: 2ⁿ + 1 pixels, 33 … 4097. Neighbours share a line or a column. */
  readonly tileSide?: number | undefined;
  /** For `png`: the longest side in pixels. Default 4096. */
  readonly maxSide?: number | undefined;
  /**
   * For `png`: names of layers that the job keeps. The more these layers visit a cell, the darker the cell is. Has no
   * effect above 2²⁴ cells. Default: no layers.
   */
  readonly darken?: readonly string[] | undefined;
  /** Like {@link darken}, but makes cells lighter. Default: no layers or, in a world without terrain, all layers. */
  readonly lighten?: readonly string[] | undefined;
  /** For `png`, up to 2²⁴ cells: the style. Default `plain`. */
  readonly theme?: ThemeName | undefined;
  /** The number of threads, 1 … 1024. Exports of at most 2²⁴ cells use one. Default: one for each core. */
  readonly threads?: number | undefined;
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

export type WriteOptions = Omit<ExportOptions, "to" | "window" | "threads">;
