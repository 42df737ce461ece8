import { error, fail } from "../../errors/index.js";
import type { LayerPlan } from "../../walks/index.js";
import { SECTOR_SIDE } from "../../walks/map/chunk.js";
import { type CellRectangle, cellsOfGrid, countOf, overlap, regionsNear } from "../../walks/rectangles.js";
import { isOrdered } from "../../worlds/contents.js";
import type { OpenedJob } from "../folder/manifest.js";
import {
  cellsMeta,
  hashedMeta,
  isFurtherPart,
  isSectorName,
  layerMeta,
  type Part,
  partName,
  partOf,
  type ReadMeta,
  type ShardMeta,
  shardMeta,
} from "../folder/part.js";
import type { BulkSpec, ExportName, JobUnit, Phase, PhaseKind, Sector, SectorOrder, Task } from "../types.js";
import { batchesIn, batchesOf, countInBatch, hasManySectors, MANY_SECTORS } from "./parse.js";
import { cellsOfSector, sectorNamed } from "./sectors.js";

/** The heads of a layer's parts stay in memory if they list at most this many sections, of 200 bytes each. */
const MAX_KEPT_SECTIONS = 2 ** 19;

// estimated times in nanoseconds: only the progress depends on them
export const STEP_NS = 5;
/** Makes and stores a cell with its terrain. */
export const CELL_NS = 20;
/** Adds the section of a shard to the sums of a sector. */
export const MERGE_NS = SECTOR_SIDE ** 2;
const RESULT_NS = { table: 35, recipe: 900, objects: 3000 } as const;
const ORDERED_NS = 1e6;
/** For each cell of a large map, without other programs. */
const EXPORT_NS: Readonly<Record<ExportName, number>> = {
  png: 11,
  tiles: 32,
  pmtiles: 28,
  tiled: 50,
  heights: 75,
  zarr: 35,
  parquet: 4,
  csv: 3,
  npy: 4,
  report: 50,
};
/** Exports that are not made of pieces. */
const IN_ONE_THREAD: readonly ExportName[] = ["parquet", "csv", "npy", "report"];

/** Walkers that start at one cell usually reach at least this many sectors. */
const USUAL_SECTORS = 4;

export const UNITS: Readonly<Record<PhaseKind, JobUnit>> = {
  walk: "steps",
  merge: "sectors",
  cells: "cells",
  ordered: "tasks",
  bulk: "results",
};

/** Returns the phases in order. A phase may have no tasks. */
export function phasesOf(job: OpenedJob): Phase[] {
  const phases: Phase[] = [];
  for (const [layer, { name, scatter }] of job.plan.walk.layers.entries()) {
    if (scatter !== undefined) continue;
    for (const kind of ["walk", "merge"] as const) phases.push({ name: `${kind} ${name}`, kind, layer });
  }
  const add = (kind: PhaseKind) => phases.push({ name: kind, kind, layer: -1 });
  add("cells");
  if (hasOrdered(job)) add("ordered");
  if (job.manifest.bulk.length > 0) add("bulk");
  return phases;
}

/** Whether some contents come from stocks of the whole world. */
export function hasOrdered({ plan }: Pick<OpenedJob, "plan">): boolean {
  return plan.spec.placements.some(isOrdered);
}

/** Lists the tasks of each phase. Reads the parts of the walk only once, to find the sectors with visits. */
export class JobTables {
  readonly #job: OpenedJob;
  readonly #merged = new Map<number, readonly Sector[]>();
  #opened: { readonly layer: number; readonly parts: readonly Part<ShardMeta>[] } | undefined;
  #extent: CellRectangle | undefined;
  #sectors: readonly Sector[] | undefined;

  constructor(job: OpenedJob) {
    this.#job = job;
  }

