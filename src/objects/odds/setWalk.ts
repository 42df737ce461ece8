import type { FactorBase, Product } from "../../factors.js";
import { type AffixSet, rateBetween, type SetKey, SetRoom, surviving, type Tuples, tuplesOf } from "./affixSets.js";
import { RateBook, SCALE, type SlotLaw } from "./slotLaw.js";

interface FilledSlots {
  readonly most: number;
  /** Entry t is the probability that more than t slots can get an affix, times `unit`. */
  readonly after: readonly bigint[];
  readonly unit: bigint;
  readonly product: Product;
}

/** Entry [i][tuple] is the mass of the objects that are tested for a theme and have set i of its `ThemeParts`. */
export type ThemeMass = (bigint | undefined)[][];

/**
 * Follows an object through its slots, as long as it has no theme. After each slot, computes the probability of every
 * combination of affixes. A combination has two parts:
 * - a set of tracked affixes;
 * - a *tuple*: for each of `SlotLaw.laws`, the number of untracked affixes that slots drew by this law. If exclusions
 *   can leave a slot empty, the tuple also has the number of empty slots.
 * A *mass* is the probability of one combination. After t slots, it is a numerator over `step`^t.
 */
export class SetWalk {
  readonly book: RateBook;
  readonly room: SetRoom;
  /** For each theme, the mass by divisor: an object gets the theme with the chance halfPercents / divisor. */
  readonly themes: Map<number, ThemeMass>[];
  /** For each list of artifacts, the mass of the objects without a theme that could become exactly these artifacts. */
  readonly ends = new Map<string, bigint>();
  /** Entry [t][e] is the mass of the objects that were dropped after t slots, with e empty slots. */
  readonly dropped: bigint[][] = [];
  readonly step: bigint;
  readonly law: SlotLaw;
  readonly slots: FilledSlots;
  readonly tuples: Tuples;
  readonly #mostStates: number;
  readonly #required: readonly (readonly number[])[];

  /**
   * `mostStates` limits the combinations with equally many tracked affixes. `required[i]`: the places artifact i needs.
   */
  constructor(law: SlotLaw, slots: FilledSlots, base: FactorBase, mostStates: number, required: readonly number[][]) {
    const hasEmpty = law.excludes.some((list) => list.length > 0);
    this.law = law;
    this.slots = slots;
    this.tuples = tuplesOf(law.laws.length + (hasEmpty ? 1 : 0), slots.most);
    this.#mostStates = mostStates;
    this.#required = required;
    this.book = new RateBook(law, slots.most, base);
    this.step = this.book.unit * SCALE;
    this.themes = law.themes.map(() => new Map());
    this.room = new SetRoom(law, slots.most);
  }

  run(passed: (sets: number) => void): void {
    const first = this.room.none(this.book.of([]));
    addAt(first.arrivals, 0, 0, 1n);
    let sets: readonly AffixSet[] = [first];
    let done = 0;
    for (let size = 0; size < this.slots.most && sets.length > 0; size++) {
      const next = new Map<SetKey, AffixSet>();
      for (const set of this.#mostProbable(sets, size)) {
        this.#follow(set, size, next);
        passed(++done);
      }
      sets = [...next.values()];
    }
    for (const set of sets) this.#addTested(set);
  }

