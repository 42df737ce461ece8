import { error, fail } from "../../errors/index.js";
import { type Fraction, fraction } from "../../fractions.js";
import { BOOST_SIDES, LIFT_CASES, MOST_AFFIXES, THEME_SCALE } from "../../kernel/layout.js";
import { checkInteger } from "../../spec/index.js";
import { CONSTANTS } from "../parse/constants.js";
import { MAX_DEPTH } from "../parse/values.js";
import type { AffixSpec, AffixTarget, KindSpec, ObjectConstants, ObjectFiles, Quality } from "../types.js";

export { MOST_AFFIXES, THEME_SCALE };

/** Maps each depth of a slot to its number of cases, the least depth first. All cases are equally likely. */
type DepthCases = ReadonlyMap<number, number>;

export function depthCaseCount({ slots }: ObjectConstants): number {
  return slots.boostOneIn * BOOST_SIDES;
}

/** The numbers of an object's rolls. The record AskedRecord of the kernel has the same fields, and their meaning. */
interface Rolls {
  readonly tryOneIn: number;
  readonly kindDepth: number;
  readonly lifts: number;
  readonly liftChance: number;
  readonly secondOneIn: number;
  readonly slotSides: number;
  readonly addedSlots: number;
  readonly extraSides: number;
}

export function rollsOf(
  { artifacts, kinds, affixLevel, slots }: ObjectConstants,
  { level, quality }: { readonly level: number; readonly quality: Quality },
): Rolls {
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

export interface SortRange {
  readonly tval: number;
  readonly leastSval: number;
  readonly mostSval: number;
}

export type Sort = Pick<KindSpec, "tval" | "sval">;

/** A slot of an object, with all that a `T` line looks at. */
export interface SlotPlace {
  readonly kind: Sort;
  readonly level: number;
  /** The depth of this slot: the real depth, or a greater one if it is boosted. */
  readonly depth: number;
  /** The affix level of the object, an index into `ObjectFiles.levels`. Affixes of higher levels are not possible. */
  readonly affixLevel: number;
}

/**
 * Returns the chance of each affix level, by index. The affix level begins at index 0. It rises by one with the chance
 * (10 + `level`) %, at most 100 %. Then it rises by one more: always for great objects, with the chance 25 % for good
 * objects. It never exceeds the last of the `levels` levels. Other constants change these numbers. Cost: O(`levels`).
 *
 * @param level - The depth, 0 … 255.
 * @param levels - Number of affix levels, 1 or more.
 * @returns `levels` chances that add up to 1.
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255 or fewer than 1 level, `argument.type` for an
 * unknown quality.
 */
export function affixLevelOdds(
  level: number,
  quality: Quality,
  levels: number,
  constants = CONSTANTS,
): readonly Fraction[] {
  checkLevel(level);
  checkQuality(quality);
  checkInteger("levels", levels, 1, Number.MAX_SAFE_INTEGER);
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
 * constants change these numbers. Cost: O(`level`).
 *
 * @param level - The depth, 0 … 255.
 * @param kindHasGood - Whether the kind has the flag GOOD.
 * @returns nine chances that add up to 1.
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255, `argument.type` for an unknown quality.
 */
export function slotOdds(
  level: number,
  quality: Quality,
  kindHasGood: boolean,
  constants = CONSTANTS,
): readonly Fraction[] {
  checkLevel(level);
  checkQuality(quality);
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
 * Maps each depth that a slot can have to its number of cases. `level` is the real depth, 0 … 255. There are at most
 * 129 depths; {@link depthOdds} has the rule.
 */
export function depthCases(level: number, constants = CONSTANTS): DepthCases {
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

/**
 * Returns the chance of each depth of a slot, the least depth first. Usually, in 19 of 20 cases, it is the real depth.
 * Otherwise it is boosted to 1 + ⌊128·`level`/r⌋, where r is 1 … 128 with equal chances. At level 0, the depth is
 * always 0. There are at most 129 depths. The greatest is 1 + 128·`level`.
 *
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255.
 */
export function depthOdds(level: number, constants = CONSTANTS): ReadonlyMap<number, Fraction> {
  checkLevel(level);
  return new Map([...depthCases(level, constants)].map(([depth, cases]) => [depth, caseOdds(cases, constants)]));
}

export function caseOdds(cases: number, constants = CONSTANTS): Fraction {
  return fraction(BigInt(cases), BigInt(depthCaseCount(constants)));
}

/** Returns true if a `T` line matches a kind. Ignores the depth. */
export function fits({ tval, leastSval, mostSval }: SortRange, kind: Sort): boolean {
  return tval === kind.tval && leastSval <= kind.sval && kind.sval <= mostSval;
}

/**
 * Returns true if a line matches at the depth of a slot. The least depth of the line is compared with the depth of the
 * slot. The greatest depth of the line is compared with the real depth. So a line that matches at the real depth also
 * matches at a boosted depth. By the rules of Angband 4.2, the least and the greatest depth of the line are both
 * compared with the depth of the slot.
 */
export function isInDepth(
  { least, most, usual }: { readonly least: number; readonly most: number; readonly usual?: number },
  { level, depth }: Pick<SlotPlace, "level" | "depth">,
): boolean {
  return least <= depth && (usual === undefined ? level : depth) <= most;
}

/**
 * Returns the weight of an affix in a slot: the probability of its first matching `T` line, or 0 if none matches. Cost:
 * O(`T` lines).
 */
export function affixWeight({ targets }: AffixSpec, place: SlotPlace): number {
  return targets.find((target) => isLegal(target, place))?.probability ?? 0;
}

/** Returns true if a `T` line matches a slot: the kind, the depths and the affix level. */
export function isLegal(target: AffixTarget, place: SlotPlace): boolean {
  return target.level <= place.affixLevel && fits(target, place.kind) && isInDepth(target, place);
}

/**
 * Returns true if two affixes cannot be on one object. An `X` line in one of the two affixes is enough. An affix that
 * excludes itself can be on an object only once.
 */
export function excludeEachOther(a: AffixSpec, b: AffixSpec): boolean {
  return a.excludes.includes(b.number) || b.excludes.includes(a.number);
}

const QUALITIES: readonly unknown[] = ["normal", "good", "great"] satisfies readonly Quality[];

/** Maximum number of comparisons of lines for one query. With this limit, a query takes at most some seconds. */
const MOST_COMPARISONS = 2 ** 28;

/**
 * Throws if a query needs too many comparisons of lines. The files of a real game need less than a tenth of the limit.
 *
 * @throws RollmillError `object.request`.
 */
export function refuseLong(what: string, comparisons: number): void {
  if (comparisons <= MOST_COMPARISONS) return;
  fail(
    error("object.request", {
      problem: `${what} needs too many comparisons between lines`,
      got: comparisons,
      expected: `at most ${MOST_COMPARISONS} comparisons`,
      remedy: "Use files with fewer affixes or lines, or ask for a kind that fewer lines match",
    }),
  );
}

/** Checks a real depth. @throws RollmillError `argument.range` unless it is an integer from 0 to 255. */
export function checkLevel(level: unknown): void {
  checkInteger("level", level, 0, MAX_DEPTH);
}

/** Checks a quality. @throws RollmillError `argument.type` for an unknown quality. */
export function checkQuality(quality: unknown): void {
  if (QUALITIES.includes(quality)) return;
  const expected = `one of ${QUALITIES.map((one) => JSON.stringify(one)).join(", ")}`;
  fail(error("argument.type", { problem: "unknown quality", got: quality, expected }));
}

/** Checks the depth of a slot. @throws RollmillError `argument.range` unless it is an integer ≥ 0. */
export function checkDepth(depth: unknown): void {
  checkInteger("depth", depth, 0, Number.MAX_SAFE_INTEGER);
}

/**
 * Checks the real depth and the affix level of a slot.
 *
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255, or an affix level that the files do not
 * have.
 */
export function checkSlot(
  { levels }: Pick<ObjectFiles, "levels">,
  { level, affixLevel }: { readonly level: unknown; readonly affixLevel: unknown },
): void {
  checkLevel(level);
  checkInteger("affixLevel", affixLevel, 0, levels.length - 1);
}
