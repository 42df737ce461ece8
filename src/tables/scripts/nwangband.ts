import { error, fail } from "../../errors/index.js";
import { readEntries, readOptions, refuseArgument } from "../../spec/index.js";
import type { ScriptId } from "../parse/input.js";
import type { ChosenCallback, Script } from "../types.js";

/**
 * The ids of used one-shots. A one-shot is a script with the weight 100 until its column wins, then 0. `own` has ids
 * from 1600 to 1699: one set for each caller, such as a shop or a chest. `shared` has ids from 1700 to 1799: one set
 * for all callers.
 */
export interface OneShots {
  readonly own: Set<number>;
  readonly shared: Set<number>;
}

/** Options of {@link createOneShots}. */
export interface OneShotOptions {
  /** The set that all callers share. Default: a new set. */
  readonly shared?: Set<number> | undefined;
  /** One-shots, own or shared, that count as used from the start: at most 100,000 ids. Default: no ids. */
  readonly spent?: Iterable<number> | undefined;
}

/**
 * Creates the one-shot state of a caller.
 *
 * @throws RollmillError `argument.range` for an id that is not in 1600–1799; `argument.type`, `argument.option`.
 */
export function createOneShots(options: OneShotOptions = {}): OneShots {
  const { shared = new Set<number>(), spent = [] } = readOptions("createOneShots", options, ["shared", "spent"]);
  checkSet("shared", shared);
  const ids = readEntries("spent", spent, { of: "ids of one-shots", most: MAX_SPENT });
  for (const id of ids) {
    if (!isOneShot(id)) fail(outOfRange("spent", id, `ids of one-shot scripts, ${FIRST_ONE_SHOT} to ${LAST_ONE_SHOT}`));
  }
  const oneShots: OneShots = { own: new Set(), shared };
  for (const id of ids) spentBy(oneShots, id).add(id);
  return oneShots;
}

const MAX_SPENT = 100_000;

function checkSet(name: string, value: unknown): void {
  if (!(value instanceof Set)) refuseArgument(name, value, "a Set");
}

/** Arguments of {@link nwangband}. A script throws if it needs an argument that is missing. */
export interface NwangbandOptions {
  /** The level L, an integer from 0 to 10⁶. */
  readonly level?: number | undefined;
  /** The item's base type, 0 … 299. */
  readonly type?: number | undefined;
  /** The one-shot state of the caller. Default: a new state. */
  readonly oneShots?: OneShots | undefined;
}

/**
 * Creates the scripts of NWAngband. In the table below, L is the level, and n is the last two digits of the id. An id
 * from 100000 has a width W = ⌊(id − 100000) / 1000⌋ and a centre C, its last three digits.
 *
 * | ids | weight |
 * |---|---|
 * | 1000–1099 | 100 − 25·∣L−n∣, at least 0 |
 * | 1100–1199 | 100 − 10·∣L−n∣, at least 0 |
 * | 1200–1299 | 100 if L > n, else 0 |
 * | 1300–1399 | 100 if L < n, else 0 |
 * | 1500 | 100 if L > 20, else 0 |
 * | 1501 | 100 if L ≤ 20, else 0 |
 * | 1600–1699 | 100 until chosen, then 0; each caller has a separate state |
 * | 1700–1799 | 100 until chosen, then 0; all callers share the state |
 * | 2000–2299 | 100 if the item's type is id − 2000, else 0 |
 * | 100000–999999 (1WWCCC) | max(1, ⌊50 + 50·sin(90°·(1 − 2·∣L−C∣/W))⌋) within W of C, else 0 |
 *
 * `chosen` marks a one-shot as used, so rolls must call it after each pick. The script throws a RollmillError for any
 * other id (`table.unknown-script`) and for a missing argument (`argument.range`). Source: the scripts of NWAngband.
 *
 * @throws RollmillError `argument.range` for a level or a type out of range; `argument.type`, `argument.option`.
 */
export function nwangband(options: NwangbandOptions = {}): { script: Script; chosen: ChosenCallback } {
  const { level, type, oneShots: given } = readOptions("nwangband", options, ["level", "type", "oneShots"]);
  checkRange("level", level, MAX_LEVEL);
  checkRange("type", type, MAX_TYPE);
  const oneShots = given ?? createOneShots();
  for (const name of ["own", "shared"] as const) checkSet(name, oneShots[name]);
  /** Weights of the scripts that were called. One-shots are left out, because their weights change. */
  const weights = new Map<number, number>();
  return {
    script(id) {
      if (isOneShot(id)) return spentBy(oneShots, id).has(id) ? 0 : 100;
      const known = weights.get(id);
      if (known !== undefined) return known;
      const weigh = scriptOf(id);
      if (weigh === undefined) {
        const remedy = "Pass your own script, or give the id a constant weight";
        const problem = `the script set nwangband has no script ${id}, only ${NWANGBAND_IDS}`;
        return fail(error("table.unknown-script", { problem, remedy }));
      }
      const weight = weigh((name) => needed(id, name, name === "level" ? level : type));
      weights.set(id, weight);
      return weight;
    },
    chosen(id) {
      if (typeof id === "number" && isOneShot(id)) spentBy(oneShots, id).add(id);
    },
  };
}

