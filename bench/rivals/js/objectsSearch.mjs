// The original's search, for the objects of affixes.mjs: every affix of the files has its entry in an allocation table, made
// anew for each pick by walking its T lines until one fits, and the pick subtracts entry after entry. Themes likewise.

import { fieldOf } from "./objectsValues.mjs";

const NONE = -1;

/** {pickAffix(…), pickTheme(…)} over tables of inputs/objectsTables.mjs; indices, or NONE. */
export function jsSearch(tables, { below, halfPercentsOf }) {
  const [level] = tables.sizes;

  // ── affixes ──

  const target = (field) => fieldOf(tables.targets, 8, field);
  const [targetTval, leastSval, mostSval] = [target(1), target(2), target(3)];
  const [targetMin, targetMax, targetLevel, probability] = [target(4), target(5), target(6), target(7)];
  const affixLines = linesOf(target(0), tables.affixes.length / 14);
  const affixTable = allocationTable(affixLines.first.length);

  function pickAffix(tval, sval, depth, affixLevel) {
    const { first, end } = affixLines;
    const { index, weight } = affixTable;
    let total = 0;
    for (let affix = 0; affix < weight.length; affix++) {
      let p = 0;
      for (let line = first[affix]; line < end[affix]; line++) {
        if (targetTval[line] !== tval) continue;
        if (sval < leastSval[line] || mostSval[line] < sval) continue;
        if (depth < targetMin[line] || targetMax[line] < level) continue;
        if (affixLevel < targetLevel[line]) continue;
        p = probability[line];
        break;
      }
      index[affix] = affix;
      weight[affix] = p;
      total += p;
    }
    return total === 0 ? NONE : entryAt(affixTable, below(total));
  }

  // ── themes ──

  const themeTarget = (field) => fieldOf(tables.themeTargets, 6, field);
  const [themeTval, themeLeastSval, themeMostSval] = [themeTarget(1), themeTarget(2), themeTarget(3)];
  const [themeMin, themeMax] = [themeTarget(4), themeTarget(5)];
  const themeLines = linesOf(themeTarget(0), tables.themes.length / 3);
  const themeTable = allocationTable(themeLines.first.length);

  function pickTheme(tval, sval, depth) {
    const { first, end } = themeLines;
    const { index, weight } = themeTable;
    let sum = 0;
    for (let theme = 0; theme < weight.length; theme++) {
      let p = 0;
      for (let line = first[theme]; line < end[theme]; line++) {
        if (themeTval[line] !== tval) continue;
        if (sval < themeLeastSval[line] || themeMostSval[line] < sval) continue;
        if (depth < themeMin[line] || themeMax[line] < level) continue;
        p = halfPercentsOf(theme);
        break;
      }
      index[theme] = theme;
      weight[theme] = p;
      sum += p;
    }
    return sum === 0 || below(200) >= sum ? NONE : entryAt(themeTable, below(sum));
  }

  return { pickAffix, pickTheme };
}

/** Lines of each record: from `first` to before `end`. Lines are in the order of their records. */
function linesOf(recordOf, records) {
  const [first, end] = [new Int16Array(records), new Int16Array(records)];
  let line = 0;
  for (let record = 0; record < records; record++) {
    first[record] = line;
    while (recordOf[line] === record) line++;
    end[record] = line;
  }
  return { first, end };
}

function allocationTable(length) {
  return { index: new Int16Array(length), weight: new Int32Array(length) };
}

function entryAt({ index, weight }, x) {
  let rest = x;
  let entry = 0;
  while (rest >= weight[entry]) rest -= weight[entry++];
  return index[entry];
}
