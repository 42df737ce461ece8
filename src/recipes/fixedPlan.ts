import { decimalFraction } from "../decimals.js";
import { error, fail } from "../errors/index.js";
import { PlanImage } from "../kernel/index.js";
import type { Adder } from "./adders.js";
import type { RecipeLayout, StatPlace } from "./layout.js";
import type { ConditionStepSpec } from "./types.js";
import { inUnits } from "./units.js";

const HEAD_WORDS = 5;
/** Behind the place of the program in a plan's head. */
const GROUPS = 4;
const ROW_BYTES = 32;
const BYTES_ROW_BYTES = 16;
const ONE_I15 = 2 ** 15;
const MAX_U32 = 2n ** 32n - 1n;

/** What is the same in every plan of a recipe. */
export interface FixedPlan {
  /** A plan's first bytes: its head, but for the place of the program, the rows of its words and what conditions need. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the parameters of conditions are, in their order. */
  readonly conditions: readonly number[];
}

const fixedPlans = new WeakMap<RecipeLayout, FixedPlan>();

/**
 * The plan of a recipe without its program, which is made once: the rows of merged columns are most of a plan.
 *
 * @throws RollmillError `recipe.overflow` where a condition's share has too many decimal places.
 */
export function fixedPlanOf(layout: RecipeLayout): FixedPlan {
  const made = fixedPlans.get(layout) ?? makeFixedPlan(layout);
  fixedPlans.set(layout, made);
  return made;
}

function makeFixedPlan(layout: RecipeLayout): FixedPlan {
  const image = new PlanImage(new Uint8Array(HEAD_WORDS * 4));
  const steps = layout.spec.steps.filter((step) => step.kind === "condition");
  const conditions = steps.map((step, before) => placeCondition(image, layout, step, before));
  const groups = placeGroups(image, layout);
  const clamps = clampsOf(layout);
  const clampsAt = image.place(Int32Array.from(clamps.flat()));
  image.copy(GROUPS, Uint32Array.of(layout.groups, groups, clamps.length, clampsAt));
  return { bytes: image.bytes, conditions };
}

// ── conditions: see assembly/recipes/conditions.ts ──

/** Places the parameters of a condition, before which there were `before` others. */
function placeCondition(image: PlanImage, layout: RecipeLayout, spec: ConditionStepSpec, before: number): number {
  const stat = placeOf(layout, spec.stat);
  const later = layout.adders.slice(before + 1).flatMap((adders) => adders.filter(adds(stat.name)));
  const tables = later.map(({ column, values }) => {
    const numbers = values.map((value) => value.get(stat.name) ?? 0);
    return [column, image.place(stat.narrow ? Int16Array.from(numbers) : Int32Array.from(numbers))];
  });
  const division = divisionOf(spec, stat);
  return image.words([
    layout.columns.get(spec.name) ?? 0,
    10 ** stat.decimals,
    division.multiplier,
    division.addend,
    division.divisor,
    stat.narrow ? fractionOf(division, stat.most) : 0,
    stat.group,
    stat.lane,
    stat.narrow ? 1 : 0,
    tables.length,
    ...tables.flat(),
  ]);
}

interface Division {
  readonly multiplier: number;
  readonly addend: number;
  readonly divisor: number;
}

/** round(|stat| · share), half away from zero, for a stat in units: ⌊(2·p·|stat| + q) / 2q⌋ for a share in units of p/q. */
function divisionOf({ name, share }: ConditionStepSpec, stat: StatPlace): Division {
  const { numerator, denominator } = decimalFraction(share);
  const [multiplier, addend] = [2n * numerator, denominator * 10n ** BigInt(stat.decimals)];
  const divisor = 2n * addend;
  if (multiplier > MAX_U32 || divisor > MAX_U32) return refuseShare(name, share);
  return { multiplier: Number(multiplier), addend: Number(addend), divisor: Number(divisor) };
}

/**
 * The fraction f with ⌊(x · f + 2^14) / 2^15⌋ = ⌊(x · multiplier + addend) / divisor⌋ for x = 0 … most: the share in units of 2^−15,
 * rounded up, because halves are; each x is tried. 0 where there is none.
 */
function fractionOf({ multiplier, addend, divisor }: Division, most: number): number {
  const fraction = Math.ceil((multiplier * ONE_I15) / divisor);
  if (fraction >= ONE_I15) return 0;
  for (let x = 0; x <= most; x++) {
    const wanted = Math.floor((x * multiplier + addend) / divisor);
    if (wanted !== (x * fraction + ONE_I15 / 2) >> 15) return 0;
  }
  return fraction;
}

function adds(stat: string): (adder: Adder) => boolean {
  return ({ values }) => values.some((value) => value.has(stat));
}

function refuseShare(step: string, share: number): never {
  return fail(
    error("recipe.overflow", {
      problem: `the share of the condition ${step} has too many digits`,
      got: share,
      expected: "a share whose fraction, in units of the stat, fits 31 bits",
      where: { path: step },
    }),
  );
}

// ── stats: see assembly/recipes/sums.ts ──

function placeGroups(image: PlanImage, layout: RecipeLayout): number {
  const heads: number[] = [];
  for (let group = 0; group < layout.groups; group++) {
    const stats = layout.stats.filter((stat) => stat.group === group);
    const adders = layout.adders.flat().filter((adder) => stats.some(({ name }) => adds(name)(adder)));
    const parts = adders.flatMap((adder) => [adder.column, image.place(vectors(adder, stats)), 0, 0]);
    heads.push(stats[0].width, adders.length, image.words(parts));
  }
  return image.words(heads);
}

/** A row of the group's lanes for each value of a column. */
function vectors({ values }: Adder, stats: readonly StatPlace[]): Int8Array | Int16Array | Int32Array {
  const [{ width }] = stats;
  const Lanes = { 1: Int8Array, 2: Int16Array, 4: Int32Array }[width];
  const lanes = (width === 1 ? BYTES_ROW_BYTES : ROW_BYTES) / width;
  const out = new Lanes(values.length * lanes);
  for (const [value, adds] of values.entries()) {
    for (const { name, lane } of stats) out[value * lanes + lane] = adds.get(name) ?? 0;
  }
  return out;
}

function clampsOf(layout: RecipeLayout): number[][] {
  return layout.spec.stats.flatMap(({ name, clamp }) => {
    if (clamp === undefined) return [];
    const { decimals, group, lane, narrow } = placeOf(layout, name);
    return [[group, lane, narrow ? 1 : 0, ...clamp.map((end) => Number(inUnits(end, decimals)))]];
  });
}

function placeOf({ stats }: RecipeLayout, name: string): StatPlace {
  const place = stats.find((stat) => stat.name === name);
  if (place !== undefined) return place;
  return fail(error("recipe.spec", { problem: "a stat is not the recipe's", got: name }));
}
