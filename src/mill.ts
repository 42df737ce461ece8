import { keyOf, purposeOf, type Seed } from "./address.js";
import { checkOptions, type Scope, type System } from "./calls/index.js";
import { error, fail } from "./errors/index.js";
import { compileKernel, Kernel, type KernelSource } from "./kernel/index.js";
import { checkMemory, checkName, checkNow, DEFAULT_MEMORY, refuseName, seedText } from "./millOptions.js";
import type { ObjectFiles, ObjectMaker, ObjectSetup, ObjectTexts } from "./objects/index.js";
import { objects } from "./objects/system.js";
import type { PoolFamily, PoolsInput, PoolsOptions, PoolsSpec } from "./pools/index.js";
import { pools } from "./pools/system.js";
import type { Recipe, RecipeInput, RecipeOptions } from "./recipes/index.js";
import { recipes } from "./recipes/system.js";
import { decodeSnapshot, encodeSnapshot, type SnapshotEntry } from "./snapshot.js";
import { isParsed, specOf } from "./spec/index.js";
import { Stream } from "./streams/index.js";
import type { Table, TableSetup, TableSource } from "./tables/index.js";
import { localTimeText } from "./tables/scripts/randomDefault.js";
import { tables } from "./tables/system.js";
import type { Walk, WalkInput, WalkOptions } from "./walks/index.js";
import { walks } from "./walks/system.js";
import type { WeightedList, WeightedOptions, WeightedSpec, WeightsInput } from "./weighted/index.js";
import { weighted } from "./weighted/system.js";

/** Options of {@link createMill}. */
export interface MillOptions {
  /** The seed of all random words of the mill. A number or a bigint stands for its decimal text. */
  readonly seed: Seed;
  /**
   * Maximum size of one kernel memory in bytes, 1 MiB … 4 GiB. Default 1 GiB. A mill has one kernel; each running layer
   * of a walk has a separate one.
   */
  readonly maxMemory?: number | undefined;
  /** The time that `random_default` uses: local time as ISO text. Default: the clock, read once at the first use. */
  readonly now?: string | undefined;
  /**
   * A snapshot of a mill with the same seed. Tables, pools and so on continue from there if they have the same names.
   */
  readonly snapshot?: Uint8Array | undefined;
}

/**
 * Creates a mill, synchronously. The first call in a process compiles the kernel.
 *
 * @throws RollmillError `kernel.unsupported`, `argument.type`, `argument.range`, `argument.option`, `snapshot.invalid`,
 * `snapshot.version`.
 */
export function createMill(options: MillOptions): Mill {
  checkOptions("createMill", options, MILL_OPTIONS);
  return new Mill(options);
}

/**
 * Creates a mill and compiles its kernel off the main thread.
 *
 * @param options - `kernel` is the response of `fetch` for `rollmill/kernel.wasm`, or the bytes of that file. Default:
 * the bytes inside the library.
 * @throws The errors of {@link createMill}.
 */
export async function createMillAsync(options: MillOptions & { readonly kernel?: KernelSource }): Promise<Mill> {
  checkOptions("createMillAsync", options, [...MILL_OPTIONS, "kernel"]);
  await compileKernel(options.kernel);
  return new Mill(options);
}

const MILL_OPTIONS = ["seed", "maxMemory", "now", "snapshot"];

/**
 * Opens tables, weighted lists, recipes, walks, families of pools, object makers and streams. Each has its own name,
 * which selects its random words.
 */
export class Mill {
  /** The seed, as text. */
  readonly seed: string;
  readonly #maxMemory: number;
  /** Maps the number of each stream in use to its name. */
  readonly #purposes = new Map<number, string>();
  /** Maps names to the open nouns (tables, pools and so on) that have state. */
  readonly #nouns = new Map<string, Stateful>();
  readonly #saved: ReadonlyMap<string, SnapshotEntry>;
  readonly #savedShared: Readonly<Record<string, unknown>>;
  readonly #shared = new Map<string, Shared>();
  /** The kernels that nouns opened. The references are weak, so that an unreachable noun frees its kernel. */
  readonly #kernels = new Set<WeakRef<Kernel>>();
  #kernel: Kernel | undefined;
  #now: string | undefined;

