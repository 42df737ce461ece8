import { type Finding, type Issue, warning } from "../../errors/index.js";
import { checkParsed } from "../../spec/index.js";
import { Obtainable } from "../compile/reach.js";
import { plainName } from "../parse/lookup.js";
import { isArmour, isWeapon, NO_TVAL, tvalWord } from "../parse/tvals.js";
import type { AffixSpec, ArtifactSpec, FilePlace, KindSpec, ObjectFiles, ThemeSpec } from "../types.js";
import { quoted } from "./impossible.js";
import type { SortRange } from "./law.js";
import { halfPercents, LEAST_PARTS, partWeights, SQUARE_FACTOR } from "./themes.js";

/**
 * Warns of records that are probably mistakes: affixes that no kind can get; themes whose affixes cannot occur together
 * on one kind, or have too little weight; artifacts that are never made; kinds that are made only on request; weapons
 * and armour that can get no affix; affixes that exclude themselves. A record without a warning may still be
 * impossible.
 *
 * Cost: O(characters of the files). For each theme that gets a warning, also O(kinds that its `T` lines match × its `A`
 * lines).
 */
export function checkObjectFiles(files: ObjectFiles): readonly Issue[] {
  checkParsed("objects", { name: "files", value: files, parser: "parseObjects" });
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
  // only artifacts have a kind with the flag INSTA_ART, so this kind needs no A line
  if (flags.includes("INSTA_ART")) return issues;
  if (allocation === undefined || allocation.commonness === 0) {
    issues.push(
      never(place, {
        problem: `the kind ${quoted({ name: plainName(name) })} is only made on request, because ${
          allocation === undefined ? "it has no A line" : "its commonness is 0"
        }`,
        expected: "an A line with a commonness above 0",
        remedy: "Fix the A line, or ignore this if it is intended",
      }),
    );
  }
  if ((isWeapon(tval) || isArmour(tval)) && !known.canGetSome(kind)) {
    issues.push(
      never(place, {
        problem: `the kind ${quoted({ name: plainName(name) })} can get no affix`,
        got: `${tvalWord(tval)}:${kind.sval}`,
        expected: "an affix with a T line that matches the kind",
        remedy: "Widen a T line, or ignore this if it is intended",
      }),
    );
  }
  return issues;
}

function checkAffix(affix: AffixSpec, known: Obtainable): readonly Issue[] {
  const { place, number, targets, excludes } = affix;
  const issues: Issue[] = [];
  const problem = `no object can get the affix ${quoted(affix)} by chance`;
  const live = targets.filter(({ probability }) => probability > 0);
  if (live.length === 0) {
    const flaw = targets.length === 0 ? "it has no T line" : "all its T lines have the probability 0";
    issues.push(
      never(place, {
        problem: `${problem}, because ${flaw}`,
        expected: "a T line with a probability above 0",
        remedy: "Add a T line, or ignore this if only themes add it",
      }),
    );
  } else if (!known.order.isReachedBy(live)) {
    issues.push(never(live[0].place, unreached(problem, live)));
  } else if (!known.canCome(affix)) {
    issues.push(
      never(live[0].place, {
        problem: `${problem}, because T lines of probability 0 always match first`,
        expected: "a T line of probability above 0 that matches first at some depth",
        remedy: "Move the T line before the others, or remove the T lines of probability 0",
      }),
    );
  }
  if (excludes.includes(number)) {
    issues.push(
      never(place, {
        problem: `the affix ${quoted(affix)} excludes itself`,
        expected: "other affixes in its X lines",
        remedy: "Remove the X line, or ignore this if an object must not get the affix twice",
      }),
    );
  }
  return issues;
}

function checkTheme(theme: ThemeSpec, known: Obtainable): readonly Issue[] {
  const { place, targets } = theme;
  const problem = `no object can get the theme ${quoted(theme)}`;
  if (targets.length === 0) {
    return [never(place, { problem: `${problem}, because it has no T line`, remedy: "Add a T line" })];
  }
  if (!known.order.isReachedBy(targets)) return [never(targets[0].place, unreached(problem, targets))];
  const found = checkMeeting(theme, known);
  if (found === undefined) return [];
  const remedy = "Widen T lines of its affixes, or add affixes";
  return [never(place, { problem: `${problem}, because ${found.flaw}`, expected: found.expected, remedy })];
}

