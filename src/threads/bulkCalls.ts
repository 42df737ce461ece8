import { Addressed, type BulkOptions, type Counts, type Guarded, type LongCall } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { readOptions } from "../spec/index.js";
import { DropRolls } from "../tables/index.js";
import {
  bytesPerResult,
  CountSums,
  copyResults,
  joinDrops,
  type NumberArray,
  type PackedCounts,
  type PackedResults,
  putResults,
  type Results,
  roomFor,
} from "./columns.js";
import type { ThreadPool } from "./pool.js";
import { type Division, inSegments } from "./segments.js";
import type { CountTask, NounPlace, ResultsTask, ThreadTask } from "./worker.js";

/** Number of results of a task: of the first ones, and the least. A task of so many picks takes less than a millisecond. */
const [FIRST_RESULTS, LEAST_RESULTS] = [2 ** 18, 2 ** 16];
/** Greatest number of bytes that a task makes. While the calling thread copies them, a page draws no frame. */
const MOST_BYTES = 2 ** 22;
/** A count has this many results for each result that it lists, so that adding up counts takes little time. */
const RESULTS_PER_LISTED = 16;

/** Where the calls of a noun run. */
export interface CallPlace {
  readonly pool: ThreadPool;
  readonly noun: Guarded<unknown>;
  readonly place: NounPlace;
}

/** What a task made, and its duration in milliseconds. */
interface Timed<Made> {
  readonly made: Made;
  readonly ms: number;
}

export function runTask<Made>(
  pool: ThreadPool,
  task: ThreadTask,
  transfer: readonly ArrayBuffer[] = [],
): Promise<Timed<Made>> {
  return pool.run<Timed<Made>>(task, transfer);
}

/** `noun.pickMany(n, options)` and its like, in threads. */
export async function many(on: CallPlace, method: string, n: number, given: BulkOptions = {}): Promise<Results> {
  return reserved(on, { method, first: n, total: () => n }, given, (division, call, options) => {
    return makeAll(on, { method, division }, call, options);
  });
}

/** `noun.pickInto(out, options)` and its like, in threads. Writes to an array in shared memory without a copy. */
export async function into(on: CallPlace, method: string, out: Results, given: BulkOptions = {}): Promise<Results> {
  const makeMethod = method === "wordsInto" ? "words" : method.replace("Into", "Many");
  const target = { method, first: out, total: () => out.length };
  return reserved(on, target, given, async (division, call, options) => {
    if (ArrayBuffer.isView(out) && !(out.buffer instanceof ArrayBuffer)) {
      await inSegments(division, call, async ({ from, count, done }) => {
        const part = out.subarray(done, done + count);
        return (await runTask(on.pool, resultsTask(on, method, count, { ...options, from }, part))).ms;
      });
      return out;
    }
    const made = await makeAll(on, { method: makeMethod, division }, call, options);
    // a callback may have transferred the array meanwhile
    check((signal) => callsOf(on.noun)[method](out, { ...options, from: division.from, signal }));
    return copyResults(out, made);
  });
}

/** `noun.count(n, options)` in threads. */
export async function count(on: CallPlace, n: number, given: BulkOptions = {}): Promise<Counts<unknown>> {
  return reserved(on, { method: "count", first: n, total: () => n }, given, async (division, call, options) => {
    const sums = new CountSums(callsOf(on.noun).count(0, { ...options, from: division.from }) as Counts<unknown>);
    const least = Math.max(division.least, RESULTS_PER_LISTED * sums.size);
    await inSegments({ ...division, least }, call, async ({ from, count }, stopFlag) => {
      const task: CountTask = {
        kind: "count",
        noun: on.place,
        count,
        options: { ...options, from },
        areListed: sums.areListed,
        stopFlag,
      };
      const { made, ms } = await runTask<PackedCounts>(on.pool, task);
      sums.add(made);
      return ms;
    });
    return sums.counts(n);
  });
}

