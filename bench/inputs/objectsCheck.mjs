// Checks that a contender makes the right objects. Counts are compared with the library's exact odds. The numbers that
// follow from an object's affixes are compared with objects of the library.

import { objectOdds, ours } from "../ours.mjs";
import { LEVEL, MOST_AFFIXES, NUMBERS, objectTexts } from "./objects.mjs";

const OBJECTS = 120_000; // number of objects in each check, not counting artifacts
const CALL = 16_384; // objects of the library in one call
/**
 * Largest accepted difference of a mean, in standard deviations. A right mean differs by more once in 10^9, and about
 * ten thousand means are compared.
 */
const Z = 6;
/** Minimum number of objects with the same first affix, in both samples, for their means to be compared. */
const LEAST_OBJECTS = 200;
/** Minimum variance of a count of themes; with a smaller variance, the count is not checked. */
const LEAST_VARIANCE = 5;

/**
 * {law, draws, check}: the probabilities of all parts, one part after the other, and a function that makes an {@link
 * ObjectCheck}.
 */
export async function objectChecks(source) {
  const odds = await objectOdds(source.files, LEVEL);
  const keys = new OddsKeys(source.files);
  const parts = partsOf(source.files, { odds, keys });
  const expected = new Means(source);
  const cache = new Map();
  const library = ours(await import("rollmill")).objects(objectTexts(), { level: LEVEL, length: CALL, seed: "check" });
  while (expected.objects < OBJECTS) expected.addAll(library.make());
  return {
    law: parts.flatMap(({ law }) => law.map((p) => p / parts.length)),
    draws: parts.length * OBJECTS,
    check: () => new ObjectCheck(source, { odds, keys, parts, expected, cache }),
  };
}

/**
 * Short keys of everything that the odds of affixes and themes depend on; equal keys have equal odds. The key of a kind
 * stands for the T lines that match its tval and sval. The key of a depth stands for the T lines that begin at this
 * depth or before. The key of an object's affixes stands for those affixes that are part of a theme.
 */
class OddsKeys {
  #kinds;
  #starts;
  #parts;

  constructor({ kinds, affixes, themes }) {
    const targets = [...affixes, ...themes].flatMap((record) => record.targets);
    const numbers = new Map();
    this.#kinds = kinds.map(({ tval, sval }) => {
      const fits = (target) => target.tval === tval && target.leastSval <= sval && sval <= target.mostSval;
      const lines = targets.flatMap((target, i) => (fits(target) ? [i] : [])).join();
      if (!numbers.has(lines)) numbers.set(lines, numbers.size);
      return numbers.get(lines);
    });
    this.#starts = [...new Set(targets.map(({ least }) => least))];
    this.#parts = new Set(themes.flatMap(({ parts }) => parts.map(({ affix }) => affix)));
  }

  /** The key of a kind, given by its index. */
  kind(kind) {
    return this.#kinds[kind];
  }

  depth(depth) {
    return this.#starts.filter((least) => least <= depth).length;
  }

  has(affixes) {
    const numbers = affixes.map(({ number }) => number).filter((number) => this.#parts.has(number));
    return [...new Set(numbers)].sort().join();
  }
}

/** The laws that are tested by chi-square, each with a function that returns the cell of object k in this law. */
function partsOf(files, { odds, keys }) {
  const kinds = odds.kinds();
  const chances = files.kinds.map((kind) => kinds.get(kind) ?? 0);
  const good = files.kinds.map(({ flags }) => Number(flags.includes("GOOD")));
  const share = [0, 1].map((is) => chances.reduce((sum, p, i) => sum + (good[i] === is ? p : 0), 0));
  return [
    { law: chances, cell: (made, k) => made.kind[k] },
    { law: odds.affixLevels(), cell: (made, k) => made.affixLevel[k] - 1 },
    {
      law: [0, 1].flatMap((is) => odds.slots(is === 1).map((p) => p * share[is])),
      cell: (made, k) => good[made.kind[k]] * (MOST_AFFIXES + 1) + made.slots[k],
    },
    { law: firstAffixLaw(files, { odds, keys, kinds: chances }), cell: (made, k) => made.affixes[k * MOST_AFFIXES] },
  ];
}