/** The reason why the affixes of a theme never occur together on a kind, and what is expected instead. */
interface MeetingFlaw {
  readonly flaw: string;
  readonly expected: string;
}

/**
 * Returns the reason why no kind that the theme's `T` lines match can have enough of the theme's affixes; undefined if
 * some kind can.
 */
function checkMeeting(theme: ThemeSpec, known: Obtainable): MeetingFlaw | undefined {
  const weights = partWeights(theme);
  const weightOf = ({ number }: AffixSpec) => weights.get(number) ?? 0;
  const weighty = known.affixes(weights.keys()).filter((affix) => weightOf(affix) > 0);
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
  // the largest number, and the largest weight, of the theme's affixes on one kind
  let [most, heaviest] = [0, 0];
  for (const kind of known.order.reachedBy(theme.targets)) {
    const met = weighty.filter((affix) => known.canGet(kind, affix));
    most = Math.max(most, met.length);
    const weight = sum(met.map(weightOf));
    // a theme's chance grows with the weight of its affixes on the object, so a set with less weight has a lower chance
    if (met.length < LEAST_PARTS || weight <= heaviest || !known.someTogether(met)) continue;
    heaviest = weight;
    if (halfPercents(theme, new Set(met.map(({ number }) => number))) > 0) return undefined;
  }
  const expected = "a kind that matches a T line of the theme and can get two different affixes of the theme";
  if (most < LEAST_PARTS)
    return { flaw: `no kind can get more than ${most} of its affixes that have a weight above 0`, expected };
  if (heaviest === 0) return { flaw: "its affixes exclude one another", expected };
  const total = sum(weights.values());
  return {
    flaw: `its affixes on one kind have too little weight (at most a weight of ${heaviest} out of ${total})`,
    expected: `a weight whose square, multiplied by ${SQUARE_FACTOR}, is at least ${total}`,
  };
}

function checkArtifact(artifact: ArtifactSpec, known: Obtainable): readonly Issue[] {
  const { place, tval, sval, allocations } = artifact;
  const problem = `the artifact ${quoted(artifact)} is never made`;
  const kind = known.order.kindOf(artifact);
  if (kind === undefined) {
    const got = `${tvalWord(tval)}:${sval}`;
    const remedy = "Add the kind, or fix the I line";
    return [never(place, { problem: `${problem}, because no kind has its tval and sval`, got, remedy })];
  }
  const issues: Issue[] = [];
  // A lines with reversed depths need no warning: an artifact can also be made at depths less than the least depth
  if (!allocations.some(({ probability }) => probability > 0)) {
    const flaw = allocations.length === 0 ? "it has no A line" : "all its A lines have the probability 0";
    const remedy = "Add or fix an A line, or ignore this if it is intended";
    issues.push(never(place, { problem: `${problem}, because ${flaw}`, remedy }));
  }
  return [...issues, ...checkRequired(artifact, kind, known)];
}

function checkRequired(artifact: ArtifactSpec, kind: KindSpec, known: Obtainable): readonly Issue[] {
  const required = known.affixes(artifact.requires);
  const problem = `the artifact ${quoted(artifact)} is never made`;
  const remedy = "Fix the Q lines of the artifact, or the affix";
  const absent = required.find((affix) => !known.canGet(kind, affix));
  if (absent !== undefined) {
    const got = `Q:${absent.name}`;
    const expected = `an affix that the kind ${quoted({ name: plainName(kind.name) })} can get`;
    const flaw = "its kind cannot get a required affix";
    return [never(artifact.place, { problem: `${problem}, because ${flaw}`, got, expected, remedy })];
  }
  const rival = known.firstRival(required);
  if (rival === undefined) return [];
  const got = `Q:${rival.name}`;
  const expected = "affixes that do not exclude each other";
  const flaw = "a required affix excludes another required affix";
  return [never(artifact.place, { problem: `${problem}, because ${flaw}`, got, expected, remedy })];
}

function never(where: FilePlace, finding: Finding): Issue {
  return warning("object.name", { ...finding, where });
}

function unreached(problem: string, targets: readonly SortRange[]): Finding {
  const [{ tval, leastSval, mostSval }] = targets;
  const got = `T:${tvalWord(tval)}:${leastSval}:${mostSval}`;
  const flaw = targets.length === 1 ? "its T line matches no kind" : "none of its T lines matches a kind";
  return { problem: `${problem}, because ${flaw}`, got, remedy: "Fix the T lines, or add a kind that they match" };
}
