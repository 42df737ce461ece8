// The code of the workers that openThreads starts.
import type { ForkId } from "../address.js";
import { type Counts, clock, type Guarded } from "../calls/index.js";
import { StopSignal } from "../calls/stopSignal.js";
import { millParts } from "../core/mill.js";
import { compileKernel, type KernelBytes } from "../kernel/index.js";
import { Mill, type MillOptions } from "../mill.js";
import { seal } from "../spec/index.js";
import { LayerMap, type LayerMapMessage, type RunLayerOptions, type Walk } from "../walks/index.js";
import type { CellRectangle, RegionRange } from "../walks/rectangles.js";
import type { World } from "../worlds/index.js";
import { makePiece } from "../worlds/pieces.js";
import { type NumberArray, packCounts, packResults, type Results } from "./columns.js";
import { type Made, serveTasks } from "./ports.js";
import { SYSTEMS } from "./systems.js";

/** Where a worker finds a noun: the number of its opening, and the ids of the forks of the noun. */
export interface NounPlace {
  readonly opening: number;
  readonly forks: readonly ForkId[];
}

/** Creates the mill of the worker. */
export interface MillTask extends Pick<MillOptions, "seed" | "maxMemory" | "now"> {
  readonly kind: "mill";
  readonly kernel: readonly KernelBytes[];
}

/** Opens a noun. Only the tasks that need it report its errors. */
export interface OpenTask extends NounPlace {
  readonly kind: "open";
  readonly system: number;
  readonly noun: string;
  readonly name: string;
  readonly spec: object;
  readonly options: object;
}

interface CallTask {
  readonly noun: NounPlace;
  readonly options: object;
}

/** Makes results. With `out`, writes them to this array, which all threads share, and returns nothing. */
export interface ResultsTask extends CallTask {
  readonly kind: "results";
  readonly method: string;
  readonly count: number;
  readonly out?: NumberArray;
}

export interface CountTask extends CallTask {
  readonly kind: "count";
  readonly count: number;
  readonly areListed: boolean;
  readonly stopFlag: Int32Array | undefined;
}

/** Runs some walkers of a layer. */
export interface LayerTask extends CallTask {
  readonly kind: "layer";
  readonly options: Omit<RunLayerOptions, "earlier" | "signal" | "onProgress">;
  readonly earlier: Readonly<Record<string, LayerMapMessage>>;
  readonly stopFlag: Int32Array | undefined;
}

/** Makes a part of a window of a world. */
export interface PieceTask extends CallTask {
  readonly kind: "piece";
  readonly options: { readonly visits: readonly string[]; readonly fields: readonly string[] };
  readonly range: RegionRange;
  readonly cells: CellRectangle;
  readonly stopFlag: Int32Array | undefined;
}

export type ThreadTask = MillTask | OpenTask | ResultsTask | CountTask | LayerTask | PieceTask;

type Methods = Readonly<Record<string, (first: unknown, options: object) => unknown>>;

let mill: Mill | undefined;
const openings = new Map<number, OpenTask>();
const nouns = new Map<number, Guarded<unknown>>();

function nounAt({ opening, forks }: NounPlace): Guarded<unknown> {
  const noun = nouns.get(opening) ?? open(opening);
  nouns.set(opening, noun);
  return forks.reduce((parent, id) => parent.fork(id), noun);
}

function open(opening: number): Guarded<unknown> {
  const task = openings.get(opening);
  if (task === undefined || mill === undefined) throw new Error("the noun is not open");
  const { system, noun, name, spec, options, forks } = task;
  const fork = forks.reduce((parent, id) => parent.fork(id), mill);
  // the name may have been used for another noun, which was released since
  fork.release(name);
  // the cast is safe: a system was opened with this spec and these options before
  return fork.open(SYSTEMS[system] as never, name, seal(noun, spec), options) as Guarded<unknown>;
}

const HANDLERS: { readonly [Kind in ThreadTask["kind"]]: (task: Extract<ThreadTask, { kind: Kind }>) => Made } = {
  mill({ kind: _, kernel, ...options }) {
    compileKernel(kernel);
    mill = new Mill(millParts(options));
    return { made: undefined };
  },
  open(task) {
    openings.set(task.opening, task);
    return { made: undefined };
  },
  results({ noun, method, count, options, out }) {
    const calls = nounAt(noun) as unknown as Methods;
    if (out !== undefined) {
      calls[method](out, options);
      return { made: undefined };
    }
    const made = packResults(calls[method](count, options) as Results);
    return { made, transfer: made.columns.map(({ buffer }) => buffer) };
  },
  count({ noun, count, options, areListed, stopFlag }) {
    const calls = nounAt(noun) as unknown as Methods;
    const signal = stopFlag && new StopSignal(stopFlag);
    return { made: packCounts(calls.count(count, { ...options, signal }) as Counts<unknown>, areListed) };
  },
  layer({ noun, options, earlier, stopFlag }) {
    const maps = Object.entries(earlier).map(([name, message]) => [name, LayerMap.from(message)]);
    const signal = stopFlag && new StopSignal(stopFlag);
    const map = (nounAt(noun) as unknown as Walk).runLayer({ ...options, earlier: Object.fromEntries(maps), signal });
    const made = map.toMessage();
    return { made, transfer: [made.visits.buffer as ArrayBuffer] };
  },
  piece({ noun, range, cells, options, stopFlag }) {
    const signal = stopFlag && new StopSignal(stopFlag);
    return { made: makePiece(nounAt(noun) as unknown as World, range, cells, { ...options, signal }) };
  },
};

serveTasks((task: ThreadTask) => {
  const begun = clock();
  // the cast is safe: each handler takes the tasks of its kind
  const { made, transfer = [] } = (HANDLERS[task.kind] as (task: ThreadTask) => Made)(task);
  return { made: { made, ms: clock() - begun }, transfer };
});
