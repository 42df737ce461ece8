import { decimalFraction } from "../decimals.js";
import { error, fail } from "../errors/index.js";
import { ConditionOutcome, FRACTION_BITS, NARROW_LANES, WIDE_LANES } from "../kernel/layout.js";
import { addersOf, mergeAdders } from "./compile/adders.js";
import { inUnits, statDecimals } from "./compile/units.js";
import { nameSegments } from "./names.js";
import { allSlots } from "./resolve/requests.js";
import { resolve } from "./resolve.js";
import type {
  Adder,
  ConditionPlan,
  ConditionStepSpec,
  RecipePlan,
  RecipeSource,
  RecipeSpec,
  ShareRounding,
  SlotSpec,
  SlotsStepSpec,
  StatPlace,
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
 * Compiles a recipe, and checks it under default options. Cost: O(rows · stats).
 *
 * @throws RollmillError `recipe.overflow` for a share with too many digits, and for a stat that may leave the range of
 * i32; `recipe.word`, `recipe.candidates`, `recipe.tables`.
 */
export function compileRecipe({ spec, tables }: RecipeSource): RecipePlan {
  const columns = new Map(columnNames(spec).map((name, column) => [name, column]));
  const decimals = new Map(statDecimals(spec, tables).map((places, i) => [spec.stats[i].name, places]));
  const adders = spec.steps.map((step) => addersOf(step, { spec, tables, columns, decimals }));
  const { stats, groups } = placeStats(spec, adders, decimals);
  const merged = mergeAdders(spec, adders, columns.size);
  const steps = spec.steps.filter((step) => step.kind === "condition");
  const conditions = steps.map((step, i): ConditionPlan => {
    const stat = stats[spec.stats.findIndex(({ name }) => name === step.stat)];
    const later = merged.adders.slice(i + 1).flatMap((segment) => segment.filter((adder) => addsTo(adder, stat.name)));
    return { name: step.name, stat, rounding: roundingOf(step, stat), later };
  });
  const words = slotEntries(spec, tables, ({ word }) => word);
  const ids = slotEntries(spec, tables, ({ id }) => id);
  const vocabulary = Object.fromEntries(
    Object.entries(words).map(([slot, list]) => [slot, list.map((word) => word ?? "")] as const),
  );
  const names = nameSegments(spec, {
    // if a slot is filled exactly when the step is open, its column serves as the gate: 0 stands for a closed step
    gate: (step) => {
      const slot = alwaysFilled(step)?.slot;
      return slot === undefined
        ? { column: gateName(step.name), values: 2 }
        : { column: slot, values: vocabulary[slot].length };
    },
    words: (slot) => vocabulary[slot],
  });
  const of = { vocabulary, words, ids, outcomes: outcomesOf(spec) };
  return {
    spec,
    tables,
    columns,
    ...of,
    stats,
    groups,
    ...merged,
    conditions,
    names,
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

function outcomesOf({ steps }: RecipeSpec): RecipePlan["outcomes"] {
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
  // a step whose slots can all be empty looks like a closed step
  const hidden = (step: StepSpec) => step.kind === "slots" && step.chance !== undefined && !alwaysFilled(step);
  return [...slots, ...outcomes, ...steps.filter(hidden).map(({ name }) => gateName(name))];
}

/** The column of the roll that opens a step. */
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
  const problem = `the stat ${name} may become too large`;
  const expected = `at most ${MAX_I32} units of its last decimal place`;
  const remedy = "Use smaller values, or fewer decimal places";
  return fail(error("recipe.overflow", { problem, got: most, expected, remedy, where: { path: name } }));
}

/**
 * With n = |stat| in units of 10^−decimals and p/q = share / 10^decimals, the rounded number is
 * ⌊n · p/q + 1/2⌋ = ⌊(2·p·n + q) / 2q⌋.
 */
function roundingOf({ name, share }: ConditionStepSpec, stat: StatPlace): ShareRounding {
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
 * Returns an f for which ⌊(x · f + 2^14) / 2^15⌋ = ⌊(x · multiplier + addend) / divisor⌋ for x = 0 … most, or 0.
 * Rounded down, f would fail for each x whose product with the fraction ends in one half, so only the fraction rounded
 * up is tried.
 */
function fractionOf({ multiplier, addend, divisor }: Omit<ShareRounding, "fraction">, most: number): number {
  const fraction = Math.ceil((multiplier * ONE) / divisor);
  if (fraction >= ONE) return 0;
  for (let x = 0; x <= most; x++) {
    const wanted = Math.floor((x * multiplier + addend) / divisor);
    if (wanted !== (x * fraction + ONE / 2) >> FRACTION_BITS) return 0;
  }
  return fraction;
}
