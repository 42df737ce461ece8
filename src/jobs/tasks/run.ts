import { basename } from "node:path/posix";
import { failOnErrors, type Issue, unlessRefused } from "../../errors/index.js";
import { littleEndian } from "../../formats/bytes.js";
import { type Bounds, CHUNK_SIDE, sectorIndex } from "../../walks/map/chunk.js";
import { type ChunkWriter, type StoredChunk, storedChunksIn } from "../../walks/map/chunkCodec.js";
import { type CellRectangle, isUpright } from "../../walks/rectangles.js";
import type { CellsByRegion, VisitsByRegion } from "../../worlds/compose.js";
import { contentLines, RegionHashes } from "../../worlds/digest.js";
import type { TerrainCells } from "../../worlds/stored.js";
import { takePart } from "../folder/from.js";
import { type CellsMeta, partName, putPart, type ShardMeta, storedCounts } from "../folder/part.js";
import { shardOf } from "../plan/phases.js";
import { cellsOfSector, sectorName } from "../plan/sectors.js";
import type { Phase, PhaseKind, Sector } from "../types.js";
import { bulkColumns, makeBatch } from "./bulk.js";
import type { TaskContext } from "./context.js";
import { drawOrdered } from "./ordered.js";
import { placementSections, RIM } from "./placements.js";
import { rimOf } from "./reach.js";

const TASKS: Readonly<Record<PhaseKind, (context: TaskContext, phase: Phase, k: number) => void>> = {
  walk: walkShard,
  merge: mergeSector,
  cells: makeSector,
  ordered: drawOrdered,
  bulk: (context, _, k) => makeBatch(context, k),
};

/**
 * Runs a task, or takes its part from an earlier job. The content of the part depends only on the manifest. Two threads
 * that run the task write the same bytes; two machines may compress the content differently.
 */
export function runTask(context: TaskContext, phase: Phase, k: number): void {
  if (takePart(context.job, context.tables.part(phase, k))) return;
  context.freeFor(phase.kind);
  TASKS[phase.kind](context, phase, k);
}

/** Opens all sources, so that an invalid option is found now, and not after hours, when its phase runs. */
export function checkSources(context: TaskContext): void {
  const issues: Issue[] = [];
  const check = (open: () => void) => unlessRefused(open, (refusal) => issues.push(...refusal.issues));
  check(() => context.world.ordered());
  for (const part of context.job.manifest.bulk.keys()) {
    check(() => bulkColumns(context, part, { from: 0, count: 0 }).next());
  }
  failOnErrors(issues);
}

/** If a map of visits becomes too large for the memory, writes it as a further part, and begins an empty map. */
function walkShard(context: TaskContext, { layer }: Phase, k: number): void {
  const { job, signal, maxMemory } = context;
  const plan = job.plan.walk.layers[layer];
  const walkers = shardOf(plan.walkers, job.manifest.shards[plan.name], k);
  const further: string[] = [];
  for (const { walkerTotals, storedChunks } of context.shards(layer).run({ walkers, signal })) {
    const isLast = walkerTotals !== undefined;
    const name = isLast ? partName.shard(layer, k) : partName.further(layer, k, { maxMemory, n: further.length });
    const meta: ShardMeta = isLast ? { steps: walkerTotals.steps, further } : { steps: 0, further: [] };
    putPart(context.job, name, sectionsOf(storedChunks(), context.chunks), () => meta);
    if (!isLast) further.push(basename(name));
  }
}

/** Yields a section for each sector. The chunks are sorted by sector. */
function* sectionsOf(chunks: Iterable<StoredChunk>, writer: ChunkWriter) {
  let name = "";
  // if an earlier task was stopped, the writer still has its chunks
  writer.clear();
  for (const chunk of chunks) {
    const next = sectorName({ i: sectorIndex(chunk.chunkRow), j: sectorIndex(chunk.chunkCol) });
    if (next !== name && !writer.isEmpty) yield { name, bytes: writer.finish(), isCompact: true };
    name = next;
    writer.add(chunk);
  }
  if (!writer.isEmpty) yield { name, bytes: writer.finish(), isCompact: true };
}

