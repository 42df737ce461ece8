// What good objects at one level are by the files alone: exact laws of kinds, slots, affix levels and first affixes, chances of
// themes, means of what is rolled, and what follows from the rest. Nothing here is of a contender's tables or search.

import { deepestOf, isAmmunition, isDrawnGood, LEVEL, MOST_AFFIXES } from "./objects.mjs";

const TOTAL = 2 ** 31; // of the weights of m_bonus
const ROLLS = ["toHit", "toDam", "toAc"];

/** Depths that affixes are chosen at, with their chances. */
function depthLaw() {
  const law = new Map([[LEVEL, 19 / 20]]);
  for (let j = 1; j <= 128; j++) {
    const depth = 1 + Math.floor((128 * LEVEL) / j);
    law.set(depth, (law.get(depth) ?? 0) + 1 / 20 / 128);
  }
  return law;
}

/** Affix levels, from 1, with their chances. */
function levelLaw() {
  const great = (10 + LEVEL) / 100;
  return [(1 - great) * 0.75, great * 0.75 + (1 - great) * 0.25, great * 0.25];
}

/** Slots of a kind with the flag GOOD, or without, by their number. */
function slotLaw(isGood) {
  const law = new Array(MOST_AFFIXES + 1).fill(0);
  const choices = 2 + Math.floor(LEVEL / 25);
  for (let a = 0; a < choices; a++) for (const b of [1, 2]) law[a + b - Number(isGood)] += 1 / choices / 2;
  return law;
}

/** Kinds by index, with their chances. */
function kindLaw({ files, mBonusOdds }) {
  const law = new Array(files.kinds.length).fill(0);
  for (const [b, odds] of mBonusOdds(5, LEVEL).entries()) {
    const depth = Math.min(LEVEL + 5 + b, deepestOf(files));
    const weights = files.kinds.map((kind) => {
      const isThere = isDrawnGood(kind) && kind.allocation.least <= depth && depth <= kind.allocation.most;
      return isThere ? kind.allocation.commonness : 0;
    });
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (const [i, weight] of weights.entries()) law[i] += ((odds / TOTAL) * weight) / total;
  }
  return law;
}

function reaches(line, { tval, sval }) {
  return line.tval === tval && line.leastSval <= sval && sval <= line.mostSval;
}

/** What each affix weighs on a kind, at a depth and an affix level from 1. */
function affixWeights({ files }, kind, { depth, level }) {
  return files.affixes.map(({ targets }) => {
    const inDepth = (line) => line.least <= depth && LEVEL <= line.most && line.level < level;
    return targets.find((line) => reaches(line, kind) && inDepth(line))?.probability ?? 0;
  });
}

/** The cell of an object's first affix: 0 none, then two an affix, by whether its depth was boosted. */
function firstCell({ affixes, depths }, k) {
  const affix = affixes[k * MOST_AFFIXES];
  return affix === 0 ? 0 : 2 * affix - Number(depths[k * MOST_AFFIXES] === LEVEL);
}

/** First affixes that are recorded, of any kind. A slot that may hold none passes to the next one. */
function firstLaw(source, kinds) {
  const law = new Array(1 + 2 * source.files.affixes.length).fill(0);
  for (const [i, chance] of kinds.entries()) {
    if (chance === 0) continue;
    const slots = slotLaw(source.files.kinds[i].flags.includes("GOOD"));
    for (const [l, ofLevel] of levelLaw().entries()) {
      const { none, given } = slotChances(source, source.files.kinds[i], l + 1);
      for (const [n, ofSlots] of slots.entries()) {
        const p = chance * ofLevel * ofSlots;
        law[0] += p * none ** n;
        const tries = none === 1 ? 0 : (1 - none ** n) / (1 - none);
        for (const [cell, q] of given) law[cell] += p * tries * q;
      }
    }
  }
  return law;
}

