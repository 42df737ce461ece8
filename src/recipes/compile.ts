import { PlanImage } from "../kernel/index.js";
import { fixedPlanOf } from "./fixedPlan.js";
import type { RecipeLayout } from "./layout.js";
import { Program } from "./program.js";
import type { Resolved } from "./resolve.js";

/** Where a plan says where its program is. */
const PROGRAM = 0;
const SIDES = 101;
const ROW_BYTES = 32;
const ADDER_BYTES = 16;
/** Any part's head and alignment. */
const PART_BYTES = 64;
const HEAD_PARTS = 4;
const OP_BYTES = 32;
/** A slot's clearing, chance and special with the lists of those, the special's word, another list and the pick. */
const OPS_OF_COLUMN = 10;
/** A gate with its lists, and its column. */
const OPS_OF_STEP = 5;
const CLAMP_BYTES = 20;
const CONDITION_BYTES = 40;
/** A later adder of a condition's stat, with its table's place. */
const LATER_BYTES = 8;
/** What each of 101 rolls leads to. */
const SWING_BYTES = 8 * SIDES;
const LISTS_OF_ALL = 2;
/** A gate's, a bonus's or a condition's. */
const LISTS_OF_STEP = 4;
const LISTS_OF_SLOT = 5;

/**
 * Compiles what options make of a recipe into the bytes of assembly/recipes/make.ts's plan. Pure. Cost: O(rows), and O(rows · stats) the
 * first time.
 *
 * @throws RollmillError `recipe.overflow` where a condition's share has too many decimal places.
 */
export function compileItems(layout: RecipeLayout, resolved: Resolved): Uint8Array<ArrayBuffer> {
  const { bytes, conditions } = fixedPlanOf(layout);
  const image = new PlanImage(bytes);
  const program = new Program(image, layout.columns);
  for (const [index, step] of resolved.steps.entries()) {
    program.begin(index);
    if (step.kind === "slots") program.slots(step);
    else if (step.kind === "bonus") program.bonus(step);
  }
  for (const merges of layout.merges) program.merge(merges);
  program.sum();
  let next = 0;
  for (const [index, step] of resolved.steps.entries()) {
    program.begin(index);
    if (step.kind === "condition") program.condition(step, conditions[next++]);
  }
  image.copy(PROGRAM, Uint32Array.of(program.place()));
  return image.bytes;
}

/** Bytes that are enough for any plan of a recipe. Each part is counted with its alignment. */
export function roomFor({ spec, tables, columnCount, adders, groups }: RecipeLayout): number {
  const parts = adders.flat();
  const conditions = spec.steps.filter(({ kind }) => kind === "condition").length;
  let bytes = PART_BYTES * (HEAD_PARTS + groups) + CLAMP_BYTES * spec.stats.length;
  bytes += conditions * (PART_BYTES + CONDITION_BYTES + LATER_BYTES * parts.length);
  for (const { values } of parts)
    bytes += (groups + conditions) * (PART_BYTES + ADDER_BYTES + ROW_BYTES * values.length);
  bytes +=
    columnCount * (OPS_OF_COLUMN * OP_BYTES + PART_BYTES) + spec.steps.length * (OPS_OF_STEP * OP_BYTES + PART_BYTES);
  for (const step of spec.steps) {
    if (step.kind === "bonus") bytes += PART_BYTES + 2 * step.sides;
    if (step.kind !== "slots") continue;
    for (const { table, tiers = [] } of step.slots) {
      const candidates = PART_BYTES + 2 * (tables.get(table)?.rows.length ?? 0);
      bytes += (tiers.length + 2) * candidates + PART_BYTES + SWING_BYTES;
    }
  }
  return bytes;
}

/** Lists that are enough for any plan of a recipe. */
export function listsFor({ spec }: RecipeLayout): number {
  const most = spec.steps.map((step) => (step.kind === "slots" ? step.slots.length : 0));
  return LISTS_OF_ALL + LISTS_OF_STEP + LISTS_OF_SLOT * Math.max(...most);
}
