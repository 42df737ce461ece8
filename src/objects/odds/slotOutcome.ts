import type { Watch } from "../../calls/index.js";
import { type FactorBase, type Product, power, type Ratio, times, UNIT } from "../../factors.js";
import { commonDivisor, type Fraction, overCommonDenominator } from "../../fractions.js";
import { type Decision, depthCaseCount, MOST_AFFIXES, slotOdds } from "../law/slots.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, ThemeSpec } from "../types.js";
import { choices } from "./affixSets.js";
import { SetWalk, sumOf, type ThemeMass } from "./setWalk.js";
import { SCALE, slotLaw } from "./slotLaw.js";

export const NOTHING: Ratio = { numerator: 0n, divisor: UNIT };
const PERCENTS = 100;

interface OutcomeQuery extends Decision {
  readonly mostStates: number;
  readonly kind: KindSpec;
  readonly affixLevel: number;
  readonly requiring: readonly ArtifactSpec[];
}

/** An affix that a theme can add. Both chances include the chance that the object gets the theme. */
interface AddedAffix {
  readonly affix: AffixSpec;
  /** The chance that the object lacks the affix and the theme adds it. */
  readonly lacking: Ratio;
  /** The chance that the theme adds the affix, whether or not the object already has it. */
  readonly all: Ratio;
}

export class SlotOutcome {
  readonly steps: number;
  readonly #base: FactorBase;
  readonly #walk: SetWalk;
  readonly #able: readonly number[];
  readonly #divisors: readonly Product[];
  readonly #files: ObjectFiles;

  constructor(files: ObjectFiles, query: OutcomeQuery, base: FactorBase) {
    const { requiring, mostStates } = query;
    const odds = slotOdds(query.level, query.quality, query.kind.flags.includes("GOOD"), files.constants);
    const all = depthCaseCount(files.constants);
    const most = odds.findLastIndex(({ numerator }) => numerator > 0n);
    const mostLaws = lawsWithin(mostStates, most, all);
    const required = new Set(requiring.flatMap(({ requires }) => requires));
    this.#files = files;
    this.#base = base;
    const law = slotLaw(files, { ...query, required, mostLaws });
    const slots = filledSlots(odds, { cases: law.cases, all }, base);
    const places = new Map(law.tracked.map(({ number }, place) => [number, place]));
    this.#able = requiring.flatMap(({ requires }, i) => (requires.every((one) => places.has(one)) ? [i] : []));
    const needed = this.#able.map((i) => requiring[i].requires.map((number) => places.get(number) ?? 0));
    this.#walk = new SetWalk(law, slots, base, mostStates, needed);
    this.steps = stepsOf(law.tracked.length, slots.most, mostStates);
    const step = base.multiply(this.#walk.book.product, base.productOf(Number(SCALE)));
    const divisors: Product[] = [slots.product];
    for (let t = 1; t <= slots.most; t++) divisors.push(base.multiply(divisors[t - 1], step));
    this.#divisors = divisors;
  }

  run(watch: Watch, before: number): void {
    this.#walk.run((sets) => watch.passed(before + Math.min(sets, this.steps - 1)));
  }

  /** The denominator of the product of a rate and an entry of `Rates.mass.visits`. */
  get #visitDivisor(): Product {
    return this.#base.multiply(this.#divisors[Math.max(0, this.#walk.slots.most - 1)], this.#walk.book.product);
  }

  affixes(): ReadonlyMap<AffixSpec, Ratio> {
    const chances = new Map<AffixSpec, Ratio>();
    const { tracked, untracked } = this.#walk.law;
    const divisor = this.#visitDivisor;
    for (const [i, affix] of tracked.entries()) {
      let numerator = 0n;
      for (const { tracked: rates, mass } of this.#walk.book.all) {
        const lacking = sumOf(mass.visits) - (mass.having[i] ?? 0n);
        numerator += lacking * (rates[i].at(-1) ?? 0n);
      }
      chances.set(affix, { numerator, divisor });
    }
    const { absent, divisor: scale } = this.#absences(Math.max(0, this.#walk.slots.most - 1));
    for (const [i, affix] of untracked.entries()) {
      let numerator = 0n;
      for (const { untracked: rates, mass } of this.#walk.book.all) {
        const lacking = weighed(mass.visits, absent[i]);
        numerator += lacking * this.#rateOf(i, rates);
      }
      const whole = this.#base.multiply(this.#base.multiply(divisor, scale), this.#lawDivisor(1));
      chances.set(affix, { numerator, divisor: whole });
    }
    return chances;
  }

