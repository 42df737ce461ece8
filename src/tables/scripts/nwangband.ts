import { error, fail } from "../../errors/index.js";
import type { ChosenCallback, Script } from "../types.js";

/**
 * The ids of the one-shot scripts that were used. Each caller (a shop, a chest) has its own 1600–1699; all callers share
 * 1700–1799.
 */
export interface OneShots {
  readonly own: Set<number>;
  readonly shared: Set<number>;
}

/**
 * Makes the one-shot state of a caller.
 *
 * @param shared - the set that all callers share; a new one by default.
 * @param spent - ids of either kind that are spent from the start.
 * @throws RollmillError `argument.range` for an id that is not in 1600–1799.
 */
export function createOneShots({
  shared = new Set(),
  spent = [],
}: {
  readonly shared?: Set<number>;
  readonly spent?: Iterable<number>;
} = {}): OneShots {
  const oneShots: OneShots = { own: new Set(), shared };
  for (const id of spent) {
    if (!isOneShot(id)) fail(outOfRange("spent", id, `ids of one-shot scripts, ${FIRST_ONE_SHOT} to ${LAST_ONE_SHOT}`));
    spentBy(oneShots, id).add(id);
  }
  return oneShots;
}

/** Arguments of the scripts. Only the ids that read an argument need it. */
interface NwangbandOptions {
  /** The level L, an integer from 0 to 10⁶. */
  readonly level?: number | undefined;
  /** The item's base type, 0 … 299. */
  readonly type?: number | undefined;
  /** The one-shot state of the caller; a new one by default. */
  readonly oneShots?: OneShots | undefined;
}

/**
 * NWAngband's own script ids; L is the level, n the id's last two digits:
 *
 * | ids | weight |
 * |---|---|
 * | 1000–1099, 1100–1199 | 100 − 25·∣L−n∣, 100 − 10·∣L−n∣, at least 0 |
 * | 1200–1299, 1300–1399 | 100 where L > n, where L < n |
 * | 1500, 1501 | 100 where L > 20, where L ≤ 20 |
 * | 1600–1699, 1700–1799 | 100 until chosen, then 0: once a caller, once for all callers |
 * | 2000–2299 | 100 where the item's type is id − 2000 |
 * | 100000–999999 (1WWCCC) | a bump of width W and centre C: {@link bump} |
 *
 * Rolls must call `chosen` too, or no one-shot is ever spent. The script throws a RollmillError for another id
 * (`table.unknown-script`) and for a missing argument (`argument.range`). Source: the scripts of NWAngband.
 *
 * @throws RollmillError `argument.range` for a level or a type out of range.
 */
export function nwangband(options: NwangbandOptions = {}): { script: Script; chosen: ChosenCallback } {
  const { level, type, oneShots = createOneShots() } = options;
  checkRange("level", level, MAX_LEVEL);
  checkRange("type", type, MAX_TYPE);
  const bumps = new Map<number, number>();
  const bumpOf = (id: number, at: number) => {
    const weight =
      bumps.get(id) ?? bump({ width: Math.floor((id - 100_000) / 1000), distance: Math.abs((id % 1000) - at) });
    bumps.set(id, weight);
    return weight;
  };
  return {
    script(id) {
      if (isOneShot(id)) return spentBy(oneShots, id).has(id) ? 0 : 100;
      if (id >= 2000 && id <= 2299) return needed(id, "type", type) === id - 2000 ? 100 : 0;
      if (id >= 100_000 && id <= 999_999) return bumpOf(id, needed(id, "level", level));
      const byLevel = LEVEL_WEIGHTS.get(Math.floor(id / 100));
      if (byLevel === undefined || id > 1501) return fail(unknown(id));
      return byLevel(needed(id, "level", level), id % 100);
    },
    chosen(id) {
      if (isOneShot(id)) spentBy(oneShots, id).add(id);
    },
  };
}

/** The largest level and item type. */
export const MAX_LEVEL = 1_000_000;
export const MAX_TYPE = 299;

