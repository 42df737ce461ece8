import { error, fail, failOnErrors, type Issue, nearest } from "../../errors/index.js";
import type { ObjectFiles } from "../types.js";

/** A name that stands for several affixes. It changes what an object is called, nothing else. */
export interface SyntheticName {
  /** Names of affixes that the object must have, at least one; one that is listed twice must have come twice. */
  readonly affixes: readonly string[];
  readonly name: string;
  /** Where it stands: before the kind's name, or behind it. */
  readonly kind: "prefix" | "suffix";
}

/** How objects are called. */
export interface Naming {
  /**
   * Which affixes show in the name: `"best"` (the default) one before and one behind it, of the highest affix level, the
   * first of those; `"all"` all of them in the order in which they came; `"synthetic"` one of {@link synthetic} that covers as
   * many as possible, and the best of the others on the other side.
   */
  readonly affixes?: "best" | "all" | "synthetic" | undefined;
  /** With `"all"`, an affix that came again: `"stars"` (the default) "Sharp and *Sharp*", `"count"` "Sharp (x2)". */
  readonly repeats?: "stars" | "count" | undefined;
  /** For `"synthetic"`. */
  readonly synthetic?: readonly SyntheticName[] | undefined;
  /** Leaves the base armour class out; what is added to it is still shown. Off by default. */
  readonly hideAc?: boolean | undefined;
  /** Leaves the dice out. Off by default. */
  readonly hideDice?: boolean | undefined;
}

/** What is allowed for each of the plain fields. */
const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  affixes: ["best", "all", "synthetic"],
  repeats: ["stars", "count"],
  hideAc: [true, false],
  hideDice: [true, false],
};
const FIELDS = [...Object.keys(CHOICES), "synthetic"];

/**
 * Checks a naming against the files that its affixes are named in, once for all objects; comes back as it is.
 * Cost: O(affixes + names in it).
 *
 * @throws RollmillError with every issue found: `argument.type` (a field that does not exist, or holds what it cannot hold),
 *   `object.name` (an affix that the files do not have).
 */
export function checkNaming(naming: Naming, { affixes }: ObjectFiles): Naming {
  if (!isObject(naming)) fail(unusable("naming", naming, "an object"));
  const issues = Object.entries(naming).flatMap(([field, value]) => checkField(field, value));
  const names = new Set(affixes.map(({ name }) => name));
  const { synthetic = [] }: { readonly synthetic?: unknown } = naming;
  if (Array.isArray(synthetic)) {
    synthetic.forEach((entry: unknown, i) => {
      issues.push(...checkEntry(entry, `synthetic[${i}]`, names));
    });
  } else issues.push(unusable("synthetic", synthetic, "a list of {affixes, name, kind}"));
  failOnErrors(issues);
  return naming;
}

function checkField(field: string, value: unknown): readonly Issue[] {
  if (!FIELDS.includes(field)) {
    const near = nearest(field, FIELDS);
    const remedy = near === undefined ? {} : { remedy: `Did you mean ${JSON.stringify(near)}?` };
    const problem = "a naming has no such field";
    const expected = `one of ${FIELDS.join(", ")}`;
    return [error("argument.type", { problem, got: field, expected, ...remedy, where: { path: field } })];
  }
  const allowed = CHOICES[field] ?? [value];
  if (value === undefined || allowed.includes(value)) return [];
  return [unusable(field, value, allowed.map((choice) => JSON.stringify(choice)).join(" or "))];
}

function checkEntry(entry: unknown, path: string, names: ReadonlySet<string>): readonly Issue[] {
  if (!isObject(entry)) return [unusable(path, entry, "an object {affixes, name, kind}")];
  const { affixes, name, kind } = entry;
  const issues: Issue[] = [];
  if (typeof name !== "string" || name.trim() === "") issues.push(unusable(`${path}.name`, name, "a text"));
  if (kind !== "prefix" && kind !== "suffix") issues.push(unusable(`${path}.kind`, kind, '"prefix" or "suffix"'));
  if (!Array.isArray(affixes) || affixes.length === 0) {
    return [...issues, unusable(`${path}.affixes`, affixes, "the names of one affix or more")];
  }
  affixes.forEach((affix: unknown, i) => {
    if (typeof affix !== "string") issues.push(unusable(`${path}.affixes[${i}]`, affix, "the name of an affix"));
    else if (!names.has(affix)) issues.push(unknownAffix(affix, `${path}.affixes[${i}]`, names));
  });
  return issues;
}

function unknownAffix(got: string, path: string, names: ReadonlySet<string>): Issue {
  const near = nearest(got, names);
  return error("object.name", {
    problem: "there is no such affix",
    got,
    expected: "the name of an affix of ego_item.txt",
    remedy: near === undefined ? "Name one of the file" : `Did you mean ${JSON.stringify(near)}?`,
    where: { path },
  });
}

function unusable(path: string, got: unknown, expected: string): Issue {
  return error("argument.type", { problem: `${path} is not usable`, got, expected, where: { path } });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