/** What one slot gives: nothing, or by cell of {@link firstCell}. */
function slotChances(source, kind, level) {
  const able = {
    files: {
      affixes: source.files.affixes.map(({ targets }) => ({ targets: targets.filter((line) => reaches(line, kind)) })),
    },
  };
  const given = new Map();
  let none = 0;
  for (const [depth, chance] of depthLaw()) {
    const weights = affixWeights(able, kind, { depth, level });
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    if (total === 0) none += chance;
    for (const [a, weight] of weights.entries()) {
      if (weight === 0) continue;
      const cell = 2 * (a + 1) - Number(depth === LEVEL);
      given.set(cell, (given.get(cell) ?? 0) + (chance * weight) / total);
    }
  }
  return { none, given };
}

/** The laws that chi-square asks of, and the cell of object k in each. */
export function objectLaws(source) {
  const kinds = kindLaw(source);
  const good = source.files.kinds.map(({ flags }) => Number(flags.includes("GOOD")));
  const share = [0, 1].map((is) => kinds.reduce((sum, p, i) => sum + (good[i] === is ? p : 0), 0));
  return [
    { law: kinds, cell: (made, k) => made.kind[k] },
    { law: levelLaw(), cell: (made, k) => made.affixLevel[k] - 1 },
    {
      law: [0, 1].flatMap((is) => slotLaw(is === 1).map((p) => p * share[is])),
      cell: (made, k) => good[made.kind[k]] * (MOST_AFFIXES + 1) + made.slots[k],
    },
    { law: firstLaw(source, kinds), cell: firstCell },
  ];
}

/** Whether an affix may come to a kind, at a depth and an affix level. */
export function mayCome(source, kind, { affix, depth, level }) {
  const isDepth = depthLaw().has(depth);
  return isDepth && affixWeights({ files: { affixes: [source.files.affixes[affix]] } }, kind, { depth, level })[0] > 0;
}

/** The chance of each theme, by index, of an object of so many affixes (their numbers, once each), the last chosen at `depth`. */
export function themeChances({ files }, kind, { numbers, depth }) {
  const halfPercents = files.themes.map(({ targets, parts }) => {
    const mayBe = targets.some((line) => reaches(line, kind) && line.least <= depth && LEVEL <= line.most);
    const own = parts.filter(({ affix }) => numbers.has(affix));
    const weighing = new Set(own.flatMap(({ affix, weight }) => (weight > 0 ? [affix] : [])));
    if (!mayBe || weighing.size < 2) return 0;
    const sum = (lines) => lines.reduce((all, { weight }) => all + weight, 0);
    return Math.min(200, Math.floor((8 * sum(own) ** 2) / sum(parts)));
  });
  const all = halfPercents.reduce((sum, p) => sum + p, 0);
  return halfPercents.map((p) => p / Math.max(200, all));
}

/** What follows from kind and affixes where nothing is rolled: ac, dice, sides, weight, and flags unless some are random. */
export function bodyOf({ bits }, kind, affixes) {
  const body = { ac: kind.ac, dice: kind.dice, sides: kind.sides, weight: kind.weight };
  let flags = bits.cleanUp(bits.mask(kind.flags));
  for (const affix of affixes) {
    body.ac = Math.max(0, Math.floor((body.ac * (100 + affix.acPercent)) / 100));
    body.weight = Math.max(0, Math.floor((body.weight * (100 + affix.weightPercent)) / 100));
    if (affix.dice !== 0 || affix.sides !== 0) {
      body.dice = Math.max(1, body.dice + affix.dice);
      body.sides = Math.max(1, body.sides + affix.sides);
    }
    const names = bits.names.filter((name, bit) => name !== undefined && (flags[bit >>> 5] >>> (bit & 31)) & 1);
    flags = bits.cleanUp(bits.mask([...names, ...affix.flags]));
    if (!isAmmunition(kind)) continue;
    flags = flags.map((word, w) => word & bits.ammunition[w]);
    body.ac = 0;
  }
  return { body, flags: affixes.some(({ randomFlags }) => randomFlags.length > 0) ? undefined : flags };
}

