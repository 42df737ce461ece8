import type { KindSpec, MadeObject, PvalSpec, RandomValue } from "../types.js";

/** What a value of the kind can be by itself, both included, and what the object has. */
export interface ValueChange {
  readonly from: { readonly least: number; readonly most: number };
  readonly to: number;
}

/** A number of the kind's, and the object's. */
export interface NumberChange {
  readonly from: number;
  readonly to: number;
}

/**
 * All in which an object differs from its kind. A number that is not there is the kind's; what is random in the kind is always
 * there, unless it is the same as its only value.
 */
export interface ObjectChanges {
  /** Base armour class. */
  readonly ac?: NumberChange;
  /** Tenths of a pound. */
  readonly weight?: NumberChange;
  readonly dice?: NumberChange;
  readonly sides?: NumberChange;
  readonly toHit?: ValueChange;
  readonly toDam?: ValueChange;
  readonly toAc?: ValueChange;
  /** Flags without a value that the kind has not, in the object's order. */
  readonly flagsGained: readonly string[];
  /** Flags without a value that only the kind has, in the kind's order. */
  readonly flagsLost: readonly string[];
  /** By flag, in the object's order, those that it lost at the end. */
  readonly pvals: Readonly<Record<string, ValueChange>>;
}

const NUMBERS = ["ac", "weight", "dice", "sides"] as const;
const VALUES = ["toHit", "toDam", "toAc"] as const;

/** All in which an object differs from its kind. Cost: O(flags of both). */
export function objectChanges(object: MadeObject): ObjectChanges {
  const { kind } = object;
  const numbers = NUMBERS.filter((name) => object[name] !== kind[name]);
  const values = VALUES.map((name) => [name, { from: rangeOf(kind[name]), to: object[name] }] as const);
  const pvals = pvalRanges(kind.pvals);
  const valued = [...new Set([...Object.keys(object.pvals), ...pvals.keys()])].map((flag) => {
    const from = pvals.get(flag) ?? { least: 0, most: 0 };
    return [flag, { from, to: object.pvals[flag] ?? 0 }] as const;
  });
  return {
    ...Object.fromEntries(numbers.map((name) => [name, { from: kind[name], to: object[name] }])),
    ...Object.fromEntries(values.filter(([, change]) => differs(change))),
    flagsGained: without(object.flags, kind.flags),
    flagsLost: without(kind.flags, object.flags),
    pvals: Object.fromEntries(valued.filter(([, change]) => differs(change))),
  };
}

function differs({ from, to }: ValueChange): boolean {
  return from.least !== to || from.most !== to;
}

function without(flags: readonly string[], others: readonly string[]): readonly string[] {
  return flags.filter((flag) => !others.includes(flag));
}

/** What a random value can come to at some level. */
function rangeOf({ base, dice, sides, bonus, negated }: RandomValue): ValueChange["from"] {
  const [least, most] = [base + dice, base + dice * sides + bonus];
  // (0 has no sign: -0 would show in comparisons)
  return negated ? { least: 0 - most, most: 0 - least } : { least, most };
}

/** What each flag of a kind can come to: lines of the same flag add up. */
function pvalRanges(pvals: KindSpec["pvals"]): ReadonlyMap<string, ValueChange["from"]> {
  const ranges = new Map<string, ValueChange["from"]>();
  const add = (flag: string, { value }: PvalSpec) => {
    const { least, most } = rangeOf(value);
    const before = ranges.get(flag) ?? { least: 0, most: 0 };
    ranges.set(flag, { least: before.least + least, most: before.most + most });
  };
  for (const pval of pvals) for (const flag of pval.flags) add(flag, pval);
  return ranges;
}
