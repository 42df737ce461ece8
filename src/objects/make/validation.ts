import type { Finding } from "../../errors/index.js";
import { GOOD_ENCHANTMENT, GREAT_ENCHANTMENT } from "../law/egos.js";
import { FlagBits, losesFlags } from "../law/flagBits.js";
import { depthCasesOf, slotOddsOf } from "../law/kinds.js";
import { rangeOf } from "../law/mBonus.js";
import { kindOfArtifact } from "../law/reach.js";
import { affixWeight, excludeEachOther, fitsAny, halfPercents } from "../law/slots.js";
import { isWeapon } from "../law/tvals.js";
import type {
  AffixSpec,
  ArtifactSpec,
  KindSpec,
  MadeObject,
  ObjectFiles,
  ObjectRules,
  PvalSpec,
  RandomValue,
  ThemeSpec,
} from "../types.js";

export interface Violation extends Pick<Finding, "problem" | "got" | "expected"> {
  readonly path: string;
}

/**
 * Returns the first rule that an object breaks, or undefined if no broken rule is found. The files cannot produce an
 * object that breaks a rule. Checks the slots and their depths, exclusions, the conditions of the theme, the kind and
 * the required affixes of the artifact, the ranges of all numbers, and the flags.
 */
export function violationOf(object: MadeObject, files: ObjectFiles): Violation | undefined {
  return violationsOf(object, files).next().value ?? undefined;
}

/** Only the first violation counts: a later check may assume that the earlier checks found nothing. */
type Violations = Generator<Violation, void>;

function* violationsOf(object: MadeObject, files: ObjectFiles): Violations {
  const { artifact, theme } = object;
  if (artifact === undefined) yield* violationsOfSlots(object, files);
  else yield* violationsOfArtifact(object, artifact, files);
  if (theme !== undefined) yield* violationsOfTheme(object, theme, files);
  yield* violationsOfValues(object, files);
}

function* violationsOfSlots(object: MadeObject, files: ObjectFiles): Violations {
  const { kind, level, quality, slots, affixes, depths, added, affixLevel } = object;
  if (affixLevel < 0) {
    const expected = "the name of an affix level";
    yield { problem: "the object has no affix level", got: null, expected, path: "affixLevel" };
  }
  const odds = slotOddsOf(files, kind, { level, quality });
  const possible = [...odds.keys()].filter((count) => odds[count].numerator > 0n);
  if (!possible.includes(slots)) {
    const problem = `a ${quality} object of this kind cannot have this number of slots at level ${level}`;
    yield { problem, got: slots, expected: `one of ${possible.join(", ")}`, path: "slots" };
  }
  const rolled = affixes.length - added;
  if (rolled > slots) {
    const problem = "the object has more affixes than slots";
    yield { problem, got: rolled, expected: `at most ${slots}`, path: "affixes" };
  }
  for (const [i, affix] of affixes.entries()) {
    const depth = depths[i];
    const [ofAffix, ofDepth] = [
      { got: affix.name, path: `affixes[${i}]` },
      { got: depth, path: `depths[${i}]` },
    ];
    const rival = affixes.slice(0, i).find((other) => excludeEachOther(other, affix));
    if (rival !== undefined) {
      const problem = `the affix ${JSON.stringify(rival.name)} of the object excludes this affix`;
      yield { ...ofAffix, problem, expected: "an affix that no other affix excludes" };
    }
    if (i >= rolled) {
      const problem = "an added affix must have the depth of the object";
      if (depth !== level) yield { ...ofDepth, problem, expected: String(level) };
      continue;
    }
    if (!depthCasesOf(files, level).has(depth)) {
      const problem = `a slot cannot have this depth at level ${level}`;
      yield { ...ofDepth, problem, expected: `${level}, or a boosted depth` };
    }
    if (affixWeight(affix, { kind, level, depth, affixLevel }) === 0) {
      const expected = "an affix with a T line that matches the object";
      yield { ...ofAffix, problem: "a slot of this object cannot get this affix", expected };
    }
  }
}

