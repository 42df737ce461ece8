import { decimalFraction } from "../decimals.js";
import { error, fail } from "../errors/index.js";
import { ConditionOutcome, FRACTION_BITS, NARROW_LANES, WIDE_LANES } from "../kernel/layout.js";
import { type NameSegment, nameSegments } from "./names.js";
import { allSlots, resolve } from "./resolve.js";
import { compileRow } from "./rowCode.js";
import type {
  ConditionStepSpec,
  RecipeSource,
  RecipeSpec,
  SlotSpec,
  SlotsStepSpec,
  StatSpec,
  StepSpec,
  WordRow,
  WordTables,
} from "./types.js";

const [MIN_I8, MAX_I8] = [-(2 ** 7), 2 ** 7 - 1];
const MAX_I16 = 2 ** 15 - 1;
const MAX_I32 = 2 ** 31 - 1;
const MAX_U32 = 2n ** 32n - 1n;
const ONE = 2 ** FRACTION_BITS;

/**
 * The place of a stat in the kernel: a lane of a group. The kernel adds all stats of a group at once. A group has
 * sixteen narrow stats (16 bits) or eight wide stats (32 bits). The kernel's unit for the stat is 10^−decimals.
 */
export interface StatPlace {
  readonly name: string;
  readonly decimals: number;
  /** Largest magnitude of the stat after any step, in the kernel's units. */
  readonly most: number;
  /** Whether the stat always fits 16 bits. */
  readonly narrow: boolean;
  /** Size in bytes of the integers in which the kernel sums the stat: 1 if the sums of all narrow stats fit 8 bits. */
  readonly width: 1 | 2 | 4;
  readonly group: number;
  readonly lane: number;
  /** The limits of the stat, in the kernel's units. */
  readonly clamp: readonly [least: number, most: number] | undefined;
}

/** A column that adds to stats. Entry v has the numbers that the value v adds, by stat, in the units of the stats. */
export interface Adder {
  readonly column: number;
  readonly values: readonly ReadonlyMap<string, number>[];
}

/** A value a of `first` and b of `second` become a · `size` + b in the column `into`. `second` has `size` values. */
export interface Merge {
  readonly into: number;
  readonly first: number;
  readonly second: number;
  readonly size: number;
}

/** A compiled recipe: everything that does not depend on the options of a call. */
export interface RecipePlan extends ReturnType<typeof compileRecipe> {}

/**
 * Compiles a recipe, and checks it under default options. Cost: O(rows · stats). Throws `recipe.overflow` for a share
 * with too many digits, and for a stat that may leave the range of i32; `recipe.word`, `recipe.candidates`,
 * `recipe.tables`.
 */
export function compileRecipe({ spec, tables }: RecipeSource) {
  const columns = new Map(columnNames(spec).map((name, column) => [name, column]));
  const decimals = new Map(statDecimals(spec, tables).map((places, i) => [spec.stats[i].name, places]));
  const adders = spec.steps.map((step) => addersOf(step, { spec, tables, columns, decimals }));
  const { stats, groups } = placeStats(spec, adders, decimals);
  const merged = mergeAdders(spec, adders, columns.size);
  const steps = spec.steps.filter((step) => step.kind === "condition");
  const conditions = steps.map((step, i) => {
    const stat = stats[spec.stats.findIndex(({ name }) => name === step.stat)];
    // the kernel sums all adders first, so the condition subtracts the adders of later steps
    const later = merged.adders.slice(i + 1).flatMap((segment) => segment.filter((adder) => addsTo(adder, stat.name)));
    return { name: step.name, stat, rounding: roundingOf(step, stat), later };
  });
  const words = slotEntries(spec, tables, ({ word }) => word);
  const ids = slotEntries(spec, tables, ({ id }) => id);
  const vocabulary: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
    Object.entries(words).map(([slot, list]) => [slot, list.map((word) => word ?? "")] as const),
  );
  const names: readonly NameSegment[] = nameSegments(spec, {
    // the gate is a column that is 0 if the step is closed: if possible, the column of a slot that is always filled
    gate: (step) => {
      const slot = alwaysFilled(step)?.slot;
      return slot === undefined
        ? { column: gateName(step.name), values: 2 }
        : { column: slot, values: vocabulary[slot].length };
    },
    words: (slot) => vocabulary[slot],
  });
  const outcomes = outcomesOf(spec);
  return {
    spec,
    tables,
    /** Numbers of the columns of slots, conditions, bonuses, and gates of steps that can be open without words. */
    columns,
    /** For each slot, the texts of `words`, with "" for null. */
    vocabulary,
    /** For each slot, the word of each value of its column: null, the words in the order of ids, the special's word. */
    words,
    /** Like `words`, with the id of each row instead of its word. */
    ids,
    /** For each condition and bonus, the text of each value of its column: "up" or a rung's text; null if none. */
    outcomes,
    stats,
    groups,
    ...merged,
    conditions,
    names,
    /** Makes a row as an object; undefined where no text may become code. */
    makeRow: compileRow({ columns, names, stats, words, ids, outcomes }),
    usual: resolve({ spec, tables }),
  };
}

