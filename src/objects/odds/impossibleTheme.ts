import type { Finding } from "../../errors/index.js";
import type { AffixSpec, ThemeSpec } from "../types.js";
import { asText, canHave, type Inquiry, mostSlots, quoted, type Setting } from "./inquiry.js";
import { excludeEachOther, fits, isInDepth } from "./law.js";
import { halfPercents, LEAST_PARTS, partWeights } from "./themes.js";

/** A setting, and the affixes of positive weight in the theme that can come under it beside those asked for. */
interface Chance extends Setting {
  readonly parts: readonly AffixSpec[];
}

/**
 * Why no object can have a theme besides the affixes asked for; undefined where one may. The settings are those under which
 * these affixes can come. Cost: O(settings × affixes of the theme × `T` lines × depths), and their pairs.
 */
export function impossibleTheme(inquiry: Inquiry, theme: ThemeSpec): Finding | undefined {
  const { request, wanted, settings, depths } = inquiry;
  const { level } = request;
  const got = asText(request);
  const problem = `nothing that is asked for can get the theme ${quoted(theme)}`;
  const reached = settings.filter(({ kind }) =>
    theme.targets.some((target) => fits(target, kind) && depths.some((depth) => isInDepth(target, { level, depth }))),
  );
  if (reached.length === 0) return { problem, got, expected: "a kind and a depth of its T lines" };

  const weights = partWeights(theme);
  const weighty = inquiry.files.affixes.filter(({ number }) => (weights.get(number) ?? 0) > 0);
  const asked = new Set(wanted.map(({ number }) => number));
  const free = weighty.filter(
    (affix) => asked.has(affix.number) || !wanted.some((other) => excludeEachOther(affix, other)),
  );
  const chances = reached.map((setting): Chance => {
    const parts = free.filter((affix) => asked.has(affix.number) || canHave(affix, { ...setting, level, depths }));
    return { ...setting, parts };
  });
  const meeting = chances.filter(({ parts }) =>
    parts.some((a) => parts.some((b) => a !== b && !excludeEachOther(a, b))),
  );
  if (meeting.length === 0) {
    const what = wanted.length === 0 ? "" : `, beside ${wanted.map(quoted).join(" and ")}`;
    return { problem, got, expected: `two different affixes of positive weight that can come together${what}` };
  }

  const missing = Math.max(0, LEAST_PARTS - weighty.filter(({ number }) => asked.has(number)).length);
  const needed = wanted.length + missing;
  if (!meeting.some(({ kind }) => mostSlots(request, kind) >= needed)) {
    const most = Math.max(...meeting.map(({ kind }) => mostSlots(request, kind)));
    return {
      problem,
      got: `${most} slots at most, ${got}`,
      expected: `${needed} slots for its affixes and those asked for`,
    };
  }

  // a theme's share grows with what the object has of it: all that can come is the most
  if (meeting.some(({ parts }) => halfPercents(theme, new Set(parts.map(({ number }) => number))) > 0))
    return undefined;
  return { problem, got, expected: "affixes that weigh enough of it for half a percent" };
}
