import type { Watch } from "../../calls/index.js";
import { DEPTHS } from "../../kernel/layout.js";
import { fits, type Sort, type SortRange } from "../odds/law.js";
import { NO_TVAL } from "../parse/tvals.js";
import type { AffixSpec, AffixTarget, ArtifactSpec, KindSpec, ObjectFiles } from "../types.js";

// ── kinds in order ──

/** The places `first` … `end` − 1 in the sorted list of kinds. Empty if `end` ≤ `first`. */
interface Stretch {
  readonly first: number;
  readonly end: number;
}

/** Greater than every sval, so that tval · SVALS + sval is a unique key. */
const SVALS = 2 ** 32;

/**
 * The kinds that have a type, sorted by tval and sval. In this order, the kinds that a `T` line matches stand next to
 * each other.
 */
export class KindOrder {
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

  placeOf(kind: KindSpec): number {
    return this.#places.get(kind) ?? -1;
  }

  /** Returns the first kind with this tval and sval. Cost: O(log kinds). */
  kindOf({ tval, sval }: Pick<ArtifactSpec, "tval" | "sval">): KindSpec | undefined {
    const { first, end } = this.stretchOf({ tval, leastSval: sval, mostSval: sval });
    return first < end ? this.kinds[first] : undefined;
  }

