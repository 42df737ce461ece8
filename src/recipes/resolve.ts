import { decimalFraction } from "../decimals.js";
import { error, fail, failOnErrors, type Issue } from "../errors/index.js";
import { ROLL_SIDES } from "../kernel/layout.js";
import { checkParsed, checkText, readEntries } from "../spec/index.js";
import { MAX_TIER } from "./parse/rows.js";
import { RECIPE_SPEC } from "./parse.js";
import type {
  BonusStepSpec,
  ChanceSpec,
  ConditionStepSpec,
  ItemOptions,
  RecipeSource,
  RecipeSpec,
  RequestReport,
  SlotSpec,
  SlotsStepSpec,
  SwingSpec,
  WordTable,
  WordTables,
} from "./types.js";
import { unknownName } from "./unknownName.js";
import { rowOf, tableOf, weightColumn, weightsOf } from "./words.js";

/** A roll 0 … 100 of a step. The value k succeeds if k ≥ 101 − successes. */
export interface Roll {
  /** Number of this decision in the step, 0 … 15. It selects the plane of random words. */
  readonly decision: number;
  /** How many of the 101 values succeed at the power of the call. */
  readonly successes: number;
}

/** The words that a slot can pick with one tier variance. A roll 0 … 100, called the swing, selects the variant. */
export interface Variant {
  /** Smallest value of the swing that selects the variant, 0 … 100. */
  readonly atLeast: number;
  /** How many of the swing's 101 values select the variant. */
  readonly successes: number;
  readonly variance: number;
  /** Rows of weight above 0, ascending; at least one. */
  readonly candidates: readonly number[];
}

/** A word of a slot's table, and whether it fills the slot as the slot's special word. */
export interface Choice {
  readonly row: number;
  readonly special: boolean;
}

/** A recipe to which the options of a call were applied. It determines the odds and the kernel's program. */
export type Resolved = ReturnType<typeof resolve>;
export type ResolvedSlots = ReturnType<typeof resolveSlots>;
export type ResolvedSlot = ReturnType<typeof resolveSlot>;
export type ResolvedCondition = ReturnType<typeof resolveCondition>;
export type ResolvedBonus = ReturnType<typeof resolveBonus>;

/**
 * Applies the options of a call to a recipe. Cost: O(rows of the tables), and O(rows) more for each tier variance.
 * Throws `argument.type`, `argument.range`, `recipe.request`, `recipe.tables`, `recipe.word` (a missing special word),
 * `recipe.candidates` (too few active rows of weight above 0), `weights.*`.
 */
export function resolve({ spec, tables }: RecipeSource, options: ItemOptions = {}) {
  const settings = readItemOptions(options);
  const { choices, requests } = readRequests(spec, tables, settings);
  const issues: Issue[] = [];
  const weight = weightColumn(spec);
  const steps = spec.steps.map((step, index) => {
    if (step.kind === "bonus") return resolveBonus(step, settings.power);
    if (step.kind === "condition") return resolveCondition(step, settings.power);
    return resolveSlots(step, { ...settings, tables, weight, choices, issues, path: `steps[${index}]` });
  });
  failOnErrors(issues);
  return { spec, tables, steps, requests };
}

/** `amount` is the number of the decision that selects the size of the change (docs/determinism.md, "Recipe"). */
function resolveCondition(spec: ConditionStepSpec, power: number) {
  const doubled = { decision: 1, successes: successesOf(spec.doubled, power) };
  const up = { decision: 2, successes: successesOf(spec.up, power) };
  return { kind: "condition" as const, spec, amount: 0, doubled, up };
}

/** `rungs[i]` is the number of values 1 … `spec.sides` of the ladder's roll that select rung i. */
function resolveBonus(spec: BonusStepSpec, power: number) {
  const chance = { decision: 0, successes: successesOf(spec.chance, power) };
  const leasts = spec.ladder.map(({ atLeast = 1 }) => atLeast);
  const rungs = countsOf(leasts, spec.sides + 1);
  return { kind: "bonus" as const, spec, chance, ladder: 1, rungs };
}

