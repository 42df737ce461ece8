import { error, fail } from "../../errors/index.js";
import { add, type Fraction, fraction, ZERO } from "../../fractions.js";
import { BOOST_SIDES, LIFT_CASES, MOST_AFFIXES, THEME_SCALE } from "../../kernel/layout.js";
import type { AffixSpec, AffixTarget, KindSpec, ObjectFiles, Quality, ThemeSpec } from "../types.js";
import { CONSTANTS, type ObjectConstants } from "./constants.js";

export { MOST_AFFIXES, THEME_SCALE };

export function depthCaseCount({ slots }: ObjectConstants): number {
  return slots.boostOneIn * BOOST_SIDES;
}

export type Decision = { readonly level: number; readonly quality: Quality };

/** Returns the parameters of an object's rolls. RequestRecord in assembly/objects/layout.ts explains the fields. */
export function rollsOf({ artifacts, kinds, affixLevel, slots }: ObjectConstants, { level, quality }: Decision) {
  const added = quality === "normal" ? undefined : slots[quality];
  return {
    tryOneIn: artifacts.oneIn[quality],
    kindDepth: level + (quality === "normal" ? 0 : kinds.deeper[quality]),
    lifts: Number(quality === "great"),
    liftChance: Math.min(LIFT_CASES, affixLevel.percent + affixLevel.percentPerLevel * level),
    secondOneIn: quality === "good" ? affixLevel.goodOneIn : 0,
    slotSides: 1 + slots.most + Math.floor(level / slots.levelsPerSlot),
    addedSlots: added?.least ?? 0,
    extraSides: added === undefined ? 0 : added.most - added.least + 1,
  };
}

export type SortRange = Pick<AffixTarget, "tval" | "leastSval" | "mostSval">;

export type Sort = Pick<KindSpec, "tval" | "sval">;

export interface SlotPlace {
  readonly kind: Sort;
  readonly level: number;
  /** The depth of this slot: the real depth, or a greater one if it is boosted. */
  readonly depth: number;
  /** An index into `ObjectFiles.levels`. Affixes of higher levels are not possible. */
  readonly affixLevel: number;
}

export type AffixOdds = { readonly affixes: ReadonlyMap<AffixSpec, Fraction>; readonly none: Fraction };

/**
 * Returns the chance of each affix level, by index. The affix level begins at index 0. It rises by one with the chance
 * (10 + `level`) %, at most 100 %. Then it rises by one more: always for great objects, with the chance 25 % for good
 * objects. It never exceeds the last of the `levels` levels. Other constants change these numbers.
 */
export function affixLevelOdds(level: number, quality: Quality, levels: number, constants = CONSTANTS) {
  const { lifts, liftChance: once, secondOneIn } = rollsOf(constants, { level, quality });
  const [again, sides] = secondOneIn === 0 ? [0, 1] : [1, secondOneIn];
  const cases = Array.from({ length: levels }, () => 0);
  const count = (more: number, times: number) => {
    cases[Math.min(lifts + more, levels - 1)] += times;
  };
  count(0, (LIFT_CASES - once) * (sides - again));
  count(1, once * (sides - again) + (LIFT_CASES - once) * again);
  count(2, once * again);
  return cases.map((times) => fraction(BigInt(times), BigInt(LIFT_CASES * sides)));
}

/**
 * Returns the chance of each number of slots, 0 … 8. The number is a random integer 0 … 1 + ⌊`level`/25⌋. Good objects
 * add 1 or 2, great objects 3 or 4. Kinds with the flag GOOD subtract 1. The result is clamped to 0 … 8. Other
 * constants change these numbers.
 */
export function slotOdds(level: number, quality: Quality, kindHasGood: boolean, constants = CONSTANTS) {
  const { slotSides, addedSlots, extraSides } = rollsOf(constants, { level, quality });
  const { fewerIfGood, limit } = constants.slots;
  const extra = Math.max(1, extraSides);
  const cases = Array.from({ length: MOST_AFFIXES + 1 }, () => 0);
  for (let roll = 0; roll < slotSides; roll++) {
    for (let more = 0; more < extra; more++) {
      const slots = roll + addedSlots + more - (kindHasGood ? fewerIfGood : 0);
      cases[Math.min(Math.max(slots, 0), limit)] += 1;
    }
  }
  return cases.map((times) => fraction(BigInt(times), BigInt(slotSides * extra)));
}

/**
 * Maps each depth that a slot can have to its number of cases, the least depth first. All cases are equally likely.
 * Usually, in 19 of 20 cases, the depth is the real depth. Otherwise it is boosted to 1 + ⌊128·`level`/r⌋, where r is
 * 1 … 128 with equal chances. At level 0, the depth is always 0.
 */
export function depthCases(level: number, constants = CONSTANTS): ReadonlyMap<number, number> {
  const cases = new Map<number, number>();
  const all = depthCaseCount(constants);
  if (level === 0) return cases.set(0, all);
  if (all > BOOST_SIDES) cases.set(level, all - BOOST_SIDES);
  for (let divisor = BOOST_SIDES; divisor >= 1; divisor--) {
    const depth = 1 + Math.floor((BOOST_SIDES * level) / divisor);
    cases.set(depth, (cases.get(depth) ?? 0) + 1);
  }
  return cases;
}

