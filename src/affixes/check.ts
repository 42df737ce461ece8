import { type Finding, type Issue, warning } from "../errors/index.js";
import { fits, type SortRange } from "./law.js";
import { plainName } from "./parseArtifacts.js";
import { NO_TVAL, tvalWord } from "./tvals.js";
import type { AffixSpec, ArtifactSpec, FilePlace, KindSpec, ObjectFiles, ThemeSpec } from "./types.js";

/**
 * What the files say that can never come about, as warnings, file by file: affixes, themes and artifacts that no kind can
 * get, kinds that are made on request alone, affixes that exclude themselves. Depths are not weighed against one another.
 * Cost: O(kinds × `T` lines).
 */
export function checkObjectFiles(files: ObjectFiles): readonly Issue[] {
  const kinds = files.kinds.filter(({ tval }) => tval !== NO_TVAL);
  const affixes = new Map(files.affixes.map((affix) => [affix.number, affix]));
  return [
    ...kinds.flatMap(checkKind),
    ...files.affixes.flatMap((affix) => checkAffix(affix, kinds)),
    ...files.themes.flatMap((theme) => checkTheme(theme, kinds, affixes)),
    ...files.artifacts.flatMap((artifact) => checkArtifact(artifact, kinds, affixes)),
  ];
}

function checkKind({ place, name, allocation, flags }: KindSpec): readonly Issue[] {
  // what is made for an artifact alone is never drawn, and means not to be
  if (flags.includes("INSTA_ART") || (allocation !== undefined && allocation.commonness > 0)) return [];
  return [
    never(place, {
      problem: `the kind ${quoted(plainName(name))} is only made on request`,
      got: allocation === undefined ? "no A line" : "commonness 0",
      expected: "a commonness above 0",
      remedy: "Leave it so where that is meant",
    }),
  ];
}

function checkAffix(
  { place, name, number, targets, excludes }: AffixSpec,
  kinds: readonly KindSpec[],
): readonly Issue[] {
  const issues: Issue[] = [];
  const problem = `no object can get the affix ${quoted(name)} by itself`;
  const live = targets.filter(({ probability }) => probability > 0);
  if (live.length === 0) {
    const got = targets.length === 0 ? "no T line" : "T lines of probability 0 only";
    issues.push(never(place, { problem, got, expected: "a T line", remedy: "Add one, or leave it to themes" }));
  } else if (!kinds.some((kind) => reaches(live, kind))) {
    issues.push(never(live[0].place, { problem, ...unreached(live) }));
  }
  if (excludes.includes(number)) {
    issues.push(
      never(place, {
        problem: `the affix ${quoted(name)} excludes itself`,
        expected: "other affixes in its X lines",
        remedy: "Remove the line, unless the affix is to come once at most",
      }),
    );
  }
  return issues;
}

function checkTheme(
  theme: ThemeSpec,
  kinds: readonly KindSpec[],
  affixes: ReadonlyMap<number, AffixSpec>,
): readonly Issue[] {
  const { place, name, targets, parts } = theme;
  const problem = `no object can get the theme ${quoted(name)}`;
  const found = kinds.filter((kind) => reaches(targets, kind));
  if (targets.length === 0) {
    return [never(place, { problem, got: "no T line", expected: "a T line", remedy: "Add one" })];
  }
  if (found.length === 0) return [never(targets[0].place, { problem, ...unreached(targets) })];
  const weighty = new Set(parts.filter(({ weight }) => weight > 0).map(({ affix }) => affix));
  const onOne = (kind: KindSpec) =>
    [...weighty].filter((number) => reaches(possible(affixes.get(number)), kind)).length;
  const most = Math.max(...found.map(onOne));
  if (most >= 2) return [];
  return [
    never(place, {
      problem,
      got: `${most} of its affixes of positive weight on one kind at most`,
      expected: "two different ones that one kind of its T lines can get",
      remedy: "Widen the T lines of its affixes, or give it others",
    }),
  ];
}

function checkArtifact(
  artifact: ArtifactSpec,
  kinds: readonly KindSpec[],
  affixes: ReadonlyMap<number, AffixSpec>,
): readonly Issue[] {
  const { place, name, tval, sval, allocations, requires } = artifact;
  if (tval === NO_TVAL) return [];
  const problem = `the artifact ${quoted(name)} is never made`;
  const kind = kinds.find((candidate) => candidate.tval === tval && candidate.sval === sval);
  if (kind === undefined) {
    const got = `${tvalWord(tval)}:${sval}`;
    const expected = "the tval and sval of a kind";
    return [never(place, { problem, got, expected, remedy: "Add the kind, or mend the I line" })];
  }
  const issues: Issue[] = [];
  if (!allocations.some(({ probability, least, most }) => probability > 0 && least <= most)) {
    const got = allocations.length === 0 ? "no A line" : "probabilities of 0 or empty depths only";
    const expected = "a probability above 0 at some depth";
    issues.push(never(place, { problem, got, expected, remedy: "Mend an A line, or leave it so where that is meant" }));
  }
  return [
    ...issues,
    ...checkRequired(
      artifact,
      kind,
      requires.flatMap((number) => affixes.get(number) ?? []),
    ),
  ];
}

function checkRequired(artifact: ArtifactSpec, kind: KindSpec, required: readonly AffixSpec[]): readonly Issue[] {
  const problem = `the artifact ${quoted(artifact.name)} is never made`;
  const remedy = "Mend its Q lines, or the affix";
  const absent = required.find((affix) => !reaches(possible(affix), kind));
  if (absent !== undefined) {
    const got = `Q:${absent.name}`;
    const expected = `an affix that ${quoted(plainName(kind.name))} can get`;
    return [never(artifact.place, { problem, got, expected, remedy })];
  }
  const rival = required.find(({ number: own, excludes }) =>
    required.some(({ number }) => number !== own && excludes.includes(number)),
  );
  if (rival === undefined) return [];
  const expected = "affixes that go together";
  return [never(artifact.place, { problem, got: `Q:${rival.name}, which excludes another`, expected, remedy })];
}

function never(where: FilePlace, finding: Finding): Issue {
  return warning("object.name", { ...finding, where });
}

function possible(affix: AffixSpec | undefined): readonly SortRange[] {
  return affix?.targets.filter(({ probability }) => probability > 0) ?? [];
}

function reaches(targets: readonly SortRange[], kind: KindSpec): boolean {
  return targets.some((target) => fits(target, kind));
}

function unreached(targets: readonly SortRange[]): Pick<Finding, "got" | "expected" | "remedy"> {
  const [{ tval, leastSval, mostSval }] = targets;
  const got = `T:${tvalWord(tval)}:${leastSval}:${mostSval}${targets.length > 1 ? " and others" : ""}`;
  return { got, expected: "the tval and svals of a kind", remedy: "Mend the T lines, or add the kind" };
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
