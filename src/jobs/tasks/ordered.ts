import { littleEndian } from "../../formats/bytes.js";
import { sha256 } from "../../sha256.js";
import { SECTOR_SIDE } from "../../walks/map/chunk.js";
import type { OrderedContents, RegionContents } from "../../worlds/contents.js";
import { contentText } from "../../worlds/digest.js";
import { REGION_SIDE } from "../../worlds/types.js";
import { partName, putPart, type Section, sectorName } from "../folder/part.js";
import { sectorsIn } from "../plan/phases.js";
import type { Sector } from "../types.js";
import type { TaskContext } from "./context.js";
import { readPlacements, type SectorPlacements } from "./placements.js";

/** The head of the part with the contents from stocks of the whole world. */
export interface OrderedMeta {
  /** Over all sectors, sorted by i, then j: i and j (as i32, little-endian), and then the bytes of the section. */
  readonly sha256: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly artifacts: readonly string[];
}

const REGIONS_ACROSS = SECTOR_SIDE / REGION_SIDE;

/**
 * Draws the contents from stocks of the whole world in one pass: by region (i, j), then by kind, row and column, as
 * section 5 of docs/determinism.md says. The part has a section for each sector, with a line of JSON for each such
 * content. Memory: the placements and the contents of one row of sectors.
 */
export function drawOrdered(context: TaskContext): void {
  const { world, job } = context;
  const contents = world.ordered();
  const counts = new Map(contents.kinds.map((kind) => [kind, 0]));
  const hash = sha256();
  putPart(context.job, partName.ordered, sections(), (): OrderedMeta => {
    const { placements } = job.plan.spec;
    const byName = Object.fromEntries([...counts].map(([kind, count]) => [placements[kind].name, count]));
    return { sha256: hash.hex(), counts: byName, artifacts: contents.artifacts };
  });

  function* sections(): Generator<Section, void> {
    const rows = new Map<number, Sector[]>();
    for (const sector of sectorsIn(context.tables.extent, "row")) {
      const row = rows.get(sector.i) ?? [];
      rows.set(sector.i, row);
      row.push(sector);
    }
    for (const row of rows.values()) {
      for (const { sector, drawn } of drawRow(context, row, contents)) {
        for (const [kind, count] of drawn.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
        const bytes = drawn.bytes();
        hash.update(littleEndian(Int32Array.of(sector.i, sector.j))).update(bytes);
        yield { name: sectorName(sector), bytes };
      }
    }
  }
}

/** Each row of regions crosses all these sectors, and is drawn before the next row of regions. */
function drawRow(context: TaskContext, row: readonly Sector[], contents: OrderedContents) {
  const all = row.map((sector) => ({ sector, drawn: newSectorContents(readPlacements(context.job, sector)) }));
  for (let r = 0; r < REGIONS_ACROSS; r++) {
    for (const { sector, drawn } of all) {
      context.signal?.throwIfAborted();
      drawn.draw(sector.i * REGIONS_ACROSS + r, contents);
    }
  }
  return all;
}

function newSectorContents({ rows, cols, kinds, terrains }: SectorPlacements) {
  const counts = new Map<number, number>();
  const drawn: RegionContents[] = [];
  let next = 0;
  const regionOf = (coordinate: number) => Math.floor(coordinate / REGION_SIDE);
  return {
    counts,
    /** Draws the contents of row i of regions. The rows of regions above must be drawn already. */
    draw(i: number, contents: OrderedContents): void {
      while (next < rows.length && regionOf(rows[next]) === i) {
        const from = next;
        const [kind, j] = [kinds[from], regionOf(cols[from])];
        let to = from + 1;
        while (to < rows.length && kinds[to] === kind && regionOf(cols[to]) === j && regionOf(rows[to]) === i) to++;
        next = to;
        if (!contents.kinds.includes(kind)) continue;
        drawn.push(contents.draw(kind, { i, j, terrains: terrains.subarray(from, to) }));
        counts.set(kind, (counts.get(kind) ?? 0) + to - from);
      }
    },
    bytes: () => Buffer.from(drawn.flatMap(linesOf).join("")),
  };
}

function linesOf(drawn: RegionContents): string[] {
  return Array.from({ length: drawn.length }, (_, k) => `${contentText(drawn.at(k))}\n`);
}