/** The weights that read the level, by the hundreds of the id. */
const LEVEL_WEIGHTS = new Map<number, (level: number, n: number) => number>([
  [10, (level, n) => Math.max(0, 100 - 25 * Math.abs(level - n))],
  [11, (level, n) => Math.max(0, 100 - 10 * Math.abs(level - n))],
  [12, (level, n) => (level > n ? 100 : 0)],
  [13, (level, n) => (level < n ? 100 : 0)],
  [15, (level, n) => (level > 20 === (n === 0) ? 100 : 0)],
]);

/**
 * The weight of a 1WWCCC script: 0 outside the width, else max(1, ⌊50 + 50·sin(90°·(1 − 2·d/W))⌋) at distance d from
 * the centre, which is 100 at the centre and 1 at the rim. A width of 0 has its centre only.
 *
 * Exact for every W ≤ 899. The value is 50 + 50·cos(180°·d/W); by Niven's theorem it is an integer at 1, ⅔, ½, ⅓ and 0
 * of the width only, and elsewhere it is at least 2⁻²⁰ away from any integer (a test checks all cases). The cosine
 * is taken in fixed point to within 2⁻⁴⁰, and 2⁻³⁰ is added before rounding down: enough to lift the exact integers
 * over any error, too little to carry anything else over.
 */
export function bump({ width, distance }: { readonly width: number; readonly distance: number }): number {
  if (distance > width) return 0;
  if (width === 0) return 100;
  const scaled = 50n * (UNIT + cosine((PI * BigInt(distance)) / BigInt(width)));
  return Math.max(1, Number((scaled + GUARD) >> FRACTION_BITS));
}

/** Fixed point: integers that count 2⁻⁶⁰. */
const FRACTION_BITS = 60n;
const UNIT = 1n << FRACTION_BITS;
const GUARD = 1n << 30n;
/** π·2⁶⁰, rounded down: the first 60 binary places of the digits after 3 in hexadecimal. */
const PI = 0x3_243f_6a88_85a3_08dn;

/**
 * cos x for 0 ≤ x ≤ π, by its power series. It has fewer than 20 terms. From one term to the next the error grows by at most x²/2 + 1 units.
 */
function cosine(x: bigint): bigint {
  const square = (x * x) >> FRACTION_BITS;
  let term = UNIT;
  let sum = 0n;
  for (let n = 1n; term !== 0n; n += 2n) {
    sum += term;
    term = -((term * square) >> FRACTION_BITS) / (n * (n + 1n));
  }
  return sum;
}

/** The ids of one-shot scripts, both inclusive; from the second number on, all callers share them. */
export const FIRST_ONE_SHOT = 1600;
const FIRST_SHARED_ONE_SHOT = 1700;
export const LAST_ONE_SHOT = 1799;

/** Whether a script id is a one-shot. */
export function isOneShot(id: number): boolean {
  return Number.isInteger(id) && id >= FIRST_ONE_SHOT && id <= LAST_ONE_SHOT;
}

function spentBy({ own, shared }: OneShots, id: number): Set<number> {
  return id < FIRST_SHARED_ONE_SHOT ? own : shared;
}

function needed(id: number, name: "level" | "type", value: number | undefined): number {
  if (value !== undefined) return value;
  const problem = `script ${id} of nwangband reads the ${name}, but ${name} is missing`;
  return fail(error("argument.range", { problem, remedy: `Pass ${name}` }));
}

function checkRange(name: "level" | "type", value: unknown, max: number): void {
  if (value === undefined || (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max))
    return;
  fail(outOfRange(name, value, `an integer from 0 to ${max}`));
}

function outOfRange(path: string, got: unknown, expected: string) {
  return error("argument.range", { problem: `${path} is out of range`, got, expected, where: { path } });
}

function unknown(id: number) {
  const known = "1000–1399, 1500, 1501, 1600–1799, 2000–2299 and 100000–999999";
  const remedy = "Pass your own script, or give the id a constant weight";
  return error("table.unknown-script", { problem: `nwangband has no script ${id}, only ${known}`, remedy });
}
