import type { Progress } from "../../calls/index.js";
import type { Segment } from "../../instruments/search.js";
import { ThreadPool } from "../../threads/pool.js";
import { nodePort } from "../../threads/ports.js";
import { inSegments } from "../../threads/segments.js";
import type { Found } from "./searching.js";
import type { ThreadData } from "./searchThread.js";

export interface Split {
  readonly threads: number;
  /** Number of results, or of seeds, in a segment. */
  readonly size: number;
}

/**
 * Searches a range in threads. Finds the same as one thread: the first matches of the range, because the segments that
 * were searched begin at its start and have no gaps.
 */
export async function searchInThreads(
  data: ThreadData,
  { from, to, limit }: Segment,
  { threads, size, onProgress }: Split & { readonly onProgress: (progress: Progress) => void },
): Promise<Found> {
  const pool = new ThreadPool(threads, () => nodePort(new URL("./searchThread.js", import.meta.url)));
  pool.setUp(data);
  const parts: { readonly begin: number; readonly found: Found["found"] }[] = [];
  let matches = 0;
  const division = { name: "search", threads, from, total: to - from, first: size, least: size, most: size };
  try {
    await inSegments(division, { onProgress }, async ({ from: begin, count }) => {
      const { found } = await pool.run<Found>({ from: begin, to: begin + count, limit } satisfies Segment);
      parts.push({ begin, found });
      matches += found.length;
      // a later segment has only later matches
      return matches >= limit ? "stop" : 0;
    });
  } finally {
    await pool.close();
  }
  const found = parts.sort((a, b) => a.begin - b.begin).flatMap((part) => part.found);
  if (matches < limit) return { found, next: to };
  const last = found[limit - 1];
  // the command searches no list of seeds, so the seeds are integers
  return { found: found.slice(0, limit), next: Number(typeof last === "object" ? last.seed : last) + 1 };
}
