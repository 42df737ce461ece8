import type { Progress } from "../../calls/index.js";
import type { Segment } from "../../instruments/search.js";
import { ThreadPool } from "../../threads/pool.js";
import { nodePort } from "../../threads/ports.js";
import type { Found } from "./searching.js";
import type { ThreadData } from "./searchThread.js";

export interface Split {
  readonly threads: number;
  /** Number of results, or of seeds, in a segment. */
  readonly size: number;
}

/**
 * Searches a range in threads. Finds the same as one thread: the first matches of the range, because the threads search
 * the segments from its beginning on, without gaps.
 */
export async function searchInThreads(
  data: ThreadData,
  { from, to, limit }: Segment,
  { threads, size, onProgress }: Split & { readonly onProgress: (progress: Progress) => void },
): Promise<Found> {
  const answers: (Found | undefined)[] = [];
  let [next, done] = [from, 0];
  const isEnough = () => {
    const end = answers.indexOf(undefined);
    const found = answers.slice(0, end < 0 ? undefined : end).reduce((sum, one) => sum + (one?.found.length ?? 0), 0);
    return found >= limit;
  };
  await inThreads(data, threads, () => {
    if (next >= to || isEnough()) return undefined;
    const [segment, place] = [{ from: next, to: Math.min(to, next + size), limit }, answers.length];
    answers.push(undefined);
    next = segment.to;
    const take = (answer: Found) => {
      answers[place] = answer;
      done += segment.to - segment.from;
      onProgress({ done, total: to - from });
    };
    return { segment, take };
  });
  return joined(answers as readonly Found[], { from, to, limit });
}

/** Joins the answers of segments in order, up to the limit. */
function joined(answers: readonly Found[], { to, limit }: Segment): Found {
  const found: Found["found"][number][] = [];
  for (const answer of answers) {
    const left = limit - found.length;
    if (answer.found.length < left) found.push(...answer.found);
    else {
      const own = answer.found.slice(0, left);
      const last = own[left - 1];
      // the command searches no list of seeds, so the seeds are integers
      return { found: [...found, ...own], next: Number(typeof last === "object" ? last.seed : last) + 1 };
    }
  }
  return { found, next: to };
}

/** Gives segments to threads until all are searched. Ends all threads at the first error. */
async function inThreads(
  data: ThreadData,
  threads: number,
  begin: () => { readonly segment: Segment; readonly take: (found: Found) => void } | undefined,
): Promise<void> {
  const pool = new ThreadPool(threads, () => nodePort(new URL("./searchThread.js", import.meta.url)));
  pool.setUp(data);
  const run = async () => {
    for (let task = begin(); task !== undefined; task = begin()) task.take(await pool.run<Found>(task.segment));
  };
  try {
    await Promise.all(Array.from({ length: threads }, run));
  } finally {
    await pool.close();
  }
}
