import { type LongCall, Watch } from "../../calls/index.js";
import { type Finding, type Issue, warning } from "../../errors/index.js";
import { checkParsed, readOptions } from "../../spec/index.js";
import { FlagBits } from "../law/flagBits.js";
import { emptyLevels, leastDraw } from "../law/kinds.js";
import { rangeOf } from "../law/mBonus.js";
import { hiddenLines, Obtainable } from "../law/reach.js";
import { halfPercents, partWeights } from "../law/slots.js";
import { isWeapon, NO_TVAL, typeWord } from "../law/tvals.js";
import { MODIFIERS } from "../show/names.js";
import type {
  AffixSpec,
  ArtifactSpec,
  FilePlace,
  KindSpec,
  ObjectFiles,
  ObjectRules,
  RandomValue,
  ThemeSpec,
  ThemeTarget,
  TypeSpec,
} from "../types.js";
import { kindName, merged, quoted } from "./impossible.js";

const LINE_NAMES = {
  v4: { target: "T line", allocation: "A line", kind: "I line", powers: "P line", base: "N" },
  "4.2": {
    target: "type or item line",
    allocation: "alloc line",
    kind: "base-object line",
    powers: "attack or armor line",
    base: "name",
  },
} as const satisfies Readonly<Record<ObjectRules, unknown>>;

function one(line: string): string {
  return `${/^[AI]\b|^[aeiou]/.test(line) ? "an" : "a"} ${line}`;
}

interface Context {
  readonly files: ObjectFiles;
  readonly line: (typeof LINE_NAMES)[ObjectRules];
  readonly known: Obtainable;
  readonly bits: FlagBits;
  readonly watch: Watch;
}

type Flaw = Finding & { readonly where: FilePlace };

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
  const line = LINE_NAMES[files.rules];
  const context = { files, line, known: new Obtainable(files, watch), bits: new FlagBits(files.flags), watch };
  const flaws = [...checkDraws(files), ...checkBases(files)];
  let done = 0;
  const each = <Spec>(records: readonly Spec[], check: (record: Spec, context: Context) => Iterable<Flaw>) => {
    for (const record of records) {
      for (const flaw of check(record, context)) flaws.push(flaw);
      watch.passed(++done);
    }
  };
  each(kinds, checkKind);
  each(affixes, checkAffix);
  each(themes, checkTheme);
  each(artifacts, checkArtifact);
  return flaws.map((flaw) => warning("object.name", flaw));
}

/** If several qualities lack kinds at the same depths, only the first of these qualities gets a warning. */
function* checkDraws(files: ObjectFiles): Generator<Flaw> {
  const told = new Set([""]);
  const { allocation } = LINE_NAMES[files.rules];
  for (const quality of ["normal", "good", "great"] as const) {
    const depths = merged(emptyLevels(files, quality).map((level) => ({ least: level, most: level }))).join(", ");
    if (told.has(depths)) continue;
    told.add(depths);
    yield {
      where: { ...files.kinds[0].place, line: 1, column: 1 },
      problem: `at some depths, no kind can be drawn for a ${quality} object`,
      got: depths,
      expected: `${allocation}s of kinds that cover all depths of the draw`,
      remedy: `Add kinds, or widen ${allocation}s`,
    };
  }
}

function* checkBases({ rules, kinds, bases }: ObjectFiles): Generator<Flaw> {
  const based = new Set([NO_TVAL, ...bases.map(({ tval }) => tval)]);
  const without = new Map<TypeSpec, KindSpec[]>();
  for (const kind of kinds) {
    if (based.has(kind.tval)) continue;
    const own = without.get(kind.type) ?? [];
    own.push(kind);
    without.set(kind.type, own);
  }
  for (const [{ word }, own] of without) {
    yield {
      where: own[0].place,
      problem: `the type of ${own.length === 1 ? "a kind" : `${own.length} kinds`} has no record in object_base.txt`,
      got: word,
      expected: `a record "${LINE_NAMES[rules].base}:${word}:noun" in object_base.txt`,
      remedy: "Add the record, or ignore this if the kinds have no flags and no noun in common",
    };
  }
}