export function addsTo({ values }: Adder, stat: string): boolean {
  return values.some((value) => value.has(stat));
}

function slotEntries<T>(
  spec: RecipeSpec,
  tables: WordTables,
  of: (row: WordRow) => T,
): Readonly<Record<string, readonly (T | null)[]>> {
  const entries = allSlots(spec).map(({ slot, table, special }) => {
    const rows = tables.get(table)?.rows ?? [];
    const chosen = [...rows, ...rows.filter(({ word }) => word === special?.word)];
    return [slot, [null, ...chosen.map(of)]] as const;
  });
  return Object.fromEntries(entries);
}

function outcomesOf({ steps }: RecipeSpec): Readonly<Record<string, readonly (string | null)[]>> {
  const { LOWERED, RAISED, DOUBLED } = ConditionOutcome;
  const ofCondition = Object.assign([], { [LOWERED]: "down", [RAISED]: "up", [DOUBLED]: "doubled" });
  const entries = steps.flatMap((step): (readonly [string, readonly (string | null)[]])[] => {
    if (step.kind === "slots") return [];
    return [[step.name, step.kind === "condition" ? ofCondition : [null, ...step.ladder.map(({ text }) => text)]]];
  });
  return Object.fromEntries(entries);
}

function columnNames(spec: RecipeSpec): string[] {
  const { steps } = spec;
  const slots = allSlots(spec).map(({ slot }) => slot);
  const outcomes = steps.flatMap((step) => (step.kind === "slots" ? [] : [step.name]));
  // if all slots of an open step are empty, only a separate column shows that the step is open
  const hidden = (step: StepSpec) => step.kind === "slots" && step.chance !== undefined && !alwaysFilled(step);
  return [...slots, ...outcomes, ...steps.filter(hidden).map(({ name }) => gateName(name))];
}

export function gateName(step: string): string {
  return `\0${step}`;
}

function alwaysFilled({ slots }: SlotsStepSpec): SlotSpec | undefined {
  return slots.find(({ chance, after }) => chance === undefined && after === undefined);
}

type Adders = readonly (readonly Adder[])[];

function placeStats(spec: RecipeSpec, adders: Adders, decimals: ReadonlyMap<string, number>) {
  const bounds = spec.stats.map((stat) => boundOf(spec, adders, stat, decimals.get(stat.name) ?? 0));
  const narrowGroups = Math.ceil(bounds.filter((most) => most <= MAX_I16).length / NARROW_LANES);
  const inBytes = spec.stats.every(({ name }, i) => {
    const [low, high] = rangeOf(adders.flat(), name);
    return bounds[i] > MAX_I16 || (low >= MIN_I8 && high <= MAX_I8);
  });
  let [narrows, wides] = [0, 0];
  const stats = spec.stats.map(({ name, clamp }, i): StatPlace => {
    const most = bounds[i];
    const narrow = most <= MAX_I16;
    const at = narrow ? narrows++ : wides++;
    const lanes = narrow ? NARROW_LANES : WIDE_LANES;
    const places = decimals.get(name) ?? 0;
    return {
      name,
      decimals: places,
      most,
      narrow,
      width: !narrow ? 4 : inBytes ? 1 : 2,
      group: Math.floor(at / lanes) + (narrow ? 0 : narrowGroups),
      lane: at % lanes,
      clamp: clamp && [Number(inUnits(clamp[0], places)), Number(inUnits(clamp[1], places))],
    };
  });
  return { stats, groups: narrowGroups + Math.ceil(wides / WIDE_LANES) };
}

