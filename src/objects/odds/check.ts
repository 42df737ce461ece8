import { type LongCall, Watch } from "../../calls/index.js";
import { type Finding, type Issue, warning } from "../../errors/index.js";
import { checkParsed, readOptions } from "../../spec/index.js";
import { FlagBits } from "../law/flagBits.js";
import { emptyLevels, leastDraw } from "../law/kinds.js";
import { hiddenLines, Obtainable } from "../law/reach.js";
import type { SortRange } from "../law/slots.js";
import { halfPercents, partWeights } from "../law/themes.js";
import { isWeapon, NO_TVAL, typeWord } from "../law/tvals.js";
import { rangeOf } from "../law/values.js";
import { plainName } from "../parse/nouns.js";
import type {
  AffixSpec,
  ArtifactSpec,
  FilePlace,
  KindSpec,
  ObjectConstants,
  ObjectFiles,
  ObjectRules,
  ThemeSpec,
  ThemeTarget,
  TypeSpec,
} from "../types.js";
import { checkContradictions } from "./contradictions.js";
import { merged, quoted } from "./impossible.js";

interface LineNames {
  readonly target: string;
  readonly allocation: string;
  readonly kind: string;
  readonly powers: string;
  /** The line at which a new type begins in object_base.txt. */
  readonly base: string;
}

const LINE_NAMES: Readonly<Record<ObjectRules, LineNames>> = {
  v4: { target: "T line", allocation: "A line", kind: "I line", powers: "P line", base: "N" },
  "4.2": {
    target: "type or item line",
    allocation: "alloc line",
    kind: "base-object line",
    powers: "attack or armor line",
    base: "name",
  },
};

function one(line: string): string {
  return `${/^[AI]\b|^[aeiou]/.test(line) ? "an" : "a"} ${line}`;
}

interface Context {
  readonly files: ObjectFiles;
  readonly known: Obtainable;
  readonly bits: FlagBits;
  readonly watch: Watch;
}

/**
 * Warns of records that are probably mistakes:
 *
 * - depths at which no kind can be drawn;
 * - types that object_base.txt lacks;
 * - kinds that are made only on request;
 * - weapons and armour that can get no affix;
 * - affixes that no kind can get, `T` lines without an effect, and contradictions within an affix;
 * - themes whose affixes cannot occur together on one kind, or have too little weight;
 * - artifacts that are never made, and artifacts that lose all values of their kind.
 *
 * A record without a warning may still be impossible.
 *
 * Cost: O(characters of the files). If two `T` lines of an affix overlap, each of them also costs O(depths) for each
 * range of svals. Each theme with a warning also costs O(`A` lines) for each kind that its `T` lines match. Progress
 * counts the kinds, affixes, themes and artifacts.
 *
 * @throws RollmillError `argument.type` for anything but parsed files, `argument.option`, `argument.callback`; the
 * reason of an aborted signal.
 */
export function checkObjectFiles(files: ObjectFiles, options: LongCall = {}): readonly Issue[] {
  checkParsed("objects", { name: "files", value: files, parser: "parseObjects" });
  const { kinds, affixes, themes, artifacts } = files;
  const call = readOptions("checkObjectFiles", options, ["signal", "onProgress"]);
  const total = kinds.length + affixes.length + themes.length + artifacts.length;
  const watch = new Watch("the files", total, call);
  const context = { files, known: new Obtainable(files, watch), bits: new FlagBits(files.flags), watch };
  let done = 0;
  const each = <Spec>(records: readonly Spec[], check: (record: Spec, context: Context) => readonly Issue[]) =>
    records.flatMap((record) => {
      const issues = check(record, context);
      watch.passed(++done);
      return issues;
    });
  return [
    ...checkDraws(files),
    ...checkBases(files),
    ...each(kinds, checkKind),
    ...each(affixes, checkAffix),
    ...each(themes, checkTheme),
    ...each(artifacts, checkArtifact),
  ];
}

