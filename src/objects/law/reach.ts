import type { Watch } from "../../calls/index.js";
import { DEPTHS } from "../../kernel/layout.js";
import type { AffixSpec, AffixTarget, ArtifactSpec, KindSpec, ObjectFiles } from "../types.js";
import { fits, type Sort, type SortRange } from "./slots.js";
import { NO_TVAL } from "./tvals.js";

/** Greater than every sval, so that tval · SVALS + sval is a unique key. */
const SVALS = 2 ** 32;

/** The kinds that have a type, sorted by tval and sval. So the kinds that a `T` line matches are neighbours. */
export class KindOrder {
  readonly kinds: readonly KindSpec[];
  readonly #keys: readonly number[];
  readonly #places: ReadonlyMap<KindSpec, number>;

  constructor(kinds: readonly KindSpec[]) {
    const real = kinds.filter(({ tval }) => tval !== NO_TVAL);
    this.kinds = real.sort((a, b) => keyOf(a.tval, a.sval) - keyOf(b.tval, b.sval));
    this.#keys = this.kinds.map(({ tval, sval }) => keyOf(tval, sval));
    this.#places = new Map(this.kinds.map((kind, place) => [kind, place]));
  }

  placeOf(kind: KindSpec): number {
    return this.#places.get(kind) ?? -1;
  }

  kindOf({ tval, sval }: Pick<ArtifactSpec, "tval" | "sval">): KindSpec | undefined {
    const { first, end } = this.segmentOf({ tval, leastSval: sval, mostSval: sval });
    return first < end ? this.kinds[first] : undefined;
  }