  /** @internal */
  constructor({ seed, maxMemory = DEFAULT_MEMORY, now, snapshot }: MillOptions) {
    this.seed = seedText(seed);
    this.#maxMemory = checkMemory(maxMemory);
    const saved = snapshot === undefined ? undefined : decodeSnapshot(snapshot, this.seed);
    this.#saved = new Map(saved?.entries.map((entry) => [entry.name, entry]));
    this.#savedShared = saved?.shared ?? {};
    this.#now = checkNow(now) ?? saved?.now;
    this.#kernel = new Kernel(keyOf(this.seed), this.#maxMemory);
  }

  /** The local time for `random_default`. A mill reads the clock once and keeps the time in its snapshot. */
  get now(): string {
    this.#now ??= localTimeText(new Date());
    return this.#now;
  }

  /**
   * Opens a table to roll, from the text of a 2DA file or an object.
   *
   * @throws RollmillError with every error of the source; `argument.option`, `argument.name-taken`,
   * `argument.name-collision`, `snapshot.invalid` if the mill's snapshot does not fit the table.
   */
  table(name: string, source: TableSource, options: TableSetup = {}): Table {
    return this.#open(tables, name, source, options);
  }

  /**
   * Opens a list of weights to pick from: an array, or the spec that `parseWeights` returned.
   *
   * @throws RollmillError `weights.*`, `argument.option`, `argument.name-taken`, `argument.name-collision`.
   */
  weighted(name: string, weights: WeightsInput | WeightedSpec, options: WeightedOptions = {}): WeightedList {
    return this.#open(weighted, name, weights, options);
  }

  /**
   * Opens a recipe to make items with: a shipped recipe by its name, or your own recipe with its word tables.
   *
   * @param recipe - default: the shipped recipe called `name`.
   * @throws RollmillError `recipe.unknown`, every error of the recipe and its tables, `recipe.candidates`,
   * `recipe.overflow`; `argument.option`, `argument.name-taken`, `argument.name-collision`.
   */
  recipe(name: string, recipe: RecipeInput = name, options: RecipeOptions = {}): Recipe {
    return this.#open(recipes, name, recipe, options);
  }

  /**
   * Opens a walk over a hex grid. Each layer also takes the name `<name>/<layer>`.
   *
   * @throws RollmillError with every error of the spec; `argument.option`, `argument.name-taken`,
   * `argument.name-collision`.
   */
  walk(name: string, spec: WalkInput, options: WalkOptions = {}): Walk {
    return this.#open(walks, name, spec, options);
  }

  /**
   * Opens a family of pools to draw from.
   *
   * @param spec - an object, or a spec that `parsePools` returned. Default: an empty family, for roots that you
   * register later.
   * @throws RollmillError with every error of the spec; `argument.option`, `argument.name-taken`,
   * `argument.name-collision`, `snapshot.invalid` if the mill's snapshot does not fit the spec.
   */
  pools(name: string, spec: PoolsInput | PoolsSpec = { roots: {} }, options: PoolsOptions = {}): PoolFamily {
    return this.#open(pools, name, spec, options);
  }

  /**
   * Opens a maker of objects, such as weapons and armour, with affixes, themes and artifacts.
   *
   * @param files - the texts of edit files, or the files that `parseObjects` returned.
   * @throws RollmillError with every error of the files; `object.files` if they exceed what a plan can hold
   * (docs/formats.md), `kernel.memory` if the plan does not fit in memory; `argument.option`, `argument.name-taken`,
   * `argument.name-collision`, `snapshot.invalid` if the mill's snapshot belongs to other files.
   */
  objects(name: string, files: ObjectTexts | ObjectFiles, options: ObjectSetup = {}): ObjectMaker {
    return this.#open(objects, name, files, options);
  }

  /**
   * Opens the raw random words of a name.
   *
   * @throws RollmillError `argument.name-taken`, `argument.name-collision`.
   */
  stream(name: string): Stream {
    const kernel = this.#alive();
    this.#checkFree([name]);
    this.#purposes.set(purposeOf(name), name);
    return new Stream({ kernel, name, stream: purposeOf(name), plan: undefined });
  }