export function addTo<Key>(chances: Map<Key, Fraction>, key: Key, chance: Fraction): void {
  if (chance.numerator > 0n) chances.set(key, add(chances.get(key) ?? ZERO, chance));
}

export function caseOdds(cases: number, constants = CONSTANTS): Fraction {
  return fraction(BigInt(cases), BigInt(depthCaseCount(constants)));
}

/** Groups depths at which the same lines match. Returns one depth of each group, and the group's number of cases. */
export function depthGroups(
  { affixes, themes, constants }: ObjectFiles,
  { kind, level }: Pick<SlotPlace, "kind" | "level">,
): readonly { readonly depth: number; readonly cases: number }[] {
  const targets: readonly (SortRange & DepthLimits)[] = [...affixes, ...themes].flatMap((one) => one.targets);
  const starts = [...new Set(targets.filter((target) => fits(target, kind)).map(({ least }) => least))];
  const groups = new Map<number, { depth: number; cases: number }>();
  for (const [depth, cases] of depthCases(level, constants)) {
    const group = starts.filter((least) => least <= depth).length;
    const known = groups.get(group);
    if (known === undefined) groups.set(group, { depth, cases });
    else known.cases += cases;
  }
  return [...groups.values()];
}

export function fits({ tval, leastSval, mostSval }: SortRange, kind: Sort): boolean {
  return tval === kind.tval && leastSval <= kind.sval && kind.sval <= mostSval;
}

type DepthLimits = Pick<AffixTarget, "least" | "most" | "usual">;

/**
 * By the rules of version 4, the least depth of a line is compared with the depth of the slot, the greatest depth with
 * the real depth. So a line that matches at the real depth also matches at a boosted depth. By the rules of Angband
 * 4.2, both are compared with the depth of the slot.
 */
function isInDepth({ least, most, usual }: DepthLimits, { level, depth }: Pick<SlotPlace, "level" | "depth">): boolean {
  return least <= depth && (usual === undefined ? level : depth) <= most;
}

export function fitsAny(
  targets: readonly (SortRange & DepthLimits)[],
  place: Pick<SlotPlace, "kind" | "level" | "depth">,
): boolean {
  return targets.some((target) => fits(target, place.kind) && isInDepth(target, place));
}

export function affixWeight({ targets }: AffixSpec, place: SlotPlace): number {
  return targets.find((target) => isLegal(target, place))?.probability ?? 0;
}

export function isLegal(target: AffixTarget, place: SlotPlace): boolean {
  return target.level <= place.affixLevel && fits(target, place.kind) && isInDepth(target, place);
}

/** Whether an `X` line of one affix excludes the other. An affix that excludes itself can be on an object only once. */
export function excludeEachOther(a: AffixSpec, b: AffixSpec): boolean {
  return a.excludes.includes(b.number) || b.excludes.includes(a.number);
}

/** Maximum number of comparisons of lines in a query. This many take seconds; a real game needs less than a tenth. */
const MAX_COMPARISONS = 2 ** 28;

export function refuseLong(what: string, comparisons: number): void {
  if (comparisons <= MAX_COMPARISONS) return;
  fail(
    error("object.request", {
      problem: `too many comparisons between lines for ${what}`,
      got: comparisons,
      expected: `at most ${MAX_COMPARISONS} comparisons`,
      remedy: "Use files with fewer affixes or lines, or ask for a kind that fewer lines match",
    }),
  );
}

/** For weights below this, a double holds factor · weight² exactly: factor is below 2^10, so the product below 2^53. */
const MAX_SQUARED = 2 ** 21;

/**
 * Returns the chance of a theme if no other theme matches, in units of 0.5 %. `owned` has the numbers of the object's
 * affixes. Let t be the total weight of the theme's `A` lines, and w the weight of its lines for owned affixes. Then
 * the chance is ⌊factor·w·w/t⌋, at most 200. It is 0 if too few owned affixes have a weight above 0 in the theme.
 * Usually the factor is 8, and two such affixes are enough.
 */
export function halfPercents(theme: ThemeSpec, owned: ReadonlySet<number>, { themes } = CONSTANTS): number {
  const found = [...partWeights(theme)].filter(([affix, weight]) => weight > 0 && owned.has(affix));
  if (found.length < themes.leastAffixes) return 0;
  const weight = found.reduce((sum, [, part]) => sum + part, 0);
  return halfPercentsOf(
    weight,
    theme.parts.reduce((sum, part) => sum + part.weight, 0),
    themes.factor,
  );
}

/** Returns min(200, ⌊factor·weight²/total⌋). `total` must be above 0. */
export function halfPercentsOf(weight: number, total: number, factor: number): number {
  // this is exact: a quotient of two integers below 2^53 is never rounded up to the next integer
  if (weight < MAX_SQUARED) return Math.min(THEME_SCALE, Math.floor((factor * weight * weight) / total));
  const share = (BigInt(factor) * BigInt(weight) ** 2n) / BigInt(total);
  return share > THEME_SCALE ? THEME_SCALE : Number(share);
}

export function partWeights({ parts }: Pick<ThemeSpec, "parts">): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  for (const { affix, weight } of parts) weights.set(affix, (weights.get(affix) ?? 0) + weight);
  return weights;
}
