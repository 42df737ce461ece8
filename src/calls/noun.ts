import type { Kernel } from "../kernel/index.js";
import type { Parsed } from "../spec/index.js";
import { checkInteger, MAX_INDEX } from "./options.js";

/** The argument of every noun's constructor. */
export interface Setup<Plan> {
  readonly kernel: Kernel;
  readonly name: string;
  /** The stream of random words, as the kernel's calls take it (`purpose`). */
  readonly stream: number;
  readonly plan: Plan;
}

/** Services of a mill for the nouns that it opens. */
export interface Scope {
  /** The local time of the mill, as ISO text. The mill reads the clock once and keeps the time in its snapshot. */
  now(): string;
  /** The stream of another name, such as "land/rivers" for the walk "land". */
  stream(name: string): number;
  /**
   * Opens another kernel with the mill's key and memory limit. The noun may dispose it early; the mill does at its end.
   */
  openKernel(): Kernel;
  /** State that several nouns share, by key. The first caller creates it; the snapshot contains it. */
  shared<T extends { state(): unknown }>(key: string, create: (saved: unknown) => T): T;
  /** The state of this name in the mill's snapshot, unchecked; undefined for a fresh start. */
  readonly saved: unknown;
}

/** The descriptor of a system. A mill opens all of them by one path: unknown input → spec → plan → noun. */
export interface System<Options extends object, Spec extends object, Plan, Noun> {
  /** The noun that it opens, as messages name it: "table". */
  readonly noun: string;
  /** The names of its options; any other option is an error. */
  readonly options: readonly string[];
  /** Whether each noun has its own kernel, so that a trap of another noun cannot destroy its state. */
  readonly ownKernel?: true;
  /** Reads untrusted input. The mill skips this for a spec that the system has parsed. */
  parse(input: unknown, options: Options & { readonly name: string }): Parsed<Spec>;
  /** Checks everything that can be checked before running. Pure. */
  compile(spec: Spec, options: Options & { readonly name: string }): Plan;
  /** The names whose streams the noun reads. Default: its own name. */
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
  /** @internal The value of {@link next}, without its check. */
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
   * @throws RollmillError `argument.range`.
   */
  get next(): number {
    return this.cursor;
  }

  set next(index: number) {
    checkInteger("next", index, 0, MAX_INDEX);
    this.cursor = index;
  }
}
