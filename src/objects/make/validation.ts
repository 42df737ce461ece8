import { depthCasesOf, slotOddsOf } from "../law/decisions.js";
import { FlagBits, losesFlags } from "../law/flagBits.js";
import { kindOfArtifact } from "../law/reach.js";
import { affixWeight, excludeEachOther, fitsAny } from "../law/slots.js";
import { halfPercents } from "../law/themes.js";
import type { AffixSpec, ArtifactSpec, MadeObject, ObjectFiles, ThemeSpec } from "../types.js";
import { NUMBERS, ObjectSpans, type Span } from "./spans.js";

export interface Violation {
  readonly problem: string;
  readonly got: unknown;
  readonly expected: string;
  /** The field of the object, such as `affixes[1]`. */
  readonly path: string;
}

/**
 * Returns the first rule that an object breaks, so that the files could not have made it. Returns undefined if no
 * broken rule is found. Checks the slots and their depths, exclusions, the conditions of the theme, the kind and the
 * required affixes of the artifact, the ranges of all numbers, and the flags.
 */
export function violationOf(object: MadeObject, files: ObjectFiles): Violation | undefined {
  const { artifact } = object;
  const made = artifact === undefined ? violationOfSlots(object, files) : violationOfArtifact(object, artifact, files);
  return made ?? violationOfTheme(object, files) ?? violationOfValues(object, files);
}

// ── slots and affixes ──

function violationOfSlots(object: MadeObject, files: ObjectFiles): Violation | undefined {
  const { kind, level, quality, slots, affixes, added, affixLevel } = object;
  if (affixLevel < 0) {
    const expected = "the name of an affix level";
    return { problem: "the object has no affix level", got: null, expected, path: "affixLevel" };
  }
  const odds = slotOddsOf(files, kind, { level, quality });
  const possible = [...odds.keys()].filter((count) => odds[count].numerator > 0n);
  if (!possible.includes(slots)) {
    const problem = `a ${quality} object of this kind cannot have this number of slots at level ${level}`;
    return { problem, got: slots, expected: `one of ${possible.join(", ")}`, path: "slots" };
  }
  if (affixes.length - added > slots) {
    const problem = "the object has more affixes than slots";
    return { problem, got: affixes.length - added, expected: `at most ${slots}`, path: "affixes" };
  }
  return firstViolation(affixes, (affix, i) => violationOfAffix(object, files, { affix, i }));
}

function violationOfAffix(
  object: MadeObject,
  files: ObjectFiles,
  { affix, i }: { readonly affix: AffixSpec; readonly i: number },
): Violation | undefined {
  const { kind, level, affixes, depths, added, affixLevel } = object;
  const path = `affixes[${i}]`;
  const rival = affixes.slice(0, i).find((other) => excludeEachOther(other, affix));
  if (rival !== undefined) {
    const problem = `the affix ${JSON.stringify(rival.name)} of the object excludes this affix`;
    return { problem, got: affix.name, expected: "an affix that no other affix excludes", path };
  }
  const depth = depths[i];
  if (i >= affixes.length - added) {
    if (depth === level) return undefined;
    const problem = "an added affix must have the depth of the object";
    return { problem, got: depth, expected: String(level), path: `depths[${i}]` };
  }
  if (!depthCasesOf(files, level).has(depth)) {
    const problem = `a slot cannot have this depth at level ${level}`;
    return { problem, got: depth, expected: `${level}, or a depth that a boost gives`, path: `depths[${i}]` };
  }
  if (affixWeight(affix, { kind, level, depth, affixLevel }) > 0) return undefined;
  const problem = "a slot of this object cannot get this affix";
  return { problem, got: affix.name, expected: "an affix with a T line that matches the object", path };
}

// ── artifacts ──

function violationOfArtifact(object: MadeObject, artifact: ArtifactSpec, files: ObjectFiles): Violation | undefined {
  const { kind, level, affixes, added, affixLevel, slots, theme } = object;
  const name = `the artifact ${JSON.stringify(artifact.name)}`;
  if (kindOfArtifact(files, artifact) !== kind) {
    return { problem: `${name} is of another kind`, got: kind.name, expected: "the kind of its I line", path: "kind" };
  }
  if (!artifact.allocations.some(({ probability, most }) => probability > 0 && level <= most)) {
    const problem = `${name} is never made at this level`;
    return { problem, got: level, expected: "a level of its A lines", path: "level" };
  }
  if (theme !== undefined || added > 0) {
    const problem = `${name} cannot get a theme or more affixes`;
    return { problem, got: theme?.name ?? added, expected: "no theme", path: theme === undefined ? "added" : "theme" };
  }
  // an artifact without an affix level was never an ordinary object, so it has no slots to check
  if (affixLevel >= 0 && artifact.requires.length > 0)
    return violationOfSlots(object, files) ?? lackOf(artifact, affixes);
  if (affixLevel >= 0 || slots > 0) {
    const problem = `${name} has no affix level and no slots`;
    return { problem, got: slots, expected: "0", path: "slots" };
  }
  return (
    firstViolation(affixes, (affix, i) => {
      if (artifact.requires.includes(affix.number) && affixes.indexOf(affix) === i) return undefined;
      return {
        problem: `${name} does not require this affix`,
        got: affix.name,
        expected: "its Q lines",
        path: `affixes[${i}]`,
      };
    }) ?? lackOf(artifact, affixes)
  );
}

function lackOf({ name, requires }: ArtifactSpec, affixes: readonly AffixSpec[]): Violation | undefined {
  const absent = requires.find((number) => !affixes.some((affix) => affix.number === number));
  if (absent === undefined) return undefined;
  const problem = `the object lacks an affix that the artifact ${JSON.stringify(name)} requires`;
  return { problem, got: affixes.map((affix) => affix.name).join(", "), expected: `affix ${absent}`, path: "affixes" };
}

