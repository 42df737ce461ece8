import type { ForkId } from "../address.js";
import { Guarded, type Noun } from "../calls/index.js";
import { MILL_OPTIONS, type MillParts, millParts, type Opened } from "../core/mill.js";
import { error, type Finding, fail } from "../errors/index.js";
import { embeddedKernel } from "../kernel/embedded.js";
import { compiledKernel, isKernelCompiled, loadKernel } from "../kernel/index.js";
import { Mill, type MillOptions } from "../mill.js";
import { checkInteger, MAX_THREADS, readOptions, refuseArgument } from "../spec/index.js";
import { Drops, Table } from "../tables/index.js";
import { isOneShot } from "../tables/scripts.js";
import { type CallPlace, checkSendable, count, into, many } from "./bulkCalls.js";
import { runLayer, runWalk, worldWindow } from "./mapCalls.js";
import { ThreadPool } from "./pool.js";
import { startWorker } from "./ports.js";
import { SYSTEMS } from "./systems.js";
import type { MillTask, OpenTask } from "./worker.js";

/** Options of {@link openThreads}. */
export interface ThreadsOptions extends MillOptions {
  /** Number of threads, 1 … 1024, which changes no result. Default: one for each core. */
  readonly threads?: number | undefined;
}

/** The names of the long calls. */
export type InThreadsName =
  | "pickMany"
  | "pickInto"
  | "rollMany"
  | "rollInto"
  | "drawMany"
  | "drawInto"
  | "makeMany"
  | "makeInto"
  | "words"
  | "wordsInto"
  | "count"
  | "run"
  | "runLayer"
  | "window";

/**
 * The long calls of a noun, each in all threads: they have the names, the arguments and the results of the noun's own
 * calls, and return promises.
 */
export type InThreads<N> = {
  readonly [Name in keyof N & InThreadsName]: N[Name] extends (...given: infer Given) => infer Made
    ? (...given: Given) => Promise<Made>
    : never;
};

/**
 * Creates a mill with threads, and waits until they have started. The mill and its nouns work as those of `createMill`.
 * {@link ThreadedMill.inThreads} makes many results, counts and walks on all cores, byte for byte the same.
 *
 * Cost: each thread takes some 50 ms to start, and has memory of its own: `maxMemory` holds for each.
 *
 * @example
 * const mill = await openThreads({ seed: "moria" });
 * const loot = mill.weighted("loot", { gold: 70, gem: 25, crown: 5 });
 * const { counts } = await mill.inThreads(loot).count(1e9);
 *
 * @throws RollmillError `argument.range` for the number of threads; `thread.failed` if a thread cannot start; the errors
 * of `createMillAsync`.
 */
export async function openThreads(given: ThreadsOptions): Promise<ThreadedMill> {
  const { threads = coreCount(), ...options } = readOptions("openThreads", given, [...MILL_OPTIONS, "threads"]);
  checkInteger("threads", threads, 1, MAX_THREADS);
  const parts = millParts(options);
  if (!isKernelCompiled()) await loadKernel(embeddedKernel());
  const pool = new ThreadPool(threads, startWorker);
  try {
    await pool.ready();
  } catch (cause) {
    await pool.close();
    throw cause;
  }
  const mill = new ThreadedMill(parts, { pool, openings: new WeakMap(), count: 0 });
  const { maxMemory } = options;
  pool.setUp({ kind: "mill", kernel: compiledKernel(), seed: mill.seed, now: mill.now, maxMemory } satisfies MillTask);
  return mill;
}

function coreCount(): number {
  const os = globalThis.process?.getBuiltinModule?.("node:os");
  return Math.min(MAX_THREADS, os?.availableParallelism() ?? navigator.hardwareConcurrency);
}

/** A mill whose nouns can work in threads. {@link openThreads} creates it. */
export class ThreadedMill extends Mill {
  readonly #shared: Shared;

  /** @internal */
  constructor(parts: MillParts, shared: Shared) {
    super(parts);
    this.#shared = shared;
  }

  /** Number of threads. */
  get threads(): number {
    return this.#shared.pool.size;
  }