/** `gate` is the roll that opens the step. If `opened` is true, a request opens the step, whatever the roll. */
function resolveSlots(spec: SlotsStepSpec, reading: SlotReading) {
  const gate = spec.chance && { decision: 0, successes: successesOf(spec.chance, reading.power) };
  const names = spec.slots.map(({ slot }) => slot);
  let next = gate === undefined ? 0 : 1;
  const slots = spec.slots.map((slot, index) => {
    const path = `${reading.path}.slots[${index}]`;
    const resolved = resolveSlot(slot, { ...reading, path, index, names, first: next });
    next = resolved.pick + 1;
    return resolved;
  });
  const opened = slots.some(({ requested }) => requested !== undefined);
  return { kind: "slots" as const, spec, gate, opened, slots };
}

interface SlotReading extends Settings {
  readonly tables: WordTables;
  readonly weight: string | undefined;
  readonly choices: ReadonlyMap<string, Choice>;
  readonly issues: Issue[];
  readonly path: string;
}

/** Adds issues about the slot's words to `at.issues`. `first` is the first decision that the slot can use. */
function resolveSlot(
  spec: SlotSpec,
  at: SlotReading & { readonly index: number; readonly names: readonly string[]; readonly first: number },
) {
  const table = tableOf(at.tables, spec);
  let next = at.first;
  const swing = spec.tiers === undefined ? undefined : next++;
  const chance = spec.chance && { decision: next++, successes: successesOf(spec.chance, at.power) };
  const special = spec.special === undefined ? undefined : resolveSpecial(spec.special, table, next++, at);
  const requested = at.choices.get(spec.slot);
  const indexOf = (slot: string | undefined) => (slot === undefined ? undefined : at.names.indexOf(slot));
  return {
    spec,
    index: at.index,
    table,
    /** Weight of each row; 0 for an inactive row. Integers without a common factor, with a sum of at most 2^32 − 1. */
    weights: weightsOf(table, at.weight).weights,
    /** The requested word, if it exists. Then `chance`, `special` and `pick` are not used. */
    requested,
    /** The decision that selects the variant. Undefined for a slot without tiers. */
    swing,
    chance,
    special,
    /** The decision that picks the word at random. */
    pick: next,
    /** The variants, from the highest `atLeast` down to 0. Only one if the tier does not vary; none for a request. */
    variants: requested === undefined ? variantsOf(spec, table, at) : [],
    after: indexOf(spec.after),
    differentFrom: indexOf(spec.differentFrom),
  };
}

function resolveSpecial(
  { word, chance, strength }: NonNullable<SlotSpec["special"]>,
  table: WordTable,
  decision: number,
  { issues, path, power }: SlotReading,
) {
  const row = rowOf(table, word);
  if (row === undefined) {
    const problem = `the table ${JSON.stringify(table.name)} lacks the special word`;
    const words = table.rows.map((known) => known.word);
    const finding = unknownName(problem, word, words);
    issues.push(error("recipe.word", { ...finding, where: { path: `${path}.special.word` } }));
  }
  return { roll: { decision, successes: successesOf(chance, power) }, row: row ?? 0, strength };
}

function variantsOf(spec: SlotSpec, table: WordTable, reading: SlotReading): readonly Variant[] {
  const { issues, path, tier, varies } = reading;
  const { candidates: rows, issues: faults } = weightsOf(table, reading.weight);
  if (faults.length > 0) {
    if (!issues.includes(faults[0])) issues.push(...faults);
    return [];
  }
  const least = spec.differentFrom === undefined ? 1 : 2;
  if (rows.length < least) {
    const [tableName, slotName] = [JSON.stringify(table.name), JSON.stringify(spec.slot)];
    const problem = `the table ${tableName} has too few active rows for the slot ${slotName}`;
    const expected =
      least === 1
        ? "at least 1 row with a weight above 0"
        : `at least 2 rows with weights above 0, because its word must differ from the word of ${JSON.stringify(spec.differentFrom)}`;
    issues.push(error("recipe.candidates", { problem, got: rows.length, expected, where: { path } }));
    return [];
  }
  if (spec.tiers === undefined || tier === 0) {
    return [{ atLeast: 0, successes: ROLL_SIDES, variance: 0, candidates: rows }];
  }
  const variants = swingsOf(varies ? spec.tiers : []).map((swing): Variant => {
    const within = (row: number) => Math.abs(table.rows[row].tier - tier) <= swing.variance;
    return { ...swing, candidates: rows.filter(within) };
  });
  const empty = variants.find(({ candidates }) => candidates.length === 0);
  if (empty !== undefined) issues.push(emptyTier(table, reading, empty.variance));
  return variants;
}

