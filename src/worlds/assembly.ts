import { allocateResults } from "../calls/index.js";
import type { CellTarget, NarrowTarget } from "../walks/kernel/cellMap.js";
import { LargeCounts } from "../walks/map/narrowCounts.js";
import type { CellRectangle } from "../walks/map/openCells.js";
import type { MadeRegion } from "./cache.js";
import { contains, overlap } from "./costs.js";
import type { StandingCells, TerrainCells } from "./kernel/terrain.js";
import { type PlacementPart, Placements } from "./placements.js";
import { cellsOfRegion } from "./regions.js";
import type { WorldPlan } from "./types.js";
import { WorldWindow } from "./window.js";

/** The visits of a layer in their short form. */
interface NarrowLayer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly large: LargeCounts;
}

/**
 * Memory for windows that are made one after another. A window in this memory is valid until the next one is made. New
 * memory for each window would take more time: V8 counts it, and then collects garbage.
 */
export class WindowRoom {
  readonly #arrays = new Map<string, Uint8Array<ArrayBuffer>>();

  /**
   * Returns an array, whose content is undefined. A later call with the same name returns the same memory, if this
   * memory is long enough.
   */
  bytes(name: string, length: number): Uint8Array<ArrayBuffer> {
    const known = this.#arrays.get(name);
    if (known !== undefined && known.length >= length) return known.subarray(0, length);
    const made = allocateResults(length, 1, (count) => new Uint8Array(count));
    this.#arrays.set(name, made);
    return made;
  }
}

/** Builds a window from regions. The regions can be added in any order. */
export class Assembly {
  readonly #rectangle: CellRectangle;
  readonly #plan: WorldPlan;
  readonly #terrain: Uint8Array<ArrayBuffer>;
  readonly #visits: ReadonlyMap<number, Uint32Array<ArrayBuffer> | NarrowLayer>;
  readonly #firstVisits: ReadonlyMap<number, Uint32Array<ArrayBuffer>>;
  readonly #parts: { readonly i: number; readonly j: number; readonly parts: readonly PlacementPart[] }[] = [];

  /**
   * @param layers - Indices of the layers whose visits the window will contain.
   * @param isNarrow - Whether the window will contain these visits in their short form.
   * @param room - The memory for the terrain, and for visits in their short form. If undefined, uses new memory.
   */
  constructor(
    rectangle: CellRectangle,
    plan: WorldPlan,
    {
      layers,
      isNarrow,
      room = new WindowRoom(),
    }: { readonly layers: readonly number[]; readonly isNarrow: boolean; readonly room?: WindowRoom | undefined },
  ) {
    const cells = rectangle.rows * rectangle.cols;
    const words = () => allocateResults(cells, 4, (length) => new Uint32Array(length));
    const narrow = (layer: number) => ({ bytes: room.bytes(`visits ${layer}`, cells), large: new LargeCounts(cells) });
    this.#rectangle = rectangle;
    this.#plan = plan;
    this.#terrain = room.bytes("terrain", cells);
    // without rules, terrain 0 is everywhere, and nothing else writes it
    if (plan.spec.rules.length === 0) this.#terrain.fill(0);
    this.#visits = new Map(layers.map((layer) => [layer, isNarrow ? narrow(layer) : words()]));
    const dated = layers.filter((layer) => plan.walk.layers[layer].firstVisit);
    this.#firstVisits = new Map(dated.map((layer) => [layer, words()]));
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
  ): { readonly visits: CellTarget | NarrowTarget; readonly firstVisits: CellTarget | undefined } {
    const { cols: stride } = this.#rectangle;
    const at = (row0 - this.#rectangle.row0) * stride + col0 - this.#rectangle.col0;
    const visits = this.#visits.get(layer);
    if (visits === undefined) throw new Error("the window has the visits of this layer");
    const firstVisits = this.#firstVisits.get(layer);
    return {
      visits: "bytes" in visits ? { out: visits.bytes, at, stride, large: visits.large } : { out: visits, at, stride },
      firstVisits: firstVisits && { out: firstVisits, at, stride },
    };
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
      visits: named(
        new Map(
          [...this.#visits].map(([layer, visits]) => [
            layer,
            "bytes" in visits ? { bytes: visits.bytes, large: visits.large.inOrder() } : visits,
          ]),
        ),
      ),
      firstVisits: named(this.#firstVisits),
      placements: new Placements(
        parts,
        spec.placements.map(({ name }) => name),
      ),
    });
  }
}

/**
 * `cells` is a part of a region. Returns the placements inside this part, and their indices among all placements of the
 * region.
 */
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