// ── themes ──

function violationOfTheme(
  { kind, level, theme, affixes, depths }: MadeObject,
  { constants }: ObjectFiles,
): Violation | undefined {
  if (theme === undefined) return undefined;
  const depth = depths.at(-1) ?? level;
  const problem = `the object cannot have the theme ${JSON.stringify(theme.name)}`;
  if (!fitsAny(theme.targets, { kind, level, depth })) {
    const expected = "a theme with a T line that matches the object";
    return { problem, got: kind.name, expected, path: "theme" };
  }
  const owned = new Set(affixes.map(({ number }) => number));
  if (halfPercents(theme, owned, constants) > 0) return undefined;
  const got = affixes.map(({ name }) => name).join(", ");
  return { problem, got, expected: "enough affixes of the theme, with enough weight", path: "affixes" };
}

/** Returns the affixes that a theme can add to an object, and whether the theme always adds them. */
function addedBy(
  theme: ThemeSpec,
  object: MadeObject,
  { affixes }: ObjectFiles,
): readonly (readonly [AffixSpec, boolean])[] {
  const byNumber = new Map(affixes.map((affix) => [affix.number, affix]));
  const seen = new Set<number>();
  return theme.parts.flatMap(({ affix: number, chance }): [AffixSpec, boolean][] => {
    const affix = byNumber.get(number);
    const isFirst = !seen.has(number);
    seen.add(number);
    // the first line of a theme that names an affix adds nothing if the object already has this affix
    if (affix === undefined || chance === 0 || (isFirst && object.affixes.includes(affix))) return [];
    return [[affix, chance === 100]];
  });
}

// ── numbers and flags ──

const bitsByFiles = new WeakMap<ObjectFiles, FlagBits>();

function bitsOf(files: ObjectFiles): FlagBits {
  const bits = bitsByFiles.get(files) ?? new FlagBits(files.flags);
  bitsByFiles.set(files, bits);
  return bits;
}

function violationOfValues(object: MadeObject, files: ObjectFiles): Violation | undefined {
  const bits = bitsOf(files);
  const { kind, artifact, theme, affixes } = object;
  const { rules } = files;
  const spans = new ObjectSpans(kind, { bits, rules, isAmmunition: losesFlags({ rules, type: kind.type }) });
  if (rules === "4.2" && artifact === undefined) spans.enchant(kind, object.affixLevel);
  if (artifact === undefined) for (const affix of affixes) spans.apply(affix);
  else spans.become(artifact, kind);
  for (const [affix, isCertain] of theme === undefined ? [] : addedBy(theme, object, files)) {
    if (isCertain) spans.apply(affix);
    else spans.applyPerhaps(affix);
  }
  const possible = new Set([...spans.fixed, ...spans.random]);
  // an object without affixes keeps all flags of its kind, even if some contradict each other
  const cleaned = (names: Iterable<string>) =>
    affixes.length > 0 || artifact !== undefined ? bits.withoutContradictions([...names]) : [...names];
  return (
    firstViolation(NUMBERS, (name) => outside(object[name], spans.numbers[name], name)) ??
    firstViolation(files.flags, ({ name }) =>
      bits.hasBit(name)
        ? undefined
        : outside(object.pvals[name] ?? 0, spans.pvals.get(name) ?? [0, 0], `pvals.${name}`),
    ) ??
    violationOfFlags(object, spans, { possible, kept: cleaned(possible), clean: new Set(cleaned(object.flags)) })
  );
}

function outside(value: number, [least, most]: Span, path: string): Violation | undefined {
  if (least <= value && value <= most) return undefined;
  const expected = least === most ? String(least) : `${least} to ${most}`;
  return { problem: `the records of the object do not allow its ${path}`, got: value, expected, path };
}

/**
 * - `possible`: the flags that the object can have.
 * - `kept`: those that no other flag in `possible` removes.
 * - `clean`: the flags of the object that no other flag of the object removes.
 */
interface FlagSets {
  readonly possible: ReadonlySet<string>;
  readonly kept: readonly string[];
  readonly clean: ReadonlySet<string>;
}

function violationOfFlags(
  { flags, pvals }: MadeObject,
  spans: ObjectSpans,
  { possible, kept, clean }: FlagSets,
): Violation | undefined {
  const stranger = flags.find((name) => !possible.has(name) || !clean.has(name));
  if (stranger !== undefined) {
    const expected = "a flag that its records give";
    return { problem: "the records of the object do not allow a flag", got: stranger, expected, path: "flags" };
  }
  const own = new Set(flags);
  const absent = kept.find((name) => spans.certain.has(name) && !own.has(name));
  if (absent !== undefined) {
    const problem = "the object lacks a flag that its records give";
    return { problem, got: flags.join(" | "), expected: absent, path: "flags" };
  }
  const random = flags.filter((name) => !spans.fixed.has(name)).length;
  if (random > spans.randomCount) {
    const problem = "the object has too many random flags";
    return { problem, got: random, expected: `at most ${spans.randomCount}`, path: "flags" };
  }
  const valued = Object.keys(pvals).filter((name) => !spans.fixedPvals.has(name)).length;
  if (valued <= spans.randomPvalCount) return undefined;
  const problem = "the object has too many random flags with a value";
  return { problem, got: valued, expected: `at most ${spans.randomPvalCount}`, path: "pvals" };
}

function firstViolation<T>(
  list: readonly T[],
  check: (one: T, i: number) => Violation | undefined,
): Violation | undefined {
  for (const [i, one] of list.entries()) {
    const violation = check(one, i);
    if (violation !== undefined) return violation;
  }
  return undefined;
}