function* violationsOfArtifact(object: MadeObject, artifact: ArtifactSpec, files: ObjectFiles): Violations {
  const { kind, level, affixes, added, affixLevel, slots, theme } = object;
  const { requires } = artifact;
  const name = `the artifact ${JSON.stringify(artifact.name)}`;
  if (kindOfArtifact(files, artifact) !== kind) {
    yield { problem: `${name} has another kind`, got: kind.name, expected: "the kind of its I line", path: "kind" };
  }
  if (!artifact.allocations.some(({ probability, most }) => probability > 0 && level <= most)) {
    const problem = `${name} is never made at this level`;
    yield { problem, got: level, expected: "a level that its A lines allow", path: "level" };
  }
  if (theme !== undefined || added > 0) {
    const problem = `${name} cannot get a theme or more affixes`;
    yield { problem, got: theme?.name ?? added, expected: "neither", path: theme === undefined ? "added" : "theme" };
  }
  // an artifact without an affix level was never an ordinary object, so it has no slots to check
  if (affixLevel >= 0 && requires.length > 0) yield* violationsOfSlots(object, files);
  else if (affixLevel >= 0 || slots > 0) {
    yield { problem: `${name} cannot have an affix level or slots`, got: slots, expected: "0", path: "slots" };
  } else {
    const i = affixes.findIndex(({ number }, at) => !requires.includes(number) || affixes.indexOf(affixes[at]) < at);
    const problem = `${name} does not require this affix`;
    if (i >= 0) yield { problem, got: affixes[i].name, expected: "an affix of its Q lines", path: `affixes[${i}]` };
  }
  const absent = requires.find((number) => !affixes.some((affix) => affix.number === number));
  if (absent === undefined) return;
  const problem = `the object lacks an affix that ${name} requires`;
  yield { problem, got: namesOf(affixes), expected: `affix ${absent}`, path: "affixes" };
}

function* violationsOfTheme(
  { kind, level, affixes, depths }: MadeObject,
  theme: ThemeSpec,
  { constants }: ObjectFiles,
): Violations {
  const problem = `the object cannot have the theme ${JSON.stringify(theme.name)}`;
  if (!fitsAny(theme.targets, { kind, level, depth: depths.at(-1) ?? level })) {
    yield { problem, got: kind.name, expected: "a theme with a T line that matches the object", path: "theme" };
  }
  if (halfPercents(theme, new Set(affixes.map(({ number }) => number)), constants) > 0) return;
  const expected = "enough affixes of the theme, with enough weight";
  yield { problem, got: namesOf(affixes), expected, path: "affixes" };
}

function namesOf(affixes: readonly AffixSpec[]): string {
  return affixes.map(({ name }) => name).join(", ");
}

const bitsByFiles = new WeakMap<ObjectFiles, FlagBits>();

function bitsOf(files: ObjectFiles): FlagBits {
  const bits = bitsByFiles.get(files) ?? new FlagBits(files.flags);
  bitsByFiles.set(files, bits);
  return bits;
}

function spansOf({ kind, artifact, theme, affixes, affixLevel }: MadeObject, files: ObjectFiles): ObjectSpans {
  const spans = new ObjectSpans(files.rules, bitsOf(files), kind, artifact);
  if (artifact === undefined) {
    if (files.rules === "4.2") spans.enchant(kind, affixLevel);
    for (const affix of affixes) spans.apply(affix);
  }
  const byNumber = new Map(files.affixes.map((affix) => [affix.number, affix]));
  const seen = new Set<number>();
  for (const { affix: number, chance } of theme?.parts ?? []) {
    const affix = byNumber.get(number);
    const isFirst = !seen.has(number);
    seen.add(number);
    // the first line of a theme that names an affix adds nothing if the object already has this affix
    if (affix === undefined || chance === 0 || (isFirst && affixes.includes(affix))) continue;
    if (chance === 100) spans.apply(affix);
    else spans.applyPerhaps(affix);
  }
  return spans;
}