/** All affixes that a theme brings to an object of some, in its order; undefined where chance decides. */
export function affixesOfTheme({ files }, theme, affixes) {
  if (theme.parts.some(({ chance }) => chance < 100)) return undefined;
  const brought = theme.parts.filter(({ affix }, i) => {
    const comesAgain = theme.parts.slice(0, i).some((part) => part.affix === affix);
    return comesAgain || !affixes.some(({ number }) => number === affix);
  });
  return brought.map((part) => files.affixes.find(({ number }) => number === part.affix));
}

/**
 * By bit the chance of each random flag of a kind's only affix, for an affix with one such line; none where a flag may come
 * from elsewhere or be cleaned up.
 */
export function randomFlagChances({ bits }, kind, { flags, randomFlags }) {
  const [line, ...others] = randomFlags;
  if (line === undefined || others.length > 0 || isAmmunition(kind)) return [];
  const free = line.flags.filter((name) => !kind.flags.includes(name));
  const isPlain = !free.some((name) => flags.includes(name) || name.startsWith("IM_") || name.startsWith("VULN_"));
  const isClean = ![...kind.flags, ...flags].some((name) => name.startsWith("IM_") || name.startsWith("VULN_"));
  return isPlain && isClean ? free.map((name) => [bits.bit(name), Math.min(1, line.count / free.length)]) : [];
}

/** The law of a random value at a depth: chances by value. */
function lawOf({ mBonusOdds }, { base, dice, sides, bonus, negated }, depth) {
  let law = new Map([[0, 1]]);
  const die = new Map(Array.from({ length: sides }, (_, i) => [i + 1, 1 / sides]));
  for (let i = 0; i < dice; i++) law = combined(law, die, (a, b) => a + b);
  if (bonus > 0) {
    const odds = Array.from(mBonusOdds(bonus, depth), (weight, v) => [v, weight / TOTAL]);
    law = combined(law, new Map(odds), (a, b) => a + b);
  }
  return new Map(Array.from(law, ([v, p]) => [(negated ? -1 : 1) * (base + v), p]));
}

/** The law of what two independent values come to. */
function combined(a, b, join) {
  const law = new Map();
  for (const [x, p] of a)
    for (const [y, q] of b) if (p * q > 0) law.set(join(x, y), (law.get(join(x, y)) ?? 0) + p * q);
  return law;
}

function raised(least) {
  return least === undefined
    ? (now, value) => now + value
    : (now, value) => Math.max(now + Math.max(value, least), least);
}

/** Laws of to-hit, to-dam, to-ac and every pval of a kind with one affix, chosen at `depth`, or none. */
export function rollLaws(source, kind, { affix, depth }) {
  const { pvalNames } = source.bits;
  const isNothing = affix !== undefined && isAmmunition(kind);
  const nothing = new Map([[0, 1]]);
  const steps = [{ of: kind, depth: LEVEL }, ...(affix === undefined ? [] : [{ of: affix, depth }])];
  const modifiers = ROLLS.map((name) => {
    if (isNothing && name === "toAc") return nothing;
    return steps.reduce(
      (law, { of, depth }) => combined(law, lawOf(source, of[name], depth), raised(of.least?.[name])),
      nothing,
    );
  });
  const pvals = pvalNames.map((name) => {
    if (isNothing) return nothing;
    const lines = steps.flatMap(({ of, depth }) =>
      of.pvals.filter(({ flags }) => flags.includes(name)).map((line) => ({ line, depth })),
    );
    return lines.reduce(
      (law, { line, depth }) => combined(law, lawOf(source, line.value, depth), raised(line.least)),
      nothing,
    );
  });
  return [...modifiers, ...pvals];
}
