import type { Watch } from "../../calls/index.js";
import type { Finding } from "../../errors/index.js";
import { canBeDrawn, depthCasesOf, drawnKinds, levelOddsOf, slotOddsOf } from "../law/kinds.js";
import { kindOfArtifact } from "../law/reach.js";
import {
  affixWeight,
  type Decision,
  excludeEachOther,
  fits,
  fitsAny,
  halfPercents,
  partWeights,
  refuseLong,
} from "../law/slots.js";
import { typeWord } from "../law/tvals.js";
import { plainName } from "../parse/names.js";
import type { AffixSpec, ArtifactSpec, DepthRange, KindSpec, ObjectFiles, ObjectLimit, ThemeSpec } from "../types.js";

/**
 * Returns the reason why no object can fit a request. Returns undefined if no reason is known. A returned reason is
 * always correct, but some impossible requests are not recognised. For example:
 * - Two of three requested affixes always give a theme. After that, the object gets no third affix.
 * - Two affixes need different depths of the same slot.
 * - A limit prevents the affixes.
 * @throws RollmillError `object.request` if the check is too much work.
 */
export function whyImpossible(files: ObjectFiles, request: PartialRequest, watch?: Watch): Finding | undefined {
  const { artifact, affixes = [], theme } = request;
  if (artifact !== undefined) {
    const finding = impossibleArtifact(files, request, artifact);
    // an artifact without required affixes is made without drawing a kind, so no kind has to fit
    if (finding !== undefined || artifact.requires.length === 0) return finding;
  }
  const requested = new Set(affixes.map(({ number }) => number));
  const required = new Set(artifact?.requires);
  const wanted = [...affixes, ...files.affixes.filter(({ number }) => required.has(number) && !requested.has(number))];
  const kinds = kindsOf(files, request);
  if (kinds.length === 0) return noKind(files, request);
  if (wanted.length === 0 && theme === undefined) return undefined;
  const odds = levelOddsOf(files, request);
  const rolled = [...odds.keys()].filter((index) => odds[index].numerator > 0n);
  const levels = request.affixLevel === undefined ? rolled : [request.affixLevel];
  const settings = kinds.flatMap((kind) => levels.map((affixLevel): Setting => ({ kind, affixLevel })));
  const inquiry = { files, request, wanted, settings, depths: [...depthCasesOf(files, request.level).keys()], watch };
  const parts = partWeights(theme ?? { parts: [] });
  const compared = [...wanted, ...files.affixes.filter(({ number }) => parts.has(number))];
  const lines = compared.reduce((sum, { targets }) => sum + targets.length, 0);
  refuseLong("the request", settings.length * lines * inquiry.depths.length);
  const finding = impossibleAffix(inquiry) ?? rivals(wanted) ?? tooMany(inquiry);
  if (finding !== undefined) return finding;
  const able = settings.filter(
    (setting) =>
      mostSlots(inquiry, setting.kind) >= wanted.length && wanted.every((affix) => canHave(inquiry, setting, affix)),
  );
  if (able.length === 0) {
    return {
      problem: `no kind can get ${wanted.map(quoted).join(" and ")} in a request for ${asText(files, request)}`,
      expected: "affixes that one kind can get together at one affix level",
      remedy: "Omit some affixes, or request another depth or quality",
    };
  }
  return theme === undefined ? undefined : impossibleTheme({ ...inquiry, settings: able }, theme);
}

function kindsOf(files: ObjectFiles, request: PartialRequest): readonly KindSpec[] {
  const { kind, tval, artifact } = request;
  const open = kind === undefined ? drawnKinds(files, request).kinds : [kind];
  return open.filter(
    (one) =>
      (tval ?? one.tval) === one.tval &&
      (artifact === undefined || (one.tval === artifact.tval && one.sval === artifact.sval)),
  );
}

function noKind(files: ObjectFiles, request: PartialRequest): Finding {
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

export function wrongType(files: ObjectFiles, kind: KindSpec, tval: number): Finding {
  const problem = `the kind ${kindName(kind)} has the type ${kind.type.word}, not the requested type`;
  return { problem, expected: `a kind of type ${typeWord(files, tval)}`, remedy: "Omit the kind or the type" };
}

function impossibleAffix(inquiry: Inquiry): Finding | undefined {
  const { files, request, wanted, settings } = inquiry;
  const affix = wanted.find((one) => !settings.some((setting) => canHave(inquiry, setting, one)));
  if (affix === undefined) return undefined;
  const shown = placesOf(affix, files);
  const some = `${shown.slice(0, 3).join("; or ")}${shown.length > 3 ? "; or …" : ""}`;
  return {
    problem: `no object can get the affix ${quoted(affix)} in a request for ${asText(files, request)}`,
    expected: shown.length === 0 ? "an affix with a T line of probability above 0" : some,
    remedy: "Request another kind, depth, quality or affix level, or omit the affix",
  };
}

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
    return { problem, expected: "affixes that can occur together", remedy: "Omit one of the two affixes" };
  }
  return undefined;
}

function tooMany(inquiry: Inquiry): Finding | undefined {
  const { files, request, wanted, settings } = inquiry;
  const most = Math.max(...settings.map(({ kind }) => mostSlots(inquiry, kind)));
  if (wanted.length <= most) return undefined;
  return {
    problem: `the request needs ${wanted.length} affixes, but ${asText(files, request)} can get at most ${most}`,
    remedy: "Request fewer affixes, a greater depth or a better quality",
  };
}

