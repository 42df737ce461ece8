import {
  Field,
  fileNameKey,
  type InputOf,
  list,
  number,
  optional,
  type Parsed,
  readOptions,
  record,
  SpecReader,
  shape,
  TEXT,
} from "../spec/index.js";
import { ROW_KEYS } from "./parse/rows.js";
import { type BonusStepSpec, NAME, type SlotSpec, STEP, STRENGTH, type StepSpec } from "./parse/steps.js";
import { unknownName } from "./unknownName.js";

export const RECIPE_SPEC = "recipe spec";

const MAX_PARTS = 64;
/** Names that a stat cannot have, because word rows or items already have these keys. */
const RESERVED = [...ROW_KEYS, "name", "requests", "words", "ids", "outcomes", "index", "seed"];

const COLUMN = shape<string, string>(readColumn, { ...NAME.json, not: { enum: RESERVED } });
const ENDS = list(number({}), { least: 2, most: 2 });
const CLAMP = shape<readonly [least: number, most: number], readonly [number, number]>(readClamp, ENDS);

export const STAT = record({
  /**
   * Name of the stat, unique, without "=". It is also a column of the word tables, so it is not `id`, `word`, `active`,
   * `status`, `tier`, `proposer`, `proposed`, `name`, `requests`, `words`, `ids`, `outcomes`, `index` or `seed`.
   */
  name: COLUMN,
  /** [least, most], both inclusive: the range of the final value. Default: no range. */
  clamp: optional(CLAMP),
});
/** A stat: a number that every item has. */
export interface StatSpec extends InputOf<typeof STAT> {}

export const RECIPE = record({
  /** 1 to 64 numbers that an item has: `{"name", "clamp"}`. */
  stats: list(STAT, { least: 1, most: MAX_PARTS }),
  /** Name of the stat to which every filled slot adds its strength. */
  strength: TEXT,
  /**
   * The column of the word tables that has the weights of the words. A weight is a decimal ≥ 0. The chance of a word in
   * a random pick is proportional to its weight. Words without a weight have the weight 1. A word of weight 0 is never
   * picked at random, but a request can choose it. Default: the column `weight`, unless a stat has this name; then all
   * words have the weight 1.
   */
  weight: optional(COLUMN),
  /** 1 to 64 steps, in order. Each has a `kind` and a unique `name`. */
  steps: list(STEP, { least: 1, most: MAX_PARTS }),
});
/** A recipe for items: stats, and steps that fill slots and change stats, in order. */
export interface RecipeSpec extends InputOf<typeof RECIPE> {}

/**
 * Reads a recipe from an untrusted object. The returned spec is a copy of the input. It is undefined if there is an
 * error.
 *
 * Cost: O(size). All issues have the code `recipe.spec`.
 */
export function parseRecipe(input: unknown, options: { readonly file?: string | undefined } = {}): Parsed<RecipeSpec> {
  const { file } = readOptions("parseRecipe", options, ["file"]);
  const reader = new SpecReader({ noun: RECIPE_SPEC, code: "recipe.spec", file, isDocument: true });
  return reader.run(input, (root) => {
    const { steps, ...recipe } = RECIPE.read(reader, root);
    refuseTwice(reader, root.part("stats"), recipe.stats);
    const stats = recipe.stats.map(({ name }) => name);
    checkStat(reader, new Field(recipe.strength, root, "strength"), stats);
    if (recipe.weight !== undefined && stats.includes(recipe.weight)) {
      const problem = "the column of weights has the name of a stat";
      reader.report(root.part("weight"), { problem, got: recipe.weight, expected: "a name that no stat has" });
    }
    checkSteps(reader, root.part("steps"), steps, stats);
    return { ...recipe, steps: steps.filter((step) => step !== undefined) };
  });
}

