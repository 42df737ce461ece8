import type { LayerPlan } from "../../walks/index.js";
import type { CellRectangle } from "../../walks/map/openCells.js";
import { formsOf, type RegionDigest, regionDigests, type WindowForms } from "../../worlds/digest.js";
import type { WorldWindow } from "../../worlds/index.js";
import type { TaskContext } from "../context.js";
import { littleEndian, storedCounts } from "../numbers.js";
import { putPart, type Section } from "../part.js";
import { cellsOfSector, cellsPart } from "../plan.js";
import type { Sector } from "../types.js";

/** Data in the head of the part of a sector. */
export interface CellsMeta extends CellRectangle {
  readonly sector: Sector;
  /** The digest of each region that has cells in the sector and in the extent of the job. */
  readonly digests: readonly RegionDigest[];
  /** Number of cells of each terrain. */
  readonly terrain: readonly number[];
  /** Number of placements of each kind. */
  readonly placements: readonly number[];
}

/**
 * Makes a sector: its terrain, the visits of the layers that the job keeps, and its placements with their contents. The
 * part has the sections
 *
 * - `terrain` (u8): the cells of the sector that are in the extent, row by row;
 * - `visits <layer>`: a byte for each cell, 255 if it has 255 visits or more; then (u32) the visits of each such cell;
 * - `first <layer>` (u32): the first visits, if the layer keeps them;
 * - `rows`, `cols` (i32), `kinds` and `terrains` (u8): the placements, sorted as `world.placements` is;
 * - `contents`: a line of JSON for each placement, empty if it has no content.
 */
export function makeSector(context: TaskContext, k: number): void {
  const { job, store, signal, world, tables } = context;
  const { visits } = job.manifest;
  const sector = tables.sectors[k];
  const cells = cellsOfSector(sector, tables.extent);
  const window = world.narrowWindow(cells, { visits, signal }, context.windows);
  const layers = job.plan.walk.layers.filter(({ name }) => visits.includes(name));
  const forms = formsOf(window, layers);
  const meta: CellsMeta = {
    ...cells,
    sector,
    digests: [...regionDigests(window, layers, forms)],
    terrain: countsOf(window.terrain, window.terrains.length),
    placements: countsOf(window.placements.kinds, window.placements.names.length),
  };
  putPart(store, cellsPart(sector), sectionsOf(layers, window, forms), () => meta);
}

function* sectionsOf(
  layers: readonly LayerPlan[],
  window: WorldWindow,
  { visits, contents }: WindowForms,
): Generator<Section, void> {
  yield { name: "terrain", bytes: window.terrain };
  for (const { name, firstVisit } of layers) {
    const counts = visits.get(name);
    if (counts !== undefined) yield { name: `visits ${name}`, bytes: storedCounts(counts) };
    if (firstVisit) yield { name: `first ${name}`, bytes: littleEndian(window.firstVisits(name)) };
  }
  const { placements } = window;
  const { rows, cols, kinds } = placements;
  const terrains = Uint8Array.from(
    rows,
    (row, p) => window.terrain[(row - window.row0) * window.cols + cols[p] - window.col0],
  );
  yield { name: "rows", bytes: littleEndian(rows) };
  yield { name: "cols", bytes: littleEndian(cols) };
  yield { name: "kinds", bytes: kinds };
  yield { name: "terrains", bytes: terrains };
  yield { name: "contents", bytes: Buffer.from(contents.map((content) => `${content}\n`).join("")) };
}

/** Counts how often each number 0 … length − 1 occurs. */
function countsOf(numbers: Uint8Array, length: number): number[] {
  // neighbours are often equal. Four tables take turns, so that an addition does not wait for the addition before it
  const [a, b, c, d] = Array.from({ length: 4 }, () => new Uint32Array(256));
  const fours = numbers.length - (numbers.length % 4);
  for (let n = 0; n < fours; n += 4) {
    a[numbers[n]]++;
    b[numbers[n + 1]]++;
    c[numbers[n + 2]]++;
    d[numbers[n + 3]]++;
  }
  for (let n = fours; n < numbers.length; n++) a[numbers[n]]++;
  return Array.from({ length }, (_, number) => a[number] + b[number] + c[number] + d[number]);
}
