import type { Finding } from "../../errors/index.js";
import { kindOfArtifact } from "../compile/reach.js";
import { plainName } from "../parse/lookup.js";
import { tvalWord } from "../parse/tvals.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, Quality, ThemeSpec } from "../types.js";
import { canBeDrawn, drawnKinds } from "./kinds.js";
import { affixLevelOdds, affixWeight, depthCases, excludeEachOther, fits, isInDepth, slotOdds } from "./law.js";
import { halfPercents, LEAST_PARTS, partWeights } from "./themes.js";

/**
 * The reason why no object can fit a request; undefined if none is known. Sound, not complete: every reason is true,
 * but not all combinations are checked. (For example: two of three affixes always lead to a theme, which ends the
 * object; the third affix needs a depth that only another slot has; a limit.)
 *
 * Cost: O(kinds × affixes asked for × `T` lines × depths); with a theme, the same over its affixes, and their pairs.
 */
export function whyImpossible(files: ObjectFiles, request: ObjectRequest): Finding | undefined {
  const { artifact, affixes = [] } = request;
  if (artifact !== undefined) {
    const finding = impossibleArtifact(files, request, artifact);
    // an artifact that requires no affix is made before a kind is drawn
    if (finding !== undefined || artifact.requires.length === 0) return finding;
  }
  const asked = new Set(affixes.map(({ number }) => number));
  const required = new Set(artifact?.requires);
  const wanted = [...affixes, ...files.affixes.filter(({ number }) => required.has(number) && !asked.has(number))];
  const kinds = kindsOf(files, request);
  if (kinds.length === 0) return noKind(files, request);
  const settings = kinds.flatMap((kind) =>
    affixLevelsOf(files, request).map((affixLevel): Setting => ({ kind, affixLevel })),
  );
  const inquiry = { files, request, wanted, settings, depths: [...depthCases(request.level).keys()] };
  return (
    impossibleAffix(inquiry) ??
    rivals(wanted) ??
    tooMany(inquiry) ??
    neverTogether(inquiry) ??
    (request.theme === undefined ? undefined : impossibleTheme(withAll(inquiry), request.theme))
  );
}

/** The kinds that the request allows. */
function kindsOf(files: ObjectFiles, request: ObjectRequest): readonly KindSpec[] {
  const { kind, tval, artifact } = request;
  const open = kind === undefined ? drawnKinds(files, request).kinds : [kind];
  return open.filter(
    (one) =>
      (tval === undefined || one.tval === tval) &&
      (artifact === undefined || (one.tval === artifact.tval && one.sval === artifact.sval)),
  );
}

function affixLevelsOf(
  { levels }: ObjectFiles,
  { level, quality, affixLevel }: Pick<ObjectRequest, "level" | "quality" | "affixLevel">,
): readonly number[] {
  if (affixLevel !== undefined) return [affixLevel];
  const odds = affixLevelOdds(level, quality, levels.length);
  return [...odds.keys()].filter((index) => odds[index].numerator > 0n);
}

function noKind(files: ObjectFiles, request: ObjectRequest): Finding {
  const { kind, artifact, tval, quality } = request;
  const known = files.kinds.filter((one) => canBeDrawn(one, request));
  const depths = known.flatMap(({ allocation }) => (allocation === undefined ? [] : [allocation]));
  const reach = `${Math.min(...depths.map(({ least }) => least))} to ${Math.max(...depths.map(({ most }) => most))}`;
  const kinds = tval === undefined ? "kinds" : `kinds of ${tvalWord(tval)}`;
  const some = quality === "normal" ? kinds : `${quality} ${kinds}`;
  if (kind !== undefined && tval !== undefined && kind.tval !== tval) {
    const got = `${plainName(kind.name)}, of type ${tvalWord(kind.tval)}`;
    return { problem: "the kind has another type", got, expected: `a kind of type ${tvalWord(tval)}` };
  }
  if (artifact !== undefined) {
    const problem = `the kind of the artifact ${JSON.stringify(artifact.name)} is not drawn there`;
    return { problem, got: asText(request), expected: "a depth, a quality and a type at which its kind is drawn" };
  }
  if (known.length === 0) {
    const expected = "a type of which a kind has a commonness above 0 and, for good and great, can be good";
    return { problem: `no ${some} are ever drawn`, got: asText(request), expected };
  }
  const remedy = "Ask for another depth, or name a kind";
  return {
    problem: `no such kind is drawn at this depth`,
    got: asText(request),
    expected: `${some}: depths ${reach}`,
    remedy,
  };
}

