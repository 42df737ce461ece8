import { STREAM_VERSION, type StreamKey } from "../../address.js";
import { allocateResults, type LongCall, Watch } from "../../calls/index.js";
import { error, fail, located } from "../../errors/index.js";
import { hexBytes, sha256 } from "../../sha256.js";
import { arrayType, isObject, readEntries, readOptions, refuseArgument } from "../../spec/index.js";
import { RESTING } from "../directions.js";
import type { WalkerPlace } from "../kernel.js";
import type { MapChunk } from "../map/chunk.js";
import { ChunkWriter, decodeChunks, type StoredChunk } from "../map/chunkCodec.js";
import { LayerMap } from "../map/layerMap.js";
import { type LayerResult, mergeLayerMaps, resultOf } from "../map/walkMap.js";
import type { Coordinates } from "../rectangles.js";
import { type GridSpec, type LayerPlan, MAX_STEPS, MAX_WALKERS } from "../types.js";

/*
 * A saved run. All numbers are little-endian.
 *
 *   0        4           8          12                                               −32
 *   ├─ RMWK ─┼─ version ─┼─ length ─┼─ head, JSON ─┼─ stored chunks ─┼─ walkers ─┼─ SHA-256 ─┤
 *
 * The head is padded with spaces to a multiple of 4 bytes. A walker has the six fields of a WalkerPlace. The SHA-256
 * covers all bytes before it.
 */

const MAGIC = 0x4b574d52;
const VERSION = 1;
const PREFIX_BYTES = 12;
const HASH_BYTES = 32;
const WALKER_WORDS = 6;
const WALKER_BYTES = 4 * WALKER_WORDS;

export interface SavedHead {
  readonly walk: string;
  readonly layer: string;
  readonly fingerprint: string;
  /** Digests of the maps to which `closed`, `open` or `until` of the layer refers, by layer index. */
  readonly earlier: Readonly<Record<string, string>>;
  readonly region?: readonly [i: number, j: number] | undefined;
  /** The walkers `from` … `to` − 1 of the layer or, if it is scattered, of the region. */
  readonly from: number;
  readonly to: number;
  readonly steps: number;
  readonly coordinates: Coordinates;
  readonly firstVisits: boolean;
  readonly endsEarly: boolean;
}

export interface SavedRun extends SavedHead {
  readonly map: readonly MapChunk[];
  /** Returns the place of the walker with the number `from + i`. */
  readonly placeOf: (i: number) => WalkerPlace;
}

/** Hashes the inputs of a walker's steps. Leaves out earlier layers' maps and the numbers of walkers and of steps. */
export function fingerprintOf(plan: LayerPlan, { grid, stream }: { grid: GridSpec; stream: StreamKey }): string {
  const { tensor, headings, scatter, firstVisit, closedCells, closedLayers, openLayers, until, start } = plan;
  const [cells, region] = start.kind === "cells" ? [start.cells, undefined] : [new Int32Array(0), start];
  const key = [stream.k0 >>> 0, stream.k1 >>> 0];
  const lists = [headings.length, closedCells.length, cells.length];
  const first = { stream: STREAM_VERSION, key, grid, tensor: [...tensor.combined], firstVisit, lists };
  const json = JSON.stringify({ ...first, closedLayers, openLayers, until, region, scatter });
  const hash = sha256().update(new TextEncoder().encode(json)).update(headings);
  for (const { buffer, byteOffset, byteLength } of [closedCells, cells]) {
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.hex();
}

export function encodeRun(
  head: SavedHead,
  chunks: Iterable<StoredChunk>,
  places: Iterable<WalkerPlace>,
): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify({ ...head, stream: STREAM_VERSION }));
  const padded = Math.ceil(text.length / 4) * 4;
  const writer = new ChunkWriter();
  for (const chunk of chunks) writer.add(chunk);
  const map = writer.finish();
  const mapAt = PREFIX_BYTES + padded;
  const walkersAt = mapAt + map.length;
  const walkers = head.to - head.from;
  const length = walkersAt + walkers * WALKER_BYTES + HASH_BYTES;
  const bytes = allocateResults(length, 1, (count) => new Uint8Array(count));
  new Uint32Array(bytes.buffer, 0, 3).set([MAGIC, VERSION, padded]);
  bytes.fill(0x20, PREFIX_BYTES, mapAt);
  bytes.set(text, PREFIX_BYTES);
  bytes.set(map, mapAt);
  const words = new Uint32Array(bytes.buffer, walkersAt, walkers * WALKER_WORDS);
  let at = 0;
  for (const { row, col, heading, ended, stepsLow, stepsHigh } of places) {
    words.set([row, col, heading, ended, stepsLow, stepsHigh], at);
    at += WALKER_WORDS;
  }
  bytes.set(checksumOf(bytes), length - HASH_BYTES);
  return bytes;
}

