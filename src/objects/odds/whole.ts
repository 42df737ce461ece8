import type { Chance, Odds, Watch } from "../../calls/index.js";
import { FactorBase, type Ratio, times, UNIT } from "../../factors.js";
import { add, type Fraction, fraction, leastCommonMultiple, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import {
  GOOD_SPECIAL_ONE_IN,
  GREAT_POWER,
  GREAT_TRIES,
  LIFT_CASES,
  SPECIAL_ONE_IN,
  TRIES,
} from "../../kernel/layout.js";
import { kindOdds, levelOddsOf } from "../law/kinds.js";
import { kindOfArtifact } from "../law/reach.js";
import { type AffixOdds, addTo, affixLevelOdds, type Decision, fits, MOST_AFFIXES } from "../law/slots.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, Quality, ThemeSpec } from "../types.js";
import { artifactChoice } from "./artifacts.js";
import { NOTHING, SlotOutcome } from "./slotOutcome.js";
import { affixOdds, listedOdds } from "./themes.js";

/** The exact chances of one affix. A slot can give the affix to the object, or a theme can add it. */
export interface AffixChance extends Chance<AffixSpec> {
  /** The probability that slots give the affix at least once. The list `affixes` of an object has only such affixes. */
  readonly probability: Fraction;
  /** The probability that a theme adds the affix. */
  readonly byTheme: Fraction;
  /** The probability that a slot gives the affix, or a theme adds it, or both. */
  readonly either: Fraction;
}

/**
 * The exact odds of a whole object.
 *
 * If {@link WholeObjectOdds.unexplored} is 0, all probabilities are exact. Otherwise, each probability is a lower
 * bound. Add `unexplored` for an upper bound. Both bounds are exact fractions.
 */
export interface WholeObjectOdds {
  /**
   * The odds of the kind. An artifact counts as an object of its kind. `none` is the probability that the draw finds no
   * kind.
   */
  readonly kinds: Odds<KindSpec>;
  /**
   * The chances of each affix. An object can have several affixes, so the probabilities can add up to more than 1.
   * `none` is the probability that no slot gives the object an affix.
   */
  readonly affixes: { readonly odds: readonly AffixChance[]; readonly none: Fraction };
  /** The odds of the theme. `none` is the probability that the object has no theme. */
  readonly themes: Odds<ThemeSpec>;
  /** The odds of the artifact. `none` is the probability that the object is not an artifact. */
  readonly artifacts: Odds<ArtifactSpec>;
  /** The odds of the number of affixes, 0 … 8. If the object has an affix twice, it counts twice. */
  readonly affixCounts: Odds<number>;
  /** The probability of the objects that the computation did not follow to their end. 0 if all odds are exact. */
  readonly unexplored: Fraction;
}

export interface WholeQuery extends Decision {
  readonly kind: KindSpec | undefined;
  readonly tval: number | undefined;
  readonly affixLevel: number | undefined;
  readonly artifacts: boolean;
  readonly mostStates: number;
}

export const DEFAULT_STATES = 2 ** 18;
export const MAX_STATES = 2 ** 22;

const CERTAIN: Ratio = { numerator: 1n, divisor: UNIT };

function noChances<T>() {
  return {
    kinds: new Map<KindSpec, T>(),
    affixes: new Map<AffixSpec, T>(),
    byTheme: new Map<AffixSpec, T>(),
    either: new Map<AffixSpec, T>(),
    themes: new Map<ThemeSpec, T>(),
    artifacts: new Map<ArtifactSpec, T>(),
    counts: new Map<number, T>(),
  };
}

type Chances<T> = ReturnType<typeof noChances<T>>;

class Totals {
  readonly chances = noChances<Ratio>();
  /** The chance that the object becomes an artifact and the computation cannot tell which artifact it is. */
  unsettled = NOTHING;
  readonly base = new FactorBase();
  readonly tries: Ratio;
  readonly files: ObjectFiles;
  readonly query: WholeQuery;

  constructor(files: ObjectFiles, query: WholeQuery) {
    this.files = files;
    this.query = query;
    this.tries = { numerator: 1n, divisor: this.base.productOf(files.constants.artifacts.oneIn[query.quality]) };
  }

  add<Key>(to: Map<Key, Ratio>, key: Key, chance: Ratio, weight = CERTAIN): void {
    if (chance.numerator === 0n || weight.numerator === 0n) return;
    to.set(key, this.base.add(to.get(key) ?? NOTHING, times(chance, weight, this.base)));
  }
}

/** Assumes that no artifact was made before. `watchFor` takes the number of steps and returns the watch of the call. */
export function wholeOdds(files: ObjectFiles, query: WholeQuery, watchFor: (total: number) => Watch): WholeObjectOdds {
  if (files.rules === "4.2") return wholeEgoOdds(files, query, watchFor);
  const totals = new Totals(files, query);
  const { base } = totals;
  const rest = addArtifacts(totals);
  const early = watchFor(0);
  const { groups, none } = kindGroups(totals, rest, early);
  const levels = affixLevelChances(totals);
  const parts = groups.flatMap((group) => levels.map((level) => ({ group, ...level })));
  const outcomes = parts.map(({ group, affixLevel, chance }) => {
    early.look();
    const outcome = new SlotOutcome(files, { ...query, ...group, affixLevel }, base);
    return { outcome, group, weight: times(group.chance, chance, base) };
  });
  const watch = watchFor(outcomes.reduce((sum, { outcome }) => sum + outcome.steps, 0));
  let done = 0;
  // removes each outcome from the list, so that the memory of its masses can be freed
  for (let next = outcomes.shift(); next !== undefined; next = outcomes.shift()) {
    const { outcome, group, weight } = next;
    outcome.run(watch, done);
    addOutcome(totals, outcome, group.requiring, weight);
    done += outcome.steps;
    watch.passed(done);
  }
  return shown(totals, none, watch);
}

function addArtifacts(totals: Totals): Ratio {
  const { base, files, query, tries } = totals;
  if (!query.artifacts) return CERTAIN;
  const able = files.artifacts.filter((artifact) => {
    const kind = kindOfArtifact(files, artifact);
    if (kind === undefined || artifact.requires.length > 0) return false;
    return query.kind === undefined ? (query.tval ?? kind.tval) === kind.tval : kind === query.kind;
  });
  const { chances, unknown } = artifactChoice(able, query.level, base, files.constants);
  let rest = base.add(CERTAIN, times(unknown, { ...tries, numerator: -1n }, base));
  for (const [artifact, chance] of chances) {
    const own = times(chance, tries, base);
    const kind = kindOfArtifact(files, artifact);
    totals.add(totals.chances.artifacts, artifact, own);
    if (kind !== undefined) totals.add(totals.chances.kinds, kind, own);
    totals.add(totals.chances.counts, 0, own);
    rest = base.add(rest, { ...own, numerator: -own.numerator });
  }
  return rest;
}

/** Groups the kinds whose slots have the same odds. `none` is the chance that no kind is found. */
function kindGroups(totals: Totals, rest: Ratio, watch: Watch) {
  const { base, files, query } = totals;
  const drawn = kindOdds(files, { ...query, watch });
  const divisor = commonDivisor([...drawn.kinds.values(), drawn.none], base);
  const requiring = files.artifacts.flatMap((artifact) =>
    query.artifacts && artifact.requires.length > 0 ? [{ artifact, own: kindOfArtifact(files, artifact) }] : [],
  );
  const groups = new Map<string, { kind: KindSpec; requiring: readonly ArtifactSpec[]; chance: Ratio }>();
  for (const [kind, chance] of drawn.kinds) {
    watch.look();
    const own = times(rest, divisor(chance), base);
    totals.add(totals.chances.kinds, kind, own);
    const artifacts = requiring.flatMap(({ artifact, own: of }) => (of === kind ? [artifact] : []));
    const key = signatureOf(files, kind, artifacts);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { kind, requiring: artifacts, chance: own });
    else known.chance = base.add(known.chance, own);
  }
  return { groups: [...groups.values()], none: times(rest, divisor(drawn.none), base) };
}

