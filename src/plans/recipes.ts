import type { Layout } from "../kernel/index.js";
import {
  type ConditionOp,
  type ListOp,
  type MergeOp,
  OpCode,
  type PickOtherOp,
  type PickOtherWeightedOp,
  type PickSwingingOp,
  type RecipeOp,
  type SelectOp,
  type SetOp,
  type SwingSet,
  type WeightedSet,
} from "../kernel/layout.js";
import type { RecipePlan } from "../recipes/compile.js";
import type { ProgramImage } from "../recipes/kernel/program.js";
import { addersOf, numbersOf, programOf } from "../recipes/kernel.js";
import { allSlots, type Resolved } from "../recipes/resolve.js";

type Part = ArrayLike<number> & Iterable<number>;

/** Keeps the tables and the operations of a program as they are, where an image would hold bytes. */
class Recorder implements ProgramImage {
  readonly ops: RecipeOp[] = [];
  readonly #parts: unknown[] = [];

  place(numbers: Part): number {
    return this.#keep(numbers);
  }

  words(values: readonly number[]): number {
    return this.#keep(values);
  }

  put<T>(_: Layout<T>, record: T): number {
    return this.#keep(record);
  }

  putAll<T>(_: Layout<T>, records: readonly T[]): number {
    return this.#keep(records);
  }

  /** A program reserves only the room of its operations. */
  reserve(): number {
    return 0;
  }

  set<T>(_: number, __: Layout<T>, op: T): void {
    // the cast is safe: a program sets nothing but operations
    this.ops.push(op as unknown as RecipeOp);
  }

  /** Returns a part that the program kept as T. */
  part<T = Part>(at: number): T {
    return this.#parts[at] as T;
  }

  #keep(part: unknown): number {
    return this.#parts.push(part) - 1;
  }
}

/** Returns the data of a recipe's section under the options of a call, as docs/formats/plans.md describes them. */
export function recipeData(plan: RecipePlan, resolved: Resolved): Part[] {
  const recorder = new Recorder();
  const conditions = plan.conditions.map((_, i) => i);
  const program = programOf(recorder, plan, resolved, conditions);
  program.place();
  const ops = recorder.ops.filter(({ code }) => code !== OpCode.END);
  const groups = Array.from({ length: plan.groups }, (_, group) => addersOf(group, plan));
  const clamps = plan.stats.flatMap((stat) => (stat.clamp === undefined ? [] : [[...placeOf(stat), ...stat.clamp]]));
  const { columnCount, columns, stats } = plan;
  return [
    [columnCount, columns.size, program.lists, groups.length, stats.length, clamps.length, ops.length],
    ...ops.flatMap((op) => opData(op, recorder, plan)),
    ...groups.flatMap(({ width, adders }) => [
      [width, adders.length],
      ...adders.flatMap(({ column, length, rows }) => [[column, length], new Uint32Array(rows.buffer)]),
    ]),
    ...stats.map(placeOf),
    ...clamps,
  ];
}

function placeOf({ group, lane, narrow }: RecipePlan["stats"][number]): [number, number, number] {
  return [group, lane, Number(narrow)];
}

