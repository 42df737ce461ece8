import type { LayerPlan } from "../../walks/index.js";
import { mostWaiting } from "../../walks/kernel/scatter.js";
import { placeKey } from "../../walks/map/chunk.js";
import { type CellRectangle, countOf, type RegionRange } from "../../walks/rectangles.js";
import { KERNEL_SHARE, needsOfCells, rangesOf, regionBytes } from "../../worlds/costs.js";
import { limitFor } from "../../worlds/engine.js";
import type { OpenedJob } from "../folder/manifest.js";
import { WORLD_SHARE } from "../tasks/context.js";

/** Maximum number of regions to look at, which takes about a second. Later rectangles need as many steps on average. */
const MAX_REGIONS = 2 ** 22;
/** Measured: the maps of many neighbouring regions take this share of what `regionBytes` allows for each of them. */
const USED_SHARE = 3 / 4;

/**
 * Predicts how many steps of scattered layers a thread walks for each of some rectangles, if it makes one after another.
 * The first rectangle needs the regions around it, and a later one only those that are new, until the memory is full:
 * then the thread begins with empty maps, as the engine does.
 *
 * @param memory - the memory of the thread in bytes. It must be at least that of one rectangle, or the engine walks even
 * more.
 */
export function walkedSteps(
  { plan, manifest }: Pick<OpenedJob, "plan" | "manifest">,
  cells: readonly CellRectangle[],
  memory: number,
): number[] {
  const { layers } = plan.walk;
  const kept = layers.flatMap(({ name }, layer) => (manifest.visits.includes(name) ? [layer] : []));
  const rangesAt = (rectangle: CellRectangle) => rangesOf(needsOfCells(rectangle, plan, kept), plan);
  const each = cells.length === 0 ? 0 : rangesAt(cells[0]).reduce((sum, { range }) => sum + countOf(range), 0);
  const most = Math.max(1, Math.floor(MAX_REGIONS / Math.max(1, each)));
  if (cells.length > most) {
    const first = walkedSteps({ plan, manifest }, cells.slice(0, most), memory);
    const mean = first.reduce((sum, steps) => sum + steps, 0) / most;
    return cells.map((_, n) => first[n] ?? mean);
  }
  const maxBytes = memory * WORLD_SHARE * KERNEL_SHARE;
  let [walked, used] = [new Walked(layers), 0];
  return cells.map((rectangle) => {
    const ranges = rangesAt(rectangle);
    const all = ranges.reduce((sum, { layer, range }) => sum + countOf(range) * regionBytes(layers[layer]), 0);
    let added = walked.add(ranges);
    if (used + added.bytes > limitFor(all, maxBytes)) {
      [walked, used] = [new Walked(layers), 0];
      added = walked.add(ranges);
    }
    used += added.bytes;
    return added.steps;
  });
}

/** How many steps the walkers of each region have taken. */
class Walked {
  readonly #layers: readonly LayerPlan[];
  readonly #steps: readonly Map<number, number>[];

  constructor(layers: readonly LayerPlan[]) {
    this.#layers = layers;
    this.#steps = layers.map(() => new Map());
  }

  /** Returns the steps of all walkers that are new, and the bytes of the maps of regions that are new. */
  add(ranges: readonly { readonly layer: number; readonly range: RegionRange }[]): { steps: number; bytes: number } {
    const added = { steps: 0, bytes: 0 };
    for (const { layer, range } of ranges) this.#addRange(this.#layers[layer], range, this.#steps[layer], added);
    return added;
  }

  #addRange(
    layer: LayerPlan,
    { i0, j0, i1, j1 }: RegionRange,
    taken: Map<number, number>,
    added: { steps: number; bytes: number },
  ): void {
    const { walkers, steps, scatter } = layer;
    if (scatter === undefined) return;
    const canWait = walkers <= mostWaiting(scatter);
    const bytes = regionBytes(layer) * USED_SHARE;
    for (let i = i0; i <= i1; i++) {
      for (let j = j0; j <= j1; j++) {
        // a walker waits when it has fewer steps left than it needs to the cells, which are in the middle of the range
        const inside = Math.min(i - i0, i1 - i, j - j0, j1 - j);
        const wanted = canWait ? Math.min(steps, (inside + 0.5) * scatter.side) : steps;
        const key = placeKey(i, j);
        const before = taken.get(key);
        if (before === undefined) added.bytes += bytes;
        if (wanted <= (before ?? 0)) continue;
        taken.set(key, wanted);
        added.steps += (wanted - (before ?? 0)) * walkers;
      }
    }
  }
}
