import { decimalFraction } from "../decimals.js";
import { error, fail } from "../errors/index.js";
import type { Adder } from "./adders.js";
import type { RecipeLayout, StatPlace } from "./layout.js";
import { PlanImage } from "./planImage.js";
import { Program } from "./program.js";
import type { Resolved, ResolvedCondition } from "./resolve.js";
import type { ConditionStepSpec } from "./types.js";
import { inUnits } from "./units.js";

const SIDES = 101;
const HEAD_WORDS = 5;
const ROW_BYTES = 32;
const ADDER_BYTES = 16;
const BYTES_ROW_BYTES = 16;
const ONE_I15 = 2 ** 15;
const MAX_U32 = 2n ** 32n - 1n;
/** Any part's head and alignment. */
const PART_BYTES = 64;
const HEAD_PARTS = 4;
const OP_BYTES = 32;
/** A slot's clearing, chance and special with the lists of those, the special's word, another list and the pick. */
const OPS_OF_COLUMN = 10;
/** A gate with its lists, and its column. */
const OPS_OF_STEP = 5;
/** A stat's clamp, or what a condition added to it. */
const FIX_BYTES = 24;
const CONDITION_BYTES = 44;
/** A source of a condition, with its table's place; an earlier condition on the same stat. */
const SOURCE_BYTES = 8;
const EARLIER_BYTES = 4;
/** What each of 101 rolls leads to. */
const SWING_BYTES = 8 * SIDES;
const LISTS_OF_ALL = 2;
/** A gate's, a bonus's or a condition's. */
const LISTS_OF_STEP = 4;
const LISTS_OF_SLOT = 5;

const Fix = { DELTA: 0, CLAMP: 1 } as const;

/**
 * Compiles what options make of a recipe into the bytes of assembly/recipes.ts's plan. Pure. Cost: O(rows · stats).
 *
 * @throws RollmillError `recipe.overflow` where a condition's share has too many decimal places.
 */
export function compileItems(layout: RecipeLayout, resolved: Resolved): Uint8Array<ArrayBuffer> {
  const image = new PlanImage(HEAD_WORDS * 4);
  const program = new Program(image, layout.columns);
  let deltas = 0;
  for (const [index, step] of resolved.steps.entries()) {
    program.begin(index);
    if (step.kind === "slots") program.slots(step);
    else if (step.kind === "bonus") program.bonus(step);
    else {
      program.merge(layout.merges[deltas]);
      program.condition(deltas, placeCondition(image, layout, { step, before: deltas, ...program.outcomes(step) }));
      deltas++;
    }
  }
  program.merge(layout.merges[deltas]);
  const at = program.place();
  const groups = placeGroups(image, layout);
  const fixes = fixesOf(layout);
  image.put(0, Uint32Array.of(at, layout.groups, groups, fixes.length, image.place(Int32Array.from(fixes.flat()))));
  return image.bytes;
}

/** Bytes that are enough for any plan of a recipe. Each part is counted with its alignment. */
export function roomFor({ spec, tables, columnCount, adders, groups }: RecipeLayout): number {
  const parts = adders.flat();
  const conditions = spec.steps.filter(({ kind }) => kind === "condition").length;
  let bytes = PART_BYTES * (HEAD_PARTS + groups) + FIX_BYTES * (spec.stats.length + conditions);
  bytes += conditions * (PART_BYTES + CONDITION_BYTES + SOURCE_BYTES * (parts.length + 1) + EARLIER_BYTES * conditions);
  for (const { values } of parts)
    bytes += (groups + 2 * conditions) * (PART_BYTES + ADDER_BYTES + ROW_BYTES * values.length);
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

/** Conditions of a recipe: each has a delta, in their order. */
export function deltasOf({ spec }: RecipeLayout): number {
  return spec.steps.filter(({ kind }) => kind === "condition").length;
}

// ── conditions: see assembly/kernel/itemConditions.ts ──

/** A condition, before which there were some others, and its parts. */
interface PlacedCondition {
  readonly step: ResolvedCondition;
  readonly before: number;
  readonly doubled: number;
  readonly up: number;
}

/** Places the parameters of a condition. */
function placeCondition(
  image: PlanImage,
  layout: RecipeLayout,
  { step: { spec }, before, doubled, up }: PlacedCondition,
): number {
  const stat = placeOf(layout, spec.stat);
  const sources = layout.adders.slice(0, before + 1).flatMap((adders) => adders.filter(adds(stat.name)));
  const numbers = (values: number[]) => image.place(stat.narrow ? Int16Array.from(values) : Int32Array.from(values));
  const tables = sources.map(({ column, values }) => [
    column,
    numbers(values.map((value) => value.get(stat.name) ?? 0)),
  ]);
  // two are summed at a time
  if (tables.length % 2 === 1) tables.push([tables[0][0], numbers(sources[0].values.map(() => 0))]);
  const conditions = layout.spec.steps.filter(({ kind }) => kind === "condition").slice(0, before);
  const earlier = conditions.flatMap((other, delta) =>
    other.kind === "condition" && other.stat === stat.name ? [delta] : [],
  );
  const { multiplier, addend, divisor } = divisionOf(spec, stat);
  return image.words([
    tables.length,
    earlier.length,
    layout.columns.get(spec.name) ?? 0,
    doubled,
    up,
    10 ** stat.decimals,
    multiplier,
    addend,
    divisor,
    stat.narrow ? fractionOf({ multiplier, addend, divisor }, stat.most) : 0,
    stat.narrow ? 1 : 0,
    ...tables.flat(),
    ...earlier,
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

// ── stats: see assembly/kernel/itemSums.ts ──

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

/** What is done to stats once they are summed: conditions, then clamps. */
function fixesOf(layout: RecipeLayout): number[][] {
  const fix = (kind: number, { group, lane, narrow }: StatPlace, first: number, second: number) => [
    kind,
    group,
    lane,
    narrow ? 1 : 0,
    first,
    second,
  ];
  const conditions = layout.spec.steps.filter((step) => step.kind === "condition");
  const deltas = conditions.map(({ stat }, delta) => fix(Fix.DELTA, placeOf(layout, stat), delta, 0));
  const clamps = layout.spec.stats.flatMap(({ name, clamp }) => {
    if (clamp === undefined) return [];
    const place = placeOf(layout, name);
    const [least, most] = clamp.map((end) => Number(inUnits(end, place.decimals)));
    return [fix(Fix.CLAMP, place, least, most)];
  });
  return [...deltas, ...clamps];
}

function placeOf({ stats }: RecipeLayout, name: string): StatPlace {
  const place = stats.find((stat) => stat.name === name);
  if (place !== undefined) return place;
  return fail(error("recipe.spec", { problem: "a stat is not the recipe's", got: name }));
}
