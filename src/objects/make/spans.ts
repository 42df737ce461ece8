import { GOOD_ENCHANTMENT, GREAT_ENCHANTMENT } from "../law/egos.js";
import { type FlagBits, losesFlags } from "../law/flagBits.js";
import { isWeapon } from "../law/tvals.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectRules, PvalSpec, RandomValue } from "../types.js";

/** Both ends are inclusive. */
export type Span = readonly [least: number, most: number];

export const NUMBERS = ["toHit", "toDam", "toAc", "ac", "dice", "sides", "weight"] as const;

type Numbers = Record<(typeof NUMBERS)[number], Span>;

const MODIFIER: Span = [-32_767, 32_767];
const AMOUNT: Span = [0, 32_767];
const WEIGHT: Span = [0, 65_535];
const NOTHING: Span = [0, 0];

/**
 * The numbers and flags that an object can have: those of the kind, then of the affixes that the caller adds in order.
 * A span can be wider than the values that really occur, never narrower.
 */
export class ObjectSpans {
  readonly numbers: Numbers;
  /** A flag without an entry has the value 0. */
  readonly pvals = new Map<string, Span>();
  /** The flags without a value that `F` lines give. */
  readonly fixed: Set<string>;
  /** The flags of {@link fixed} that every object with these records has, unless a flag of the same element removes them. */
  readonly certain: Set<string>;
  /** The flags that `R` and `R2` lines can give. An object gets at most `randomCount` of them. */
  readonly random = new Set<string>();
  randomCount = 0;
  /** The flags with a value that `L` lines can give. `Z` lines can give at most `randomPvalCount` more. */
  readonly fixedPvals = new Set<string>();
  randomPvalCount = 0;
  readonly #bits: FlagBits;
  /** Ammunition with an affix has no armour, and loses most of its flags and pvals. */
  readonly #isAmmunition: boolean;
  readonly #rules: ObjectRules;

  constructor(rules: ObjectRules, bits: FlagBits, kind: KindSpec, artifact?: ArtifactSpec) {
    const { toHit, toDam, toAc, ac, dice, sides, weight, flags, pvals } = artifact ?? kind;
    const values = { toHit, toDam, toAc, ac, dice, sides, weight };
    const numbers = NUMBERS.map((name) => [name, spanOf(values[name])]);
    this.numbers = Object.fromEntries(numbers) as Numbers;
    const all = artifact === undefined ? flags : bits.withoutContradictions([...new Set([...kind.flags, ...flags])]);
    this.#bits = bits;
    this.#rules = rules;
    this.#isAmmunition = losesFlags({ rules, type: kind.type });
    this.fixed = new Set(all);
    this.certain = new Set(all);
    this.#addPvals(pvals);
  }

  /** Only the rules of Angband 4.2 have modifiers of affix levels. */
  enchant({ type }: KindSpec, affixLevel: number): void {
    const names = isWeapon(type) ? (["toHit", "toDam"] as const) : type.group === "armour" ? (["toAc"] as const) : [];
    const values = [GOOD_ENCHANTMENT, GREAT_ENCHANTMENT].slice(0, Math.max(affixLevel, 0));
    for (const name of names) {
      for (const value of values) this.numbers[name] = this.#sum(this.numbers[name], value, undefined);
    }
  }

  apply(affix: AffixSpec): void {
    const { numbers } = this;
    for (const { count, flags } of affix.randomFlags) {
      this.randomCount += count;
      for (const name of flags) this.random.add(name);
    }
    for (const name of ["toHit", "toDam", "toAc"] as const) {
      numbers[name] = this.#sum(numbers[name], affix[name], affix.least[name]);
    }
    this.#addPvals(affix.pvals);
    for (const { count, value, least, flags } of affix.randomPvals) {
      this.randomPvalCount += count;
      const rolled = this.#sum(NOTHING, value, least);
      for (const name of flags) this.pvals.set(name, hull(this.pvals.get(name) ?? NOTHING, rolled));
    }
    for (const name of affix.flags) {
      this.fixed.add(name);
      this.certain.add(name);
    }
    for (const name of affix.removes) for (const set of [this.fixed, this.certain, this.random]) set.delete(name);
    this.#changeBody(affix);
    if (this.#isAmmunition) this.#keepAmmunition();
  }

  /** Adds an affix that the object may or may not have. The spans then cover both cases. */
  applyPerhaps(affix: AffixSpec): void {
    const [numbers, pvals, certain] = [{ ...this.numbers }, new Map(this.pvals), [...this.certain]];
    this.apply(affix);
    for (const name of NUMBERS) this.numbers[name] = hull(numbers[name], this.numbers[name]);
    for (const [name, span] of this.pvals) this.pvals.set(name, hull(pvals.get(name) ?? NOTHING, span));
    this.certain.clear();
    for (const name of certain) this.certain.add(name);
  }

  #addPvals(lines: readonly PvalSpec[]): void {
    for (const { value, least, flags } of lines) {
      for (const name of flags) {
        this.fixedPvals.add(name);
        this.pvals.set(name, this.#sum(this.pvals.get(name) ?? NOTHING, value, least));
      }
    }
  }

  #changeBody({ acPercent, weightPercent, dice, sides }: AffixSpec): void {
    const { numbers } = this;
    const scaled = ([least, most]: Span, percent: number, ends: Span) =>
      within([Math.trunc((least * (100 + percent)) / 100), Math.trunc((most * (100 + percent)) / 100)], ends);
    numbers.ac = scaled(numbers.ac, acPercent, AMOUNT);
    numbers.weight = scaled(numbers.weight, weightPercent, WEIGHT);
    const ends: Span = [dice === 0 && sides === 0 ? 0 : 1, AMOUNT[1]];
    numbers.dice = within([numbers.dice[0] + dice, numbers.dice[1] + dice], ends);
    numbers.sides = within([numbers.sides[0] + sides, numbers.sides[1] + sides], ends);
  }

  /** A sum is raised to the minimum; by the rules of version 4, so is the value before the addition. */
  #sum([least, most]: Span, value: RandomValue, minimum = Number.NEGATIVE_INFINITY): Span {
    const [low, high] = spanOf(value);
    const raise = (one: number) => (this.#rules === "v4" ? Math.max(one, minimum) : one);
    return within([Math.max(least + raise(low), minimum), Math.max(most + raise(high), minimum)], MODIFIER);
  }

  #keepAmmunition(): void {
    this.numbers.ac = NOTHING;
    this.numbers.toAc = NOTHING;
    for (const name of this.pvals.keys()) if (!this.#bits.isKeptByAmmunition(name)) this.pvals.delete(name);
    for (const set of [this.fixed, this.certain, this.random]) {
      for (const name of set) if (!this.#bits.isKeptByAmmunition(name)) set.delete(name);
    }
  }
}

function spanOf(value: RandomValue | number): Span {
  if (typeof value === "number") return [value, value];
  const { base, dice, sides, bonus, negated } = value;
  const [least, most] = [base + dice, base + dice * Math.max(sides, 1) + bonus];
  return negated ? [-most, -least] : [least, most];
}

function within([least, most]: Span, [low, high]: Span): Span {
  return [Math.min(Math.max(least, low), high), Math.min(Math.max(most, low), high)];
}

function hull(a: Span, b: Span): Span {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}
