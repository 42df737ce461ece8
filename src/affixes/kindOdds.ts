import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../fractions.js";
import { M_BONUS_TOTAL, mBonusOdds } from "./mBonus.js";
import { NO_TVAL } from "./tvals.js";
import type { KindSpec, ObjectFiles, Quality } from "./types.js";

/** How much deeper than the real depth good and great kinds are drawn, at least; and the bonus that m_bonus adds. */
const LEVELS_DEEPER: Readonly<Record<Quality, number>> = { normal: 0, good: 5, great: 10 };
const MOST_BONUS = 5;
/** Weapons, ammunition, bows and diggers; armour: what can be good without the flag. */
const [WEAPONS, ARMOURS] = [
  { least: 16, most: 23 },
  { least: 30, most: 38 },
] as const;

/** Which kinds are to be drawn from. */
export interface KindQuery {
  /** The real depth, 0 … 255. */
  readonly level: number;
  readonly quality: Quality;
  /** Kinds of this type alone; of any where left out. */
  readonly tval?: number | undefined;
}

/** The chances of kinds; with `none` they sum to 1. */
export interface KindOdds {
  /** Kinds that can come, in the order of their numbers. */
  readonly kinds: ReadonlyMap<KindSpec, Fraction>;
  /** How likely it is that no kind is to be had at the depth that came out. */
  readonly none: Fraction;
}

/**
 * Each kind's exact chance to be drawn for an ordinary object (not an artifact): over the depths that m_bonus may bring.
 * Cost: O(kinds) for a normal object, six times that for others.
 */
export function kindOdds({ kinds }: ObjectFiles, query: KindQuery): KindOdds {
  const drawable = kinds.filter((kind) => canBeDrawn(kind, query));
  const chances = new Map<KindSpec, Fraction>();
  for (const [depth, chance] of kindDepths(drawable, query)) {
    const here = drawable.filter(({ allocation }) => isIn(allocation, depth));
    const total = here.reduce((sum, { allocation }) => sum + BigInt(allocation?.commonness ?? 0), 0n);
    for (const kind of here) {
      const share = fraction(BigInt(kind.allocation?.commonness ?? 0), total);
      chances.set(kind, add(chances.get(kind) ?? ZERO, multiply(chance, share)));
    }
  }
  const found = drawable.flatMap((kind): [KindSpec, Fraction][] => {
    const chance = chances.get(kind);
    return chance === undefined ? [] : [[kind, chance]];
  });
  return { kinds: new Map(found), none: found.reduce((rest, [, chance]) => subtract(rest, chance), ONE) };
}

/** Whether a kind can be drawn at some depth. */
export function canBeDrawn({ tval, flags, allocation }: KindSpec, query: Pick<KindQuery, "quality" | "tval">): boolean {
  if (tval === NO_TVAL || (query.tval !== undefined && query.tval !== tval)) return false;
  if (allocation === undefined || allocation.commonness === 0 || flags.includes("INSTA_ART")) return false;
  return query.quality === "normal" || flags.includes("GOOD") || isIn(WEAPONS, tval) || isIn(ARMOURS, tval);
}

/** The depths that kinds are looked for at, and how likely each is: no deeper than the deepest kind that can be drawn. */
function kindDepths(drawable: readonly KindSpec[], { level, quality }: KindQuery): ReadonlyMap<number, Fraction> {
  const deepest = drawable.reduce((most, { allocation }) => Math.max(most, allocation?.most ?? 0), 0);
  const bonuses = quality === "normal" ? [M_BONUS_TOTAL] : [...mBonusOdds(MOST_BONUS, level)];
  const depths = new Map<number, Fraction>();
  bonuses.forEach((cases, bonus) => {
    if (cases === 0) return;
    const depth = Math.min(level + LEVELS_DEEPER[quality] + bonus, deepest);
    depths.set(depth, add(depths.get(depth) ?? ZERO, fraction(BigInt(cases), BigInt(M_BONUS_TOTAL))));
  });
  return depths;
}

function isIn(range: { readonly least: number; readonly most: number } | undefined, value: number): boolean {
  return range !== undefined && range.least <= value && value <= range.most;
}
