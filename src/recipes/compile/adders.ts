import type { Adder, Merge, RecipeSpec, SlotSpec, StepSpec, WordTables } from "../types.js";
import { inUnits } from "./units.js";

/** Maximum number of values of a merged column. Four times as many make items 1 % faster, but opening twice as slow. */
const MAX_MERGED = 1024;

interface Units {
  readonly spec: RecipeSpec;
  readonly tables: WordTables;
  readonly columns: ReadonlyMap<string, number>;
  readonly decimals: ReadonlyMap<string, number>;
}

export function addersOf(step: StepSpec, units: Units): Adder[] {
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
 * Merges columns, so that the kernel adds fewer vectors: each combination of their values becomes one value. A
 * condition needs the sum of the columns before it, so columns before and after it are not merged.
 */
export function mergeAdders(
  spec: RecipeSpec,
  adders: readonly (readonly Adder[])[],
  columns: number,
): { adders: Adder[][]; merges: Merge[][]; columnCount: number } {
  const segments: Adder[][] = [[]];
  for (const [i, step] of spec.steps.entries()) {
    if (step.kind === "condition") segments.push([]);
    else segments[segments.length - 1].push(...adders[i].filter(addsAnything));
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

function addsAnything({ values }: Adder): boolean {
  return values.some(({ size }) => size > 0);
}

/** {@link Merge} gives the order of the pairs. */
function products(first: Adder["values"], second: Adder["values"]): Adder["values"] {
  return first.flatMap((a) =>
    second.map((b) => {
      const sum = new Map(a);
      for (const [stat, value] of b) sum.set(stat, (sum.get(stat) ?? 0) + value);
      return sum;
    }),
  );
}
