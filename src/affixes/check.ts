import { type Finding, type Issue, warning } from "../errors/index.js";
import { quoted } from "./inquiry.js";
import { plainName } from "./kindNames.js";
import { excludeEachOther, type SortRange } from "./law.js";
import { kindOfArtifact, type Obtainable, obtainable, reaches } from "./reach.js";
import { halfPercents, LEAST_PARTS, partWeights, SQUARE_FACTOR } from "./themeOdds.js";
import { isArmour, isWeapon, tvalWord } from "./tvals.js";
import type { AffixSpec, ArtifactSpec, FilePlace, KindSpec, ObjectFiles, ThemeSpec } from "./types.js";

/**
 * What the files say that can never come about, as warnings, file by file: affixes that no kind can get, or whose `T` lines
 * others always come before; themes whose affixes cannot meet on one kind or weigh too little; artifacts that are never made;
 * kinds that are made on request alone; weapons and armour that can get no affix; affixes that exclude themselves. What is
 * not warned of may still be impossible. Cost: O(kinds × `T` lines).
 */
export function checkObjectFiles(files: ObjectFiles): readonly Issue[] {
  const known = obtainable(files);
  return [
    ...known.kinds.flatMap((kind) => checkKind(kind, known)),
    ...files.affixes.flatMap((affix) => checkAffix(affix, known)),
    ...files.themes.flatMap((theme) => checkTheme(theme, known)),
    ...files.artifacts.flatMap((artifact) => checkArtifact(artifact, known)),
  ];
}

function checkKind(kind: KindSpec, known: Obtainable): readonly Issue[] {
  const { place, tval, name, allocation, flags } = kind;
  const issues: Issue[] = [];
  // what is made for an artifact alone is never drawn, and means not to be
  if (flags.includes("INSTA_ART")) return issues;
  if (allocation === undefined || allocation.commonness === 0) {
    issues.push(
      never(place, {
        problem: `the kind ${quoted({ name: plainName(name) })} is only made on request`,
        got: allocation === undefined ? "no A line" : "commonness 0",
        expected: "a commonness above 0",
        remedy: "Leave it so where that is meant",
      }),
    );
  }
  if ((isWeapon(tval) || isArmour(tval)) && affixesOf(kind, known).length === 0) {
    issues.push(
      never(place, {
        problem: `the kind ${quoted({ name: plainName(name) })} can get no affix`,
        got: `${tvalWord(tval)}:${kind.sval}`,
        expected: "a T line of an affix that reaches it",
        remedy: "Widen one, or leave it so where that is meant",
      }),
    );
  }
  return issues;
}

function checkAffix(affix: AffixSpec, { kinds, byKind }: Obtainable): readonly Issue[] {
  const { place, number, targets, excludes } = affix;
  const issues: Issue[] = [];
  const problem = `no object can get the affix ${quoted(affix)} by itself`;
  const live = targets.filter(({ probability }) => probability > 0);
  if (live.length === 0) {
    const got = targets.length === 0 ? "no T line" : "T lines of probability 0 only";
    issues.push(never(place, { problem, got, expected: "a T line", remedy: "Add one, or leave it to themes" }));
  } else if (!kinds.some((kind) => reaches(live, kind))) {
    issues.push(never(live[0].place, { problem, ...unreached(live) }));
  } else if (!kinds.some((kind) => byKind.get(kind)?.has(affix))) {
    issues.push(
      never(live[0].place, {
        problem,
        got: "T lines that others of it always come before",
        expected: "a line that is the first to match at some depth",
        remedy: "Put it before the others, or remove those of probability 0",
      }),
    );
  }
  if (excludes.includes(number)) {
    issues.push(
      never(place, {
        problem: `the affix ${quoted(affix)} excludes itself`,
        expected: "other affixes in its X lines",
        remedy: "Remove the line, unless the affix is to come once at most",
      }),
    );
  }
  return issues;
}

function checkTheme(theme: ThemeSpec, known: Obtainable): readonly Issue[] {
  const { place, targets } = theme;
  const problem = `no object can get the theme ${quoted(theme)}`;
  const found = known.kinds.filter((kind) => reaches(targets, kind));
  if (targets.length === 0) {
    return [never(place, { problem, got: "no T line", expected: "a T line", remedy: "Add one" })];
  }
  if (found.length === 0) return [never(targets[0].place, { problem, ...unreached(targets) })];
  const finding = checkMeeting(
    theme,
    found.map((kind) => affixesOf(kind, known)),
  );
  if (finding === undefined) return [];
  return [never(place, { problem, ...finding, remedy: "Widen the T lines of its affixes, or give it others" })];
}

