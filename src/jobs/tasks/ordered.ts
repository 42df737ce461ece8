import { littleEndian } from "../../formats/bytes.js";
import { sha256 } from "../../sha256.js";
import type { RegionContents } from "../../worlds/contents.js";
import { contentText } from "../../worlds/digest.js";
import { partName, putPart, type Section } from "../folder/part.js";
import { sectorsIn } from "../plan/phases.js";
import { sectorName } from "../plan/sectors.js";
import type { Sector } from "../types.js";
import type { TaskContext } from "./context.js";
import { groupsOf, readPlacements } from "./placements.js";

/** The head of the part with the contents from stocks of the whole world. */
export interface OrderedMeta {
  /** SHA-256 of all sectors, sorted by i, then j: for each, i and j (i32, little-endian) and its section's bytes. */
  readonly sha256: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly artifacts: readonly string[];
}

/**
 * Draws the contents from stocks of the whole world in one pass, sorted by region (i, j), then by kind, row and column
 * (docs/determinism.md, section 5). The part has a section for each sector, with a line of JSON for each content that
 * was drawn there. Memory: the placements and the contents of one row of sectors.
 */
export function drawOrdered(context: TaskContext): void {
  const { world, job, signal } = context;
  const contents = world.ordered();
  const counts = new Map(contents.kinds.map((kind) => [kind, 0]));
  const hash = sha256();
  putPart(job, partName.ordered, sections(), (): OrderedMeta => {
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
      for (const { sector, drawn } of drawRow(row)) {
        const bytes = Buffer.from(drawn.flatMap(linesOf).join(""));
        hash.update(littleEndian(Int32Array.of(sector.i, sector.j))).update(bytes);
        yield { name: sectorName(sector), bytes };
      }
    }
  }

  /** Draws the contents of a row of sectors, one row of regions at a time. A row of regions crosses all sectors. */
  function drawRow(row: readonly Sector[]) {
    const all = row.map((sector) => ({ sector, drawn: [] as RegionContents[] }));
    const groups = all.flatMap(({ sector, drawn }) => {
      const placements = readPlacements(job, sector);
      return Array.from(groupsOf(placements), ({ from, to, ...group }) => {
        return { ...group, terrains: placements.terrains.subarray(from, to), drawn };
      });
    });
    // the sort is stable, so the kinds of a region stay in their order
    for (const { kind, i, j, terrains, drawn } of groups.sort((a, b) => a.i - b.i || a.j - b.j)) {
      signal?.throwIfAborted();
      const count = counts.get(kind);
      if (count === undefined) continue;
      drawn.push(contents.draw(kind, { i, j, terrains }));
      counts.set(kind, count + terrains.length);
    }
    return all;
  }
}

function linesOf(drawn: RegionContents): string[] {
  return Array.from({ length: drawn.length }, (_, k) => `${contentText(drawn.at(k))}\n`);
}
