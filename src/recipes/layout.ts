import { error, fail } from "../errors/index.js";
import { type Adder, addersOf, type Merge, mergeAdders } from "./adders.js";
import { gateName } from "./program.js";
import type { RecipeSpec, SlotSpec, SlotsStepSpec, StatSpec, StepSpec, WordTables } from "./types.js";
import { inUnits, statDecimals } from "./units.js";

/**
 * Where a stat stands in the kernel: a lane of a group of sixteen narrow stats (i16) or eight wide ones (i32). What words add to
 * a narrow one is summed in i8 where that is enough for all of them.
 */
export interface StatPlace {
  readonly name: string;
  /** It is held in units of 10^−decimals. */
  readonly decimals: number;
  /** Its largest magnitude on the way, in units. */
  readonly most: number;
  readonly narrow: boolean;
  /** Bytes that what words add to it is summed in. */
  readonly width: 1 | 2 | 4;
  readonly group: number;
  readonly lane: number;
}

/** What is the same whatever is asked of a recipe's items. */
export interface RecipeLayout {
  readonly spec: RecipeSpec;
  readonly tables: WordTables;
  /** Columns of u16: one a slot, an outcome step, and a gate that no slot tells of. */
  readonly columns: ReadonlyMap<string, number>;
  /** By slot: "", the words of its table by id, and (where it has a special) the special's word once more. */
  readonly vocabulary: Readonly<Record<string, readonly string[]>>;
  readonly stats: readonly StatPlace[];
  readonly groups: number;
  /** What is added to stats: merged, a list for each stretch of steps that ends in a condition or with the recipe. */
  readonly adders: readonly (readonly Adder[])[];
  /** How adders' columns are made of others, for each stretch. */
  readonly merges: readonly (readonly Merge[])[];
  /** Columns in the kernel: {@link columns}, and those that are merged. */
  readonly columnCount: number;
}

const NARROW_LANES = 16;
const WIDE_LANES = 8;
const [MIN_I8, MAX_I8] = [-(2 ** 7), 2 ** 7 - 1];
const MAX_I16 = 2 ** 15 - 1;
const MAX_I32 = 2 ** 31 - 1;

/**
 * Lays out a recipe's columns and stats. A stat that can never leave the range of i16 gets one, and sixteen of those are summed
 * at once.
 *
 * @throws RollmillError `recipe.overflow` where a stat might leave the range of i32, in units of its last decimal place.
 */
export function layOut(spec: RecipeSpec, tables: WordTables): RecipeLayout {
  const columns = new Map(columnNames(spec).map((name, column) => [name, column]));
  const decimals = new Map(statDecimals(spec, tables).map((places, i) => [spec.stats[i].name, places]));
  const adders = spec.steps.map((step) => addersOf(step, { spec, tables, columns, decimals }));
  const bounds = spec.stats.map((stat) => boundOf(spec, adders, stat, decimals.get(stat.name) ?? 0));
  const narrowGroups = Math.ceil(bounds.filter((most) => most <= MAX_I16).length / NARROW_LANES);
  const inBytes = spec.stats.every(({ name }, i) => bounds[i] > MAX_I16 || fitsByte(adders, name));
  let [narrows, wides] = [0, 0];
  const stats = spec.stats.map(({ name }, i): StatPlace => {
    const most = bounds[i];
    const narrow = most <= MAX_I16;
    const at = narrow ? narrows++ : wides++;
    const lanes = narrow ? NARROW_LANES : WIDE_LANES;
    const width = !narrow ? 4 : inBytes ? 1 : 2;
    const group = Math.floor(at / lanes) + (narrow ? 0 : narrowGroups);
    return { name, decimals: decimals.get(name) ?? 0, most, narrow, width, group, lane: at % lanes };
  });
  const groups = narrowGroups + Math.ceil(wides / WIDE_LANES);
  const vocabulary = vocabularyOf(spec, tables);
  return { spec, tables, columns, vocabulary, stats, groups, ...mergeAdders(spec, adders, columns.size) };
}

function vocabularyOf({ steps }: RecipeSpec, tables: WordTables): RecipeLayout["vocabulary"] {
  const slots = steps.flatMap((step) => (step.kind === "slots" ? step.slots : []));
  const entries = slots.map(({ slot, table, special }) => {
    const words = (tables.get(table)?.rows ?? []).map(({ word }) => word);
    return [slot, ["", ...words, ...(special === undefined ? [] : [special.word])]] as const;
  });
  return Object.fromEntries(entries);
}

/** Slots first, then outcomes, then gates. */
function columnNames({ steps }: RecipeSpec): string[] {
  const slots = steps.flatMap((step) => (step.kind === "slots" ? step.slots.map(({ slot }) => slot) : []));
  const outcomes = steps.flatMap((step) => (step.kind === "slots" ? [] : [step.name]));
  const gates = steps.flatMap((step) => (hidesItsGate(step) ? [gateName(step.name)] : []));
  return [...slots, ...outcomes, ...gates];
}

/** Whether the words of a step may not tell if its gate is open: no slot of it is always filled. */
function hidesItsGate(step: StepSpec): boolean {
  return step.kind === "slots" && step.chance !== undefined && alwaysFilled(step) === undefined;
}

/** A slot that is filled whenever its step is open. */
export function alwaysFilled({ slots }: SlotsStepSpec): SlotSpec | undefined {
  return slots.find(({ chance, after }) => chance === undefined && after === undefined);
}

/** Whether what words add to a stat fits an i8, whichever they are. */
function fitsByte(adders: readonly (readonly Adder[])[], name: string): boolean {
  let [low, high] = [0, 0];
  for (const { values } of adders.flat()) {
    const [least, most] = rangeOf(values, name);
    low += least;
    high += most;
  }
  return low >= MIN_I8 && high <= MAX_I8;
}

/** The least and the most that a column adds to a stat; 0 is between. */
function rangeOf(values: Adder["values"], name: string): [number, number] {
  let [least, most] = [0, 0];
  for (const value of values) {
    least = Math.min(least, value.get(name) ?? 0);
    most = Math.max(most, value.get(name) ?? 0);
  }
  return [least, most];
}

/** The largest magnitude that a stat may have on the way, in units. */
function boundOf(
  spec: RecipeSpec,
  adders: readonly (readonly Adder[])[],
  { name, clamp }: StatSpec,
  decimals: number,
): number {
  let [low, high] = [0, 0];
  let most = Math.max(0, ...(clamp ?? []).map((end) => Math.abs(Number(inUnits(end, decimals)))));
  for (const [i, step] of spec.steps.entries()) {
    for (const { values } of adders[i]) {
      const [least, largest] = rangeOf(values, name);
      low += least;
      high += largest;
    }
    if (step.kind === "condition" && step.stat === name) {
      // (c is a whole number, rounded)
      const size = Math.max(-low, high);
      const worst = Math.max(2 * size, Math.ceil(size * (1 + step.share)) + 10 ** decimals);
      [low, high] = [-worst, worst];
    }
    most = Math.max(most, -low, high);
  }
  return most > MAX_I32 ? refuseOverflow(name, most) : most;
}

function refuseOverflow(stat: string, most: number): never {
  return fail(
    error("recipe.overflow", {
      problem: `stat ${stat} may come to ${most} in units of its last decimal place`,
      expected: `at most ${MAX_I32}`,
      remedy: "Use smaller values, or fewer decimal places",
      where: { path: stat },
    }),
  );
}
