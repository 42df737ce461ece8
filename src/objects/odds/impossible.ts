import type { Watch } from "../../calls/index.js";
import type { Finding } from "../../errors/index.js";
import { depthCasesOf, levelOddsOf, slotOddsOf } from "../law/decisions.js";
import { canBeDrawn, drawnKinds } from "../law/kinds.js";
import { kindOfArtifact } from "../law/reach.js";
import { affixWeight, excludeEachOther, fits, fitsAny, refuseLong } from "../law/slots.js";
import { halfPercents, partWeights } from "../law/themes.js";
import { typeWord } from "../law/tvals.js";
import { plainName } from "../parse/nouns.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, Quality, ThemeSpec } from "../types.js";

/**
 * Returns the reason why no object can fit a request. Returns undefined if no reason is known. A returned reason is
 * always correct, but some impossible requests are not recognised. For example:
 * - Two of three requested affixes always give a theme. After that, the object gets no third affix.
 * - Two affixes need different depths of the same slot.
 * - A limit prevents the affixes.
 *
 * @throws RollmillError `object.request` if this is too much work.
 */
export function whyImpossible(files: ObjectFiles, request: ObjectRequest, watch?: Watch): Finding | undefined {
  const { artifact, affixes = [] } = request;
  if (artifact !== undefined) {
    const finding = impossibleArtifact(files, request, artifact);
    // an artifact without required affixes is made without drawing a kind, so no kind has to fit
    if (finding !== undefined || artifact.requires.length === 0) return finding;
  }
  const asked = new Set(affixes.map(({ number }) => number));
  const required = new Set(artifact?.requires);
  const wanted = [...affixes, ...files.affixes.filter(({ number }) => required.has(number) && !asked.has(number))];
  const kinds = kindsOf(files, request);
  if (kinds.length === 0) return noKind(files, request);
  if (wanted.length === 0 && request.theme === undefined) return undefined;
  const settings = kinds.flatMap((kind) =>
    affixLevelsOf(files, request).map((affixLevel): Setting => ({ kind, affixLevel })),
  );
  const inquiry = { files, request, wanted, settings, depths: [...depthCasesOf(files, request.level).keys()], watch };
  const parts = partWeights(request.theme ?? { parts: [] });
  const compared = [...wanted, ...files.affixes.filter(({ number }) => parts.has(number))];
  const lines = compared.reduce((sum, { targets }) => sum + targets.length, 0);
  refuseLong("the request", settings.length * lines * inquiry.depths.length);
  return (
    impossibleAffix(inquiry) ??
    rivals(wanted) ??
    tooMany(inquiry) ??
    neverTogether(inquiry) ??
    (request.theme === undefined ? undefined : impossibleTheme(withAll(inquiry), request.theme))
  );
}

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
  files: ObjectFiles,
  { level, quality, affixLevel }: Pick<ObjectRequest, "level" | "quality" | "affixLevel">,
): readonly number[] {
  if (affixLevel !== undefined) return [affixLevel];
  const odds = levelOddsOf(files, { level, quality });
  return [...odds.keys()].filter((index) => odds[index].numerator > 0n);
}

function noKind(files: ObjectFiles, request: ObjectRequest): Finding {
  const { kind, artifact, tval, level, quality } = request;
  const known = files.kinds.filter((one) => canBeDrawn(one, { ...request, rules: files.rules }));
  const depths = known.flatMap(({ allocation }) => (allocation === undefined ? [] : [allocation]));
  const kinds = tval === undefined ? "kinds" : `kinds of type ${typeWord(files, tval)}`;
  const some = quality === "normal" ? kinds : `${quality} ${kinds}`;
  if (kind !== undefined && tval !== undefined && kind.tval !== tval) return wrongType(files, kind, tval);
  if (artifact !== undefined) {
    const problem = `the kind of the artifact ${quoted(artifact)} is never drawn for ${asText(files, request)}`;
    return { problem, expected: "a depth, a quality and a type for which this kind is drawn" };
  }
  if (known.length === 0) {
    const expected = `a type with a kind of commonness above 0${quality === "normal" ? "" : " that can be good"}`;
    return { problem: `no ${some} are ever drawn`, expected };
  }
  const remedy = "Request another depth, or name a kind";
  return {
    problem: `no ${some} are drawn at level ${level}`,
    expected: `a depth from ${merged(depths).join(" or from ")}`,
    remedy,
  };
}