function mergeSector(context: TaskContext, { layer }: Phase, k: number): void {
  const { job, tables, signal, chunks, workspace } = context;
  const sector = tables.merged(layer)[k];
  const sums = context.sums(job.plan.walk.layers[layer].firstVisit);
  for (const part of tables.shardParts(layer)) {
    signal?.throwIfAborted();
    // reuses memory, because V8 counts new memory for each section, and then collects garbage more often
    const bytes = part.section(sectorName(sector), (length) => workspace.bytes("section", length));
    if (bytes !== undefined) for (const chunk of storedChunksIn(bytes)) sums.add(chunk);
  }
  let bounds: Bounds | null = null;
  const shiftOf = isUpright(job.spec.grid) ? (row: number) => Math.floor(row / 2) : () => 0;
  chunks.clear();
  for (const chunk of sums.storedChunks()) {
    chunks.add(chunk);
    bounds = grownTo(bounds, chunk, shiftOf);
  }
  const section = { name: "chunks", bytes: chunks.finish(), isCompact: true };
  putPart(job, partName.layer(layer, sector), [section], () => ({ bounds }));
}

/**
 * Grows a rectangle so that it contains the visited cells of a chunk. Skips rows that are inside the rectangle. Row r
 * of the rectangle has the columns of row r of the chunk plus shiftOf(r).
 */
function grownTo(
  bounds: Bounds | null,
  { chunkRow, chunkCol, visitBytes }: StoredChunk,
  shiftOf: (row: number) => number,
): Bounds | null {
  const top = chunkRow * CHUNK_SIDE;
  let [row0, col0, row1, col1] = bounds ?? [Infinity, Infinity, -Infinity, -Infinity];
  const rowBytes = visitBytes.length / CHUNK_SIDE;
  const isVisited = (byte: number) => byte !== 0;
  for (let r = 0; r < CHUNK_SIDE; r++) {
    const row = top + r;
    const left = chunkCol * CHUNK_SIDE + shiftOf(row);
    const isInside = row0 <= row && row <= row1;
    if (isInside && col0 <= left && left + CHUNK_SIDE - 1 <= col1) continue;
    const bytes = visitBytes.subarray(r * rowBytes, (r + 1) * rowBytes);
    const first = bytes.findIndex(isVisited);
    if (first === -1) continue;
    const colOf = (byte: number) => left + Math.floor((byte * CHUNK_SIDE) / rowBytes);
    row0 = Math.min(row0, row);
    row1 = Math.max(row1, row);
    col0 = Math.min(col0, colOf(first));
    col1 = Math.max(col1, colOf(bytes.findLastIndex(isVisited)));
  }
  return row0 > row1 ? null : [row0, col0, row1, col1];
}

/**
 * Makes a sector. The part has the sections
 *
 * - for each kept layer, `visits <layer>` as {@link storedCounts}; and `first <layer>` (u32), if it keeps first visits.
 *   Then `terrain` (u8). The cells are in the order of {@link VisitsByRegion};
 * - `rows`, `cols` (i32), `kinds` and `terrains` (u8): the placements, sorted as `world.placements` is; `sizes` and
 *   `facings` (u8) if some kind has them;
 * - `contents`: a line of JSON for each placement, empty if it has no content;
 * - `rim` if the sector is at the edge of the extent: the terrain of the strips of {@link rimOf}. It is not part of the
 *   digest, and may be missing.
 */
