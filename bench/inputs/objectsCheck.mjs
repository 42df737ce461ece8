// Whether a contender's objects are what the files say (objectsLaw.mjs): counted for chi-square, compared where nothing is
// rolled, and by means within so many standard deviations where something is.

import { MOST_AFFIXES } from "./objects.mjs";
import {
  affixesOfTheme,
  bodyOf,
  mayCome,
  objectLaws,
  randomFlagChances,
  rollLaws,
  themeChances,
} from "./objectsLaw.mjs";

const OBJECTS = 120_000; // that are no artifacts
/** Standard deviations that a sum may be off: one in a million beyond. */
const Z = 4.9;
/** Variance below which a sum is too small to be judged. */
const LEAST_VARIANCE = 5;

/** The laws of all parts, one after the other: each object falls in one cell of each. */
export function lawOfObjects(source) {
  const laws = objectLaws(source);
  return { law: laws.flatMap(({ law }) => law.map((p) => p / laws.length)), draws: laws.length * OBJECTS };
}

/** Takes a contender's objects, call by call, until there are enough; then has their counts. */
export class ObjectCheck {
  #source;
  #laws;
  #counts;
  #objects = 0;
  #artifacts = new Set();
  #sums = new Map();
  #cache = new Map();

  constructor(source) {
    this.#source = source;
    this.#laws = objectLaws(source);
    this.#counts = this.#laws.map(({ law }) => new Array(law.length).fill(0));
  }

  get isFull() {
    return this.#objects === OBJECTS;
  }

  /** Throws where what was rolled is off its mean. */
  get counts() {
    for (const [name, { off, variance }] of this.#sums) {
      if (variance >= LEAST_VARIANCE && Math.abs(off) > Z * Math.sqrt(variance)) {
        throw new Error(`${name} is off by ${(off / Math.sqrt(variance)).toFixed(1)} standard deviations.`);
      }
    }
    return this.#counts.flat();
  }

  /** Takes the objects of columns. */
  add(made) {
    for (let k = 0; k < made.kind.length && !this.isFull; k++) {
      if (made.artifact[k] > 0) {
        this.#addArtifact(made, k);
        continue;
      }
      this.#objects++;
      for (const [part, { cell }] of this.#laws.entries()) this.#counts[part][cell(made, k)]++;
      this.#addObject(made, k);
    }
  }

  #addArtifact(made, k) {
    const { files } = this.#source;
    const artifact = files.artifacts[made.artifact[k] - 1];
    if (this.#artifacts.has(artifact)) throw new Error(`${artifact.name} was made twice.`);
    this.#artifacts.add(artifact);
    const kind = files.kinds[made.kind[k]];
    if (kind.tval !== artifact.tval || kind.sval !== artifact.sval)
      throw new Error(`${artifact.name} is a ${kind.name}.`);
    for (const field of ["toHit", "toDam", "toAc", "ac", "dice", "sides", "weight"])
      same(artifact.name, field, made[field][k], artifact[field]);
  }

  #addObject(made, k) {
    const { files } = this.#source;
    const kind = files.kinds[made.kind[k]];
    const count = made.affixCount[k];
    const indices = [...made.affixes.subarray(k * MOST_AFFIXES, k * MOST_AFFIXES + count)].map((affix) => affix - 1);
    const affixes = indices.map((i) => files.affixes[i]);
    const depths = made.depths.subarray(k * MOST_AFFIXES, k * MOST_AFFIXES + count);
    for (const [i, affix] of indices.entries()) this.#assertLegal(made.kind[k], affix, depths[i], made.affixLevel[k]);
    this.#addThemes(made, k, { kind, affixes, depths });
    const theme = files.themes[made.theme[k] - 1];
    this.#assertBody(made, k, { kind, affixes, theme });
    if (count === 1) this.#addRandomFlags(made, k, { kind, affix: affixes[0] });
    if (count <= 1) this.#addRolls(made, k, { kind, affix: affixes[0], depth: depths[0] });
  }

