import { type Finding, type Issue, warning } from "../../errors/index.js";
import type { FlagBits } from "../law/flagBits.js";
import { rangeOf } from "../law/values.js";
import type { AffixSpec, RandomValue } from "../types.js";
import { quoted } from "./impossible.js";

export function checkContradictions(affix: AffixSpec, bits: FlagBits): readonly Issue[] {
  const findings = [...checkFlags(affix, bits), ...checkMinima(affix), ...checkCounts(affix)];
  return findings.map((finding) => warning("object.name", { ...finding, where: affix.place }));
}

function checkFlags(affix: AffixSpec, bits: FlagBits): readonly Finding[] {
  const kept = new Set(bits.withoutContradictions(affix.flags));
  const lost = affix.flags.filter((flag) => !kept.has(flag));
  if (lost.length === 0) return [];
  return [
    {
      problem: `flags of the affix ${quoted(affix)} contradict each other, so it never gives ${lost.join(" and ")}`,
      expected: "at most one of resistance, immunity and vulnerability for each element",
      remedy: "Remove flags from its F lines",
    },
  ];
}

function checkMinima({ name, toHit, toDam, toAc, least, pvals, randomPvals }: AffixSpec): readonly Finding[] {
  const lines: readonly (readonly [what: string, value: RandomValue, minimum: number | undefined])[] = [
    ["to-hit", toHit, least.toHit],
    ["to-dam", toDam, least.toDam],
    ["to-ac", toAc, least.toAc],
    ...pvals.map(({ value, least: minimum, flags }) => [`the pval of ${flags.join(" | ")}`, value, minimum] as const),
    ...randomPvals.map(({ value, least: minimum }) => ["the pval of the Z line", value, minimum] as const),
  ];
  return lines.flatMap(([what, value, minimum]): readonly Finding[] => {
    const { least: low, most } = rangeOf(value);
    // a line that only sets a minimum is usually written as the constant 0 with this minimum
    if (minimum === undefined || most >= minimum || (low === 0 && most === 0)) return [];
    return [
      {
        problem: `the affix ${quoted({ name })} has a minimum of ${what} that its value never reaches`,
        got: minimum,
        expected: `at most ${most}, the greatest value`,
        remedy: "Lower the minimum, or raise the value",
      },
    ];
  });
}

function checkCounts({ name, randomFlags, randomPvals }: AffixSpec): readonly Finding[] {
  const scarce = [...randomFlags, ...randomPvals].find(({ count, flags }) => count > flags.length);
  if (scarce === undefined) return [];
  return [
    {
      problem: `the affix ${quoted({ name })} draws more random flags than its line lists`,
      got: scarce.count,
      expected: `at most ${scarce.flags.length}`,
      remedy: "Reduce the count, or list more flags",
    },
  ];
}