/** Counts the values of the roll that select each variance. A roll below every `atLeast` selects variance 0. */
function swingsOf(swings: readonly SwingSpec[]): readonly Omit<Variant, "candidates">[] {
  const all = [...swings, { atLeast: 0, variance: 0 }];
  const leasts = all.map(({ atLeast }) => atLeast);
  const counts = countsOf(leasts, ROLL_SIDES);
  return all.flatMap((swing, i) => (counts[i] === 0 ? [] : [{ ...swing, successes: counts[i] }]));
}

/** For each of the descending `leasts`, returns how many integers below `end` reach it, but not the entry before it. */
function countsOf(leasts: readonly number[], end: number): readonly number[] {
  return leasts.map((least, i) => (leasts[i - 1] ?? end) - least);
}

function emptyTier(table: WordTable, { tier, path, weight }: SlotReading, variance: number): Issue {
  const { candidates } = weightsOf(table, weight);
  const tiers = [...new Set(candidates.map((row) => table.rows[row].tier))].sort((a, b) => a - b);
  const range =
    variance === 0 ? `tier ${tier}` : `the tiers from ${Math.max(0, tier - variance)} to ${tier + variance}`;
  return error("recipe.candidates", {
    problem: `the table ${JSON.stringify(table.name)} has no active row in ${range}`,
    expected: `one of the tiers ${tiers.join(", ")}`,
    remedy: "Use another tier, or 0 for any tier",
    where: { path },
  });
}

/**
 * Returns how many of the values k = 0 … 100 of a roll satisfy k · power ≥ `atLeast` or k · power > `above`. Decimals
 * are exact: 0.1 is 1/10. The power is ≥ 0, so the largest values succeed: k ≥ 101 − successes.
 */
export function successesOf(chance: ChanceSpec, power: number): number {
  const strict = "above" in chance;
  const threshold = strict ? chance.above : chance.atLeast;
  if (threshold < 0 || (threshold === 0 && !strict)) return ROLL_SIDES;
  const t = decimalFraction(threshold);
  const p = decimalFraction(power);
  if (p.numerator === 0n) return 0;
  // for the power p and the threshold t: the smallest k with k · p > t is ⌊t/p⌋ + 1, and with k · p ≥ t it is ⌈t/p⌉
  const dividend = t.numerator * p.denominator;
  const divisor = t.denominator * p.numerator;
  const least = strict ? dividend / divisor + 1n : (dividend + divisor - 1n) / divisor;
  return least > 100n ? 0 : ROLL_SIDES - Number(least);
}

interface Settings {
  readonly tier: number;
  readonly varies: boolean;
  readonly power: number;
  readonly request: ReadonlyMap<string, string>;
  readonly throwUnknown: boolean;
}

export function readItemOptions(options: ItemOptions): Settings {
  const { tier = 0, tierVariance = 0, power = 1, request = {}, onUnknownRequest = "roll" } = options;
  if (!Number.isInteger(tier) || tier < 0 || tier > MAX_TIER) {
    refuse("tier", tier, `an integer from 0 (any tier) to ${MAX_TIER}`);
  }
  if (typeof tierVariance !== "number" || Number.isNaN(tierVariance)) {
    refuse("tierVariance", tierVariance, "a number; a number above 0 lets the tier of a word vary");
  }
  if (typeof power !== "number" || !Number.isFinite(power) || power < 0) {
    refuse("power", power, "a finite number of at least 0");
  }
  if (onUnknownRequest !== "roll" && onUnknownRequest !== "throw") {
    refuse("onUnknownRequest", onUnknownRequest, '"roll" or "throw"');
  }
  if (Object.prototype.toString.call(request) !== "[object Object]") {
    refuse("request", request, "an object that maps slots to words");
  }
  const words = new Map(Object.entries(request));
  for (const [slot, word] of words) {
    if (word === undefined) words.delete(slot);
    else if (typeof word !== "string") refuse(`request.${slot}`, word, "a string");
  }
  return { tier, varies: tierVariance > 0, power, request: words, throwUnknown: onUnknownRequest === "throw" };
}

