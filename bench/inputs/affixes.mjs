// The edit files of the objects, parsed once and laid out as arrays of integers that every rival takes. Nothing in them is
// prepared for the search: T lines stand in the order of the files.

import { existsSync, readFileSync } from "node:fs";

const SHARED = new URL("../../../shared/data/angband-v4/", import.meta.url);
const OWN = new URL("../../data/dungeon/", import.meta.url);
const FILES = {
  object: "object.txt",
  objectBase: "object_base.txt",
  egoItem: "ego_item.txt",
  egoThemes: "ego_themes.txt",
  artifact: "artifact.txt",
};

/** What is asked of every object. */
export const LEVEL = 30;

/** What all contenders write: a column of u16 or i16 each, one number an object. */
export const NUMBERS = [
  ...["kind", "artifact", "theme", "affixLevel", "slots", "affixCount"],
  ...["toHit", "toDam", "toAc", "ac", "dice", "sides", "weight"],
];

/** Affixes that an object has room for. */
export const MOST_AFFIXES = 8;

/** Whether the real files are beside the project. */
export const hasRealFiles = existsSync(SHARED);

/** The texts of the real files, or of the project's own without the lines that the original does not know. */
export function objectTexts() {
  const folder = hasRealFiles ? SHARED : OWN;
  const read = (name) => readFileSync(new URL(name, folder), "utf8");
  const texts = Object.fromEntries(Object.entries(FILES).map(([key, name]) => [key, read(name)]));
  if (hasRealFiles) return { ...texts, flags: read("flags.csv") };
  const original = (text) => text.replace(/^[XQZ]:.*$/gm, "");
  return { ...texts, egoItem: original(texts.egoItem), artifact: original(texts.artifact) };
}

/** The parsed files, where each flag is a bit or a pval, and the odds of m_bonus: all from the library. */
export async function objectFiles() {
  const { parseObjectFiles } = await import("../../dist/affixes/index.js");
  const { FlagBits } = await import("../../dist/affixes/flagBits.js");
  const { mBonusOdds } = await import("../../dist/affixes/mBonus.js");
  const { files, issues } = parseObjectFiles(objectTexts());
  if (files === undefined) throw new Error(issues[0].message);
  return { files, bits: new FlagBits(files.flags), mBonusOdds };
}

/** Whether a kind is ever drawn for a good object. */
export function isDrawnGood({ tval, flags, allocation }) {
  if (tval === 0 || flags.includes("INSTA_ART") || !allocation?.commonness) return false;
  return flags.includes("GOOD") || (tval >= 16 && tval <= 23) || (tval >= 30 && tval <= 38);
}

/** Whether a kind is ever drawn. */
function isDrawn({ tval, flags, allocation }) {
  return tval !== 0 && !flags.includes("INSTA_ART") && Boolean(allocation?.commonness);
}

/** The deepest depth that kinds are drawn at. */
export function deepestOf({ kinds }) {
  return Math.max(...kinds.filter(isDrawn).map(({ allocation }) => allocation.most));
}

export function isAmmunition({ tval }) {
  return tval >= 16 && tval <= 18;
}

const NO_LEAST = -(2 ** 31);

/**
 * The files as arrays of integers, in the order of c/affixes.c, whose structs have the fields of each row: `sizes`, masks of
 * flags (as many words as `sizes` says for each record), and rows of records that refer to rows of others by first and count.
 */