/** Returns the smallest and the largest number that columns can add to a stat. Value 0 of a column adds nothing. */
function rangeOf(adders: readonly Adder[], name: string): [number, number] {
  let [low, high] = [0, 0];
  for (const { values } of adders) {
    let [least, most] = [0, 0];
    for (const value of values) {
      least = Math.min(least, value.get(name) ?? 0);
      most = Math.max(most, value.get(name) ?? 0);
    }
    low += least;
    high += most;
  }
  return [low, high];
}

/** Returns the largest magnitude that a stat may have after any step, in units of its last decimal place. */
function boundOf(spec: RecipeSpec, adders: Adders, { name, clamp }: StatSpec, decimals: number): number {
  let [low, high] = [0, 0];
  let most = Math.max(0, ...(clamp ?? []).map((end) => Math.abs(Number(inUnits(end, decimals)))));
  for (const [i, step] of spec.steps.entries()) {
    const [least, largest] = rangeOf(adders[i], name);
    [low, high] = [low + least, high + largest];
    if (step.kind === "condition" && step.stat === name) {
      // rounding raises the amount by less than 1, and 1 is 10 ** decimals units
      const size = Math.max(-low, high);
      const worst = Math.max(2 * size, Math.ceil(size * (1 + step.share)) + 10 ** decimals);
      [low, high] = [-worst, worst];
    }
    most = Math.max(most, -low, high);
  }
  if (most <= MAX_I32) return most;
  const problem = `the stat ${name} may become too large, counted in units of its last decimal place`;
  const expected = `at most ${MAX_I32}`;
  const remedy = "Use smaller values, or fewer decimal places";
  return fail(error("recipe.overflow", { problem, got: most, expected, remedy, where: { path: name } }));
}

/**
 * Returns numbers for the rounding of |stat| · share. Let n be |stat| in units of 10^−decimals, and p/q be
 * share / 10^decimals. The result is ⌊n · p/q + 1/2⌋ = ⌊(2·p·n + q) / 2q⌋. If `fraction` is not 0, the kernel computes
 * the same result with one instruction: ⌊(n · fraction + 2^14) / 2^15⌋.
 */
function roundingOf({ name, share }: ConditionStepSpec, stat: StatPlace) {
  const { numerator, denominator } = decimalFraction(share);
  const [multiplier, addend] = [2n * numerator, denominator * 10n ** BigInt(stat.decimals)];
  const divisor = 2n * addend;
  if (multiplier > MAX_U32 || divisor > MAX_U32) {
    const problem = `the share of the condition ${name} has too many digits`;
    const expected = "a share p/q with p and q · 10^d below 2^31, where d is the number of decimal places of the stat";
    const remedy = "Use fewer digits in the share, or fewer decimal places in the stat";
    return fail(error("recipe.overflow", { problem, got: share, expected, remedy, where: { path: name } }));
  }
  const exact = { multiplier: Number(multiplier), addend: Number(addend), divisor: Number(divisor) };
  return { ...exact, fraction: stat.narrow ? fractionOf(exact, stat.most) : 0 };
}

/**
 * Returns an f with ⌊(x · f + 2^14) / 2^15⌋ = ⌊(x · multiplier + addend) / divisor⌋ for x = 0 … most. Tries only one f,
 * rounded up, and returns 0 if it fails. An f that is rounded down would fail where the product ends in one half.
 */
function fractionOf(
  { multiplier, addend, divisor }: { readonly multiplier: number; readonly addend: number; readonly divisor: number },
  most: number,
): number {
  const fraction = Math.ceil((multiplier * ONE) / divisor);
  if (fraction >= ONE) return 0;
  for (let x = 0; x <= most; x++) {
    const wanted = Math.floor((x * multiplier + addend) / divisor);
    if (wanted !== (x * fraction + ONE / 2) >> FRACTION_BITS) return 0;
  }
  return fraction;
}

/** Maximum number of values of a merged column. At 4096, the kernel is 1 % faster, but opening takes twice as long. */
const MAX_MERGED = 1024;

interface Units {
  readonly spec: RecipeSpec;
  readonly tables: WordTables;
  readonly columns: ReadonlyMap<string, number>;
  readonly decimals: ReadonlyMap<string, number>;
}

function addersOf(step: StepSpec, units: Units): Adder[] {
  if (step.kind === "condition") return [];
  if (step.kind === "slots") return step.slots.map((slot) => slotAdder(slot, units));
  const values = [{}, ...step.ladder.map(({ add }) => add)].map((add) => valuesInUnits(add, units));
  return [{ column: units.columns.get(step.name) ?? 0, values }];
}