  #mostProbable(sets: readonly AffixSet[], size: number): readonly AffixSet[] {
    const most = Math.max(1, Math.floor(this.#mostStates / this.tuples.ends[this.slots.most - 1 - size]));
    if (sets.length <= most) return sets;
    const masses = new Map(sets.map((set) => [set, this.#massOf(set)]));
    const sorted = sets.toSorted((a, b) => (masses.get(b) ?? 0) - (masses.get(a) ?? 0));
    for (const set of sorted.slice(most)) this.#drop(set);
    return sorted.slice(0, most);
  }

  #massOf({ arrivals }: AffixSet): number {
    let mass = 0;
    for (const slots of arrivals) {
      for (const [t, arrival] of (slots ?? []).entries()) mass += asDouble(arrival ?? 0n, this.step, t);
    }
    return mass;
  }

  /** Stops following a set. Its objects are counted only up to the slot at which they arrived at the set. */
  #drop(set: AffixSet): void {
    this.#addTested(set);
    const { after, most } = this.slots;
    const met = this.#metBy(set.places);
    for (const [tuple, slots] of set.arrivals.entries()) {
      for (const [t, arrival] of (slots ?? []).entries()) {
        if (arrival === undefined) continue;
        addAt(this.dropped, t, this.#emptyOf(tuple), arrival);
        if (met !== "") this.#end(met, arrival * (after[t - 1] - after[t]) * this.step ** BigInt(most - t));
      }
    }
  }

  #emptyOf(tuple: number): number {
    return this.tuples.counts[tuple][this.law.laws.length] ?? 0;
  }

  #follow(set: AffixSet, size: number, next: Map<SetKey, AffixSet>): void {
    const targets = this.#targets(set, next);
    const visits = this.#visit(set, size, this.#stepsOf(set, size, targets));
    const all = sumOf(visits);
    const { mass } = set.rates;
    for (const [tuple, visit] of visits.entries()) mass.visits[tuple] = (mass.visits[tuple] ?? 0n) + (visit ?? 0n);
    for (const place of set.places) mass.having[place] = (mass.having[place] ?? 0n) + all;
    this.#testOwn(set, visits);
    this.#addTested(set);
    for (const { target, sums } of targets) this.#testAll(target, sums, visits);
  }

  #addTested({ parts, tests, tested }: AffixSet): void {
    for (let i = 0; i < tested.length; i++) {
      const masses = tested[i];
      if (masses === undefined) continue;
      const { sum, themes } = tests[i];
      let all: bigint | undefined;
      for (const theme of themes) {
        const to = this.#themeMass(theme, Math.max(sum, Number(SCALE)));
        if (!this.law.themes[theme].hasUntracked) {
          // the chances of this theme do not depend on the tuple, so tuple 0 has all masses
          all ??= sumOf(masses);
          addAt(to, parts[theme], 0, all);
          continue;
        }
        for (let tuple = 0; tuple < masses.length; tuple++) {
          const mass = masses[tuple];
          if (mass) addAt(to, parts[theme], tuple, mass);
        }
      }
    }
  }