function* checkKind(kind: KindSpec, { line, known }: Context): Generator<Flaw> {
  const { place: where, type, tval, allocation, flags } = kind;
  // INSTA_ART: only artifacts have this kind, so it needs no A line
  if (tval === NO_TVAL || flags.includes("INSTA_ART")) return;
  if (allocation === undefined || allocation.commonness === 0) {
    const why = allocation === undefined ? `it has no ${line.allocation}` : "its commonness is 0";
    yield {
      where,
      problem: `the kind ${kindName(kind)} is only made on request, because ${why}`,
      expected: `${one(line.allocation)} with a commonness above 0`,
      remedy: `Add or fix the ${line.allocation}, or ignore this if it is intended`,
    };
  }
  if ((isWeapon(type) || type.group === "armour") && !known.canGetSome(kind)) {
    yield {
      where,
      problem: `the kind ${kindName(kind)} can never have an affix`,
      got: `${type.word}:${kind.sval}`,
      expected: `an affix with ${one(line.target)} that matches the kind`,
      remedy: `Widen ${one(line.target)}, or ignore this if it is intended`,
    };
  }
}

function* checkAffix(affix: AffixSpec, context: Context): Generator<Flaw> {
  yield* checkTargets(affix, context);
  yield* checkFlags(affix, context.bits);
  yield* checkMinima(affix);
  yield* checkCounts(affix);
}

function* checkTargets(affix: AffixSpec, context: Context): Generator<Flaw> {
  const { files, known } = context;
  const { place, targets } = affix;
  const problem = `no object can get the affix ${quoted(affix)} by chance`;
  const { target: line } = context.line;
  const live = targets.filter(({ probability }) => probability > 0);
  if (live.length === 0) {
    const flaw = targets.length === 0 ? `it has no ${line}` : `all its ${line}s have the probability 0`;
    yield {
      where: place,
      problem: `${problem}, because ${flaw}`,
      expected: `${one(line)} with a probability above 0`,
      remedy: `Add ${one(line)}, or ignore this if ${files.rules === "v4" ? "only themes add it" : "it is intended"}`,
    };
  } else if (!known.order.isReachedBy(live)) yield unreached(files, problem, live);
  else if (!known.canCome(affix)) {
    yield {
      where: live[0].place,
      problem: `${problem}, because ${line}s of probability 0 always match first`,
      expected: `${one(line)} of probability above 0 that matches first at some depth`,
      remedy: `Move this ${line} before the others, or remove the ${line}s of probability 0`,
    };
  } else {
    const what = `this ${line} of the affix ${quoted(affix)}`;
    for (const target of hiddenLines(affix, known.order)) {
      yield {
        where: target.place,
        problem: `${what} has no effect, because earlier ${line}s of the affix always match first`,
        got: targetText(files, target),
        expected: "a line that is the first to match at some depth and affix level",
        remedy: "Remove the line, or move it before the others",
      };
    }
    yield* idleLines(targets, context, what);
  }
}

function* idleLines(targets: readonly ThemeTarget[], { files, known }: Context, what: string): Generator<Flaw> {
  for (const line of targets) {
    const kinds = known.order.reachedBy([line]);
    const least = Math.min(...kinds.map((kind) => leastLevel(files, kind)));
    const found = { where: line.place, got: targetText(files, line) };
    if (kinds.length === 0) {
      yield { ...found, problem: `${what} matches no kind`, remedy: "Fix the line, or add a kind that it matches" };
    } else if (line.most < least) {
      yield {
        ...found,
        problem: `${what} has a greatest depth below the least depth of its kinds`,
        expected: `a greatest depth of at least ${least}`,
        remedy: "Raise the greatest depth, or ignore this if the kinds are made on request",
      };
    }
  }
}