  /** Returns the tasks of a phase. All earlier phases must be finished. */
  tasks({ kind, layer }: Phase): Task[] {
    const { plan, manifest } = this.#job;
    switch (kind) {
      case "walk": {
        const { name, walkers, steps } = plan.walk.layers[layer];
        const shards = manifest.shards[name];
        return Array.from({ length: shards }, (_, k) => {
          const { from, to } = shardOf(walkers, shards, k);
          const amount = (to - from) * steps;
          return { k, part: partName.shard(layer, k), cost: amount * STEP_NS, amount };
        });
      }
      case "merge": {
        const cost = mergeCost(this.#job, layer);
        return this.merged(layer).map((sector, k) => ({ k, part: partName.layer(layer, sector), cost, amount: 1 }));
      }
      case "cells": {
        const cost = this.sectorCost;
        return this.sectors.map((sector, k) => {
          const { rows, cols } = cellsOfSector(sector, this.extent);
          return { k, part: partName.cells(sector), cost, amount: rows * cols };
        });
      }
      case "ordered":
        return [{ k: 0, part: partName.ordered, cost: ORDERED_NS, amount: 1 }];
      case "bulk":
        return manifest.bulk
          .flatMap((spec) => bulkPartsOf(spec).map((part, n) => ({ part, ...sizeOfBatch(spec, n) })))
          .map((task, k) => ({ k, ...task }));
    }
  }

  /** Returns the name of the part of task k. All earlier phases must be finished. */
  part({ kind, layer }: Phase, k: number): string {
    switch (kind) {
      case "walk":
        return partName.shard(layer, k);
      case "merge":
        return partName.layer(layer, this.merged(layer)[k]);
      case "cells":
        return partName.cells(this.sectors[k]);
      case "ordered":
        return partName.ordered;
      case "bulk": {
        const { part, batch } = batchOf(this.#job, k);
        return partName.bulk(this.#job.manifest.bulk[part].name, batch);
      }
    }
  }

  /** Returns the number of tasks; undefined if the manifest does not decide it. Makes no list: it can be very long. */
  fixedCount({ kind, layer }: Phase): number | undefined {
    const { plan, manifest } = this.#job;
    switch (kind) {
      case "walk":
        return manifest.shards[plan.walk.layers[layer].name];
      case "merge":
        return undefined;
      case "cells":
        return manifest.extent === "reached" ? undefined : countOf(regionsNear(manifest.extent, { side: SECTOR_SIDE }));
      case "ordered":
        return 1;
      case "bulk":
        return batchesOf(manifest.bulk);
    }
  }

  /**
   * Returns the cost of a phase, without a list of its tasks. If they are not known yet, estimates it from `before`, the
   * cost until then.
   */
  costOf(phase: Phase, before: number): number {
    const { kind, layer } = phase;
    const { plan, manifest } = this.#job;
    switch (kind) {
      case "walk":
        return plan.walk.layers[layer].walkers * plan.walk.layers[layer].steps * STEP_NS;
      case "merge":
        return Math.max(before * 0.2, USUAL_SECTORS * mergeCost(this.#job, layer));
      case "cells":
        return this.sectorCost * (this.fixedCount(phase) ?? Math.max(USUAL_SECTORS, (before * 0.5) / this.sectorCost));
      case "ordered":
        return ORDERED_NS;
      case "bulk":
        return manifest.bulk.reduce((sum, part) => sum + part.count * RESULT_NS[part.kind], 0);
    }
  }

  /** Returns the sectors that a finite layer reached, sorted by row, then by column. All its shards must be walked. */
  merged(layer: number): readonly Sector[] {
    const known = this.#merged.get(layer);
    if (known !== undefined) return known;
    const names = new Set<string>();
    for (const part of this.shardParts(layer)) for (const section of part.sections) names.add(section);
    const sectors = [...names].map(sectorNamed).sort((a, b) => a.i - b.i || a.j - b.j);
    this.#merged.set(layer, sectors);
    return sectors;
  }

  /** Yields the parts of a layer's shards. Keeps their heads for the next call. All shards must be walked. */
  *shardParts(layer: number): Generator<Part<ShardMeta>, void> {
    if (this.#opened?.layer === layer) {
      yield* this.#opened.parts;
      return;
    }
    const { plan, manifest } = this.#job;
    const opened = (name: string) => partOf(this.#job, name, shardMeta(name));
    const parts: Part<ShardMeta>[] = [];
    let sections = 0;
    for (let k = 0; k < manifest.shards[plan.walk.layers[layer].name]; k++) {
      const last = opened(partName.shard(layer, k));
      for (const part of [...last.meta.further.map(opened), last]) {
        sections += part.sections.length;
        if (sections <= MAX_KEPT_SECTIONS) parts.push(part);
        yield part;
      }
    }
    if (sections <= MAX_KEPT_SECTIONS) this.#opened = { layer, parts };
  }

  /** Estimated time of a sector in the middle of many others, in nanoseconds. */
  get sectorCost(): number {
    return ownSteps(this.#job.plan.walk.layers) * STEP_NS + SECTOR_SIDE ** 2 * CELL_NS;
  }

  get sectors(): readonly Sector[] {
    this.#sectors ??= sectorsIn(this.extent, this.#job.manifest.order);
    return this.#sectors;
  }

  /** The cells of the job: 0 rows if no cell was reached. All finite layers must be merged. */
  get extent(): CellRectangle {
    this.#extent ??= this.#extentOf();
    return this.#extent;
  }

  #extentOf(): CellRectangle {
    const { extent } = this.#job.manifest;
    if (extent !== "reached") return extent;
    let [row0, col0, row1, col1] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { kind, layer } of phasesOf(this.#job)) {
      if (kind !== "merge") continue;
      for (const sector of this.merged(layer)) {
        const { bounds } = partOf(this.#job, partName.layer(layer, sector), layerMeta).meta;
        if (bounds === null) continue;
        [row0, col0] = [Math.min(row0, bounds[0]), Math.min(col0, bounds[1])];
        [row1, col1] = [Math.max(row1, bounds[2]), Math.max(col1, bounds[3])];
      }
    }
    if (row0 > row1) return { row0: 0, col0: 0, rows: 0, cols: 0 };
    const reached = { row0, col0, rows: row1 - row0 + 1, cols: col1 - col0 + 1 };
    // in odd-r coordinates, axial walkers can leave the grid
    return overlap(reached, cellsOfGrid(this.#job.spec.grid));
  }
}

/** Returns the estimated nanoseconds of exports of so many cells in so many threads. */
export function exportCost(kinds: readonly ExportName[], cells: number, threads: number): number {
  const atOnce = (kind: ExportName) => (IN_ONE_THREAD.includes(kind) ? 1 : threads);
  return kinds.reduce((sum, kind) => sum + (cells * EXPORT_NS[kind]) / atOnce(kind), 0);
}

export function sumOf(tasks: readonly Task[]): { cost: number; amount: number } {
  const sum = { cost: 0, amount: 0 };
  for (const { cost, amount } of tasks) {
    sum.cost += cost;
    sum.amount += amount;
  }
  return sum;
}

export function sectorsIn(extent: CellRectangle, order: SectorOrder): Sector[] {
  if (extent.rows === 0) return [];
  const { i0, j0, i1, j1 } = regionsNear(extent, { side: SECTOR_SIDE });
  if (hasManySectors(extent)) {
    const problem = "the walkers reached cells that are too far apart";
    const remedy = "Add an extent to the job, or let the walkers start nearer to one another";
    fail(error("job.spec", { problem, expected: MANY_SECTORS, remedy, where: { path: "extent" } }));
  }
  const sectors: Sector[] = [];
  for (let i = i0; i <= i1; i++) for (let j = j0; j <= j1; j++) sectors.push({ i, j });
  if (order === "row") return sectors;
  const [midRow, midCol] = [(i0 + i1) / 2, (j0 + j1) / 2];
  const away = ({ i, j }: Sector) => Math.max(Math.abs(i - midRow), Math.abs(j - midCol));
  const angle = ({ i, j }: Sector) => Math.atan2(i - midRow, j - midCol);
  return sectors.sort((a, b) => away(a) - away(b) || angle(a) - angle(b));
}

function sizeOfBatch(spec: BulkSpec, batch: number): Pick<Task, "amount" | "cost"> {
  const amount = countInBatch(spec, batch);
  return { amount, cost: amount * RESULT_NS[spec.kind] };
}

/** Returns the names of the parts in the result of a job whose extent is `extent`. */
export function resultParts(job: OpenedJob, extent: CellRectangle): string[] {
  const { manifest } = job;
  return [
    ...sectorsIn(extent, manifest.order).map(partName.cells),
    ...(hasOrdered(job) ? [partName.ordered] : []),
    ...manifest.bulk.flatMap(bulkPartsOf),
  ];
}

export function bulkPartsOf(spec: BulkSpec): string[] {
  return Array.from({ length: batchesIn(spec) }, (_, n) => partName.bulk(spec.name, n));
}

export function batchOf({ manifest }: OpenedJob, k: number): { readonly part: number; readonly batch: number } {
  let batch = k;
  for (const [part, spec] of manifest.bulk.entries()) {
    const batches = batchesIn(spec);
    if (batch < batches) return { part, batch };
    batch -= batches;
  }
  throw new Error("the phase has no such task");
}

/** Returns the walkers of shard k: `from` to `to` − 1. */
export function shardOf(walkers: number, shards: number, k: number) {
  const at = (n: number) => Number((BigInt(walkers) * BigInt(n)) / BigInt(shards));
  return { from: at(k), to: at(k + 1) };
}

function mergeCost({ plan, manifest }: OpenedJob, layer: number): number {
  return MERGE_NS * manifest.shards[plan.walk.layers[layer].name];
}

/** Returns the steps of the walkers that start in a sector. */
function ownSteps(layers: readonly LayerPlan[]): number {
  return layers.reduce((sum, { scatter, walkers, steps }) => {
    return sum + (scatter === undefined ? 0 : walkers * steps * (SECTOR_SIDE / scatter.side) ** 2);
  }, 0);
}

/** Returns the phase that writes a part; undefined if the job has no part of this name. */
export function phaseOfPart(job: OpenedJob, name: string): PhaseKind | undefined {
  const { plan, manifest } = job;
  const [, kind, of = "", last = ""] = name.replace(/\.part$/, "").split("/");
  const layer = plan.walk.layers[Number(of)];
  if (kind === "walk" && layer !== undefined && layer.scatter === undefined) {
    const [shard, , n] = last.split("-");
    const own = partName.shard(Number(of), Number(shard));
    const isOwn = name === own || (Number(n) >= 0 && isFurtherPart(own, Number(n), name));
    return Number(shard) >= 0 && Number(shard) < manifest.shards[layer.name] && isOwn ? "walk" : undefined;
  }
  if (kind === "layer" && layer !== undefined && layer.scatter === undefined && isSectorName(last)) {
    return name === partName.layer(Number(of), sectorNamed(last)) ? "merge" : undefined;
  }
  if (kind === "cells" && isSectorName(of)) return name === partName.cells(sectorNamed(of)) ? "cells" : undefined;
  if (name === partName.ordered && hasOrdered(job)) return "ordered";
  const isBulk = (part: BulkSpec) => name === partName.bulk(part.name, Number(last)) && Number(last) < batchesIn(part);
  return manifest.bulk.some(isBulk) ? "bulk" : undefined;
}

/** Returns the reader of a part's head; undefined if the job has no part of this name. */
export function metaOf(job: OpenedJob, name: string): ReadMeta<object> | undefined {
  const kind = phaseOfPart(job, name);
  if (kind === "walk") return shardMeta(name);
  if (kind === "merge") return layerMeta;
  return kind === "cells" ? cellsMeta(job) : kind && hashedMeta;
}
