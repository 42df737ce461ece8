import { type ForkId, plainId, type Seed } from "../address.js";
import { allocateResults, checkRange } from "../calls/index.js";
import { didYouMean, error, fail } from "../errors/index.js";
import { PLAN_STATUS, type PlanKernel } from "../kernel/plans.js";
import { checkText, readOptions, refuseArgument, seedText } from "../spec/index.js";
import { loadPlan } from "./read.js";
import type { PlanEntry, PlanKind } from "./types.js";

/** The kinds of {@link PlannedNoun}. Walks and worlds have hosts in C, C++ and Python only. */
const MADE: readonly PlanKind[] = ["list", "table", "dice", "sampler", "drops", "recipe", "objects"];
/** The kinds whose numbers can be negative. */
const SIGNED: readonly PlanKind[] = ["dice", "recipe", "objects"];

/** Options of {@link openPlan}. */
export interface OpenPlanOptions {
  /** The seed of all random words. A number or a bigint is used as its decimal text. */
  readonly seed: Seed;
  /** The name of the file, for messages. */
  readonly file?: string | undefined;
}

/**
 * Opens a plan file, which `bake` or `rollmill bake` has written. The results are those of the library with the same
 * seed. A program that only opens plan files has no parser, no compiler and no odds in its bundle.
 *
 * @throws RollmillError what {@link readPlan} throws; `argument.type` for a seed of another type.
 */
export async function openPlan(bytes: Uint8Array, options: OpenPlanOptions): Promise<Plan> {
  const { seed, file } = readOptions("openPlan", options, ["seed", "file"]);
  const text = seedText(seed);
  const { kernel, entries } = await loadPlan(bytes, file);
  return new Plan(kernel, entries, text);
}

/** An open plan file. {@link openPlan} makes it. */
export class Plan {
  /** What the file says about its nouns, in its order. */
  readonly entries: readonly PlanEntry[];
  readonly #kernel: PlanKernel;
  readonly #key: bigint;

  /** @internal */
  constructor(kernel: PlanKernel, entries: readonly PlanEntry[], seed: string) {
    this.#kernel = kernel;
    this.entries = entries;
    this.#key = kernel.keyOf(seed, (at, bytes) => kernel.exports.seedKey(at, bytes));
  }

  /**
   * Returns a list, a table, dice, a sampler, drops, a recipe or an object maker, by its name.
   *
   * @throws RollmillError `argument.range` if the plan has no such noun.
   */
  noun(name: string): PlannedNoun {
    const number = this.#find(name, MADE);
    return new PlannedNoun(this.#kernel, number, this.entries[number], this.#keyOf(name));
  }

  /**
   * Returns a family of pools, by its name.
   *
   * @throws RollmillError `argument.range` if the plan has no such family.
   */
  pools(name: string): PlannedPools {
    const number = this.#find(name, ["pools"]);
    return new PlannedPools(this.#kernel, number, this.entries[number], this.#keyOf(name));
  }

  /** Returns the state: the stock of all families of pools, the indices of their next draws, and the artifacts made. */
  save(): Uint8Array<ArrayBuffer> {
    return this.#kernel.save();
  }

  /**
   * Puts a state back, which {@link save} or a host in another language has returned for this plan file, byte for byte.
   *
   * @throws RollmillError `snapshot.invalid` for any other bytes; then nothing has changed. `argument.type`.
   */
  load(state: Uint8Array): void {
    if (!(state instanceof Uint8Array)) refuseArgument("state", state, "the bytes of a state, a Uint8Array");
    const status = this.#kernel.restore(state);
    if (status === PLAN_STATUS.OK) return;
    const problem = status === PLAN_STATUS.OTHER_PLAN ? "the state belongs to another plan file" : "damaged state";
    const expected = "bytes that save() returned for the same plan file";
    fail(error("snapshot.invalid", { problem, got: `${state.length} bytes`, expected }));
  }

  #keyOf(name: string): bigint {
    const { exports } = this.#kernel;
    return this.#kernel.keyOf(name, (at, bytes) => exports.nameKey(this.#key, at, bytes));
  }

  #find(name: string, kinds: readonly PlanKind[]): number {
    checkText("name", name);
    const number = this.entries.findIndex((entry) => entry.name === name && kinds.includes(entry.kind));
    if (number >= 0) return number;
    const names = this.entries.filter(({ kind }) => kinds.includes(kind)).map((entry) => entry.name);
    const problem = `the plan has no ${kinds.join(", ")} of this name`;
    return fail(error("argument.range", { problem, got: name, ...didYouMean(name, names) }));
  }
}

/**
 * A noun of a plan file other than pools, walks and worlds. Results are numbers; {@link label} says what those of lists,
 * tables, samplers and drops stand for, and {@link labels} what those of recipes and objects do.
 */
export class PlannedNoun {
  readonly kind: PlanKind;
  readonly name: string;
  /** What the numbers stand for, as the file has it (docs/formats/plans.md). */
  readonly labels: unknown;
  /** The numbers of each result. */
  readonly width: number;
  readonly hasQuantities: boolean;
  readonly #kernel: PlanKernel;
  readonly #number: number;
  readonly #entry: PlanEntry;
  readonly #key: bigint;
  readonly #texts: readonly unknown[] | undefined;

  /** @internal */
  constructor(kernel: PlanKernel, number: number, entry: PlanEntry, key: bigint) {
    this.#kernel = kernel;
    this.#number = number;
    this.#entry = entry;
    this.#key = key;
    this.kind = entry.kind;
    this.name = entry.name;
    this.labels = entry.labels;
    this.width = kernel.exports.resultWidth(number) >>> 0;
    this.hasQuantities = kernel.exports.hasQuantities(number) !== 0;
    const { labels, results, items } = Object(entry.labels);
    const texts: unknown = labels ?? results ?? items;
    this.#texts = Array.isArray(texts) ? texts : undefined;
  }

