import type { ObjectConstants } from "../law/constants.js";
import { halfPercentsOf } from "../law/slots.js";
import { type Rates, SCALE, type SlotLaw, type TrackedTheme } from "./slotLaw.js";

/** A test of `themes` in bands whose `Band.themes` is `first` … `end` − 1. `sum` adds up the themes' half-percents. */
interface ThemeTest {
  readonly first: number;
  readonly end: number;
  readonly sum: number;
  readonly themes: readonly number[];
}

/** All objects that have the same tracked affixes. setWalk.ts explains the terms mass and tuple. */
export interface AffixSet {
  readonly places: readonly number[];
  /** For each theme, the number that `ThemeParts` gives to the set of the object's affixes with lines in the theme. */
  readonly parts: readonly number[];
  readonly tests: readonly ThemeTest[];
  readonly rates: Rates;
  /**
   * Entry [tuple][t] is the mass of the objects without a theme that arrive at this set and this tuple after t slots.
   * An object arrives when a slot gives it the last missing affix of the set, or changes its tuple.
   */
  readonly arrivals: (bigint | undefined)[][];
  /** Entry [test][tuple] is the mass of the objects that take this test with this tuple of untracked affixes. */
  readonly tested: (bigint | undefined)[][];
}

export class SetRoom {
  readonly parts: readonly ThemeParts[];
  readonly keys: SetKeys;
  readonly #themesOf: readonly (readonly number[])[];
  /** Entry i: the themes that are in set i of possible themes, but not in set i − 1. */
  readonly #newThemes: readonly (readonly number[])[];