function checksumOf(bytes: Uint8Array): Uint8Array {
  return hexBytes(sha256().update(bytes.subarray(0, -HASH_BYTES)).hex());
}

/** Checks every field, because the bytes may come from anywhere. */
export function decodeRun(given: Uint8Array): SavedRun {
  if (arrayType(given) !== "Uint8Array") refuseArgument("bytes", given, "a Uint8Array");
  // a copy, so that later changes of the bytes have no effect, and the arrays are aligned
  const bytes = new Uint8Array(given);
  const [magic, version, padded] = bytes.length < PREFIX_BYTES ? [0, 0, 0] : new Uint32Array(bytes.buffer, 0, 3);
  if (magic !== MAGIC) invalid("the bytes are not a saved run");
  if (version !== VERSION) otherVersion("format version", version, VERSION);
  const mapAt = PREFIX_BYTES + padded;
  if (padded % 4 !== 0 || mapAt + HASH_BYTES > bytes.length) damaged();
  const checksum = checksumOf(bytes);
  if (!bytes.subarray(-HASH_BYTES).every((byte, i) => byte === checksum[i])) damaged();
  const head = readHead(bytes.subarray(PREFIX_BYTES, mapAt));
  const walkers = head.to - head.from;
  const walkersAt = bytes.length - HASH_BYTES - walkers * WALKER_BYTES;
  if (walkersAt < mapAt || walkersAt % 4 !== 0) damaged();
  const map = decodeChunks(bytes.subarray(mapAt, walkersAt));
  if (map.some(({ firstVisit }) => (firstVisit !== undefined) !== head.firstVisits)) damaged();
  const words = new Uint32Array(bytes.buffer, walkersAt, walkers * WALKER_WORDS);
  return { ...head, map, placeOf: (i) => placeIn(words, i) };
}

function readHead(bytes: Uint8Array): SavedHead {
  const head = parse(bytes);
  const { stream, walk, layer, fingerprint, earlier, region, from, to, steps, coordinates, ...flags } = head;
  if (stream !== STREAM_VERSION) otherVersion("stream version", stream, STREAM_VERSION);
  const isRight =
    [walk, layer, fingerprint].every((text) => typeof text === "string") &&
    isObject(earlier) &&
    (region === undefined || (Array.isArray(region) && region.length === 2 && region.every((n) => (n | 0) === n))) &&
    isCount(to, MAX_WALKERS) &&
    isCount(from, to) &&
    isCount(steps, MAX_STEPS) &&
    (coordinates === "axial" || coordinates === "odd-r") &&
    [flags.firstVisits, flags.endsEarly].every((flag) => typeof flag === "boolean");
  if (!isRight) damaged();
  // the cast is safe: all fields were checked, and digests are only compared
  return head as unknown as SavedHead;
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : damaged();
  } catch {
    return damaged();
  }
}

function isCount(value: unknown, most: number): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
}

function placeIn(words: Uint32Array, i: number): WalkerPlace {
  const [row, col, heading, ended, stepsLow, stepsHigh] = words.subarray(i * WALKER_WORDS, (i + 1) * WALKER_WORDS);
  if (heading > RESTING || ended > 1 || stepsHigh * 2 ** 32 + stepsLow > MAX_STEPS) damaged();
  return { row: row | 0, col: col | 0, heading, ended, stepsLow, stepsHigh };
}

export function damaged(): never {
  return invalid("the saved run is damaged");
}

function invalid(problem: string): never {
  const remedy = "Pass the unchanged bytes";
  return fail(error("snapshot.invalid", { problem, expected: "bytes that run.save() returned", remedy }));
}

function otherVersion(what: string, got: unknown, expected: number): never {
  const problem = `the saved run has a different ${what}`;
  const remedy = "Use the version of Rollmill that saved the run";
  return fail(error("snapshot.version", { problem, got, expected: String(expected), remedy }));
}

