import { littleEndian } from "../../formats/bytes.js";
import type { Column } from "../../formats/index.js";
import { DIRECTIONS } from "../../walks/directions.js";
import { type CellRectangle, contains } from "../../walks/rectangles.js";
import { isOrdered } from "../../worlds/contents.js";
import type { PlacementSpec, WorldSpec } from "../../worlds/index.js";
import { NO_TRAIT, type Placements, placementColumns } from "../../worlds/placements.js";
import { NO_TERRAIN, REGION_SIDE } from "../../worlds/types.js";
import type { OpenedJob } from "../folder/manifest.js";
import { partName, partOf, type Section, wordsIn } from "../folder/part.js";
import { failDamaged } from "../folder/store.js";
import { sectorName, wholeSector } from "../plan/sectors.js";

import type { Sector } from "../types.js";

// a batch is full when it has BATCH_ROWS rows, or when its contents have BATCH_CHARACTERS characters
const BATCH_ROWS = 2 ** 16;
const BATCH_CHARACTERS = 2 ** 24;
const LINE_FEED = 0x0a;

/** Placements sorted by region, then kind, row and column. */
export interface PlacementPlaces {
  readonly rows: Int32Array<ArrayBuffer>;
  readonly cols: Int32Array<ArrayBuffer>;
  /** Indices of `placements` in the world's spec. */
  readonly kinds: Uint8Array;
  readonly terrains: Uint8Array;
  /** As in `Placements`. */
  readonly sizes: Uint8Array;
  readonly facings: Uint8Array;
}

interface SectorPlacements extends PlacementPlaces {
  /** A line of JSON for each placement, without contents from the whole world's stock. It is empty without content. */
  readonly contents: () => Uint8Array;
}

export function readPlacements(job: OpenedJob, sector: Sector): SectorPlacements {
  const { store } = job;
  const name = partName.cells(sector);
  const part = partOf(job, name);
  const bytes = (section: string) => part.section(section) ?? failDamaged(store, name);
  const integers = (section: string) => {
    const found = bytes(section);
    return found.length % 4 === 0 ? new Int32Array(wordsIn(found).buffer) : failDamaged(store, name, ODD);
  };
  const [rows, cols] = [integers("rows"), integers("cols")];
  const [kinds, terrains] = [bytes("kinds"), bytes("terrains")];
  const traits = (section: TraitSection) =>
    hasTrait(job.spec, section) ? bytes(section) : new Uint8Array(rows.length).fill(NO_TRAIT);
  const [sizes, facings] = [traits("sizes"), traits("facings")];
  const cells = wholeSector(sector);
  const isSound = (kind: number, p: number) =>
    kind < job.spec.placements.length &&
    areTraits(job.spec.placements[kind], sizes[p], facings[p]) &&
    isTerrain(job.spec, terrains[p]) &&
    contains(cells, rows[p], cols[p]);
  const areEqual = [cols, kinds, terrains, sizes, facings].every(({ length }) => length === rows.length);
  if (!areEqual || !kinds.every(isSound)) failDamaged(store, name, ODD);
  return { rows, cols, kinds, terrains, sizes, facings, contents: () => bytes("contents") };
}

/** Yields the placements of one kind in one region (i, j), for each region and each kind in it: from `from` to `to`. */
export function* groupsOf({ rows, cols, kinds }: PlacementPlaces) {
  const regionOf = (coordinate: number) => Math.floor(coordinate / REGION_SIDE);
  for (let from = 0, to = 0; from < rows.length; from = to) {
    const [kind, i, j] = [kinds[from], regionOf(rows[from]), regionOf(cols[from])];
    while (to < rows.length && kinds[to] === kind && regionOf(rows[to]) === i && regionOf(cols[to]) === j) to++;
    yield { kind, i, j, from, to };
  }
}

/** Yields the sections that {@link readPlacements} reads. `contents` has a line of JSON for each placement. */
export function* placementSections(spec: WorldSpec, placements: Placements, contents: Uint8Array): Generator<Section> {
  const { rows, cols, kinds, terrains } = placements;
  yield { name: "rows", bytes: littleEndian(rows) };
  yield { name: "cols", bytes: littleEndian(cols) };
  yield { name: "kinds", bytes: kinds };
  for (const name of TRAIT_SECTIONS) if (hasTrait(spec, name)) yield { name, bytes: placements[name] };
  yield { name: "terrains", bytes: terrains };
  yield { name: "contents", bytes: contents };
}

/** The section with the terrain around the extent, for a later job. A part need not have it. */
export const RIM = "rim";

/** The sections of a part that exist only if some kind has sizes, or faces a direction. */
const TRAIT_SECTIONS = ["sizes", "facings"] as const;
type TraitSection = (typeof TRAIT_SECTIONS)[number];

function hasTrait({ placements }: WorldSpec, section: TraitSection): boolean {
  return placements.some(({ sizes, facing }) => (section === "sizes" ? sizes !== undefined : facing));
}