/**
 * The law of an object's first affix, over all kinds. Cell 0 means no affix. If a slot stays empty, the next slot is
 * tried.
 */
function firstAffixLaw(files, { odds, keys, kinds }) {
  const known = new Map();
  const law = new Array(1 + files.affixes.length).fill(0);
  for (const [i, kind] of files.kinds.entries()) {
    if (kinds[i] === 0) continue;
    const slots = odds.slots(kind.flags.includes("GOOD"));
    for (const [level, ofLevel] of odds.affixLevels().entries()) {
      if (ofLevel === 0) continue;
      const key = `${keys.kind(i)} ${level}`;
      if (!known.has(key)) known.set(key, odds.firstAffixes(kind, level));
      const { affixes, none } = known.get(key);
      for (const [n, ofSlots] of slots.entries()) {
        const p = kinds[i] * ofLevel * ofSlots;
        law[0] += p * none ** n;
        const tries = none === 1 ? 0 : (1 - none ** n) / (1 - none);
        for (const [affix, q] of affixes) law[1 + files.affixes.indexOf(affix)] += p * tries * q;
      }
    }
  }
  return law;
}

/** Collects a contender's objects, call by call, until there are enough. Then it returns their counts. */
export class ObjectCheck {
  #files;
  #odds;
  #keys;
  #parts;
  #expected;
  #counts;
  #means;
  #artifacts = new Set();
  #themes = new Map();
  #cache;

  /** `cache` has chances of affixes and themes. All checks of the same edit files share it. */
  constructor(source, { odds, keys, parts, expected, cache }) {
    this.#files = source.files;
    this.#odds = odds;
    this.#keys = keys;
    this.#parts = parts;
    this.#expected = expected;
    this.#cache = cache;
    this.#counts = parts.map(({ law }) => new Array(law.length).fill(0));
    this.#means = new Means(source);
  }

  get isFull() {
    return this.#means.objects === OBJECTS;
  }

  /**
   * The counts, in the order of the law.
   *
   * @throws Error if the count of a theme, or the mean of a number, differs from the library's by more than chance.
   */
  get counts() {
    for (const [name, { off, variance }] of this.#themes) {
      if (variance >= LEAST_VARIANCE && Math.abs(off) > Z * Math.sqrt(variance)) {
        throw new Error(`${name} is off by ${(off / Math.sqrt(variance)).toFixed(1)} standard deviations.`);
      }
    }
    this.#means.assertLike(this.#expected);
    return this.#counts.flat();
  }

  /**
   * Adds the objects of columns to the check.
   *
   * @throws Error for an affix or a theme that cannot occur, or an artifact that was made before.
   */
  add(made) {
    for (let k = 0; k < made.kind.length && !this.isFull; k++) {
      if (made.artifact[k] > 0) {
        this.#addArtifact(made, k);
        continue;
      }
      this.#means.add(made, k);
      for (const [part, { cell }] of this.#parts.entries()) this.#counts[part][cell(made, k)]++;
      this.#addAffixes(made, k);
    }
  }

  #addArtifact(made, k) {
    const artifact = this.#files.artifacts[made.artifact[k] - 1];
    if (this.#artifacts.has(artifact)) throw new Error(`${artifact.name} was made twice.`);
    this.#artifacts.add(artifact);
    for (const field of ["toHit", "toDam", "toAc", "ac", "dice", "sides", "weight"]) {
      if (made[field][k] === artifact[field]) continue;
      throw new Error(`${artifact.name} has ${field} ${made[field][k]}, expected ${artifact[field]}.`);
    }
  }

  #addAffixes(made, k) {
    const kind = this.#files.kinds[made.kind[k]];
    const count = made.affixCount[k];
    const has = [];
    for (let i = 0; i < count; i++) {
      const affix = this.#files.affixes[made.affixes[k * MOST_AFFIXES + i] - 1];
      const depth = made.depths[k * MOST_AFFIXES + i];
      const legal = this.#cached(
        `affixes ${this.#keys.kind(made.kind[k])} ${made.affixLevel[k]} ${this.#keys.depth(depth)}`,
        () => this.#odds.legalAffixes(kind, made.affixLevel[k] - 1, depth),
      );
      if (!legal.has(affix)) throw new Error(`${kind.name} cannot have ${affix?.name} at depth ${depth}.`);
      has.push(affix);
      this.#addTheme(made, k, { kind, depth, has, isLast: i === count - 1 });
    }
  }

  /**
   * After each affix, an object can get a theme, which ends the object. Adds the chances, and the theme if it occurred.
   */
  #addTheme(made, k, { kind, depth, has, isLast }) {
    const chances = this.#cached(
      `themes ${this.#keys.kind(made.kind[k])} ${this.#keys.depth(depth)} ${this.#keys.has(has)}`,
      () => this.#odds.themes(kind, depth, [...has]),
    );
    const came = isLast ? this.#files.themes[made.theme[k] - 1] : undefined;
    if (came !== undefined && !(chances.get(came) > 0)) throw new Error(`${kind.name} cannot have ${came.name}.`);
    for (const [theme, p] of chances) {
      if (p === 0) continue;
      const sum = this.#themes.get(theme.name) ?? { off: 0, variance: 0 };
      sum.off += Number(theme === came) - p;
      sum.variance += p * (1 - p);
      this.#themes.set(theme.name, sum);
    }
  }

  #cached(key, make) {
    if (!this.#cache.has(key)) this.#cache.set(key, make());
    return this.#cache.get(key);
  }
}