function refuse(path: string, got: unknown, expected: string): never {
  const isNumber = typeof got === "number" && !path.startsWith("request");
  const code = isNumber ? "argument.range" : "argument.type";
  const problem = `invalid ${path.startsWith("request.") ? "word" : `option "${path}"`}`;
  return fail(error(code, { problem, got, expected, where: { path } }));
}

export function requestable(spec: RecipeSpec): readonly SlotSpec[] {
  return allSlots(spec).filter(({ after }) => after === undefined);
}

export function allSlots(spec: RecipeSpec): readonly SlotSpec[] {
  return spec.steps.flatMap((step) => (step.kind === "slots" ? step.slots : []));
}

function unknownSlot(spec: RecipeSpec, slot: string, path = `request.${slot}`): Issue {
  const names = requestable(spec).map((known) => known.slot);
  const follows = allSlots(spec).find((known) => known.slot === slot);
  const problem =
    follows === undefined
      ? "the recipe has no such slot"
      : `this slot cannot be requested, because it depends on the slot ${JSON.stringify(follows.after)}`;
  return error("recipe.request", { ...unknownName(problem, slot, names), where: { path } });
}

export function unknownWord({ name, rows }: WordTable, word: unknown, path: string): Issue {
  const problem = `the table ${JSON.stringify(name)} has no such word`;
  const words = rows.map((row) => row.word);
  return error("recipe.request", { ...unknownName(problem, word, words), where: { path } });
}

function readRequests(spec: RecipeSpec, tables: WordTables, { request, throwUnknown }: Settings) {
  const slots = requestable(spec);
  const names = new Set(slots.map(({ slot }) => slot));
  failOnErrors([...request.keys()].filter((slot) => !names.has(slot)).map((slot) => unknownSlot(spec, slot)));
  const choices = new Map<string, Choice>();
  const unknown: string[] = [];
  const issues: Issue[] = [];
  for (const slot of slots) {
    const word = request.get(slot.slot);
    if (word === undefined) continue;
    const table = tableOf(tables, slot);
    const row = rowOf(table, word);
    if (row !== undefined) choices.set(slot.slot, { row, special: slot.special?.word === word });
    else {
      unknown.push(slot.slot);
      if (throwUnknown) issues.push(unknownWord(table, word, `request.${slot.slot}`));
    }
  }
  failOnErrors(issues);
  const requests: RequestReport = { met: [...choices.keys()], unknown };
  return { choices, requests };
}

const MOST_FIELDS = 100_000;

const PREFIX = /^(?:request|attributes?)\[/;

/**
 * Reads the requests of a submitted form. The field `attribute[type]=sword` requests the word "sword" for the slot
 * "type". The prefixes `attributes` and `request` work too. Of several fields for a slot, the last one is used, as in
 * PHP. Ignores empty fields and other fields. Does not check the words.
 *
 * @param params - The fields, at most 100,000.
 * @throws RollmillError `argument.type`, `argument.range`; `recipe.request` for a slot that cannot be requested.
 */
export function requestFromForm(params: URLSearchParams, spec: RecipeSpec): { readonly [slot: string]: string } {
  checkParsed(RECIPE_SPEC, { name: "spec", value: spec, parser: "parseRecipe" });
  const known = new Set(requestable(spec).map(({ slot }) => slot));
  const asked = new Map<string, string>();
  for (const [i, entry] of readEntries<unknown>("params", params, { of: "fields", most: MOST_FIELDS }).entries()) {
    const [field, word] = Array.isArray(entry) ? entry : [];
    checkText(`name of field ${i}`, field);
    checkText(field, word);
    const prefix = PREFIX.exec(field);
    if (prefix === null) continue;
    const slot = field.slice(prefix[0].length).replace(/\]$/, "");
    asked.set(slot, word);
  }
  const filled = [...asked].filter(([, word]) => word !== "");
  const issues = filled.filter(([slot]) => !known.has(slot)).map(([slot]) => unknownSlot(spec, slot));
  failOnErrors(issues);
  return Object.fromEntries(filled);
}
