import { type ForkId, forkKey, nameKey, type Seed, type StreamKey, seedKey } from "../address.js";
import {
  type CreateState,
  Guard,
  type KernelUse,
  MillNode,
  type Noun,
  Place,
  Scope,
  type Served,
  type Services,
  type State,
  type System,
} from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { Kernel, type KernelModule, moduleOf, type PartName } from "../kernel/index.js";
import { localTimeText, parseLocalTime } from "../localTime.js";
import { decodeSnapshot, encodeSnapshot } from "../snapshot.js";
import { isParsed, isSame, readOptions, refuseArgument, seedText, specOf } from "../spec/index.js";
import type { Stream } from "../streams/index.js";
import { streams } from "../streams/system.js";
import type { WeightedList, WeightedOptions, WeightedSpec, WeightsInput } from "../weighted/index.js";
import { weighted } from "../weighted/system.js";

/** Options of `createMill`. */
export interface MillOptions {
  /** The seed of all random words of the mill. A number or a bigint is used as its decimal text. */
  readonly seed: Seed;
  /**
   * Maximum memory in bytes of each instance of the kernel, 1 MiB … 4 GiB. Default 1 GiB. Object makers, families of
   * pools, worlds and running layers of walks have an instance each; other nouns share one for each part of the kernel.
   */
  readonly maxMemory?: number | undefined;
  /** The local time for the table scripts of `random_default`, as ISO text. Default: the clock's at the first use. */
  readonly now?: string | undefined;
  /** A snapshot of a mill with the same seed. Tables, pools and so on with the same names continue from it. */
  readonly snapshot?: Uint8Array | undefined;
}

export const MILL_OPTIONS = ["seed", "maxMemory", "now", "snapshot"] as const;

/** A noun, and what it was opened with. */
export interface Opened {
  readonly noun: Noun;
  readonly system: KernelUse & { readonly noun: string };
  readonly spec: object;
  readonly options: object;
  /** Returns the noun with the random words and the state of a fork of the mill. */
  readonly on: (mill: CoreMill) => Noun;
}

export interface MillParts {
  readonly seed: string;
  readonly key: StreamKey;
  /** What a mill shares with its forks. */
  readonly root: {
    readonly kernels: MillKernels;
    readonly guard: Guard;
    now: string | undefined;
    readonly isRestored: boolean;
  };
  readonly place: Place<MillNode>;
  readonly parent?: CoreMill | undefined;
}

/** @throws RollmillError `argument.type`, `argument.range`, `snapshot.invalid`, `snapshot.version`. */
export function millParts({ seed, maxMemory = DEFAULT_MEMORY, now, snapshot }: MillOptions): MillParts {
  const text = seedText(seed);
  const saved = snapshot === undefined ? undefined : decodeSnapshot(snapshot, text);
  const root = {
    kernels: new MillKernels(checkMemory(maxMemory)),
    guard: new Guard(),
    now: checkNow(now) ?? saved?.now,
    isRestored: saved !== undefined,
  };
  const node = new MillNode(saved?.state);
  node.restore(saved?.state);
  return { seed: text, key: seedKey(text), root, place: new Place(() => node) };
}

/**
 * Opens raw streams and weighted lists. With {@link open}, it opens the nouns of any system: tables, pools and so on.
 * Each noun has a name. The name selects the random words of the noun.
 */
export class CoreMill {
  /** The seed, as text. */
  readonly seed: string;
  readonly #parts: MillParts;
  readonly #opened = new Map<string, Opened>();

  /** @internal */
  constructor(parts: MillParts) {
    this.seed = parts.seed;
    this.#parts = parts;
  }

  /** The local time for table scripts of `random_default`. A mill reads the clock once. Snapshots contain the time. */
  get now(): string {
    const { root } = this.#parts;
    root.now ??= localTimeText(new Date());
    return root.now;
  }

  /**
   * Opens a list of weights to pick from. `weights` may also be a result of `parseWeights`.
   *
   * @throws RollmillError `weights.*`, `argument.option`, `argument.name-taken`.
   */
  weighted(name: string, weights: WeightsInput | WeightedSpec, options: WeightedOptions = {}): WeightedList {
    return this.open(weighted, name, weights, options);
  }

  /**
   * Opens raw random words, which the name selects.
   *
   * @throws RollmillError `argument.name-taken`.
   */
  stream(name: string): Stream {
    return this.open(streams, name, undefined, {});
  }

