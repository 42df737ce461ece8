import { type CellsByRegion, indexOfCell, type VisitsByRegion } from "../../worlds/compose.js";
import { contentLines, RegionHashes } from "../../worlds/digest.js";
import type { CellsMeta } from "../folder/heads.js";
import { cellsPart } from "../folder/names.js";
import { littleEndian, storedCounts } from "../folder/numbers.js";
import { putPart, type Section } from "../folder/part.js";
import { cellsOfSector } from "../plan/phases.js";
import type { TaskContext } from "./context.js";

/**
 * Makes a sector. The part has the sections
 *
 * - `visits <layer>`, as {@link storedCounts}, and `first <layer>` (u32), if the layer keeps first visits, for each
 *   layer that the job keeps, and `terrain` (u8): in the order of {@link VisitsByRegion};
 * - `rows`, `cols` (i32), `kinds` and `terrains` (u8): the placements, sorted as `world.placements` is;
 * - `contents`: a line of JSON for each placement, empty if it has no content.
 */
export function makeSector(context: TaskContext, k: number): void {
  const { job, tables } = context;
  const sector = tables.sectors[k];
  const rectangle = cellsOfSector(sector, tables.extent);
  const hashes = new RegionHashes(rectangle);
  let made: Pick<CellsMeta, "terrain" | "placements">;

  // each section is hashed here and written by `putPart` before the next one is made
  function* sections(): Generator<Section, void> {
    const steps = context.world.byRegion(rectangle, { ...context, visits: job.manifest.visits }, context.workspace);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      hashes.addVisits(step.value);
      yield* visitSections(step.value);
    }
    const { terrain, placements } = step.value;
    const contents = contentLines(placements);
    hashes.addCells(step.value, contents);
    made = {
      terrain: countsOf(terrain, job.spec.terrains.length),
      placements: countsOf(placements.kinds, placements.names.length),
    };
    yield { name: "terrain", bytes: terrain };
    yield* placementSections(step.value);
    yield { name: "contents", bytes: contents.bytes };
  }

  const metaOf = (): CellsMeta => ({ ...rectangle, sector, digests: hashes.digests(), ...made });
  putPart(job, cellsPart(sector), sections(), metaOf);
}

function* visitSections({ layer: { name }, counts, firstVisits }: VisitsByRegion): Generator<Section, void> {
  yield { name: `visits ${name}`, bytes: storedCounts(counts) };
  if (firstVisits !== undefined) yield { name: `first ${name}`, bytes: littleEndian(firstVisits) };
}

function* placementSections(cells: CellsByRegion): Generator<Section, void> {
  const { rows, cols, kinds } = cells.placements;
  const terrains = Uint8Array.from(rows, (row, p) => cells.terrain[indexOfCell(cells, row, cols[p])]);
  yield { name: "rows", bytes: littleEndian(rows) };
  yield { name: "cols", bytes: littleEndian(cols) };
  yield { name: "kinds", bytes: kinds };
  yield { name: "terrains", bytes: terrains };
}

/** Counts each number 0 … length − 1. */
function countsOf(numbers: Uint8Array, length: number): number[] {
  // neighbours are often equal. Four tables take turns, so that an addition does not wait for the addition before it
  const tables = new Uint32Array(4 * 256);
  const fours = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length >>> 2);
  for (let n = 0; n < fours.length; n++) {
    const four = fours[n];
    tables[four & 0xff]++;
    tables[256 + ((four >>> 8) & 0xff)]++;
    tables[512 + ((four >>> 16) & 0xff)]++;
    tables[768 + (four >>> 24)]++;
  }
  for (let n = 4 * fours.length; n < numbers.length; n++) tables[numbers[n]]++;
  return Array.from({ length }, (_, k) => tables[k] + tables[256 + k] + tables[512 + k] + tables[768 + k]);
}
