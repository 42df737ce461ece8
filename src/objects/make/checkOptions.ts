import { checkInteger } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { MAX_DEPTH } from "../parse/values.js";
import { meant } from "../show/report.js";
import type { MakeObjectsOptions } from "./options.js";
import type { TallyOptions } from "./tally.js";

/** What is scored besides flags. */
const BODY = ["toHit", "toDam", "toAc", "ac", "dice"] as const;
/** (columns say a level by a number of 16 bits, plans by a byte) */
const MOST_LEVELS = 255;
/** (words of an object are counted in 32 bits) */
const MOST_ATTEMPTS = 2 ** 24;
const LONGEST_LEVEL = 80;

/**
 * Checks what is asked, as far as no files are needed for it: callers may have no types. Keys that are no option are not looked
 * at.
 *
 * @throws RollmillError `argument.type`, `argument.range`; `object.request` for a limit that is none.
 */
export function checkOptions(options: unknown): asserts options is MakeObjectsOptions {
  const asked = recordOf("the options", options, "an object such as { level: 10 }");
  checkInteger("level", asked.level, 0, MAX_DEPTH);
  if (asked.attempts !== undefined) checkInteger("attempts", asked.attempts, 1, MOST_ATTEMPTS);
  if (asked.from !== undefined) checkInteger("from", asked.from, 0, Number.MAX_SAFE_INTEGER);
  for (const name of ["good", "great", "artifacts"]) {
    if (!isOneOf(asked[name], ["boolean"])) refuse(name, asked[name], "true or false");
  }
  for (const name of ["kind", "tval", "theme", "artifact"]) checkRecord(name, asked[name]);
  if (!isOneOf(asked.affixLevel, ["string"])) refuse("affixLevel", asked.affixLevel, "the name of an affix level");
  checkWith(asked.with);
  if (asked.limit !== undefined) checkShape(asked.limit);
  if (!isOneOf(asked.onProgress, ["function"])) refuse("onProgress", asked.onProgress, "a function");
  const signal = asked.signal as { readonly throwIfAborted?: unknown } | null | undefined;
  if (signal !== undefined && typeof signal?.throwIfAborted !== "function") refuse("signal", signal, "an AbortSignal");
}

/** The most objects of a level that are counted: 256 levels of them have an index each. */
const MOST_OBJECTS = 2 ** 24;

/**
 * Checks what is to be counted, as {@link checkOptions} checks what is to be made.
 *
 * @throws RollmillError `argument.type`, `argument.range`; `object.request` for a limit that is none.
 */
export function checkTally(options: unknown): asserts options is TallyOptions {
  const { levels, n, ...asked } = recordOf("the options", options, "an object such as { levels: [1, 10] }");
  if (!Array.isArray(levels)) return refuse("levels", levels, "a list of depths");
  for (const [i, level] of levels.entries()) checkInteger(`levels[${i}]`, level, 0, MAX_DEPTH);
  if (n !== undefined) checkInteger("n", n, 1, MOST_OBJECTS);
  checkOptions({ ...asked, level: 0 });
}

/**
 * Checks how good an object is by a caller's own measure.
 *
 * @throws RollmillError `object.request` for what is no number.
 */
export function checkPower(power: unknown): number {
  if (typeof power === "number" && !Number.isNaN(power)) return power;
  const [problem, expected] = ["limit.power answers with no number", "a number for every object"];
  return fail(error("object.request", { problem, got: power, expected, remedy: "Mend the function" }));
}

/**
 * Checks the names of affix levels.
 *
 * @throws RollmillError `argument.type` where they are no list of texts, `argument.range` where no file could name them.
 */
export function checkLevels(levels: unknown): asserts levels is readonly string[] {
  const expected = "a list of names, the lowest level first";
  if (!Array.isArray(levels)) return refuse("levels", levels, expected);
  const names: readonly unknown[] = Array.from(levels);
  const stranger = names.findIndex((name) => typeof name !== "string");
  if (stranger >= 0) refuse(`levels[${stranger}]`, names[stranger], "a name");
  const isName = (name: unknown) =>
    typeof name === "string" && /^[^:\p{Control}\p{Surrogate}]+$/u.test(name) && name.trim() === name;
  const flaw = names.find((name, i) => !isName(name) || String(name).length > LONGEST_LEVEL || names.indexOf(name) < i);
  if (flaw === undefined && names.length > 0 && names.length <= MOST_LEVELS) return;
  fail(
    error("argument.range", {
      problem: "the affix levels are not usable",
      got: flaw ?? `${names.length} levels`,
      expected: `1 to ${MOST_LEVELS} names, each once, without colons and blanks at the ends`,
      remedy: "Name them as the T lines do",
    }),
  );
}

/**
 * The fields of an object from outside.
 *
 * @throws RollmillError `argument.type` for what is none.
 */
export function recordOf(what: string, value: unknown, expected: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return refuse(what, value, expected);
}

function checkWith(affixes: unknown): void {
  if (affixes === undefined) return;
  const list: readonly unknown[] = Array.isArray(affixes)
    ? affixes
    : refuse("with", affixes, "a list of affixes, by name or number");
  for (const [i, affix] of list.entries()) {
    if (affix === undefined) refuse(`with[${i}]`, affix, "a name or a number");
    checkRecord(`with[${i}]`, affix);
  }
}

function checkRecord(name: string, value: unknown): void {
  if (!isOneOf(value, ["string", "number"])) refuse(name, value, "a name or a number");
}

/** Checks what a limit is made of; whether it is one is for who knows the files to say. */
function checkShape(given: unknown): void {
  const { most, scores, power, ...others } = recordOf("limit", given, "an object with most, and scores or a power");
  refuseOthers("part of a limit", Object.keys(others), ["most", "scores", "power"]);
  if (typeof most !== "number" || Number.isNaN(most)) {
    const problem = "limit.most is not usable";
    fail(error("object.request", { problem, got: most, expected: "a number", remedy: "Say how much is allowed" }));
  }
  if (!isOneOf(power, ["function"])) refuse("limit.power", power, "a function");
  if (scores === undefined) return;
  const { flags, ...body } = recordOf("limit.scores", scores, "an object of scores");
  if (flags !== undefined) recordOf("limit.scores.flags", flags, "an object of scores by flag");
  refuseOthers("score", Object.keys(body), [...BODY, "flags"]);
}

/** Refuses names that are none of the known ones. */
function refuseOthers(what: string, names: readonly string[], known: readonly string[]): void {
  const got = names.find((name) => !known.includes(name));
  if (got === undefined) return;
  const expected = `one of ${known.join(", ")}`;
  fail(
    error("object.request", {
      problem: `there is no such ${what}`,
      got,
      expected,
      ...meant(got, known, "Take it out"),
    }),
  );
}

function isOneOf(value: unknown, types: readonly string[]): boolean {
  return value === undefined || types.includes(typeof value);
}

function refuse(name: string, got: unknown, expected: string): never {
  return fail(error("argument.type", { problem: `${name} is not usable`, got, expected }));
}
