import { add, divide, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import { M_BONUS_TOTAL, mBonusOdds } from "../compile/mBonus.js";
import { isArmour, isWeapon, NO_TVAL } from "../parse/tvals.js";
import type { KindSpec, ObjectFiles, Quality } from "../types.js";
import { checkLevel, checkQuality } from "./law.js";

/** How much deeper than the real depth good and great kinds are drawn, at least; and the bonus that m_bonus adds. */
const LEVELS_DEEPER: Readonly<Record<Quality, number>> = { normal: 0, good: 5, great: 10 };
const MOST_BONUS = 5;

/** Which kinds are to be drawn from. */
export interface KindQuery {
  /** The real depth, 0 … 255. */
  readonly level: number;
  readonly quality: Quality;
  /** Given that the kind is of this type; any where left out. */
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
 * Each kind's exact chance to be drawn for an ordinary object (not an artifact): over the depths that m_bonus may bring. Where a
 * type is asked for the others' chances are left out, and the rest in proportion.
 * Cost: O(kinds) for a normal object, six times that for others.
 *
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255, `argument.type` for a quality that there is not.
 */
export function kindOdds({ kinds }: ObjectFiles, { level, quality, tval }: KindQuery): KindOdds {
  checkLevel(level);
  checkQuality(quality);
  const drawable = kinds.filter((kind) => canBeDrawn(kind, { quality }));
  const chances = new Map<KindSpec, Fraction>();
  for (const [depth, chance] of kindDepths(drawable, { level, quality })) {
    const here = drawable.filter(({ allocation }) => isIn(allocation, depth));
    const total = here.reduce((sum, { allocation }) => sum + BigInt(allocation?.commonness ?? 0), 0n);
    for (const kind of here) {
      const share = fraction(BigInt(kind.allocation?.commonness ?? 0), total);
      chances.set(kind, add(chances.get(kind) ?? ZERO, multiply(chance, share)));
    }
  }
  const found = drawable.flatMap((kind): [KindSpec, Fraction][] => {
    const chance = chances.get(kind);
    return chance === undefined || (tval ?? kind.tval) !== kind.tval ? [] : [[kind, chance]];
  });
  const all = found.reduce((sum, [, chance]) => add(sum, chance), ZERO);
  if (tval === undefined || all.numerator === 0n) return { kinds: new Map(found), none: subtract(ONE, all) };
  return { kinds: new Map(found.map(([kind, chance]) => [kind, divide(chance, all)])), none: ZERO };
}

/** The kinds that can come, and whether there is one at each of the depths that m_bonus may bring. Cost: O(kinds). */
export function drawnKinds(
  { kinds }: ObjectFiles,
  { level, quality, tval }: KindQuery,
): { readonly kinds: readonly KindSpec[]; readonly isEverywhere: boolean } {
  const drawable = kinds.filter((kind) => canBeDrawn(kind, { quality }));
  const depths = [...kindDepths(drawable, { level, quality }).keys()];
  const comes = ({ allocation }: KindSpec) => depths.some((depth) => isIn(allocation, depth));
  return {
    kinds: drawable.filter((kind) => comes(kind) && (tval ?? kind.tval) === kind.tval),
    isEverywhere: depths.every((depth) => drawable.some(({ allocation }) => isIn(allocation, depth))),
  };
}

/** Whether a kind can be drawn at some depth. */
export function canBeDrawn({ tval, flags, allocation }: KindSpec, query: Pick<KindQuery, "quality" | "tval">): boolean {
  if (tval === NO_TVAL || (query.tval !== undefined && query.tval !== tval)) return false;
  if (allocation === undefined || allocation.commonness === 0 || flags.includes("INSTA_ART")) return false;
  return query.quality === "normal" || flags.includes("GOOD") || isWeapon(tval) || isArmour(tval);
}

/** The depths that kinds are looked for at, and how likely each is: no deeper than the deepest kind that can be drawn. */
function kindDepths(
  drawable: readonly KindSpec[],
  { level, quality }: Pick<KindQuery, "level" | "quality">,
): ReadonlyMap<number, Fraction> {
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
