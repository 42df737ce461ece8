import type { Column } from "../../formats/index.js";
import type { CellRectangle } from "../../walks/map/openCells.js";
import { isOrdered } from "../../worlds/contents.js";
import { contains } from "../../worlds/costs.js";
import type { WorldSpec } from "../../worlds/index.js";
import { placementColumns } from "../../worlds/placements.js";
import { NO_TERRAIN } from "../../worlds/types.js";
import { failDamaged } from "../folder/checked.js";
import type { JobFiles } from "../folder/manifest.js";
import { wordsIn } from "../folder/numbers.js";
import { Part } from "../folder/part.js";
import type { JobStore } from "../folder/storeTypes.js";
import { cellsPart, ORDERED_PART, sectorName, wholeSector } from "../plan/phases.js";
import type { Sector } from "../types.js";
import type { TaskContext } from "./context.js";

// a batch is full when it has BATCH_ROWS rows, or when its contents have BATCH_CHARACTERS characters
const BATCH_ROWS = 2 ** 16;
const BATCH_CHARACTERS = 2 ** 24;
const LINE_FEED = 0x0a;

/** Where placements stand, sorted by region, then kind, row and column. */
export interface PlacementPlaces {
  readonly rows: Int32Array<ArrayBuffer>;
  readonly cols: Int32Array<ArrayBuffer>;
  /** The kind of each placement, as its index in the world. */
  readonly kinds: Uint8Array;
  /** The terrain of each placement, as its index in the world. */
  readonly terrains: Uint8Array;
}

/** The placements of a sector. */
export interface SectorPlacements extends PlacementPlaces {
  /**
   * Reads the contents: a line of JSON for each placement. The line is empty if the placement has no content, or if its
   * content comes from a stock of the whole world.
   */
  readonly contents: () => Uint8Array;
}

/**
 * Reads the placements of a sector.
 *
 * @throws RollmillError `job.damaged`.
 */
export function readPlacements(files: JobFiles, sector: Sector): SectorPlacements {
  const { job, store } = files;
  const name = cellsPart(sector);
  const part = Part.open(files, name) ?? failDamaged(store, name);
  const bytes = (section: string) => part.section(section) ?? failDamaged(store, name);
  const integers = (section: string) => {
    const found = bytes(section);
    return found.length % 4 === 0 ? new Int32Array(wordsIn(found).buffer) : failDamaged(store, name, { problem: ODD });
  };
  const [rows, cols] = [integers("rows"), integers("cols")];
  const [kinds, terrains] = [bytes("kinds"), bytes("terrains")];
  const cells = wholeSector(sector);
  const isSound = (kind: number, p: number) =>
    kind < job.spec.placements.length && isTerrain(job.spec, terrains[p]) && contains(cells, rows[p], cols[p]);
  const areEqual = [cols, kinds, terrains].every(({ length }) => length === rows.length);
  if (!areEqual || !kinds.every(isSound)) failDamaged(store, name, { problem: ODD });
  return { rows, cols, kinds, terrains, contents: () => bytes("contents") };
}

/** A correct checksum does not make placements valid: everybody can write a part. */
const ODD = "the part has placements that its job cannot make";

/** Whether a byte is the terrain of a cell. */
export function isTerrain({ terrains }: WorldSpec, terrain: number): boolean {
  return terrain < terrains.length || terrain === NO_TERRAIN || (terrain === 0 && terrains.length === 0);
}

/** Reads the contents of the placements of a job, including the contents from stocks of the whole world. */
export class PlacementContents {
  readonly #store: JobStore;
  /** For each kind of placement: whether its contents come from stocks of the whole world. */
  readonly #areOrdered: readonly boolean[];
  readonly #ordered: Part<unknown> | undefined;