function commonDivisor(fractions: readonly Fraction[], base: FactorBase): (fraction: Fraction) => Ratio {
  const common = fractions.reduce((sum, { denominator }) => leastCommonMultiple(sum, denominator), 1n);
  const divisor = base.productOfDeterminant(common);
  return ({ numerator, denominator }) => ({ numerator: numerator * (common / denominator), divisor });
}

/** Two kinds with equal signatures have equal odds of their slots. */
function signatureOf({ affixes, themes }: ObjectFiles, kind: KindSpec, requiring: readonly ArtifactSpec[]): string {
  const lines = [...affixes, ...themes].map(({ targets }) =>
    targets.flatMap((target, i) => (fits(target, kind) ? [i] : [])).join(),
  );
  const artifacts = requiring.map(({ number }) => number).join();
  return [kind.flags.includes("GOOD"), artifacts, ...lines].join(";");
}

function affixLevelChances({ files: { levels, constants }, query: { level, quality, affixLevel }, base }: Totals) {
  if (affixLevel !== undefined) return [{ affixLevel, chance: CERTAIN }];
  return affixLevelOdds(level, quality, levels.length, constants).flatMap(({ numerator, denominator }, index) =>
    numerator === 0n
      ? []
      : [{ affixLevel: index, chance: { numerator, divisor: base.productOf(Number(denominator)) } }],
  );
}

