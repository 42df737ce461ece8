import { unlessRefused } from "../../errors/index.js";
import { littleEndian } from "../../formats/bytes.js";
import { createMill } from "../../mill.js";
import { type CellRectangle, overlap } from "../../walks/rectangles.js";
import { contentLines } from "../../worlds/digest.js";
import type { World } from "../../worlds/index.js";
import { REGION_SIDE } from "../../worlds/types.js";
import { Workspace } from "../../worlds/workspace.js";
import { storedLength } from "../folder/compression.js";
import type { OpenedJob } from "../folder/manifest.js";
import { storedCounts } from "../folder/part.js";
import { earlierCells } from "../tasks/earlier.js";
import { placementSections } from "../tasks/placements.js";
import { CELL_NS, STEP_NS } from "./phases.js";
import { Speed } from "./speed.js";
import { walkedSteps } from "./walking.js";

/** Maximum number of steps for all samples. They take about two seconds. */
const MAX_STEPS = 2 ** 28;
const PLACES = 4;

/** What a few regions of a job's extent need. */
export interface Sample {
  readonly bytesPerCell: number;
  readonly speed: Speed;
}

/**
 * Makes a few regions of the job's cells, to estimate all cells. Returns undefined if the cells are not known before
 * walkers reach them, if the samples would take long, or if the world cannot be made.
 */
export function sampleOf(job: OpenedJob, maxMemory: number): Sample | undefined {
  const { extent, seed, now, world: name } = job.manifest;
  if (extent === "reached") return undefined;
  const windows = windowsIn(extent);
  const finite = job.plan.walk.layers.filter(({ scatter }) => scatter === undefined);
  let steps = finite.reduce((sum, layer) => sum + layer.walkers * layer.steps, 0);
  const walked = walkedSteps(job, windows, maxMemory);
  const chosen = windows.filter((_, n) => {
    steps += walked[n];
    return steps <= MAX_STEPS;
  });
  if (chosen.length === 0) return undefined;
  const mill = createMill({ seed, ...(now !== "" && { now }), maxMemory });
  try {
    return unlessRefused(() => {
      const world = mill.world(name, job.spec, { maxMemory, maxRegions: 2 ** 32 });
      const earlier = earlierCells(job, maxMemory);
      if (earlier !== undefined) world.useStored(earlier);
      // the first window also walks the finite layers
      const isTimed = (n: number) => n > 0 || finite.length === 0;
      return measured(
        job,
        chosen.map((cells, n) => ({ cells, steps: walked[n], isTimed: isTimed(n) })),
        world,
      );
    });
  } finally {
    mill.dispose();
  }
}

interface Window {
  readonly cells: CellRectangle;
  readonly steps: number;
  readonly isTimed: boolean;
}

function measured(job: OpenedJob, windows: readonly Window[], world: World): Sample {
  const speed = new Speed();
  const workspace = new Workspace();
  let [bytes, count] = [0, 0];
  for (const { cells, steps, isTimed } of windows) {
    const beganMs = performance.now();
    bytes += bytesOf(job, cells, world, workspace);
    const work = { walking: steps * STEP_NS, making: cells.rows * cells.cols * CELL_NS };
    if (isTimed) speed.add(work, (performance.now() - beganMs) * 1e6);
    count += cells.rows * cells.cols;
  }
  return { bytesPerCell: bytes / count, speed };
}

function bytesOf({ manifest, spec }: OpenedJob, cells: CellRectangle, world: World, workspace: Workspace): number {
  const parts = world.byRegion(cells, { visits: manifest.visits }, workspace);
  let bytes = 0;
  let part = parts.next();
  for (; part.done !== true; part = parts.next()) {
    const { counts, firstVisits } = part.value;
    bytes += storedLength(storedCounts(counts));
    if (firstVisits !== undefined) bytes += storedLength(littleEndian(firstVisits));
  }
  const { terrain, placements } = part.value;
  const sections = placementSections(spec, placements, contentLines(placements).bytes);
  return [...sections].reduce((sum, section) => sum + storedLength(section.bytes), bytes + storedLength(terrain));
}

/** Returns pairs of neighbouring regions: the first walks the regions around it, and the second hardly any. */
function windowsIn(extent: CellRectangle): CellRectangle[] {
  const at = (first: number, size: number, n: number) =>
    REGION_SIDE * Math.floor((first + (size * ((n % PLACES) + 0.5)) / PLACES) / REGION_SIDE);
  return Array.from({ length: 2 * PLACES }, (_, n) => {
    const place = Math.floor(n / 2);
    const col0 = at(extent.col0, extent.cols, 2 * place + Number(place >= PLACES / 2)) + REGION_SIDE * (n % 2);
    const row0 = at(extent.row0, extent.rows, place);
    return overlap({ row0, col0, rows: REGION_SIDE, cols: REGION_SIDE }, extent);
  }).filter(({ rows, cols }) => rows > 0 && cols > 0);
}
