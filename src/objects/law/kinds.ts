import type { Watch } from "../../calls/index.js";
import { add, divide, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import { DEPTHS } from "../../kernel/layout.js";
import type { KindSpec, ObjectFiles, Quality } from "../types.js";
import { canBeGood, egoDepth, egoKindDepths, egoSlotOdds, powerOdds } from "./egos.js";
import { M_BONUS_TOTAL, mBonusOdds } from "./mBonus.js";
import { addTo, affixLevelOdds, type Decision, depthCases, rollsOf, slotOdds } from "./slots.js";
import { isWeapon, NO_TVAL } from "./tvals.js";

interface KindQuery extends Decision {
  readonly kind?: KindSpec | undefined;
  readonly tval?: number | undefined;
  readonly watch?: Watch | undefined;
}

/**
 * Returns the exact chance that each kind is drawn, over all depths of the draw. Cost: O(kinds × depths). By the rules
 * of version 4, a normal object has one depth, a good or great object usually up to 6. By the rules of Angband 4.2,
 * there are up to 101 depths.
 */
export function kindOdds(files: ObjectFiles, query: KindQuery) {
  const { kind: certain, tval, watch } = query;
  if (certain !== undefined) return { kinds: new Map([[certain, ONE]]), none: ZERO };
  const drawable = drawableOf(files, query);
  const chances = new Map<KindSpec, Fraction>();
  for (const [depth, chance] of kindDepths(deepestOf(drawable), files, query)) {
    const here = drawable.filter(({ allocation }) => isIn(allocation, depth));
    const total = here.reduce((sum, { allocation }) => sum + BigInt(allocation?.commonness ?? 0), 0n);
    for (const kind of here) {
      watch?.look();
      const share = fraction(BigInt(kind.allocation?.commonness ?? 0), total);
      addTo(chances, kind, multiply(chance, share));
    }
  }
  const found = new Map<KindSpec, Fraction>();
  let all = ZERO;
  for (const kind of drawable) {
    watch?.look();
    const chance = chances.get(kind);
    if (chance === undefined || (tval ?? kind.tval) !== kind.tval) continue;
    found.set(kind, chance);
    all = add(all, chance);
  }
  if (tval === undefined || all.numerator === 0n) return { kinds: found, none: subtract(ONE, all) };
  for (const [kind, chance] of found) found.set(kind, divide(chance, all));
  return { kinds: found, none: ZERO };
}

export function drawnKinds(files: ObjectFiles, query: KindQuery) {
  const drawable = drawableOf(files, query);
  const depths = [...kindDepths(deepestOf(drawable), files, query).keys()];
  const isPossible = ({ allocation }: KindSpec) => depths.some((depth) => isIn(allocation, depth));
  return {
    kinds: drawable.filter((kind) => isPossible(kind) && (query.tval ?? kind.tval) === kind.tval),
    isEverywhere: depths.every((depth) => drawable.some(({ allocation }) => isIn(allocation, depth))),
  };
}

/** Lists the real depths, 1 to the greatest depth of a kind, at which a draw can reach a depth without kinds. */
export function emptyLevels(files: ObjectFiles, quality: Quality): readonly number[] {
  const isCovered = new Uint8Array(DEPTHS);
  const drawable = drawableOf(files, { quality });
  const deepest = deepestOf(drawable);
  for (const { allocation } of drawable) {
    if (allocation !== undefined) isCovered.fill(1, allocation.least, allocation.most + 1);
  }
  const levels = Array.from({ length: deepest }, (_, i) => i + 1);
  return levels.filter((level) => {
    const depths = kindDepths(deepest, files, { level, quality }).keys();
    return [...depths].some((depth) => isCovered[depth] === 0);
  });
}

/** Returns the least real depth at which a kind can be drawn. `least` is the least depth in the kind's record. */
export function leastDraw({ rules, constants }: ObjectFiles, least: number): number {
  const { deeper, bonus } = constants.kinds;
  // by the rules of Angband 4.2, the draw for a good object can reach the greatest depth even from the real depth 0
  return rules === "4.2" ? 0 : Math.max(0, least - Math.max(deeper.good, deeper.great) - bonus);
}

type DrawQuery = Pick<KindQuery, "quality" | "tval"> & Pick<ObjectFiles, "rules">;

export function canBeDrawn(kind: KindSpec, query: DrawQuery): boolean {
  const { type, tval, flags, allocation } = kind;
  if (tval === NO_TVAL || (query.tval !== undefined && query.tval !== tval)) return false;
  if (allocation === undefined || allocation.commonness === 0 || flags.includes("INSTA_ART")) return false;
  if (query.quality === "normal") return true;
  if (query.rules === "4.2") return canBeGood(kind);
  return flags.includes("GOOD") || isWeapon(type) || type.group === "armour";
}

function drawableOf({ rules, kinds }: ObjectFiles, { quality }: Pick<KindQuery, "quality">): readonly KindSpec[] {
  return kinds.filter((kind) => canBeDrawn(kind, { rules, quality }));
}

function deepestOf(kinds: readonly KindSpec[]): number {
  return kinds.reduce((most, { allocation }) => Math.max(most, allocation?.most ?? 0), 0);
}

function kindDepths(deepest: number, { rules, constants }: ObjectFiles, { level, quality }: Decision) {
  if (rules === "4.2") return egoKindDepths(deepest, { level, quality });
  const { kindDepth } = rollsOf(constants, { level, quality });
  const { bonus: mostBonus } = constants.kinds;
  const bonuses = quality === "normal" || mostBonus === 0 ? [M_BONUS_TOTAL] : [...mBonusOdds(mostBonus, level)];
  const depths = new Map<number, Fraction>();
  bonuses.forEach((cases, bonus) => {
    const depth = Math.min(kindDepth + bonus, deepest);
    addTo(depths, depth, fraction(BigInt(cases), BigInt(M_BONUS_TOTAL)));
  });
  return depths;
}

function isIn(range: { readonly least: number; readonly most: number } | undefined, value: number): boolean {
  return range !== undefined && range.least <= value && value <= range.most;
}

export function levelOddsOf(files: ObjectFiles, { level, quality }: Decision): readonly Fraction[] {
  const { rules, levels, constants } = files;
  return rules === "v4" ? affixLevelOdds(level, quality, levels.length, constants) : powerOdds(level, quality);
}

export function slotOddsOf(
  { rules, constants }: Pick<ObjectFiles, "rules" | "constants">,
  kind: Pick<KindSpec, "flags">,
  { level, quality }: Decision,
): readonly Fraction[] {
  return rules === "v4"
    ? slotOdds(level, quality, kind.flags.includes("GOOD"), constants)
    : egoSlotOdds(level, quality);
}

export function depthCasesOf({ rules, constants }: Pick<ObjectFiles, "rules" | "constants">, level: number) {
  if (rules === "v4") return depthCases(level, constants);
  const cases = new Map<number, number>();
  for (const [depth, count] of depthCases(level)) {
    const own = egoDepth(depth, level);
    cases.set(own, (cases.get(own) ?? 0) + count);
  }
  return cases;
}