  /**
   * Opens a noun of a system, such as `tables`. The same name, input and options return the same noun again.
   *
   * @param input - The input of the system's parser, or the spec that the parser returned.
   * @throws RollmillError with all errors of the input; `argument.option`, `argument.type`; `argument.name-taken` if
   * the name is already used with another input or other options; `snapshot.invalid` if the mill's snapshot does not
   * fit the input; `argument.type` if the system's part of the kernel is not loaded; `kernel.memory`.
   */
  open<Options extends object, Spec extends object, Plan, N extends Noun, S extends State>(
    system: System<Options, Spec, Plan, N, S>,
    name: string,
    input: unknown,
    given: Options = {} as Options,
  ): N {
    this.#parts.root.kernels.checkAlive();
    if (typeof system?.open !== "function" || !Array.isArray(system.options)) {
      return refuseArgument("system", system, "a system, such as `tables` of rollmill/tables");
    }
    const { noun: what } = system;
    const read = readOptions(`mill.${what}`, given, system.options);
    if (typeof name !== "string" || name === "") refuseArgument("name", name, "a text of at least 1 character");
    const options = { ...read, name };
    const spec = isParsed(what, input) ? (input as Spec) : specOf(system.parse(input, options));
    const before = this.#find(
      name,
      (one) => one.system === system && isSame(one.spec, spec) && isSame(one.options, read),
    );
    // the cast is safe: the same system opened this noun
    if (before !== undefined) return before.noun as N;
    if (this.#opened.has(name)) {
      const problem = `mill.${what} has already used the name ${JSON.stringify(name)}`;
      const remedy = "Use another name, or call mill.release with this name first";
      fail(error("argument.name-taken", { problem, remedy }));
    }
    const plan = system.compile(spec, options);
    const { kernel, services } = this.#serve(system);
    // the cast is safe: a system without `state` uses only the field `next`
    const create = system.state?.(plan, { ...services, name }, options) ?? (() => ({ next: 0 }) as S);
    const scopeOn = (mill: CoreMill) => mill.#scope(name, what, create);
    const stream = scopeOn(this);
    const noun = system.open({ kernel, name, stream, plan }, options, services);
    this.#opened.set(name, { noun, system, spec, options: read, on: (mill) => noun.on(scopeOn(mill)) });
    return noun;
  }

  /**
   * Returns the noun that was opened under a name. Returns undefined if the name is unknown. `get` of a fork also finds
   * the nouns of the mill that was forked, and returns them with the fork's random words.
   */
  get(name: string): Noun | undefined {
    return this.#find(name, () => true)?.noun;
  }

  /**
   * Forgets the noun that was opened under this name, and its state. You can then open the name again.
   *
   * Does not forget state that is shared with other names: one-shots stay used, and artifacts stay made. A noun that
   * you still hold works, but snapshots lack its state. The noun's memory is freed when the mill is disposed.
   */
  release(name: string): void {
    this.#opened.delete(name);
    this.#parts.place.node().releaseName(name);
  }

  /**
   * Returns a child mill. Its nouns have their own random words and state, even under a name that this mill also uses.
   * Both share kernels, memory limit and clock. {@link get} of the child also finds the nouns of this mill.
   *
   * @param id - A text, a safe integer, a bigint of 64 bits, or a pair of 32-bit integers such as coordinates.
   * @throws RollmillError `argument.type`, `argument.range` for an invalid id.
   */
  fork(id: ForkId): CoreMill {
    return new CoreMill(this.forkParts(id));
  }

  /**
   * Forgets the state of a fork of this mill, and of the fork's own forks. The next fork with this id begins anew. If a
   * noun of the old fork has used its state, it throws `argument.disposed` when a call needs the state.
   */
  releaseFork(id: ForkId): void {
    this.#parts.place.node().release(id);
  }

  /**
   * Encodes the state of this mill and of all its forks: the indices of the next results, used one-shots, the stock of
   * pools, the artifacts made, and the time. Everything else follows from the seed. Walks and streams have no state.
   *
   * To continue, pass the bytes to `createMill` with the same seed, and open the same nouns by the same names.
   *
   * A snapshot of a fork contains only this fork: create a mill from the snapshot, and fork the mill with the same id.
   *
   * @throws RollmillError `argument.busy` in a callback of a running call; `argument.disposed` after {@link dispose},
   * and if the stock of a pool is lost because its kernel failed.
   */
  snapshot(): Uint8Array {
    const { seed, root, place } = this.#parts;
    root.kernels.checkAlive();
    root.guard.checkAllIdle();
    return encodeSnapshot({ seed, now: root.now, forks: place.ids, fields: place.node().save() });
  }

  /** Frees the memory of the mill and its forks, whose nouns then throw `argument.disposed`. Results remain usable. */
  dispose(): void {
    const { root } = this.#parts;
    root.kernels.dispose();
    root.guard.dispose();
  }

  /** Calls {@link dispose} at the end of a `using` block. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** @internal Returns the parts of a fork. */
  protected forkParts(id: ForkId): MillParts {
    const { seed, key, root, place } = this.#parts;
    return { seed, key: forkKey(key, id), root, place: place.fork(id), parent: this };
  }

  /** @internal The ids of the forks that lead to this mill, outermost first. */
  protected get forkIds(): readonly ForkId[] {
    return this.#parts.place.ids;
  }

  /** @internal Finds what was opened under a name, as {@link get} does. */
  protected openedAs(name: string): Opened | undefined {
    return this.#find(name, () => true);
  }

  /** Finds a noun by name in this mill or, in a fork, in the mills above. Returns it with the state of this mill. */
  #find(name: string, isWanted: (opened: Opened) => boolean): Opened | undefined {
    const without: CoreMill[] = [];
    let at: CoreMill | undefined = this;
    for (; at !== undefined && !at.#opened.has(name); at = at.#parts.parent) without.push(at);
    let found = at === undefined ? undefined : at.#opened.get(name);
    if (found === undefined || !isWanted(found)) return undefined;
    for (const mill of without.reverse()) {
      found = { ...found, noun: found.on(mill) };
      mill.#opened.set(name, found);
    }
    return found;
  }

  #scope<S extends State>(name: string, system: string, create: CreateState<S>): Scope<S> {
    const { key, place, root } = this.#parts;
    const keyOf = (other: string, seed?: StreamKey) =>
      nameKey(seed === undefined ? key : place.ids.reduce(forkKey, seed), other);
    const parts = { guard: root.guard, create, keyOf, sharedNode: () => place.node().shared };
    const scope = new Scope<S>(keyOf(name), parts, new Place(() => place.node().name(name, system)));
    // restores the state now, so that damaged state is reported here, not by a later call
    if (root.isRestored && scope.node().isRestored) scope.state();
    return scope;
  }

  #serve(system: KernelUse): Served {
    const { kernels } = this.#parts.root;
    const part = system.kernel?.name ?? "draws";
    const services: Services = {
      seed: this.seed,
      now: () => this.now,
      openKernel: (...bytes) => kernels.open(part, ...bytes),
      serve: (inner) => this.#serve(inner),
    };
    return { services, kernel: system.ownKernel === true ? services.openKernel() : kernels.shared(part) };
  }
}