export function isNwangbandScript(id: number): boolean {
  return isOneShot(id) || scriptOf(id) !== undefined;
}

export const NWANGBAND_IDS = "1000 to 1399, 1500 to 1501, 1600 to 1799, 2000 to 2299 and 100000 to 999999";

export const MAX_LEVEL = 1_000_000;
export const MAX_TYPE = 299;

/** Scripts that depend on the level, by ⌊id / 100⌋. The argument n is the last two digits of the id. */
const LEVEL_WEIGHTS = new Map<number, (level: number, n: number) => number>([
  [10, (level, n) => Math.max(0, 100 - 25 * Math.abs(level - n))],
  [11, (level, n) => Math.max(0, 100 - 10 * Math.abs(level - n))],
  [12, (level, n) => (level > n ? 100 : 0)],
  [13, (level, n) => (level < n ? 100 : 0)],
  [15, (level, n) => (level > 20 === (n === 0) ? 100 : 0)],
]);

type Weigh = (needed: (name: "level" | "type") => number) => number;

/** Returns undefined for one-shots and unknown ids. */
function scriptOf(id: number): Weigh | undefined {
  if (id >= 2000 && id <= 2299) return (needed) => (needed("type") === id - 2000 ? 100 : 0);
  if (id >= 100_000 && id <= 999_999) {
    const [width, centre] = [Math.floor((id - 100_000) / 1000), id % 1000];
    return (needed) => bump({ width, distance: Math.abs(centre - needed("level")) });
  }
  const byLevel = id > 1501 ? undefined : LEVEL_WEIGHTS.get(Math.floor(id / 100));
  return byLevel && ((needed) => byLevel(needed("level"), id % 100));
}

/**
 * Returns max(1, ⌊50 + 50·sin(90°·(1 − 2·d/W))⌋) for a distance d ≤ W, else 0.
 *
 * Exact for every W ≤ 899: before rounding, v = 50 + 50·cos(180°·d/W). By Niven's theorem, v is an integer only if d/W
 * is 0, ⅓, ½, ⅔ or 1. Any other v differs from every integer by at least 2⁻²⁰; a test checks all cases. The cosine has
 * an error below 2⁻⁴⁰. The guard of 2⁻³⁰ exceeds this error, and is too small to lift another v to the next integer.
 */
export function bump({ width, distance }: { readonly width: number; readonly distance: number }): number {
  if (distance > width) return 0;
  if (width === 0) return 100;
  const value = 50 + 50 * cosine((Math.PI * distance) / width);
  return Math.max(1, Math.floor(value + 2 ** -30));
}

/**
 * Returns cos x for 0 ≤ x ≤ π, with an error below 2⁻⁴⁰. Fewer than 20 terms of the series count. Their absolute values
 * add up to less than 12, and each has a relative error below 2⁻⁴⁶. Engines may compute Math.cos differently.
 */
function cosine(x: number): number {
  let sum = 0;
  for (let term = 1, n = 1; Math.abs(term) > 2 ** -60; n += 2) {
    sum += term;
    term *= (-x * x) / (n * (n + 1));
  }
  return sum;
}

export const FIRST_ONE_SHOT = 1600;
/** Callers share the state of one-shots from this id on. */
const FIRST_SHARED_ONE_SHOT = 1700;
export const LAST_ONE_SHOT = 1799;

export function isOneShot(id: ScriptId): boolean {
  return typeof id === "number" && Number.isInteger(id) && id >= FIRST_ONE_SHOT && id <= LAST_ONE_SHOT;
}

function spentBy({ own, shared }: OneShots, id: number): Set<number> {
  return id < FIRST_SHARED_ONE_SHOT ? own : shared;
}

function needed(id: number, name: "level" | "type", value: number | undefined): number {
  if (value !== undefined) return value;
  const problem = `script ${id} of nwangband needs the option "${name}"`;
  return fail(error("argument.range", { problem, remedy: `Pass "${name}"` }));
}

function checkRange(name: "level" | "type", value: number | undefined, max: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= max)) return;
  fail(outOfRange(name, value, `an integer from 0 to ${max}`));
}

function outOfRange(path: string, got: unknown, expected: string) {
  return error("argument.range", { problem: `invalid ${JSON.stringify(path)}`, got, expected, where: { path } });
}
