// Makes good objects at one level as the original program does, with typed arrays, into the same columns in every call.
// It also searches affixes and themes as the original does. For each pick, it makes an allocation table with an entry
// for every affix of the files; the weight of an affix is found by reading its T lines until one fits. To pick, it
// subtracts the weight of one entry after another.

import { Words } from "./words.mjs";

const INV_2_32 = 2 ** -32;
const BLOCK = 4096;
const MOST_BONUS_LEVEL = 127;
const MOST_AFFIXES = 8;
const NONE = -1;
/** Stands for "no minimum". */
const NO_LEAST = -(2 ** 31);
/** Largest absolute value of modifiers and pvals. */
const MOST = 32_767;
const MOST_WEIGHT = 65_535;
/**
 * A bit for each of ten elements. In a word of flags, the RES bits start at bit 0, the IM bits at bit 10, VULN at bit
 * 20.
 */
const ELEMENTS = 0x3ff;

/** {make()} for the tables of inputs/objectsTables.mjs. make() fills `columns` with the next objects. */
export function jsObjects(tables, columns) {
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
  /** Whether an affix's modifier can change the object. */
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

  /** The chance of a theme in units of 0.5 %; 0 if the object has fewer than two affixes of the theme. */
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

  const { pickAffix, pickTheme } = jsSearch(tables, { below, halfPercentsOf });

  function takeTheme(k, tval, sval, depth, isAmmo) {
    const theme = pickTheme(tval, sval, depth);
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
      theme = takeTheme(k, tval, sval, depth, isAmmo);
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

// ── words, random values, pvals ──

/** Returns the only object of columns of length 1: its flags as numbers of bits, and its pvals above 0 by number. */
export function objectOf(made) {
  const { flags, pvals } = made;
  const count = made.affixCount[0];
  const bits = [];
  for (let word = 0; word < flags.length; word++) {
    for (let rest = flags[word]; rest !== 0; rest &= rest - 1) bits.push(32 * word + 31 - Math.clz32(rest & -rest));
  }
  const values = {};
  for (let p = 0; p < pvals.length; p++) if (pvals[p] !== 0) values[p] = pvals[p];
  return {
    kind: made.kind[0],
    artifact: made.artifact[0],
    theme: made.theme[0],
    affixes: Array.from(made.affixes.subarray(0, count)),
    depths: Array.from(made.depths.subarray(0, count)),
    affixLevel: made.affixLevel[0],
    slots: made.slots[0],
    toHit: made.toHit[0],
    toDam: made.toDam[0],
    toAc: made.toAc[0],
    ac: made.ac[0],
    dice: made.dice[0],
    sides: made.sides[0],
    weight: made.weight[0],
    flags: bits,
    pvals: values,
  };
}

/** Returns column `field` of rows that have `width` numbers each. */
function fieldOf(numbers, width, field, Column = Int16Array) {
  return Column.from({ length: numbers.length / width }, (_, row) => numbers[row * width + field]);
}

/** Bounded draws, random values, and pvals, from the tables. `addPvals` writes to the column `pvals`. */
function jsValues(tables, pvals) {
  const pvalCount = tables.sizes[4];

  // ── words ──

  const words = new Words(6);
  const block = new Uint32Array(BLOCK);
  let at = BLOCK;

  function next() {
    if (at === BLOCK) {
      words.fill(block);
      at = 0;
    }
    return block[at++];
  }

  function below(m) {
    return (next() * m * INV_2_32) | 0;
  }

  // ── random values ──

  const value = (field, Column) => fieldOf(tables.values, 6, field, Column);
  const [base, valueDice, valueSides, most, sign] = [value(0), value(1), value(2), value(3), value(5)];
  const bonusAt = value(4, Int32Array);
  const bonuses = Int32Array.from(tables.bonuses);

  function bonus(table, max, depth) {
    const x = next() >>> 1;
    const first = table + Math.min(depth, MOST_BONUS_LEVEL) * max;
    let v = 0;
    while (v < max && bonuses[first + v] <= x) v++;
    return v;
  }

  function randomValue(v, depth) {
    const n = valueDice[v];
    const max = most[v];
    if ((n | max) === 0) return base[v];
    let rest = n;
    const faces = valueSides[v];
    for (let i = 0; i < n; i++) rest += below(faces);
    if (max > 0) rest += bonus(bonusAt[v], max, depth);
    return base[v] + sign[v] * rest;
  }

  function within(v) {
    return v > MOST ? MOST : Math.max(v, -MOST);
  }

  function raised(now, value, least) {
    if (least === NO_LEAST) return within(now + value);
    const sum = now + Math.max(value, least);
    return within(Math.max(sum, least));
  }

  // ── pvals ──

  const lists = Int16Array.from(tables.lists);
  const pvalLine = (field, Column) => fieldOf(tables.pvalLines, 4, field, Column);
  const [lineValue, lineList, lineLength] = [pvalLine(0), pvalLine(2), pvalLine(3)];
  const lineLeast = pvalLine(1, Int32Array);

  function addPvals(k, first, count, depth) {
    const own = k * pvalCount;
    for (let line = first; line < first + count; line++) {
      const rolled = randomValue(lineValue[line], depth);
      const least = lineLeast[line];
      const list = lineList[line];
      for (let i = list; i < list + lineLength[line]; i++) {
        const p = own + lists[i];
        pvals[p] = raised(pvals[p], rolled, least);
      }
    }
  }

  /** Whether a value of an affix can change the object, given the minimum total. */
  function changes(v, least) {
    return least !== NO_LEAST || base[v] !== 0 || valueDice[v] > 0 || most[v] > 0;
  }

  return { below, bonus, randomValue, within, raised, addPvals, changes, lists };
}

// ── artifacts and kinds ──

/** {becomeArtifact(k), takeKind(k), kinds}: pick an artifact or a kind by linear search and write it to the columns. */
function jsBodies(tables, columns, { below, bonus, randomValue, within, addPvals }) {
  const [level, deepest, flagWords, , , kindsBonus] = tables.sizes;
  const { kind: kindOut, artifact: artifactOut, affixLevel: affixLevelOut, slots: slotsOut } = columns;
  const { toHit, toDam, toAc, ac, dice, sides, weight, flags } = columns;

  // ── artifacts ──

  const artifact = (field) => fieldOf(tables.artifacts, 12, field);
  const [artifactKind, artifactAc, artifactDice, artifactSides] = [artifact(0), artifact(1), artifact(2), artifact(3)];
  const [artifactWeight, artifactHit, artifactDam, artifactToAc] = [artifact(4), artifact(5), artifact(6), artifact(7)];
  const [artifactPvals, artifactPvalLines] = [artifact(8), artifact(9)];
  const [artifactFirst, artifactLines] = [artifact(10), artifact(11)];
  const [rarity, shallowest, lowest] = [0, 1, 2].map((field) => fieldOf(tables.artifactLines, 3, field));
  const artifactFlags = Uint32Array.from(tables.artifactFlags);
  const isMade = new Uint8Array(artifactKind.length);
  const passing = new Int32Array(artifactKind.length);

  function becomeArtifact(k) {
    let total = 0;
    for (let a = 0; a < passing.length; a++) {
      let sum = 0;
      if (isMade[a] === 0) {
        for (let line = artifactFirst[a], end = line + artifactLines[a]; line < end; line++) {
          if (lowest[line] < level) continue;
          if (shallowest[line] <= level || below(2 * (shallowest[line] - level)) === 0) sum += rarity[line];
        }
      }
      passing[a] = sum;
      total += sum;
    }
    if (total === 0) return false;
    let x = below(total);
    let a = 0;
    while (x >= passing[a]) x -= passing[a++];
    isMade[a] = 1;
    kindOut[k] = artifactKind[a];
    artifactOut[k] = a + 1;
    affixLevelOut[k] = 0;
    slotsOut[k] = 0;
    toHit[k] = artifactHit[a];
    toDam[k] = artifactDam[a];
    toAc[k] = artifactToAc[a];
    ac[k] = artifactAc[a];
    dice[k] = artifactDice[a];
    sides[k] = artifactSides[a];
    weight[k] = artifactWeight[a];
    for (let w = 0; w < flagWords; w++) flags[k * flagWords + w] = artifactFlags[a * flagWords + w];
    addPvals(k, artifactPvals[a], artifactPvalLines[a], level);
    return true;
  }

  // ── kinds ──

  const kind = (field) => fieldOf(tables.kinds, 16, field);
  const [tvalOf, svalOf, isGood, isAmmunition] = [kind(0), kind(1), kind(2), kind(3)];
  const [kindAc, kindDice, kindSides, kindWeight] = [kind(4), kind(5), kind(6), kind(7)];
  const [kindHit, kindDam, kindToAc, kindPvals, kindPvalLines] = [kind(8), kind(9), kind(10), kind(11), kind(12)];
  const kindFlags = Uint32Array.from(tables.kindFlags);
  const [commonness, allocated, allocatedTo] = [kind(13), kind(14), kind(15)];
  const kindCount = tvalOf.length;
  // the weight of each kind at each level, and their sum
  const weightAt = new Int16Array((deepest + 1) * kindCount);
  const totalAt = new Int32Array(deepest + 1);
  for (let depth = 0; depth <= deepest; depth++) {
    for (let i = 0; i < kindCount; i++) {
      const isThere = allocated[i] <= depth && depth <= allocatedTo[i];
      weightAt[depth * kindCount + i] = isThere ? commonness[i] : 0;
      totalAt[depth] += weightAt[depth * kindCount + i];
    }
  }

  function pickKind() {
    const wanted = level + 5 + bonus(kindsBonus, 5, level);
    const depth = Math.min(wanted, deepest);
    let x = below(totalAt[depth]);
    const first = depth * kindCount;
    let i = first;
    while (x >= weightAt[i]) x -= weightAt[i++];
    return i - first;
  }

  function takeKind(k) {
    const i = pickKind();
    kindOut[k] = i;
    artifactOut[k] = 0;
    ac[k] = kindAc[i];
    dice[k] = kindDice[i];
    sides[k] = kindSides[i];
    weight[k] = kindWeight[i];
    toHit[k] = within(randomValue(kindHit[i], level));
    toDam[k] = within(randomValue(kindDam[i], level));
    toAc[k] = within(randomValue(kindToAc[i], level));
    for (let w = 0; w < flagWords; w++) flags[k * flagWords + w] = kindFlags[i * flagWords + w];
    if (kindPvalLines[i] > 0) addPvals(k, kindPvals[i], kindPvalLines[i], level);
    return i;
  }

  return { becomeArtifact, takeKind, kinds: { tvalOf, svalOf, isGood, isAmmunition } };
}

// ── the search for affixes and themes ──

/** {pickAffix(…), pickTheme(…)}: both return an index, or NONE. */
function jsSearch(tables, { below, halfPercentsOf }) {
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

/**
 * The range of lines of each record: `first` is inclusive, `end` exclusive. Lines are in the order of their records.
 */
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