function impossibleAffix({ request, wanted, settings, depths }: Inquiry): Finding | undefined {
  const { level } = request;
  const affix = wanted.find((one) => !settings.some((setting) => canHave(one, { ...setting, level, depths })));
  if (affix === undefined) return undefined;
  const lines = affix.targets.map((line) => `${tvalWord(line.tval)} at ${line.least} to ${line.most}`);
  const shown = [...new Set(lines)];
  const expected =
    shown.length === 0 ? "an affix with T lines" : `${shown.slice(0, 3).join(", ")}${shown.length > 3 ? ", …" : ""}`;
  return {
    problem: `no object of the request can get the affix ${quoted(affix)}`,
    got: asText(request),
    expected,
    remedy: "Ask for another kind, depth, quality or affix level, or leave the affix out",
  };
}

function rivals(wanted: readonly AffixSpec[]): Finding | undefined {
  for (const [i, affix] of wanted.entries()) {
    const rival = wanted.slice(i + 1).find((other) => excludeEachOther(affix, other));
    if (rival === undefined) continue;
    const problem =
      rival.number === affix.number
        ? `an object gets ${quoted(affix)} at most once`
        : `${quoted(affix)} and ${quoted(rival)} exclude each other`;
    return { problem, expected: "affixes that go together", remedy: "Leave one of the two out" };
  }
  return undefined;
}

function tooMany({ request, wanted, settings }: Inquiry): Finding | undefined {
  const most = Math.max(...settings.map(({ kind }) => mostSlots(request, kind)));
  if (wanted.length <= most) return undefined;
  return {
    problem: "more affixes are asked for than an object can get",
    got: `${wanted.length}, ${asText(request)}`,
    expected: `at most ${most}`,
    remedy: "Ask for fewer, a greater depth or a better quality",
  };
}

function neverTogether(inquiry: Inquiry): Finding | undefined {
  if (inquiry.wanted.length === 0 || withAll(inquiry).settings.length > 0) return undefined;
  return {
    problem: `no kind can get ${inquiry.wanted.map(quoted).join(" and ")} together`,
    got: asText(inquiry.request),
    expected: "affixes that one kind can get at one affix level, in as many slots as it may have",
    remedy: "Leave some out, or ask for another depth or quality",
  };
}

/** Keeps only the settings with which every affix asked for can come, and that have slots for all of them. */
function withAll(inquiry: Inquiry): Inquiry {
  const { request, wanted, depths } = inquiry;
  const settings = inquiry.settings.filter(
    (setting) =>
      mostSlots(request, setting.kind) >= wanted.length &&
      wanted.every((affix) => canHave(affix, { ...setting, level: request.level, depths })),
  );
  return { ...inquiry, settings };
}

/**
 * The reason why an artifact cannot fit a request, apart from affixes; undefined if none is known. Artifacts that
 * were made already do not count. Cost: O(kinds).
 */
function impossibleArtifact(files: ObjectFiles, request: ObjectRequest, artifact: ArtifactSpec): Finding | undefined {
  const { theme, affixes = [] } = request;
  const { tval, sval, requires } = artifact;
  if (theme !== undefined) {
    const expected = "an artifact or a theme";
    return { problem: "an artifact cannot have a theme", got: `${quoted(artifact)} and ${quoted(theme)}`, expected };
  }
  if (kindOfArtifact(files, artifact) === undefined) {
    const expected = `a kind ${tvalWord(tval)}:${sval}`;
    return { problem: `the artifact ${quoted(artifact)} has no kind`, got: asText(request), expected };
  }
  if (affixes.length > 0 && requires.length === 0) {
    return {
      problem: `the artifact ${quoted(artifact)} has no affixes`,
      got: affixes.map(quoted).join(", "),
      expected: "an artifact that requires affixes, or a request without affixes",
    };
  }
  return otherKind(request, artifact) ?? tooDeep(request, artifact);
}

function otherKind(request: ObjectRequest, artifact: ArtifactSpec): Finding | undefined {
  const { kind, tval } = request;
  const isType = tval === undefined || tval === artifact.tval;
  const isKind = kind === undefined || (kind.tval === artifact.tval && kind.sval === artifact.sval);
  if (isType && isKind) return undefined;
  const expected = `${tvalWord(artifact.tval)}:${artifact.sval}`;
  return { problem: `the artifact ${quoted(artifact)} has another kind`, got: asText(request), expected };
}

/** Below its least depth a line passes now and then; beyond its greatest depth it never does. */
function tooDeep(request: ObjectRequest, artifact: ArtifactSpec): Finding | undefined {
  const lines = artifact.allocations.filter(({ probability }) => probability > 0);
  if (lines.some(({ most }) => request.level <= most)) return undefined;
  const most = Math.max(...lines.map((line) => line.most));
  return {
    problem: `the artifact ${quoted(artifact)} is never made there`,
    got: asText(request),
    expected: lines.length === 0 ? "an artifact of a probability above 0" : `a level of at most ${most}`,
  };
}

/** A setting, and the affixes with positive weight in the theme that can come with it besides those asked for. */
interface Chance extends Setting {
  readonly parts: readonly AffixSpec[];
}

