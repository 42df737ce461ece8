import { type Finding, type Issue, warning } from "../../errors/index.js";
import { Obtainable } from "../compile/reach.js";
import { plainName } from "../parse/lookup.js";
import { isArmour, isWeapon, NO_TVAL, tvalWord } from "../parse/tvals.js";
import type { AffixSpec, ArtifactSpec, FilePlace, KindSpec, ObjectFiles, ThemeSpec } from "../types.js";
import { quoted } from "./impossible.js";
import type { SortRange } from "./law.js";
import { halfPercents, LEAST_PARTS, partWeights, SQUARE_FACTOR } from "./themes.js";

/**
 * What the files say that can never come about, as warnings, file by file: affixes that no kind can get, or whose `T` lines
 * others always come before; themes whose affixes cannot meet on one kind or weigh too little; artifacts that are never made;
 * kinds that are made on request alone; weapons and armour that can get no affix; affixes that exclude themselves. What is
 * not warned of may still be impossible.
 *
 * Cost: O(characters) for all but themes that no kind of theirs is enough for, where it is O(kinds of its `T` lines × `A` lines)
 * each; 0.6 s for 5,120 kinds, 10,000 affixes and 10,000 such themes.
 */
export function checkObjectFiles(files: ObjectFiles): readonly Issue[] {
  const known = new Obtainable(files);
  return [
    ...files.kinds.filter(({ tval }) => tval !== NO_TVAL).flatMap((kind) => checkKind(kind, known)),
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
  if ((isWeapon(tval) || isArmour(tval)) && !known.canGetSome(kind)) {
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

function checkAffix(affix: AffixSpec, known: Obtainable): readonly Issue[] {
  const { place, number, targets, excludes } = affix;
  const issues: Issue[] = [];
  const problem = `no object can get the affix ${quoted(affix)} by itself`;
  const live = targets.filter(({ probability }) => probability > 0);
  if (live.length === 0) {
    const got = targets.length === 0 ? "no T line" : "T lines of probability 0 only";
    issues.push(never(place, { problem, got, expected: "a T line", remedy: "Add one, or leave it to themes" }));
  } else if (!known.order.isReachedBy(live)) {
    issues.push(never(live[0].place, { problem, ...unreached(live) }));
  } else if (!known.canCome(affix)) {
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
  if (targets.length === 0) {
    return [never(place, { problem, got: "no T line", expected: "a T line", remedy: "Add one" })];
  }
  if (!known.order.isReachedBy(targets)) return [never(targets[0].place, { problem, ...unreached(targets) })];
  const finding = checkMeeting(theme, known);
  if (finding === undefined) return [];
  return [never(place, { problem, ...finding, remedy: "Widen the T lines of its affixes, or give it others" })];
}

/** What keeps a theme's affixes from meeting on one of its kinds; undefined where nothing does. */
function checkMeeting(theme: ThemeSpec, known: Obtainable): Pick<Finding, "got" | "expected"> | undefined {
  const weights = partWeights(theme);
  const weightOf = ({ number }: AffixSpec) => weights.get(number) ?? 0;
  const weighty = known.affixes(weights.keys()).filter((affix) => weightOf(affix) > 0);
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
  let [most, heaviest] = [0, 0];
  for (const kind of known.order.reachedBy(theme.targets)) {
    const met = weighty.filter((affix) => known.canGet(kind, affix));
    most = Math.max(most, met.length);
    const weight = sum(met.map(weightOf));
    // a theme's share grows with what the object has of it: what weighs no more than what was too little is too little
    if (met.length < LEAST_PARTS || weight <= heaviest || !known.someTogether(met)) continue;
    heaviest = weight;
    if (halfPercents(theme, new Set(met.map(({ number }) => number))) > 0) return undefined;
  }
  const expected = "two different ones that one kind of its T lines can get";
  if (most < LEAST_PARTS) return { got: `${most} of its affixes of positive weight on one kind at most`, expected };
  if (heaviest === 0) return { got: "affixes that exclude one another", expected };
  const total = sum(weights.values());
  return {
    got: `a weight of ${heaviest} out of ${total} on one kind at most`,
    expected: `weights whose square, times ${SQUARE_FACTOR}, is ${total} at least`,
  };
}

function checkArtifact(artifact: ArtifactSpec, known: Obtainable): readonly Issue[] {
  const { place, tval, sval, allocations } = artifact;
  const problem = `the artifact ${quoted(artifact)} is never made`;
  const kind = known.order.kindOf(artifact);
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
  const required = known.affixes(artifact.requires);
  const problem = `the artifact ${quoted(artifact)} is never made`;
  const remedy = "Mend its Q lines, or the affix";
  const absent = required.find((affix) => !known.canGet(kind, affix));
  if (absent !== undefined) {
    const got = `Q:${absent.name}`;
    const expected = `an affix that ${quoted({ name: plainName(kind.name) })} can get`;
    return [never(artifact.place, { problem, got, expected, remedy })];
  }
  const rival = known.firstRival(required);
  if (rival === undefined) return [];
  const expected = "affixes that go together";
  return [never(artifact.place, { problem, got: `Q:${rival.name}, which excludes another`, expected, remedy })];
}

function never(where: FilePlace, finding: Finding): Issue {
  return warning("object.name", { ...finding, where });
}

function unreached(targets: readonly SortRange[]): Pick<Finding, "got" | "expected" | "remedy"> {
  const [{ tval, leastSval, mostSval }] = targets;
  const got = `T:${tvalWord(tval)}:${leastSval}:${mostSval}${targets.length > 1 ? " and others" : ""}`;
  return { got, expected: "the tval and svals of a kind", remedy: "Mend the T lines, or add the kind" };
}