/** The sum, and the sum of the squares, of every number of the objects, separately for each first affix. */
class Means {
  objects = 0;
  #names;
  #numbers;
  #flagWords;
  #pvals;
  #counts;
  #sums;
  #squares;

  constructor({ files, bits }) {
    this.#numbers = NUMBERS.filter((name) => !["kind", "artifact", "theme"].includes(name));
    this.#flagWords = bits.words;
    this.#pvals = bits.pvalNames.length;
    const flags = Array.from({ length: 32 * bits.words }, (_, bit) => bits.names[bit] ?? `bit ${bit}`);
    this.#names = [...this.#numbers, ...flags, ...bits.pvalNames];
    this.#counts = new Float64Array(files.affixes.length + 1);
    this.#sums = new Float64Array(this.#counts.length * this.#names.length);
    this.#squares = new Float64Array(this.#sums.length);
  }

  addAll(made) {
    for (let k = 0; k < made.kind.length; k++) if (made.artifact[k] === 0) this.add(made, k);
  }

  add(made, k) {
    const first = made.affixes[k * MOST_AFFIXES];
    let at = first * this.#names.length;
    const take = (value) => {
      this.#sums[at] += value;
      this.#squares[at++] += value * value;
    };
    this.objects++;
    this.#counts[first]++;
    for (const name of this.#numbers) take(made[name][k]);
    for (let w = 0; w < this.#flagWords; w++) {
      const word = made.flags[k * this.#flagWords + w];
      for (let bit = 0; bit < 32; bit++) take((word >>> bit) & 1);
    }
    for (let p = 0; p < this.#pvals; p++) take(made.pvals[k * this.#pvals + p]);
  }

  /** @throws Error if a mean differs from the same mean of `other` by more than chance. */
  assertLike(other) {
    for (const [first, count] of this.#counts.entries()) {
      if (Math.min(count, other.#counts[first]) < LEAST_OBJECTS) continue;
      for (const [i, name] of this.#names.entries()) {
        const [got, expected] = [this.#moments(first, i), other.#moments(first, i)];
        const deviation = Math.sqrt(got.variance / count + expected.variance / other.#counts[first]);
        if (Math.abs(got.mean - expected.mean) <= Z * deviation) continue;
        const means = `${got.mean.toFixed(3)}, expected ${expected.mean.toFixed(3)}`;
        throw new Error(`The mean of ${name} is ${means}, in objects with first affix ${first}.`);
      }
    }
  }

  #moments(first, i) {
    const count = this.#counts[first];
    const mean = this.#sums[first * this.#names.length + i] / count;
    const variance = Math.max(0, this.#squares[first * this.#names.length + i] / count - mean * mean);
    return { mean, variance };
  }
}
