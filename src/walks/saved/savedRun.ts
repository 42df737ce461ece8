import { STREAM_VERSION, type StreamKey } from "../../address.js";
import { allocateResults } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { sha256 } from "../../sha256.js";
import { arrayType, refuseArgument } from "../../spec/index.js";
import type { Coordinates } from "../coordinates.js";
import { RESTING } from "../directions.js";
import { CHUNK_CELLS, type MapChunk, placeKey } from "../map/chunk.js";
import { type GridSpec, type LayerPlan, MAX_STEPS, MAX_WALKERS } from "../types.js";

/*
 * A saved run. All numbers are little-endian.
 *
 *   0     4       8      12                                                              −32
 *   ├─ RMWK ─┼─ version ─┼─ length ─┼─ head, JSON ─┼─ places ─┼─ visits ─┼─ first visits ─┼─ walkers ─┼─ SHA-256 ─┤
 *
 * The head is padded with spaces to a multiple of 4 bytes. A place is the row and the column of a chunk (2 i32). Each
 * chunk has 4096 visits (u32). If the run keeps first visits, each chunk also has 4096 first visits (u32). Each walker
 * has the fields of a SavedWalker. The SHA-256 covers all bytes before it.
 */

const MAGIC = 0x4b574d52;
const VERSION = 1;
const PREFIX_BYTES = 12;
const HASH_BYTES = 32;
/** Number of 32-bit fields of a {@link SavedWalker}. */
const PLACE_WORDS = 6;

/**
 * The cell of a walker, and its heading as a number 0 … 6. If the walker has ended, `ended` is 1, and the number of its
 * steps is stepsHigh · 2³² + stepsLow. If the walker has not ended, these three fields are 0.
 */
interface SavedWalker {
  readonly row: number;
  readonly col: number;
  readonly heading: number;
  readonly ended: number;
  readonly stepsLow: number;
  readonly stepsHigh: number;
}

/** The head of a saved run. */
export interface SavedHead {
  /** Version of the random stream. */
  readonly stream: number;
  readonly walk: string;
  readonly layer: string;
  /**
   * SHA-256 of the settings that decide the walkers' steps, from {@link fingerprintOf}. It does not cover the maps of
   * earlier layers.
   */
  readonly fingerprint: string;
  /**
   * Digests of the maps of earlier layers, by layer index. There is an entry for each layer to which `closed`, `open`
   * or `until` of this layer refers.
   */
  readonly earlier: Readonly<Record<string, string>>;
  /** The region of the walkers; absent if the layer is not scattered. */
  readonly region?: readonly [i: number, j: number] | undefined;
  /** The walkers of the run: `from` … `to` − 1 of the layer or, if it is scattered, of the region. */
  readonly from: number;
  readonly to: number;
  /** Number of steps by which the run was advanced. */
  readonly steps: number;
  readonly coordinates: Coordinates;
  readonly firstVisits: boolean;
  /** Whether walkers of the layer can end early. */
  readonly endsEarly: boolean;
  /** Number of chunks of the map. */
  readonly chunks: number;
}

/** A decoded run: its head, its map and its walkers. */
export interface SavedRun extends SavedHead {
  readonly map: readonly MapChunk[];
  /** The place of the walker with the number `from + i`. */
  readonly placeOf: (i: number) => SavedWalker;
}

/**
 * Returns the SHA-256 of the settings that decide the steps of a layer's walkers. These are the stream version, the key
 * of the walkers' random words, the grid and the layer's fields. The numbers of walkers and steps are not included.
 */
