import { type Rates, SCALE } from "./rates.js";
import { type SetKey, SetKeys } from "./setKeys.js";
import type { SlotLaw } from "./slotLaw.js";
import { ThemeParts } from "./themeParts.js";

/** A theme test of an object. Several consecutive sets of possible themes can have the same test. */
interface ThemeTest {
  /** The sets of possible themes: indices `first` … `end` − 1 into `SlotLaw.possible`. */
  readonly first: number;
  readonly end: number;
  /** The sum of the half-percents of the possible themes. */
  readonly sum: number;
  /** The possible themes with half-percents above 0. */
  readonly themes: readonly number[];
}

/** The data that all sets of tracked affixes of one walk share. */
export class SetRoom {
  readonly law: SlotLaw;
  /** For each theme, the sets of its tracked affixes that objects can have. */
  readonly parts: readonly ThemeParts[];
  readonly keys: SetKeys;
  /** For each tracked affix, the themes that have a line for the affix. */
  readonly #themesOf: readonly (readonly number[])[];
  /** For each set of possible themes, the themes that the previous set lacks. */
  readonly #newThemes: readonly (readonly number[])[];

  /** @param most - the maximum number of slots. */
  constructor(law: SlotLaw, most: number) {
    const { themes, tracked, possible } = law;
    this.law = law;
    this.parts = themes.map((theme) => new ThemeParts(theme));
    this.keys = new SetKeys(tracked.length, most);
    this.#themesOf = tracked.map((_, place) => themes.flatMap(({ isIn }, theme) => (isIn[place] ? [theme] : [])));
    this.#newThemes = possible.map((able, i) =>
      able.flatMap((isPossible, theme) => (isPossible && (i === 0 || !possible[i - 1][theme]) ? [theme] : [])),
    );
  }

  /** Returns the set of the objects that have no tracked affix. */
  none(rates: Rates): AffixSet {
    const parts = this.parts.map(() => 0);
    return new AffixSet(this, { places: [], parts, tests: this.#testsOf(parts), rates });
  }

  /** Returns the parts and tests of objects that get one more affix. */
  after({ parts, tests }: TestedParts, place: number): TestedParts {
    const themes = this.#themesOf[place];
    if (themes.length === 0) return { parts, tests };
    const more = parts.slice();
    for (const theme of themes) more[theme] = this.parts[theme].after(parts[theme], place);
    return { parts: more, tests: this.#testsOf(more) };
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

/** The parts of themes that objects have, and the theme tests that the objects take. */
interface TestedParts {
  /** For each theme, the number of a set in the theme's `ThemeParts`. */
  readonly parts: readonly number[];
  /** The theme tests that such an object takes after a slot gave it an affix. */
  readonly tests: readonly ThemeTest[];
}

/** The objects that have the same tracked affixes. */
export class AffixSet implements TestedParts {
  /** The places of the affixes in `SlotLaw.tracked`, ascending. */
  readonly places: readonly number[];
  readonly parts: readonly number[];
  readonly tests: readonly ThemeTest[];
  readonly rates: Rates;
  /**
   * The mass of the objects that enter this set, or another tuple of this set, without a theme. The indices are the
   * tuple of untracked affixes and the number of slots before.
   */
  readonly arrivals: (bigint | undefined)[][] = [];
  /** The mass of the objects that take each test. The indices are the test and the tuple of untracked affixes. */
  readonly tested: (bigint | undefined)[][] = [];
  readonly #room: SetRoom;

  constructor(room: SetRoom, { places, parts, tests, rates }: Pick<AffixSet, "places" | "parts" | "tests" | "rates">) {
    this.#room = room;
    this.places = places;
    this.parts = parts;
    this.tests = tests;
    this.rates = rates;
  }

  /** For each tracked affix, returns the key of this set plus the affix; undefined if the set already has the affix. */
  keysAfter(): readonly (SetKey | undefined)[] {
    return this.#room.keys.keysAfter(this.places);
  }

  /** The set with one more affix. */
  with(place: number): AffixSet {
    const places = [...this.places, place].sort((a, b) => a - b);
    return new AffixSet(this.#room, { places, ...this.#room.after(this, place), rates: this.rates.after(place) });
  }

  addArrival(tuple: number, slots: number, mass: bigint): void {
    this.arrivals[tuple] ??= [];
    const at = this.arrivals[tuple];
    at[slots] = (at[slots] ?? 0n) + mass;
  }

  addTested(test: number, tuple: number, mass: bigint): void {
    this.tested[test] ??= [];
    const at = this.tested[test];
    at[tuple] = (at[tuple] ?? 0n) + mass;
  }
}

/**
 * Returns the rate at which objects get an affix but no theme in the theme test that follows.
 *
 * @param sums - the sums of the rates of the affix.
 */
export function surviving(tests: readonly ThemeTest[], sums: readonly bigint[]): bigint {
  let rate = 0n;
  for (const { first, end, sum } of tests) {
    const rest = SCALE - BigInt(sum);
    if (rest > 0n) rate += rateBetween(sums, first, end) * rest;
  }
  return rate;
}

/** The sum of the rates of an affix for the sets of possible themes `first` … `end` − 1. */
export function rateBetween(sums: readonly bigint[], first: number, end: number): bigint {
  return first === 0 ? sums[end] : sums[end] - sums[first];
}