function areTraits({ sizes, facing: isFacing }: PlacementSpec, size: number, facing: number): boolean {
  const isSize = sizes === undefined ? size === NO_TRAIT : size < sizes.length;
  return isSize && (isFacing ? facing < DIRECTIONS.length : facing === NO_TRAIT);
}

/** Even with a correct checksum, placements can be invalid, because anybody can write a part. */
const ODD = "the part has placements that the job cannot make";

function isTerrain({ terrains }: WorldSpec, terrain: number): boolean {
  return terrain < terrains.length || terrain === NO_TERRAIN || (terrain === 0 && terrains.length === 0);
}

/** Whether the world has the terrains of all cells. A call, or a look into a table, for each cell takes twice as long. */
export function areTerrains({ terrains }: WorldSpec, cells: Uint8Array): boolean {
  const most = Math.max(1, terrains.length);
  let signs = 0;
  // NO_TERRAIN + 1 is 0 as a byte. A terrain that the world does not have makes the difference negative
  for (let i = 0; i < cells.length; i++) signs |= most - ((cells[i] + 1) & 0xff);
  return signs >= 0;
}

/** Fails for a content that the world cannot make. Anybody can write a part. */
export function failOddContent({ store }: OpenedJob): never {
  return failDamaged(store, "parts/cells", "a placement has a content that the world cannot make");
}

/** Yields the placements of each sector. `next` returns the content of the next placement: JSON, or "" without one. */
export function* placementsOf(job: OpenedJob, sectors: readonly Sector[]) {
  const { store, spec } = job;
  const areOrdered = spec.placements.map(isOrdered);
  const ordered = areOrdered.includes(true) ? partOf(job, partName.ordered) : undefined;
  for (const sector of sectors) {
    const placements = readPlacements(job, sector);
    const own = linesOf(placements.contents(), () => failDamaged(store, partName.cells(sector)));
    const section = ordered?.section(sectorName(sector)) ?? new Uint8Array();
    const drawn = linesOf(section, () => failDamaged(store, partName.ordered));
    let p = 0;
    const next = (): string => {
      const line = own();
      return areOrdered[placements.kinds[p++]] ? joined(line, drawn()) : line;
    };
    yield { ...placements, sector, next };
  }
}

/**
 * Adds the contents from stocks of the whole world, which only the ordered part has. If the kind has other contents
 * too, both texts are objects.
 */
function joined(own: string, drawn: string): string {
  return own === "" ? drawn : `${own.slice(0, -1)},${drawn.slice(1)}`;
}

/**
 * Yields the placements in a window, as batches of the columns `row`, `col`, `kind` and `content`, which is JSON or "".
 * The rows are in the order of `sectors`, and within a sector, in the order of `world.placements`. Yields at least one
 * batch, which may be empty. Memory: a batch, and the placements of one sector.
 */
export function* placementBatches(
  { job, sectors, window }: { job: OpenedJob; sectors: readonly Sector[]; window: CellRectangle },
  onSector = () => {},
): Generator<readonly Column[], void> {
  let batch = newBatch();
  for (const { rows, cols, kinds, sizes, facings, next } of placementsOf(job, sectors)) {
    for (let p = 0; p < rows.length; p++) {
      const content = next();
      if (!contains(window, rows[p], cols[p])) continue;
      batch.rows.push(rows[p]);
      batch.cols.push(cols[p]);
      batch.kinds.push(kinds[p]);
      batch.sizes.push(sizes[p]);
      batch.facings.push(facings[p]);
      batch.contents.push(content);
      batch.characters += content.length;
      if (batch.rows.length < BATCH_ROWS && batch.characters < BATCH_CHARACTERS) continue;
      yield columnsOf(job, batch);
      batch = newBatch();
    }
    onSector();
  }
  yield columnsOf(job, batch);
}

function newBatch() {
  const numbers = (): number[] => [];
  const traits = { kinds: numbers(), sizes: numbers(), facings: numbers() };
  return { rows: numbers(), cols: numbers(), ...traits, contents: [] as string[], characters: 0 };
}

function columnsOf({ spec }: OpenedJob, { rows, cols, contents, ...batch }: ReturnType<typeof newBatch>) {
  const [kinds, sizes, facings] = [batch.kinds, batch.sizes, batch.facings].map((list) => Uint8Array.from(list));
  const places = { rows: Int32Array.from(rows), cols: Int32Array.from(cols), kinds, sizes, facings };
  return placementColumns(places, spec.placements, contents);
}

/** Returns a function whose calls return the next line, or call `damaged` after the last line. */
function linesOf(bytes: Uint8Array, damaged: () => never): () => string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let from = 0;
  return () => {
    const to = text.indexOf(LINE_FEED, from);
    if (to < 0) damaged();
    const line = text.toString("utf8", from, to);
    from = to + 1;
    return line;
  };
}
