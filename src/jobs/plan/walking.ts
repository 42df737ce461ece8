import type { LayerPlan } from "../../walks/index.js";
import { mostWaiting } from "../../walks/kernel/scatter.js";
import { placeKey, SECTOR_SIDE } from "../../walks/map/chunk.js";
import { type CellRectangle, countOf, type RegionRange } from "../../walks/rectangles.js";
import { needsOfCells, rangesOf } from "../../worlds/costs.js";
import type { OpenedJob } from "../folder/manifest.js";

/** Maximum number of regions to look at, which takes about a second. */
const MAX_REGIONS = 2 ** 22;

/**
 * Predicts how many steps of scattered layers a thread walks for each of some rectangles, if it makes one after another
 * and keeps its maps. The first rectangle needs the regions around it, and a later one only those that are new.
 */
export function walkedSteps(job: Pick<OpenedJob, "plan" | "manifest">, cells: readonly CellRectangle[]): number[] {
  const { layers } = job.plan.walk;
  const kept = layers.flatMap(({ name }, layer) => (job.manifest.visits.includes(name) ? [layer] : []));
  const rangesAt = (rectangle: CellRectangle) => rangesOf(needsOfCells(rectangle, job.plan, kept), job.plan);
  const each = cells.length === 0 ? 0 : rangesAt(cells[0]).reduce((sum, { range }) => sum + countOf(range), 0);
  if (each * cells.length > MAX_REGIONS) return cells.map(() => ownSteps(layers));
  const walked = layers.map(() => new Map<number, number>());
  return cells.map((rectangle) =>
    rangesAt(rectangle).reduce((sum, { layer, range }) => sum + newSteps(layers[layer], range, walked[layer]), 0),
  );
}

/** Returns the steps of the walkers that start in a sector. */
export function ownSteps(layers: readonly LayerPlan[]): number {
  return layers.reduce((sum, { scatter, walkers, steps }) => {
    return sum + (scatter === undefined ? 0 : walkers * steps * (SECTOR_SIDE / scatter.side) ** 2);
  }, 0);
}

/** Adds to `walked` how many steps a walker of each region has taken. Returns the steps of all walkers that are new. */
function newSteps({ walkers, steps, scatter }: LayerPlan, range: RegionRange, walked: Map<number, number>): number {
  if (scatter === undefined) return 0;
  const canWait = walkers <= mostWaiting(scatter);
  const { i0, j0, i1, j1 } = range;
  let sum = 0;
  for (let i = i0; i <= i1; i++) {
    for (let j = j0; j <= j1; j++) {
      // a walker waits when its remaining steps are fewer than its distance from the cells, which are inside the range
      const inside = Math.min(i - i0, i1 - i, j - j0, j1 - j);
      const taken = canWait ? Math.min(steps, (inside + 0.5) * scatter.side) : steps;
      const key = placeKey(i, j);
      const before = walked.get(key) ?? 0;
      if (taken <= before) continue;
      walked.set(key, taken);
      sum += (taken - before) * walkers;
    }
  }
  return sum;
}
