import { allocateResults } from "../calls/index.js";
import type { CellTarget } from "../walks/kernel/cellMap.js";
import type { CellRectangle } from "../walks/map/openCells.js";
import type { MadeRegion } from "./cache.js";
import { contains, overlap } from "./costs.js";
import type { StandingCells, TerrainCells } from "./kernel/terrain.js";
import { type PlacementPart, Placements } from "./placements.js";
import { cellsOfRegion } from "./regions.js";
import type { WorldPlan } from "./types.js";
import { WorldWindow } from "./window.js";

/** Builds a window from regions. The regions can be added in any order. */
export class Assembly {
  readonly #rectangle: CellRectangle;
  readonly #plan: WorldPlan;
  readonly #terrain: Uint8Array<ArrayBuffer>;
  readonly #visits: ReadonlyMap<number, Uint32Array<ArrayBuffer>>;
  readonly #firstVisits: ReadonlyMap<number, Uint32Array<ArrayBuffer>>;
  readonly #parts: { readonly i: number; readonly j: number; readonly parts: readonly PlacementPart[] }[] = [];

  /** @param layers - Indices of the layers whose visits the window will contain. */
  constructor(rectangle: CellRectangle, plan: WorldPlan, layers: readonly number[]) {
    const cells = rectangle.rows * rectangle.cols;
    const counts = (chosen: readonly number[]) =>
      new Map(chosen.map((layer) => [layer, allocateResults(cells, 4, (length) => new Uint32Array(length))]));
    this.#rectangle = rectangle;
    this.#plan = plan;
    this.#terrain = allocateResults(cells, 1, (length) => new Uint8Array(length));
    this.#visits = counts(layers);
    this.#firstVisits = counts(layers.filter((layer) => plan.walk.layers[layer].firstVisit));
  }

  /** Copies terrain to the window. Skips cells outside the window. Returns the number of copied cells. */
  addTerrain(given: CellRectangle, { cells: source, at, stride }: TerrainCells): number {
    const cells = overlap(given, this.#rectangle);
    const { cols } = this.#rectangle;
    let from = at + (cells.row0 - given.row0) * stride + cells.col0 - given.col0;
    let to = (cells.row0 - this.#rectangle.row0) * cols + cells.col0 - this.#rectangle.col0;
    for (let r = 0; r < cells.rows; r++) {
      this.#terrain.set(source.subarray(from, from + cells.cols), to);
      from += stride;
      to += cols;
    }
    return cells.rows * cells.cols;
  }

  /** Adds those placements of a region that are inside the window. */
  addPlacements(region: MadeRegion, hasContents: boolean): void {
    const cells = overlap(cellsOfRegion(region), this.#rectangle);
    const parts = region.placements.flatMap((standing, kind): PlacementPart[] => {
      const inside = placedIn(standing, cells);
      const contents = hasContents ? region.contents?.[kind] : undefined;
      return inside.ranks.length === 0 ? [] : [{ kind, ...inside, contents }];
    });
    this.#parts.push({ i: region.i, j: region.j, parts });
  }

  /** Returns where to write the visits and the first visits of a layer, for a part of the window. */
  targets(
    layer: number,
    { row0, col0 }: CellRectangle,
  ): { readonly visits: CellTarget; readonly firstVisits: CellTarget | undefined } {
    const { cols: stride } = this.#rectangle;
    const at = (row0 - this.#rectangle.row0) * stride + col0 - this.#rectangle.col0;
    const targetIn = (arrays: ReadonlyMap<number, Uint32Array>) => {
      const out = arrays.get(layer);
      return out && { out, at, stride };
    };
    const visits = targetIn(this.#visits);
    if (visits === undefined) throw new Error("the window has the visits of this layer");
    return { visits, firstVisits: targetIn(this.#firstVisits) };
  }

  /** Returns the window. Call it after all regions have been added. */
  window(): WorldWindow {
    const { spec, walk } = this.#plan;
    const named = <T>(maps: ReadonlyMap<number, T>) =>
      new Map([...maps].map(([layer, values]) => [walk.layers[layer].name, values]));
    const parts = this.#parts.sort((a, b) => a.i - b.i || a.j - b.j).flatMap((region) => region.parts);
    return new WorldWindow({
      ...this.#rectangle,
      terrain: this.#terrain,
      terrains: spec.terrains,
      visits: named(this.#visits),
      firstVisits: named(this.#firstVisits),
      placements: new Placements(
        parts,
        spec.placements.map(({ name }) => name),
      ),
    });
  }
}

/** Returns the placements inside `cells`, a part of their region, and their indices in the region. */
function placedIn({ rows, cols }: StandingCells, cells: CellRectangle): Omit<PlacementPart, "kind" | "contents"> {
  const ranks = new Uint32Array(rows.length);
  let count = 0;
  for (let k = 0; k < rows.length; k++) if (contains(cells, rows[k], cols[k])) ranks[count++] = k;
  // the usual case: the window contains the whole region
  if (count === rows.length) return { rows, cols, ranks };
  const inside = ranks.slice(0, count);
  return {
    rows: Int32Array.from(inside, (k) => rows[k]),
    cols: Int32Array.from(inside, (k) => cols[k]),
    ranks: inside,
  };
}