function readColumn(reader: SpecReader, at: Field): string {
  const name = NAME.read(reader, at);
  if (RESERVED.includes(name)) {
    const expected = `a name other than ${RESERVED.join(", ")}`;
    reader.report(at, { problem: "the name of the column is reserved", got: name, expected });
  }
  return name;
}

function readClamp(reader: SpecReader, at: Field): readonly [number, number] {
  const [least = 0, most = 0] = ENDS.read(reader, at);
  if (least > most) {
    const problem = `the lower end ${least} of the clamp is above the upper end ${most}`;
    reader.report(at, { problem, expected: "[least, most] with least ≤ most" });
  }
  return [least, most];
}

const MAX_SLOTS = 64;
/** Number of planes of random words that a step has: each of its decisions reads a separate plane. */
export const STEP_PLANES = 16;

interface SlotPlace {
  readonly step: number;
  readonly spec: SlotSpec;
}

interface Scope {
  readonly reader: SpecReader;
  readonly stats: readonly string[];
  readonly places: Map<string, SlotPlace>;
  /** Maps the `fileNameKey` of a table's name to the first name with this key. */
  readonly tables: Map<string, string>;
}

/** Checks how steps refer to stats and to each other. In `steps`, a refused name is "", and a refused number NaN. */
function checkSteps(
  reader: SpecReader,
  at: Field,
  steps: readonly (StepSpec | undefined)[],
  stats: readonly string[],
): void {
  const scope: Scope = { reader, stats, places: new Map(), tables: new Map() };
  refuseTwice(reader, at, steps);
  for (const [i, step] of steps.entries()) {
    if (step?.kind === "condition") checkStat(reader, new Field(step.stat, at.part(i), "stat"), stats);
    if (step?.kind === "bonus") checkLadder(scope, at.part(i), step);
    if (step?.kind !== "slots") continue;
    for (const [s, slot] of step.slots.entries()) checkSlot(scope, at.part(i, "slots", s), slot, i);
  }
  const slots = steps.reduce((sum, step) => sum + (step?.kind === "slots" ? step.slots.length : 0), 0);
  if (slots > MAX_SLOTS) {
    reader.report(at, { problem: "the recipe has too many slots", got: slots, expected: `at most ${MAX_SLOTS} slots` });
  }
  for (const [i, step] of steps.entries()) if (step !== undefined) checkStep(scope, at.part(i), step);
}

function refuseTwice(reader: SpecReader, at: Field, entries: readonly ({ readonly name: string } | undefined)[]): void {
  const taken = new Set<string>();
  for (const [i, { name } = { name: "" }] of entries.entries()) {
    const place = at.part(i, "name");
    if (taken.has(name)) {
      reader.report(place, { problem: "two entries have the same name", got: name, expected: "a different name" });
    }
    if (name !== "") taken.add(name);
  }
}

/** Accepts any name if the recipe has no valid stats: otherwise, every name would give an error. */
function checkStat(reader: SpecReader, at: Field, stats: readonly string[]): void {
  const { value } = at;
  if (value === "" || stats.length === 0 || stats.some((stat) => stat === value)) return;
  reader.report(at, unknownName("the recipe has no such stat", value, stats));
}

function checkSlot({ reader, places, tables }: Scope, at: Field, spec: SlotSpec, step: number): void {
  const { slot, table, tiers = [] } = spec;
  if (places.has(slot)) {
    const expected = "a name that no other slot of the recipe has";
    reader.report(at.part("slot"), { problem: "two slots have the same name", got: slot, expected });
  }
  const other = tables.get(fileNameKey(table)) ?? table;
  tables.set(fileNameKey(table), other);
  if (other !== table) {
    const problem = "the names of two tables lead to the same file on some systems";
    const expected = `${JSON.stringify(other)}, or a name that differs more from it`;
    reader.report(at.part("table"), { problem, got: table, expected });
  }
  checkLinks(reader, at, spec, new Map([...places].filter(([, place]) => place.step === step)));
  tiers.forEach(({ atLeast }, i) => {
    checkDescending(reader, new Field(atLeast, at.part("tiers", i), "atLeast"), tiers[i - 1]?.atLeast);
  });
  if (slot !== "") places.set(slot, { step, spec });
}

