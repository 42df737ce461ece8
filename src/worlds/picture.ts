import { allocateResults, Watch } from "../calls/index.js";
import {
  type TerrainKind,
  type TerrainMap,
  type TerrainMarks,
  type TerrainPngOptions,
  terrainPng,
} from "../formats/index.js";
import { TERRAIN_PNG_OPTIONS } from "../formats/maps/terrainPng.js";
import { NO_REALM } from "../formats/maps/themed/overlays.js";
import { themedMargin } from "../formats/maps/themed/themedPng.js";
import { MARK_SHAPES } from "../formats/pictures/marks.js";
import { checkFlag, readList } from "../spec/index.js";
import { type CellRectangle, cellsOfGrid, coordinatesOf, overlap } from "../walks/rectangles.js";
import type { WorldWindow } from "./compose.js";
import { indicesOf } from "./indices.js";
import {
  depthOf,
  isThemed,
  type PictureDepth,
  type PictureLabels,
  readThemedParts,
  realmNumber,
  type ThemedParts,
  textOf,
} from "./pictureParts.js";
import {
  MAKE_SIDE,
  MAX_PLACEMENTS,
  NO_TERRAIN,
  type PlacementSpec,
  type WindowOptions,
  type WorldPlan,
  type WorldSpec,
} from "./types.js";

/** Options of `world.picture`. Progress counts cells. */
export interface WorldPictureOptions extends TerrainPngOptions {
  /** Names of layers. The more these layers visit a cell, the darker the cell is. Default: no layers. */
  readonly darken?: readonly string[] | undefined;
  /** Names of layers. The more these layers visit a cell, the lighter the cell is. Default: no layers. */
  readonly lighten?: readonly string[] | undefined;
  /** Names of the kinds of placements that the picture shows. Default: all kinds. */
  readonly kinds?: readonly string[] | undefined;
  /** Needs a theme. The name of a field of heights: slopes that face the north-west are light, the others dark. */
  readonly light?: string | undefined;
  /** Needs a theme. What makes water dark: a field. Default: the distance from the coast, in pixels. */
  readonly depth?: PictureDepth | undefined;
  /** Needs a theme. The name of realms, whose borders on land are drawn. Default: no borders. */
  readonly realms?: string | undefined;
  /** Needs a theme. The names beside placements, in one list for each kind. Default: no names. */
  readonly labels?: PictureLabels | readonly PictureLabels[] | undefined;
  /**
   * With axial coordinates, a window is a slanted rectangle. If true, the picture shows an upright rectangle instead:
   * every second row begins one column earlier. So row row0 + r shows the columns from col0 − ⌊r/2⌋. Default false.
   * Changes nothing with odd-r coordinates, or if cells are pixels.
   */
  readonly upright?: boolean | undefined;
}

const OWN_OPTIONS = ["darken", "lighten", "kinds", "light", "depth", "realms", "labels", "upright"] as const;
export const PICTURE_OPTIONS = [...TERRAIN_PNG_OPTIONS, ...OWN_OPTIONS] as const;

const MAX_LAYERS = 256;
const LIMIT = 2 ** 31;
const PLAIN: TerrainKind = { name: "", color: [122, 128, 120] };

/** Draws in bands of at most MAKE_SIDE rows: they take less memory, and fewer of their cells lie beside the picture. */
export function drawWorld(
  { name, spec }: WorldPlan,
  shown: CellRectangle,
  options: WorldPictureOptions,
  makeWindow: (cells: CellRectangle, options: WindowOptions) => WorldWindow,
): Uint8Array {
  const { darken = [], lighten = [], kinds, light, depth, realms, labels, upright = false, ...rest } = options;
  const { signal, onProgress, ...png } = rest;
  checkFlag("upright", upright);
  const parts = readThemedParts(spec, { light, depth, realms, labels }, png.theme);
  const coordinates = coordinatesOf(spec.grid);
  const isUpright = upright && coordinates !== "odd-r" && png.cells !== "pixels";
  const layers = [namesOf("darken", darken), namesOf("lighten", lighten)];
  const visits = [...new Set(layers.flat())];
  const margin = isThemed(png.theme) ? marginAround(shown, isUpright || coordinates === "odd-r", png) : 0;
  const drawn = withMargin(shown, margin, isUpright);
  const cells = new ShownCells(drawn, isUpright, spec, { layers, parts });
  const watch = new Watch(name, drawn.rows * drawn.cols, { signal, onProgress });
  const named = realms === undefined ? [] : [realms];
  const request = { visits, fields: cells.fields, realms: named, contents: parts.labels.length > 0, signal };
  for (let row = drawn.row0, end = row; row < drawn.row0 + drawn.rows; row = end) {
    end = Math.min(drawn.row0 + drawn.rows, (Math.floor(row / MAKE_SIDE) + 1) * MAKE_SIDE);
    const wanted = overlap(cells.windowOf(row, end), cellsOfGrid(spec.grid));
    if (wanted.rows > 0 && wanted.cols > 0) cells.add(makeWindow(wanted, request));
    watch.passed((end - drawn.row0) * drawn.cols);
  }
  const [row0, col0] = isUpright ? [0, 0] : [drawn.row0, drawn.col0];
  const marks = cells.marks(shownKinds(spec.placements, kinds));
  const map = { row0, col0, rows: drawn.rows, cols: drawn.cols, margin, ...cells.arrays, marks };
  return terrainPng({ ...map, coordinates: isUpright ? "odd-r" : coordinates }, { ...png, signal });
}

