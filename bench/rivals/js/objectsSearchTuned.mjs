// A tuned linear search for the objects of affixes.mjs: all T lines in one run, with what rules out most of them compared first,
// on to the next affix after one that fits, and a table of what is legal alone. No theme is looked for before the second affix.

import { fieldOf } from "./objectsValues.mjs";

const NONE = -1;

/** {pickAffix(…), pickTheme(…)} as of objectsSearch.mjs. */
export function jsSearchTuned(tables, { below, halfPercentsOf }) {
  const [level] = tables.sizes;

  // ── affixes ──

  const target = (field) => fieldOf(tables.targets, 8, field);
  const [targetAffix, targetTval, leastSval, mostSval] = [target(0), target(1), target(2), target(3)];
  const [targetMin, targetMax, targetLevel, probability] = [target(4), target(5), target(6), target(7)];
  const targetCount = targetAffix.length;
  /** The first line of the next affix. */
  const nextAffix = targetAffix.map((affix, line) => {
    let end = line;
    while (end < targetCount && targetAffix[end] === affix) end++;
    return end;
  });
  const legal = new Int16Array(targetCount);
  const weights = new Int16Array(targetCount);

  function pickAffix(tval, sval, depth, affixLevel) {
    let found = 0;
    let total = 0;
    for (let line = 0; line < targetCount; ) {
      if (
        targetTval[line] !== tval ||
        depth < targetMin[line] ||
        targetMax[line] < level ||
        affixLevel < targetLevel[line] ||
        sval < leastSval[line] ||
        mostSval[line] < sval
      ) {
        line++;
        continue;
      }
      legal[found] = targetAffix[line];
      weights[found++] = probability[line];
      total += probability[line];
      line = nextAffix[line];
    }
    if (total === 0) return NONE;
    let x = below(total);
    let i = 0;
    while (x >= weights[i]) x -= weights[i++];
    return legal[i];
  }

  // ── themes ──

  const themeTarget = (field) => fieldOf(tables.themeTargets, 6, field);
  const [themeOf, themeTval, themeLeastSval] = [themeTarget(0), themeTarget(1), themeTarget(2)];
  const [themeMostSval, themeMin, themeMax] = [themeTarget(3), themeTarget(4), themeTarget(5)];
  const themeCount = tables.themes.length / 3;
  const callers = new Int16Array(themeCount);
  const halfPercents = new Int16Array(themeCount);

  function pickTheme(tval, sval, depth, affixCount) {
    if (affixCount < 2) return NONE;
    let found = 0;
    let sum = 0;
    let last = NONE;
    for (let line = 0; line < themeOf.length; line++) {
      if (
        themeTval[line] !== tval ||
        themeOf[line] === last ||
        depth < themeMin[line] ||
        themeMax[line] < level ||
        sval < themeLeastSval[line] ||
        themeMostSval[line] < sval
      ) {
        continue;
      }
      last = themeOf[line];
      const p = halfPercentsOf(last);
      if (p === 0) continue;
      callers[found] = last;
      halfPercents[found++] = p;
      sum += p;
    }
    if (sum === 0 || below(200) >= sum) return NONE;
    let x = below(sum);
    let i = 0;
    while (x >= halfPercents[i]) x -= halfPercents[i++];
    return callers[i];
  }

  return { pickAffix, pickTheme };
}