function impossibleArtifact(files: ObjectFiles, request: PartialRequest, artifact: ArtifactSpec): Finding | undefined {
  const { kind, theme, level, affixes = [] } = request;
  const name = `the artifact ${quoted(artifact)}`;
  if (theme !== undefined) {
    const problem = `${name} cannot have the theme ${quoted(theme)}`;
    return { problem, expected: "a request for an artifact or a theme, not for both" };
  }
  const expected = `a kind with the tval and sval ${typeWord(files, artifact.tval)}:${artifact.sval}`;
  if (kindOfArtifact(files, artifact) === undefined) return { problem: `${name} has no kind`, expected };
  if (affixes.length > 0 && artifact.requires.length === 0) {
    return {
      problem: `${name} cannot have the requested affixes ${affixes.map(quoted).join(" and ")}`,
      expected: "an artifact that requires affixes, or a request without affixes",
    };
  }
  const isKind = kind === undefined || (kind.tval === artifact.tval && kind.sval === artifact.sval);
  if (!isKind || (request.tval ?? artifact.tval) !== artifact.tval) {
    return { problem: `${name} cannot be ${asText(files, request)}`, expected };
  }
  // ignores the least depths of the lines: an artifact can also be made at smaller depths
  const lines = artifact.allocations.filter(({ probability }) => probability > 0);
  if (lines.some(({ most }) => level <= most)) return undefined;
  const greatest = Math.max(...lines.map(({ most }) => most));
  return {
    problem: `${name} is never made at level ${level}`,
    expected: lines.length === 0 ? "an A line of probability above 0" : `a level of at most ${greatest}`,
  };
}

function impossibleTheme(inquiry: Inquiry, theme: ThemeSpec): Finding | undefined {
  const { files, request, wanted, settings, depths, watch } = inquiry;
  const { level } = request;
  const problem = `no object can get the theme ${quoted(theme)} in a request for ${asText(files, request)}`;
  const reached = settings.filter(({ kind }) => depths.some((depth) => fitsAny(theme.targets, { kind, level, depth })));
  if (reached.length === 0) return { problem, expected: "a kind and a depth that a T line of the theme matches" };

  const weights = partWeights(theme);
  const weighty = files.affixes.filter(({ number }) => (weights.get(number) ?? 0) > 0);
  const requested = new Set(wanted);
  const free = weighty.filter(
    (affix) => requested.has(affix) || !wanted.some((other) => excludeEachOther(affix, other)),
  );
  // the affixes of the theme that are possible together with the requested affixes
  const chances = reached.map((setting) => {
    const parts = free.filter((affix) => requested.has(affix) || canHave(inquiry, setting, affix));
    return { most: mostSlots(inquiry, setting.kind), parts };
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

  const { leastAffixes } = files.constants.themes;
  const needed = wanted.length + Math.max(0, leastAffixes - weighty.filter((affix) => requested.has(affix)).length);
  const most = Math.max(...meeting.map((chance) => chance.most));
  if (most < needed) {
    return {
      problem: `${problem}, because such an object has at most ${most} ${most === 1 ? "slot" : "slots"}`,
      expected: `${needed} slots for the affixes of the theme and the requested affixes`,
    };
  }

  // the chance grows with the weight of the theme's affixes on the object, so the largest chance needs all of them
  const isLikely = meeting.some(({ parts }) => {
    watch?.look();
    return halfPercents(theme, new Set(parts.map(({ number }) => number)), files.constants) > 0;
  });
  return isLikely
    ? undefined
    : { problem, expected: "affixes whose weight in the theme gives a chance of at least 0.5 %" };
}

export interface ObjectRequest extends Decision {
  readonly kind: KindSpec | undefined;
  readonly tval: number | undefined;
  /** The requested affixes. If the list has an affix twice, the object must have it twice. */
  readonly affixes: readonly AffixSpec[];
  readonly theme: ThemeSpec | undefined;
  readonly artifact: ArtifactSpec | undefined;
  /** Index into `ObjectFiles.levels`. */
  readonly affixLevel: number | undefined;
  readonly artifacts: boolean;
  readonly limit: ObjectLimit | undefined;
  readonly attempts: number;
}

export type PartialRequest = Decision & Partial<ObjectRequest>;

type Setting = { readonly kind: KindSpec; readonly affixLevel: number };

interface Inquiry {
  readonly files: ObjectFiles;
  readonly request: PartialRequest;
  /** The requested affixes, and the affixes that the requested artifact requires. */
  readonly wanted: readonly AffixSpec[];
  readonly settings: readonly Setting[];
  readonly depths: readonly number[];
  readonly watch: Watch | undefined;
}

function canHave({ request: { level }, depths, watch }: Inquiry, setting: Setting, affix: AffixSpec): boolean {
  watch?.look();
  if (!affix.targets.some((target) => fits(target, setting.kind))) return false;
  return depths.some((depth) => affixWeight(affix, { ...setting, level, depth }) > 0);
}

function mostSlots({ files, request }: Inquiry, kind: KindSpec): number {
  const { affixLevel } = request;
  // by the rules of Angband 4.2, an object has a slot only if it has the greatest affix level
  if (files.rules === "4.2" && affixLevel !== undefined) return Number(affixLevel === files.levels.length - 1);
  return slotOddsOf(files, kind, request).findLastIndex(({ numerator }) => numerator > 0n);
}

function asText(files: ObjectFiles, { level, quality, kind, tval }: PartialRequest): string {
  const ofType = tval === undefined ? "" : ` of type ${typeWord(files, tval)}`;
  const of = kind === undefined ? ofType : ` of kind ${kindName(kind)}`;
  return `a ${quality} object${of} at level ${level}`;
}

export function kindName({ fullName }: KindSpec): string {
  return JSON.stringify(plainName(fullName));
}

export function quoted({ name }: { readonly name: string }): string {
  return JSON.stringify(name);
}