/**
 * The reason why no object can have a theme besides the affixes asked for; undefined if none is known. The settings
 * are those with which these affixes can come. Cost: O(settings × affixes of the theme × `T` lines × depths), and their
 * pairs.
 */
function impossibleTheme(inquiry: Inquiry, theme: ThemeSpec): Finding | undefined {
  const { request, wanted, settings, depths } = inquiry;
  const { level } = request;
  const got = asText(request);
  const problem = `no object of the request can get the theme ${quoted(theme)}`;
  const reached = settings.filter(({ kind }) =>
    theme.targets.some((target) => fits(target, kind) && depths.some((depth) => isInDepth(target, { level, depth }))),
  );
  if (reached.length === 0) return { problem, got, expected: "a kind and a depth of its T lines" };

  const weights = partWeights(theme);
  const weighty = inquiry.files.affixes.filter(({ number }) => (weights.get(number) ?? 0) > 0);
  const asked = new Set(wanted.map(({ number }) => number));
  const free = weighty.filter(
    (affix) => asked.has(affix.number) || !wanted.some((other) => excludeEachOther(affix, other)),
  );
  const chances = reached.map((setting): Chance => {
    const parts = free.filter((affix) => asked.has(affix.number) || canHave(affix, { ...setting, level, depths }));
    return { ...setting, parts };
  });
  const meeting = chances.filter(({ parts }) =>
    parts.some((a) => parts.some((b) => a !== b && !excludeEachOther(a, b))),
  );
  if (meeting.length === 0) {
    const what = wanted.length === 0 ? "" : `, beside ${wanted.map(quoted).join(" and ")}`;
    return { problem, got, expected: `two different affixes of positive weight that can come together${what}` };
  }

  const missing = Math.max(0, LEAST_PARTS - weighty.filter(({ number }) => asked.has(number)).length);
  const needed = wanted.length + missing;
  if (!meeting.some(({ kind }) => mostSlots(request, kind) >= needed)) {
    const most = Math.max(...meeting.map(({ kind }) => mostSlots(request, kind)));
    return {
      problem,
      got: `${most} slots at most, ${got}`,
      expected: `${needed} slots for its affixes and those asked for`,
    };
  }

  // a theme's share grows with the weight of its affixes on the object: all of them give the most
  if (meeting.some(({ parts }) => halfPercents(theme, new Set(parts.map(({ number }) => number))) > 0))
    return undefined;
  return { problem, got, expected: "affixes with enough weight in the theme for half a percent" };
}

/** A request for an object, with records of the files. */
export interface ObjectRequest {
  /** Default: a kind is drawn, among those of type `tval` if it is given. */
  readonly kind?: KindSpec | undefined;
  readonly tval?: number | undefined;
  /** The real depth, 0 … 255. */
  readonly level: number;
  readonly quality: Quality;
  /** Affixes that the object must have. One that is listed twice must occur twice. */
  readonly affixes?: readonly AffixSpec[] | undefined;
  readonly theme?: ThemeSpec | undefined;
  readonly artifact?: ArtifactSpec | undefined;
  /** Index into `ObjectFiles.levels`. Default: a rolled one. */
  readonly affixLevel?: number | undefined;
}

/** A kind and an affix level that the request allows. */
interface Setting {
  readonly kind: KindSpec;
  readonly affixLevel: number;
}

/** A request, and everything that the checks of it share. */
interface Inquiry {
  readonly files: ObjectFiles;
  readonly request: ObjectRequest;
  /** The affixes asked for, and those that the artifact asked for requires. */
  readonly wanted: readonly AffixSpec[];
  readonly settings: readonly Setting[];
  /** The depths that a slot can have. */
  readonly depths: readonly number[];
}

/** Whether an affix can come into some slot. */
function canHave(
  affix: AffixSpec,
  { kind, affixLevel, level, depths }: Setting & { readonly level: number; readonly depths: readonly number[] },
): boolean {
  if (!affix.targets.some((target) => fits(target, kind))) return false;
  return depths.some((depth) => affixWeight(affix, { kind, affixLevel, level, depth }) > 0);
}

/** The most slots that an object of a kind can have. */
function mostSlots({ level, quality }: Pick<ObjectRequest, "level" | "quality">, { flags }: KindSpec): number {
  return slotOdds(level, quality, flags.includes("GOOD")).findLastIndex(({ numerator }) => numerator > 0n);
}

/** The request in a few words. */
function asText({ level, quality, kind, tval }: ObjectRequest): string {
  const of = kind === undefined ? (tval === undefined ? "" : `, ${tvalWord(tval)}`) : `, ${plainName(kind.name)}`;
  return `level ${level}, ${quality}${of}`;
}

/** A record's name in a message. */
export function quoted({ name }: { readonly name: string }): string {
  return JSON.stringify(name);
}