function makeSector(context: TaskContext, _: Phase, k: number): void {
  const { job, tables } = context;
  const sector = tables.sectors[k];
  const rectangle = cellsOfSector(sector, tables.extent);
  const hashes = new RegionHashes(rectangle);
  let made: Pick<CellsMeta, "terrain" | "placements">;

  // each section is hashed here and written by `putPart` before the next one is made
  function* sections() {
    const steps = visitsAndCells(context, sector, rectangle);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) {
      hashes.addVisits(step.value);
      const { layer, counts, firstVisits } = step.value;
      yield { name: `visits ${layer.name}`, bytes: storedCounts(counts) };
      if (firstVisits !== undefined) yield { name: `first ${layer.name}`, bytes: littleEndian(firstVisits) };
    }
    const cells = step.value;
    const { terrain, placements } = cells;
    const contents = contentLines(placements);
    hashes.addCells(cells, contents);
    made = {
      terrain: countsOf(terrain, job.spec.terrains.length),
      placements: countsOf(placements.kinds, placements.names.length),
    };
    yield { name: "terrain", bytes: terrain };
    yield* placementSections(job.spec, placements, contents.bytes);
    const rim = rimIn(context, rectangle);
    if (rim !== undefined) yield { name: RIM, bytes: rim };
  }

  const metaOf = (): CellsMeta => ({ ...rectangle, sector, digests: hashes.digests(), ...made });
  putPart(job, partName.cells(sector), sections(), metaOf);
}

/** Yields the visits of each kept layer, from the earlier job or made anew, then returns the rest. */
function* visitsAndCells(
  { job, world, earlier, signal, workspace }: TaskContext,
  sector: Sector,
  rectangle: CellRectangle,
): Generator<VisitsByRegion, CellsByRegion> {
  const layers = job.plan.walk.layers.flatMap((layer, l) => {
    const isKept = job.manifest.visits.includes(layer.name);
    return isKept ? [{ layer, stored: earlier?.visits(l, sector, rectangle) }] : [];
  });
  const visits = layers.flatMap(({ layer, stored }) => (stored === undefined ? [layer.name] : []));
  const steps = world.byRegion(rectangle, { visits, signal }, workspace);
  for (const { layer, stored } of layers) {
    const made = stored === undefined ? steps.next() : undefined;
    if (stored !== undefined) yield { layer, ...stored };
    else if (made?.done === false) yield made.value;
  }
  return yield* steps;
}

/**
 * Returns the terrain of the strips around the extent. Returns undefined
 *
 * - for a sector without strips, and for a world with stages;
 * - if the earlier job has the cells of the sector, but not the strips: then nothing was walked here.
 */
function rimIn({ job, world, earlier, tables, signal }: TaskContext, cells: CellRectangle): Uint8Array | undefined {
  const { around, strips } = rimOf(job.spec, cells, tables.extent);
  if (strips.length === 0 || job.keys?.hasStages) return undefined;
  let ground: TerrainCells;
  if (earlier?.hasGround(around)) {
    ground = { cells: new Uint8Array(around.rows * around.cols), at: 0, stride: around.cols };
    earlier.groundInto(around, ground.cells, around.cols);
  } else if (earlier?.isFinished(cells) || earlier?.canMake(cells)) return undefined;
  else ground = world.ground(around, { signal });
  const rowsOf = ({ row0, col0, rows, cols }: CellRectangle) =>
    Array.from({ length: rows }, (_, r) => {
      const from = ground.at + (row0 + r - around.row0) * ground.stride + col0 - around.col0;
      return ground.cells.subarray(from, from + cols);
    });
  return Buffer.concat(strips.flatMap(rowsOf));
}

function countsOf(numbers: Uint8Array, length: number): number[] {
  // four tables take turns: neighbours are often equal, and an addition should not wait for the addition before it
  const tables = new Uint32Array(4 * 256);
  const fours = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length >>> 2);
  for (let n = 0; n < fours.length; n++) {
    const four = fours[n];
    tables[four & 0xff]++;
    tables[256 + ((four >>> 8) & 0xff)]++;
    tables[512 + ((four >>> 16) & 0xff)]++;
    tables[768 + (four >>> 24)]++;
  }
  for (let n = 4 * fours.length; n < numbers.length; n++) tables[numbers[n]]++;
  return Array.from({ length }, (_, k) => tables[k] + tables[256 + k] + tables[512 + k] + tables[768 + k]);
}
