import type { Fraction } from "../../fractions.js";
import type { KindSpec, ObjectFiles } from "../types.js";
import { egoDepth, egoSlotOdds, powerOdds } from "./egos.js";
import { affixLevelOdds, type Decision, depthCases, slotOdds } from "./law.js";

// Edit files of version 4 and gamedata files of Angband 4.2 follow different rules (docs/formats/objects.md). Each function
// here computes by the rules of the files that it is given.

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

export function depthCasesOf(
  { rules, constants }: Pick<ObjectFiles, "rules" | "constants">,
  level: number,
): ReadonlyMap<number, number> {
  if (rules === "v4") return depthCases(level, constants);
  const cases = new Map<number, number>();
  for (const [depth, count] of depthCases(level)) {
    const own = egoDepth(depth, level);
    cases.set(own, (cases.get(own) ?? 0) + count);
  }
  return cases;
}
