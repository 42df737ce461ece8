import type { Watch } from "../../calls/index.js";
import { add, type Fraction, fraction, leastCommonMultiple, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import {
  BOOST_SIDES,
  GREAT_PERCENT,
  GREAT_POWER,
  KIND_BOOST_ONE_IN,
  KIND_BOOST_SIDES,
  KIND_DEEPER,
  LEAST_ODDS,
  LIFT_CASES,
  ODDS_STEP,
  POWER_BASE,
} from "../../kernel/layout.js";
import type { AffixSpec, KindSpec, ObjectFiles, Quality, RandomValue } from "../types.js";
import { rangeOf } from "./mBonus.js";
import { type AffixOdds, addTo, type Decision, fits, MOST_AFFIXES, refuseLong, type SlotPlace } from "./slots.js";
import { comparable, isWeapon } from "./tvals.js";

// The rules of Angband 4.2 as probabilities. assembly/objects/egos.ts implements the same rules in the kernel.

const GREAT = GREAT_POWER - 1;
/** In the check for too much work, one operation on large integers counts as this many comparisons of lines. */
const SUM_WORK = 8;

/** Good weapons and armour add this value to their modifiers. Great ones also add {@link GREAT_ENCHANTMENT}. */
export const GOOD_ENCHANTMENT: RandomValue = { base: 0, dice: 1, sides: 5, bonus: 5, negated: false };
export const GREAT_ENCHANTMENT: RandomValue = { base: 0, dice: 0, sides: 0, bonus: 10, negated: false };

/** Whether a kind can be good. Shots, and weapons and armour with a negative modifier, need the flag GOOD for this. */
export function canBeGood({ type, flags, toHit, toDam, toAc }: KindSpec): boolean {
  if (flags.includes("GOOD")) return true;
  const isSound = (value: RandomValue) => rangeOf(value).least >= 0;
  if (type.group === "armour") return isSound(toAc);
  if (type.group === "ammunition") return comparable(type.word) !== "shot";
  return isWeapon(type) && isSound(toHit) && isSound(toDam);
}

/** A normal object is good with the chance (33 + `level`) %. A good object is great with the chance 30 %. */
export function powerOdds(level: number, quality: Quality): readonly Fraction[] {
  const percent = (cases: number) => fraction(BigInt(cases), BigInt(LIFT_CASES));
  const good = quality === "normal" ? percent(Math.min(POWER_BASE + level, LIFT_CASES)) : ONE;
  const great = multiply(good, quality === "great" ? ONE : percent(GREAT_PERCENT));
  return [subtract(ONE, good), subtract(good, great), great];
}

export function egoSlotOdds(level: number, quality: Quality): readonly Fraction[] {
  const [average, good, great] = powerOdds(level, quality);
  return [add(average, good), great, ...Array.from({ length: MOST_AFFIXES - 1 }, () => ZERO)];
}

/** Limits a boosted depth of a slot to 127, the deepest level of the game. Does not limit `level`, the real depth. */
export function egoDepth(depth: number, level: number): number {
  return depth === level ? depth : Math.min(depth, BOOST_SIDES - 1);
}

/** Returns the chance of each depth at which a kind is drawn. No depth is greater than `deepest`. */
export function egoKindDepths(deepest: number, { level, quality }: Decision): ReadonlyMap<number, Fraction> {
  const usual = level + (quality === "normal" ? 0 : KIND_DEEPER);
  const all = KIND_BOOST_ONE_IN * KIND_BOOST_SIDES;
  const depths = new Map<number, Fraction>();
  const count = (depth: number, cases: number) => {
    const own = Math.min(depth, KIND_BOOST_SIDES, deepest);
    addTo(depths, own, fraction(BigInt(cases), BigInt(all)));
  };
  if (usual === 0) return new Map([[0, ONE]]);
  count(usual, all - KIND_BOOST_SIDES);
  for (let divisor = KIND_BOOST_SIDES; divisor >= 1; divisor--) {
    count(1 + Math.floor((KIND_BOOST_SIDES * usual) / divisor), 1);
  }
  return depths;
}

function entrantsAt(files: ObjectFiles, { kind, depth }: Pick<SlotPlace, "kind" | "depth">) {
  return files.affixes.flatMap((affix) => {
    const target = affix.targets.find((one) => one.probability > 0 && fits(one, kind));
    if (target === undefined || depth > target.most) return [];
    const { probability, usual = 0 } = target;
    const oneIn = depth >= usual ? 1 : Math.max(LEAST_ODDS, Math.floor((usual - depth) / ODDS_STEP));
    return [{ affix, weight: BigInt(probability), oneIn: BigInt(oneIn) }];
  });
}

type Entrant = ReturnType<typeof entrantsAt>[number];

/**
 * Returns the exact chance of each ego in a slot at one depth. Below its usual depth, an ego takes part in only some
 * choices. So the total weight of a choice is random. Cost: O(egos² × different total weights).
 * @throws RollmillError `object.request` if there are too many different total weights.
 */
export function egoOddsAt(
  files: ObjectFiles,
  { kind, depth, affixLevel, watch }: Omit<SlotPlace, "level"> & { readonly watch?: Watch | undefined },
): AffixOdds {
  const entrants = affixLevel < GREAT ? [] : entrantsAt(files, { kind, depth });
  const certain = entrants.filter(({ oneIn }) => oneIn === 1n).reduce((sum, { weight }) => sum + weight, 0n);
  const rare = entrants.filter(({ oneIn }) => oneIn > 1n);
  const all = sumsOf(rare, watch);
  const chances = new Map<AffixSpec, Fraction>();
  for (const entrant of entrants) {
    watch?.look();
    const { affix, weight, oneIn } = entrant;
    const others = rare.filter((one) => one !== entrant);
    const share =
      oneIn === 1n
        ? shareOf(weight, certain, all)
        : multiply(shareOf(weight, certain + weight, sumsOf(others, watch)), fraction(1n, oneIn));
    chances.set(affix, share);
  }
  const none = certain > 0n ? ZERO : fraction(all.cases.get(0n) ?? 0n, all.total);
  return { affixes: chances, none };
}

function sumsOf(rare: readonly Entrant[], watch: Watch | undefined) {
  let cases = new Map([[0n, 1n]]);
  let total = 1n;
  for (const { weight, oneIn } of rare) {
    watch?.look();
    refuseLong("the odds of egos", rare.length ** 2 * cases.size * SUM_WORK);
    const next = new Map<bigint, bigint>();
    for (const [sum, count] of cases) {
      next.set(sum, (next.get(sum) ?? 0n) + count * (oneIn - 1n));
      next.set(sum + weight, (next.get(sum + weight) ?? 0n) + count);
    }
    cases = next;
    total *= oneIn;
  }
  return { cases, total };
}

function shareOf(weight: bigint, least: bigint, { cases, total }: ReturnType<typeof sumsOf>): Fraction {
  let common = 1n;
  for (const sum of cases.keys()) common = leastCommonMultiple(common, least + sum);
  let numerator = 0n;
  for (const [sum, count] of cases) numerator += count * (common / (least + sum));
  return fraction(weight * numerator, common * total);
}
