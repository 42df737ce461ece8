import { type Rates, SCALE } from "./rates.js";
import type { SlotLaw } from "./slotLaw.js";
import { ThemeParts } from "./themeParts.js";

/** The theme test of an object, for consecutive sets of possible themes that give the same test. */
export interface ThemeTest {
  /** The sets of possible themes: indices `first` … `end` − 1 into `SlotLaw.possible`. */
  readonly first: number;
  readonly end: number;
  /** The sum of the half-percents of the possible themes. */
  readonly sum: number;
  /** The possible themes with half-percents above 0. */
  readonly themes: readonly number[];
}

/** Makes the sets of tracked affixes of one walk. */
export class SetRoom {
  readonly law: SlotLaw;
  /** For each theme, which of its tracked affixes objects have. */
  readonly parts: readonly ThemeParts[];

  constructor(law: SlotLaw) {
    this.law = law;
    this.parts = law.themes.map((theme) => new ThemeParts(theme));
  }

  /** Objects without tracked affixes. */
  none(rates: Rates): AffixSet {
    return new AffixSet(this, { places: [], parts: this.parts.map(() => 0), rates });
  }
}

/** The objects that have the same tracked affixes. */
export class AffixSet {
  /** The places of the affixes in `SlotLaw.tracked`, ascending. */
  readonly places: readonly number[];
  /** For each theme, its affixes among these: an index of `SetRoom.parts`. */
  readonly parts: readonly number[];
  readonly rates: Rates;
  /** The theme tests after a slot gave such an object an affix. */
  readonly tests: readonly ThemeTest[];
  /** Whether a theme of the tests has a line for an untracked affix. */
  readonly needsTuples: boolean;
  /**
   * The mass of the objects without a theme that come from other sets: by tuple of untracked affixes, then by the number of
   * slots before.
   */
  arrivals: (bigint | undefined)[][] | undefined;
  /**
   * For each of the tests, the mass of the objects that take it, by tuple of untracked affixes. Without `needsTuples`,
   * entry 0 has the mass of all tuples.
   */
  readonly tested: (bigint | undefined)[][] = [];
  readonly #room: SetRoom;

  constructor(
    room: SetRoom,
    { places, parts, rates }: { readonly places: readonly number[]; readonly parts: readonly number[]; readonly rates: Rates },
  ) {
    this.#room = room;
    this.places = places;
    this.parts = parts;
    this.rates = rates;
    this.tests = testsOf(room, parts);
    const { themes } = room.law;
    this.needsTuples = this.tests.some((test) => test.themes.some((theme) => themes[theme].hasUntracked));
  }

  /** A key of the set with one more affix. Different sets have different keys. */
  keyWith(place: number): string {
    return String.fromCharCode(...placesWith(this.places, place));
  }

  /** The set with one more affix. */
  with(place: number): AffixSet {
    const room = this.#room;
    const parts = this.parts.map((part, theme) => room.parts[theme].after(part, place));
    return new AffixSet(room, { places: placesWith(this.places, place), parts, rates: this.rates.after(place) });
  }

  addArrival(tuple: number, slots: number, mass: bigint): void {
    this.arrivals ??= [];
    this.arrivals[tuple] ??= [];
    const at = this.arrivals[tuple];
    at[slots] = (at[slots] ?? 0n) + mass;
  }

  addTested(test: number, tuple: number, mass: bigint): void {
    this.tested[test] ??= [];
    const at = this.tested[test];
    at[tuple] = (at[tuple] ?? 0n) + mass;
  }

  /**
   * The rate at which objects get an affix and no theme, and have this set afterwards.
   *
   * @param sums - the sums of the rates of the affix.
   */
  surviving(sums: readonly bigint[]): bigint {
    let rate = 0n;
    for (const { first, end, sum } of this.tests) {
      const rest = SCALE - BigInt(sum);
      if (rest > 0n) rate += (sums[end] - sums[first]) * rest;
    }
    return rate;
  }
}

function placesWith(places: readonly number[], place: number): number[] {
  const all: number[] = [];
  let isIn = false;
  for (const other of places) {
    if (!isIn && other > place) {
      all.push(place);
      isIn = true;
    }
    all.push(other);
  }
  if (!isIn) all.push(place);
  return all;
}

function testsOf({ law: { possible }, parts: all }: SetRoom, parts: readonly number[]): readonly ThemeTest[] {
  const active: number[] = [];
  for (let theme = 0; theme < parts.length; theme++) {
    if (all[theme].halfPercents[parts[theme]] > 0) active.push(theme);
  }
  const sumOf = (isPossible: readonly boolean[]) => {
    let sum = 0;
    for (const theme of active) if (isPossible[theme]) sum += all[theme].halfPercents[parts[theme]];
    return sum;
  };
  const tests: ThemeTest[] = [];
  let [first, sum] = [0, sumOf(possible[0])];
  for (let end = 1; end <= possible.length; end++) {
    const next = end < possible.length ? sumOf(possible[end]) : -1;
    // themes stay possible at greater depths, so equal sums have the same themes
    if (next === sum) continue;
    const isPossible = possible[first];
    tests.push({ first, end, sum, themes: active.filter((theme) => isPossible[theme]) });
    [first, sum] = [end, next];
  }
  return tests;
}