/** What keeps a theme's affixes from meeting, given which affixes each of its kinds can get; undefined where nothing does. */
function checkMeeting(
  theme: ThemeSpec,
  kinds: readonly (readonly AffixSpec[])[],
): Pick<Finding, "got" | "expected"> | undefined {
  const weights = partWeights(theme);
  const weightOf = ({ number }: AffixSpec) => weights.get(number) ?? 0;
  const met = kinds.map((affixes) => affixes.filter((affix) => weightOf(affix) > 0));
  const expected = "two different ones that one kind of its T lines can get";
  const most = Math.max(...met.map(({ length }) => length));
  if (most < LEAST_PARTS) return { got: `${most} of its affixes of positive weight on one kind at most`, expected };
  const pairs = met.filter((affixes) =>
    affixes.some((a, i) => affixes.slice(i + 1).some((b) => !excludeEachOther(a, b))),
  );
  if (pairs.length === 0) return { got: "affixes that exclude one another", expected };
  if (pairs.some((affixes) => halfPercents(theme, new Set(affixes.map(({ number }) => number))) > 0)) return undefined;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const total = sum([...weights.values()]);
  const heaviest = Math.max(...pairs.map((affixes) => sum(affixes.map(weightOf))));
  return {
    got: `a weight of ${heaviest} out of ${total} on one kind at most`,
    expected: `weights whose square, times ${SQUARE_FACTOR}, is ${total} at least`,
  };
}

function checkArtifact(artifact: ArtifactSpec, known: Obtainable): readonly Issue[] {
  const { place, tval, sval, allocations } = artifact;
  const problem = `the artifact ${quoted(artifact)} is never made`;
  const kind = kindOfArtifact(known, artifact);
  if (kind === undefined) {
    const got = `${tvalWord(tval)}:${sval}`;
    const expected = "the tval and sval of a kind";
    return [never(place, { problem, got, expected, remedy: "Add the kind, or mend the I line" })];
  }
  const issues: Issue[] = [];
  // (depths the wrong way round do not prevent it: nearer the surface than its first depth a line still passes now and then)
  if (!allocations.some(({ probability }) => probability > 0)) {
    const got = allocations.length === 0 ? "no A line" : "probabilities of 0 only";
    const expected = "a probability above 0";
    issues.push(never(place, { problem, got, expected, remedy: "Mend an A line, or leave it so where that is meant" }));
  }
  return [...issues, ...checkRequired(artifact, kind, known)];
}

function checkRequired(artifact: ArtifactSpec, kind: KindSpec, known: Obtainable): readonly Issue[] {
  const required = artifact.requires.flatMap((number) => known.affixes.get(number) ?? []);
  const affixes = affixesOf(kind, known);
  const problem = `the artifact ${quoted(artifact)} is never made`;
  const remedy = "Mend its Q lines, or the affix";
  const absent = required.find((affix) => !affixes.includes(affix));
  if (absent !== undefined) {
    const got = `Q:${absent.name}`;
    const expected = `an affix that ${quoted({ name: plainName(kind.name) })} can get`;
    return [never(artifact.place, { problem, got, expected, remedy })];
  }
  const rival = required.find((affix) => required.some((other) => other !== affix && excludeEachOther(affix, other)));
  if (rival === undefined) return [];
  const expected = "affixes that go together";
  return [never(artifact.place, { problem, got: `Q:${rival.name}, which excludes another`, expected, remedy })];
}

function never(where: FilePlace, finding: Finding): Issue {
  return warning("object.name", { ...finding, where });
}

function affixesOf(kind: KindSpec, { byKind }: Obtainable): readonly AffixSpec[] {
  return [...(byKind.get(kind) ?? [])];
}
function unreached(targets: readonly SortRange[]): Pick<Finding, "got" | "expected" | "remedy"> {
  const [{ tval, leastSval, mostSval }] = targets;
  const got = `T:${tvalWord(tval)}:${leastSval}:${mostSval}${targets.length > 1 ? " and others" : ""}`;
  return { got, expected: "the tval and svals of a kind", remedy: "Mend the T lines, or add the kind" };
}