export function wrongType(files: ObjectFiles, { fullName, type }: KindSpec, tval: number): Finding {
  const name = quoted({ name: plainName(fullName) });
  const problem = `the kind ${name} has the type ${type.word}, not the requested type`;
  return { problem, expected: `a kind of type ${typeWord(files, tval)}`, remedy: "Omit one of the two" };
}

function impossibleAffix({ files, request, wanted, settings, depths, watch }: Inquiry): Finding | undefined {
  const { level } = request;
  const affix = wanted.find((one) => !settings.some((setting) => canHave(one, { ...setting, level, depths, watch })));
  if (affix === undefined) return undefined;
  const shown = placesOf(affix, files);
  const expected =
    shown.length === 0
      ? "an affix with a T line of probability above 0"
      : `${shown.slice(0, 3).join("; or ")}${shown.length > 3 ? "; or …" : ""}`;
  return {
    problem: `no object can get the affix ${quoted(affix)} in a request for ${asText(files, request)}`,
    expected,
    remedy: "Request another kind, depth, quality or affix level, or omit the affix",
  };
}

/** Describes the objects that can get an affix. Lines with the same type and affix level become one text. */
function placesOf({ targets }: AffixSpec, files: ObjectFiles): readonly string[] {
  const groups = new Map<string, DepthRange[]>();
  for (const { tval, level, least, most, probability } of targets) {
    if (probability === 0) continue;
    const ofLevel = level === 0 ? "" : ` with affix level "${files.levels[level]}" or better`;
    const group = `a ${typeWord(files, tval)}${ofLevel} at depths`;
    groups.set(group, [...(groups.get(group) ?? []), { least, most }]);
  }
  return [...groups].map(([group, ranges]) => `${group} ${merged(ranges).join(", ")}`);
}

interface DepthRange {
  readonly least: number;
  readonly most: number;
}

/** Turns ranges of depths into texts such as "1 to 40", in ascending order. Joins ranges that overlap or touch. */
export function merged(ranges: readonly DepthRange[]): readonly string[] {
  const found: { least: number; most: number }[] = [];
  for (const { least, most } of [...ranges].sort((a, b) => a.least - b.least)) {
    const last = found.at(-1);
    if (last !== undefined && least <= last.most + 1) last.most = Math.max(last.most, most);
    else found.push({ least, most });
  }
  return found.map(({ least, most }) => `${least} to ${most}`);
}

function rivals(wanted: readonly AffixSpec[]): Finding | undefined {
  for (const [i, affix] of wanted.entries()) {
    const rival = wanted.slice(i + 1).find((other) => excludeEachOther(affix, other));
    if (rival === undefined) continue;
    const problem =
      rival.number === affix.number
        ? `an object can get the affix ${quoted(affix)} only once`
        : `the affixes ${quoted(affix)} and ${quoted(rival)} exclude each other`;
    return { problem, expected: "affixes that can occur together", remedy: "Omit one of the two" };
  }
  return undefined;
}

function tooMany({ files, request, wanted, settings }: Inquiry): Finding | undefined {
  const most = Math.max(...settings.map(({ kind }) => mostSlots(files, request, kind)));
  if (wanted.length <= most) return undefined;
  return {
    problem: `the request needs ${wanted.length} affixes, but ${asText(files, request)} can get at most ${most}`,
    remedy: "Request fewer affixes, a greater depth or a better quality",
  };
}

function neverTogether(inquiry: Inquiry): Finding | undefined {
  if (inquiry.wanted.length === 0 || withAll(inquiry).settings.length > 0) return undefined;
  return {
    problem: `no kind can get ${inquiry.wanted.map(quoted).join(" and ")} in a request for ${asText(inquiry.files, inquiry.request)}`,
    expected: "affixes that one kind can get together at one affix level",
    remedy: "Omit some affixes, or request another depth or quality",
  };
}

