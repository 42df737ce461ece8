import { error, fail } from "../errors/index.js";
import { checkInteger } from "../spec/index.js";
import { NEVER } from "../walks/index.js";
import type { CellRectangle } from "../walks/rectangles.js";
import type { Placement, Placements } from "./placements.js";
import type { TerrainSpec } from "./types.js";

/** By name of layer. */
interface WindowParts<Place extends Placement> extends CellRectangle {
  readonly terrain: Uint8Array<ArrayBuffer>;
  readonly terrains: readonly TerrainSpec[];
  readonly visits: ReadonlyMap<string, Uint32Array<ArrayBuffer>>;
  readonly firstVisits: ReadonlyMap<string, Uint32Array<ArrayBuffer>>;
  readonly placements: Placements<Place>;
}

/** A rectangle of a world. It is a copy: it shares no memory with the world. */
export class WorldWindow<Place extends Placement = Placement> implements CellRectangle {
  readonly row0: number;
  readonly col0: number;
  readonly rows: number;
  readonly cols: number;
  /**
   * The terrain of each cell, row by row, as an index into {@link terrains}. 255 stands for a cell outside a bounded
   * grid. If the world has no terrain, all elements are 0.
   */
  readonly terrain: Uint8Array<ArrayBuffer>;
  readonly terrains: readonly TerrainSpec[];
  readonly placements: Placements<Place>;
  readonly #visits: WindowParts<Place>["visits"];
  readonly #firstVisits: WindowParts<Place>["firstVisits"];

  /** @internal */
  constructor(parts: WindowParts<Place>) {
    this.row0 = parts.row0;
    this.col0 = parts.col0;
    this.rows = parts.rows;
    this.cols = parts.cols;
    this.terrain = parts.terrain;
    this.terrains = parts.terrains;
    this.placements = parts.placements;
    this.#visits = parts.visits;
    this.#firstVisits = parts.firstVisits;
  }

  /**
   * The terrain of a cell; undefined outside a bounded grid, and if the world has no terrain.
   *
   * @throws RollmillError `argument.range` for a cell outside the window.
   */
  terrainAt(row: number, col: number): TerrainSpec | undefined {
    return this.terrains[this.terrain[this.#indexOf(row, col)]];
  }

  /**
   * The visits of each cell in a layer, row by row.
   *
   * @throws RollmillError `argument.range` for a layer that the option `visits` of the window did not name.
   */
  visits(layer: string): Uint32Array<ArrayBuffer> {
    return this.#visits.get(layer) ?? refuseLayer(layer, this.#visits);
  }

  /**
   * The first visit of each cell in a layer, row by row; 2³² − 1 for a cell without visits.
   *
   * @throws RollmillError `argument.range` for a layer that keeps no first visits, or that the option `visits` of the
   * window did not name.
   */
  firstVisits(layer: string): Uint32Array<ArrayBuffer> {
    return this.#firstVisits.get(layer) ?? refuseLayer(layer, this.#firstVisits);
  }

  /**
   * The number of visits of a cell in a layer.
   *
   * @throws The errors of {@link visits} and {@link terrainAt}.
   */
  visitsAt(layer: string, row: number, col: number): number {
    return this.visits(layer)[this.#indexOf(row, col)];
  }

  /**
   * The step of the first visit of a cell in a layer; undefined for a cell without visits.
   *
   * @throws The errors of {@link firstVisits} and {@link terrainAt}.
   */
  firstVisitAt(layer: string, row: number, col: number): number | undefined {
    const step = this.firstVisits(layer)[this.#indexOf(row, col)];
    return step === NEVER ? undefined : step;
  }

  #indexOf(row: number, col: number): number {
    checkInteger("row", row, this.row0, this.row0 + this.rows - 1);
    checkInteger("col", col, this.col0, this.col0 + this.cols - 1);
    return (row - this.row0) * this.cols + col - this.col0;
  }
}

function refuseLayer(layer: string, known: ReadonlyMap<string, unknown>): never {
  const problem = "the window does not contain the requested data of this layer";
  const expected =
    known.size === 0 ? "no layer, because the call named no layer" : `one of ${[...known.keys()].join(", ")}`;
  const remedy = "Name the layer in the option `visits`";
  return fail(error("argument.range", { problem, got: layer, expected, remedy }));
}
