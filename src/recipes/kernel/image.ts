import { PlanImage } from "../../kernel/index.js";
import {
  LaterAdder,
  RecipePlanHead,
  ROW_BYTES,
  SHORT_ROW_BYTES,
  StatAdder,
  StatClamp,
  StatCondition,
  StatGroup,
} from "../../kernel/layout.js";
import { addsTo } from "../compile.js";
import type { Adder, ConditionPlan, RecipePlan, Resolved, StatPlace } from "../types.js";
import { Program } from "./program.js";

/** The part of a plan that is the same under all options. It is by far the largest: merged columns have many rows. */
export type FixedImage = ReturnType<typeof fixedImage>;

export function fixedImage(plan: RecipePlan) {
  const image = new PlanImage();
  const headOffset = image.reserve(RecipePlanHead.bytes);
  const conditions = plan.conditions.map((condition) => putCondition(image, condition, plan));
  const groups = Array.from({ length: plan.groups }, (_, group) => groupOf(image, group, plan));
  const clamps = plan.stats.flatMap(({ clamp, group, lane, narrow }): StatClamp[] =>
    clamp === undefined ? [] : [{ group, lane, narrow: narrow ? 1 : 0, least: clamp[0], most: clamp[1] }],
  );
  const head = {
    program: 0,
    groups: groups.length,
    groupsAt: image.putAll(StatGroup, groups),
    clamps: clamps.length,
    clampsAt: image.putAll(StatClamp, clamps),
  };
  return { bytes: image.bytes, headOffset, head, conditions };
}

/** Also returns the number of item lists and masks that the program uses. */
export function itemImage(fixed: FixedImage, plan: RecipePlan, { steps }: Resolved) {
  const { bytes, headOffset, head, conditions } = fixed;
  const image = new PlanImage(bytes);
  const program = new Program(image, plan.columns);
  for (const [index, step] of steps.entries()) {
    program.begin(index);
    if (step.kind === "slots") program.slots(step);
    else if (step.kind === "bonus") program.bonus(step);
  }
  for (const merges of plan.merges) program.merge(merges);
  program.sum();
  let next = 0;
  for (const [index, step] of steps.entries()) {
    program.begin(index);
    if (step.kind === "condition") program.condition(step, conditions[next++]);
  }
  image.set(headOffset, RecipePlanHead, { ...head, program: program.place() });
  return { bytes: image.bytes, lists: program.lists };
}

function putCondition(image: PlanImage, { name, stat, rounding, later }: ConditionPlan, plan: RecipePlan): number {
  const { group, lane, narrow, decimals } = stat;
  const adders = later.map(({ column, values }): LaterAdder => {
    const numbers = values.map((value) => value.get(stat.name) ?? 0);
    return { column, table: image.place(narrow ? Int16Array.from(numbers) : Int32Array.from(numbers)) };
  });
  // the kernel expects the adders directly after the condition, without padding
  const offset = image.reserve(StatCondition.bytes + LaterAdder.bytes * adders.length);
  image.set(offset, StatCondition, {
    outcome: plan.columns.get(name) ?? 0,
    unit: 10 ** decimals,
    ...rounding,
    group,
    lane,
    narrow: narrow ? 1 : 0,
    later: adders.length,
  });
  for (const [i, adder] of adders.entries()) {
    image.set(offset + StatCondition.bytes + i * LaterAdder.bytes, LaterAdder, adder);
  }
  return offset;
}

function groupOf(image: PlanImage, group: number, plan: RecipePlan): StatGroup {
  const stats = plan.stats.filter((stat) => stat.group === group);
  const columns = plan.adders.flat().filter((adder) => stats.some(({ name }) => addsTo(adder, name)));
  const adders = columns.map((adder): StatAdder => {
    return { column: adder.column, table: image.place(rowsOf(adder, stats)), columnAddress: 0, rows: 0 };
  });
  return { width: stats[0].width, adders: adders.length, addersAt: image.putAll(StatAdder, adders) };
}

/** Returns one row for each value of a column, with the number that the value adds to each stat of the group. */
function rowsOf({ values }: Adder, stats: readonly StatPlace[]): Int8Array | Int16Array | Int32Array {
  const [{ width }] = stats;
  const Lanes = { 1: Int8Array, 2: Int16Array, 4: Int32Array }[width];
  const lanes = (width === 1 ? SHORT_ROW_BYTES : ROW_BYTES) / width;
  const out = new Lanes(values.length * lanes);
  for (const [value, adds] of values.entries()) {
    for (const { name, lane } of stats) out[value * lanes + lane] = adds.get(name) ?? 0;
  }
  return out;
}
