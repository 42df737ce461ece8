import { SECTOR_SIDE } from "../../walks/map/chunk.js";
import type { OpenedJob } from "../folder/manifest.js";
import { openPart, partName, shardMeta } from "../folder/part.js";
import { unlessDamaged } from "../folder/store.js";
import { batchOf, CELL_NS, exportCost, type JobTables, MERGE_NS, phasesOf, STEP_NS, sumOf } from "../plan/phases.js";
import { cellsOfSector, sectorNamed } from "../plan/sectors.js";
import type { Limits } from "../plan/space.js";
import { Speed, type Work } from "../plan/speed.js";
import { walkedSteps } from "../plan/walking.js";
import type { ExportName, Phase, Task } from "../types.js";
import { inWedges, piecesOf } from "./pieces.js";
import { processorMs } from "./throttle.js";

/** Number of shards whose heads are read to estimate which sectors the walkers reach. */
const SAMPLED_SHARDS = 16;

/**
 * The prediction of an export counts as much as the measured time of this share of it, and at least as much as a second:
 * the first piece of a small export can end late.
 */
const GUESS_SHARE = 0.1;
const GUESS_NS = 1e9;

/** What the sampled shards of a finite layer have reached. */
interface Reached {
  readonly sectors: Set<string>;
  sections: number;
  shards: number;
}

/**
 * Predicts how long a job still takes. Compares the time of each finished task with its predicted work, and so finds how
 * fast this machine does each kind of work in this world. Until a task of a kind is finished, the constants in
 * plan/phases.ts count: a world with slow cells says nothing about its tables. So they do for exports. But all tasks say
 * how much of the processor other programs take.
 */
export class Forecast {
  readonly #job: OpenedJob;
  readonly #tables: JobTables;
  readonly #threads: number;
  readonly #threadMemory: number;
  readonly #exports: readonly ExportName[];
  readonly #usedMs: () => number;
  readonly #beganUsedMs: number;
  readonly #speeds = new Map<string, Speed>();
  readonly #reached = new Map<number, Reached>();
  #works = new Map<number, Work>();
  #phase: Phase;
  #later: readonly Phase[] = [];
  /** Nanoseconds of the tasks that are done: the predicted ones, if nobody has measured them. */
  #before = 0;
  #measured = 0;

