import { error, fail } from "../errors/index.js";
import { gateName } from "./program.js";
import type { RecipeSpec, SlotSpec, StepSpec, WordTables } from "./types.js";
import { inUnits, statDecimals } from "./units.js";

/** Where a stat stands in the kernel: a lane of a group of eight narrow stats (i16) or four wide ones (i32). */
export interface StatPlace {
  readonly name: string;
  /** It is held in units of 10^−decimals. */
  readonly decimals: number;
  readonly narrow: boolean;
  readonly group: number;
  readonly lane: number;
}

/** What a slot or a step adds to stats, by the value of its column: `values[v]` is what v adds, in units. */
export interface Adder {
  readonly column: number;
  readonly values: readonly ReadonlyMap<string, number>[];
}

/** What is the same whatever is asked of a recipe's items. */
export interface RecipeLayout {
  readonly spec: RecipeSpec;
  readonly tables: WordTables;
  /** Columns of u16: one a slot, an outcome step, and a gate that no slot tells of. */
  readonly columns: ReadonlyMap<string, number>;
  readonly stats: readonly StatPlace[];
  readonly groups: number;
  /** What each step adds, by the step's index; empty for a condition. */
  readonly adders: readonly (readonly Adder[])[];
}

const NARROW_LANES = 8;
const WIDE_LANES = 4;
const MAX_I16 = 2 ** 15 - 1;
const MAX_I32 = 2 ** 31 - 1;

/**
 * Lays out a recipe's columns and stats. A stat that can never leave the range of i16 gets one, and eight of those are summed
 * at once.
 *
 * @throws RollmillError `recipe.overflow` where a stat might leave the range of i32, in units of its last decimal place.
 */
export function layOut(spec: RecipeSpec, tables: WordTables): RecipeLayout {
  const columns = new Map(columnNames(spec).map((name, column) => [name, column]));
  const decimals = new Map(statDecimals(spec, tables).map((places, i) => [spec.stats[i].name, places]));
  const adders = spec.steps.map((step) => addersOf(step, { spec, tables, columns, decimals }));
  const narrow = spec.stats.map((stat) => {
    const bound = boundOf(spec, adders, stat.name, decimals.get(stat.name) ?? 0);
    const ends = (stat.clamp ?? []).map((end) => Math.abs(Number(inUnits(end, decimals.get(stat.name) ?? 0))));
    const most = Math.max(bound, ...ends);
    if (most > MAX_I32) refuseOverflow(stat.name, most);
    return most <= MAX_I16;
  });
  const [narrowCount, wideCount] = [narrow.filter((is) => is).length, narrow.filter((is) => !is).length];
  const narrowGroups = Math.ceil(narrowCount / NARROW_LANES);
  let [narrows, wides] = [0, 0];
  const stats = spec.stats.map(({ name }, i): StatPlace => {
    const at = narrow[i] ? narrows++ : wides++;
    const lanes = narrow[i] ? NARROW_LANES : WIDE_LANES;
    const group = Math.floor(at / lanes) + (narrow[i] ? 0 : narrowGroups);
    return { name, decimals: decimals.get(name) ?? 0, narrow: narrow[i], group, lane: at % lanes };
  });
  return { spec, tables, columns, stats, groups: narrowGroups + Math.ceil(wideCount / WIDE_LANES), adders };
}

/** Slots first, then outcomes, then gates. */
function columnNames({ steps }: RecipeSpec): string[] {
  const slots = steps.flatMap((step) => (step.kind === "slots" ? step.slots.map(({ slot }) => slot) : []));
  const outcomes = steps.flatMap((step) => (step.kind === "slots" ? [] : [step.name]));
  const gates = steps.flatMap((step) => (hidesItsGate(step) ? [gateName(step.name)] : []));
  return [...slots, ...outcomes, ...gates];
}

/** Whether the words of a step may not tell if its gate is open: no slot of it is always filled. */
export function hidesItsGate(step: StepSpec): boolean {
  return (
    step.kind === "slots" &&
    step.chance !== undefined &&
    step.slots.every(({ chance, after }) => chance !== undefined || after !== undefined)
  );
}

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

/** Nothing for an empty slot, a row and its strength for each row, and the special's once more with its own strength. */
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
    const value = Number(inUnits(add[name] ?? 0, decimals.get(name) ?? 0));
    if (value !== 0) values.set(name, value);
  }
  return values;
}

/** The largest magnitude that a stat may have on the way. */
function boundOf(spec: RecipeSpec, adders: readonly (readonly Adder[])[], stat: string, decimals: number): number {
  let [low, high] = [0, 0];
  let most = 0;
  for (const [i, step] of spec.steps.entries()) {
    for (const { values } of adders[i]) {
      low += values.reduce((least, value) => Math.min(least, value.get(stat) ?? 0), 0);
      high += values.reduce((largest, value) => Math.max(largest, value.get(stat) ?? 0), 0);
    }
    if (step.kind === "condition" && step.stat === stat) {
      // (c is a whole number, rounded)
      const size = Math.max(-low, high);
      const worst = Math.max(2 * size, Math.ceil(size * (1 + step.share)) + 10 ** decimals);
      [low, high] = [-worst, worst];
    }
    most = Math.max(most, -low, high);
  }
  return most;
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
