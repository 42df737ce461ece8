import { fits, type Sort, type SortRange } from "../odds/law.js";
import type { AffixSpec, AffixTarget, ArtifactSpec, KindSpec, ObjectFiles } from "../types.js";
import { KindOrder } from "./kindOrder.js";

/** A bit for each place of a {@link KindOrder}. */
type KindBits = Uint32Array<ArrayBuffer>;

/** Which affixes each kind can get by chance, whatever else an object has. */
export class Obtainable {
  readonly order: KindOrder;
  readonly #affixes: ReadonlyMap<number, AffixSpec>;
  /** By affix: the kinds that it can come on. */
  readonly #kinds: ReadonlyMap<AffixSpec, KindBits>;
  readonly #some: KindBits;
  readonly #rivals = new Map<number, Set<number>>();

  /**
   * Cost: O(`T` and `X` lines), and 1 bit for each affix and kind; where `T` lines of one affix are about the same kinds, the
   * depths of each in each range of svals that they tell apart.
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

  /** Affixes by their numbers; those that there are not are left out. */
  affixes(numbers: Iterable<number>): readonly AffixSpec[] {
    return [...numbers].flatMap((number) => this.#affixes.get(number) ?? []);
  }

  /** Whether an affix can come on a kind. Cost: O(1). */
  canGet(kind: KindSpec, affix: AffixSpec): boolean {
    const bits = this.#kinds.get(affix);
    return bits !== undefined && hasBit(bits, this.order.placeOf(kind));
  }

  /** Whether any affix can come on a kind. Cost: O(1). */
  canGetSome(kind: KindSpec): boolean {
    return hasBit(this.#some, this.order.placeOf(kind));
  }

  /** Whether an affix can come on any kind. Cost: O(kinds / 32). */
  canCome(affix: AffixSpec): boolean {
    return this.#kinds.get(affix)?.some((word) => word !== 0) ?? false;
  }

  /** The first of some affixes that another one of them excludes. Cost: O(affixes), and their `X` lines at most. */
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

  /** Whether two of some different affixes go together. Cost: O(affixes), and their `X` lines at most. */
  someTogether(affixes: readonly AffixSpec[]): boolean {
    for (let i = 0; i < affixes.length; i++) {
      const rivals = this.#rivals.get(affixes[i].number);
      for (let j = i + 1; j < affixes.length; j++) if (rivals?.has(affixes[j].number) !== true) return true;
    }
    return false;
  }
}

/** The kind that an artifact is; undefined where the files have none of its tval and sval. Cost: O(kinds). */
export function kindOfArtifact(
  { kinds }: Pick<ObjectFiles, "kinds">,
  { tval, sval }: Pick<ArtifactSpec, "tval" | "sval">,
): KindSpec | undefined {
  return kinds.find((kind) => kind.tval === tval && kind.sval === sval);
}

/** Whether one of the lines is about a kind, whatever the depths. */
export function reaches(targets: readonly SortRange[], kind: Sort): boolean {
  return targets.some((target) => fits(target, kind));
}

/**
 * On which kinds an affix can come: those for which a line of its `T` lines counts, and no earlier one always comes before.
 *
 * A line counts where min ≤ D, L ≤ max and its level ≤ the object's, with L the depth and D ≥ L the boosted one. Where earlier
 * lines hide it at D = L for every L, min … max, and at its own level, they hide it everywhere: what hides it at D = L = d does
 * so for every greater D, every lesser L and every higher level; L < min is hidden by what hides d = min, other L by d = L.
 */
function kindsOf({ targets }: AffixSpec, order: KindOrder): KindBits {
  const kinds = noBits(order);
  const stretches = targets.map((line) => ({ line, ...order.stretchOf(line) }));
  // between two cuts all kinds have the same lines
  const cuts = [...new Set(stretches.flatMap(({ first, end }) => [first, end]))].sort((a, b) => a - b);
  const indexOf = new Map(cuts.map((cut, index) => [cut, index]));
  /** By cut: the least level of the lines so far, by depth; undefined where there are none, `true` where one can come. */
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

/** Whether a line is the first to count at some depth, whatever the probabilities of those before it. */
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

/** Whether a bit is set; none is at −1. */
function hasBit(bits: KindBits, place: number): boolean {
  return place >= 0 && ((bits[place >>> 5] >>> (place & 31)) & 1) !== 0;
}
