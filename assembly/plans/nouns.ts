// The nouns of a plan file (docs/formats/plans.md), as `loadPlan` builds them. A noun is known by its number in the file.

export const MOST_INDICES: u64 = 1 << 42;

/** The result of a call. No call traps. */
export const enum PlanStatus {
  OK,
  /** The memory cannot grow any further. */
  MEMORY,
  /** The plan has no noun of this number. */
  NOUN,
  /** The call is for nouns of another kind. */
  KIND,
  /** The index or the count is too large. */
  RANGE,
  /** A roll visited more rows than the table's limit allows. */
  HOPS,
  /** Nothing is left to draw: fewer results were made than wanted. */
  EMPTY,
  /** The bytes are not a valid plan. `failedAt` returns the offset of the damage. */
  PLAN,
  /** The plan has another format or stream version. */
  VERSION,
  /** The bytes are not a state. */
  STATE,
  /** The noun has no quantities. */
  QUANTITIES,
  /** The family has no pool of this number. */
  POOL,
  /** The state belongs to another plan file. */
  OTHER_PLAN,
}

export const enum NounKind {
  LIST = 1,
  TABLE,
  DICE,
  SAMPLER,
  POOLS,
  DROPS,
  RECIPE,
  OBJECTS,
  WALK = 9,
  WORLD,
}

/**
 * The head of every noun. `made` is the address of the record of its kind. A result has `width` numbers, which are
 * written to `out`; pools have the width 0. Texts are UTF-8.
 */
@unmanaged
export class Noun {
  kind: NounKind;
  made: usize;
  width: u32;
  out: usize;
  hasQuantities: u32;
  name: usize;
  nameBytes: u32;
  labels: usize;
  labelsBytes: u32;
}

/** `amounts` is the address of an AmountRecord for each entry; 0 if the list has no quantities. */
@unmanaged
export class MadeList {
  alias: usize;
  amounts: usize;
}

/** `amounts` is the address of an AmountRecord for each code; 0 if the table has no quantities. */
@unmanaged
export class MadeTable {
  table: usize;
  amounts: usize;
  start: u32;
  maxHops: u32;
}

@unmanaged
export class MadeSampler {
  order: usize;
  items: u32;
}

/** `next` is the index of the next draw. */
@unmanaged
export class MadePools {
  roots: usize;
  pools: usize;
  rootCount: u32;
  poolCount: u32;
  next: u64;
}

/** `root` is the address of the stock; 0 if the root is infinite. */
@unmanaged
export class MadeRoot {
  root: usize;
  recordCount: u32;
  refills: u32;
}

/** `pool` is the address of a pool of the stock, or of the alias table of an infinite pool; 0 if its masses are all 0. */
@unmanaged
export class MadePool {
  pool: usize;
  root: usize;
  records: usize;
}

/**
 * `plan` is the address of the plan of objects, `request` of the words of the request, and `owners` of an Owner for each
 * artifact. `isShared` is 1 if an earlier noun has the same plan and owners.
 */
@unmanaged
export class MadeObjects {
  plan: usize;
  request: usize;
  owners: usize;
  isShared: u32;
}

let nouns: usize = 0;
let count: u32 = 0;

export function setNouns(address: usize, n: u32): void {
  nouns = address;
  count = n;
}

export function nounAt(noun: u32): Noun {
  return changetype<Noun>(nouns + <usize>noun * offsetof<Noun>());
}

/** Returns the record of a noun's kind, or 0 and the reason in `refusal`. */
export function madeOf(noun: u32, kind: NounKind): usize {
  refusal = noun >= count ? PlanStatus.NOUN : nounAt(noun).kind != kind ? PlanStatus.KIND : PlanStatus.OK;
  return refusal ? 0 : nounAt(noun).made;
}

export let refusal: PlanStatus = PlanStatus.OK;

// ── what a host can ask ──

export function nounCount(): u32 {
  return count;
}

/** Returns the kind of a noun; 0 if the plan has no such noun. The same holds for the next four functions. */
export function nounKind(noun: u32): u32 {
  return noun < count ? nounAt(noun).kind : 0;
}

export function nounName(noun: u32): usize {
  return noun < count ? nounAt(noun).name : 0;
}

export function nounNameBytes(noun: u32): u32 {
  return noun < count ? nounAt(noun).nameBytes : 0;
}

export function nounLabels(noun: u32): usize {
  return noun < count ? nounAt(noun).labels : 0;
}

export function nounLabelsBytes(noun: u32): u32 {
  return noun < count ? nounAt(noun).labelsBytes : 0;
}

/** Returns the number of the noun with this name, or the number of nouns. */
export function findNoun(text: usize, bytes: u32): u32 {
  return findNounBefore(count, text, bytes);
}

export function findNounBefore(end: u32, text: usize, bytes: u32): u32 {
  for (let noun: u32 = 0; noun < end; ++noun) {
    const one = nounAt(noun);
    if (one.nameBytes == bytes && memory.compare(one.name, text, bytes) == 0) return noun;
  }
  return end;
}
