import { checkInteger } from "../../calls/index.js";
import { error, type Finding, fail } from "../../errors/index.js";
import { toNumber } from "../../fractions.js";
import type { ObjectPlan } from "../compile.js";
import { whyImpossible } from "../odds/impossible.js";
import { drawnKinds, kindOdds } from "../odds/kinds.js";
import { MOST_AFFIXES } from "../odds/law.js";
import { affixNamed, artifactNamed, kindNamed, themeNamed } from "../parse/lookup.js";
import { NO_TVAL, tvalOf, tvalWord } from "../parse/tvals.js";
import { MAX_DEPTH } from "../parse/values.js";
import { meant } from "../show/report.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, Quality, ThemeSpec } from "../types.js";
import type { ObjectLimit, ObjectOptions } from "./options.js";

/** What is asked, in records of the files. */
export interface Asked {
  readonly level: number;
  readonly quality: Quality;
  readonly kind: KindSpec | undefined;
  readonly tval: number | undefined;
  readonly affixes: readonly AffixSpec[];
  readonly theme: ThemeSpec | undefined;
  readonly artifact: ArtifactSpec | undefined;
  /** Index into the levels. */
  readonly affixLevel: number | undefined;
  readonly artifacts: boolean;
  readonly limit: ObjectLimit | undefined;
  readonly attempts: number;
}

/** The most objects thrown away for one, unless the caller says otherwise. */
const ATTEMPTS = 10_000_000;

/**
 * Reads what is asked, but for its limit, which is checked apart.
 *
 * @throws RollmillError `argument.range`; `object.name` for a name that is not in the files; `object.request` for what is no
 * request; `object.impossible` for what no object can be.
 */
export function readAsked({ files }: ObjectPlan, options: ObjectOptions): Asked {
  const { level, attempts = ATTEMPTS, artifacts = true } = options;
  checkInteger("level", level, 0, MAX_DEPTH);
  const quality: Quality = options.great === true ? "great" : options.good === true ? "good" : "normal";
  const kind = options.kind === undefined ? undefined : kindNamed(files, options.kind);
  const tval = options.tval === undefined ? undefined : findTval(files, options.tval);
  const affixes = (options.with ?? []).map((name) => affixNamed(files, name));
  const theme = options.theme === undefined ? undefined : themeNamed(files, options.theme);
  const artifact = options.artifact === undefined ? undefined : artifactNamed(files, options.artifact);
  const affixLevel = options.affixLevel === undefined ? undefined : levelOf(files, options.affixLevel);
  if (affixes.length > MOST_AFFIXES)
    refuse({ problem: "too many affixes are asked for", got: affixes.length, expected: `at most ${MOST_AFFIXES}` });
  if (artifact !== undefined && (affixes.length > 0 || theme !== undefined)) {
    refuse({
      problem: "an artifact is asked for with affixes or a theme",
      got: artifact.name,
      expected: "one of them",
    });
  }
  if (artifact !== undefined && (!artifacts || affixLevel !== undefined)) {
    const other = artifacts ? "an affix level" : "no artifacts";
    refuse({ problem: `an artifact is asked for, and ${other}`, got: artifact.name, expected: "one of them" });
  }
  const asked: Asked = {
    level,
    quality,
    kind,
    tval,
    affixes,
    theme,
    artifact,
    affixLevel,
    artifacts,
    attempts,
    limit: undefined,
  };
  refuseImpossible(files, asked);
  return asked;
}

/** Kinds are picked till one is of the type asked for: one in so many is often enough. */
const RAREST_TYPE = 100_000;

/** Refuses what no object can be, as far as that can be told, and a type that hardly ever comes. */
function refuseImpossible(files: ObjectFiles, asked: Asked): void {
  const finding = whyImpossible(files, asked);
  if (finding !== undefined) fail(error("object.impossible", finding));
  const { kind, artifact, level, quality, tval } = asked;
  if (kind !== undefined || artifact !== undefined) return;
  // a pick among no kinds has no outcome
  if (!drawnKinds(files, { level, quality }).isEverywhere) {
    const problem = `at some of the depths that a ${quality} object's kind may come from there is none`;
    const expected = "depths at which A lines of kinds leave no gap";
    const remedy = "Ask for another level, or name a kind";
    fail(error("object.impossible", { problem, got: `level ${level}`, expected, remedy }));
  }
  if (tval === undefined) return;
  const share = [...kindOdds(files, { level, quality }).kinds].reduce(
    (sum, [{ tval: own }, chance]) => (own === tval ? sum + toNumber(chance) : sum),
    0,
  );
  if (share * RAREST_TYPE >= 1) return;
  const problem = "kinds of this type hardly ever come";
  const got = `${tvalWord(tval)}, one in ${Math.round(1 / share)}`;
  const remedy = "Name a kind of the type instead";
  fail(error("object.impossible", { problem, got, expected: `one in ${RAREST_TYPE} at least`, remedy }));
}

function findTval({ kinds }: ObjectFiles, name: string | number): number {
  const tval = typeof name === "number" ? name : (tvalOf(name) ?? (name === "" ? Number.NaN : Number(name)));
  const known = new Set(kinds.map((kind) => kind.tval));
  known.delete(NO_TVAL);
  if (known.has(tval)) return tval;
  const expected = `one of ${[...known].map(tvalWord).join(", ")}`;
  return refuse({ problem: "there are no kinds of this type", got: name, expected });
}

function levelOf({ levels }: ObjectFiles, name: string): number {
  const index = levels.indexOf(name);
  if (index >= 0) return index;
  return refuse({ problem: "there is no such affix level", got: name, expected: `one of ${levels.join(", ")}` });
}

/**
 * Checks a limit.
 *
 * @throws RollmillError `object.request`, `argument.range`.
 */
export function checkLimit(files: ObjectFiles, limit: ObjectLimit | undefined): void {
  if (limit === undefined) return;
  const { most, scores, power } = limit;
  if ((scores === undefined) === (power === undefined)) {
    refuse({ problem: "a limit needs scores or a power", expected: "one of the two" });
  }
  if (power !== undefined) {
    if (typeof power === "function" && !Number.isNaN(most)) return;
    refuse({ problem: "the limit is not usable", got: most, expected: "a number, and a function for the power" });
  }
  const least = -(2 ** 31);
  checkInteger("limit.most", most, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const { flags = {}, ...body } = scores ?? {};
  for (const [name, score] of Object.entries(body)) checkInteger(`the score of ${name}`, score, least, -least - 1);
  for (const [name, score] of Object.entries(flags)) {
    checkInteger(`the score of ${name}`, score, least, -least - 1);
    if (files.flags.some((flag) => flag.name === name)) continue;
    const known = files.flags.map((flag) => flag.name);
    refuse({
      problem: "there is no such flag",
      got: name,
      expected: "a flag of the flag list",
      ...meant(name, known, "Check the list"),
    });
  }
}

function refuse(finding: Omit<Finding, "remedy"> & { readonly remedy?: string }): never {
  return fail(error("object.request", { remedy: "Ask for what the files have", ...finding }));
}
