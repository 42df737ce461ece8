import type { ForkId, StreamKey } from "../address.js";
import type { Kernel } from "../kernel/index.js";
import { checkInteger, type Parsed, readOptions } from "../spec/index.js";
import type { BulkOptions, Range } from "./batches.js";
import type { Branch, CreateState } from "./branch.js";
import { checkRange, MAX_INDEX } from "./options.js";
import type { State } from "./state.js";
import { refuseDisposed, type Turns } from "./turns.js";

/**
 * The argument of every noun's constructor. A noun is what a mill opens under a name: a table, a weighted list, a
 * family of pools, a walk, a recipe, an object maker or a stream.
 */
export interface Setup<Plan, S extends State = State> {
  readonly kernel: Kernel;
  readonly name: string;
  /** Where the noun reads random words and keeps its state. */
  readonly stream: Branch<S>;
  readonly plan: Plan;
}

/** Services of a mill for the nouns that it opens. */
export interface Scope {
  /** Returns the mill's local time as ISO text. The mill reads the clock once and stores the time in its snapshot. */
  now(): string;
  /**
   * Opens another kernel with the mill's memory limit. The noun may dispose of it early; otherwise the mill disposes of
   * it at its own disposal.
   */
  openKernel(): Kernel;
}

/**
 * Describes a system, such as tables or walks, to the mill. A mill opens the nouns of all systems in the same steps:
 * unknown input → spec → plan → noun.
 */
export interface System<Options extends object, Spec extends object, Plan, N extends Noun, S extends State = State> {
  /** The kind of noun that the system opens, for messages: "table". */
  readonly noun: string;
  /** The names of the system's options; any other option is an error. */
  readonly options: readonly string[];
  /** Whether each noun has a separate kernel, so that a trap caused by another noun cannot destroy the noun's state. */
  readonly ownKernel?: true;
  /** Reads untrusted input. The mill skips this step if the input is a spec that `parse` returned. */
  parse(input: unknown, options: Options & { readonly name: string }): Parsed<Spec>;
  /** Compiles a spec to a plan, and checks everything that can be checked in advance. A pure function. */
  compile(spec: Spec, options: Options & { readonly name: string }): Plan;
  /** Returns the function that creates the state of a noun and of its forks. Default: only the index of the next result. */
  state?(plan: Plan, scope: Scope & { readonly name: string }, options: Options): CreateState<S>;
  /** Creates the noun. */
  open(setup: Setup<Plan, S>, options: Options, scope: Scope): N;
}

/** What a mill opens under a name. */
export interface Noun {
  readonly name: string;
  /**
   * Returns the same noun on another branch; it shares the plan.
   *
   * @internal
   */
  on(stream: Branch): Noun;
}

/** A noun whose result k is a function of (seed, name, k). */
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
  /** Index after the last single result that was made for `next`: the next single result may be one of several in a row. */
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

  /** @internal The state of the noun, which its handles share. */
  protected get state(): S {
    this.#state ??= this.stream.state();
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
   * Returns the same thing on a child stream: for a player, a room or a region. It has other random words and a separate
   * state, and shares everything else. Equal ids give the same child. A fork can be forked again.
   *
   * Cost: about a microsecond; memory only for the handle, and for the state once it has one.
   *
   * @param id - A text; a safe integer or a bigint of 64 bits; or a pair of 32-bit integers, such as coordinates.
   * @throws RollmillError `argument.type`, `argument.range` for an invalid id.
   */
  abstract fork(id: ForkId): Addressed<Plan, S>;

  /**
   * Forgets the state of a fork and of the forks under it. The next fork with this id begins anew. What several tables or
   * makers of a fork share stays as it is, because others may need it: one-shots stay used, artifacts stay made.
   */
  releaseFork(id: ForkId): void {
    this.stream.node().release(id);
  }

  /** @internal */
  abstract on(stream: Branch<S>): Addressed<Plan, S>;

  /** @internal The {@link Setup} of this noun on another branch. */
  protected setupOn(stream: Branch<S>): Setup<Plan, S> {
    return { kernel: this.kernel, name: this.name, stream, plan: this.plan };
  }

  /** @internal The keys of the branches whose state a call uses: the noun's own, unless nouns share more state. */
  protected get keys(): readonly StreamKey[] {
    return this.#keys;
  }

  /** @internal Whether no call on this noun can be refused. One load, for calls that do little more. */
  protected get isFree(): boolean {
    return this.#turns.isIdle;
  }

  /**
   * @internal
   * Checks that the noun can be called, before anything else is checked.
   *
   * @throws RollmillError `argument.disposed`; `argument.busy` if a callback of a call on this noun makes the call.
   */
  protected checkTurn(): void {
    if (this.#turns.isIdle && !this.kernel.isDisposed) return;
    this.#turns.check(this.name, this.keys);
    if (this.kernel.isDisposed) refuseDisposed(this.name);
  }

  /**
   * @internal
   * Runs a call that runs callbacks. A callback that calls this noun is refused.
   *
   * @throws The errors of {@link checkTurn}, and those of the call.
   */
  protected alone<T>(call: () => T): T {
    this.checkTurn();
    return this.#turns.run(this.name, this.keys, call);
  }

  /**
   * @internal
   * Runs a call that makes many results, alone. The index of the next result moves when `make` has returned: if it throws,
   * the call changes nothing.
   *
   * @param call - its name, the options as given, and the names of its options.
   * @param n - returns the number of results, or refuses the arguments.
   * @throws The errors of {@link checkTurn}, `readOptions` and `checkRange`, and those of `make`.
   */
  protected bulk<Options extends BulkOptions, T>(
    call: { readonly name: string; readonly given: Options; readonly known: readonly string[] },
    n: () => number,
    make: (range: Range, options: Options) => T,
  ): T {
    return this.alone(() => {
      const options = readOptions(call.name, call.given, call.known);
      const from = options.from ?? this.state.next;
      const total = n();
      checkRange(from, total);
      const made = make({ name: this.name, from, total }, options);
      if (options.from === undefined) this.state.next = from + total;
      return made;
    });
  }

  /**
   * @internal
   * Whether the single result at `next` follows the last one, so that results made in advance will probably be used.
   * The first of several in a row is made alone.
   */
  protected isInRow(): boolean {
    const { next } = this.state;
    const isNext = this.#inRow === next;
    this.#inRow = next + 1;
    return isNext;
  }
}