  /**
   * Returns the places `first` … `end` − 1 of the kinds that a `T` line matches; none if `end` ≤ `first`. Cost: O(log
   * kinds).
   */
  segmentOf({ tval, leastSval, mostSval }: SortRange) {
    return { first: this.#firstFrom(keyOf(tval, leastSval)), end: this.#firstFrom(keyOf(tval, mostSval + 1)) };
  }

  isReachedBy(targets: readonly SortRange[]): boolean {
    return targets.some((target) => {
      const { first, end } = this.segmentOf(target);
      return first < end;
    });
  }

  /** Returns the kinds that at least one line matches, each once. Cost: O(lines · log(lines · kinds) + found kinds). */
  reachedBy(targets: readonly SortRange[]): readonly KindSpec[] {
    const segments = targets.map((target) => this.segmentOf(target)).sort((a, b) => a.first - b.first);
    const reached: KindSpec[] = [];
    let done = 0;
    for (const { first, end } of segments) {
      for (let place = Math.max(first, done); place < end; place++) reached.push(this.kinds[place]);
      done = Math.max(done, end);
    }
    return reached;
  }

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

type KindBits = Uint32Array<ArrayBuffer>;

/** The affixes that each kind can get by chance, regardless of the affixes that an object already has. */
export class Obtainable {
  readonly order: KindOrder;
  readonly #affixes: ReadonlyMap<number, AffixSpec>;
  readonly #kinds: ReadonlyMap<AffixSpec, KindBits>;
  readonly #some: KindBits;
  /** Maps the number of each affix to the numbers of the affixes that cannot be combined with it. */
  readonly #rivals = new Map<number, Set<number>>();

  /** Memory: a bit for each affix and kind. Cost: O(`T` and `X` lines), plus O(depths) for each overlapping line. */
  constructor({ kinds, affixes }: Pick<ObjectFiles, "kinds" | "affixes">, watch?: Watch) {
    this.order = new KindOrder(kinds);
    this.#affixes = new Map(affixes.map((affix) => [affix.number, affix]));
    this.#kinds = new Map(
      affixes.map((affix) => {
        watch?.look();
        return [affix, kindsOf(affix, this.order)];
      }),
    );
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

  /** Returns the first affix that excludes another affix of the list. Cost: O(affixes + their `X` lines). */
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

  /** Whether at least two of the affixes, all different, can be combined. Cost: O(affixes + their `X` lines). */
  someTogether(affixes: readonly AffixSpec[]): boolean {
    for (let i = 0; i < affixes.length; i++) {
      const rivals = this.#rivals.get(affixes[i].number);
      for (let j = i + 1; j < affixes.length; j++) if (rivals?.has(affixes[j].number) !== true) return true;
    }
    return false;
  }
}

export function kindOfArtifact(
  { kinds }: Pick<ObjectFiles, "kinds">,
  { tval, sval }: Pick<ArtifactSpec, "tval" | "sval">,
): KindSpec | undefined {
  return kinds.find((kind) => kind.tval === tval && kind.sval === sval);
}

export function reaches(targets: readonly SortRange[], kind: Sort): boolean {
  return targets.some((target) => fits(target, kind));
}

/**
 * Returns the kinds that can get an affix: those for which, at some depth and affix level, the first `T` line that
 * matches has a probability above 0.
 * Let L be the real depth and D ≥ L the boosted depth. A line for the depths min … max matches if min ≤ D and L ≤ max,
 * and if its level is at most the object's affix level. To see whether a line can be the first to match, it is enough
 * to check its own level, and D = L = d for each d of min … max. Proof: suppose that for each d, an earlier line E(d)
 * matches at D = L = d. Then E(d) also matches at every greater D, smaller L and higher level. Where the given line
 * matches, E(L) matches too if L ≥ min, because D ≥ L; else E(min), because D ≥ min. So the line is never the first.
 */
function kindsOf({ targets }: AffixSpec, order: KindOrder): KindBits {
  const kinds = noBits(order);
  const { cuts, segments } = cutsOf(targets, order);
  const isKnown = cuts.map(() => false);
  const covers = new Covers();
  for (const { line, first, end } of segments) {
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

/** Returns the `T` lines that match kinds, but never as the first line. {@link kindsOf} proves the check. */
export function hiddenLines({ targets }: AffixSpec, order: KindOrder): readonly AffixTarget[] {
  const { segments } = cutsOf(targets, order);
  const covers = new Covers();
  return segments.flatMap(({ line, first, end }) => {
    let isSeen = first === end;
    for (let cut = first; cut < end; cut++) {
      isSeen ||= covers.isSeen(cut, line);
      covers.add(cut, line);
    }
    return isSeen ? [] : [line];
  });
}

/** A cut is a place in the order of kinds at which the matching lines change. `first` and `end` are indices of cuts. */
function cutsOf(targets: readonly AffixTarget[], order: KindOrder) {
  const segments = targets.map((line) => ({ line, ...order.segmentOf(line) }));
  const cuts = [...new Set(segments.flatMap(({ first, end }) => [first, end]))].sort((a, b) => a - b);
  const indexOf = new Map(cuts.map((cut, index) => [cut, index]));
  const indexed = segments.map(({ line, first, end }) => {
    const from = indexOf.get(first) ?? 0;
    return { line, first: from, end: Math.max(from, indexOf.get(end) ?? 0) };
  });
  return { cuts, segments: indexed };
}

const NO_LEVEL = 255;

/** For each cut and depth, the lowest affix level of the added lines that match there. */
class Covers {
  readonly #levels: (Uint8Array<ArrayBuffer> | undefined)[] = [];

  /** Whether a line is the first to match at some depth. Lines of probability 0 must be added, too. */
  isSeen(cut: number, { least, most, level }: AffixTarget): boolean {
    const levels = this.#levels[cut];
    if (levels === undefined) return true;
    for (let depth = least; depth <= most; depth++) if (levels[depth] > level) return true;
    return false;
  }

  add(cut: number, { least, most, level }: AffixTarget): void {
    this.#levels[cut] ??= new Uint8Array(DEPTHS).fill(NO_LEVEL);
    const levels = this.#levels[cut];
    for (let depth = least; depth <= most; depth++) levels[depth] = Math.min(levels[depth], level);
  }
}

function noBits({ kinds }: KindOrder): KindBits {
  return new Uint32Array(Math.ceil(kinds.length / 32));
}

function hasBit(bits: KindBits, place: number): boolean {
  return place >= 0 && ((bits[place >>> 5] >>> (place & 31)) & 1) !== 0;
}