  #targets(set: AffixSet, next: Map<SetKey, AffixSet>): readonly Target[] {
    const { tracked } = set.rates;
    const targets: Target[] = [];
    const keys = this.room.keys.keysAfter(set.places);
    for (let place = 0; place < tracked.length; place++) {
      const key = keys[place];
      const sums = tracked[place];
      if (key === undefined || sums[sums.length - 1] === 0n) continue;
      let target = next.get(key);
      if (target === undefined) {
        target = this.room.with(set, place);
        next.set(key, target);
      }
      targets.push({ place, target, sums });
    }
    return targets;
  }

  #stepsOf(set: AffixSet, size: number, targets: readonly Target[]): Steps {
    const { rates, places } = set;
    const repeat = places.reduce((sum, place) => sum + surviving(set.tests, rates.tracked[place]), 0n);
    const moves = rates.untracked.map((sums) => surviving(set.tests, sums));
    if (this.law.laws.length < this.tuples.length) moves.push(rates.empty * SCALE);
    const isLast = size + 1 === this.slots.most && this.#required.length === 0;
    const fresh = isLast ? [] : targets.map((one) => ({ ...one, rate: surviving(one.target.tests, one.sums) }));
    return { repeat, moves, fresh };
  }

  /** Returns for each tuple the sum, over all slots, of (mass before the slot) · (probability of rolling the slot). */
  #visit(set: AffixSet, size: number, steps: Steps): readonly (bigint | undefined)[] {
    const { most, after } = this.slots;
    const { mass } = set.rates;
    const end = this.#endOf(set, steps);
    const visits: (bigint | undefined)[] = [];
    for (let tuple = 0, tuples = this.tuples.ends[most - 1 - size]; tuple < tuples; tuple++) {
      const arrivals = set.arrivals[tuple];
      if (arrivals === undefined) continue;
      let [now, visit] = [0n, 0n];
      for (let t = size + this.tuples.sums[tuple]; t < most; t++) {
        now = now * steps.repeat + (arrivals[t] ?? 0n);
        visit = visit * this.step + now * after[t];
        if (now === 0n) continue;
        addAt(mass.slots, t, this.#emptyOf(tuple), now);
        end?.(now, t);
        if (t + 1 < most) this.#move(set, steps, { tuple, slots: t + 1, mass: now });
      }
      visits[tuple] = visit;
    }
    return visits;
  }

  #move(set: AffixSet, { moves, fresh }: Steps, to: { tuple: number; slots: number; mass: bigint }): void {
    for (const { target, rate } of fresh) {
      if (rate > 0n) addAt(target.arrivals, to.tuple, to.slots, to.mass * rate);
    }
    for (const [entry, rate] of moves.entries()) {
      if (rate > 0n) addAt(set.arrivals, this.tuples.next[to.tuple][entry], to.slots, to.mass * rate);
    }
  }

  #testAll(target: AffixSet, sums: readonly bigint[], visits: readonly (bigint | undefined)[]): void {
    for (let i = 0; i < target.tests.length; i++) {
      const { sum, first, end } = target.tests[i];
      if (sum === 0) continue;
      const rate = rateBetween(sums, first, end);
      if (rate === 0n) continue;
      for (let tuple = 0; tuple < visits.length; tuple++) {
        const visit = visits[tuple];
        if (visit) addAt(target.tested, i, tuple, visit * rate);
      }
    }
  }

  /** Tests the objects that stay in the set: a slot gave them an untracked affix, or an affix that they already had. */
  #testOwn(set: AffixSet, visits: readonly (bigint | undefined)[]): void {
    const { rates, places, tests } = set;
    if (tests.every(({ sum }) => sum === 0)) return;
    for (const place of places) this.#testAll(set, rates.tracked[place], visits);
    for (const [law, sums] of rates.untracked.entries()) {
      const after: bigint[] = [];
      for (const [tuple, visit] of visits.entries()) if (visit) after[this.tuples.next[tuple][law]] = visit;
      this.#testAll(set, sums, after);
    }
  }

  /** Returns a function that adds objects to {@link ends}; undefined if no object of the set can become an artifact. */
  #endOf(set: AffixSet, { repeat, moves, fresh }: Steps): ((mass: bigint, slots: number) => void) | undefined {
    if (this.#required.length === 0) return undefined;
    const own = this.#metBy(set.places);
    const rates = new Map([[own, moves.reduce((sum, rate) => sum + rate, repeat)]]);
    for (const { place, rate } of fresh) {
      const met = this.#required.some((list) => list.includes(place)) ? this.#metBy([...set.places, place]) : own;
      rates.set(met, (rates.get(met) ?? 0n) + rate);
    }
    rates.delete("");
    if (rates.size === 0) return undefined;
    const { most, after, unit } = this.slots;
    return (mass, t) => {
      const ending = (t === 0 ? unit : after[t - 1]) - after[t];
      if (own !== "" && ending > 0n) this.#end(own, mass * ending * this.step ** BigInt(most - t));
      if (t + 1 < most) return;
      for (const [met, rate] of rates) this.#end(met, mass * rate * after[t]);
    };
  }

  #end(met: string, mass: bigint): void {
    this.ends.set(met, (this.ends.get(met) ?? 0n) + mass);
  }

  #metBy(places: readonly number[]): string {
    return this.#required
      .flatMap((required, artifact) => (required.every((place) => places.includes(place)) ? [artifact] : []))
      .join();
  }

  #themeMass(theme: number, divisor: number): ThemeMass {
    const known = this.themes[theme].get(divisor);
    if (known !== undefined) return known;
    const mass: ThemeMass = [];
    this.themes[theme].set(divisor, mass);
    return mass;
  }
}

type Target = { readonly target: AffixSet; readonly place: number; readonly sums: readonly bigint[] };

/** The probabilities of the results of the next slot if no theme follows, as numerators over `step`. */
interface Steps {
  readonly repeat: bigint;
  /** For each law, the chance of an untracked affix; then, if slots can stay empty, the chance that this slot does. */
  readonly moves: readonly bigint[];
  /** The tracked affixes that the object lacks. Empty for the last slot if no artifact requires affixes. */
  readonly fresh: readonly (Target & { readonly rate: bigint })[];
}

export function sumOf(masses: readonly (bigint | undefined)[]): bigint {
  let sum = 0n;
  for (const mass of masses) sum += mass ?? 0n;
  return sum;
}

function addAt(sums: (bigint | undefined)[][], i: number, j: number, value: bigint): void {
  sums[i] ??= [];
  sums[i][j] = (sums[i][j] ?? 0n) + value;
}

/** Returns value / unit^power as a double. Both can be too large for a double, so both are shifted first. */
function asDouble(value: bigint, unit: bigint, power: number): number {
  const bits = Math.max(0, unit.toString(2).length - 60);
  const shift = BigInt(Math.max(0, bits * power));
  return Number(value >> shift) / (Number(unit >> BigInt(bits)) || 1) ** power;
}