  /** Returns the chance of an untracked affix, as a numerator over `RateBook.unit` times the totals of all laws. */
  #rateOf(place: number, rates: readonly (readonly bigint[])[]): bigint {
    const whole = this.#walk.law.laws.reduce((product, { total }) => product * BigInt(total), 1n);
    return this.#walk.law.laws.reduce((sum, { weights, total }, law) => {
      return sum + ((rates[law].at(-1) ?? 0n) * BigInt(weights[place]) * whole) / BigInt(total);
    }, 0n);
  }

  #lawDivisor(exponent: number): Product {
    const whole = this.#walk.law.laws.reduce((product, { total }) => {
      return this.#base.multiply(product, this.#base.productOf(total));
    }, UNIT);
    return power(whole, exponent);
  }

  /** `absent[a][t]` / `divisor` is the chance that an object with tuple t (sum ≤ `most`) lacks untracked affix a. */
  #absences(most: number): { readonly absent: readonly (readonly bigint[])[]; readonly divisor: Product } {
    const { laws, untracked } = this.#walk.law;
    const count = this.#walk.tuples.ends[most];
    const absent = untracked.map((_, place) => {
      const factors = laws.map(({ weights, total }) =>
        Array.from(
          { length: most + 1 },
          (_one, k) => BigInt(total - weights[place]) ** BigInt(k) * BigInt(total) ** BigInt(most - k),
        ),
      );
      return Array.from({ length: count }, (_one, tuple) => {
        const counts = this.#walk.tuples.counts[tuple];
        return factors.reduce((product, powers, law) => product * powers[counts[law]], 1n);
      });
    });
    return { absent, divisor: this.#lawDivisor(most) };
  }

  themes(): readonly { readonly theme: ThemeSpec; readonly chance: Ratio; readonly added: readonly AddedAffix[] }[] {
    const { absent, divisor } = this.#absences(this.#walk.slots.most);
    const base = this.#base;
    return this.#walk.law.themes.map(({ theme }, i) => {
      const chanceOf = this.#themeChance(i);
      const chance = chanceOf(sumOf);
      const chanceLacking = (affix: AffixSpec): Ratio => {
        const place = this.#walk.law.tracked.indexOf(affix);
        if (place >= 0) return chanceOf((tuples, places) => (places.includes(place) ? 0n : sumOf(tuples)));
        const free = this.#walk.law.untracked.indexOf(affix);
        if (free < 0) return chance;
        const found = chanceOf((tuples) => weighed(tuples, absent[free]));
        return { ...found, divisor: base.multiply(found.divisor, divisor) };
      };
      const added = [...linesOf(theme)].flatMap(([number, chances]): AddedAffix[] => {
        const affix = this.#files.affixes.find((one) => one.number === number);
        if (affix === undefined) return [];
        const lacking = chanceLacking(affix);
        const having = base.add(chance, { ...lacking, numerator: -lacking.numerator });
        const part = times(lacking, this.#anyPasses(chances), base);
        // if a slot gave the affix, the theme's first line that names it adds nothing, but later lines can add it again
        const again = times(having, this.#anyPasses(chances.slice(1)), base);
        return [{ affix, lacking: part, all: base.add(part, again) }];
      });
      return { theme, chance, added };
    });
  }

  /** Returns a function for chances of theme i. Its argument `massOf` sums the masses of a part that count. */
  #themeChance(i: number) {
    const base = this.#base;
    const own = [...this.#walk.themes[i]].map(([divisor, mass]) => ({ mass, product: base.productOf(divisor) }));
    const common = own.reduce((whole, { product }) => base.commonMultiple(whole, product), UNIT);
    const factors = own.map(({ mass, product }) => ({ mass, factor: base.quotient(common, product) }));
    const divisor = base.multiply(this.#visitDivisor, common);
    const { places, halfPercents } = this.#walk.room.parts[i];
    return (massOf: (tuples: ThemeMass[number], places: readonly number[]) => bigint): Ratio => {
      let numerator = 0n;
      for (const { mass, factor } of factors) {
        const sumOfParts = (sum: bigint, tuples: ThemeMass[number], part: number) =>
          sum + massOf(tuples, places[part]) * BigInt(halfPercents[part]);
        numerator += factor * mass.reduce(sumOfParts, 0n);
      }
      return { numerator, divisor };
    };
  }

  #anyPasses(chances: readonly number[]): Ratio {
    const none = chances.reduce((product, chance) => product * BigInt(PERCENTS - chance), 1n);
    const all = BigInt(PERCENTS) ** BigInt(chances.length);
    return { numerator: all - none, divisor: power(this.#base.productOf(PERCENTS), chances.length) };
  }

  counts(): readonly Ratio[] {
    const { most, after, unit } = this.#walk.slots;
    const counts: Ratio[] = Array.from({ length: MOST_AFFIXES + 1 }, () => NOTHING);
    const add = (count: number, numerator: bigint, slots: number) => {
      counts[count] = this.#base.add(counts[count], { numerator, divisor: this.#divisors[slots] });
    };
    add(0, unit - (after[0] ?? 0n), 0);
    for (let t = 0; t < most; t++) {
      for (let empty = 0; empty <= t + 1; empty++) {
        const { going, arrived } = this.#passing(t, empty);
        const before = empty === 0 ? 0n : this.#passing(t, empty - 1).emptied;
        if (t + 1 === most) {
          add(most - empty, after[t] * (going + before), most);
          continue;
        }
        // of the objects that got an affix in this slot, those in `arrived` have no theme; all others got a theme
        const themed = going - (arrived - before);
        add(t + 1 - empty, after[t] * themed + (after[t] - after[t + 1]) * arrived, t + 1);
      }
    }
    return counts;
  }

  /**
   * Returns three masses of objects with `empty` empty slots: after t slots, those that get an affix next (`going`) and
   * those that do not (`emptied`); after t + 1 slots, those that still have no theme (`arrived`).
   */
  #passing(t: number, empty: number): { readonly going: bigint; readonly emptied: bigint; readonly arrived: bigint } {
    let going = 0n;
    let emptied = 0n;
    let arrived = this.#walk.dropped[t + 1]?.[empty] ?? 0n;
    for (const rates of this.#walk.book.all) {
      const { slots } = rates.mass;
      const mass = slots[t]?.[empty] ?? 0n;
      going += mass * (this.#walk.step - (rates.empty + rates.lost) * SCALE);
      emptied += mass * rates.empty * SCALE;
      arrived += slots[t + 1]?.[empty] ?? 0n;
    }
    return { going, emptied, arrived };
  }

  ends(): readonly { readonly artifacts: readonly number[]; readonly chance: Ratio }[] {
    const divisor = this.#divisors[this.#walk.slots.most];
    return [...this.#walk.ends].map(([key, numerator]) => ({
      artifacts: key.split(",").map((i) => this.#able[Number(i)]),
      chance: { numerator, divisor },
    }));
  }
}

