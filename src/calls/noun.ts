import type { Kernel } from "../kernel/index.js";
import type { Parsed } from "../spec/index.js";
import { checkInteger, MAX_INDEX } from "./options.js";

/** What the constructor of every noun takes. */
export interface Setup<Plan> {
  readonly kernel: Kernel;
  readonly name: string;
  /** The stream of random words: its purpose in the kernel. */
  readonly stream: number;
  readonly plan: Plan;
}

/** What a mill gives to the nouns that it opens, beside their {@link Setup}. */
export interface Scope {
  /** The local time of the mill, as ISO text: read once, part of the snapshot. */
  now(): string;
  /** The stream of a name below the noun's own: "land/rivers". */
  stream(name: string): number;
  /** Another kernel of the mill's key and memory bound. Whoever opens it disposes of it; the mill's end does too. */
  openKernel(): Kernel;
  /** State that all nouns of a mill share, under a key; part of the snapshot. The first caller creates it. */
  shared<T extends { state(): unknown }>(key: string, create: (saved: unknown) => T): T;
  /** What the snapshot of the mill has under this name; undefined for a fresh start. The noun checks it. */
  readonly saved: unknown;
}

/** A system as a mill opens it: unknown input → spec → plan → noun. */
export interface System<Options extends object, Spec extends object, Plan, Noun> {
  /** What it opens, in messages: "table". */
  readonly noun: string;
  /** The options that it takes; any other is refused. */
  readonly options: readonly string[];
  /** Whether each noun has a kernel of its own, for state that a trap of another noun must not cost. */
  readonly ownKernel?: true;
  /** Reads untrusted input. The mill skips this for a spec that this system has parsed. */
  parse(input: unknown, options: Options & { readonly name: string }): Parsed<Spec>;
  /** Checks everything that can be checked before running. Pure. */
  compile(spec: Spec, options: Options & { readonly name: string }): Plan;
  /** The names whose streams the noun reads; default its own name. */
  streams?(plan: Plan, name: string): readonly string[];
  open(setup: Setup<Plan>, options: Options, scope: Scope): Noun;
}

/** A noun whose results have addresses: result k is a function of (seed, name, k). */
export abstract class Addressed<Plan> {
  readonly name: string;
  protected readonly kernel: Kernel;
  protected readonly stream: number;
  protected readonly plan: Plan;
  /** Index of the next result: {@link next}, unchecked. */
  protected cursor = 0;

  /** @internal */
  constructor({ kernel, name, stream, plan }: Setup<Plan>) {
    this.kernel = kernel;
    this.name = name;
    this.stream = stream;
    this.plan = plan;
  }

  /**
   * Index of the next result, 0 … 2^42. Set it to continue elsewhere.
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
