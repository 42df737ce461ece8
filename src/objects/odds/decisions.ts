import type { Fraction } from "../../fractions.js";
import type { KindSpec, ObjectFiles, Quality } from "../types.js";
import { egoDepth, egoSlotOdds, powerOdds } from "./egos.js";
import { affixLevelOdds, checkLevel, checkQuality, depthCases, slotOdds } from "./law.js";

// The laws of these decisions depend on the rules of the files: version 4 or Angband 4.2.

/** A decision about an object. */
interface DecisionQuery {
  /** The real depth, 0 … 255. */
  readonly level: number;
  readonly quality: Quality;
}

/**
 * Returns the chance of each affix level of the files, by index.
 *
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255, `argument.type` for an unknown quality.
 */
export function levelOddsOf({ rules, levels }: ObjectFiles, { level, quality }: DecisionQuery): readonly Fraction[] {
  if (rules === "v4") return affixLevelOdds(level, quality, levels.length);
  checkLevel(level);
  checkQuality(quality);
  return powerOdds(level, quality);
}

/**
 * For an object of a kind, returns the chance of each number of slots from 0 to 8.
 *
 * @throws RollmillError `argument.range` for a real depth outside 0 … 255, `argument.type` for an unknown quality.
 */
export function slotOddsOf(
  { rules }: Pick<ObjectFiles, "rules">,
  kind: Pick<KindSpec, "flags">,
  { level, quality }: DecisionQuery,
): readonly Fraction[] {
  if (rules === "v4") return slotOdds(level, quality, kind.flags.includes("GOOD"));
  checkLevel(level);
  checkQuality(quality);
  return egoSlotOdds(level, quality);
}

/** Returns the depths that a slot can have at a real depth, each with its number of cases out of 2,560. */
export function depthCasesOf({ rules }: Pick<ObjectFiles, "rules">, level: number): ReadonlyMap<number, number> {
  if (rules === "v4") return depthCases(level);
  const cases = new Map<number, number>();
  for (const [depth, count] of depthCases(level)) {
    const own = egoDepth(depth, level);
    cases.set(own, (cases.get(own) ?? 0) + count);
  }
  return cases;
}
