import type { Kernel } from "../kernel/index.js";
import type { Parsed } from "../spec/index.js";
import { checkInteger, MAX_INDEX } from "./options.js";

/**
 * The argument of every noun's constructor. A noun is what a mill opens under a name: a table, a weighted list, a
 * family of pools, a walk, a recipe, an object maker or a stream.
 */
export interface Setup<Plan> {
  readonly kernel: Kernel;
  readonly name: string;
  /** The number of the noun's stream of random words. Kernel calls take it as `purpose`. */
  readonly stream: number;
  readonly plan: Plan;
}

/** Services of a mill for the nouns that it opens. */
export interface Scope {
  /** Returns the mill's local time as ISO text. The mill reads the clock once and stores the time in its snapshot. */
  now(): string;
  /** Returns the number of the stream of a further name, such as "land/rivers" for a layer of the walk "land". */
  stream(name: string): number;
  /**
   * Opens another kernel with the mill's key and memory limit. The noun may dispose of this kernel early; otherwise
   * `mill.dispose` disposes of it.
   */
  openKernel(): Kernel;
  /** Returns state that several nouns share under a key. The first caller creates it; the snapshot contains it. */
  shared<T extends { state(): unknown }>(key: string, create: (saved: unknown) => T): T;
  /** The noun's state in the snapshot that the mill was created from, unchecked; undefined if the snapshot has none. */
  readonly saved: unknown;
}

/**
 * Describes a system, such as tables or walks, to the mill. A mill opens the nouns of all systems in the same steps:
 * unknown input → spec → plan → noun.
 */
export interface System<Options extends object, Spec extends object, Plan, Noun> {
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
  /** Returns the names whose streams the noun reads. Default: the noun's name only. */
  streams?(plan: Plan, name: string): readonly string[];
  /** Creates the noun. */
  open(setup: Setup<Plan>, options: Options, scope: Scope): Noun;
}

/** A noun whose result k is a function of (seed, name, k). */
export abstract class Addressed<Plan> {
  readonly name: string;
  /** @internal */
  protected readonly kernel: Kernel;
  /** @internal */
  protected readonly stream: number;
  /** @internal */
  protected readonly plan: Plan;
  /** The value of {@link next}. Subclasses set it directly, without the check of the setter. */
  protected cursor = 0;

  /** @internal */
  constructor({ kernel, name, stream, plan }: Setup<Plan>) {
    this.kernel = kernel;
    this.name = name;
    this.stream = stream;
    this.plan = plan;
  }

  /**
   * Index of the next result, 0 … 2^42. Set it to continue at another index.
   *
   * @throws RollmillError `argument.range` for any other value.
   */
  get next(): number {
    return this.cursor;
  }

  set next(index: number) {
    checkInteger("next", index, 0, MAX_INDEX);
    this.cursor = index;
  }
}
