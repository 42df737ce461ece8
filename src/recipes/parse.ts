import { Field, fileNameFlaw, fileNameKey, isBlank, type Parsed, readOptions, SpecReader } from "../spec/index.js";
import { readStep, type SlotPlace } from "./parse/steps.js";
import { ROW_KEYS } from "./parse/tables.js";
import { RECIPE_SPEC, type RecipeSpec, STEP_PLANES, STRENGTH, type StatSpec, type StepSpec } from "./types.js";
import { unknownName } from "./unknownName.js";

const MAX_PARTS = 64;
/** Names that a stat cannot have, because word rows or items already have these keys. */
const RESERVED = [...ROW_KEYS, "name", "requests", "words", "ids", "outcomes", "index", "seed"];

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
    const fields = reader.fields(root, ["stats", "strength", "weight", "steps"]);
    const stats = readStats(reader, fields.get("stats"));
    const names = stats.map(({ name }) => name);
    const strength = readStat(reader, fields.get("strength"), names);
    const weight = fields.has("weight") ? { weight: readWeight(reader, fields.get("weight"), names) } : {};
    return { stats, strength, ...weight, steps: readSteps(reader, fields.get("steps"), names) };
  });
}

function readStats(reader: SpecReader, at: Field): readonly StatSpec[] {
  const names = new Set<string>();
  return reader.list(at, { least: 1, most: MAX_PARTS }).map((entry) => {
    const fields = reader.fields(entry, ["name", "clamp"]);
    const name = readName(reader, fields.get("name"), names);
    if (RESERVED.includes(name)) {
      const expected = `a name other than ${RESERVED.join(", ")}`;
      reader.report(fields.get("name"), { problem: "the name of the stat is reserved", got: name, expected });
    }
    return fields.has("clamp") ? { name, clamp: readClamp(reader, fields.get("clamp")) } : { name };
  });
}

function readClamp(reader: SpecReader, at: Field): readonly [number, number] {
  const ends = reader.list(at, { least: 2, most: 2 });
  if (ends.length === 0) return [0, 0];
  const [least, most] = ends.map((end) => reader.number(end));
  if (least > most) {
    const problem = `the lower end ${least} of the clamp is above the upper end ${most}`;
    reader.report(at, { problem, expected: "[least, most] with least ≤ most" });
  }
  return [least, most];
}

/**
 * Reads a unique name. It has no "=", which the command line puts between a name and a value, and no white space at its
 * ends: the names of stats are columns of CSV files, and the CSV reader trims column names.
 */
function readName(reader: SpecReader, at: Field, taken: Set<string>): string {
  const name = reader.text(at);
  if (name === "") return name;
  if (isBlank(name) || name.trim() !== name) {
    const expected = "a name with a visible character, without white space at its ends";
    reader.report(at, { problem: "invalid name", got: name, expected });
  }
  if (name.includes("=")) {
    const flawAt = name.indexOf("=");
    reader.report(at, { problem: "invalid name", got: name, flawAt, expected: 'a name without "="' });
  }
  if (taken.has(name)) {
    reader.report(at, { problem: "two entries have the same name", got: name, expected: "a different name" });
  }
  taken.add(name);
  return name;
}

/** Reads the name of a table, which is also the name of a CSV file. `taken` has the earlier names by `fileNameKey`. */
function readTableName(reader: SpecReader, at: Field, taken: Map<string, string>): string {
  const name = reader.text(at);
  if (name === "") return name;
  const expected = fileNameFlaw(name, ".csv");
  if (expected !== undefined) {
    reader.report(at, { problem: "the name of a table cannot be a file name", got: name, expected });
    return name;
  }
  const other = taken.get(fileNameKey(name)) ?? name;
  taken.set(fileNameKey(name), other);
  if (other !== name) {
    const problem = "the names of two tables lead to the same file on some systems";
    const expected = `${JSON.stringify(other)}, or a name that differs more from it`;
    reader.report(at, { problem, got: name, expected });
  }
  return name;
}

function readStat(reader: SpecReader, at: Field, stats: readonly string[]): string {
  const { value } = at;
  if (typeof value === "string" && (stats.length === 0 || stats.includes(value))) return value;
  reader.report(at, unknownName("the recipe has no such stat", value, stats));
  return "";
}

function readWeight(reader: SpecReader, at: Field, stats: readonly string[]): string {
  const name = readName(reader, at, new Set());
  if (RESERVED.includes(name) || stats.includes(name)) {
    const expected = `a name that no stat has, other than ${RESERVED.join(", ")}`;
    reader.report(at, { problem: "the column of weights has the name of another column", got: name, expected });
  }
  return name;
}

function readSteps(reader: SpecReader, at: Field, stats: readonly string[]): readonly StepSpec[] {
  const names = new Set<string>();
  const tables = new Map<string, string>();
  const places = new Map<string, SlotPlace>();
  const entries = reader.list(at, { least: 1, most: MAX_PARTS });
  const steps = entries.map((entry, index) =>
    readStep(entry, {
      reader,
      index,
      places,
      readStepName: (name) => readName(reader, name, names),
      readTableName: (table) => readTableName(reader, table, tables),
      readStat: (stat) => readStat(reader, stat, stats),
    }),
  );
  const slots = steps.reduce((sum, step) => sum + (step?.kind === "slots" ? step.slots.length : 0), 0);
  if (slots > MAX_PARTS) {
    reader.report(at, { problem: "the recipe has too many slots", got: slots, expected: `at most ${MAX_PARTS} slots` });
  }
  for (const [i, step] of steps.entries()) if (step !== undefined) checkStep(reader, entries[i], step, places);
  return steps.filter((step) => step !== undefined);
}

function checkStep(reader: SpecReader, at: Field, step: StepSpec, places: ReadonlyMap<string, SlotPlace>): void {
  if (step.kind !== "slots" && (places.has(step.name) || step.name === STRENGTH)) {
    const problem = `the name of a ${step.kind} is ${step.name === STRENGTH ? "reserved" : "also the name of a slot"}`;
    const expected = `a name that no slot has, other than "${STRENGTH}"`;
    reader.report(new Field(step.name, at, "name"), { problem, got: step.name, expected });
  }
  const decisions = decisionsOf(step);
  if (decisions <= STEP_PLANES) return;
  const expected = `at most ${STEP_PLANES} decisions`;
  const remedy = "Split the step into two steps";
  reader.report(at, { problem: "the step has too many random decisions", got: decisions, expected, remedy });
}

/** Section 5 of docs/determinism.md lists all random decisions, also those that only some items need. */
function decisionsOf(step: StepSpec): number {
  if (step.kind === "condition") return 3;
  if (step.kind === "bonus") return 2;
  const gate = step.chance === undefined ? 0 : 1;
  return step.slots.reduce((sum, { tiers, chance, special }) => {
    return sum + [tiers, chance, special].filter((part) => part !== undefined).length + 1;
  }, gate);
}
