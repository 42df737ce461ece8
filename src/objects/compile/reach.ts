import { fits, type Sort, type SortRange } from "../odds/law.js";
import { NO_TVAL } from "../parse/tvals.js";
import type { AffixSpec, AffixTarget, ArtifactSpec, KindSpec, ObjectFiles } from "../types.js";

// ── kinds in order ──

/** The places `first` … `end` − 1 among the kinds; empty if `end` is not greater. */
interface Stretch {
  readonly first: number;
  readonly end: number;
}

/** Above every sval, so that a tval and an sval make one key. */
const SVALS = 2 ** 32;

/** The kinds that have a type, sorted by tval and sval: the kinds that a `T` line matches are side by side. */
class KindOrder {
  /** In that order; kinds of the same tval and sval keep the order of the files. */
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

  /** The place of a kind; −1 for a kind without a type. */
  placeOf(kind: KindSpec): number {
    return this.#places.get(kind) ?? -1;
  }

  /** The first kind of a tval and an sval. Cost: O(log kinds). */
  kindOf({ tval, sval }: Pick<ArtifactSpec, "tval" | "sval">): KindSpec | undefined {
    const { first, end } = this.stretchOf({ tval, leastSval: sval, mostSval: sval });
    return first < end ? this.kinds[first] : undefined;
  }

