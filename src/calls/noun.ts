import type { ForkId, StreamKey } from "../address.js";
import type { Kernel } from "../kernel/index.js";
import { checkInteger, type Parsed, readOptions } from "../spec/index.js";
import type { BulkOptions, Range } from "./batches.js";
import type { Branch, CreateState } from "./branch.js";
import { checkRange, MAX_INDEX } from "./options.js";
import type { State } from "./state.js";
import { refuseDisposed, refuseReleased, type Turns } from "./turns.js";

/**
 * The arguments that every noun's constructor needs. A noun is a thing that a mill opens under a name, such as a table,
 * a weighted list, a walk, a recipe or a stream.
 */
export interface Setup<Plan, S extends State = State> {
  readonly kernel: Kernel;
  readonly name: string;
  /** Where the noun reads random words and keeps its state. */
  readonly stream: Branch<S>;
  readonly plan: Plan;
}

/** What a mill provides to its nouns. */
export interface Scope {
  /** The seed of the mill, as text. */
  readonly seed: string;
  /** Returns the mill's local time as ISO text. The mill reads the clock only once. Snapshots contain this time. */
  now(): string;
  /**
   * Opens a new kernel for the noun. The kernel is disposed together with the mill. The noun may dispose of the kernel
   * earlier.
   *
   * @param maxBytes - Maximum memory of the kernel in bytes, at most the mill's `maxMemory`. Default: `maxMemory`.
   * @param maxMemory - If the kernel gets only a share of a limit: the whole limit, which messages name.
   */
  openKernel(maxBytes?: number, maxMemory?: number): Kernel;
}

/**
 * Describes a system, such as tables or walks, to the mill. To open a noun (a table, a walk), the mill calls `parse` to
 * turn unknown input into a spec, `compile` to turn the spec into a plan, and `open` to turn the plan into the noun.
 */
export interface System<Options extends object, Spec extends object, Plan, N extends Noun, S extends State = State> {
  /** The kind of noun that the system opens, such as "table". For messages. */
  readonly noun: string;
  /** Names of the valid options. Any other option is an error. */
  readonly options: readonly string[];
  /**
   * Whether each noun has its own kernel. With its own kernel, a noun keeps its state if another noun's kernel traps.
   */
  readonly ownKernel?: true;
  /** Reads untrusted input. The mill skips this step if the input is a spec that `parse` returned. */
  parse(input: unknown, options: Options & { readonly name: string }): Parsed<Spec>;
  /** Compiles a spec to a plan. Checks everything that can be checked before the first result. A pure function. */
  compile(spec: Spec, options: Options & { readonly name: string }): Plan;
  /**
   * Returns a function that creates the state of a noun or of a fork. Default: the state is only the index of the next
   * result.
   */
  state?(plan: Plan, scope: Scope & { readonly name: string }, options: Options): CreateState<S>;
  /** Creates the noun. */
  open(setup: Setup<Plan, S>, options: Options, scope: Scope): N;
}

/** A thing that `mill.table`, `mill.pools` and so on return. */
export interface Noun {
  readonly name: string;
  /**
   * Returns the same noun on another branch, for example on the branch of a fork. The plan is shared.
   *
   * @internal
   */
  on(stream: Branch): Noun;
}

/** A noun with numbered results: result k depends only on the seed, the name and k. */
export abstract class Addressed<Plan, S extends State = State> implements Noun {
  readonly name: string;
  /** @internal */
  protected readonly kernel: Kernel;
  /** @internal */
  protected readonly stream: Branch<S>;
  /** @internal */
  protected readonly plan: Plan;
  #state: S | undefined;
  readonly #turns: Turns;
  readonly #keys: readonly StreamKey[];
  /**
   * Set by each call that makes a single result at `next`: the index of this result plus 1. If `next` still has this
   * value at the following single call, the caller makes single results in a row.
   */
  #inRow = -1;

  /** @internal */
  constructor({ kernel, name, stream, plan }: Setup<Plan, S>) {
    this.kernel = kernel;
    this.name = name;
    this.stream = stream;
    this.plan = plan;
    this.#turns = stream.turns;
    this.#keys = [stream.key];
  }