function checkLinks(reader: SpecReader, at: Field, spec: SlotSpec, earlier: ReadonlyMap<string, SlotPlace>): void {
  for (const key of ["after", "differentFrom"] as const) {
    const { [key]: name = "" } = spec;
    const other = earlier.get(name)?.spec;
    if (name === "") continue;
    if (other === undefined) {
      const finding = unknownName(`"${key}" must name an earlier slot of this step`, name, [...earlier.keys()]);
      reader.report(at.part(key), finding);
    } else if (key === "differentFrom" && (other.table !== spec.table || (other.tiers ?? spec.tiers) !== undefined)) {
      const problem = '"differentFrom" needs a slot that picks from the same rows';
      const expected = "two slots of the same table, both without tiers";
      reader.report(at.part(key), { problem, got: name, expected });
    }
  }
}

function checkLadder({ reader, stats }: Scope, at: Field, { sides, ladder }: BonusStepSpec): void {
  if (ladder.length > sides) {
    reader.list(new Field(ladder, at, "ladder"), { least: 1, most: sides });
    return;
  }
  const texts = new Set<string>();
  for (const [i, { atLeast, text, add }] of ladder.entries()) {
    const rung = at.part("ladder", i);
    if (texts.has(text)) {
      const expected = "a different text for each rung";
      reader.report(rung.part("text"), { problem: "two rungs have the same text", got: text, expected });
    }
    if (text !== "") texts.add(text);
    for (const stat of Object.keys(add)) checkStat(reader, new Field(stat, rung.part("add"), stat), stats);
    const place = new Field(atLeast, rung, "atLeast");
    if (atLeast !== undefined && atLeast > sides) reader.integer(place, { least: 2, most: sides });
    const isLast = i === ladder.length - 1;
    if (isLast !== (atLeast === undefined)) {
      const problem = isLast ? 'the last rung has "atLeast"' : 'a rung before the last has no "atLeast"';
      reader.report(place, { problem, expected: '"atLeast" on every rung except the last' });
    }
    checkDescending(reader, place, ladder[i - 1]?.atLeast);
  }
}

function checkDescending(reader: SpecReader, at: Field, before: number | undefined): void {
  const { value } = at;
  if (typeof value !== "number" || before === undefined || !(value >= before)) return;
  const expected = `a number less than ${before}, the number of the previous entry`;
  reader.report(at, { problem: "the entries are not in descending order", got: value, expected });
}

function checkStep({ reader, places }: Scope, at: Field, step: StepSpec): void {
  if (step.kind !== "slots" && (places.has(step.name) || step.name === STRENGTH)) {
    const problem = `the name of a ${step.kind} is ${step.name === STRENGTH ? "reserved" : "also the name of a slot"}`;
    const expected = `a name that no slot has, other than "${STRENGTH}"`;
    reader.report(at.part("name"), { problem, got: step.name, expected });
  }
  const got = decisionsOf(step);
  if (got <= STEP_PLANES) return;
  const finding = { expected: `at most ${STEP_PLANES} decisions`, remedy: "Split the step into two steps" };
  reader.report(at, { problem: "the step has too many random decisions", got, ...finding });
}

/** Counts the decisions of a step, even decisions that only some items need (docs/determinism.md, section 5). */
function decisionsOf(step: StepSpec): number {
  if (step.kind === "condition") return 3;
  if (step.kind === "bonus") return 2;
  const gate = step.chance === undefined ? 0 : 1;
  return step.slots.reduce((sum, { tiers, chance, special }) => {
    return sum + [tiers, chance, special].filter((part) => part !== undefined).length + 1;
  }, gate);
}
