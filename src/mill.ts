import { keyOf, purposeOf, type Seed } from "./address.js";
import { error, fail, failOnErrors } from "./errors/index.js";
import { compileKernel, Kernel, type KernelSource } from "./kernel/index.js";
import { checkMemory, checkName, checkNow, DEFAULT_MEMORY, refuseName, seedText } from "./millOptions.js";
import {
  compileObjects,
  digestOf,
  ObjectMaker,
  type ObjectTexts,
  type ParseObjectOptions,
  parseObjectFiles,
  parseObjectState,
} from "./objects/index.js";
import { Family, KernelPools, Pools, type PoolsInput, type PoolsPlan, parsePools, parseState } from "./pools/index.js";
import { openRecipe, Recipe, type RecipeSetup } from "./recipes/index.js";
import { decodeSnapshot, encodeSnapshot, type SnapshotEntry } from "./snapshot.js";
import { Stream } from "./streams/index.js";
import {
  Caller,
  compileTable,
  localTimeText,
  parseTable,
  Table,
  type TableOptions,
  type TableSource,
} from "./tables/index.js";
import { compileWalk, parseWalk, Walk, type WalkInput } from "./walks/index.js";
import { compileWeighted, WeightedList } from "./weighted/index.js";

/** What a mill is made from. */
export interface MillOptions {
  /** Every result is a function of it, a name and an index. A number or a bigint means its decimal text. */
  readonly seed: Seed;
  /** Bound on the bytes of an arena, 1 MiB … 4 GiB: the mill's own, and each layer's while it is walked. Default 1 GiB. */
  readonly maxMemory?: number;
  /** What `random_default` takes for the time: local time as ISO text. Default: the clock, read once when first needed. */
  readonly now?: string;
  /** A snapshot of another mill of the same seed: what is made under its names goes on where that one was. */
  readonly snapshot?: Uint8Array;
}

/** What a table takes besides its source. */
export interface TableSetup extends TableOptions {
  /** The file that it came from, for messages. */
  readonly file?: string;
}

/**
 * Makes a mill, synchronously, in a few milliseconds.
 *
 * @throws RollmillError `kernel.unsupported`, `argument.type`, `argument.range`, `snapshot.invalid`, `snapshot.version`.
 */
export function createMill(options: MillOptions): Mill {
  return new Mill(options);
}

/**
 * Makes a mill whose kernel is compiled off the main thread, from `kernel` where it is given (the response of fetching
 * `rollmill/kernel.wasm`, compiled while it streams), else from the bytes inside the library.
 *
 * @throws RollmillError as {@link createMill}.
 */
export async function createMillAsync(options: MillOptions & { readonly kernel?: KernelSource }): Promise<Mill> {
  await compileKernel(options.kernel);
  return new Mill(options);
}

/** The one object that everything is made from. Names are taken once, whatever is made under them. */
export class Mill {
  /** The seed, as text. */
  readonly seed: string;
  readonly #maxMemory: number;
  readonly #purposes = new Map<number, string>();
  readonly #holders = new Map<string, SnapshotHolder>();
  readonly #restored: ReadonlyMap<string, SnapshotEntry>;
  readonly #sharedOneShots: Set<number>;
  /** Kernels of their own: of families of pools, for what is left in them, and of makers of objects. */
  readonly #ownKernels = new Map<string, Kernel>();
  #kernel: Kernel | undefined;
  #now: string | undefined;

  /** @internal */
  constructor({ seed, maxMemory = DEFAULT_MEMORY, now, snapshot }: MillOptions) {
    this.seed = seedText(seed);
    this.#maxMemory = checkMemory(maxMemory);
    const restored = snapshot === undefined ? undefined : decodeSnapshot(snapshot, this.seed);
    this.#restored = new Map(restored?.entries.map((entry) => [entry.name, entry]));
    this.#sharedOneShots = new Set(restored?.sharedOneShots);
    this.#now = checkNow(now) ?? restored?.now;
    this.#kernel = new Kernel(keyOf(this.seed), this.#maxMemory);
  }

