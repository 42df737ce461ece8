import { didYouMean, error, fail, failOnErrors, type Issue } from "../../errors/index.js";
import { isObject } from "../../spec/index.js";
import type { ObjectFiles } from "../types.js";

/** A name that replaces several affixes in the names of objects. */
export interface SyntheticName {
  /** Names of affixes that the object must have, 1 to 1,000. A name that is listed twice must occur twice. */
  readonly affixes: readonly string[];
  readonly name: string;
  /** The place of the synthetic name: a prefix stands before the name of the object's kind, a suffix after it. */
  readonly kind: "prefix" | "suffix";
}

/** Options for the names of objects. */
export interface Naming {
  /**
   * Selects the affixes that the name shows.
   * - `"best"` (default): on each side of the kind's name, the first affix of the highest affix level.
   * - `"all"`: all affixes, in the order of the rolls.
   * - `"synthetic"`: the name in {@link synthetic} that replaces the most affixes. On the other side, the best affix that
   *   this name does not replace.
   */
  readonly affixes?: "best" | "all" | "synthetic" | undefined;
  /** How `"all"` writes a repeated affix: `"stars"` (default) "Sharp and *Sharp*", `"count"` "Sharp (x2)". */
  readonly repeats?: "stars" | "count" | undefined;
  /** The names for `"synthetic"`, at most 10,000. The list is checked once: do not change it later. */
  readonly synthetic?: readonly SyntheticName[] | undefined;
  /** Whether to omit the base armour class. The to-ac bonus stays. Default false. */
  readonly hideAc?: boolean | undefined;
  /** Whether to omit the dice. Default false. */
  readonly hideDice?: boolean | undefined;
  /** Number of equal objects, 0 or more: "3 Iron Shots". Default 1. */
  readonly number?: number | undefined;
}

/** The allowed values of each field. */
const CHOICES: Readonly<Record<string, readonly unknown[] | undefined>> = {
  affixes: ["best", "all", "synthetic"],
  repeats: ["stars", "count"],
  hideAc: [true, false],
  hideDice: [true, false],
  synthetic: undefined,
  number: undefined,
};
const FIELDS = Object.keys(CHOICES);

const MAX_NAMES = 10_000;
const MAX_PARTS = 1_000;

/** The checked lists of synthetic names. Millions of names can be composed with one list. */
const known = new WeakMap<ObjectFiles, WeakSet<object>>();

/** Checks a naming, and returns it. Cost: O(1); the first call with a list of synthetic names checks its names. */
export function checkedNaming(given: Naming, files: ObjectFiles): Naming {
  if (!isObject(given)) return fail(invalid("naming", given, "an object"));
  failOnErrors(Object.entries(given).flatMap(([field, value]) => checkField(field, value, files)));
  return given;
}

function checkField(field: string, value: unknown, files: ObjectFiles): readonly Issue[] {
  if (!FIELDS.includes(field)) {
    const expected = `one of ${FIELDS.join(", ")}`;
    const finding = { problem: "unknown field", got: field, expected, ...didYouMean(field, FIELDS) };
    return [error("argument.option", { ...finding, where: { path: field } })];
  }
  if (value === undefined) return [];
  if (field === "synthetic") return checkSynthetic(value, files);
  if (field === "number") {
    return Number.isSafeInteger(value) && Number(value) >= 0 ? [] : [invalid(field, value, "an integer of 0 or more")];
  }
  const allowed = CHOICES[field] ?? [];
  if (allowed.includes(value)) return [];
  return [invalid(field, value, allowed.map((choice) => JSON.stringify(choice)).join(" or "))];
}

function checkSynthetic(list: unknown, files: ObjectFiles): readonly Issue[] {
  if (!Array.isArray(list) || list.length > MAX_NAMES) {
    return [invalid("synthetic", list, `an array of at most ${MAX_NAMES} objects {affixes, name, kind}`)];
  }
  const checked = known.get(files) ?? new WeakSet();
  if (checked.has(list)) return [];
  const names = new Set(files.affixes.map(({ name }) => name));
  const issues = Array.from(list).flatMap((entry, i) => checkEntry(entry, `synthetic[${i}]`, names));
  if (issues.length === 0) known.set(files, checked.add(list));
  return issues;
}

function checkEntry(entry: unknown, path: string, names: ReadonlySet<string>): readonly Issue[] {
  if (!isObject(entry)) return [invalid(path, entry, "an object {affixes, name, kind}")];
  const { affixes, name, kind } = entry;
  const issues: Issue[] = [];
  if (typeof name !== "string" || name.trim() === "") issues.push(invalid(`${path}.name`, name, "a name"));
  if (kind !== "prefix" && kind !== "suffix") issues.push(invalid(`${path}.kind`, kind, '"prefix" or "suffix"'));
  if (!Array.isArray(affixes) || affixes.length === 0 || affixes.length > MAX_PARTS) {
    return [...issues, invalid(`${path}.affixes`, affixes, `an array of 1 to ${MAX_PARTS} names of affixes`)];
  }
  for (const [i, affix] of affixes.entries()) {
    const at = `${path}.affixes[${i}]`;
    if (typeof affix !== "string") issues.push(invalid(at, affix, "the name of an affix"));
    else if (!names.has(affix)) {
      const expected = "the name of an affix of ego_item.txt";
      const hint = didYouMean(affix, names, "Use the name of an affix in the file");
      const finding = { problem: "unknown affix", got: affix, expected, ...hint };
      issues.push(error("object.name", { ...finding, where: { path: at } }));
    }
  }
  return issues;
}

function invalid(path: string, got: unknown, expected: string): Issue {
  return error("argument.type", { problem: "invalid value", got, expected, where: { path } });
}