export function objectTables({ files, bits, mBonusOdds }) {
  const values = [];
  const bonuses = [];
  const bonusAt = new Map();
  const bonusOf = (most) => {
    if (!bonusAt.has(most)) bonusAt.set(most, bonuses.length);
    else return bonusAt.get(most);
    for (let level = 0; level < 128; level++) bonuses.push(...prefixSums(mBonusOdds(most, level)));
    return bonusAt.get(most);
  };
  const value = ({ base, dice, sides, bonus, negated }) => {
    const sign = negated ? -1 : 1;
    return values.push([sign * base, dice, sides, bonus, bonus === 0 ? 0 : bonusOf(bonus), sign]) - 1;
  };
  const lists = [];
  const list = (numbers) => [lists.push(...numbers) - numbers.length, numbers.length];
  const pvalLines = [];
  const pvals = (lines) => {
    const rows = lines.map((line) => [
      value(line.value),
      line.least ?? NO_LEAST,
      ...list(line.flags.map((name) => bits.pval(name))),
    ]);
    return [pvalLines.push(...rows) - rows.length, rows.length];
  };
  const randomFlags = [];
  const random = (lines) => {
    const rows = lines.map(({ count, flags }) => [count, ...list(inOrder(files, flags).map((name) => bits.bit(name)))]);
    return [randomFlags.push(...rows) - rows.length, rows.length];
  };
  const number = new Map(files.affixes.map((affix, i) => [affix.number, i]));
  const kinds = files.kinds.map((kind) => [
    ...[kind.tval, kind.sval, Number(kind.flags.includes("GOOD")), Number(isAmmunition(kind))],
    ...[kind.ac, kind.dice, kind.sides, kind.weight, value(kind.toHit), value(kind.toDam), value(kind.toAc)],
    ...pvals(kind.pvals),
    ...[isDrawnGood(kind) ? kind.allocation.commonness : 0, kind.allocation?.least ?? 0, kind.allocation?.most ?? 0],
  ]);
  const affixes = files.affixes.map((affix) => [
    ...[affix.acPercent, affix.weightPercent, affix.dice, affix.sides],
    ...[affix.least.toHit ?? NO_LEAST, affix.least.toDam ?? NO_LEAST, affix.least.toAc ?? NO_LEAST],
    ...[value(affix.toHit), value(affix.toDam), value(affix.toAc), ...random(affix.randomFlags), ...pvals(affix.pvals)],
  ]);
  const artifactLines = [];
  const artifacts = files.artifacts.map((artifact) => {
    const kind = files.kinds.findIndex(({ tval, sval }) => tval === artifact.tval && sval === artifact.sval);
    const lines =
      kind < 0 ? [] : artifact.allocations.map(({ probability, least, most }) => [probability, least, most]);
    return [
      ...[Math.max(kind, 0), artifact.ac, artifact.dice, artifact.sides, artifact.weight],
      ...[artifact.toHit, artifact.toDam, artifact.toAc, ...pvals(artifact.pvals)],
      ...[artifactLines.push(...lines) - lines.length, lines.length],
    ];
  });
  const parts = [];
  const themes = files.themes.map((theme) => {
    const rows = partsOf(theme).map(({ affix, ...part }) => [number.get(affix), ...Object.values(part)]);
    return [parts.push(...rows) - rows.length, rows.length, theme.parts.reduce((sum, { weight }) => sum + weight, 0)];
  });
  const masks = (records, mask) => records.flatMap((record) => [...mask(record)]);
  const flagsOfKind = (i) => files.kinds[i]?.flags ?? [];
  const kindsBonus = bonusOf(5);
  return {
    sizes: [LEVEL, deepestOf(files), bits.words, bits.elementWords, bits.pvalNames.length, kindsBonus],
    ammunition: [...bits.ammunition],
    bonuses,
    values: values.flat(),
    lists,
    pvalLines: pvalLines.flat(),
    randomFlags: randomFlags.flat(),
    kinds: kinds.flat(),
    kindFlags: masks(files.kinds, ({ flags }) => bits.cleanMask(flags)),
    affixes: affixes.flat(),
    affixFlags: masks(files.affixes, ({ flags }) => bits.mask(flags)),
    targets: files.affixes.flatMap(({ targets }, i) =>
      targets.flatMap((t) => [i, t.tval, t.leastSval, t.mostSval, t.least, t.most, t.level + 1, t.probability]),
    ),
    themes: themes.flat(),
    themeTargets: files.themes.flatMap(({ targets }, i) =>
      targets.flatMap((t) => [i, t.tval, t.leastSval, t.mostSval, t.least, t.most]),
    ),
    parts: parts.flat(),
    artifacts: artifacts.flat(),
    artifactFlags: masks(files.artifacts, (artifact) => {
      const kind = files.kinds.findIndex(({ tval, sval }) => tval === artifact.tval && sval === artifact.sval);
      return bits.cleanMask([...flagsOfKind(kind), ...artifact.flags]);
    }),
    artifactLines: artifactLines.flat(),
  };
}

/** The tables as the load line of c/affixes.c: each array's length, then its numbers. */
export function objectLine(tables) {
  return Object.values(tables)
    .flatMap((numbers) => [numbers.length, ...numbers])
    .join(" ");
}

/** Sums of the weights but for the last, which no word reaches. */
function prefixSums(weights) {
  let sum = 0;
  return Array.from(weights.subarray(0, -1), (weight) => {
    sum += weight;
    return Math.min(sum, 2 ** 31 - 1);
  });
}

/** A theme's lines: whether the affix is in an earlier one, and whether its first line counts it as one of the theme's. */
function partsOf({ parts }) {
  return parts.map(({ affix, weight, chance }, i) => {
    const comesAgain = parts.slice(0, i).some((part) => part.affix === affix);
    const weighs = parts.some((part) => part.affix === affix && part.weight > 0);
    return { affix, weight, chance, again: Number(comesAgain), counts: Number(!comesAgain && weighs) };
  });
}

function inOrder({ flags }, names) {
  return flags.filter(({ name }) => names.includes(name)).map(({ name }) => name);
}
