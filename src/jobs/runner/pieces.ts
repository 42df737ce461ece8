// How threads divide the tasks of a phase among them.
import type { Sector } from "../types.js";

/**
 * Gives tasks to threads. A thread that begins a piece of the list must first walk the regions around this piece. So
 * each thread has one large piece. A thread whose piece is done takes the second half of the largest remaining piece.
 * So few pieces are small, and all threads end at about the same time.
 */
export function taskList(tasks: readonly number[], threads: number) {
  const pieces = piecesOf(tasks.length, threads);
  return {
    isEmpty: () => pieces.every(({ from, to }) => from === to),
    /** Returns undefined if no task remains. */
    next(thread: number): number | undefined {
      const own = pieces[thread];
      if (own.from === own.to) {
        const largest = pieces.reduce((most, piece) => (piece.to - piece.from > most.to - most.from ? piece : most));
        const middle = Math.floor((largest.from + largest.to) / 2);
        [own.from, own.to, largest.to] = [middle, largest.to, middle];
      }
      return own.from === own.to ? undefined : tasks[own.from++];
    },
  };
}

/** Divides a list among threads. Each piece is the places `from` … `to` − 1 of the list. */
export function piecesOf(length: number, threads: number): { from: number; to: number }[] {
  const endOf = (piece: number) => Math.ceil((piece * length) / threads);
  return Array.from({ length: threads }, (_, p) => ({ from: endOf(p), to: endOf(p + 1) }));
}

/**
 * Arranges sectors for threads that each begin with an equal piece of the list. The pieces are wedges around the
 * middle. So all threads begin near the middle, as with a concentric list, and a wedge borders few other regions.
 */
export function inWedges(list: readonly number[], threads: number, sectorOf: (k: number) => Sector): number[] {
  const placed = list.map((k, place) => ({ place, k, sector: sectorOf(k) }));
  const middle = (of: (sector: Sector) => number) =>
    placed.reduce((sum, { sector }) => sum + of(sector), 0) / placed.length;
  const [i, j] = [middle((sector) => sector.i), middle((sector) => sector.j)];
  const angle = ({ sector }: (typeof placed)[number]) => Math.atan2(sector.i - i, sector.j - j);
  const around = placed.sort((a, b) => angle(a) - angle(b) || a.place - b.place);
  return piecesOf(list.length, threads).flatMap(({ from, to }) =>
    around
      .slice(from, to)
      .sort((a, b) => a.place - b.place)
      .map(({ k }) => k),
  );
}