/** Keeps the settings in which each requested affix is possible and there are enough slots for all of them. */
function withAll(inquiry: Inquiry): Inquiry {
  const { files, request, wanted, depths, watch } = inquiry;
  const settings = inquiry.settings.filter(
    (setting) =>
      mostSlots(files, request, setting.kind) >= wanted.length &&
      wanted.every((affix) => canHave(affix, { ...setting, level: request.level, depths, watch })),
  );
  return { ...inquiry, settings };
}

/** Does not check the affixes that the artifact requires, nor whether the artifact was already made. */
function impossibleArtifact(files: ObjectFiles, request: ObjectRequest, artifact: ArtifactSpec): Finding | undefined {
  const { theme, affixes = [] } = request;
  const { tval, sval, requires } = artifact;
  if (theme !== undefined) {
    const problem = `the artifact ${quoted(artifact)} cannot have the theme ${quoted(theme)}`;
    return { problem, expected: "either an artifact or a theme" };
  }
  if (kindOfArtifact(files, artifact) === undefined) {
    const expected = `a kind with the tval and sval ${typeWord(files, tval)}:${sval}`;
    return { problem: `the artifact ${quoted(artifact)} has no kind`, expected };
  }
  if (affixes.length > 0 && requires.length === 0) {
    const listed = affixes.map(quoted).join(" and ");
    return {
      problem: `the artifact ${quoted(artifact)} cannot have the requested affixes ${listed}`,
      expected: "an artifact that requires affixes, or a request without affixes",
    };
  }
  return otherKind(files, request, artifact) ?? tooDeep(request, artifact);
}

function otherKind(files: ObjectFiles, request: ObjectRequest, artifact: ArtifactSpec): Finding | undefined {
  const { kind, tval } = request;
  const isType = tval === undefined || tval === artifact.tval;
  const isKind = kind === undefined || (kind.tval === artifact.tval && kind.sval === artifact.sval);
  if (isType && isKind) return undefined;
  const expected = `a kind with the tval and sval ${typeWord(files, artifact.tval)}:${artifact.sval}`;
  return { problem: `the artifact ${quoted(artifact)} cannot be ${asText(files, request)}`, expected };
}

/** A depth less than a line's least depth is no reason: the artifact can still be made there. */
function tooDeep(request: ObjectRequest, artifact: ArtifactSpec): Finding | undefined {
  const lines = artifact.allocations.filter(({ probability }) => probability > 0);
  if (lines.some(({ most }) => request.level <= most)) return undefined;
  const most = Math.max(...lines.map((line) => line.most));
  return {
    problem: `the artifact ${quoted(artifact)} is never made at level ${request.level}`,
    expected: lines.length === 0 ? "an artifact with a probability above 0" : `a level of at most ${most}`,
  };
}

/** `parts` are the affixes of the theme with a weight above 0 that are possible together with the requested affixes. */
interface Chance extends Setting {
  readonly parts: readonly AffixSpec[];
}