const MOST_RUNS = 100_000;

/** Several saved runs of one layer, merged into one result. */
export interface MergedRuns {
  /** The name of the walk. */
  readonly walk: string;
  /** The result of the layer. If the runs cover all walkers and all steps, `walk.run()` returns the same. */
  readonly result: LayerResult;
  /** The walkers of the runs, as ascending ranges `from` … `to` − 1. Adjacent ranges are joined. */
  readonly walkers: readonly { readonly from: number; readonly to: number }[];
  /** Number of steps by which each run was advanced. */
  readonly steps: number;
}

/**
 * Merges saved runs of one layer (the bytes from `run.save()`), for example from several machines. Does not need the
 * walk itself. The order of the runs does not matter. Cost: O(bytes). Progress counts the runs that were read.
 *
 * @param runs - The bytes of each run: 1 … 100,000 runs.
 * @throws RollmillError `snapshot.invalid`, `snapshot.version` for bytes that are not a saved run; `walk.mismatch` for
 * runs of different layers, seeds or specs, with different numbers of steps, or with a common walker. The path of these
 * issues names the run, such as `runs[2]`. Also `argument.type`, `argument.range`, `argument.option`,
 * `argument.callback`; the reason of an aborted signal.
 */
export function mergeSavedRuns(runs: Iterable<Uint8Array>, options: LongCall = {}): MergedRuns {
  const call = readOptions("mergeSavedRuns", options, ["signal", "onProgress"]);
  const given = readEntries("runs", runs, { of: "saved runs", most: MOST_RUNS });
  if (given.length === 0) {
    fail(error("argument.range", { problem: "the list of runs is empty", expected: "at least one saved run" }));
  }
  const watch = new Watch("the runs", given.length, call);
  const saved = given.map((bytes, i) => {
    const run = located(pathOf(i), () => decodeRun(bytes));
    watch.passed(i + 1);
    return run;
  });
  const walkers = joinedRanges(saved);
  const [{ walk, layer, steps, endsEarly }] = saved;
  const map = mergeLayerMaps(saved.map(mapOfRun), { signal: call.signal });
  return { walk, result: resultOf(layer, map, { endsEarly }), walkers, steps };
}

function pathOf(run: number): string {
  return `runs[${run}]`;
}

function mapOfRun({ map, from, to, steps, coordinates, placeOf }: SavedRun): LayerMap {
  let [ended, taken] = [0, 0];
  for (let i = 0; i < to - from; i++) {
    const place = placeOf(i);
    ended += place.ended;
    taken += place.ended === 1 ? place.stepsHigh * 2 ** 32 + place.stepsLow : steps;
  }
  return new LayerMap(map, { coordinates, walkerTotals: { walkers: to - from, steps: taken, ended } });
}

function joinedRanges(runs: readonly SavedRun[]): { from: number; to: number }[] {
  const [first] = runs;
  for (const [i, run] of runs.entries()) {
    const problem = "the run and the first run belong to different layers, seeds or specs";
    if (identityOf(run) !== identityOf(first))
      mismatch(i, problem, `a run of layer ${first.layer} of walk ${first.walk}`);
    const other = "the run and the first run have different numbers of steps";
    if (run.steps !== first.steps) mismatch(i, other, `a run that was advanced by ${first.steps} steps`);
  }
  const joined: { from: number; to: number }[] = [];
  const numbers = [...runs.keys()].sort((a, b) => runs[a].from - runs[b].from || runs[a].to - runs[b].to);
  for (const number of numbers) {
    const { from, to } = runs[number];
    const last = joined.at(-1);
    if (last !== undefined && from < last.to && to > from) {
      mismatch(number, `another run has walker ${from} too`, "runs without a common walker");
    }
    if (last?.to === from) last.to = to;
    else if (to > from) joined.push({ from, to });
  }
  return joined;
}

function identityOf({ walk, layer, fingerprint, earlier }: SavedRun): string {
  const digests = Object.entries(earlier).sort(([a], [b]) => Number(a) - Number(b));
  return JSON.stringify([walk, layer, fingerprint, digests]);
}

function mismatch(run: number, problem: string, expected: string): never {
  return fail(error("walk.mismatch", { problem, expected, where: { path: pathOf(run) } }));
}
