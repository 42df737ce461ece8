import { type ForkId, type Seed, type StreamKey, seedKey } from "../address.js";
import type { Kernel, KernelPart } from "../kernel/index.js";
import { checkInteger, type Parsed, readOptions } from "../spec/index.js";
import { type AtOptions, BULK_OPTIONS, type BulkOptions, checkRange, MAX_INDEX, type Range } from "./batches.js";
import { type CreateState, type Guard, refuseDisposed, refuseReleased, type Scope } from "./scope.js";
import type { State } from "./state.js";

/**
 * The arguments that every noun's constructor needs. A noun is a thing that a mill opens under a name, such as a table.
 */
export interface Setup<Plan, S extends State = State> {
  readonly kernel: Kernel;
  readonly name: string;
  /** Where the noun reads random words and keeps its state. */
  readonly stream: Scope<S>;
  readonly plan: Plan;
}

/** What a mill provides to its nouns. */
export interface Services {
  /** The seed of the mill, as text. */
  readonly seed: string;
  /** Returns the mill's local time as ISO text. The mill reads the clock only once. Snapshots contain this time. */
  now(): string;
  /**
   * Opens a new kernel for the noun, with at most `maxBytes`, by default the mill's `maxMemory`. The mill disposes of
   * the kernel; the noun may do so earlier. Messages name `maxMemory` as the limit, and `maxBytes` as a share of it.
   */
  openKernel(maxBytes?: number, maxMemory?: number): Kernel;
  /** Returns the kernel and the services of another system, for a noun that opens nouns of that system. */
  serve(system: KernelUse): Served;
}

export interface Served {
  readonly kernel: Kernel;
  readonly services: Services;
}

/** The kernel that a system's nouns use. */
export interface KernelUse {
  /** The part of the kernel with the functions of the system. Default: the part of lists, tables and pools. */
  readonly kernel?: KernelPart;
  /** Whether each noun has its own kernel. Then a noun keeps its state if another noun's kernel traps. */
  readonly ownKernel?: true;
  /** The systems whose nouns this system opens. A world, for example, opens tables. */
  readonly uses?: readonly KernelUse[];
}

/**
 * Describes a system, such as tables or walks, to the mill. To open a noun (a table, a walk), the mill calls `parse` to
 * turn unknown input into a spec, `compile` to turn the spec into a plan, and `open` to turn the plan into the noun.
 */
export interface System<Options extends object, Spec extends object, Plan, N extends Noun, S extends State = State>
  extends KernelUse {
  /** The kind of noun that the system opens, such as "table". For messages. */
  readonly noun: string;
  /** Names of the valid options. Any other option is an error. */
  readonly options: readonly string[];
  /** Reads untrusted input. The mill skips this step if the input is a spec that `parse` returned. */
  parse(input: unknown, options: Options & { readonly name: string }): Parsed<Spec>;
  /** Compiles a spec to a plan. Checks everything that can be checked before the first result. A pure function. */
  compile(spec: Spec, options: Options & { readonly name: string }): Plan;
  /** Returns the function that creates the state of a noun. Default: the state is only the index of the next result. */
  state?(plan: Plan, services: Services & { readonly name: string }, options: Options): CreateState<S>;
  open(setup: Setup<Plan, S>, options: Options, services: Services): N;
}

/** A thing that `mill.table`, `mill.pools` and so on return. */
export interface Noun {
  readonly name: string;
  /** @internal Returns the same noun on another scope, for example on the scope of a fork. The plan is shared. */
  on(stream: Scope): Noun;
}

/** The base of every noun: its forks, its state, and the guard of its calls. */
export abstract class Guarded<Plan, S extends State = State> implements Noun {
  readonly name: string;
  /** @internal */
  readonly kernel: Kernel;
  /** @internal */
  readonly stream: Scope<S>;
  /** @internal */
  readonly plan: Plan;
  #state: S | undefined;
  readonly #guard: Guard;
  readonly #keys: readonly StreamKey[];