function addOutcome(totals: Totals, outcome: SlotOutcome, requiring: readonly ArtifactSpec[], weight: Ratio): void {
  const { base, files, query, tries } = totals;
  for (const [affix, chance] of outcome.affixes()) {
    totals.add(totals.chances.affixes, affix, chance, weight);
    totals.add(totals.chances.either, affix, chance, weight);
  }
  for (const { theme, chance, added } of outcome.themes()) {
    totals.add(totals.chances.themes, theme, chance, weight);
    for (const { affix, lacking, all } of added) {
      totals.add(totals.chances.either, affix, lacking, weight);
      totals.add(totals.chances.byTheme, affix, all, weight);
    }
  }
  for (const [count, chance] of outcome.counts().entries()) totals.add(totals.chances.counts, count, chance, weight);
  for (const { artifacts, chance } of outcome.ends()) {
    const able = artifacts.map((i) => requiring[i]);
    const { chances, unknown } = artifactChoice(able, query.level, base, files.constants);
    const own = times(times(chance, tries, base), weight, base);
    totals.unsettled = base.add(totals.unsettled, times(unknown, own, base));
    for (const [artifact, share] of chances) totals.add(totals.chances.artifacts, artifact, share, own);
  }
}

function shown({ base, chances, files, unsettled }: Totals, none: Ratio, watch: Watch): WholeObjectOdds {
  const maps: readonly ReadonlyMap<unknown, Ratio>[] = Object.values(chances);
  const flat = maps.flatMap((map) => [...map.values()]);
  const fractions = base.reduceAll([...flat, none, unsettled], () => watch.look());
  const reduced = new Map(flat.map((ratio, i) => [ratio, fractions[i]]));
  const sum = (map: ReadonlyMap<unknown, Ratio>) =>
    base.reduceAll([[...map.values()].reduce((a, b) => base.add(a, b), NOTHING)])[0];
  const kind = fractions[flat.length];
  const unexplored = add(subtract(subtract(ONE, sum(chances.counts)), kind), fractions[flat.length + 1]);
  const rest = (map: ReadonlyMap<unknown, Ratio>) => subtract(subtract(ONE, sum(map)), unexplored);
  const exact = Object.entries<ReadonlyMap<unknown, Ratio>>(chances).map(([name, map]) => {
    return [name, new Map([...map].map(([key, ratio]) => [key, reduced.get(ratio)]))];
  });
  const without = { kind, theme: rest(chances.themes), artifact: rest(chances.artifacts), unexplored };
  return wholeObjectOdds(files, Object.fromEntries(exact) as Chances<Fraction>, without);
}

function wholeObjectOdds(
  files: ObjectFiles,
  { kinds, affixes, byTheme, either, themes, artifacts, counts }: Chances<Fraction>,
  without: Readonly<Record<"kind" | "theme" | "artifact" | "unexplored", Fraction>>,
): WholeObjectOdds {
  const odds = listedOdds(files.affixes, either).map((one): AffixChance => {
    const [probability, added] = [affixes, byTheme].map((map) => map.get(one.result) ?? ZERO);
    return { result: one.result, probability, byTheme: added, either: one.probability };
  });
  return {
    kinds: { odds: listedOdds(files.kinds, kinds), none: without.kind },
    affixes: { odds, none: counts.get(0) ?? ZERO },
    themes: { odds: listedOdds(files.themes, themes), none: without.theme },
    artifacts: { odds: listedOdds(files.artifacts, artifacts), none: without.artifact },
    affixCounts: { odds: listedOdds([...Array(MOST_AFFIXES + 1).keys()], counts), none: without.kind },
    unexplored: without.unexplored,
  };
}

type Candidate = { readonly artifact: ArtifactSpec; readonly kind: KindSpec };

/** By the rules of Angband 4.2, an object has at most one affix and no theme, so there are no states to search. */
function wholeEgoOdds(files: ObjectFiles, query: WholeQuery, watchFor: (total: number) => Watch): WholeObjectOdds {
  const whole = new WholeEgos(files, query);
  let none = ZERO;
  const drawn = [...whole.addSpecial()].map(([quality, chance]) => {
    const found = kindOdds(files, { ...query, quality });
    none = add(none, multiply(chance, found.none));
    return { quality, chance, kinds: found.kinds };
  });
  const watch = watchFor(drawn.reduce((sum, { kinds }) => sum + kinds.size, 0));
  let done = 0;
  for (const { quality, chance, kinds } of drawn) {
    for (const [kind, share] of kinds) {
      whole.addKind(kind, { quality, chance: multiply(chance, share), watch });
      watch.passed(++done);
    }
  }
  return whole.odds(none);
}