  /** Returns the places of the kinds that a `T` line matches. Cost: O(log kinds). */
  stretchOf({ tval, leastSval, mostSval }: SortRange): Stretch {
    return { first: this.#firstFrom(keyOf(tval, leastSval)), end: this.#firstFrom(keyOf(tval, mostSval + 1)) };
  }

  isReachedBy(targets: readonly SortRange[]): boolean {
    return targets.some((target) => {
      const { first, end } = this.stretchOf(target);
      return first < end;
    });
  }

  /**
   * Returns the kinds that at least one line matches, each once. Cost: O(lines · log(lines · kinds)), plus O(1) for
   * each kind found.
   */
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

  /** Returns the first place whose key is at least `key`. */
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

// ── which affixes each kind can get ──

/** One bit for each place of a {@link KindOrder}. */
type KindBits = Uint32Array<ArrayBuffer>;

/** Knows which affixes each kind can get by chance. Does not consider which affixes an object already has. */
export class Obtainable {
  readonly order: KindOrder;
  readonly #affixes: ReadonlyMap<number, AffixSpec>;
  readonly #kinds: ReadonlyMap<AffixSpec, KindBits>;
  readonly #some: KindBits;
  /** Maps the number of each affix to the numbers of the affixes that cannot be combined with it. */
  readonly #rivals = new Map<number, Set<number>>();

  /**
   * Memory: one bit for each pair of an affix and a kind. Cost: O(`T` and `X` lines). The `T` lines of an affix divide
   * the svals into ranges. If several lines match a range, each of them also costs up to O(depths) for this range.
   *
   * @param watch - Checks whether the call was aborted.
   */
  constructor({ kinds, affixes }: Pick<ObjectFiles, "kinds" | "affixes">, watch?: Watch) {
    this.order = new KindOrder(kinds);
    this.#affixes = new Map(affixes.map((affix) => [affix.number, affix]));
    const kindsFor = (affix: AffixSpec): readonly [AffixSpec, KindBits] => {
      watch?.look();
      return [affix, kindsOf(affix, this.order)];
    };
    this.#kinds = new Map(affixes.map(kindsFor));
    this.#some = noBits(this.order);
    for (const bits of this.#kinds.values()) for (const [i, word] of bits.entries()) this.#some[i] |= word;
    const forbid = (one: number, other: number) => {
      this.#rivals.set(one, (this.#rivals.get(one) ?? new Set()).add(other));
    };
    for (const { number, excludes } of affixes) {
      for (const other of excludes) {
        forbid(number, other);
        forbid(other, number);
      }
    }
  }

  affixes(numbers: Iterable<number>): readonly AffixSpec[] {
    return [...numbers].flatMap((number) => this.#affixes.get(number) ?? []);
  }

  canGet(kind: KindSpec, affix: AffixSpec): boolean {
    const bits = this.#kinds.get(affix);
    return bits !== undefined && hasBit(bits, this.order.placeOf(kind));
  }

  canGetSome(kind: KindSpec): boolean {
    return hasBit(this.#some, this.order.placeOf(kind));
  }

  canCome(affix: AffixSpec): boolean {
    return this.#kinds.get(affix)?.some((word) => word !== 0) ?? false;
  }

  /**
   * Returns the first affix that cannot be combined with another affix of the list. Cost: at most O(affixes + their `X`
   * lines).
   */
  firstRival(affixes: readonly AffixSpec[]): AffixSpec | undefined {
    const all = new Map(affixes.map((affix) => [affix.number, affix]));
    return [...new Set(affixes)].find(({ number }) => {
      const rivals = this.#rivals.get(number);
      if (rivals === undefined) return false;
      const [fewer, more] = rivals.size < all.size ? [rivals, all] : [all, rivals];
      for (const other of fewer.keys()) if (other !== number && more.has(other)) return true;
      return false;
    });
  }

  /**
   * Whether the list has two affixes that can be combined with each other. No affix may be listed twice. Cost: at most
   * O(affixes + their `X` lines).
   */
  someTogether(affixes: readonly AffixSpec[]): boolean {
    for (let i = 0; i < affixes.length; i++) {
      const rivals = this.#rivals.get(affixes[i].number);
      for (let j = i + 1; j < affixes.length; j++) if (rivals?.has(affixes[j].number) !== true) return true;
    }
    return false;
  }
}

/** Returns the kind of an artifact; undefined if no kind has its tval and sval. Cost: O(kinds). */
export function kindOfArtifact(
  { kinds }: Pick<ObjectFiles, "kinds">,
  { tval, sval }: Pick<ArtifactSpec, "tval" | "sval">,
): KindSpec | undefined {
  return kinds.find((kind) => kind.tval === tval && kind.sval === sval);
}

/** Whether at least one of the lines matches a kind at some depth. */
export function reaches(targets: readonly SortRange[], kind: Sort): boolean {
  return targets.some((target) => fits(target, kind));
}

/**
 * Returns the kinds that can get an affix. At each depth and affix level, the first `T` line of the affix that matches
 * decides. A kind can get the affix if, at some depth and affix level, this line has a probability above 0.
 *
 * Let L be the real depth and D ≥ L the boosted depth. A line for the depths min … max matches if min ≤ D and L ≤ max,
 * and if the level of the line is at most the object's affix level. Can a line be the first to match? To answer this,
 * it is enough to check the affix level that equals the line's level, and D = L = d for each d of min … max.
 *
 * Proof: suppose that for each of these d, an earlier line E(d) matches at D = L = d. Then E(d) also matches at every
 * greater D, every smaller L and every higher level. Now take any L, D and level at which the given line itself
 * matches. If L ≥ min, E(L) matches too, because D ≥ L. If L < min, E(min) matches too, because D ≥ min. So the given
 * line is never the first to match.
 */
function kindsOf({ targets }: AffixSpec, order: KindOrder): KindBits {
  const kinds = noBits(order);
  const { cuts, stretches } = cutsOf(targets, order);
  /** Entry c is true if it is known that the kinds between the cuts c and c + 1 can get the affix. */
  const isKnown = cuts.map(() => false);
  const covers = new Covers(cuts.length);
  for (const { line, first, end } of stretches) {
    for (let cut = first; cut < end; cut++) {
      if (isKnown[cut]) continue;
      if (line.probability > 0 && covers.isSeen(cut, line)) {
        isKnown[cut] = true;
        for (let place = cuts[cut]; place < cuts[cut + 1]; place++) kinds[place >>> 5] |= 1 << (place & 31);
      } else covers.add(cut, line);
    }
  }
  return kinds;
}

/**
 * Returns the `T` lines of an affix that have no effect. Such a line matches kinds, but an earlier line always matches
 * first. The proof at {@link kindsOf} explains how this is checked.
 */
export function hiddenLines({ targets }: AffixSpec, order: KindOrder): readonly AffixTarget[] {
  const { cuts, stretches } = cutsOf(targets, order);
  const covers = new Covers(cuts.length);
  return stretches.flatMap(({ line, first, end }) => {
    let isSeen = first === end;
    for (let cut = first; cut < end; cut++) {
      isSeen ||= covers.isSeen(cut, line);
      covers.add(cut, line);
    }
    return isSeen ? [] : [line];
  });
}

/**
 * - `cuts`: the places at which the set of matching lines changes.
 * - `stretches`: for each line, the kinds that it matches. Here, `first` and `end` are indices into `cuts`.
 */
interface Cuts {
  readonly cuts: readonly number[];
  readonly stretches: readonly (Stretch & { readonly line: AffixTarget })[];
}

/** Divides the kinds by cuts. Between two cuts, the same lines match all kinds. */
function cutsOf(targets: readonly AffixTarget[], order: KindOrder): Cuts {
  const stretches = targets.map((line) => ({ line, ...order.stretchOf(line) }));
  const cuts = [...new Set(stretches.flatMap(({ first, end }) => [first, end]))].sort((a, b) => a - b);
  const indexOf = new Map(cuts.map((cut, index) => [cut, index]));
  const indexed = stretches.map(({ line, first, end }) => {
    const from = indexOf.get(first) ?? 0;
    return { line, first: from, end: Math.max(from, indexOf.get(end) ?? 0) };
  });
  return { cuts, stretches: indexed };
}

/** Greater than every affix level. */
const NO_LEVEL = 255;

/**
 * Remembers the lines that were added. For each cut and depth, stores the lowest affix level of the added lines that
 * match there.
 */
class Covers {
  readonly #levels: (Uint8Array<ArrayBuffer> | undefined)[];

  constructor(cuts: number) {
    this.#levels = Array.from({ length: cuts }, () => undefined);
  }

  /**
   * Whether a new line is the first to match at some depth. Lines of probability 0 must be added too, because they also
   * match.
   */
  isSeen(cut: number, { least, most, level }: AffixTarget): boolean {
    const levels = this.#levels[cut];
    if (levels === undefined) return true;
    for (let depth = least; depth <= most; depth++) if (levels[depth] > level) return true;
    return false;
  }

  add(cut: number, { least, most, level }: AffixTarget): void {
    let levels = this.#levels[cut];
    if (levels === undefined) {
      levels = new Uint8Array(DEPTHS).fill(NO_LEVEL);
      this.#levels[cut] = levels;
    }
    for (let depth = least; depth <= most; depth++) levels[depth] = Math.min(levels[depth], level);
  }
}

function noBits({ kinds }: KindOrder): KindBits {
  return new Uint32Array(Math.ceil(kinds.length / 32));
}

/** Whether the bit of a place is set; false for −1. */
function hasBit(bits: KindBits, place: number): boolean {
  return place >= 0 && ((bits[place >>> 5] >>> (place & 31)) & 1) !== 0;
}
