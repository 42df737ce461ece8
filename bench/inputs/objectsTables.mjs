// The edit files of the objects as arrays of integers, for every rival. The arrays are not prepared for a fast search:
// T lines are in the order of the files.

import { deepestOf, isAmmunition, isDrawnGood, LEVEL } from "./objects.mjs";

const NO_LEAST = -(2 ** 31);
const BONUS_LEVELS = 128;
const KINDS_BONUS = 5;

/** Rows that records refer to: a value by its index, a list of lines by the index of the first line and their count. */
class Rows {
  values = [];
  bonuses = [];
  lists = [];
  pvalLines = [];
  randomFlags = [];
  #bonusAt = new Map();
  #source;

  constructor(source) {
    this.#source = source;
  }

  /**
   * The index of the cumulative weights of m_bonus(most, …): `most` weights for each level. The last cumulative weight
   * is left out, because every random word is below it.
   */
  bonus(most) {
    const known = this.#bonusAt.get(most);
    if (known !== undefined || most === 0) return known ?? 0;
    this.#bonusAt.set(most, this.bonuses.length);
    for (let level = 0; level < BONUS_LEVELS; level++) {
      let sum = 0;
      for (const weight of this.#source.mBonusOdds(most, level).subarray(0, -1)) {
        sum += weight;
        this.bonuses.push(Math.min(sum, 2 ** 31 - 1));
      }
    }
    return this.#bonusAt.get(most);
  }

  value({ base, dice, sides, bonus, negated }) {
    const sign = negated ? -1 : 1;
    return this.values.push([sign * base, dice, sides, bonus, this.bonus(bonus), sign]) - 1;
  }

  pvals(lines) {
    const { bits } = this.#source;
    const index = (name) => bits.pval(name);
    return into(
      this.pvalLines,
      lines.map(({ value, least, flags }) => [
        this.value(value),
        least ?? NO_LEAST,
        ...into(this.lists, flags.map(index)),
      ]),
    );
  }

  random(lines) {
    const { bits, files } = this.#source;
    const inOrder = (flags) => files.flags.filter(({ name }) => flags.includes(name)).map(({ name }) => bits.bit(name));
    return into(
      this.randomFlags,
      lines.map(({ count, flags }) => [count, ...into(this.lists, inOrder(flags))]),
    );
  }
}

/** Appends rows, and returns the index of the first new row and the number of new rows. */
function into(rows, more) {
  return [rows.push(...more) - more.length, more.length];
}

/**
 * Returns the files as arrays of integers, in the order and with the fields of c/objects.h: `sizes`, flag masks, and
 * rows.
 */
export function objectTables(source) {
  const { files, bits } = source;
  const rows = new Rows(source);
  const sizes = [
    LEVEL,
    deepestOf(files),
    bits.words,
    bits.elementWords,
    bits.pvalNames.length,
    rows.bonus(KINDS_BONUS),
  ];
  const kinds = files.kinds.map((kind) => kindRow(kind, rows));
  const affixes = files.affixes.map((affix) => affixRow(affix, rows));
  const { artifacts, artifactLines } = artifactRows(files, rows);
  const { themes, parts } = themeRows(files);
  const masks = (records, mask) => records.flatMap((record) => [...mask(record)]);
  return {
    ...{
      sizes,
      ammunition: [...bits.ammunition],
      bonuses: rows.bonuses,
      values: rows.values.flat(),
      lists: rows.lists,
    },
    ...{ pvalLines: rows.pvalLines.flat(), randomFlags: rows.randomFlags.flat(), kinds: kinds.flat() },
    kindFlags: masks(files.kinds, ({ flags }) => bits.cleanUp(bits.mask(flags))),
    affixes: affixes.flat(),
    affixFlags: masks(files.affixes, ({ flags }) => bits.mask(flags)),
    targets: files.affixes.flatMap(({ targets }, i) =>
      targets.flatMap((t) => [...reach(t, i), t.level + 1, t.probability]),
    ),
    themes: themes.flat(),
    themeTargets: files.themes.flatMap(({ targets }, i) => targets.flatMap((t) => reach(t, i))),
    parts: parts.flat(),
    artifacts: artifacts.flat(),
    artifactFlags: masks(files.artifacts, (artifact) => {
      return bits.cleanUp(bits.mask([...(files.kinds[kindOf(files, artifact)]?.flags ?? []), ...artifact.flags]));
    }),
    artifactLines: artifactLines.flat(),
  };
}

/** Returns the line of numbers that c/objects.c loads the tables from: the length of each array, then its numbers. */
export function objectLine(tables) {
  return Object.values(tables)
    .flatMap((numbers) => [numbers.length, ...numbers])
    .join(" ");
}

function kindRow(kind, rows) {
  const { least = 0, most = 0, commonness = 0 } = kind.allocation ?? {};
  return [
    kind.tval,
    kind.sval,
    Number(kind.flags.includes("GOOD")),
    Number(isAmmunition(kind)),
    kind.ac,
    kind.dice,
    kind.sides,
    kind.weight,
    rows.value(kind.toHit),
    rows.value(kind.toDam),
    rows.value(kind.toAc),
    ...rows.pvals(kind.pvals),
    isDrawnGood(kind) ? commonness : 0,
    least,
    most,
  ];
}

function affixRow(affix, rows) {
  return [
    affix.acPercent,
    affix.weightPercent,
    affix.dice,
    affix.sides,
    affix.least.toHit ?? NO_LEAST,
    affix.least.toDam ?? NO_LEAST,
    affix.least.toAc ?? NO_LEAST,
    rows.value(affix.toHit),
    rows.value(affix.toDam),
    rows.value(affix.toAc),
    ...rows.random(affix.randomFlags),
    ...rows.pvals(affix.pvals),
  ];
}

function reach({ tval, leastSval, mostSval, least, most }, i) {
  return [i, tval, leastSval, mostSval, least, most];
}

/** The index of an artifact's kind; −1 for an artifact without a kind, which is never made. */
function kindOf({ kinds }, artifact) {
  return kinds.findIndex(({ tval, sval }) => tval === artifact.tval && sval === artifact.sval);
}

function artifactRows(files, rows) {
  const artifactLines = [];
  const artifacts = files.artifacts.map((artifact) => {
    const kind = kindOf(files, artifact);
    const { ac, dice, sides, weight, toHit, toDam, toAc, allocations } = artifact;
    const lines = kind < 0 ? [] : allocations.map(({ probability, least, most }) => [probability, least, most]);
    const body = [Math.max(kind, 0), ac, dice, sides, weight, toHit, toDam, toAc];
    return [...body, ...rows.pvals(artifact.pvals), ...into(artifactLines, lines)];
  });
  return { artifacts, artifactLines };
}

/**
 * Themes and their lines. A line says whether an earlier line of the theme has the same affix, and whether the affix
 * counts towards the affixes that an object needs for the theme.
 */
function themeRows(files) {
  const index = new Map(files.affixes.map((affix, i) => [affix.number, i]));
  const parts = [];
  const themes = files.themes.map(({ parts: lines }) => {
    const own = lines.map(({ affix, weight, chance }, i) => {
      const comesAgain = lines.slice(0, i).some((line) => line.affix === affix);
      const weighs = lines.some((line) => line.affix === affix && line.weight > 0);
      return [index.get(affix), weight, chance, Number(comesAgain), Number(!comesAgain && weighs)];
    });
    return [...into(parts, own), lines.reduce((sum, { weight }) => sum + weight, 0)];
  });
  return { themes, parts };
}