/** The kernels of a mill and of its forks. */
class MillKernels {
  readonly #maxMemory: number;
  /** The kernels that nouns share. One kernel serves several parts if these come from one module. */
  readonly #shared = new Map<KernelModule, Kernel>();
  /** The kernels of single nouns. The references are weak, so that an unreachable noun can be freed with its kernel. */
  readonly #own = new Set<WeakRef<Kernel>>();
  #isDisposed = false;

  constructor(maxMemory: number) {
    this.#maxMemory = maxMemory;
  }

  checkAlive(): void {
    if (!this.#isDisposed) return;
    fail(error("argument.disposed", { problem: "the mill has been disposed", remedy: "Create a new mill" }));
  }

  /** Returns the shared kernel with the functions of a part. Throws `argument.type` if the part is not compiled. */
  shared(part: PartName): Kernel {
    this.checkAlive();
    const module = moduleOf(part);
    const kernel = this.#shared.get(module) ?? new Kernel(module, this.#maxMemory);
    this.#shared.set(module, kernel);
    return kernel;
  }

  /**
   * Opens a kernel for one noun.
   *
   * @throws The errors of {@link shared}.
   */
  open(part: PartName, maxBytes = this.#maxMemory, maxMemory = maxBytes): Kernel {
    this.checkAlive();
    const kernel = new Kernel(moduleOf(part), Math.min(maxBytes, this.#maxMemory), maxMemory);
    for (const opened of this.#own) if (opened.deref()?.isDisposed !== false) this.#own.delete(opened);
    this.#own.add(new WeakRef(kernel));
    return kernel;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const kernel of this.#shared.values()) kernel.dispose();
    for (const kernel of this.#own) kernel.deref()?.dispose();
    this.#own.clear();
  }
}

/** Default and range of the option `maxMemory`, in bytes. */
const DEFAULT_MEMORY = 2 ** 30;
const MIN_MEMORY = 2 ** 20;
const MAX_MEMORY = 2 ** 32;

function checkMemory(bytes: unknown): number {
  const usable = typeof bytes === "number" && Number.isInteger(bytes) && bytes >= MIN_MEMORY && bytes <= MAX_MEMORY;
  if (usable) return bytes;
  const expected = `an integer from ${MIN_MEMORY} (1 MiB) to ${MAX_MEMORY} (4 GiB)`;
  return fail(error("argument.range", { problem: '"maxMemory" is out of range', got: bytes, expected }));
}

export function checkNow(now: string | undefined): string | undefined {
  if (now === undefined || (typeof now === "string" && parseLocalTime(now) !== undefined)) return now;
  return refuseArgument("now", now, "a local time such as 2026-01-05T08:30", "argument.range");
}