  /**
   * Returns the long calls of a noun that this mill opened, or of a fork of it. They make the results of the noun's own
   * calls, byte for byte, on all cores; progress, signals and errors are theirs too. Calls can run at the same time. A
   * call without `from` advances `next` when it begins, and sets it back if it fails.
   *
   * `pickInto` and its like write directly into an array in shared memory. If such a call fails, a part of the array may
   * be overwritten; other arrays stay unchanged.
   *
   * @throws RollmillError `argument.type` for a noun that another mill opened, or whose results depend on earlier ones:
   * pools, objects, lists with pity or without repeats, and tables with one-shots. `argument.option` for a noun with
   * options that are functions. The promises are rejected with the errors of the noun's own call; `thread.failed` if a
   * thread dies; `argument.disposed` after {@link close}.
   */
  inThreads<N extends Noun>(noun: N): InThreads<N> {
    const on = this.#placeOf(noun);
    const calls = Object.entries(CALLS).filter(([name]) => name in noun);
    // the cast is safe: the calls have the names that the type has
    return Object.fromEntries(
      calls.map(([name, call]) => [name, (first: never, options: never) => call(on, first, options, name)]),
    ) as InThreads<N>;
  }

  /** Returns a child mill, as `fork` of {@link Mill} does. It uses the same threads. */
  override fork(id: ForkId): ThreadedMill {
    return new ThreadedMill(this.forkParts(id), this.#shared);
  }

  /** Ends the threads, and disposes of the mill and its forks. Running calls fail with `argument.disposed`. */
  async close(): Promise<void> {
    super.dispose();
    await this.#shared.pool.close();
  }

  /** Calls {@link close}, and does not wait until the threads have ended. */
  override dispose(): void {
    void this.close();
  }

  /** Calls {@link close} at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #placeOf(noun: Noun): CallPlace {
    if (!(noun instanceof Guarded)) return refuseNoun({ problem: "threads cannot make these results", got: noun });
    const opened = this.openedAs(noun.name);
    if (opened === undefined || !isForkOf(opened.noun as Guarded<unknown>, noun)) {
      return refuseArgument("noun", noun.name, "a noun that this mill opened, or a fork of it");
    }
    const { pool, openings } = this.#shared;
    const opening = openings.get(opened) ?? this.#open(opened, noun);
    openings.set(opened, opening);
    return { pool, noun, place: { opening, forks: noun.stream.ids } };
  }

  #open({ system, spec, options }: Opened, noun: Guarded<unknown>): number {
    const { name } = noun;
    if (!SYSTEMS.includes(system) || hasOneShots(noun)) {
      const results = `the results of ${JSON.stringify(name)}`;
      refuseNoun({ problem: `threads cannot make ${results}, because they depend on earlier results` });
    }
    // the spec has what these options give
    const { file: _, files: __, ...sent } = options as Readonly<Record<string, unknown>>;
    checkSendable(JSON.stringify(name), sent);
    const opening = this.#shared.count++;
    const task: OpenTask = {
      kind: "open",
      opening,
      forks: this.forkIds,
      system: SYSTEMS.indexOf(system),
      noun: system.noun,
      name,
      spec,
      options: sent,
    };
    this.#shared.pool.setUp(task);
    return opening;
  }
}

function refuseNoun(finding: Finding): never {
  const expected = "a list, table, dice, sampler, drops, recipe, walk, world or stream without state";
  return fail(error("argument.type", { expected, remedy: "Make this call without threads", ...finding }));
}

/** What a mill and its forks share. */
interface Shared {
  readonly pool: ThreadPool;
  /** The number of each noun that the threads know. */
  readonly openings: WeakMap<Opened, number>;
  count: number;
}

/** Whether a noun is a fork of another one, or the same noun. */
function isForkOf(opened: Guarded<unknown>, noun: Guarded<unknown>): boolean {
  const own = noun.stream.ids.reduce((parent, id) => parent.fork(id), opened);
  const [one, other] = [own.stream.key, noun.stream.key];
  return own.plan === noun.plan && one.k0 === other.k0 && one.k1 === other.k1;
}

function hasOneShots(noun: Guarded<unknown>): boolean {
  const table = noun instanceof Table ? noun.plan : noun instanceof Drops ? noun.plan.table : undefined;
  return table?.scriptIds.some(isOneShot) === true;
}

type Call = (on: CallPlace, first: never, options: never, method: string) => Promise<unknown>;

const makes: Call = (on, n, options, method) => many(on, method, n, options);
const fills: Call = (on, out, options, method) => into(on, method, out, options);

/** The calls that {@link InThreads} has, by name. */
const CALLS: Readonly<Record<InThreadsName, Call>> = {
  pickMany: makes,
  pickInto: fills,
  rollMany: makes,
  rollInto: fills,
  drawMany: makes,
  drawInto: fills,
  makeMany: makes,
  makeInto: fills,
  words: makes,
  wordsInto: fills,
  count,
  run: (on, options) => runWalk(on, options),
  runLayer: (on, options) => runLayer(on, options),
  window: (on, cells, options) => worldWindow(on, cells, options),
};