  /** The places of the kinds that a `T` line matches. Cost: O(log kinds). */
  stretchOf({ tval, leastSval, mostSval }: SortRange): Stretch {
    return { first: this.#firstFrom(keyOf(tval, leastSval)), end: this.#firstFrom(keyOf(tval, mostSval + 1)) };
  }

  /** Whether a line matches any kind. Cost: O(lines · log kinds). */
  isReachedBy(targets: readonly SortRange[]): boolean {
    return targets.some((target) => {
      const { first, end } = this.stretchOf(target);
      return first < end;
    });
  }

  /** The kinds that any of the lines matches, each once. Cost: O(lines · log(lines · kinds)), and the kinds found. */
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

  /** The first place whose key is not less. */
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

// ── which affixes can come on which kinds ──

/** A bit for each place of a {@link KindOrder}. */
type KindBits = Uint32Array<ArrayBuffer>;

/** Which affixes each kind can get by chance, whatever else an object has. */
export class Obtainable {
  readonly order: KindOrder;
  readonly #affixes: ReadonlyMap<number, AffixSpec>;
  /** By affix: the kinds that can get it. */
  readonly #kinds: ReadonlyMap<AffixSpec, KindBits>;
  readonly #some: KindBits;
  readonly #rivals = new Map<number, Set<number>>();

  /**
   * Cost: O(`T` and `X` lines), and 1 bit for each affix and kind. If several `T` lines of one affix match the same
   * kinds: the depths of each line, for each range of svals that the lines tell apart.
   */
  constructor({ kinds, affixes }: Pick<ObjectFiles, "kinds" | "affixes">) {
    this.order = new KindOrder(kinds);
    this.#affixes = new Map(affixes.map((affix) => [affix.number, affix]));
    this.#kinds = new Map(affixes.map((affix) => [affix, kindsOf(affix, this.order)]));
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

  /** The affixes of some numbers; skips numbers that have no affix. */
  affixes(numbers: Iterable<number>): readonly AffixSpec[] {
    return [...numbers].flatMap((number) => this.#affixes.get(number) ?? []);
  }

  /** Whether a kind can get an affix. Cost: O(1). */
  canGet(kind: KindSpec, affix: AffixSpec): boolean {
    const bits = this.#kinds.get(affix);
    return bits !== undefined && hasBit(bits, this.order.placeOf(kind));
  }

  /** Whether a kind can get any affix. Cost: O(1). */
  canGetSome(kind: KindSpec): boolean {
    return hasBit(this.#some, this.order.placeOf(kind));
  }

  /** Whether any kind can get an affix. Cost: O(kinds / 32). */
  canCome(affix: AffixSpec): boolean {
    return this.#kinds.get(affix)?.some((word) => word !== 0) ?? false;
  }

  /** The first of the affixes that another of them excludes. Cost: O(affixes), and at most their `X` lines. */
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

  /** Whether any two of some different affixes can be on one object. Cost: O(affixes), and at most their `X` lines. */
  someTogether(affixes: readonly AffixSpec[]): boolean {
    for (let i = 0; i < affixes.length; i++) {
      const rivals = this.#rivals.get(affixes[i].number);
      for (let j = i + 1; j < affixes.length; j++) if (rivals?.has(affixes[j].number) !== true) return true;
    }
    return false;
  }
}

/** The kind of an artifact; undefined if the files have no kind of its tval and sval. Cost: O(kinds). */
export function kindOfArtifact(
  { kinds }: Pick<ObjectFiles, "kinds">,
  { tval, sval }: Pick<ArtifactSpec, "tval" | "sval">,
): KindSpec | undefined {
  return kinds.find((kind) => kind.tval === tval && kind.sval === sval);
}

/** Whether a line matches a kind, whatever the depths. */
export function reaches(targets: readonly SortRange[], kind: Sort): boolean {
  return targets.some((target) => fits(target, kind));
}

/**
 * The kinds that can get an affix: for some depth and level, one of its `T` lines is the first to match.
 *
 * A line matches if min ≤ D, L ≤ max and its level ≤ the object's, where L is the depth and D ≥ L the boosted depth. It
 * is enough to look at its own level and at D = L for each L of min … max. Proof: an earlier line that matches at
 * D = L = d also matches at every greater D, every smaller L and every higher level. So if earlier lines match at all
 * of these, then also everywhere else that the line matches: at L < min the line that matches at d = min, at other L
 * the one at d = L.
 */
function kindsOf({ targets }: AffixSpec, order: KindOrder): KindBits {
  const kinds = noBits(order);
  const stretches = targets.map((line) => ({ line, ...order.stretchOf(line) }));
  // between two cuts all kinds have the same lines
  const cuts = [...new Set(stretches.flatMap(({ first, end }) => [first, end]))].sort((a, b) => a - b);
  const indexOf = new Map(cuts.map((cut, index) => [cut, index]));
  /** By cut: the lowest level of the lines so far at each depth; `true` once a line can match first. */
  const known: (number[] | true | undefined)[] = cuts.map(() => undefined);
  for (const { line, first, end } of stretches) {
    const last = indexOf.get(end) ?? 0;
    for (let cut = indexOf.get(first) ?? 0; cut < last; cut++) {
      const levels = known[cut];
      if (levels === true) continue;
      if (line.probability > 0 && isSeen(line, levels)) {
        known[cut] = true;
        for (let place = cuts[cut]; place < cuts[cut + 1]; place++) kinds[place >>> 5] |= 1 << (place & 31);
      } else known[cut] = withLine(line, levels);
    }
  }
  return kinds;
}

/** Whether a line is the first to match at some depth. Lines of probability 0 before it count too. */
function isSeen({ least, most, level }: AffixTarget, levels: readonly number[] = []): boolean {
  for (let depth = least; depth <= most; depth++) if ((levels[depth] ?? Number.POSITIVE_INFINITY) > level) return true;
  return false;
}

function withLine({ least, most, level }: AffixTarget, levels: number[] = []): number[] {
  for (let depth = least; depth <= most; depth++) {
    levels[depth] = Math.min(levels[depth] ?? Number.POSITIVE_INFINITY, level);
  }
  return levels;
}

function noBits({ kinds }: KindOrder): KindBits {
  return new Uint32Array(Math.ceil(kinds.length / 32));
}

/** Whether the bit of a place is set; false for −1. */
function hasBit(bits: KindBits, place: number): boolean {
  return place >= 0 && ((bits[place >>> 5] >>> (place & 31)) & 1) !== 0;
}
