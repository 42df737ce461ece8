import type { Finding } from "../../errors/index.js";
import { tvalWord } from "../parse/tvals.js";
import { plainName } from "../show/kindNames.js";
import type { AffixSpec, KindSpec, ObjectFiles } from "../types.js";
import { impossibleArtifact } from "./impossibleArtifact.js";
import { impossibleTheme } from "./impossibleTheme.js";
import { asText, canHave, type Inquiry, mostSlots, type ObjectRequest, quoted, type Setting } from "./inquiry.js";
import { canBeDrawn, drawnKinds } from "./kinds.js";
import { affixLevelOdds, depthCases, excludeEachOther } from "./law.js";

/**
 * Why no object can ever be what is asked for; undefined where one may. Sound, not complete: what it says is impossible is, but
 * it does not weigh everything against everything (three affixes of which two always make a theme that ends an object; the
 * third at a depth that only another slot has; power).
 *
 * Cost: O(kinds × affixes asked for × `T` lines × depths); with a theme, the same over its affixes, and their pairs.
 */
export function whyImpossible(files: ObjectFiles, request: ObjectRequest): Finding | undefined {
  const { artifact, affixes = [] } = request;
  if (artifact !== undefined) {
    const finding = impossibleArtifact(files, request, artifact);
    // an artifact that requires no affix is made before there is a kind
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

/** The kinds that the request leaves open. */
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
  const some = `${quality === "normal" ? "" : `${quality} `}${tval === undefined ? "kinds" : `kinds of ${tvalWord(tval)}`}`;
  if (kind !== undefined && tval !== undefined && kind.tval !== tval) {
    const got = `${plainName(kind.name)}, which is of ${tvalWord(kind.tval)}`;
    return { problem: "the kind asked for is of another type", got, expected: `a kind of ${tvalWord(tval)}` };
  }
  if (artifact !== undefined) {
    const problem = `no kind of the artifact ${JSON.stringify(artifact.name)} comes by itself there`;
    return { problem, got: asText(request), expected: "a depth, a quality and a type that its kind comes at" };
  }
  if (known.length === 0) {
    const expected = "a type of which a kind has a commonness above 0 and, for good and great, can be good";
    return { problem: `there are no ${some} that are ever drawn`, got: asText(request), expected };
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
    problem: `nothing that is asked for can get the affix ${quoted(affix)}`,
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
        ? `${quoted(affix)} comes once at most`
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

/** The inquiry with those settings only under which every affix asked for can come, and there are slots for them. */
function withAll(inquiry: Inquiry): Inquiry {
  const { request, wanted, depths } = inquiry;
  const settings = inquiry.settings.filter(
    (setting) =>
      mostSlots(request, setting.kind) >= wanted.length &&
      wanted.every((affix) => canHave(affix, { ...setting, level: request.level, depths })),
  );
  return { ...inquiry, settings };
}