/** Returns the number of cells around a rectangle that can change its picture: fewer at the end of all coordinates. */
function marginAround({ row0, col0, rows, cols }: CellRectangle, isOddR: boolean, options: TerrainPngOptions): number {
  const { cells, pixelsPerCell, maxSide, width, height } = options;
  const size = { cells, pixelsPerCell, maxSide, width, height };
  const wanted = themedMargin([row0, col0, row0 + rows - 1, col0 + cols - 1], isOddR, size);
  const room = Math.min(row0 + LIMIT, col0 + LIMIT, LIMIT - row0 - rows, LIMIT - col0 - cols);
  return 2 * Math.floor(Math.min(wanted, room) / 2);
}

function withMargin({ row0, col0, rows, cols }: CellRectangle, margin: number, isUpright: boolean): CellRectangle {
  // `margin` rows higher, an upright rectangle begins margin / 2 columns further right
  const left = isUpright ? margin / 2 : margin;
  return { row0: row0 - margin, col0: col0 - left, rows: rows + 2 * margin, cols: cols + 2 * margin };
}

function namesOf(option: string, given: readonly string[]): readonly string[] {
  // the cast is safe: the window checks the names
  return readList(option, given, { of: "names of layers", most: MAX_LAYERS }) as readonly string[];
}

function shownKinds(known: readonly PlacementSpec[], given: readonly string[] | undefined): number[] {
  if (given === undefined) return [...known.keys()];
  const names = readList("kinds", given, { of: "names of kinds", most: MAX_PLACEMENTS });
  const problem = "no kind of placement has this name";
  return indicesOf(names, { known: known.map(({ name }) => name), problem });
}

interface CellParts {
  readonly layers: readonly (readonly string[])[];
  readonly parts: ThemedParts;
}

class ShownCells {
  readonly #shown: CellRectangle;
  readonly #isUpright: boolean;
  readonly #spec: WorldSpec;
  readonly #terrain: Uint8Array;
  /** The sums of visits of the layers that darken the picture, and then of the layers that lighten it. */
  readonly #sums: readonly { readonly layers: readonly string[]; readonly out: Uint32Array }[];
  /** For each kind of placement, the places of its marks in the picture: row, col, row, col, … */
  readonly #placed: readonly number[][];
  readonly #names: readonly { readonly texts: string[]; readonly sizes: number[] }[];
  readonly #parts: ThemedParts;
  readonly #heights: Uint16Array | undefined;
  readonly #depths: Uint16Array | undefined;
  readonly #realms: Uint32Array | undefined;