function leastLevel(files: ObjectFiles, { allocation, flags }: KindSpec): number {
  if (allocation === undefined || allocation.commonness === 0 || flags.includes("INSTA_ART")) return 0;
  return leastDraw(files, allocation.least);
}

function* checkFlags(affix: AffixSpec, bits: FlagBits): Generator<Flaw> {
  const kept = new Set(bits.withoutContradictions(affix.flags));
  const lost = affix.flags.filter((flag) => !kept.has(flag));
  if (lost.length === 0) return;
  yield {
    where: affix.place,
    problem: `flags of the affix ${quoted(affix)} contradict each other, so the affix never gives ${lost.join(" and ")}`,
    expected: "at most one of resistance, immunity and vulnerability for each element",
    remedy: "Remove flags from its F lines",
  };
}

function* checkMinima(affix: AffixSpec): Generator<Flaw> {
  const { place, least, pvals, randomPvals } = affix;
  const lines: readonly (readonly [what: string, value: RandomValue, minimum: number | undefined])[] = [
    ...MODIFIERS.map(([what, name]) => [what, affix[name], least[name]] as const),
    ...pvals.map(({ value, least: minimum, flags }) => [`the pval of ${flags.join(" | ")}`, value, minimum] as const),
    ...randomPvals.map(({ value, least: minimum }) => ["the pval of the Z line", value, minimum] as const),
  ];
  for (const [what, value, minimum] of lines) {
    const { least: low, most } = rangeOf(value);
    // skips the constant 0: it is the usual value of a line that only sets a minimum
    if (minimum === undefined || most >= minimum || (low === 0 && most === 0)) continue;
    yield {
      where: place,
      problem: `the minimum of ${what} in the affix ${quoted(affix)} is above the greatest possible value`,
      got: minimum,
      expected: `at most ${most}, the greatest value`,
      remedy: "Lower the minimum, or raise the value",
    };
  }
}

function* checkCounts(affix: AffixSpec): Generator<Flaw> {
  const scarce = [...affix.randomFlags, ...affix.randomPvals].find(({ count, flags }) => count > flags.length);
  if (scarce === undefined) return;
  yield {
    where: affix.place,
    problem: `the affix ${quoted(affix)} draws more random flags than its line lists`,
    got: scarce.count,
    expected: `at most ${scarce.flags.length}`,
    remedy: "Reduce the count, or list more flags",
  };
}

function* checkTheme(theme: ThemeSpec, context: Context): Generator<Flaw> {
  const { place: where, targets } = theme;
  const problem = `no object can get the theme ${quoted(theme)}`;
  if (targets.length === 0) {
    yield { where, problem: `${problem}, because it has no T line`, remedy: "Add a T line" };
  } else if (!context.known.order.isReachedBy(targets)) yield unreached(context.files, problem, targets);
  else {
    yield* idleLines(targets, context, `this ${context.line.target} of the theme ${quoted(theme)}`);
    const found = checkMeeting(theme, context);
    if (found === undefined) return;
    const remedy = "Widen T lines of its affixes, or add affixes";
    yield { where, problem: `${problem}, because ${found.flaw}`, expected: found.expected, remedy };
  }
}

/** Returns undefined if a kind can get the theme. Otherwise, returns the reason, and what would be needed. */
function checkMeeting(theme: ThemeSpec, { known, watch, files: { constants } }: Context) {
  const { factor, leastAffixes } = constants.themes;
  const weights = partWeights(theme);
  const weightOf = ({ number }: AffixSpec) => weights.get(number) ?? 0;
  const weighty = known.affixes(weights.keys()).filter((affix) => weightOf(affix) > 0);
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
  // the largest number of affixes of the theme that a kind can get, and the largest total weight of such affixes
  let [most, heaviest] = [0, 0];
  for (const kind of known.order.reachedBy(theme.targets)) {
    watch.look();
    const met = weighty.filter((affix) => known.canGet(kind, affix));
    most = Math.max(most, met.length);
    const weight = sum(met.map(weightOf));
    // the chance grows with the weight: if an earlier kind of at least this weight failed, this kind fails too
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
    flaw: `the affixes that one kind can get have too little weight (at most ${heaviest} of ${total})`,
    expected: `a weight whose square, multiplied by ${factor}, is at least ${total}`,
  };
}