function* violationsOfValues(object: MadeObject, files: ObjectFiles): Violations {
  const bits = bitsOf(files);
  const { artifact, affixes, flags, pvals } = object;
  const spans = spansOf(object, files);
  for (const name of NUMBERS) yield* outside(object[name], spans.numbers[name], name);
  for (const { name } of files.flags) {
    if (!bits.hasBit(name)) yield* outside(pvals[name] ?? 0, spans.pvals.get(name) ?? [0, 0], `pvals.${name}`);
  }
  // an object without affixes keeps all flags of its kind, even if some contradict each other
  const isCleaned = affixes.length > 0 || artifact !== undefined;
  const cleaned = (names: readonly string[]) => (isCleaned ? bits.withoutContradictions(names) : names);
  const possible = [...new Set([...spans.fixed, ...spans.random])];
  const allowed = new Set(possible);
  const clean = new Set(cleaned(flags));
  const stranger = flags.find((name) => !allowed.has(name) || !clean.has(name));
  if (stranger !== undefined) {
    const problem = "the records of the object do not allow a flag";
    yield { problem, got: stranger, expected: "a flag that its records give", path: "flags" };
  }
  const own = new Set(flags);
  const absent = cleaned(possible).find((name) => spans.certain.has(name) && !own.has(name));
  if (absent !== undefined) {
    const problem = "the object lacks a flag that its records give";
    yield { problem, got: flags.join(" | "), expected: absent, path: "flags" };
  }
  const valued = Object.keys(pvals);
  yield* tooMany("random flags", "flags", { given: flags, fixed: spans.fixed, most: spans.randomCount });
  const random = { given: valued, fixed: spans.fixedPvals, most: spans.randomPvalCount };
  yield* tooMany("random flags with a value", "pvals", random);
}

function* outside(value: number, [least, most]: Span, path: string): Violations {
  if (least <= value && value <= most) return;
  const expected = least === most ? String(least) : `${least} to ${most}`;
  yield { problem: `the records of the object do not allow its ${path}`, got: value, expected, path };
}

function* tooMany(
  what: string,
  path: string,
  { given, fixed, most }: { given: readonly string[]; fixed: ReadonlySet<string>; most: number },
): Violations {
  const got = given.filter((name) => !fixed.has(name)).length;
  if (got > most) yield { problem: `the object has too many ${what}`, got, expected: `at most ${most}`, path };
}

type Span = readonly [least: number, most: number];

const NUMBERS = ["toHit", "toDam", "toAc", "ac", "dice", "sides", "weight"] as const;

type Numbers = Record<(typeof NUMBERS)[number], Span>;

const MODIFIER: Span = [-32_767, 32_767];
const AMOUNT: Span = [0, 32_767];
const WEIGHT: Span = [0, 65_535];
const NOTHING: Span = [0, 0];

/** The numbers and flags that an object can have. A span can be wider than the values that occur, never narrower. */
class ObjectSpans {
  readonly numbers: Numbers;
  readonly pvals = new Map<string, Span>();
  /** The flags without a value that the `F` lines of the object's records give. */
  readonly fixed: Set<string>;
  /** Flags of {@link fixed} that every object with these records has, unless a flag of the same element removes one. */
  readonly certain: Set<string>;
  /** The flags that `R` and `R2` lines can draw at random. An object gets at most `randomCount` of them. */
  readonly random = new Set<string>();
  randomCount = 0;
  /** The flags to which `L` lines can give a value. `Z` lines draw at most `randomPvalCount` more flags at random. */
  readonly fixedPvals = new Set<string>();
  randomPvalCount = 0;
  readonly #bits: FlagBits;
  /** Ammunition with an affix has no armour, and loses most of its flags and pvals. */
  readonly #isAmmunition: boolean;
  readonly #rules: ObjectRules;

  constructor(rules: ObjectRules, bits: FlagBits, kind: KindSpec, artifact?: ArtifactSpec) {
    const own = artifact ?? kind;
    const { flags, pvals } = own;
    const numbers = NUMBERS.map((name) => [name, spanOf(own[name])]);
    this.numbers = Object.fromEntries(numbers) as Numbers;
    const all = artifact === undefined ? flags : bits.withoutContradictions([...new Set([...kind.flags, ...flags])]);
    this.#bits = bits;
    this.#rules = rules;
    this.#isAmmunition = losesFlags({ rules, type: kind.type });
    this.fixed = new Set(all);
    this.certain = new Set(all);
    this.#addPvals(pvals);
  }