  constructor(
    job: OpenedJob,
    tables: JobTables,
    { threads, maxMemory }: Pick<Limits, "threads" | "maxMemory">,
    exports: readonly ExportName[],
    usedMs = processorMs,
  ) {
    [this.#job, this.#tables, this.#threads, this.#threadMemory] = [job, tables, threads, maxMemory / threads];
    [this.#exports, [this.#phase]] = [exports, phasesOf(job)];
    [this.#usedMs, this.#beganUsedMs] = [usedMs, usedMs()];
  }

  /** Begins a phase. `open` are the tasks that are not done. */
  begin(phase: Phase, all: readonly Task[], open: readonly Task[]): void {
    const phases = phasesOf(this.#job);
    this.#phase = phase;
    this.#later = phases.slice(phases.findIndex(({ name }) => name === phase.name) + 1);
    this.#before += sumOf(all).cost - sumOf(open).cost;
    this.#works = phase.kind === "cells" ? this.#cellsWork(open) : new Map(open.map(({ k, cost }) => [k, made(cost)]));
    for (const [k, work] of this.#works) this.#speedOf(k).open(work, 1);
    if (phase.kind === "walk")
      for (const { k } of all.slice(0, SAMPLED_SHARDS)) if (!this.#works.has(k)) this.#sample(k);
  }

  /** Takes the time of a finished task into account. `ms` is undefined if nobody has measured it. */
  end(k: number, ms: number | undefined): void {
    const work = this.#works.get(k) ?? made(0);
    const speed = this.#speedOf(k);
    speed.open(work, -1);
    if (this.#phase.kind === "walk") this.#sample(k);
    if (ms === undefined) this.#before += work.walking + work.making;
    else {
      this.#measured += ms * 1e6;
      speed.add(work, ms * 1e6);
    }
  }

  /** Share of the tasks' work that is done, 0 … 1. */
  get share(): number {
    const left = this.#leftNs;
    const done = this.#before + this.#measured;
    return left === 0 ? 1 : done / (done + left);
  }

  /** Returns the seconds until the job is done, if `atOnce` tasks run at once. Undefined if no task was measured. */
  seconds(atOnce: number): number | undefined {
    if (this.#measured === 0) return undefined;
    return (this.#leftNs / atOnce + this.#slowness * exportCost(this.#exports, this.#cells, this.#threads)) / 1e9;
  }

  /** How many times as long as their processor time the tasks take, because other programs use the machine. */
  get #slowness(): number {
    const usedNs = (this.#usedMs() - this.#beganUsedMs) * 1e6;
    return usedNs === 0 ? 1 : Math.max(1, this.#measured / usedNs);
  }

  get #leftNs(): number {
    const slowness = this.#slowness;
    const open = [...this.#speeds.values()].reduce((sum, speed) => sum + speed.left(slowness), 0);
    return this.#later.reduce((sum, phase) => sum + slowness * this.#laterCost(phase), open);
  }

  /** The predicted number of cells of the job. */
  get #cells(): number {
    const phase = this.#later.find(({ kind }) => kind === "cells");
    if (phase !== undefined) return (this.#laterCost(phase) / this.#tables.sectorCost) * SECTOR_SIDE ** 2;
    const { rows, cols } = this.#tables.extent;
    return rows * cols;
  }

  #speedOf(k: number): Speed {
    const { kind, name } = this.#phase;
    const key = kind === "bulk" ? this.#job.manifest.bulk[batchOf(this.#job, k).part].kind : name;
    const speed = this.#speeds.get(key) ?? new Speed();
    this.#speeds.set(key, speed);
    return speed;
  }

  /** The threads divide the sectors among them. So the work of a sector depends on those before it in its piece. */
  #cellsWork(open: readonly Task[]): Map<number, Work> {
    const { sectors, extent } = this.#tables;
    const list = open.map(({ k }) => k);
    const isConcentric = this.#job.manifest.order === "concentric";
    const tasks = isConcentric ? inWedges(list, this.#threads, (k) => sectors[k]) : list;
    const works = new Map<number, Work>();
    for (const { from, to } of piecesOf(tasks.length, this.#threads)) {
      const piece = tasks.slice(from, to);
      const cells = piece.map((k) => cellsOfSector(sectors[k], extent));
      for (const [n, steps] of walkedSteps(this.#job, cells, this.#threadMemory).entries()) {
        works.set(piece[n], { walking: steps * STEP_NS, making: cells[n].rows * cells[n].cols * CELL_NS });
      }
    }
    return works;
  }

  /** Reads which sectors the walkers of a shard have reached. */
  #sample(k: number): void {
    const { layer } = this.#phase;
    const reached: Reached = this.#reached.get(layer) ?? { sectors: new Set(), sections: 0, shards: 0 };
    const name = partName.shard(layer, k);
    if (reached.shards === SAMPLED_SHARDS) return;
    const part = unlessDamaged(() => openPart(this.#job, name, shardMeta(name)));
    if (part === undefined) return;
    for (const section of part.sections) reached.sectors.add(section);
    reached.sections += part.sections.length;
    reached.shards++;
    this.#reached.set(layer, reached);
  }

  /** Returns the predicted nanoseconds of a later phase. Its tasks may depend on what walkers reach. */
  #laterCost(phase: Phase): number {
    const { kind, layer } = phase;
    const all = [...this.#reached.values()];
    if (this.#tables.fixedCount(phase) === undefined && all.length > 0) {
      // a layer that nobody has walked yet probably reaches what the layer before it reaches
      const { sections, shards } = this.#reached.get(layer) ?? all[all.length - 1];
      const { name } = this.#job.plan.walk.layers[Math.max(0, layer)];
      if (kind === "merge") return (sections / shards) * this.#job.manifest.shards[name] * MERGE_NS;
      return boxOf(all.flatMap(({ sectors }) => [...sectors])) * this.#tables.sectorCost;
    }
    return this.#tables.costOf(phase, this.#before + this.#measured);
  }
}

function made(cost: number): Work {
  return { walking: 0, making: cost };
}

/** Returns how many sectors the rectangle around some sectors has. */
function boxOf(names: readonly string[]): number {
  const sectors = names.map(sectorNamed);
  const side = (of: readonly number[]) => Math.max(...of) - Math.min(...of) + 1;
  return sectors.length === 0 ? 0 : side(sectors.map(({ i }) => i)) * side(sectors.map(({ j }) => j));
}

/** Returns the seconds until all exports are done. The first one has run for `ms`, and its `share` is done. */
export function secondsOfExports(
  kinds: readonly ExportName[],
  cells: number,
  { ms, share, threads }: { readonly ms: number; readonly share: number; readonly threads: number },
): number {
  const running = exportCost(kinds.slice(0, 1), cells, threads);
  const guess = Math.max(GUESS_SHARE, GUESS_NS / running);
  const slowness = ((ms * 1e6) / running + guess) / (share + guess);
  return (slowness * (exportCost(kinds, cells, threads) - share * running)) / 1e9;
}
