import type { LongCall } from "../calls/index.js";
import { readOptions } from "../spec/index.js";
import { endsEarly, sourceNames, sourcesUsedBy } from "../walks/compile.js";
import {
  LayerMap,
  type LayerMapMessage,
  type LayerResult,
  type RunLayerOptions,
  type Walk,
  WalkMap,
} from "../walks/index.js";
import type { WalkerRange } from "../walks/layerParts.js";
import { type MapChunk, placeKey } from "../walks/map/chunk.js";
import { chunksIn } from "../walks/map/layerMap.js";
import { mergeChunks, resultOf } from "../walks/map/walkMap.js";
import type { CellRectangle } from "../walks/rectangles.js";
import { mostWalkers } from "../walks/walk.js";
import type { WindowOptions, World, WorldWindow } from "../worlds/index.js";
import { joinPieces, type WindowPiece, windowParts } from "../worlds/pieces.js";
import { type CallPlace, check, plainOptions, runTask } from "./bulkCalls.js";
import { inSegments } from "./segments.js";
import type { LayerTask, PieceTask } from "./worker.js";

/** Number of tasks of a layer for each thread. Each makes a map, which the calling thread adds to the others. */
const TASKS_PER_LAYER = 2;
/** A task has at least so many steps, which take some milliseconds. */
const LEAST_STEPS = 2 ** 22;
/** Least number of parts of a window for each thread, so that all threads end at about the same time. */
const TASKS_PER_WINDOW = 2;

/** `walk.runLayer(options)` in threads. */
export async function runLayer(on: CallPlace, given: RunLayerOptions = {}): Promise<LayerMap> {
  const walk = on.noun as Walk;
  const options = plainOptions(given, () => walk.runLayer(given));
  check((signal) => walk.runLayer({ ...options, signal }));
  const call = callOf(given);
  const { from = 0, to = mostWalkers(walk.layerPlan(given.layer)) } = given.walkers ?? {};
  return from === to ? walk.runLayer(given) : layerMap(on, { ...given, walkers: { from, to } }, call);
}

/** `walk.run(options)` in threads. */
export async function runWalk(on: CallPlace, given: LongCall = {}): Promise<WalkMap> {
  const walk = on.noun as Walk;
  const options = plainOptions(given, () => walk.run(given));
  check((signal) => walk.run({ ...options, signal }));
  const { signal, onProgress } = callOf(given);
  const { layers } = walk.plan;
  const total = layers.reduce((sum, { walkers, steps }) => sum + walkers * steps, 0);
  const earlier: Record<string, LayerMap> = {};
  const results: LayerResult[] = [];
  let before = 0;
  for (const plan of layers) {
    const { name, walkers, steps } = plan;
    const start = before;
    const report = onProgress && (({ done }: { readonly done: number }) => onProgress({ done: start + done, total }));
    const part = { layer: name, walkers: { from: 0, to: walkers }, earlier };
    const map = await layerMap(on, part, { signal, onProgress: report });
    results.push(resultOf(name, map, { endsEarly: endsEarly(plan) }));
    earlier[name] = map;
    before += walkers * steps;
  }
  return new WalkMap(results);
}

/** `world.window(cells, options)` in threads. The calling thread makes the contents of the placements. */
export async function worldWindow(
  { pool, noun, place }: CallPlace,
  cells: CellRectangle,
  given: WindowOptions = {},
): Promise<WorldWindow> {
  const world = noun as World;
  const options = plainOptions(given, () => world.window(cells, given));
  check((signal) => world.window(cells, { ...options, signal }));
  const { signal, onProgress } = callOf(given);
  const { visits = [], fields = [] } = given;
  // small parts take more walks around them, so they are only as small as the threads need
  const divisions = [4, 2, 1].map((across) => windowParts(world, cells, given, across));
  const ranges = divisions.find(({ length }) => length >= TASKS_PER_WINDOW * pool.size) ?? divisions[2];
  const total = cells.rows * cells.cols;
  const pieces: WindowPiece[] = [];
  let done = 0;
  const report = onProgress && (() => onProgress({ done, total }));
  const division = { name: world.name, threads: pool.size, from: 0, total: ranges.length, first: 1, least: 1, most: 1 };
  await inSegments(division, { signal, onProgress: report }, async ({ from: k }, stopFlag) => {
    const task: PieceTask = {
      kind: "piece",
      noun: place,
      range: ranges[k],
      cells,
      options: { visits, fields },
      stopFlag,
    };
    const { made, ms } = await runTask<WindowPiece>(pool, task);
    pieces.push(made);
    done += Math.max(0, made.cells.rows) * Math.max(0, made.cells.cols);
    return ms;
  });
  return joinPieces(world, cells, given, pieces);
}

function callOf({ signal, onProgress }: LongCall): LongCall {
  return readOptions("the call", { signal, onProgress }, ["signal", "onProgress"]);
}

type LayerPart = Pick<RunLayerOptions, "layer" | "region" | "earlier"> & { readonly walkers: WalkerRange };

async function layerMap(
  { pool, noun, place }: CallPlace,
  { walkers: { from, to }, earlier = {}, ...given }: LayerPart,
  call: LongCall,
): Promise<LayerMap> {
  const walk = noun as Walk;
  const plan = walk.layerPlan(given.layer);
  const names = sourceNames(walk.plan);
  const used = sourcesUsedBy(plan).map((source) => names[source]);
  const total = to - from;
  const least = Math.max(
    Math.ceil(LEAST_STEPS / Math.max(1, plan.steps)),
    Math.ceil(total / (pool.size * TASKS_PER_LAYER)),
  );
  const sum = new MapSum();
  const division = { name: walk.name, threads: pool.size, from, total, first: least, least, most: total };
  await inSegments({ ...division, unit: plan.steps }, call, async (segment, stopFlag) => {
    const messages = used.map((name) => [name, earlier[name].toMessage()] as const);
    const walkers = { from: segment.from, to: segment.from + segment.count };
    const options = { layer: given.layer, region: given.region, walkers };
    const task: LayerTask = { kind: "layer", noun: place, options, earlier: Object.fromEntries(messages), stopFlag };
    const transfer = messages.map(([, { visits }]) => visits.buffer as ArrayBuffer);
    const { made, ms } = await runTask<LayerMapMessage>(pool, task, transfer);
    sum.add(made);
    return ms;
  });
  return sum.map();
}

/** Adds up maps chunk by chunk, so that a page is busy only for a short time. Only their sum becomes a LayerMap. */
class MapSum {
  readonly #chunks = new Map<number, MapChunk>();
  readonly #totals = { walkers: 0, steps: 0, ended: 0 };
  #coordinates: LayerMapMessage["coordinates"];

  add(part: LayerMapMessage): void {
    for (const chunk of chunksIn(part)) {
      const key = placeKey(chunk.chunkRow, chunk.chunkCol);
      const before = this.#chunks.get(key);
      this.#chunks.set(key, before === undefined ? chunk : mergeChunks([before, chunk]));
    }
    this.#coordinates = part.coordinates;
    for (const key of ["walkers", "steps", "ended"] as const) this.#totals[key] += part.walkerTotals?.[key] ?? 0;
  }

  map(): LayerMap {
    return new LayerMap(this.#chunks.values(), { walkerTotals: this.#totals, coordinates: this.#coordinates });
  }
}
