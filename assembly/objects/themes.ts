// Themes: whether the object's affixes call for one, and what comes with it.
//
//   theme   +0 T lines   +4 how many   +8 lines   +12 how many   +16 what each affix weighs, u32   +20 what all weigh
//
//   T line  +0 tval, u16   +2 least sval, u16   +4 greatest sval, u16   +6 min, u16   +8 max, u16     12 bytes
//   line    +0 affix   +4 chance   +8 whether the affix is in an earlier line

import { applyAffix } from "./affix";
import { level } from "./asked";
import { themesOfKind } from "./kinds";
import { inPlan, record, themes, themeWords, weights } from "./plan";
import { AFFIX_COUNT, affixOf, get, hasAffix, isFirstOfItsKind, SVAL, set, THEME, TVAL, themesOfTwo } from "./record";
import { Next } from "./words";

const TARGETS: usize = 0;
const TARGET_COUNT: usize = 4;
const LINES: usize = 8;
const LINE_COUNT: usize = 12;
const AFFIX_WEIGHTS: usize = 16;
const TOTAL: usize = 20;

const LEAST_SVAL: usize = 2;
const MOST_SVAL: usize = 4;
const MIN: usize = 6;
const MAX: usize = 8;
const TARGET_BYTES: usize = 12;

const CHANCE: usize = 4;
const COMES_AGAIN: usize = 8;
const LINE_BYTES: usize = 12;

const HALF_PERCENTS: u32 = 200;
const PERCENTS: u32 = 100;

/** Gives the object a theme, if its affixes call for one; whether it did. `depth` is that of the last affix. */
export function takeTheme(depth: u32): bool {
  let total: u32 = 0;
  let found: usize = 0;
  const able = themesOfKind();
  for (let word: usize = 0; word < themeWords; ++word) {
    for (let bits = themesOfTwo(word) & load<u64>(able + (word << 3)); bits; bits &= bits - 1) {
      const theme = <u32>((word << 6) + <usize>ctz(bits));
      const halfPercents = mayTake(record(themes, theme), depth) ? halfPercentsOf(record(themes, theme)) : 0;
      if (!halfPercents) continue;
      total += halfPercents;
      store<u32>(weights + found, theme);
      store<u32>(weights + found, total, 4);
      found += 8;
    }
  }
  if (!total || Next.below(HALF_PERCENTS) >= total) return false;
  const x = Next.below(total);
  let at = weights;
  while (load<u32>(at, 4) <= x) at += 8;
  applyTheme(load<u32>(at), depth);
  return true;
}

function mayTake(theme: usize, depth: u32): bool {
  const first = inPlan(theme, TARGETS);
  const end = first + <usize>load<u32>(theme, TARGET_COUNT) * TARGET_BYTES;
  const real = level();
  const sval = get(SVAL);
  for (let at = first; at < end; at += TARGET_BYTES) {
    const isOf =
      load<u16>(at) == get(TVAL) && load<u16>(at, LEAST_SVAL) <= sval && sval <= <u32>load<u16>(at, MOST_SVAL);
    if (isOf && load<u16>(at, MIN) <= depth && real <= <u32>load<u16>(at, MAX)) return true;
  }
  return false;
}

/** min(200, ⌊8·w² / t⌋): w is what the object's different affixes weigh in the theme, t what all do. */
function halfPercentsOf(theme: usize): u32 {
  const own = inPlan(theme, AFFIX_WEIGHTS);
  let w: u64 = 0;
  for (let i: u32 = 0, n = get(AFFIX_COUNT); i < n; ++i) {
    if (isFirstOfItsKind(i)) w += load<u32>(own + ((<usize>affixOf(i)) << 2));
  }
  return <u32>min<u64>(HALF_PERCENTS, (8 * w * w) / load<u32>(theme, TOTAL));
}

/** Applies a theme's lines: an affix that the object has does not come again, unless the theme has it twice. */
function applyTheme(index: u32, depth: u32): void {
  const theme = record(themes, index);
  const first = inPlan(theme, LINES);
  const end = first + <usize>load<u32>(theme, LINE_COUNT) * LINE_BYTES;
  for (let line = first; line < end; line += LINE_BYTES) {
    const affix = load<u32>(line);
    if (!load<u32>(line, COMES_AGAIN) && hasAffix(affix)) continue;
    const chance = load<u32>(line, CHANCE);
    if (chance == PERCENTS || Next.below(PERCENTS) < chance) applyAffix(affix, depth);
  }
  set(THEME, index + 1);
}