function* checkArtifact(artifact: ArtifactSpec, { files, line, known }: Context): Generator<Flaw> {
  const { place: where, tval, sval, allocations } = artifact;
  const problem = `the artifact ${quoted(artifact)} is never made`;
  const kind = known.order.kindOf(artifact);
  if (kind === undefined) {
    const got = `${typeWord(files, tval)}:${sval}`;
    const remedy = `Add the kind, or fix the ${line.kind}`;
    yield { where, problem: `${problem}, because no kind has its tval and sval`, got, remedy };
    return;
  }
  // accepts a least depth above the greatest depth: artifacts are also made at depths smaller than the least depth
  if (!allocations.some(({ probability }) => probability > 0)) {
    const isBare = allocations.length === 0;
    const flaw = isBare ? `it has no ${line.allocation}` : `all its ${line.allocation}s have the probability 0`;
    const remedy = `Add or fix ${one(line.allocation)}, or ignore this if it is intended`;
    yield { where, problem: `${problem}, because ${flaw}`, remedy };
  }
  if (lacksPowers(artifact, kind)) {
    yield {
      where,
      problem: `the armour class, dice and modifiers of the artifact ${quoted(artifact)} are all 0, unlike those of its kind`,
      expected: `${one(line.powers)}; an artifact does not get the values of its kind`,
      remedy: `Add or fix the ${line.powers}, or ignore this if it is intended`,
    };
  }
  const required = known.affixes(artifact.requires);
  const absent = required.find((affix) => !known.canGet(kind, affix));
  const flawed = absent ?? known.firstRival(required);
  if (flawed === undefined) return;
  const flaw =
    absent === undefined ? "a required affix excludes another required affix" : "its kind cannot get a required affix";
  yield {
    where,
    problem: `${problem}, because ${flaw}`,
    got: `Q:${flawed.name}`,
    expected:
      absent === undefined
        ? "affixes that do not exclude each other"
        : `an affix that the kind ${kindName(kind)} can get`,
    remedy: "Fix the Q lines of the artifact, or the affix",
  };
}

/** If all values of an artifact are 0, unlike the values of its kind, its record usually lacks a `P` line. */
function lacksPowers({ ac, dice, sides, toHit, toDam, toAc }: ArtifactSpec, kind: KindSpec): boolean {
  if ([ac, dice * sides, toHit, toDam, toAc].some((value) => value !== 0)) return false;
  const ofKind = [kind.toHit, kind.toDam, kind.toAc].map(rangeOf);
  return kind.ac !== 0 || kind.dice * kind.sides !== 0 || ofKind.some(({ least, most }) => least !== 0 || most !== 0);
}

function unreached(files: ObjectFiles, problem: string, targets: readonly ThemeTarget[]): Flaw {
  const { target: line } = LINE_NAMES[files.rules];
  const flaw = targets.length === 1 ? `its ${line} matches no kind` : `none of its ${line}s matches a kind`;
  return {
    where: targets[0].place,
    problem: `${problem}, because ${flaw}`,
    got: targetText(files, targets[0]),
    remedy: `Fix the ${line}s, or add a kind that they match`,
  };
}

function targetText(files: ObjectFiles, { tval, leastSval, mostSval }: ThemeTarget): string {
  return `T:${typeWord(files, tval)}:${leastSval}:${mostSval}`;
}