  #assertLegal(kind, affix, depth, level) {
    const isLegal = this.#known(`legal ${kind} ${affix} ${depth} ${level}`, () =>
      mayCome(this.#source, this.#source.files.kinds[kind], { affix, depth, level }),
    );
    if (isLegal) return;
    const { files } = this.#source;
    throw new Error(
      `${files.affixes[affix].name} came to ${files.kinds[kind].name} at depth ${depth}, level ${level}.`,
    );
  }

  /** After each affix but the first a theme has its chance, whatever came before; it ends the object. */
  #addThemes(made, k, { kind, affixes, depths }) {
    if (made.theme[k] > 0 && affixes.length < 2) throw new Error("A theme came to fewer than two affixes.");
    const numbers = new Set(affixes.slice(0, 1).map(({ number }) => number));
    for (let i = 1; i < affixes.length; i++) {
      numbers.add(affixes[i].number);
      const key = `theme ${made.kind[k]} ${depths[i]} ${[...numbers].sort()}`;
      const chances = this.#known(key, () => themeChances(this.#source, kind, { numbers, depth: depths[i] }));
      const came = i === affixes.length - 1 ? made.theme[k] - 1 : -1;
      if (came >= 0 && chances[came] === 0) throw new Error(`Theme ${came + 1} came, whose chance is 0.`);
      for (const [theme, p] of chances.entries()) {
        if (p > 0) this.#sum(`theme ${theme + 1}`, Number(theme === came) - p, p * (1 - p));
      }
      const any = chances.reduce((sum, p) => sum + p, 0);
      if (any > 0) this.#sum("any theme", Number(came >= 0) - any, any * (1 - any));
    }
  }

  #assertBody(made, k, { kind, affixes, theme }) {
    const key = `body ${made.kind[k]} ${made.theme[k]} ${affixes.map(({ number }) => number)}`;
    const { body, flags } = this.#known(key, () => {
      const brought = theme === undefined ? [] : affixesOfTheme(this.#source, theme, affixes);
      return brought === undefined ? { body: {} } : bodyOf(this.#source, kind, [...affixes, ...brought]);
    });
    for (const [field, value] of Object.entries(body)) same(kind.name, field, made[field][k], value);
    if (flags === undefined) return;
    for (const [w, word] of flags.entries()) same(kind.name, "flags", made.flags[k * flags.length + w] >>> 0, word);
  }

  #addRandomFlags(made, k, { kind, affix }) {
    const { bits } = this.#source;
    const chances = this.#known(`flags ${made.kind[k]} ${affix.number}`, () =>
      randomFlagChances(this.#source, kind, affix),
    );
    let found = 0;
    for (const [bit, p] of chances) {
      const isThere = (made.flags[k * bits.words + (bit >>> 5)] >>> (bit & 31)) & 1;
      found += isThere;
      this.#sum(bits.names[bit], isThere - p, p * (1 - p));
    }
    const expected = Math.round(chances.reduce((sum, [, p]) => sum + p, 0));
    if (found !== expected) throw new Error(`${affix.name} has ${found} random flags, expected ${expected}.`);
  }

  #addRolls(made, k, { kind, affix, depth }) {
    const key = `rolls ${made.kind[k]} ${affix?.number} ${depth}`;
    const names = ["toHit", "toDam", "toAc", ...this.#source.bits.pvalNames];
    const laws = this.#known(key, () => rollLaws(this.#source, kind, { affix, depth }).map(momentsOf));
    for (const [i, { law, mean, variance }] of laws.entries()) {
      const pvals = names.length - 3;
      const value = i < 3 ? made[names[i]][k] : made.pvals[k * pvals + i - 3];
      if (!law.has(value)) throw new Error(`${names[i]} of ${kind.name} is ${value}.`);
      if (variance > 0) this.#sum(names[i], value - mean, variance);
    }
  }

  #sum(name, off, variance) {
    const sum = this.#sums.get(name) ?? { off: 0, variance: 0 };
    sum.off += off;
    sum.variance += variance;
    this.#sums.set(name, sum);
  }

  #known(key, make) {
    if (!this.#cache.has(key)) this.#cache.set(key, make());
    return this.#cache.get(key);
  }
}

function momentsOf(law) {
  let mean = 0;
  for (const [v, p] of law) mean += v * p;
  let variance = 0;
  for (const [v, p] of law) variance += (v - mean) ** 2 * p;
  return { law, mean, variance };
}

function same(name, field, got, expected) {
  if (got !== expected) throw new Error(`${name} has ${field} ${got}, expected ${expected}.`);
}