/** In each setting of the inquiry, the requested affixes must be possible. */
function impossibleTheme(inquiry: Inquiry, theme: ThemeSpec): Finding | undefined {
  const { files, request, wanted, settings, depths, watch } = inquiry;
  const { level } = request;
  const problem = `no object can get the theme ${quoted(theme)} in a request for ${asText(files, request)}`;
  const reached = settings.filter(({ kind }) => depths.some((depth) => fitsAny(theme.targets, { kind, level, depth })));
  if (reached.length === 0) return { problem, expected: "a kind and a depth that a T line of the theme matches" };

  const weights = partWeights(theme);
  const weighty = files.affixes.filter(({ number }) => (weights.get(number) ?? 0) > 0);
  const asked = new Set(wanted.map(({ number }) => number));
  const free = weighty.filter(
    (affix) => asked.has(affix.number) || !wanted.some((other) => excludeEachOther(affix, other)),
  );
  const chances = reached.map((setting): Chance => {
    const parts = free.filter(
      (affix) => asked.has(affix.number) || canHave(affix, { ...setting, level, depths, watch }),
    );
    return { ...setting, parts };
  });
  const meeting = chances.filter(({ parts }) =>
    parts.some((a) => {
      watch?.look();
      return parts.some((b) => a !== b && !excludeEachOther(a, b));
    }),
  );
  if (meeting.length === 0) {
    const what = wanted.length === 0 ? "" : `, in addition to ${wanted.map(quoted).join(" and ")}`;
    return { problem, expected: `two different affixes of positive weight that can occur together${what}` };
  }

  const missing = Math.max(
    0,
    files.constants.themes.leastAffixes - weighty.filter(({ number }) => asked.has(number)).length,
  );
  const needed = wanted.length + missing;
  if (!meeting.some(({ kind }) => mostSlots(files, request, kind) >= needed)) {
    const most = Math.max(...meeting.map(({ kind }) => mostSlots(files, request, kind)));
    return {
      problem: `${problem}, which has at most ${most} ${most === 1 ? "slot" : "slots"}`,
      expected: `${needed} slots for its affixes and the requested affixes`,
    };
  }

  // the chance grows with the weight of the theme's affixes on the object, so the largest chance needs all of them
  const isLikely = meeting.some(({ parts }) => {
    watch?.look();
    return halfPercents(theme, new Set(parts.map(({ number }) => number)), files.constants) > 0;
  });
  if (isLikely) return undefined;
  return { problem, expected: "affixes whose weight in the theme gives a chance of at least 0.5 %" };
}

export interface ObjectRequest {
  readonly kind?: KindSpec | undefined;
  readonly tval?: number | undefined;
  readonly level: number;
  readonly quality: Quality;
  /** The affixes that the object must have. An affix that is listed twice is needed twice. */
  readonly affixes?: readonly AffixSpec[] | undefined;
  readonly theme?: ThemeSpec | undefined;
  readonly artifact?: ArtifactSpec | undefined;
  /** Index into `ObjectFiles.levels`. Default: the affix level is random. */
  readonly affixLevel?: number | undefined;
}

interface Setting {
  readonly kind: KindSpec;
  readonly affixLevel: number;
}

interface Inquiry {
  readonly files: ObjectFiles;
  readonly request: ObjectRequest;
  /** The requested affixes, and the affixes that the requested artifact requires. */
  readonly wanted: readonly AffixSpec[];
  readonly settings: readonly Setting[];
  readonly depths: readonly number[];
  readonly watch: Watch | undefined;
}

function canHave(
  affix: AffixSpec,
  { kind, affixLevel, level, depths, watch }: Setting & Pick<Inquiry, "depths" | "watch"> & { readonly level: number },
): boolean {
  watch?.look();
  if (!affix.targets.some((target) => fits(target, kind))) return false;
  return depths.some((depth) => affixWeight(affix, { kind, affixLevel, level, depth }) > 0);
}

function mostSlots(
  files: ObjectFiles,
  { level, quality, affixLevel }: Pick<ObjectRequest, "level" | "quality" | "affixLevel">,
  kind: KindSpec,
): number {
  // by the rules of Angband 4.2, an object has a slot only if it has the greatest affix level
  if (files.rules === "4.2" && affixLevel !== undefined) return Number(affixLevel === files.levels.length - 1);
  return slotOddsOf(files, kind, { level, quality }).findLastIndex(({ numerator }) => numerator > 0n);
}

function asText(files: ObjectFiles, { level, quality, kind, tval }: ObjectRequest): string {
  const ofType = tval === undefined ? "" : ` of type ${typeWord(files, tval)}`;
  const of = kind === undefined ? ofType : ` of kind ${quoted({ name: plainName(kind.fullName) })}`;
  return `a ${quality} object${of} at level ${level}`;
}

export function quoted({ name }: { readonly name: string }): string {
  return JSON.stringify(name);
}
