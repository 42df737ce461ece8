import { type Rates, SCALE } from "./rates.js";
import { type SetKey, SetKeys } from "./setKeys.js";
import type { SlotLaw } from "./slotLaw.js";
import { ThemeParts } from "./themeParts.js";

/** The theme test of an object, for consecutive sets of possible themes that give the same test. */
interface ThemeTest {
  /** The sets of possible themes: indices `first` … `end` − 1 into `SlotLaw.possible`. */
  readonly first: number;
  readonly end: number;
  /** The sum of the half-percents of the possible themes. */
  readonly sum: number;
  /** The possible themes with half-percents above 0. */
  readonly themes: readonly number[];
}

/** What the sets of tracked affixes of one walk share. */
export class SetRoom {
  readonly law: SlotLaw;
  /** For each theme, which of its tracked affixes objects have. */
  readonly parts: readonly ThemeParts[];
  readonly keys: SetKeys;
  /** For each tracked affix, the themes with a line for it. */
  readonly #themesOf: readonly (readonly number[])[];
  /** For each set of possible themes, the themes that the set before does not have. */
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

  /** Objects without tracked affixes. */
  none(rates: Rates): AffixSet {
    const parts = this.parts.map(() => 0);
    return new AffixSet(this, { places: [], parts, tests: this.#testsOf(parts), rates });
  }

  /** The objects of a set that got one more affix. */
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

/** The themes' parts that objects have, and the theme tests that they take. */
interface TestedParts {
  /** For each theme, its affixes: an index of `SetRoom.parts`. */
  readonly parts: readonly number[];
  /** The theme tests after a slot gave such an object an affix. */
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
   * The mass of the objects without a theme that come from other sets: by tuple of untracked affixes, then by the number of
   * slots before.
   */
  readonly arrivals: (bigint | undefined)[][] = [];
  /** For each of the tests, the mass of the objects that take it, by tuple of untracked affixes. */
  readonly tested: (bigint | undefined)[][] = [];
  readonly #room: SetRoom;

  constructor(room: SetRoom, { places, parts, tests, rates }: Pick<AffixSet, "places" | "parts" | "tests" | "rates">) {
    this.#room = room;
    this.places = places;
    this.parts = parts;
    this.tests = tests;
    this.rates = rates;
  }

  /** For each tracked affix, a key of the set with this affix as well; undefined if the set has it already. */
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
 * The rate at which objects get an affix and pass the theme tests without a theme.
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