  /**
   * Encodes all state that does not follow from the seed: the `next` of each name, the one-shot scripts that tables
   * have used, the stock of pools, the artifacts made so far, and the time. To continue from there, pass the bytes to
   * {@link createMill} with the same seed, and open the same tables, pools and so on under the same names. Walks and
   * streams have no state.
   *
   * @throws RollmillError `argument.busy` during a bulk draw, `argument.disposed` if the stock of a pool is lost
   * because its kernel failed.
   */
  snapshot(): Uint8Array {
    this.#alive();
    const live = [...this.#nouns].map(([name, noun]) => ({ name, next: noun.next, state: noun.state?.() }));
    // keeps the entries of the restored snapshot whose names have not been opened again
    const idle = [...this.#saved.values()].filter(({ name }) => !this.#nouns.has(name));
    const shared = [...this.#shared].map(([key, value]) => [key, value.state()] as const);
    return encodeSnapshot({
      seed: this.seed,
      now: this.#now,
      shared: { ...this.#savedShared, ...Object.fromEntries(shared) },
      entries: [...live, ...idle],
    });
  }

  /**
   * Frees the mill's memory. Its tables and so on then throw `argument.disposed`; maps and other results stay valid.
   */
  dispose(): void {
    this.#kernel?.dispose();
    for (const kernel of this.#kernels) kernel.deref()?.dispose();
    this.#kernels.clear();
    this.#kernel = undefined;
  }

  /** Calls {@link dispose} at the end of a `using` block. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Opens a noun of any system: parses, compiles, checks the names, builds, registers. A failure changes nothing. */
  #open<Options extends object, Spec extends object, Plan, Noun extends object>(
    system: System<Options, Spec, Plan, Noun>,
    name: string,
    input: unknown,
    given: Options,
  ): Noun {
    const shared = this.#alive();
    checkOptions(`mill.${system.noun}`, given, system.options);
    const options = { ...given, name: checkName(name) };
    const parsed = isParsed(system.noun, input) ? (input as Spec) : specOf(system.parse(input, options));
    const plan = system.compile(parsed, options);
    const names = system.streams?.(plan, name) ?? [name];
    this.#checkFree(names);
    const kernel = system.ownKernel === true ? this.#openKernel() : shared;
    const noun = system.open({ kernel, name, stream: purposeOf(name), plan }, options, this.#scopeOf(name));
    for (const taken of names) this.#purposes.set(purposeOf(taken), taken);
    this.#hold(name, noun);
    return noun;
  }

  #hold(name: string, noun: object): void {
    if (!isStateful(noun)) return;
    noun.next = this.#saved.get(name)?.next ?? 0;
    this.#nouns.set(name, noun);
  }

  #scopeOf(name: string): Scope {
    return {
      now: () => this.now,
      stream: purposeOf,
      openKernel: () => this.#openKernel(),
      shared: (key, create) => this.#share(key, create),
      saved: this.#saved.get(name)?.state,
    };
  }

  #share<T extends Shared>(key: string, create: (saved: unknown) => T): T {
    const known = this.#shared.get(key);
    // the cast is safe: each key belongs to one system, which always creates the same type for it
    if (known !== undefined) return known as T;
    const made = create(this.#savedShared[key]);
    this.#shared.set(key, made);
    return made;
  }

  #openKernel(): Kernel {
    const kernel = new Kernel(this.#alive().key, this.#maxMemory);
    for (const opened of this.#kernels) if (opened.deref()?.isDisposed !== false) this.#kernels.delete(opened);
    this.#kernels.add(new WeakRef(kernel));
    return kernel;
  }

  #alive(): Kernel {
    if (this.#kernel !== undefined) return this.#kernel;
    return fail(error("argument.disposed", { problem: "the mill has been disposed", remedy: "Create a new mill" }));
  }

  /** Checks that the names are valid, and that no other noun uses them or their random words. */
  #checkFree(names: readonly string[]): void {
    const asked = new Map<number, string>();
    for (const name of new Set(names)) {
      const purpose = purposeOf(checkName(name));
      const owner = this.#purposes.get(purpose) ?? asked.get(purpose);
      if (owner !== undefined) refuseName(name, owner);
      asked.set(purpose, name);
    }
  }
}

/** State that several nouns of a mill share. */
interface Shared {
  state(): unknown;
}

/** A noun with a cursor and, in some systems, further state. */
interface Stateful {
  next: number;
  state?(): unknown;
}

function isStateful(noun: object): noun is Stateful {
  return "next" in noun;
}