function opData(op: RecipeOp, recorder: Recorder, plan: RecipePlan): Part[] {
  const { code, from } = op;
  switch (code) {
    case OpCode.SELECT:
    case OpCode.SELECT_MASKED: {
      const { passed, failed, plane, fails } = op as SelectOp;
      return [[code, from, passed, failed, plane, fails]];
    }
    case OpCode.LIST_MASKED:
      return [[code, from, (op as ListOp).into]];
    case OpCode.SET:
    case OpCode.SET_MASKED:
      return [[code, from, (op as SetOp).column, (op as SetOp).value]];
    case OpCode.CLEAR:
      return [[code, (op as SetOp).column]];
    case OpCode.MERGE: {
      const { into, first, second, size } = op as MergeOp;
      return [[code, into, first, second, size]];
    }
    case OpCode.SUM:
      return [[code]];
    case OpCode.CONDITION:
      return conditionData(op as ConditionOp, plan);
    case OpCode.PICK_SWINGING:
    case OpCode.PICK_SWINGING_WEIGHTED:
      return swingData(op as PickSwingingOp, recorder);
    case OpCode.PICK_WEIGHTED:
    case OpCode.PICK_OTHER_WEIGHTED: {
      const { column, plane, set, other, places } = op as PickOtherWeightedOp;
      const data = [[code, from, column, plane], ...setData(set, recorder)];
      return code === OpCode.PICK_WEIGHTED ? data : [...data, [other], ...listData(recorder.part(places))];
    }
  }
  const { column, plane, count, values, other, places } = op as PickOtherOp;
  // PICK_MASKED pads its values
  const data = [[code, from, column, plane, count], [...recorder.part(values)].slice(0, count)];
  return code === OpCode.PICK_OTHER ? [...data, [other], ...listData(recorder.part(places))] : data;
}

function listData(numbers: Part): Part[] {
  return [[numbers.length], numbers];
}

/** Returns a list of values, and their weights. */
function setData(at: number, recorder: Recorder): Part[] {
  const { values, sums } = recorder.part<WeightedSet>(at);
  const totals = [...recorder.part(sums)];
  return [...listData(recorder.part(values)), totals.map((total, i) => total - (totals[i - 1] ?? 0))];
}

/** Rolls that select the same set follow each other. */
function swingData({ code, from, column, swingPlane, plane, sets }: PickSwingingOp, recorder: Recorder): Part[] {
  const ofRolls = recorder.part<readonly (SwingSet | number)[]>(sets);
  const distinct = [...new Set(ofRolls)];
  return [
    [code, from, column, swingPlane, plane, distinct.length],
    ...distinct.flatMap((set) => [
      [ofRolls.filter((other) => other === set).length],
      ...(typeof set === "number" ? setData(set, recorder) : listData(recorder.part(set.values))),
    ]),
  ];
}

function conditionData({ code, plane, condition, doubled, raised }: ConditionOp, plan: RecipePlan): Part[] {
  const { name, stat, rounding, later } = plan.conditions[condition];
  const { multiplier, addend, divisor, fraction } = rounding;
  const numbers = [10 ** stat.decimals, multiplier, addend, divisor, fraction];
  return [
    [code, plane, doubled, raised, plan.columns.get(name) ?? 0, ...numbers, ...placeOf(stat), later.length],
    ...later.flatMap((adder) => [[adder.column], ...listData(numbersOf(adder, stat))]),
  ];
}

/** A number of a result. Entry v of `values` is what the number v stands for; a stat counts units of 10^−`decimals`. */
type Column =
  | {
      readonly name: string;
      readonly kind: "slot";
      readonly values: readonly unknown[];
      readonly ids: readonly unknown[];
    }
  | { readonly name: string; readonly kind: "condition" | "bonus" | "step"; readonly values: readonly unknown[] }
  | { readonly name: string; readonly kind: "stat"; readonly decimals: number };

export function recipeLabels(plan: RecipePlan, { requests }: Resolved) {
  const { spec, columns, stats, words, ids, outcomes, names } = plan;
  const slots = new Set(allSlots(spec).map(({ slot }) => slot));
  const kinds = new Map(spec.steps.map(({ name, kind }) => [name, kind]));
  const numbers: Column[] = [...columns.keys()].map((name) => {
    if (slots.has(name)) return { name, kind: "slot", values: words[name], ids: ids[name] };
    if (!(name in outcomes)) return { name: name.slice(1), kind: "step", values: [false, true] };
    return { name, kind: kinds.get(name) === "bonus" ? "bonus" : "condition", values: outcomes[name] };
  });
  for (const { name, decimals } of stats) numbers.push({ name, kind: "stat", decimals });
  const places = [...columns.keys()];
  return {
    columns: numbers,
    name: names.map(({ column, texts }) => ({ column: places.indexOf(column), texts })),
    requests,
  };
}
