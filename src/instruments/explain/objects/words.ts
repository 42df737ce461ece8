import { mBonusOdds } from "../../../objects/law/mBonus.js";
import type { AffixSpec, PvalSpec, RandomValue } from "../../../objects/types.js";
import type { Tracer, Weighed } from "../tracer.js";
import { type Draft, MODIFIERS } from "./draft.js";

/** The words of an object in their order: each decision reads the next one. */
export class Words {
  /** Number of words that were read. */
  count = 0;
  readonly #tracer: Tracer;
  readonly #object: number;
  #part: Tracer;
  /** The name of the affix that is being applied. */
  #affix: string | undefined;

  constructor(tracer: Tracer, object: number) {
    this.#tracer = tracer;
    this.#object = object;
    this.#part = tracer;
  }

  part(part: string): void {
    this.#part = this.#tracer.part(part);
  }

  /** Runs `apply`, and puts the name of the affix before the names of its decisions. */
  ofAffix(name: string, apply: () => void): void {
    this.#affix = name;
    apply();
    this.#affix = undefined;
  }

  below(what: string, m: number, so: (value: number) => string = String): number {
    return this.#part.below(this.#next(what), m, so);
  }

  /** Whether below(m) is less than `limit`. */
  isBelow(what: string, m: number, limit: number): boolean {
    return this.below(what, m, (value) => (value < limit ? "yes" : "no")) < limit;
  }

  pick<T>(what: string, from: readonly T[], weigh: (one: T) => Weighed): T {
    return from[this.#part.pick(this.#next(what), from.map(weigh))];
  }

  alias<T>(what: string, from: readonly T[], weigh: (one: T) => Weighed): T {
    return from[this.#part.alias(this.#next(what), from.map(weigh))];
  }

  /** below(2³¹) is ⌊word / 2⌋, for every word. So m_bonus is a prefix pick over its weights. */
  mBonus(what: string, most: number, depth: number): number {
    const weights = Array.from(mBonusOdds(most, depth), (weight, name) => ({ name, weight }));
    return this.#part.pick(this.#next(what), weights);
  }

  value(what: string, { base, dice, sides, bonus, negated }: RandomValue, depth: number): number {
    let sum = base;
    for (let die = 0; die < dice; die++) {
      sum += 1 + this.below(`${what}, die ${die + 1} of ${dice}`, Math.max(sides, 1), (value) => String(value + 1));
    }
    if (bonus > 0) sum += this.mBonus(`${what}, bonus at depth ${depth}`, bonus, depth);
    return negated ? 0 - sum : sum;
  }

  #next(what: string) {
    const named = this.#affix === undefined ? what : `${this.#affix}, ${what}`;
    return { what: named, plane: this.#object, index: this.count++ };
  }
}

const LABELS = { toHit: "to-hit", toDam: "to-dam", toAc: "to-ac" };

type Rolled = Pick<AffixSpec, (typeof MODIFIERS)[number]> & Partial<Pick<AffixSpec, "least">>;

export function rollModifiers(words: Words, draft: Draft, values: Rolled, depth: number, names = MODIFIERS): void {
  for (const name of names) {
    draft.addModifier(name, words.value(LABELS[name], values[name], depth), values.least?.[name]);
  }
}

export function rollPvals(words: Words, draft: Draft, pvals: readonly PvalSpec[], depth: number): void {
  for (const { value, least, flags } of pvals) {
    const rolled = words.value(flags.join(" | "), value, depth);
    for (const flag of flags) draft.addPval(flag, rolled, least);
  }
}

/** Applies an affix at a depth, in the order of docs/determinism.md. */
export function applyAffix(words: Words, draft: Draft, affix: AffixSpec, depth: number): void {
  words.ofAffix(affix.name, () => {
    addRandomFlags(words, draft, affix);
    rollModifiers(words, draft, affix, depth);
    rollPvals(words, draft, affix.pvals, depth);
    addRandomPvals(words, draft, affix, depth);
  });
  draft.addFlags(affix.flags);
  draft.finishAffix(affix);
}

function addRandomFlags(words: Words, draft: Draft, { randomFlags }: AffixSpec): void {
  let roll = 0;
  for (const { count, flags, alternative } of randomFlags) {
    if (alternative?.first === 0) roll = words.below("alternative", alternative.of);
    const { first = 0, share = Number.POSITIVE_INFINITY } = alternative ?? {};
    if (roll < first || roll >= first + share) continue;
    for (let i = 0; i < count; i++) {
      const free = inOrder(draft, flags).filter((flag) => draft.lacks(flag));
      if (free.length === 0) break;
      draft.addFlags([free[words.below("random flag", free.length, (value) => free[value])]]);
    }
  }
}

function addRandomPvals(words: Words, draft: Draft, { randomPvals }: AffixSpec, depth: number): void {
  for (const { count, flags, value, least } of randomPvals) {
    for (let i = 0; i < count; i++) {
      const free = inOrder(draft, flags).filter((flag) => draft.pval(flag) === 0);
      if (free.length === 0) break;
      const flag = free[words.below("flag with a random value", free.length, (one) => free[one])];
      draft.addPval(flag, words.value(flag, value, depth), least);
    }
  }
}

function inOrder({ files }: Draft, flags: readonly string[]): string[] {
  return files.flags.flatMap(({ name }) => (flags.includes(name) ? [name] : []));
}