function linesOf({ parts }: ThemeSpec): ReadonlyMap<number, readonly number[]> {
  const lines = new Map<number, number[]>();
  for (const { affix, chance } of parts) lines.set(affix, [...(lines.get(affix) ?? []), chance]);
  return lines;
}

function weighed(masses: readonly (bigint | undefined)[], factors: readonly bigint[]): bigint {
  return masses.reduce<bigint>((sum, mass, tuple) => sum + (mass ?? 0n) * factors[tuple], 0n);
}

/** Returns the odds of the number of slots that can get an affix. `cases` of `all` cases of a depth allow an affix. */
function filledSlots(odds: readonly Fraction[], { cases, all }: { cases: number; all: number }, base: FactorBase) {
  const { integers: rolled, whole: common } = overCommonDenominator(odds);
  const last = rolled.findLastIndex((chance) => chance > 0n);
  const divisor = commonDivisor(cases, all);
  const whole = all / divisor;
  const [can, cannot] = [BigInt(cases / divisor), BigInt((all - cases) / divisor)];
  const filled = Array.from({ length: last + 1 }, () => 0n);
  for (const [slots, chance] of rolled.slice(0, last + 1).entries()) {
    const scale = chance * BigInt(whole) ** BigInt(last - slots);
    for (let count = 0; count <= slots; count++) {
      filled[count] += scale * BigInt(choices(slots, count)) * can ** BigInt(count) * cannot ** BigInt(slots - count);
    }
  }
  const unit = common * BigInt(whole) ** BigInt(last);
  const after: bigint[] = [];
  for (const chance of filled) after.push((after.at(-1) ?? unit) - chance);
  const most = filled.findLastIndex((chance) => chance > 0n);
  const product = base.multiply(base.productOf(Number(common)), power(base.productOf(whole), last));
  return { most, after: after.slice(0, most), unit, product };
}

function lawsWithin(mostStates: number, slots: number, most: number): number {
  let laws = 1;
  // with one more law, a tuple has up to laws + 2 entries: one for each law, and one that counts empty slots
  while (laws < most && choices(laws + 2 + slots, slots) <= mostStates) laws++;
  return laws;
}

function stepsOf(tracked: number, slots: number, mostStates: number): number {
  let steps = 0;
  for (let size = 0; size < slots; size++) steps += Math.min(choices(tracked, size), mostStates);
  return Math.max(1, steps);
}
