import { CHUNK_SIDE } from "../kernel/layout.js";
import { sourceAt } from "../walks/compile.js";
import type { LayerPlan, WalkPlan } from "../walks/index.js";
import { reachesOf } from "../worlds/areas.js";
import type { PlacementSpec, TerrainProgram, WorldPlan } from "../worlds/types.js";

/** The limit of the kernel for plan files (assembly/plans/loadWorld.ts) is 2³¹. It rounds each part of the work down. */
export const MAX_WORK = 2 ** 31 - 2 ** 24;
/** Rows and columns of the largest rectangle of a call, and of regions along each side of it. */
const MAX_WINDOW = 512;
const MAX_REGIONS = 4096;
/** A step takes as long as so many steps of a program on one cell. */
const CELL_STEPS = 8;
/** Start cells are listed so many at a time. */
const CELLS_TOGETHER = 64;
/** The sets of cells of a chunk, and a look at the nearest of other placements, take as long as so many steps. */
const SLOW = 32;

interface Worked extends Partial<Pick<WorldPlan, "program" | "limits" | "halo">> {
  readonly walk: WalkPlan;
  readonly fields: WorldPlan["fields"];
  readonly placements: readonly PlacementSpec[];
}

/**
 * Returns an upper bound of the work of a host's call: the steps of walkers, and what takes as long. Each layer must be
 * complete on at most `needs[l]` rows and columns.
 */
export function workOf({ walk, fields, placements, program, limits = [], halo = 0 }: Worked): number {
  const { layers } = walk;
  const side = MAX_WINDOW + 2 * Math.max(0, ...reachesOf(placements).map(({ steps }) => steps));
  const whole = side + 2 * halo;
  // a rectangle of odd-r rows has half as many axial columns more
  const needs = layers.map(() => whole + Math.floor(whole / 2));
  const raise = (l: number, need: number) => {
    needs[l] = Math.max(needs[l], need);
  };

  function workOfRegions(l: number): number {
    const layer = layers[l];
    const { scatter, walkers, steps, stuckOf } = layer;
    if (stuckOf !== undefined) raise(stuckOf, needs[l]);
    if (stuckOf !== undefined) return 0;
    if (scatter === undefined) return walkers * (steps + 1);
    const regions = Math.floor((needs[l] + 2 * steps) / scatter.side) + 2;
    if (regions > MAX_REGIONS) return Number.POSITIVE_INFINITY;
    const area = regions * scatter.side + 2 * (steps + 2 * CHUNK_SIDE);
    const sources = sourcesOf(layer);
    const isListed = scatter.density !== undefined || sources.length > 0;
    const listed = isListed ? scatter.side ** 2 / CELLS_TOGETHER : 0;
    let work = regions ** 2 * (walkers * (steps + 1) + listed + sources.length + 1);
    work += (area / CHUNK_SIDE) ** 2 * sources.length * SLOW;
    for (const source of sources) {
      const { layer: earlier, field } = sourceAt(walk, source);
      if (earlier !== undefined) raise(earlier, area);
      else {
        const { program, layers } = fields[field];
        work += (area ** 2 * costOf(program)) / CELL_STEPS;
        for (const read of layers) raise(read, area + 2 * (Math.max(0, ...program.reaches.values()) + 1));
      }
    }
    return work;
  }

  const kinds = placements.map((kind, k) => workOfKind(kind, k, limits[k]));
  const cells = (program === undefined ? 0 : costOf(program) / CELL_STEPS) + kinds.reduce((sum, each) => sum + each, 0);
  const walked = [...layers.keys()].reverse().map(workOfRegions);
  return side ** 2 * cells + walked.reduce((sum, each) => sum + each, 0);
}

/** Returns what a layer refers to, as often as it does. */
function sourcesOf({ closedLayers, openLayers, start, until, slope }: LayerPlan): number[] {
  const own = [start.kind === "layer" ? start.layer : undefined, until?.layer, slope?.source];
  return [...closedLayers, ...openLayers, ...own.filter((source) => source !== undefined)];
}

/** Returns the cost of a program: its steps, and more for each octave of noise. */
function costOf({ steps }: TerrainProgram): number {
  const octaves = steps.map(({ data }) => (data?.kind === "noise" ? data.octaves : 0));
  return steps.length + CELL_STEPS * octaves.reduce((sum, each) => sum + each, 0);
}

/** Returns the work of a kind for each cell. */
function workOfKind(kind: PlacementSpec, k: number, limit: TerrainProgram | undefined): number {
  const { density, near, apart, alone, at, distance } = kind;
  const rows = [
    alone ? k : 0,
    near === undefined ? 0 : 2 * near.within + 1,
    apart === undefined ? 0 : 2 * apart.distance + 1,
    at.length === 0 ? 0 : 2 * distance + 1,
  ].reduce((sum, each) => sum + each, 0);
  const candidates = Number(density.numerator) / Number(density.denominator);
  return 1 + (limit === undefined ? 0 : costOf(limit) / CELL_STEPS) + candidates * rows * SLOW;
}