/** If two qualities have no kind at the same depths, only the first quality gets a warning. */
function checkDraws(files: ObjectFiles): readonly Issue[] {
  const [first] = files.kinds;
  const told = new Set([""]);
  return (["normal", "good", "great"] as const).flatMap((quality) => {
    const empty = emptyLevels(files, quality);
    const depths = merged(empty.map((level) => ({ least: level, most: level }))).join(", ");
    if (told.has(depths)) return [];
    told.add(depths);
    const place = { ...first.place, line: 1, column: 1 };
    const what = quality === "normal" ? "object" : `${quality} object`;
    const { allocation } = LINE_NAMES[files.rules];
    const expected = `${allocation}s of kinds that cover all depths of the draw`;
    const remedy = `Add kinds, or widen ${allocation}s`;
    return [
      never(place, {
        problem: `at some depths, there is no kind to draw for a ${what}`,
        got: depths,
        expected,
        remedy,
      }),
    ];
  });
}

function checkBases({ rules, kinds, bases }: ObjectFiles): readonly Issue[] {
  const based = new Set([NO_TVAL, ...bases.map(({ tval }) => tval)]);
  const without = new Map<TypeSpec, KindSpec[]>();
  for (const kind of kinds) {
    if (based.has(kind.tval)) continue;
    const own = without.get(kind.type);
    if (own === undefined) without.set(kind.type, [kind]);
    else own.push(kind);
  }
  return [...without].map(([{ word }, own]) =>
    never(own[0].place, {
      problem: `the type of ${own.length === 1 ? "a kind" : `${own.length} kinds`} has no record in object_base.txt`,
      got: word,
      expected: `a record "${LINE_NAMES[rules].base}:${word}:noun" in object_base.txt`,
      remedy: "Add the record, or ignore this if the kinds have no flags and no noun in common",
    }),
  );
}

function checkKind(kind: KindSpec, { files, known }: Context): readonly Issue[] {
  const line = LINE_NAMES[files.rules];
  const { place, type, tval, fullName, allocation, flags } = kind;
  const issues: Issue[] = [];
  if (tval === NO_TVAL) return issues;
  // INSTA_ART: only artifacts have this kind, so it needs no A line
  if (flags.includes("INSTA_ART")) return issues;
  if (allocation === undefined || allocation.commonness === 0) {
    issues.push(
      never(place, {
        problem: `the kind ${quoted({ name: plainName(fullName) })} is only made on request, because ${
          allocation === undefined ? `it has no ${line.allocation}` : "its commonness is 0"
        }`,
        expected: `${one(line.allocation)} with a commonness above 0`,
        remedy: `Fix the ${line.allocation}, or ignore this if it is intended`,
      }),
    );
  }
  if ((isWeapon(type) || type.group === "armour") && !known.canGetSome(kind)) {
    issues.push(
      never(place, {
        problem: `the kind ${quoted({ name: plainName(fullName) })} can never have an affix`,
        got: `${type.word}:${kind.sval}`,
        expected: `an affix with ${one(line.target)} that matches the kind`,
        remedy: `Widen ${one(line.target)}, or ignore this if it is intended`,
      }),
    );
  }
  return issues;
}

function checkAffix(affix: AffixSpec, { files, known, bits }: Context): readonly Issue[] {
  return [...checkTargets(affix, files, known), ...checkContradictions(affix, bits)];
}

function checkTargets(affix: AffixSpec, files: ObjectFiles, known: Obtainable): readonly Issue[] {
  const { place, targets } = affix;
  const problem = `no object can get the affix ${quoted(affix)} by chance`;
  const { target: line } = LINE_NAMES[files.rules];
  const live = targets.filter(({ probability }) => probability > 0);
  if (live.length === 0) {
    const flaw = targets.length === 0 ? `it has no ${line}` : `all its ${line}s have the probability 0`;
    return [
      never(place, {
        problem: `${problem}, because ${flaw}`,
        expected: `${one(line)} with a probability above 0`,
        remedy: `Add ${one(line)}, or ignore this if ${files.rules === "v4" ? "only themes add it" : "it is intended"}`,
      }),
    ];
  }
  if (!known.order.isReachedBy(live)) return [never(live[0].place, unreached(files, problem, live))];
  if (!known.canCome(affix)) {
    return [
      never(live[0].place, {
        problem: `${problem}, because ${line}s of probability 0 always match first`,
        expected: `${one(line)} of probability above 0 that matches first at some depth`,
        remedy: `Move the ${line} before the others, or remove the ${line}s of probability 0`,
      }),
    ];
  }
  const what = `of the affix ${quoted(affix)}`;
  const hidden = hiddenLines(affix, known.order).map((target) =>
    never(target.place, {
      problem: `this ${line} ${what} has no effect, because earlier ${line}s of the affix always match first`,
      got: targetText(files, target),
      expected: "a line that is the first to match at some depth and affix level",
      remedy: "Remove the line, or move it before the others",
    }),
  );
  return [...hidden, ...idleLines(targets, { files, known, what })];
}

