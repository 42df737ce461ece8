import { BULK_OPTIONS, MAX_INDEX, refusePromise, refuseThrown, type Watch } from "../../calls/index.js";
import { didYouMean, error, type Finding, fail } from "../../errors/index.js";
import { toNumber } from "../../fractions.js";
import { checkInteger, isObject, readList, readOptions } from "../../spec/index.js";
import { MAX_DEPTH } from "../law/constants.js";
import { drawnKinds, kindOdds } from "../law/kinds.js";
import { excludeEachOther, MOST_AFFIXES } from "../law/slots.js";
import { typeWord } from "../law/tvals.js";
import { type ObjectRequest, whyImpossible } from "../odds/impossible.js";
import { affixNamed, artifactNamed, kindNamed, levelNamed, themeNamed, tvalNamed } from "../parse/names.js";
import type {
  AffixSpec,
  ArtifactSpec,
  MadeObject,
  MakeObjectsOptions,
  ObjectFiles,
  ObjectLimit,
  ObjectOptions,
  Quality,
} from "../types.js";
import type { MadeObjects } from "./madeObjects.js";
import type { ArtifactOwner } from "./stock.js";

const ATTEMPTS = 10_000_000;
/** Up to this number of attempts, the number of words that an object reads fits in 32 bits. */
const MAX_ATTEMPTS = 2 ** 24;
/** The kernel draws kinds until one has the requested type. At least 1 of this many drawn kinds must have the type. */
const RAREST_TYPE = 100_000;
const SCORES = [-(2 ** 31), 2 ** 31 - 1] as const;
const LIMITS = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;
const BODY = ["toHit", "toDam", "toAc", "ac", "dice"];

type TypeCheck = readonly [types: readonly string[], expected: string];
const FLAG: TypeCheck = [["boolean"], "true or false"];
const NAME: TypeCheck = [["string", "number"], "a name or a number"];

/** The options of a request. An option without a type is checked elsewhere. */
const OPTIONS: Readonly<Record<keyof ObjectOptions, TypeCheck | undefined>> = {
  level: undefined,
  good: FLAG,
  great: FLAG,
  kind: NAME,
  tval: NAME,
  with: undefined,
  theme: NAME,
  artifact: NAME,
  affixLevel: [["string"], "the name of an affix level"],
  artifacts: FLAG,
  limit: undefined,
  attempts: undefined,
};

export const REQUEST_OPTIONS = Object.keys(OPTIONS) as readonly (keyof ObjectOptions)[];

/** Reads the options of a call, without looking up names. Throws `argument.*`, `object.request`. */
export function readCallOptions<Options extends Partial<MakeObjectsOptions>>(
  call: string,
  options: Options,
  known: readonly string[] = [...REQUEST_OPTIONS, ...BULK_OPTIONS],
): Options & MakeObjectsOptions {
  const read: Record<string, unknown> = { ...readOptions(call, options, known) };
  checkInteger("level", read.level, 0, MAX_DEPTH);
  if (read.attempts !== undefined) checkInteger("attempts", read.attempts, 1, MAX_ATTEMPTS);
  for (const name of ["at", "from"]) {
    if (read[name] !== undefined) checkInteger(name, read[name], 0, MAX_INDEX - 1);
  }
  for (const name of REQUEST_OPTIONS) checkType(name, read[name], OPTIONS[name]);
  if (read.with !== undefined) {
    const affixes = readList("with", read.with, { of: "affixes, by name or number" });
    if (affixes.length > MOST_AFFIXES) {
      const expected = `at most ${MOST_AFFIXES}`;
      const problem = "too many affixes are requested";
      refuse({ problem, got: affixes.length, expected, remedy: "Request fewer affixes" });
    }
    for (const [i, affix] of affixes.entries()) {
      if (!NAME[0].includes(typeof affix)) refuseType(`with[${i}]`, affix, NAME[1]);
    }
    read.with = affixes;
  }
  // the cast is safe: the values were checked above
  return read as unknown as Options & MakeObjectsOptions;
}

export function qualityOf({ good, great }: Pick<ObjectOptions, "good" | "great">): Quality {
  if (great === true) return "great";
  return good === true ? "good" : "normal";
}

