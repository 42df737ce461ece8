// Objects as the original makes them, in typed arrays and into columns that are there, at one level and good. Rows of the tables
// are split into an array a field; what an affix does is written to the columns directly. Affixes and themes are looked for by
// objectsSearch.mjs or objectsSearchTuned.mjs.

import { jsBodies } from "./objectsBodies.mjs";
import { fieldOf, jsValues, MOST } from "./objectsValues.mjs";

const MOST_AFFIXES = 8;
const NONE = -1;
const MOST_WEIGHT = 65_535;
const ELEMENTS = 0x3ff;

/** {make()} over tables of inputs/objectsTables.mjs: fills `columns`, with the affixes and themes that `searchOver` picks. */
export function jsAffixes(tables, columns, searchOver) {
  const [level, , flagWords, elementWords, pvalCount] = tables.sizes;
  const { kind: kindOut, theme: themeOut, affixLevel: affixLevelOut } = columns;
  const { slots: slotsOut, affixCount: affixCountOut, affixes: affixesOut, depths: depthsOut } = columns;
  const { toHit, toDam, toAc, ac, dice, sides, weight, flags, pvals } = columns;
  const values = jsValues(tables, pvals);
  const { below, randomValue, raised, addPvals, lists } = values;
  const { becomeArtifact, takeKind, kinds } = jsBodies(tables, columns, values);
  const { tvalOf, svalOf, isGood, isAmmunition } = kinds;

  // ── affixes ──

  const affix = (field, Column) => fieldOf(tables.affixes, 14, field, Column);
  const [acPercent, weightPercent, moreDice, moreSides] = [affix(0), affix(1), affix(2), affix(3)];
  const leasts = [4, 5, 6].map((field) => affix(field, Int32Array));
  const modifiers = [7, 8, 9].map((field) => affix(field));
  const [randomFirst, randomLines, affixPvals, affixPvalLines] = [affix(10), affix(11), affix(12), affix(13)];
  const affixFlags = Uint32Array.from(tables.affixFlags);
  const ammunition = Uint32Array.from(tables.ammunition);
  const [randomCount, randomList, randomLength] = [0, 1, 2].map((field) => fieldOf(tables.randomFlags, 3, field));
  const free = new Int16Array(32 * flagWords);
  /** Whether a modifier of an affix changes anything. */
  const changes = modifiers.map((ids, m) => Uint8Array.from(ids, (v, a) => Number(values.changes(v, leasts[m][a]))));
  const [hitChanges, damChanges, acChanges] = changes;
  const [hitLeast, damLeast, acLeast] = leasts;
  const [hitValue, damValue, acValue] = modifiers;

  function addRandomFlags(k, a) {
    const own = k * flagWords;
    for (let line = randomFirst[a], end = line + randomLines[a]; line < end; line++) {
      for (let times = randomCount[line]; times > 0; times--) {
        let n = 0;
        for (let i = randomList[line]; i < randomList[line] + randomLength[line]; i++) {
          const bit = lists[i];
          if (((flags[own + (bit >>> 5)] >>> (bit & 31)) & 1) === 0) free[n++] = bit;
        }
        if (n === 0) break;
        const bit = free[below(n)];
        flags[own + (bit >>> 5)] |= 1 << (bit & 31);
      }
    }
  }

  function apply(k, a, depth, isAmmo) {
    if (randomLines[a] > 0) addRandomFlags(k, a);
    if (hitChanges[a] !== 0) toHit[k] = raised(toHit[k], randomValue(hitValue[a], depth), hitLeast[a]);
    if (damChanges[a] !== 0) toDam[k] = raised(toDam[k], randomValue(damValue[a], depth), damLeast[a]);
    if (acChanges[a] !== 0) toAc[k] = raised(toAc[k], randomValue(acValue[a], depth), acLeast[a]);
    if (affixPvalLines[a] > 0) addPvals(k, affixPvals[a], affixPvalLines[a], depth);
    const own = k * flagWords;
    for (let w = 0; w < flagWords; w++) flags[own + w] |= affixFlags[a * flagWords + w];
    if (acPercent[a] !== 0) ac[k] = Math.min(MOST, Math.max(0, ((ac[k] * (100 + acPercent[a])) / 100) | 0));
    if (weightPercent[a] !== 0) {
      weight[k] = Math.min(MOST_WEIGHT, Math.max(0, ((weight[k] * (100 + weightPercent[a])) / 100) | 0));
    }
    if ((moreDice[a] | moreSides[a]) !== 0) {
      dice[k] = Math.min(MOST, Math.max(1, dice[k] + moreDice[a]));
      sides[k] = Math.min(MOST, Math.max(1, sides[k] + moreSides[a]));
    }
    for (let w = 0; w < elementWords; w++) {
      const word = flags[own + w];
      const gone = ((word >>> 10) | (word & (word >>> 20))) & ELEMENTS;
      flags[own + w] = word & ~(gone | (gone << 20));
    }
    if (isAmmo !== 0) {
      for (let w = 0; w < flagWords; w++) flags[own + w] &= ammunition[w];
      for (let p = 0; p < pvalCount; p++) pvals[k * pvalCount + p] = 0;
      ac[k] = 0;
      toAc[k] = 0;
    }
  }

  // ── themes ──

  const [partFirst, partLines, themeTotal] = [0, 1, 2].map((field) => fieldOf(tables.themes, 3, field, Int32Array));
  const part = (field) => fieldOf(tables.parts, 5, field);
  const [partAffix, partWeight, partChance, comesAgain, counts] = [part(0), part(1), part(2), part(3), part(4)];
  const has = new Uint8Array(acPercent.length);

  /** Half-percents of a theme: 0 with less than two of its affixes. */
  function halfPercentsOf(theme) {
    let w = 0;
    let different = 0;
    for (let line = partFirst[theme], end = line + partLines[theme]; line < end; line++) {
      if (has[partAffix[line]] === 0) continue;
      w += partWeight[line];
      different += counts[line];
    }
    return different < 2 ? 0 : Math.min(200, Math.floor((8 * w * w) / themeTotal[theme]));
  }

  const { pickAffix, pickTheme } = searchOver(tables, { below, halfPercentsOf });

  function takeTheme(k, tval, sval, depth, count, isAmmo) {
    const theme = pickTheme(tval, sval, depth, count);
    if (theme === NONE) return 0;
    for (let line = partFirst[theme], end = line + partLines[theme]; line < end; line++) {
      if (comesAgain[line] === 0 && has[partAffix[line]] !== 0) continue;
      if (partChance[line] === 100 || below(100) < partChance[line]) apply(k, partAffix[line], depth, isAmmo);
    }
    return theme + 1;
  }

  // ── objects ──

  function rollDepth() {
    return below(20) === 0 ? 1 + (((128 * level) / (1 + below(128))) | 0) : level;
  }

  function makeOne(k) {
    for (let i = k * MOST_AFFIXES; i < (k + 1) * MOST_AFFIXES; i++) {
      affixesOut[i] = 0;
      depthsOut[i] = 0;
    }
    for (let p = k * pvalCount; p < (k + 1) * pvalCount; p++) pvals[p] = 0;
    themeOut[k] = 0;
    affixCountOut[k] = 0;
    if (below(50) === 0 && becomeArtifact(k)) return;
    const i = takeKind(k);
    const tval = tvalOf[i];
    const sval = svalOf[i];
    const isAmmo = isAmmunition[i];
    const affixLevel = 1 + (below(100) < 10 + level ? 1 : 0) + (below(4) === 0 ? 1 : 0);
    const slots = Math.min(MOST_AFFIXES, below(2 + ((level / 25) | 0)) + 1 + below(2) - isGood[i]);
    affixLevelOut[k] = affixLevel;
    slotsOut[k] = slots;
    let count = 0;
    let theme = 0;
    for (let slot = 0; slot < slots && theme === 0; slot++) {
      const depth = rollDepth();
      const a = pickAffix(tval, sval, depth, affixLevel);
      if (a === NONE) continue;
      apply(k, a, depth, isAmmo);
      affixesOut[k * MOST_AFFIXES + count] = a + 1;
      depthsOut[k * MOST_AFFIXES + count++] = depth;
      has[a] = 1;
      theme = takeTheme(k, tval, sval, depth, count, isAmmo);
    }
    for (let n = 0; n < count; n++) has[affixesOut[k * MOST_AFFIXES + n] - 1] = 0;
    affixCountOut[k] = count;
    themeOut[k] = theme;
  }

  return {
    make() {
      for (let k = 0; k < kindOut.length; k++) makeOne(k);
    },
  };
}
