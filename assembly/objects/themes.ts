// Themes. An object can get a theme if enough different affixes of the object have a weight > 0 in the theme: two, or
// more if the constants say so.

import { applyAffix } from "./affixes";
import { themesOfKind } from "./kinds";
import { THEME_SCALE, THEMES_OF_WORD, ThemeLine, ThemeRecord, ThemeTarget } from "./layout";
import { affixOf, hasAffix, isFirstOfItsKind, sharedThemes } from "./object";
import { Candidate, candidates, head, inPlan, object, recordAt, request, themeBytes, themes } from "./plan";
import { Next } from "./words";

const PERCENTS: u32 = 100;
/** For a weight below this, factor · weight² is below 2^64, because a factor is below 2^10. */
const MOST_SQUARED: u64 = 1 << 27;

/**
 * Rolls whether the object gets a theme from its affixes. If it does, applies the theme and returns true. `depth` is
 * the depth of the last affix.
 */
export function takeTheme(depth: u32): bool {
  let total: u32 = 0;
  let end = candidates;
  const able = themesOfKind();
  for (let at: usize = 0; at < themeBytes; at += THEMES_OF_WORD >> 3) {
    for (let bits = sharedThemes(at) & load<u64>(able + at); bits; bits &= bits - 1) {
      const index = <u32>((at << 3) + <usize>ctz(bits));
      const theme = themeAt(index);
      const halfPercents = isLegal(theme, depth) ? halfPercentsOf(theme) : 0;
      if (!halfPercents) continue;
      total += halfPercents;
      const candidate = changetype<Candidate>(end);
      candidate.id = index;
      candidate.sum = total;
      end += offsetof<Candidate>();
    }
  }
  if (!total || Next.below(THEME_SCALE) >= total) return false;
  applyTheme(candidateOf(Next.below(total)), depth);
  return true;
}

/** Returns the id of the first candidate whose prefix sum is > x. */
export function candidateOf(x: u32): u32 {
  let at = candidates;
  while (changetype<Candidate>(at).sum <= x) at += offsetof<Candidate>();
  return changetype<Candidate>(at).id;
}

function themeAt(index: u32): ThemeRecord {
  return changetype<ThemeRecord>(recordAt(themes, index));
}

/** Whether a T line of the theme matches the object. `depth` is the depth of the last affix. */
function isLegal(theme: ThemeRecord, depth: u32): bool {
  const targets = inPlan(theme.targets);
  const end = targets + <usize>theme.targetCount * offsetof<ThemeTarget>();
  for (let at = targets; at < end; at += offsetof<ThemeTarget>()) {
    const target = changetype<ThemeTarget>(at);
    const fits = target.tval == object.tval && target.leastSval <= object.sval && object.sval <= target.mostSval;
    if (fits && target.least <= depth && request.level <= target.most) return true;
  }
  return false;
}

/**
 * Returns the chance of a theme in units of 0.5 %: min(200, ⌊factor·w² / t⌋). t sums the weights of all affixes in this
 * theme. w sums the weights of the object's affixes only. An affix that the object has twice counts once in w.
 */
function halfPercentsOf(theme: ThemeRecord): u32 {
  const weights = inPlan(theme.weights);
  let w: u64 = 0;
  let parts: u32 = 0;
  for (let i: u32 = 0, n = object.affixCount; i < n; ++i) {
    if (!isFirstOfItsKind(i)) continue;
    const weight = load<u32>(weights + ((<usize>affixOf(i)) << 2));
    w += weight;
    parts += u32(weight != 0);
  }
  if (parts < head.themeParts) return 0;
  const product = <u64>head.themeFactor * w;
  const total = <u64>theme.total;
  if (w < MOST_SQUARED) return <u32>min<u64>(THEME_SCALE, (product * w) / total);
  // the same quotient in two parts, so that no product exceeds 2^64: w ≤ total < 2^32
  return <u32>min<u64>(THEME_SCALE, (product / total) * w + ((product % total) * w) / total);
}

/**
 * Applies the lines of a theme. Each line names an affix. If the object already has this affix, the first line of the
 * theme that names the affix is skipped. Later lines that name the same affix are not skipped.
 */
function applyTheme(index: u32, depth: u32): void {
  const theme = themeAt(index);
  const lines = inPlan(theme.lines);
  const end = lines + <usize>theme.lineCount * offsetof<ThemeLine>();
  for (let at = lines; at < end; at += offsetof<ThemeLine>()) {
    const line = changetype<ThemeLine>(at);
    if (!line.comesAgain && hasAffix(line.affix)) continue;
    if (line.chance == PERCENTS || Next.below(PERCENTS) < line.chance) applyAffix(line.affix, depth);
  }
  object.theme = index + 1;
}