  /** @throws RollmillError `job.damaged`. */
  constructor({ job, store }: Pick<TaskContext, "job" | "store">) {
    this.#store = store;
    this.#areOrdered = job.spec.placements.map(isOrdered);
    if (this.#areOrdered.includes(true)) {
      this.#ordered = Part.open({ job, store }, ORDERED_PART) ?? failDamaged(store, ORDERED_PART);
    }
  }

  /**
   * Returns a function for a sector. Call it for each placement in turn. It returns the placement's content: JSON, or
   * "" for no content.
   */
  of(sector: Sector, { kinds, contents }: SectorPlacements): () => string {
    const own = linesOf(contents(), () => failDamaged(this.#store, cellsPart(sector)));
    const drawn = linesOf(this.#ordered?.section(sectorName(sector)) ?? new Uint8Array(), () =>
      failDamaged(this.#store, ORDERED_PART),
    );
    let p = 0;
    return () => {
      // The part of the sector has a line for each placement. If the content of the placement comes from a stock of the
      // whole world, this line is empty, and the ordered part has the content.
      const line = own();
      return this.#areOrdered[kinds[p++]] ? drawn() : line;
    };
  }
}

/**
 * Yields the placements of a job in a window, as batches of columns for `parquetChunks` and `csvChunks`. The columns
 * are `row`, `col`, `kind` and `content`. A content is JSON, or "" if the placement has none. Contents from stocks of
 * the whole world are included. The placements are sorted by sector, in the order of `sectors`. Inside a sector they
 * have the order of `world.placements`. The phases `cells` and `ordered` must be finished. Yields at least one batch,
 * which may be empty. Calls `onSector` after each sector.
 *
 * Memory: a batch of at most 65,536 rows, and the placements of one sector.
 *
 * @throws RollmillError `job.damaged`.
 */
export function* placementBatches(
  { job, store, sectors, window }: PlacementSource,
  onSector: () => void = () => undefined,
): Generator<readonly Column[], void> {
  const names = job.spec.placements.map(({ name }) => name);
  const contents = new PlacementContents({ job, store });
  let batch = new Batch(names);
  for (const sector of sectors) {
    const placements = readPlacements({ job, store }, sector);
    const { rows, cols, kinds } = placements;
    const next = contents.of(sector, placements);
    for (let p = 0; p < rows.length; p++) {
      const content = next();
      if (!contains(window, rows[p], cols[p])) continue;
      batch.add({ row: rows[p], col: cols[p], kind: kinds[p], content });
      if (!batch.isFull) continue;
      yield batch.columns();
      batch = new Batch(names);
    }
    onSector();
  }
  yield batch.columns();
}

/** Some placements of a job: those that are in one of the sectors and in the window. */
interface PlacementSource extends Pick<TaskContext, "job" | "store"> {
  readonly sectors: readonly Sector[];
  readonly window: CellRectangle;
}

/** Collects placements for one batch of columns. */
class Batch {
  readonly #names: readonly string[];
  readonly #rows = new Int32Array(BATCH_ROWS);
  readonly #cols = new Int32Array(BATCH_ROWS);
  readonly #kinds = new Uint8Array(BATCH_ROWS);
  readonly #contents: string[] = [];
  #characters = 0;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  get isFull(): boolean {
    return this.#contents.length === BATCH_ROWS || this.#characters >= BATCH_CHARACTERS;
  }

  add({ row, col, kind, content }: Readonly<Record<"row" | "col" | "kind", number>> & { readonly content: string }) {
    const k = this.#contents.push(content) - 1;
    this.#rows[k] = row;
    this.#cols[k] = col;
    this.#kinds[k] = kind;
    this.#characters += content.length;
  }

  columns(): readonly Column[] {
    const { length } = this.#contents;
    const [rows, cols] = [this.#rows.subarray(0, length), this.#cols.subarray(0, length)];
    const kinds = this.#kinds.subarray(0, length);
    return placementColumns({ rows, cols, kinds, names: this.#names }, this.#contents);
  }
}

/** Returns a reader: each call of the reader returns the next line. After the last line, the reader calls `damaged`. */
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