  constructor(shown: CellRectangle, isUpright: boolean, spec: WorldSpec, { layers, parts }: CellParts) {
    const cells = shown.rows * shown.cols;
    this.#shown = shown;
    this.#isUpright = isUpright;
    this.#spec = spec;
    this.#terrain = allocateResults(cells, 1, (length) => new Uint8Array(length)).fill(NO_TERRAIN);
    this.#sums = layers.map((names) => {
      const out = allocateResults(names.length === 0 ? 0 : cells, 4, (length) => new Uint32Array(length));
      return { layers: names, out };
    });
    this.#placed = spec.placements.map(() => []);
    this.#names = spec.placements.map(() => ({ texts: [], sizes: [] }));
    this.#parts = parts;
    const numbers = () => allocateResults(cells, 2, (length) => new Uint16Array(length));
    this.#heights = parts.light === undefined ? undefined : numbers();
    this.#depths = parts.depth === undefined ? undefined : numbers();
    const ofRealms = () => allocateResults(cells, 4, (length) => new Uint32Array(length)).fill(NO_REALM);
    this.#realms = parts.realms === undefined ? undefined : ofRealms();
  }

  /** The names of the fields that {@link add} reads. */
  get fields(): string[] {
    const { light, depth } = this.#parts;
    return [light, depth?.field].filter((name) => name !== undefined);
  }

  get arrays(): Pick<TerrainMap, "terrain" | "terrains" | "darken" | "lighten" | "heights" | "depths" | "realms"> {
    const { terrains } = this.#spec;
    const kinds = terrains.length === 0 ? [PLAIN] : terrains.map(({ name, color, tags }) => ({ name, color, tags }));
    const [darken, lighten] = this.#sums.map(({ layers, out }) => (layers.length === 0 ? undefined : out));
    const numbers = { darken, lighten, heights: this.#heights, depths: this.#depths, realms: this.#realms };
    return { terrain: this.#terrain, terrains: kinds, ...numbers };
  }

  marks(kinds: readonly number[]): TerrainMarks[] {
    return kinds.map((kind) => {
      const { name, color, icon } = this.#spec.placements[kind];
      const { texts, sizes } = this.#names[kind];
      const names = texts.length === 0 ? {} : { texts, textSize: Uint8Array.from(sizes) };
      const pairs = this.#placed[kind];
      const part = (first: number) => Int32Array.from({ length: pairs.length / 2 }, (_, k) => pairs[2 * k + first]);
      return {
        name,
        color,
        rows: part(0),
        cols: part(1),
        shape: icon ?? MARK_SHAPES[kind % MARK_SHAPES.length],
        ...names,
      };
    });
  }

  /** Returns the window for the rows `row` … `end` − 1 of the picture. */
  windowOf(row: number, end: number): CellRectangle {
    const [first, last] = [this.#firstCol(end - 1), this.#firstCol(row) + this.#shown.cols];
    return { row0: row, col0: first, rows: end - row, cols: last - first };
  }

  add(window: WorldWindow): void {
    const { row0, cols } = this.#shown;
    const realms = this.#realmsIn(window);
    for (let row = window.row0; row < window.row0 + window.rows; row++) {
      const first = Math.max(this.#firstCol(row), window.col0);
      const width = Math.min(this.#firstCol(row) + cols, window.col0 + window.cols) - first;
      if (width <= 0) continue;
      const from = (row - window.row0) * window.cols + first - window.col0;
      const to = (row - row0) * cols + first - this.#firstCol(row);
      this.#terrain.set(window.terrain.subarray(from, from + width), to);
      for (const { out, layers } of this.#sums) {
        for (const layer of layers) addCounts(out.subarray(to), window.visits(layer).subarray(from, from + width));
      }
      this.#addFields(window, from, to, width);
      if (realms !== undefined) this.#realms?.set(realms.subarray(from, from + width), to);
    }
    this.#addMarks(window);
  }

  #addFields(window: WorldWindow, from: number, to: number, width: number): void {
    const { light, depth } = this.#parts;
    if (light !== undefined) this.#heights?.set(window.field(light).subarray(from, from + width), to);
    if (depth === undefined) return;
    const depths = window
      .field(depth.field)
      .subarray(from, from + width)
      .map(depthOf(depth));
    this.#depths?.set(depths, to);
  }

  /** Returns the realm of each cell as a number that depends only on the seat. */
  #realmsIn(window: WorldWindow): Uint32Array | undefined {
    if (this.#parts.realms === undefined) return undefined;
    const { seats, cells } = window.realms(this.#parts.realms);
    const numbers = Array.from(seats.rows, (row, seat) => realmNumber(row, seats.cols[seat]));
    return cells.map((seat) => numbers[seat] ?? NO_REALM);
  }

  #addMarks({ placements }: WorldWindow): void {
    const { rows, cols, kinds, sizes } = placements;
    const { row0, col0 } = this.#isUpright ? this.#shown : { row0: 0, col0: 0 };
    for (let k = 0; k < rows.length; k++) {
      const col = cols[k] - this.#firstCol(rows[k]);
      if (col < 0 || col >= this.#shown.cols) continue;
      this.#placed[kinds[k]].push(rows[k] - row0, this.#isUpright ? col : cols[k] - col0);
      const label = this.#parts.labels.find(({ kind }) => kind === placements.names[kinds[k]]);
      if (label === undefined) continue;
      const size = label.letterSize(sizes[k]);
      const { texts, sizes: letters } = this.#names[kinds[k]];
      texts.push(size === 0 ? "" : textOf(placements.contentOf(k), label.text));
      letters.push(Math.max(1, size));
    }
  }

  /** Returns the first column that the picture shows in a row. */
  #firstCol(row: number): number {
    const { row0, col0 } = this.#shown;
    return this.#isUpright ? col0 - ((row - row0) >> 1) : col0;
  }
}

/** Adds `counts` to `sums`, which stop at 2³² − 1. */
function addCounts(sums: Uint32Array, counts: Uint32Array): void {
  for (let i = 0; i < counts.length; i++) sums[i] = Math.min(sums[i] + counts[i], 0xffff_ffff);
}