  /** The local time that `random_default` goes by: read once in a mill, and part of its snapshot. */
  get now(): string {
    this.#now ??= localTimeText(new Date());
    return this.#now;
  }

  /**
   * A table to roll, from the text of a 2DA file or an object.
   *
   * @throws RollmillError with every error of the source; `argument.name-taken`, `argument.name-collision`.
   */
  table(name: string, source: TableSource, setup: TableSetup = {}): Table {
    const kernel = this.#alive();
    const { file, ...options } = setup;
    const { spec, issues } = parseTable(source, { name, file });
    failOnErrors(issues);
    if (spec === undefined) return fail(issues[0]);
    const plan = compileTable(spec);
    const caller = new Caller(plan, options, { now: () => this.now, sharedOneShots: this.#sharedOneShots });
    const table = new Table(kernel, plan, { name, purpose: this.#take([name])[0], caller });
    this.#hold(name, table, caller.oneShots.own);
    return table;
  }

  /**
   * A list of weights to pick from.
   *
   * @throws RollmillError `weights.*`, `argument.name-taken`, `argument.name-collision`.
   */
  weighted(name: string, weights: ArrayLike<number>): WeightedList {
    const kernel = this.#alive();
    const plan = compileWeighted(weights);
    const list = new WeightedList(kernel, name, this.#take([name])[0], plan);
    this.#hold(name, list);
    return list;
  }

  /**
   * A recipe to make items by: a shipped one (`mill.recipe("weapon")`), or one of your own.
   *
   * @throws RollmillError `recipe.unknown`, every error of the recipe and its tables, `recipe.candidates`, `recipe.overflow`;
   * `argument.name-taken`, `argument.name-collision`.
   */
  recipe(name: string, setup: RecipeSetup = {}): Recipe {
    const kernel = this.#alive();
    const layout = openRecipe(name, setup);
    const recipe = new Recipe(kernel, name, this.#take([name])[0], layout);
    this.#hold(name, recipe);
    return recipe;
  }

  /**
   * A walk over a hex grid. Its layers' names are taken as `<name>/<layer>`.
   *
   * @throws RollmillError with every error of the spec; `argument.name-taken`, `argument.name-collision`.
   */
  walk(name: string, input: WalkInput, { file }: { readonly file?: string } = {}): Walk {
    this.#alive();
    const { spec, issues } = parseWalk(input, file === undefined ? {} : { file });
    failOnErrors(issues);
    if (spec === undefined) return fail(issues[0]);
    const plan = compileWalk(spec, name);
    this.#take([name, ...plan.layers.flatMap(({ purposeName }) => [purposeName, `${purposeName}/start`])]);
    return new Walk(plan, () => new Kernel(this.#alive().key, this.#maxMemory));
  }

  /**
   * A family of pools, from a spec or empty, to be registered by and by.
   *
   * @throws RollmillError with every error of the spec; `argument.name-taken`, `argument.name-collision`,
   * `snapshot.invalid` where the mill's snapshot does not fit the spec.
   */
  pools(name: string, input: PoolsInput = { roots: {} }, { file }: { readonly file?: string } = {}): Pools {
    this.#alive();
    const { spec, issues } = parsePools(input, file === undefined ? {} : { file });
    failOnErrors(issues);
    if (spec === undefined) return fail(issues[0]);
    const restored = parseState(this.#restored.get(name)?.state);
    const family = Family.of(spec, restored);
    const [purpose] = this.#take([name]);
    // a kernel for each: quantities do not outlive a trap, so no other system's may cost them
    const open = (plan: PoolsPlan) => {
      return new KernelPools(this.#ownKernel(name), purpose, plan);
    };
    const pools = new Pools(name, family, { open, restored });
    this.#hold(name, pools);
    return pools;
  }

  /**
   * Makes objects from edit files: weapons, armour and the rest with affixes, themes and artifacts.
   *
   * @throws RollmillError with every error of the files; `object.files` where they come to more than a plan may hold (see
   * docs/formats.md), `kernel.memory` where that is too large all the same; `argument.name-taken`, `argument.name-collision`,
   * `snapshot.invalid` where the mill's snapshot is of other files.
   */
  objects(name: string, texts: ObjectTexts, options: ParseObjectOptions = {}): ObjectMaker {
    this.#alive();
    const { files, issues } = parseObjectFiles(texts, options);
    failOnErrors(issues);
    if (files === undefined) return fail(issues[0]);
    let known: string | undefined;
    const digest = () => {
      known ??= digestOf(texts, files.levels);
      return known;
    };
    const restored = parseObjectState(this.#restored.get(name)?.state, files, digest);
    const plan = compileObjects(files);
    const [purpose] = this.#take([name]);
    const maker = new ObjectMaker(this.#ownKernel(name), plan, { name, purpose, digest, restored });
    this.#hold(name, maker);
    return maker;
  }

  /**
   * The raw random words of a name.
   *
   * @throws RollmillError `argument.name-taken`, `argument.name-collision`.
   */
  stream(name: string): Stream {
    const kernel = this.#alive();
    return new Stream(kernel, name, this.#take([name])[0]);
  }

  /**
   * All that does not follow from the seed: cursors, spent one-shots, what is left in pools, the time. Pass it to
   * {@link createMill} with the same seed, make the same things under the same names, and they go on as if never
   * interrupted. Walks and streams have no cursor. Under 100 bytes a name.
   *
   * @throws RollmillError `argument.busy` amid a bulk draw, `argument.disposed` where what was left in pools is lost.
   */
  snapshot(): Uint8Array {
    this.#alive();
    const live = [...this.#holders].map(([name, { holder, oneShots }]) => ({
      name,
      next: holder.next,
      oneShots: [...oneShots],
      ...(holder.state === undefined ? {} : { state: holder.state() }),
    }));
    // what was restored and not made again is kept
    const idle = [...this.#restored.values()].filter(({ name }) => !this.#holders.has(name));
    return encodeSnapshot({
      seed: this.seed,
      now: this.#now,
      sharedOneShots: [...this.#sharedOneShots],
      entries: [...live, ...idle],
    });
  }

  /** Frees the mill's memory. What it made cannot be used afterwards; maps and other results can. */
  dispose(): void {
    this.#kernel?.dispose();
    for (const kernel of this.#ownKernels.values()) kernel.dispose();
    this.#kernel = undefined;
  }

  /** {@link dispose}, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #alive(): Kernel {
    if (this.#kernel !== undefined) return this.#kernel;
    return fail(error("argument.disposed", { problem: "the mill was disposed of", remedy: "Make a new one" }));
  }

  /** A kernel for what goes by a name, instead of the one it had. */
  #ownKernel(name: string): Kernel {
    const kernel = new Kernel(this.#alive().key, this.#maxMemory);
    this.#ownKernels.get(name)?.dispose();
    this.#ownKernels.set(name, kernel);
    return kernel;
  }

  /** Takes names, all or none, and answers their purposes. */
  #take(names: readonly string[]): number[] {
    const taken = new Map<number, string>();
    for (const name of new Set(names)) {
      const purpose = purposeOf(checkName(name));
      const holder = this.#purposes.get(purpose) ?? taken.get(purpose);
      if (holder !== undefined) refuseName(name, holder);
      taken.set(purpose, name);
    }
    for (const [purpose, name] of taken) this.#purposes.set(purpose, name);
    return names.map(purposeOf);
  }

  #hold(name: string, holder: SnapshotHolder["holder"], oneShots: Set<number> = new Set()): void {
    this.#holders.set(name, { holder, oneShots });
    const restored = this.#restored.get(name);
    if (restored === undefined) return;
    holder.next = restored.next;
    for (const id of restored.oneShots) oneShots.add(id);
  }
}

interface SnapshotHolder {
  readonly holder: { next: number; state?(): unknown };
  readonly oneShots: Set<number>;
}