class WholeEgos {
  readonly #chances = noChances<Fraction>();
  readonly #slots = new Map<string, AffixOdds>();
  readonly #files: ObjectFiles;
  readonly #query: WholeQuery;
  readonly #candidates: readonly Candidate[];

  constructor(files: ObjectFiles, query: WholeQuery) {
    this.#files = files;
    this.#query = query;
    this.#candidates = files.artifacts.flatMap((artifact) => {
      const kind = kindOfArtifact(files, artifact);
      return kind === undefined ? [] : [{ artifact, kind }];
    });
  }

  /** Adds special artifacts. Returns the remaining chance by quality: a normal object that tries and fails is good. */
  addSpecial(): ReadonlyMap<Quality, Fraction> {
    const { quality, kind: requested, tval, artifacts } = this.#query;
    if (!artifacts) return new Map([[quality, ONE]]);
    const tried = fraction(1n, BigInt(quality === "normal" ? SPECIAL_ONE_IN : GOOD_SPECIAL_ONE_IN));
    const able = this.#candidates.filter(({ kind }) => {
      if (!kind.flags.includes("INSTA_ART")) return false;
      return requested === undefined ? (tval ?? kind.tval) === kind.tval : kind === requested;
    });
    const failed = this.#tryFirst(able, tried);
    const untried = subtract(ONE, tried);
    if (quality !== "normal") return new Map([[quality, add(untried, failed)]]);
    return new Map<Quality, Fraction>([
      ["normal", untried],
      ["good", failed],
    ]);
  }

  /** Tries the lines of the artifacts in order, and adds the chance of each artifact. Returns the rest of `chance`. */
  #tryFirst(candidates: readonly Candidate[], chance: Fraction): Fraction {
    const { level } = this.#query;
    let rest = chance;
    if (level === 0) return rest;
    for (const { artifact, kind } of candidates) {
      for (const { probability, least, most } of artifact.allocations) {
        if (probability === 0 || level > most) continue;
        const oneIn = least > level ? 2 * (least - level) : 1;
        const passed = multiply(rest, fraction(BigInt(Math.min(probability, LIFT_CASES)), BigInt(LIFT_CASES * oneIn)));
        addTo(this.#chances.artifacts, artifact, passed);
        addTo(this.#chances.kinds, kind, passed);
        addTo(this.#chances.counts, 0, passed);
        rest = subtract(rest, passed);
      }
    }
    return rest;
  }

  addKind(kind: KindSpec, { quality, chance, watch }: { quality: Quality; chance: Fraction; watch: Watch }): void {
    const { level, affixLevel, artifacts } = this.#query;
    const levels =
      affixLevel === undefined
        ? levelOddsOf(this.#files, { level, quality })
        : this.#files.levels.map((_, i) => (i === affixLevel ? ONE : ZERO));
    for (const [power, odds] of levels.entries()) {
      let rest = multiply(chance, odds);
      if (rest.numerator === 0n) continue;
      const isGreat = power >= GREAT_POWER - 1;
      if (artifacts && isGreat) {
        const own = this.#candidates.filter((one) => one.kind === kind && !kind.flags.includes("INSTA_ART"));
        const tries = quality === "great" ? GREAT_TRIES : TRIES;
        for (let i = 0; i < tries; i++) rest = this.#tryFirst(own, rest);
      }
      addTo(this.#chances.kinds, kind, rest);
      const slot = isGreat ? this.#slotOf(kind, power, watch) : undefined;
      addTo(this.#chances.counts, 0, multiply(rest, slot?.none ?? ONE));
      for (const [affix, share] of slot?.affixes ?? []) {
        addTo(this.#chances.affixes, affix, multiply(rest, share));
        addTo(this.#chances.counts, 1, multiply(rest, share));
      }
    }
  }

  /** Two kinds share the odds of a slot if the same lines match both. */
  #slotOf(kind: KindSpec, affixLevel: number, watch: Watch): AffixOdds {
    const lines = this.#files.affixes.map(({ targets }) =>
      targets.findIndex((target) => target.probability > 0 && fits(target, kind)),
    );
    const key = [affixLevel, ...lines].join();
    const known = this.#slots.get(key) ?? affixOdds(this.#files, { kind, level: this.#query.level, affixLevel, watch });
    this.#slots.set(key, known);
    return known;
  }

  odds(kind: Fraction): WholeObjectOdds {
    const { affixes: either, artifacts } = this.#chances;
    const artifact = subtract(ONE, [...artifacts.values()].reduce(add, ZERO));
    const without = { kind, theme: ONE, artifact, unexplored: ZERO };
    return wholeObjectOdds(this.#files, { ...this.#chances, either }, without);
  }
}