/** Looks up the records that the options name. Does not read `limit`. Throws `object.name`, `object.request`. */
export function readRequest(files: ObjectFiles, options: ObjectOptions): ObjectRequest {
  const { level, attempts = ATTEMPTS, artifacts = true } = options;
  const named = <Name, T>(name: Name | undefined, find: (files: ObjectFiles, name: Name) => T) =>
    name === undefined ? undefined : find(files, name);
  const affixes = (options.with ?? []).map((name) => affixNamed(files, name));
  const theme = named(options.theme, themeNamed);
  const artifact = named(options.artifact, artifactNamed);
  if (artifact !== undefined) {
    const other = rivalOf(options);
    const problem = `the artifact ${JSON.stringify(artifact.name)} cannot be requested together with ${other}`;
    if (other !== undefined) refuse({ problem, remedy: "Remove one of these options" });
  }
  return {
    level,
    quality: qualityOf(options),
    kind: named(options.kind, kindNamed),
    tval: named(options.tval, tvalNamed),
    affixes,
    theme,
    artifact,
    affixLevel: named(options.affixLevel, levelNamed),
    artifacts,
    attempts,
    limit: undefined,
  };
}

function rivalOf({ with: affixes = [], theme, artifacts, affixLevel }: ObjectOptions): string | undefined {
  if (affixes.length > 0) return 'the option "with"';
  if (theme !== undefined) return 'the option "theme"';
  if (artifacts === false) return '"artifacts" set to false';
  return affixLevel === undefined ? undefined : 'the option "affixLevel"';
}

/** Returns the reason why no objects, or too few, can fit a request. Returns undefined if no reason is known. */
export function impossible(files: ObjectFiles, request: ObjectRequest, watch?: Watch): Finding | undefined {
  const { kind, artifact, level, quality, tval } = request;
  const finding = whyImpossible(files, request, watch);
  if (finding !== undefined || kind !== undefined || artifact !== undefined) return finding;
  // a good or great object draws its kind at one of several depths, and each of these depths must have a kind
  if (!drawnKinds(files, { level, quality }).isEverywhere) {
    const problem = `a ${quality} object at level ${level} can draw its kind at a depth that has no kinds`;
    const expected = "kinds whose A lines cover all depths of the draw";
    return { problem, expected, remedy: "Request another level, or name a kind" };
  }
  if (tval === undefined) return undefined;
  let share = 0;
  for (const [drawn, chance] of kindOdds(files, { level, quality, watch }).kinds) {
    if (drawn.tval === tval) share += toNumber(chance);
  }
  if (share * RAREST_TYPE >= 1) return undefined;
  return {
    problem: `only one in ${Math.round(1 / share)} drawn kinds has the type ${typeWord(files, tval)}`,
    expected: `at least one in ${RAREST_TYPE}`,
    remedy: "Name a kind of this type instead",
  };
}

export function readLimit(files: ObjectFiles, limit: unknown): ObjectLimit | undefined {
  if (limit === undefined) return undefined;
  if (!isObject(limit)) return refuseType("limit", limit, 'an object with "most", and with "scores" or "power"');
  const { $schema, most, scores, power, ...others } = limit;
  refuseOthers("limit", others, ["most", "scores", "power"]);
  checkType("limit.$schema", $schema, [["string"], "the address of a JSON Schema, as a text"]);
  if (typeof most !== "number" || Number.isNaN(most)) {
    const flaw =
      most === undefined ? { problem: '"limit.most" is missing' } : { problem: 'invalid "limit.most"', got: most };
    const remedy = "Set the highest score that is allowed";
    return refuse({ ...flaw, expected: "a number", remedy, where: { path: "limit.most" } });
  }
  checkType("limit.power", power, [["function"], "a function"]);
  if ((scores === undefined) === (power === undefined)) {
    const both = scores === undefined ? 'neither "scores" nor "power"' : 'both "scores" and "power"';
    refuse({ problem: `"limit" has ${both}`, remedy: "Set exactly one of the two", where: { path: "limit" } });
  }
  // the cast is safe: the type of `power` was checked above
  if (scores === undefined) return { most, power } as ObjectLimit;
  checkLimitInteger("limit.most", most, LIMITS);
  return { most, scores: readScores(files, scores) };
}

function readScores({ flags: known }: ObjectFiles, scores: unknown): NonNullable<ObjectLimit["scores"]> {
  if (!isObject(scores)) return refuseType("limit.scores", scores, "an object with a score for each property");
  const { flags = {}, ...body } = scores;
  refuseOthers("limit.scores", body, [...BODY, "flags"]);
  if (!isObject(flags)) return refuseType("limit.scores.flags", flags, "an object with a score for each flag");
  for (const [name, score] of Object.entries(body)) checkLimitInteger(`limit.scores.${name}`, score, SCORES);
  const names = new Set(known.map(({ name }) => name));
  for (const [name, score] of Object.entries(flags)) {
    const path = `limit.scores.flags.${name}`;
    checkLimitInteger(path, score, SCORES);
    if (names.has(name)) continue;
    const hint = didYouMean(name, names, "Use a flag of this list");
    refuse({ problem: "unknown flag", got: name, expected: "a flag of the flag list", ...hint, where: { path } });
  }
  return { ...body, flags } as NonNullable<ObjectLimit["scores"]>;
}

