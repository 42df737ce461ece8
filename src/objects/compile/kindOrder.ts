import type { SortRange } from "../odds/law.js";
import { NO_TVAL } from "../parse/tvals.js";
import type { ArtifactSpec, KindSpec } from "../types.js";

/** Places `first` … `end` − 1 among the kinds; none where `end` is no greater. */
export interface Stretch {
  readonly first: number;
  readonly end: number;
}

/** More than an sval comes to: a tval and an sval are one number. */
const SVALS = 2 ** 32;

/** Kinds of some type in the order of type and sort, where those that a `T` line is about stand side by side. */
export class KindOrder {
  /** In that order; what shares both stands as in the files. */
  readonly kinds: readonly KindSpec[];
  readonly #keys: readonly number[];
  readonly #places: ReadonlyMap<KindSpec, number>;

  constructor(kinds: readonly KindSpec[]) {
    const keyed = kinds
      .filter(({ tval }) => tval !== NO_TVAL)
      .map((kind) => ({ kind, key: keyOf(kind.tval, kind.sval) }));
    keyed.sort((a, b) => a.key - b.key);
    this.kinds = keyed.map(({ kind }) => kind);
    this.#keys = keyed.map(({ key }) => key);
    this.#places = new Map(this.kinds.map((kind, place) => [kind, place]));
  }

  /** Where a kind stands; −1 for one that is not here. */
  placeOf(kind: KindSpec): number {
    return this.#places.get(kind) ?? -1;
  }

  /** The first kind of a tval and an sval. Cost: O(log kinds). */
  kindOf({ tval, sval }: Pick<ArtifactSpec, "tval" | "sval">): KindSpec | undefined {
    const { first, end } = this.stretchOf({ tval, leastSval: sval, mostSval: sval });
    return first < end ? this.kinds[first] : undefined;
  }

  /** Where the kinds stand that a `T` line is about. Cost: O(log kinds). */
  stretchOf({ tval, leastSval, mostSval }: SortRange): Stretch {
    return { first: this.#firstFrom(keyOf(tval, leastSval)), end: this.#firstFrom(keyOf(tval, mostSval + 1)) };
  }

  /** Whether one of the lines is about some kind. Cost: O(lines · log kinds). */
  isReachedBy(targets: readonly SortRange[]): boolean {
    return targets.some((target) => {
      const { first, end } = this.stretchOf(target);
      return first < end;
    });
  }

  /** The kinds that one of the lines is about, each once. Cost: O(lines · log(lines · kinds)), and the kinds found. */
  reachedBy(targets: readonly SortRange[]): readonly KindSpec[] {
    const stretches = targets.map((target) => this.stretchOf(target)).sort((a, b) => a.first - b.first);
    const reached: KindSpec[] = [];
    let done = 0;
    for (const { first, end } of stretches) {
      for (let place = Math.max(first, done); place < end; place++) reached.push(this.kinds[place]);
      done = Math.max(done, end);
    }
    return reached;
  }

  /** The first place whose key is no less. */
  #firstFrom(key: number): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function keyOf(tval: number, sval: number): number {
  return tval * SVALS + sval;
}