  /** @internal */
  constructor({ kernel, name, stream, plan }: Setup<Plan, S>) {
    this.kernel = kernel;
    this.name = name;
    this.stream = stream;
    this.plan = plan;
    this.#guard = stream.guard;
    this.#keys = [stream.key];
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
  fork(id: ForkId): this {
    return this.on(this.stream.fork(id));
  }

  /**
   * Forgets the state of a fork, and of the fork's own forks. The next fork with this id begins anew. If you still have
   * the old fork, and it has used its state, it throws `argument.disposed` when a call needs the state.
   *
   * Keeps state that several tables or makers of the fork share: one-shots stay used, and artifacts stay made.
   */
  releaseFork(id: ForkId): void {
    this.stream.node().release(id);
  }

  /** @internal Returns the noun as in a new mill with the same seed or another one: only its state is not shared. */
  anew(seed?: Seed): this {
    return this.on(this.stream.anew(this.name, seed === undefined ? undefined : seedKey(seed)));
  }

  /** @internal */
  on(stream: Scope<S>): this {
    // the cast is safe: `copy` creates an object of the same class
    return this.copy({ ...this.setupWith(this.plan), stream }) as this;
  }

  /** @internal Creates the same noun with another constructor argument. */
  protected abstract copy(setup: Setup<Plan, S>): Noun;

  /** @internal Returns the constructor argument, with another plan. */
  protected setupWith<Other>(plan: Other): Setup<Other, S> {
    return { kernel: this.kernel, name: this.name, stream: this.stream, plan };
  }

  /** @internal Returns the state, which all handles of the noun share. */
  protected get state(): S {
    this.#state ??= this.stream.state();
    if (this.#state.isReleased) refuseReleased(this.name);
    return this.#state;
  }

  /** @internal The keys of the scopes whose state a call uses. Default: only this noun's scope. */
  protected get keys(): readonly StreamKey[] {
    return this.#keys;
  }

  /**
   * @internal True if every call on this noun is allowed now. For very short calls, because it reads only one field.
   */
  protected get isFree(): boolean {
    return this.#guard.isIdle;
  }

  /** @internal Throws if the noun is disposed, or if a running call uses one of the scopes in {@link keys}. */
  protected checkTurn(): void {
    if (this.#guard.isIdle && !this.kernel.isDisposed) return;
    this.#guard.check(this.name, this.keys);
    if (this.kernel.isDisposed) refuseDisposed(this.name);
  }

  /** @internal Runs a call that runs callbacks. Callbacks cannot call this noun. Throws as {@link checkTurn} does. */
  protected alone<T>(call: () => T): T {
    this.checkTurn();
    return this.#guard.run(this.name, this.keys, call);
  }
}

/** A noun with numbered results: result k depends only on the seed, the name and k. */
export abstract class Addressed<Plan, S extends State = State> extends Guarded<Plan, S> {
  /** The index after the last result that a single call made at `next`. */
  #inRow = -1;

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
   * @internal Runs a call that makes one result: the result at `at`, or at `next`. `next` advances only after `make`
   * has returned. `call` is the call as users write it, such as "dice.roll".
   */
  protected single<T>(call: string, given: AtOptions, make: (index: number) => T): T {
    this.checkTurn();
    const { at } = readOptions(call, given, AT_OPTIONS);
    const index = at ?? this.state.next;
    checkRange(index, 1);
    const made = make(index);
    if (at === undefined) this.state.next = index + 1;
    return made;
  }

  /**
   * @internal Runs a call that makes many results. Callbacks cannot call this noun. `next` advances only after `make`
   * has returned. So a call that throws changes nothing.
   *
   * @param call - The call as users write it, with the names of its options if it has others than {@link BulkOptions}.
   */
  protected bulk<Options extends BulkOptions, T>(
    call: string | { readonly name: string; readonly known: readonly string[] },
    given: Options,
    n: number,
    make: (range: Range, options: Options) => T,
  ): T {
    return this.alone(() => {
      const { name, known } = typeof call === "string" ? { name: call, known: BULK_OPTIONS } : call;
      const options = readOptions(name, given, known);
      // a callback may release the fork: then the call ends with the old state
      const state = options.from === undefined ? this.state : undefined;
      const from = options.from ?? this.state.next;
      checkRange(from, n);
      const made = make({ name: this.name, from, total: n }, options);
      if (state !== undefined) state.next = from + n;
      return made;
    });
  }

  /**
   * @internal Whether the previous single result had the index before `next`. Then the next results can be made ahead.
   */
  protected isInRow(): boolean {
    const { next } = this.state;
    const isNext = this.#inRow === next;
    this.#inRow = next + 1;
    return isNext;
  }
}

export const AT_OPTIONS = ["at"] as const;