  constructor({ constants, themes, tracked, possible }: SlotLaw, most: number) {
    this.parts = themes.map((theme) => new ThemeParts(theme, constants));
    this.keys = new SetKeys(tracked.length, most);
    this.#themesOf = tracked.map((_, place) => themes.flatMap(({ isIn }, theme) => (isIn[place] ? [theme] : [])));
    this.#newThemes = possible.map((able, i) =>
      able.flatMap((isPossible, theme) => (isPossible && (i === 0 || !possible[i - 1][theme]) ? [theme] : [])),
    );
  }

  none(rates: Rates): AffixSet {
    const parts = this.parts.map(() => 0);
    return { places: [], parts, tests: this.#testsOf(parts), rates, arrivals: [], tested: [] };
  }

  with(set: AffixSet, place: number): AffixSet {
    const places = [...set.places, place].sort((a, b) => a - b);
    const themes = this.#themesOf[place];
    let { parts, tests } = set;
    if (themes.length > 0) {
      const more = parts.slice();
      for (const theme of themes) more[theme] = this.parts[theme].after(parts[theme], place);
      [parts, tests] = [more, this.#testsOf(more)];
    }
    return { places, parts, tests, rates: set.rates.after(place), arrivals: [], tested: [] };
  }

  #testsOf(parts: readonly number[]): readonly ThemeTest[] {
    const tests: ThemeTest[] = [];
    let themes: number[] = [];
    let [first, sum] = [0, 0];
    for (let i = 0; i < this.#newThemes.length; i++) {
      for (const theme of this.#newThemes[i]) {
        const halfPercents = this.parts[theme].halfPercents[parts[theme]];
        if (halfPercents === 0) continue;
        if (first < i) {
          tests.push({ first, end: i, sum, themes });
          themes = themes.slice();
          first = i;
        }
        sum += halfPercents;
        themes.push(theme);
      }
    }
    tests.push({ first, end: this.#newThemes.length, sum, themes });
    return tests;
  }
}

/** Returns the chance of an affix and no theme after it, times SCALE · `RateBook.unit`. `sums`: see {@link Rates}. */
export function surviving(tests: readonly ThemeTest[], sums: readonly bigint[]): bigint {
  let rate = 0n;
  for (const { first, end, sum } of tests) {
    const rest = SCALE - BigInt(sum);
    if (rest > 0n) rate += rateBetween(sums, first, end) * rest;
  }
  return rate;
}

/** Returns the sum of an affix's rates over all bands whose index `themes` is `first` … `end` − 1. */
export function rateBetween(sums: readonly bigint[], first: number, end: number): bigint {
  return first === 0 ? sums[end] : sums[end] - sums[first];
}

/** Gives a number to each set of tracked affixes with lines in one theme, in the order of first use. Set 0 is empty. */
class ThemeParts {
  readonly #theme: TrackedTheme;
  readonly #constants: ObjectConstants["themes"];
  readonly places: (readonly number[])[] = [[]];
  /** For each set, the chance of the theme in units of 0.5 %, if no other theme matches. */
  readonly halfPercents: number[] = [0];
  readonly #next: Map<number, number>[] = [new Map()];
  readonly #numbers = new Map<string, number>();

  constructor(theme: TrackedTheme, { themes }: ObjectConstants) {
    this.#theme = theme;
    this.#constants = themes;
  }

  after(part: number, place: number): number {
    const known = this.#next[part].get(place);
    if (known !== undefined) return known;
    const places = [...this.places[part], place].sort((a, b) => a - b);
    const added = this.#numbers.get(places.join()) ?? this.#add(places);
    this.#next[part].set(place, added);
    return added;
  }

  #add(places: readonly number[]): number {
    const weights = places.map((place) => this.#theme.weights.get(place) ?? 0);
    const weight = weights.reduce((sum, one) => sum + one, 0);
    const count = weights.filter((one) => one > 0).length;
    const { factor, leastAffixes } = this.#constants;
    this.#numbers.set(places.join(), this.places.length);
    this.#next.push(new Map());
    this.halfPercents.push(count < leastAffixes ? 0 : halfPercentsOf(weight, this.#theme.total, factor));
    return this.places.push(places) - 1;
  }
}

/** If its `count` is at most 9, {@link choices} is exact up to this number. */
const MAX_SAFE = 2 ** 49;

/** The key of a set: its position in colexicographic order. If positions can be inexact, the key is a text. */
export type SetKey = number | string;

class SetKeys {
  readonly #places: number;
  /** Entry [size][p] is the number of sets of `size` different places that are all below p. */
  readonly #choices: readonly (readonly number[])[];
  readonly #areSafe: boolean;

  constructor(places: number, most: number) {
    this.#places = places;
    const below = Array.from({ length: places }, (_, place) => place);
    this.#choices = Array.from({ length: most + 2 }, (_, size) => below.map((place) => choices(place, size)));
    this.#areSafe = choices(places, most + 1) <= MAX_SAFE;
  }

  /** Entry p is the key of the set with p added; undefined if the set has p. Sets of equal size have different keys. */
  keysAfter(set: readonly number[]): readonly (SetKey | undefined)[] {
    const keys: (SetKey | undefined)[] = [];
    let [before, lower, upper] = [0, 0, 0];
    for (let i = 0; i < set.length; i++) upper += this.#choices[i + 2][set[i]];
    for (let place = 0; place < this.#places; place++) {
      if (before < set.length && set[before] === place) {
        lower += this.#choices[before + 1][place];
        upper -= this.#choices[before + 2][place];
        before++;
        keys.push(undefined);
      } else if (this.#areSafe) keys.push(lower + this.#choices[before + 1][place] + upper);
      else keys.push([...set.slice(0, before), place, ...set.slice(before)].join());
    }
    return keys;
  }
}

/** Gives a number to each tuple of `length` counts with a sum of at most `most`, in ascending order of the sums. */
export function tuplesOf(length: number, most: number) {
  const counts: (readonly number[])[] = [];
  const sums: number[] = [];
  const next: (readonly number[])[] = [];
  const ends: number[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (tuple: readonly number[]) => {
    const number = numbers.get(tuple.join()) ?? counts.push(tuple) - 1;
    numbers.set(tuple.join(), number);
    return number;
  };
  numberOf(new Array<number>(length).fill(0));
  for (let sum = 0; sum <= most; sum++) {
    ends.push(counts.length);
    for (const tuple of counts.slice(next.length)) {
      sums.push(sum);
      next.push(sum === most ? [] : tuple.map((count, entry) => numberOf(tuple.with(entry, count + 1))));
    }
  }
  return {
    length,
    counts,
    sums,
    /** Entry [t][i] is the number of the tuple that results from adding 1 to count i of tuple t. */
    next,
    /** Entry s is the number of tuples with a sum of at most s. */
    ends,
  } as const;
}

export type Tuples = ReturnType<typeof tuplesOf>;

/** Returns the number of ways to choose `count` of n things. Exact while `count` times the result is below 2^53. */
export function choices(n: number, count: number): number {
  let ways = 1;
  for (let i = 0; i < count; i++) ways = (ways * Math.max(0, n - i)) / (i + 1);
  return ways;
}