/**
 * Warns of `T` lines that match no kind, or whose greatest depth is less than all depths at which their kinds are
 * drawn.
 */
function idleLines(
  targets: readonly (SortRange & ThemeTarget)[],
  { files, known, what }: { readonly files: ObjectFiles; readonly known: Obtainable; readonly what: string },
): readonly Issue[] {
  return targets.flatMap((line) => {
    const kinds = known.order.reachedBy([line]);
    const got = targetText(files, line);
    if (kinds.length === 0) {
      const remedy = "Fix the line, or add a kind that it matches";
      return [
        never(line.place, { problem: `this ${LINE_NAMES[files.rules].target} ${what} matches no kind`, got, remedy }),
      ];
    }
    const least = Math.min(...kinds.map((kind) => leastLevel(files, kind)));
    if (line.most >= least) return [];
    return [
      never(line.place, {
        problem: `this ${LINE_NAMES[files.rules].target} ${what} ends before the least depth of its kinds`,
        got,
        expected: `a greatest depth of at least ${least}`,
        remedy: "Raise the greatest depth, or ignore this if the kinds are made on request",
      }),
    ];
  });
}

function leastLevel(files: ObjectFiles, { allocation, flags }: KindSpec): number {
  if (allocation === undefined || allocation.commonness === 0 || flags.includes("INSTA_ART")) return 0;
  return leastDraw(files, allocation.least);
}

function checkTheme(theme: ThemeSpec, { files, known, watch }: Context): readonly Issue[] {
  const { place, targets } = theme;
  const problem = `no object can get the theme ${quoted(theme)}`;
  if (targets.length === 0) {
    return [never(place, { problem: `${problem}, because it has no T line`, remedy: "Add a T line" })];
  }
  if (!known.order.isReachedBy(targets)) return [never(targets[0].place, unreached(files, problem, targets))];
  const idle = idleLines(targets, { files, known, what: `of the theme ${quoted(theme)}` });
  const found = checkMeeting(theme, { known, watch, constants: files.constants });
  if (found === undefined) return idle;
  const remedy = "Widen T lines of its affixes, or add affixes";
  return [...idle, never(place, { problem: `${problem}, because ${found.flaw}`, expected: found.expected, remedy })];
}

interface MeetingFlaw {
  readonly flaw: string;
  readonly expected: string;
}

/**
 * Looks for a kind that the theme's `T` lines match and that can get enough affixes of the theme to have a chance of
 * it. If there is none, returns the reason, and what a correct theme would have.
 */
function checkMeeting(
  theme: ThemeSpec,
  { known, watch, constants }: Pick<Context, "known" | "watch"> & { readonly constants: ObjectConstants },
): MeetingFlaw | undefined {
  const { factor, leastAffixes } = constants.themes;
  const weights = partWeights(theme);
  const weightOf = ({ number }: AffixSpec) => weights.get(number) ?? 0;
  const weighty = known.affixes(weights.keys()).filter((affix) => weightOf(affix) > 0);
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
  // the most affixes of the theme on one kind, and their greatest total weight on one kind
  let [most, heaviest] = [0, 0];
  for (const kind of known.order.reachedBy(theme.targets)) {
    watch.look();
    const met = weighty.filter((affix) => known.canGet(kind, affix));
    most = Math.max(most, met.length);
    const weight = sum(met.map(weightOf));
    // the chance grows with the weight, so a kind that is no heavier than an earlier one without a chance has none
    if (met.length < leastAffixes || weight <= heaviest || !known.someTogether(met)) continue;
    heaviest = weight;
    if (halfPercents(theme, new Set(met.map(({ number }) => number)), constants) > 0) return undefined;
  }
  const expected = `a kind that matches a T line of the theme and can get ${leastAffixes} different affixes of the theme`;
  if (most < leastAffixes)
    return { flaw: `no kind can get more than ${most} of its affixes that have a weight above 0`, expected };
  if (heaviest === 0) return { flaw: "its affixes exclude one another", expected };
  const total = sum(weights.values());
  return {
    flaw: `its affixes on one kind have too little weight (at most a weight of ${heaviest} out of ${total})`,
    expected: `a weight whose square, multiplied by ${factor}, is at least ${total}`,
  };
}

