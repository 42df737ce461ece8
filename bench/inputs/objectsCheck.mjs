// Whether a contender makes the right objects: counts against the library's exact odds, and everything that follows from an
// object's affixes against objects of the library.

import { objectOdds, ours } from "../ours.mjs";
import { LEVEL, MOST_AFFIXES, NUMBERS, objectTexts } from "./objects.mjs";

const OBJECTS = 120_000; // of each check, artifacts apart
const CALL = 16_384; // objects of the library in one call
/** Standard deviations that a mean may be off. There are some ten thousand of them, and one of 10^9 would be off by more. */
const Z = 6;
/** Objects with the same first affix that a mean needs on each side. */
const LEAST_OBJECTS = 200;
/** Variance of a sum of chances below which it is too small to be judged. */
const LEAST_VARIANCE = 5;

/** {law, draws, check}: the laws of all parts one after the other, and a new {@link ObjectCheck}. */
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
 * What the odds of affixes and themes depend on, as short keys. Of a kind, it is the T lines that match its tval and sval; of a
 * depth, the lines that begin at it or before; of the affixes that an object has, those that are part of a theme.
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

  /** `kind` is an index. */
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

/** Laws that chi-square judges, each with the cell of object k. An object falls into one cell of each. */
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

/** The first affix of an object of any kind: cell 0 is none. An empty slot leaves the next one to try. */
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

/** Takes a contender's objects, call by call, until there are enough; then has their counts. */
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

  /** `cache` holds chances of affixes and themes that checks of the same objects share. */
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
   * @throws Error if themes, or a number of the objects, are not what they should be.
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
   * Takes the objects of columns.
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

  /** After each affix a theme has its chance; it ends the object. */
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

/** Sums of every number of the objects, and of their squares, by the object's first affix. */
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

  /** @throws Error if a mean differs from the other one by more than chance. */
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