  /**
   * Returns the same noun with other random words, such as for a player: `fork(id)` of the library.
   *
   * @throws RollmillError `argument.type`, `argument.range` for an invalid id.
   */
  fork(id: ForkId): PlannedNoun {
    const { exports } = this.#kernel;
    const plain = plainId(id);
    const key =
      typeof plain === "string"
        ? this.#kernel.keyOf(plain, (at, bytes) => exports.forkText(this.#key, at, bytes))
        : Array.isArray(plain)
          ? exports.forkPair(this.#key, plain[0], plain[1])
          : exports.forkInteger(this.#key, BigInt(id as number | bigint));
    return new PlannedNoun(this.#kernel, this.#number, this.#entry, key);
  }

  /** Returns the number of result `index`; of a sample, the first item. Throws what {@link many} throws. */
  one(index: number): number {
    return this.many(1, { from: index })[0];
  }

  /**
   * Makes the results `from` … `from` + `count` − 1, each of {@link width} numbers: indices of labels, sums of dice, or the
   * numbers of items and objects (docs/formats/plans.md).
   *
   * @param options - `from`: the index of the first result, 0 … 2^42 − 1. Default 0.
   * @throws RollmillError `argument.range`, `argument.type`, `argument.option`; `table.hops` if a roll visits more rows
   * than the table allows; `kernel.memory`.
   */
  many(count: number, options: { readonly from?: number | undefined } = {}): Uint32Array | Int32Array {
    const { from = 0 } = readOptions("many", options, ["from"]);
    return this.#make(count, from, false).results;
  }

  /**
   * Makes results and a quantity for each of their numbers.
   *
   * @throws RollmillError what {@link many} throws; `argument.range` if the noun has no quantities.
   */
  manyWithQuantities(
    count: number,
    options: { readonly from?: number | undefined } = {},
  ): { readonly results: Uint32Array | Int32Array; readonly quantities: Int32Array } {
    const { from = 0 } = readOptions("manyWithQuantities", options, ["from"]);
    if (!this.hasQuantities) fail(error("argument.range", { problem: `${this.name} has no quantities` }));
    return this.#make(count, from, true);
  }

  /** Returns the result of a number: its label, null for nothing, or the number itself if the noun has no labels. */
  label(number: number): unknown {
    return this.#texts === undefined ? number : (this.#texts[number] ?? null);
  }

  #make(count: number, from: number, withQuantities: boolean) {
    checkRange(from, count);
    const Numbers = SIGNED.includes(this.kind) ? Int32Array : Uint32Array;
    const made = allocateResults(count, 8 * this.width, (n) => ({
      results: new Numbers(n * this.width),
      quantities: new Int32Array(withQuantities ? n * this.width : 0),
    }));
    const status = this.#kernel.make(
      this.#number,
      this.#key,
      from,
      made.results,
      withQuantities ? made.quantities : undefined,
    );
    if (status === PLAN_STATUS.OK) return made;
    const problem = `a roll of ${this.name} visits more rows than the table allows`;
    return fail(error("table.hops", { problem, remedy: "Check the jumps of the table" }));
  }
}

/** A list of the file. Anything else is a list without entries. */
function objectsOf(list: unknown): object[] {
  return Array.isArray(list) ? list.map(Object) : [];
}

/**
 * A family of pools of a plan file. It has one stock and one index of the next draw. For another stock, such as that of
 * another player, open the plan again.
 */
export class PlannedPools {
  readonly kind = "pools";
  readonly name: string;
  /** The roots and the pools, as the file has them (docs/formats/plans.md). */
  readonly labels: unknown;
  readonly #kernel: PlanKernel;
  readonly #number: number;
  readonly #key: bigint;
  readonly #pools: readonly { readonly path?: unknown; readonly root?: unknown }[];
  readonly #roots: readonly { readonly ids?: readonly unknown[] }[];

  /** @internal */
  constructor(kernel: PlanKernel, number: number, entry: PlanEntry, key: bigint) {
    this.#kernel = kernel;
    this.#number = number;
    this.#key = key;
    this.name = entry.name;
    this.labels = entry.labels;
    const { pools, roots } = Object(entry.labels);
    this.#pools = objectsOf(pools);
    this.#roots = objectsOf(roots);
  }

  /**
   * Draws records from a pool. Returns their numbers; fewer than `count` if the pool has nothing left.
   *
   * @param path - the path of the pool, such as "i.common"
   * @throws RollmillError `argument.range` if the family has no such pool; `argument.type`, `kernel.memory`.
   */
  draw(path: string, count: number): Uint32Array {
    const pool = this.#poolOf(path);
    checkRange(0, count);
    const records = allocateResults(count, 4, (n) => new Uint32Array(n));
    const drawn = this.#kernel.draw(this.#number, pool, this.#key, records);
    return records.subarray(0, drawn);
  }

  /** Returns the id of a record that a pool has given. Throws what {@link draw} throws for the path. */
  id(path: string, record: number): unknown {
    const { root } = this.#pools[this.#poolOf(path)];
    return this.#roots[root as number]?.ids?.[record];
  }

  /** Puts all copies back. The index of the next draw stays. */
  restock(): void {
    this.#kernel.exports.restock(this.#number);
  }

  #poolOf(path: string): number {
    checkText("path", path);
    const pool = this.#pools.findIndex((one) => one.path === path);
    if (pool >= 0) return pool;
    const paths = this.#pools.map((one) => String(one.path));
    return fail(
      error("argument.range", { problem: `${this.name} has no such pool`, got: path, ...didYouMean(path, paths) }),
    );
  }
}