function checkArtifact(artifact: ArtifactSpec, { files, known }: Context): readonly Issue[] {
  const { place, tval, sval, allocations } = artifact;
  const problem = `the artifact ${quoted(artifact)} is never made`;
  const line = LINE_NAMES[files.rules];
  const kind = known.order.kindOf(artifact);
  if (kind === undefined) {
    const got = `${typeWord(files, tval)}:${sval}`;
    const remedy = `Add the kind, or fix the ${line.kind}`;
    return [never(place, { problem: `${problem}, because no kind has its tval and sval`, got, remedy })];
  }
  const issues: Issue[] = [];
  // an A line with a least depth above its greatest depth is possible: artifacts are also made below the least depth
  if (!allocations.some(({ probability }) => probability > 0)) {
    const flaw =
      allocations.length === 0 ? `it has no ${line.allocation}` : `all its ${line.allocation}s have the probability 0`;
    const remedy = `Add or fix ${one(line.allocation)}, or ignore this if it is intended`;
    issues.push(never(place, { problem: `${problem}, because ${flaw}`, remedy }));
  }
  return [...issues, ...checkPowers(artifact, kind, line.powers), ...checkRequired(artifact, kind, known)];
}

/** An artifact whose values are all 0, unlike those of its kind, is usually a record without a `P` line. */
function checkPowers(artifact: ArtifactSpec, kind: KindSpec, line: string): readonly Issue[] {
  const { ac, dice, sides, toHit, toDam, toAc } = artifact;
  const hasOwn = [ac, dice * sides, toHit, toDam, toAc].some((value) => value !== 0);
  const ofKind = [kind.toHit, kind.toDam, kind.toAc].map(rangeOf).some(({ least, most }) => least !== 0 || most !== 0);
  if (hasOwn || (kind.ac === 0 && kind.dice * kind.sides === 0 && !ofKind)) return [];
  return [
    never(artifact.place, {
      problem: `the armour class, dice and modifiers of the artifact ${quoted(artifact)} are all 0, unlike those of its kind`,
      expected: `${one(line)}; an artifact does not get the values of its kind`,
      remedy: `Add or fix the ${line}, or ignore this if it is intended`,
    }),
  ];
}

function checkRequired(artifact: ArtifactSpec, kind: KindSpec, known: Obtainable): readonly Issue[] {
  const required = known.affixes(artifact.requires);
  const problem = `the artifact ${quoted(artifact)} is never made`;
  const remedy = "Fix the Q lines of the artifact, or the affix";
  const absent = required.find((affix) => !known.canGet(kind, affix));
  if (absent !== undefined) {
    const got = `Q:${absent.name}`;
    const expected = `an affix that the kind ${quoted({ name: plainName(kind.fullName) })} can get`;
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

function unreached(files: ObjectFiles, problem: string, targets: readonly SortRange[]): Finding {
  const got = targetText(files, targets[0]);
  const { target: line } = LINE_NAMES[files.rules];
  const flaw = targets.length === 1 ? `its ${line} matches no kind` : `none of its ${line}s matches a kind`;
  return { problem: `${problem}, because ${flaw}`, got, remedy: `Fix the ${line}s, or add a kind that they match` };
}

function targetText(files: ObjectFiles, { tval, leastSval, mostSval }: SortRange): string {
  return `T:${typeWord(files, tval)}:${leastSval}:${mostSval}`;
}
