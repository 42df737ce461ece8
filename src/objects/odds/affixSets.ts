import { type Rates, SCALE } from "./rates.js";
import { type SetKey, SetKeys } from "./setKeys.js";
import type { SlotLaw } from "./slotLaw.js";
import { ThemeParts } from "./themeParts.js";

/**
 * After a slot gives an object an affix, a test decides whether the object also gets a theme. The possible themes
 * depend on the depth of the slot. Neighbouring sets of possible themes share one test if the object can get the same
 * themes in each of them.
 */
interface ThemeTest {
  /** The test applies to the sets `first` … `end` − 1 of `SlotLaw.possible`. */
  readonly first: number;
  readonly end: number;
  /** The sum of the half-percents of the themes, in units of 0.5 % (themes.ts). */
  readonly sum: number;
  /** The possible themes whose half-percents are above 0. */
  readonly themes: readonly number[];
}

/** Data that all sets of tracked affixes in one walk share. */
export class SetRoom {
  readonly law: SlotLaw;
  readonly parts: readonly ThemeParts[];
  readonly keys: SetKeys;
  /** For each tracked affix, the themes with a line for it. */
  readonly #themesOf: readonly (readonly number[])[];
  /** Entry i: the themes that are in set i of possible themes, but not in set i − 1. */
  readonly #newThemes: readonly (readonly number[])[];

  constructor(law: SlotLaw, most: number) {
    const { constants, themes, tracked, possible } = law;
    this.law = law;
    this.parts = themes.map((theme) => new ThemeParts(theme, constants));
    this.keys = new SetKeys(tracked.length, most);
    this.#themesOf = tracked.map((_, place) => themes.flatMap(({ isIn }, theme) => (isIn[place] ? [theme] : [])));
    this.#newThemes = possible.map((able, i) =>
      able.flatMap((isPossible, theme) => (isPossible && (i === 0 || !possible[i - 1][theme]) ? [theme] : [])),
    );
  }

  none(rates: Rates): AffixSet {
    const parts = this.parts.map(() => 0);
    return new AffixSet(this, { places: [], parts, tests: this.#testsOf(parts), rates });
  }

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

interface TestedParts {
  /** For each theme, the number in `ThemeParts` of the object's affixes that have a line in the theme. */
  readonly parts: readonly number[];
  readonly tests: readonly ThemeTest[];
}

/** All objects that have the same tracked affixes. setWalk.ts explains the terms mass and tuple. */
export class AffixSet implements TestedParts {
  readonly places: readonly number[];
  readonly parts: readonly number[];
  readonly tests: readonly ThemeTest[];
  readonly rates: Rates;
  /**
   * Entry [tuple][t] is the mass of the objects without a theme that arrive at this set and this tuple after t slots.
   * An object arrives when a slot gives it the last affix of the set that it lacked, or changes its tuple.
   */
  readonly arrivals: (bigint | undefined)[][] = [];
  /** Entry [test][tuple] is the mass of the objects that take this test with this tuple of untracked affixes. */
  readonly tested: (bigint | undefined)[][] = [];
  readonly #room: SetRoom;

  constructor(room: SetRoom, { places, parts, tests, rates }: Pick<AffixSet, "places" | "parts" | "tests" | "rates">) {
    this.#room = room;
    this.places = places;
    this.parts = parts;
    this.tests = tests;
    this.rates = rates;
  }

  keysAfter(): readonly (SetKey | undefined)[] {
    return this.#room.keys.keysAfter(this.places);
  }

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
 * Returns the rate at which a slot gives an affix and no theme follows, in units of 1 / (SCALE · unit of the rates).
 * `sums` is a list as in {@link Rates}.
 */
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