function checkLimitInteger(path: string, value: unknown, [least, most]: readonly [number, number]): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return;
  const expected = `an integer from ${least} to ${most}`;
  fail(error("argument.range", { problem: `invalid ${JSON.stringify(path)}`, got: value, expected, where: { path } }));
}

/** Calls the user's function `limit.power` for an unfinished object. Refuses a result that is not a number. */
export function powerOf(power: NonNullable<ObjectLimit["power"]>, one: MadeObjects, name: string): number {
  const { from, making } = one;
  const object = `object ${from} of ${JSON.stringify(name)} at level ${making.level}`;
  const where = { path: "limit.power" };
  const callback = { what: `"limit.power" for ${object}`, where };
  let returned: unknown;
  try {
    returned = power(one.at(0));
  } catch (cause) {
    refuseThrown(callback, cause);
  }
  if (typeof returned === "number" && !Number.isNaN(returned)) return returned;
  refusePromise(returned, callback);
  const problem = `"limit.power" did not return a number for ${object}`;
  return refuse({ problem, got: returned, expected: "a number", remedy: "Return a number from the function", where });
}

function refuseOthers(path: string, others: object, known: readonly string[]): void {
  const got = Object.keys(others).find((name) => !known.includes(name));
  if (got === undefined) return;
  const hint = didYouMean(got, known, "Remove it");
  const problem = `unknown key of ${JSON.stringify(path)}`;
  refuse({ problem, got, expected: `one of ${known.join(", ")}`, ...hint, where: { path } });
}

function checkType(name: string, value: unknown, check: TypeCheck | undefined): void {
  if (value !== undefined && check?.[0].includes(typeof value) === false) refuseType(name, value, check[1]);
}

function refuseType(name: string, got: unknown, expected: string): never {
  const problem = `invalid option ${JSON.stringify(name)}`;
  return fail(error("argument.type", { problem, got, expected, where: { path: name } }));
}

function refuse(finding: Finding): never {
  return fail(error("object.request", finding));
}

export function checkChoice<T extends string>(name: string, value: unknown, known: readonly T[]): asserts value is T {
  if (known.some((one) => one === value)) return;
  const expected = `one of ${known.join(", ")}`;
  if (value === undefined) fail(error("argument.type", { problem: `the option "${name}" is missing`, expected }));
  const hint = typeof value === "string" ? didYouMean(value, known) : {};
  fail(error("argument.type", { problem: `unknown value of the option "${name}"`, got: value, expected, ...hint }));
}

export function refuseBusyStock(name: string): never {
  const problem = `the stock of artifacts of the object maker ${JSON.stringify(name)} is busy with another call`;
  const remedy = 'Set "artifacts" to false, or call the maker after the other call has returned';
  return fail(error("argument.busy", { problem, remedy }));
}

export function canMakeArtifacts({ affixes, theme, artifact, artifacts }: ObjectRequest): boolean {
  return artifact !== undefined || (artifacts && affixes.length === 0 && theme === undefined);
}

export function refuseFull({ rules }: ObjectFiles, object: MadeObject, added: AffixSpec): void {
  const most = rules === "4.2" ? 1 : MOST_AFFIXES;
  const excluding = object.affixes.find((own) => excludeEachOther(own, added));
  const refuse = (problem: string, expected: string) =>
    fail(error("object.request", { problem, got: added.name, expected, remedy: "Add the affix to another object" }));
  if (object.artifact !== undefined) refuse("an artifact cannot get an affix", "an object that is not an artifact");
  if (object.theme !== undefined) refuse("an object with a theme cannot get an affix", "an object without a theme");
  if (object.affixes.length >= most) {
    refuse("the object has the maximum number of affixes", `an object with fewer than ${most} affixes`);
  }
  if (excluding !== undefined) {
    refuse(`the affix ${JSON.stringify(excluding.name)} of the object excludes the new affix`, "another affix");
  }
}

export function refuseClaimed(
  artifact: ArtifactSpec,
  { maker, from, count }: { readonly maker: string; readonly from: number; readonly count: number },
  owner: ArtifactOwner | undefined,
): void {
  const name = `the artifact ${JSON.stringify(artifact.name)}`;
  if (count > 1) {
    const problem = `${name} is made only once, but ${count} objects are requested`;
    const remedy = "Request the artifact for one object";
    fail(error("object.impossible", { problem, expected: "a request for one object", remedy }));
  }
  if (owner === undefined || (owner.maker === maker && owner.object === from)) return;
  const problem = `${name} is made only once, and already is object ${owner.object} of ${JSON.stringify(owner.maker)}`;
  const remedy = "Release the artifact, or use a fork, or a maker with another stock";
  fail(error("object.impossible", { problem, expected: "an artifact that was not made yet", remedy }));
}