  enchant({ type }: KindSpec, affixLevel: number): void {
    const names = isWeapon(type) ? (["toHit", "toDam"] as const) : type.group === "armour" ? (["toAc"] as const) : [];
    const values = [GOOD_ENCHANTMENT, GREAT_ENCHANTMENT].slice(0, Math.max(affixLevel, 0));
    for (const name of names) {
      for (const value of values) this.numbers[name] = this.#sum(this.numbers[name], value, undefined);
    }
  }

  apply(affix: AffixSpec): void {
    const { numbers } = this;
    for (const { count, flags } of affix.randomFlags) {
      this.randomCount += count;
      for (const name of flags) this.random.add(name);
    }
    for (const name of ["toHit", "toDam", "toAc"] as const) {
      numbers[name] = this.#sum(numbers[name], affix[name], affix.least[name]);
    }
    this.#addPvals(affix.pvals);
    for (const { count, value, least, flags } of affix.randomPvals) {
      this.randomPvalCount += count;
      const rolled = this.#sum(NOTHING, value, least);
      for (const name of flags) this.pvals.set(name, hull(this.pvals.get(name) ?? NOTHING, rolled));
    }
    for (const name of affix.flags) {
      this.fixed.add(name);
      this.certain.add(name);
    }
    for (const name of affix.removes) for (const set of [this.fixed, this.certain, this.random]) set.delete(name);
    this.#changeBody(affix);
    if (this.#isAmmunition) this.#keepAmmunition();
  }

  applyPerhaps(affix: AffixSpec): void {
    const [numbers, pvals, certain] = [{ ...this.numbers }, new Map(this.pvals), [...this.certain]];
    this.apply(affix);
    for (const name of NUMBERS) this.numbers[name] = hull(numbers[name], this.numbers[name]);
    for (const [name, span] of this.pvals) this.pvals.set(name, hull(pvals.get(name) ?? NOTHING, span));
    this.certain.clear();
    for (const name of certain) this.certain.add(name);
  }

  #addPvals(lines: readonly PvalSpec[]): void {
    for (const { value, least, flags } of lines) {
      for (const name of flags) {
        this.fixedPvals.add(name);
        this.pvals.set(name, this.#sum(this.pvals.get(name) ?? NOTHING, value, least));
      }
    }
  }

  #changeBody({ acPercent, weightPercent, dice, sides }: AffixSpec): void {
    const { numbers } = this;
    const scaled = ([least, most]: Span, percent: number, ends: Span) =>
      within([Math.trunc((least * (100 + percent)) / 100), Math.trunc((most * (100 + percent)) / 100)], ends);
    numbers.ac = scaled(numbers.ac, acPercent, AMOUNT);
    numbers.weight = scaled(numbers.weight, weightPercent, WEIGHT);
    const ends: Span = [dice === 0 && sides === 0 ? 0 : 1, AMOUNT[1]];
    numbers.dice = within([numbers.dice[0] + dice, numbers.dice[1] + dice], ends);
    numbers.sides = within([numbers.sides[0] + sides, numbers.sides[1] + sides], ends);
  }

  /** Adds a value, then raises the sum to the minimum. By the rules of version 4, first raises the value as well. */
  #sum([least, most]: Span, value: RandomValue, minimum = Number.NEGATIVE_INFINITY): Span {
    const [low, high] = spanOf(value);
    const raise = (one: number) => (this.#rules === "v4" ? Math.max(one, minimum) : one);
    return within([Math.max(least + raise(low), minimum), Math.max(most + raise(high), minimum)], MODIFIER);
  }

  #keepAmmunition(): void {
    this.numbers.ac = NOTHING;
    this.numbers.toAc = NOTHING;
    for (const name of this.pvals.keys()) if (!this.#bits.isKeptByAmmunition(name)) this.pvals.delete(name);
    for (const set of [this.fixed, this.certain, this.random]) {
      for (const name of set) if (!this.#bits.isKeptByAmmunition(name)) set.delete(name);
    }
  }
}

function spanOf(value: RandomValue | number): Span {
  if (typeof value === "number") return [value, value];
  const { least, most } = rangeOf(value);
  return [least, most];
}

function within([least, most]: Span, [low, high]: Span): Span {
  return [Math.min(Math.max(least, low), high), Math.min(Math.max(most, low), high)];
}

function hull(a: Span, b: Span): Span {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}