export function fingerprintOf(plan: LayerPlan, { grid, stream }: { grid: GridSpec; stream: StreamKey }): string {
  const { tensor, headings, scatter, firstVisit, closedCells, closedLayers, openLayers, until, start } = plan;
  const cells = start.kind === "cells" ? start.cells : new Int32Array(0);
  const region = start.kind === "cells" ? undefined : start;
  const fields = {
    stream: STREAM_VERSION,
    key: [stream.k0 >>> 0, stream.k1 >>> 0],
    grid,
    tensor: [...tensor.combined],
    firstVisit,
    lists: [headings.length, closedCells.length, cells.length],
    closedLayers,
    openLayers,
    until,
    region,
    scatter,
  };
  return sha256()
    .update(new TextEncoder().encode(JSON.stringify(fields)))
    .update(headings)
    .update(bytesOf(closedCells))
    .update(bytesOf(cells))
    .hex();
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Encodes a run. Cost: O(chunks + walkers). Hashes all bytes. */
export function encodeRun(
  head: Omit<SavedHead, "stream" | "chunks">,
  map: readonly MapChunk[],
  places: Iterable<SavedWalker>,
): Uint8Array<ArrayBuffer> {
  const json = JSON.stringify({ ...head, stream: STREAM_VERSION, chunks: map.length });
  const text = new TextEncoder().encode(json);
  const padded = Math.ceil(text.length / 4) * 4;
  const words = wordsOf({ ...head, chunks: map.length });
  const bytes = allocateResults(PREFIX_BYTES + padded + 4 * words + HASH_BYTES, 1, (length) => new Uint8Array(length));
  new Uint32Array(bytes.buffer, 0, 3).set([MAGIC, VERSION, padded]);
  bytes.fill(0x20, PREFIX_BYTES, PREFIX_BYTES + padded);
  bytes.set(text, PREFIX_BYTES);
  const parts = partsOf(bytes.buffer, PREFIX_BYTES + padded, { ...head, chunks: map.length });
  for (const [i, { chunkRow, chunkCol, visits, firstVisit }] of map.entries()) {
    parts.places.set([chunkRow, chunkCol], 2 * i);
    parts.visits.set(visits, i * CHUNK_CELLS);
    if (firstVisit !== undefined) parts.firstVisits.set(firstVisit, i * CHUNK_CELLS);
  }
  let at = 0;
  for (const { row, col, heading, ended, stepsLow, stepsHigh } of places) {
    parts.walkers.set([row, col, heading, ended, stepsLow, stepsHigh], at);
    at += PLACE_WORDS;
  }
  const hash = sha256().update(bytes.subarray(0, -HASH_BYTES)).hex();
  bytes.set(hashBytes(hash), bytes.length - HASH_BYTES);
  return bytes;
}

function hashBytes(hex: string): Uint8Array {
  return Uint8Array.from({ length: HASH_BYTES }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

type Sizes = Pick<SavedHead, "chunks" | "firstVisits" | "from" | "to">;

/** Number of 32-bit words after the head. */
function wordsOf({ chunks, firstVisits, from, to }: Sizes): number {
  return chunks * (2 + (firstVisits ? 2 : 1) * CHUNK_CELLS) + (to - from) * PLACE_WORDS;
}

function partsOf(buffer: ArrayBuffer, offset: number, { chunks, firstVisits, from, to }: Sizes) {
  const cells = chunks * CHUNK_CELLS;
  const visitsAt = offset + 8 * chunks;
  const firstsAt = visitsAt + 4 * cells;
  const walkersAt = firstsAt + (firstVisits ? 4 * cells : 0);
  return {
    places: new Int32Array(buffer, offset, 2 * chunks),
    visits: new Uint32Array(buffer, visitsAt, cells),
    firstVisits: new Uint32Array(buffer, firstsAt, firstVisits ? cells : 0),
    walkers: new Uint32Array(buffer, walkersAt, (to - from) * PLACE_WORDS),
  };
}

/**
 * Decodes bytes that {@link encodeRun} made. Checks the checksum and every field, because the bytes may come from
 * anywhere.
 *
 * @throws RollmillError `argument.type` for anything but bytes; `snapshot.invalid` for bytes that are not a saved run,
 * or are damaged; `snapshot.version` for another version of the format or of the random words.
 */
export function decodeRun(given: Uint8Array): SavedRun {
  if (arrayType(given) !== "Uint8Array") refuseArgument("bytes", given, "a Uint8Array");
  // makes a copy, so that later changes of the bytes have no effect, and the arrays are aligned
  const bytes = new Uint8Array(given);
  const [magic, version, padded] = bytes.length < PREFIX_BYTES ? [0, 0, 0] : new Uint32Array(bytes.buffer, 0, 3);
  if (magic !== MAGIC) invalid("the bytes are not a saved run");
  if (version !== VERSION) otherVersion("format version", version, VERSION);
  const end = PREFIX_BYTES + padded;
  const stored = bytes.subarray(-HASH_BYTES);
  const isWhole = padded % 4 === 0 && end + HASH_BYTES <= bytes.length;
  const sum = isWhole ? hashBytes(sha256().update(bytes.subarray(0, -HASH_BYTES)).hex()) : stored.subarray(1);
  if (!stored.every((byte, i) => byte === sum[i])) damaged();
  const head = readHead(bytes.subarray(PREFIX_BYTES, end));
  if (bytes.length !== end + 4 * wordsOf(head) + HASH_BYTES) damaged();
  const parts = partsOf(bytes.buffer, end, head);
  return { ...head, map: chunksIn(parts, head), placeOf: (i) => placeIn(parts.walkers, i) };
}

function readHead(bytes: Uint8Array): SavedHead {
  const head = parse(bytes);
  const { stream, walk, layer, fingerprint, earlier, region, from, to, steps, coordinates, firstVisits, endsEarly } =
    head;
  const { chunks } = head;
  if (stream !== STREAM_VERSION) otherVersion("stream version", stream, STREAM_VERSION);
  const isRight =
    [walk, layer, fingerprint].every((text) => typeof text === "string") &&
    typeof earlier === "object" &&
    earlier !== null &&
    (region === undefined || isPair(region)) &&
    isCount(to, MAX_WALKERS) &&
    isCount(from, to) &&
    isCount(steps, MAX_STEPS) &&
    isCount(chunks, 2 ** 32) &&
    (coordinates === "axial" || coordinates === "odd-r") &&
    typeof firstVisits === "boolean" &&
    typeof endsEarly === "boolean";
  if (!isRight) damaged();
  // the cast is safe: all fields were checked, and digests are only compared
  return head as unknown as SavedHead;
}

function parse(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : damaged();
  } catch {
    return damaged();
  }
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((each) => (each | 0) === each);
}

function isCount(value: unknown, most: number): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
}

function chunksIn({ places, visits, firstVisits }: ReturnType<typeof partsOf>, head: SavedHead): MapChunk[] {
  const keys = new Set<number>();
  return Array.from({ length: head.chunks }, (_, i) => {
    const part = (cells: Uint32Array) => cells.subarray(i * CHUNK_CELLS, (i + 1) * CHUNK_CELLS);
    const place = { chunkRow: places[2 * i], chunkCol: places[2 * i + 1] };
    const key = placeKey(place.chunkRow, place.chunkCol);
    if (Number.isNaN(key) || keys.has(key)) damaged();
    keys.add(key);
    const chunk = { ...place, visits: part(visits) };
    return head.firstVisits ? { ...chunk, firstVisit: part(firstVisits) } : chunk;
  });
}

function placeIn(walkers: Uint32Array, i: number): SavedWalker {
  const [row, col, heading, ended, stepsLow, stepsHigh] = walkers.subarray(i * PLACE_WORDS, (i + 1) * PLACE_WORDS);
  if (heading > RESTING || ended > 1 || stepsHigh * 2 ** 32 + stepsLow > MAX_STEPS) damaged();
  return { row: row | 0, col: col | 0, heading, ended, stepsLow, stepsHigh };
}

/**
 * Always throws `snapshot.invalid`.
 *
 * @throws RollmillError `snapshot.invalid`.
 */
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
