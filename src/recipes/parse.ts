import type { Issue } from "../errors/index.js";
import { readStep, type SlotPlace } from "./parseSteps.js";
import {
  didYouMean,
  type Fields,
  guarded,
  hasErrors,
  listed,
  type Report,
  readArray,
  readFields,
  readNumber,
  readText,
  report,
} from "./report.js";
import type { RecipeSpec, StatSpec, StepSpec } from "./types.js";

/** The most steps, stats and (in all steps) slots of a recipe. */
export const MAX_PARTS = 64;
/** The most decisions of one step: each step has 16 planes. */
export const MAX_DECISIONS = 16;
/** Names that mean something else in a word's row or in an item's. */
export const RESERVED = ["id", "word", "active", "status", "tier", "name", "requests"];

/**
 * Reads a recipe from an object, trusting nothing in it. `spec`, a copy, is there where the issues have no error.
 * Every issue has the code `recipe.spec`, and a path. Cost: O(size).
 */
export function parseRecipe(
  input: unknown,
  { file }: { readonly file?: string | undefined } = {},
): { spec?: RecipeSpec; issues: readonly Issue[] } {
  const to: Report = { issues: [], file, code: "recipe.spec" };
  const spec = guarded(to, () => readSpec(to, input));
  return spec === undefined || hasErrors(to) ? { issues: to.issues } : { spec, issues: to.issues };
}

function readSpec(to: Report, input: unknown): RecipeSpec | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    const expected = "an object with stats, strength, steps";
    report(to, "", { problem: "a recipe is no object", got: input, expected });
    return undefined;
  }
  const fields = readFields(to, "", input, ["stats", "strength", "steps"]);
  const stats = readStats(to, fields.get("stats"));
  const names = stats.map(({ name }) => name);
  const strength = readStat(to, "strength", fields.get("strength"), names);
  return { stats, strength, steps: readSteps(to, fields, names) };
}

function readStats(to: Report, value: unknown): readonly StatSpec[] {
  const names = new Set<string>();
  return readArray(to, "stats", value, { least: 1, most: MAX_PARTS }).map((entry, i) => {
    const path = `stats[${i}]`;
    const fields = readFields(to, path, entry, ["name", "clamp"]);
    const name = readName(to, `${path}.name`, fields.get("name"), names);
    if (RESERVED.includes(name)) {
      const problem = "a stat's name means something else in a row";
      report(to, `${path}.name`, { problem, got: name, expected: `a name other than ${RESERVED.join(", ")}` });
    }
    const clamp = fields.get("clamp");
    return clamp === undefined ? { name } : { name, clamp: readClamp(to, `${path}.clamp`, clamp) };
  });
}

function readClamp(to: Report, path: string, value: unknown): readonly [number, number] {
  const ends = readArray(to, path, value, { least: 2, most: 2 });
  if (ends.length === 0) return [0, 0];
  const [least, most] = ends.map((end, i) => readNumber(to, `${path}[${i}]`, end));
  if (least > most) {
    report(to, path, {
      problem: "the clamp's ends are swapped",
      got: `[${least}, ${most}]`,
      expected: "[least, most]",
    });
  }
  return [least, most];
}

/** A name of its own: 1 to 256 characters, none of them "=", which ends it on the command line. */
function readName(to: Report, path: string, value: unknown, taken: Set<string>): string {
  const name = readText(to, path, value);
  if (name === "") return name;
  if (name.includes("="))
    report(to, path, { problem: "a name is not usable", got: name, expected: 'a name without "="' });
  if (taken.has(name)) report(to, path, { problem: "a name stands twice", got: name, expected: "a name of its own" });
  taken.add(name);
  return name;
}

/** The name of a stat that there is. Where no stat was read, that is reported already. */
function readStat(to: Report, path: string, value: unknown, stats: readonly string[]): string {
  if (typeof value === "string" && (stats.length === 0 || stats.includes(value))) return value;
  const hint = typeof value === "string" ? didYouMean(value, stats) : {};
  report(to, path, { problem: "there is no such stat", got: value, expected: `one of ${listed(stats)}`, ...hint });
  return "";
}

function readSteps(to: Report, fields: Fields, stats: readonly string[]): readonly StepSpec[] {
  const names = new Set<string>();
  const places = new Map<string, SlotPlace>();
  const steps = readArray(to, "steps", fields.get("steps"), { least: 1, most: MAX_PARTS }).map((entry, index) =>
    readStep(entry, {
      to,
      index,
      path: `steps[${index}]`,
      places,
      readStepName: (path, value) => readName(to, path, value, names),
      readStat: (path, value) => readStat(to, path, value, stats),
    }),
  );
  const slots = steps.reduce((sum, step) => sum + (step?.kind === "slots" ? step.slots.length : 0), 0);
  if (slots > MAX_PARTS) {
    report(to, "steps", { problem: "there are too many slots", got: slots, expected: `at most ${MAX_PARTS}` });
  }
  steps.forEach((step, i) => {
    if (step !== undefined && step.kind !== "slots" && places.has(step.name)) {
      const problem = "a step with outcomes has a slot's name, and both are columns";
      report(to, `steps[${i}].name`, { problem, got: step.name, expected: "a name that no slot has" });
    }
    const decisions = step === undefined ? 0 : decisionsOf(step);
    if (decisions <= MAX_DECISIONS) return;
    report(to, `steps[${i}]`, {
      problem: "the step has too many decisions",
      got: decisions,
      expected: `at most ${MAX_DECISIONS}`,
      remedy: "Make two steps of it",
    });
  });
  return steps.filter((step) => step !== undefined);
}

/** How many decisions a step has, reached or not; docs/determinism.md numbers them. */
export function decisionsOf(step: StepSpec): number {
  if (step.kind === "condition") return 3;
  if (step.kind === "bonus") return 2;
  const gate = step.chance === undefined ? 0 : 1;
  return step.slots.reduce((sum, { tiers, chance, special }) => {
    return sum + [tiers, chance, special].filter((part) => part !== undefined).length + 1;
  }, gate);
}
