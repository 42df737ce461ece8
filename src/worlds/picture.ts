import { allocateResults, Watch } from "../calls/index.js";
import { didYouMean, error, fail } from "../errors/index.js";
import {
  type TerrainKind,
  type TerrainMap,
  type TerrainMarks,
  type TerrainPngOptions,
  terrainPng,
} from "../formats/index.js";
import { TERRAIN_PNG_OPTIONS } from "../formats/maps/terrainPng.js";
import { MARK_SHAPES } from "../formats/pictures/marks.js";
import { checkFlag, readList } from "../spec/index.js";
import { type CellRectangle, cellsOfGrid, coordinatesOf, overlap } from "../walks/rectangles.js";
import type { WorldWindow } from "./compose.js";
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
  /**
   * With axial coordinates, a window is a slanted rectangle. If true, the picture shows an upright rectangle instead:
   * every second row begins one column earlier. So row row0 + r shows the columns from col0 − ⌊r/2⌋. Default false.
   * Changes nothing with odd-r coordinates, or if cells are pixels.
   */
  readonly upright?: boolean | undefined;
}

export const PICTURE_OPTIONS = [...TERRAIN_PNG_OPTIONS, "darken", "lighten", "kinds", "upright"] as const;

const MAX_LAYERS = 256;
const PLAIN: TerrainKind = { name: "", color: [122, 128, 120] };

/** Draws in bands of at most MAKE_SIDE rows: they take less memory, and fewer of their cells lie beside the picture. */
export function drawWorld(
  { name, spec }: WorldPlan,
  shown: CellRectangle,
  options: WorldPictureOptions,
  makeWindow: (cells: CellRectangle, options: WindowOptions) => WorldWindow,
): Uint8Array {
  const { darken = [], lighten = [], kinds, upright = false, signal, onProgress, ...png } = options;
  checkFlag("upright", upright);
  const coordinates = coordinatesOf(spec.grid);
  const isUpright = upright && coordinates !== "odd-r" && png.cells !== "pixels";
  const layers = [namesOf("darken", darken), namesOf("lighten", lighten)];
  const visits = [...new Set(layers.flat())];
  const cells = new ShownCells(shown, isUpright, spec, layers);
  const watch = new Watch(name, shown.rows * shown.cols, { signal, onProgress });
  for (let row = shown.row0, end = row; row < shown.row0 + shown.rows; row = end) {
    end = Math.min(shown.row0 + shown.rows, (Math.floor(row / MAKE_SIDE) + 1) * MAKE_SIDE);
    const wanted = overlap(cells.windowOf(row, end), cellsOfGrid(spec.grid));
    if (wanted.rows > 0 && wanted.cols > 0) cells.add(makeWindow(wanted, { visits, contents: false, signal }));
    watch.passed((end - shown.row0) * shown.cols);
  }
  const [row0, col0] = isUpright ? [0, 0] : [shown.row0, shown.col0];
  const marks = cells.marks(shownKinds(spec.placements, kinds));
  const map = { row0, col0, rows: shown.rows, cols: shown.cols, ...cells.arrays, marks };
  return terrainPng({ ...map, coordinates: isUpright ? "odd-r" : coordinates }, { ...png, signal });
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

/** Returns the indices of names in `known`, without duplicates. */
export function indicesOf(
  names: readonly unknown[],
  { known, problem }: { readonly known: readonly string[]; readonly problem: string },
): number[] {
  const indices = names.map((name) => {
    const index = known.indexOf(name as string);
    if (index >= 0) return index;
    const expected = known.length === 0 ? "no name, because the world's list is empty" : `one of ${known.join(", ")}`;
    const hint = typeof name === "string" ? didYouMean(name, known) : {};
    return fail(error("argument.range", { problem, got: name, expected, ...hint }));
  });
  return [...new Set(indices)];
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

  constructor(shown: CellRectangle, isUpright: boolean, spec: WorldSpec, layers: readonly (readonly string[])[]) {
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
  }

  get arrays(): Pick<TerrainMap, "terrain" | "terrains" | "darken" | "lighten"> {
    const { terrains } = this.#spec;
    const kinds = terrains.length === 0 ? [PLAIN] : terrains.map(({ name, color }) => ({ name, color }));
    const [darken, lighten] = this.#sums.map(({ layers, out }) => (layers.length === 0 ? undefined : out));
    return { terrain: this.#terrain, terrains: kinds, darken, lighten };
  }

  marks(kinds: readonly number[]): TerrainMarks[] {
    return kinds.map((kind) => {
      const { name, color } = this.#spec.placements[kind];
      const pairs = this.#placed[kind];
      const part = (first: number) => Int32Array.from({ length: pairs.length / 2 }, (_, k) => pairs[2 * k + first]);
      return { name, color, rows: part(0), cols: part(1), shape: MARK_SHAPES[kind % MARK_SHAPES.length] };
    });
  }

  /** Returns the window for the rows `row` … `end` − 1 of the picture. */
  windowOf(row: number, end: number): CellRectangle {
    const [first, last] = [this.#firstCol(end - 1), this.#firstCol(row) + this.#shown.cols];
    return { row0: row, col0: first, rows: end - row, cols: last - first };
  }

  add(window: WorldWindow): void {
    const { row0, cols } = this.#shown;
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
    }
    this.#addMarks(window);
  }

  #addMarks({ placements: { rows, cols, kinds } }: WorldWindow): void {
    const { row0, col0 } = this.#isUpright ? this.#shown : { row0: 0, col0: 0 };
    for (let k = 0; k < rows.length; k++) {
      const col = cols[k] - this.#firstCol(rows[k]);
      if (col < 0 || col >= this.#shown.cols) continue;
      this.#placed[kinds[k]].push(rows[k] - row0, this.#isUpright ? col : cols[k] - col0);
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