async function makeAll(
  on: CallPlace,
  { method, division }: { readonly method: string; readonly division: Division },
  call: BulkOptions,
  options: object,
): Promise<Results> {
  const { from, total } = division;
  const empty = callsOf(on.noun)[method](0, { ...options, from }) as Results;
  const isDrops = empty instanceof DropRolls;
  const room = isDrops ? empty : roomFor(empty, { from, total, plan: on.noun.plan });
  const parts: { readonly done: number; readonly part: PackedResults }[] = [];
  const most = Math.ceil(MOST_BYTES / bytesPerResult(room));
  await inSegments({ ...division, most }, call, async (segment) => {
    const task = resultsTask(on, method, segment.count, { ...options, from: segment.from });
    const { made, ms } = await runTask<PackedResults>(on.pool, task);
    if (isDrops) parts.push({ done: segment.done, part: made });
    else putResults(room, made, segment.done);
    return ms;
  });
  if (!isDrops) return room;
  const inOrder = parts.sort((a, b) => a.done - b.done).map(({ part }) => part);
  return joinDrops(empty, inOrder, from);
}

function resultsTask(
  { place }: CallPlace,
  method: string,
  count: number,
  options: object,
  out?: NumberArray,
): ResultsTask {
  return { kind: "results", noun: place, method, count, options, ...(out && { out }) };
}

interface Target {
  readonly method: string;
  /** The first argument of the method. */
  readonly first: unknown;
  readonly total: () => number;
}

/** Checks a call as its noun does, and runs it. `next` advances at once, so that other calls make other results. */
async function reserved<T>(
  { noun, pool }: CallPlace,
  { method, first, total: totalOf }: Target,
  given: BulkOptions,
  run: (division: Division, call: LongCall, options: object) => Promise<T>,
): Promise<T> {
  const {
    from = noun instanceof Addressed ? noun.next : 0,
    signal,
    onProgress,
    ...options
  } = plainOptions(given, () => callsOf(noun)[method](first, given));
  check((aborted) => callsOf(noun)[method](first, { ...options, from, signal: aborted }));
  readOptions(method, { signal, onProgress }, ["signal", "onProgress"]);
  checkSendable(method, options);
  const total = totalOf();
  const advances = given.from === undefined && noun instanceof Addressed;
  if (advances) noun.next = from + total;
  const { name } = noun;
  const sizes = { first: FIRST_RESULTS, least: LEAST_RESULTS, most: Number.POSITIVE_INFINITY };
  try {
    return await run({ name, threads: pool.size, from, total, ...sizes }, { signal, onProgress }, options);
  } catch (cause) {
    if (advances && noun.next === from + total) noun.next = from;
    throw cause;
  }
}

/** Returns options that can be spread. Anything else is left to `refuse`, the noun's own call, which throws. */
export function plainOptions<Options>(given: Options, refuse: () => unknown): Options {
  if (Object.prototype.toString.call(given) !== "[object Object]") refuse();
  return given;
}

type Methods = Readonly<Record<string, (first: unknown, options: BulkOptions) => unknown>>;

function callsOf(noun: Guarded<unknown>): Methods {
  // the cast is safe: callers only name methods that the noun has
  return noun as unknown as Methods;
}

const CHECKED = new Error("the call is valid");
const STOP = AbortSignal.abort(CHECKED);

/** Throws what a call throws before its first result: a noun looks at the signal only after its checks. */
export function check(call: (signal: AbortSignal) => unknown): void {
  try {
    call(STOP);
  } catch (cause) {
    if (cause !== CHECKED) throw cause;
  }
}

/** Throws RollmillError `argument.option` for an option that cannot be sent to a thread, such as a function. */
export function checkSendable(call: string, options: object): void {
  for (const [key, value] of Object.entries(options)) {
    try {
      structuredClone(value);
    } catch (cause) {
      const problem = `the option ${JSON.stringify(key)} of ${call} cannot be sent to a thread`;
      const remedy = "Leave it out, or make this call without threads";
      fail(error("argument.option", { problem, got: value, expected: "plain data without functions", remedy }), cause);
    }
  }
}