/** Value 0 stands for an empty slot, value i + 1 for row i of the table, and the last value for the special. */
function slotAdder({ slot, table, strength, special }: SlotSpec, units: Units): Adder {
  const rows = units.tables.get(table)?.rows ?? [];
  const withStrength = (stats: { readonly [stat: string]: number }, points: number) => {
    const values = valuesInUnits(stats, units);
    const name = units.spec.strength;
    const places = units.decimals.get(name) ?? 0;
    return values.set(name, (values.get(name) ?? 0) + Number(inUnits(points, places)));
  };
  const values = [new Map<string, number>(), ...rows.map(({ stats }) => withStrength(stats, strength))];
  const specialRow = rows.find(({ word }) => word === special?.word);
  if (special !== undefined) values.push(withStrength(specialRow?.stats ?? {}, special.strength));
  return { column: units.columns.get(slot) ?? 0, values };
}

function valuesInUnits(add: { readonly [stat: string]: number }, { spec, decimals }: Units): Map<string, number> {
  const values = new Map<string, number>();
  for (const { name } of spec.stats) {
    // a stat may have the name of an inherited property, such as "toString"
    const value = Number(inUnits(Object.hasOwn(add, name) ? add[name] : 0, decimals.get(name) ?? 0));
    if (value !== 0) values.set(name, value);
  }
  return values;
}

/**
 * Merges columns, so that the kernel adds fewer vectors: each combination of their values becomes one value. Does not
 * merge a column before a condition with a column after it, because the condition needs the sum up to there.
 */
function mergeAdders(
  spec: RecipeSpec,
  adders: readonly (readonly Adder[])[],
  columns: number,
): { adders: Adder[][]; merges: Merge[][]; columnCount: number } {
  const segments: Adder[][] = [[]];
  for (const [i, step] of spec.steps.entries()) {
    if (step.kind === "condition") segments.push([]);
    else segments[segments.length - 1].push(...adders[i].filter(({ values }) => values.some(({ size }) => size > 0)));
  }
  const merges: Merge[][] = [];
  let next = columns;
  const merged = segments.map((segment) => {
    const own: Merge[] = [];
    merges.push(own);
    const kept: Adder[] = [];
    for (const adder of segment.toSorted((a, b) => b.values.length - a.values.length)) {
      const place = kept.findIndex(({ values }) => values.length * adder.values.length <= MAX_MERGED);
      if (place < 0) kept.push(adder);
      else {
        own.push({ into: next, first: kept[place].column, second: adder.column, size: adder.values.length });
        kept[place] = { column: next++, values: products(kept[place].values, adder.values) };
      }
    }
    return kept;
  });
  return { adders: merged, merges, columnCount: next };
}

function products(first: Adder["values"], second: Adder["values"]): Adder["values"] {
  return first.flatMap((a) =>
    second.map((b) => {
      const sum = new Map(a);
      for (const [stat, value] of b) sum.set(stat, (sum.get(stat) ?? 0) + value);
      return sum;
    }),
  );
}

function decimalsOf(value: number): number {
  const { denominator } = decimalFraction(Math.abs(value));
  let decimals = 0;
  for (let power = 1n; power % denominator !== 0n; power *= 10n) decimals++;
  return decimals;
}

/** Returns `value` · 10^decimals. `decimals` must be at least the number of decimal places of `value`. */
export function inUnits(value: number, decimals: number): bigint {
  const { numerator, denominator } = decimalFraction(Math.abs(value));
  const units = (numerator * 10n ** BigInt(decimals)) / denominator;
  return value < 0 ? -units : units;
}

/** Returns the decimal places of each stat, just enough for its clamp and for every number that a step may add. */
export function statDecimals(spec: RecipeSpec, tables: WordTables): number[] {
  return spec.stats.map(({ name, clamp = [] }) =>
    Math.max(0, ...clamp.map(decimalsOf), ...added(spec, tables, name).map(decimalsOf)),
  );
}

function added(spec: RecipeSpec, tables: WordTables, stat: string): number[] {
  const values = new Set<number>();
  for (const step of spec.steps) {
    if (step.kind === "bonus") for (const { add } of step.ladder) values.add(add[stat] ?? 0);
    if (step.kind !== "slots") continue;
    for (const { table, strength, special } of step.slots) {
      for (const { stats } of tables.get(table)?.rows ?? []) values.add(stats[stat] ?? 0);
      if (stat === spec.strength) values.add(strength).add(special?.strength ?? 0);
    }
  }
  return [...values];
}