  /** @internal The state. All handles of the noun share it. */
  protected get state(): S {
    this.#state ??= this.stream.state();
    if (this.#state.isReleased) refuseReleased(this.name);
    return this.#state;
  }

  /**
   * Index of the next result, 0 … 2^42. Set it to continue at another index.
   *
   * @throws RollmillError `argument.range` for any other value; `argument.busy`, `argument.disposed`.
   */
  get next(): number {
    return this.state.next;
  }

  set next(index: number) {
    this.checkTurn();
    checkInteger("next", index, 0, MAX_INDEX);
    this.state.next = index;
  }

  /**
   * Returns a child, for example for a player, a room or a region. A child has its own random words and its own state.
   * Everything else is shared. Equal ids give the same child. A child can be forked again.
   *
   * Cost: about a microsecond. Uses memory for the handle. The state uses memory from its first use on.
   *
   * @param id - A text, a safe integer, a bigint of 64 bits, or a pair of 32-bit integers such as coordinates.
   * @throws RollmillError `argument.type`, `argument.range` for an invalid id.
   */
  abstract fork(id: ForkId): Addressed<Plan, S>;

  /**
   * Forgets the state of a fork, and of the fork's own forks. The next fork with this id begins anew. A fork that you
   * still hold, and that has used the state, throws `argument.disposed` if a call needs the state.
   *
   * Does not forget state that several tables or makers of the fork share: one-shots stay used, and artifacts stay
   * made.
   */
  releaseFork(id: ForkId): void {
    this.stream.node().release(id);
  }

  /** @internal */
  abstract on(stream: Branch<S>): Addressed<Plan, S>;

  /** @internal The constructor argument that creates this noun on another branch. */
  protected setupOn(stream: Branch<S>): Setup<Plan, S> {
    return { kernel: this.kernel, name: this.name, stream, plan: this.plan };
  }

  /** @internal The keys of the branches whose state a call uses. Default: only this noun's branch. */
  protected get keys(): readonly StreamKey[] {
    return this.#keys;
  }

  /**
   * @internal True if every call on this noun is allowed now. Very short calls use this check, because it reads only
   * one field.
   */
  protected get isFree(): boolean {
    return this.#turns.isIdle;
  }

  /**
   * @internal
   * Checks that the noun can be called. Must run before other checks.
   *
   * @throws RollmillError `argument.disposed`; `argument.busy` inside a callback of a call on this noun.
   */
  protected checkTurn(): void {
    if (this.#turns.isIdle && !this.kernel.isDisposed) return;
    this.#turns.check(this.name, this.keys);
    if (this.kernel.isDisposed) refuseDisposed(this.name);
  }

  /**
   * @internal
   * Runs a call that runs callbacks. A callback cannot call this noun.
   *
   * @throws The errors of {@link checkTurn} and of the call.
   */
  protected alone<T>(call: () => T): T {
    this.checkTurn();
    return this.#turns.run(this.name, this.keys, call);
  }

  /**
   * @internal
   * Runs a call that makes many results. Callbacks cannot call this noun. `next` advances only after `make` has
   * returned. So a call that throws changes nothing.
   *
   * @param call - The call's name, the options as given, and the names of the valid options.
   * @param n - Returns the number of results. Throws if the arguments are invalid.
   * @throws The errors of {@link checkTurn}, `readOptions`, `checkRange` and `make`.
   */
  protected bulk<Options extends BulkOptions, T>(
    call: { readonly name: string; readonly given: Options; readonly known: readonly string[] },
    n: () => number,
    make: (range: Range, options: Options) => T,
  ): T {
    return this.alone(() => {
      const options = readOptions(call.name, call.given, call.known);
      // a callback may release the fork: then the call ends with the old state
      const state = options.from === undefined ? this.state : undefined;
      const from = options.from ?? this.state.next;
      const total = n();
      checkRange(from, total);
      const made = make({ name: this.name, from, total }, options);
      if (state !== undefined) state.next = from + total;
      return made;
    });
  }

  /**
   * @internal Whether the caller makes single results in a row: the previous single result had the index before `next`.
   * Such a caller will probably ask for the next results too, so they can be made in advance.
   */
  protected isInRow(): boolean {
    const { next } = this.state;
    const isNext = this.#inRow === next;
    this.#inRow = next + 1;
    return isNext;
  }
}
