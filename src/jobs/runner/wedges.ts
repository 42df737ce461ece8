import type { Sector } from "../types.js";

/**
 * Arranges sectors for threads that each begin with an equal piece of the list. The pieces are wedges around the
 * middle, so all threads begin where a concentric list begins, and each makes sectors that are near one another. To
 * make a sector, a thread walks the regions around it; a compact piece has few regions around it.
 */
export function inWedges(
  list: readonly number[],
  { threads, sectorOf }: { readonly threads: number; readonly sectorOf: (k: number) => Sector },
): number[] {
  const placed = list.map((k, place) => ({ place, k, sector: sectorOf(k) }));
  const middle = (of: (sector: Sector) => number) =>
    placed.reduce((sum, { sector }) => sum + of(sector), 0) / placed.length;
  const [i, j] = [middle((sector) => sector.i), middle((sector) => sector.j)];
  const angle = ({ sector }: (typeof placed)[number]) => Math.atan2(sector.i - i, sector.j - j);
  const around = placed.sort((a, b) => angle(a) - angle(b) || a.place - b.place);
  const ends = Array.from({ length: threads }, (_, p) => Math.ceil(((p + 1) * list.length) / threads));
  return ends.flatMap((end, p) =>
    around
      .slice(p === 0 ? 0 : ends[p - 1], end)
      .sort((a, b) => a.place - b.place)
      .map(({ k }) => k),
  );
}
