import { type Rates, SCALE } from "./rates.js";
import { SetKeys } from "./setKeys.js";
import type { SlotLaw } from "./slotLaw.js";
import { ThemeParts } from "./themeParts.js";

/** A test for themes after an affix. It holds for neighbouring sets of possible themes with the same odds. */
interface ThemeTest {
  /** The test applies to the sets `first` … `end` − 1 of `SlotLaw.possible`. */
  readonly first: number;
  readonly end: number;
  /** The sum of the half-percents of the themes, in units of 0.5 % (themes.ts). */
  readonly sum: number;
  readonly themes: readonly number[];
}

/** All objects that have the same tracked affixes. setWalk.ts explains the terms mass and tuple. */
export interface AffixSet {
  readonly places: readonly number[];
  /** For each theme, the number in `ThemeParts` of the object's affixes that have a line in the theme. */
  readonly parts: readonly number[];
  readonly tests: readonly ThemeTest[];
  readonly rates: Rates;
  /**
   * Entry [tuple][t] is the mass of the objects without a theme that arrive at this set and this tuple after t slots.
   * An object arrives when a slot gives it the last affix of the set that it lacked, or changes its tuple.
   */
  readonly arrivals: (bigint | undefined)[][];
  /** Entry [test][tuple] is the mass of the objects that take this test with this tuple of untracked affixes. */
  readonly tested: (bigint | undefined)[][];
}

export class SetRoom {
  readonly parts: readonly ThemeParts[];
  readonly keys: SetKeys;
  /** Entry p: the themes with a line for the tracked affix p. */
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

/** Returns the rate of an affix that no theme follows, in units of 1 / (SCALE · unit). See {@link Rates} for `sums`. */
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
