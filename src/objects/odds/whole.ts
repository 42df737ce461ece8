import type { Watch } from "../../calls/index.js";
import { FactorBase, type Ratio, times, UNIT } from "../../factors.js";
import { add, type Fraction, leastCommonMultiple, ONE, subtract, ZERO } from "../../fractions.js";
import { kindOfArtifact } from "../compile/reach.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, ThemeSpec } from "../types.js";
import { artifactChoice } from "./artifacts.js";
import { kindOdds } from "./kinds.js";
import { affixLevelOdds, fits, MOST_AFFIXES } from "./law.js";
import { NOTHING, SlotOutcome } from "./slotOutcome.js";
import { wholeEgoOdds } from "./wholeEgos.js";
import { type AffixChance, listedOdds, type WholeObjectOdds, type WholeQuery } from "./wholeQuery.js";

interface KindGroup {
  readonly kind: KindSpec;
  readonly requiring: readonly ArtifactSpec[];
  chance: Ratio;
}

const CERTAIN: Ratio = { numerator: 1n, divisor: UNIT };

class Totals {
  readonly kinds = new Map<KindSpec, Ratio>();
  readonly affixes = new Map<AffixSpec, Ratio>();
  readonly byTheme = new Map<AffixSpec, Ratio>();
  readonly either = new Map<AffixSpec, Ratio>();
  readonly themes = new Map<ThemeSpec, Ratio>();
  readonly artifacts = new Map<ArtifactSpec, Ratio>();
  readonly counts = new Map<number, Ratio>();
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
    addOutcome(totals, outcome, { requiring: group.requiring, weight });
    done += outcome.steps;
    watch.passed(done);
  }
  return shown(totals, none, watch);
}

/** Adds the artifacts that are tried before a kind is drawn. Returns the chance of an ordinary object. */
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
    totals.add(totals.artifacts, artifact, own);
    if (kind !== undefined) totals.add(totals.kinds, kind, own);
    totals.add(totals.counts, 0, own);
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
  const groups = new Map<string, KindGroup>();
  for (const [kind, chance] of drawn.kinds) {
    watch.look();
    const own = times(rest, divisor(chance), base);
    totals.add(totals.kinds, kind, own);
    const artifacts = requiring.flatMap(({ artifact, own: of }) => (of === kind ? [artifact] : []));
    const key = signatureOf(files, kind, artifacts);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { kind, requiring: artifacts, chance: own });
    else known.chance = base.add(known.chance, own);
  }
  return { groups: [...groups.values()], none: times(rest, divisor(drawn.none), base) };
}

/** Returns a function that expands fractions to their least common denominator. */
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

function addOutcome(
  totals: Totals,
  outcome: SlotOutcome,
  { requiring, weight }: { readonly requiring: readonly ArtifactSpec[]; readonly weight: Ratio },
): void {
  const { base, files, query, tries } = totals;
  for (const [affix, chance] of outcome.affixes()) {
    totals.add(totals.affixes, affix, chance, weight);
    totals.add(totals.either, affix, chance, weight);
  }
  for (const { theme, chance, added } of outcome.themes()) {
    totals.add(totals.themes, theme, chance, weight);
    for (const { affix, lacking, all } of added) {
      totals.add(totals.either, affix, lacking, weight);
      totals.add(totals.byTheme, affix, all, weight);
    }
  }
  for (const [count, chance] of outcome.counts().entries()) totals.add(totals.counts, count, chance, weight);
  for (const { artifacts, chance } of outcome.ends()) {
    const able = artifacts.map((i) => requiring[i]);
    const { chances, unknown } = artifactChoice(able, query.level, base, files.constants);
    const own = times(times(chance, tries, base), weight, base);
    totals.unsettled = base.add(totals.unsettled, times(unknown, own, base));
    for (const [artifact, share] of chances) totals.add(totals.artifacts, artifact, share, own);
  }
}

function shown(totals: Totals, none: Ratio, watch: Watch): WholeObjectOdds {
  const { base, files, kinds, affixes, byTheme, either, themes, artifacts, counts } = totals;
  const maps = [kinds, affixes, byTheme, either, themes, artifacts, counts];
  const flat = maps.flatMap((map) => [...map.values()]);
  const reduced = new Map<Ratio, Fraction>();
  const fractions = base.reduceAll([...flat, none, totals.unsettled], () => watch.look());
  for (const [i, ratio] of flat.entries()) reduced.set(ratio, fractions[i]);
  const exact = <Key>(map: ReadonlyMap<Key, Ratio>): ReadonlyMap<Key, Fraction> =>
    new Map([...map].map(([key, ratio]) => [key, reduced.get(ratio) ?? ZERO]));
  const sum = (ratios: Iterable<Ratio>) => base.reduceAll([[...ratios].reduce((a, b) => base.add(a, b), NOTHING)])[0];
  const lacking = fractions[flat.length];
  const unexplored = add(subtract(subtract(ONE, sum(counts.values())), lacking), fractions[flat.length + 1]);
  const rest = (map: ReadonlyMap<unknown, Ratio>) => subtract(subtract(ONE, sum(map.values())), unexplored);
  const bySlot = exact(affixes);
  const added = exact(byTheme);
  const affixChances = listedOdds(files.affixes, exact(either)).map(({ result, probability }): AffixChance => {
    const [slot, theme] = [bySlot, added].map((map) => map.get(result) ?? ZERO);
    return { result, probability: slot, byTheme: theme, either: probability };
  });
  return {
    kinds: { odds: listedOdds(files.kinds, exact(kinds)), none: lacking },
    affixes: { odds: affixChances, none: exact(counts).get(0) ?? ZERO },
    themes: { odds: listedOdds(files.themes, exact(themes)), none: rest(themes) },
    artifacts: { odds: listedOdds(files.artifacts, exact(artifacts)), none: rest(artifacts) },
    affixCounts: { odds: listedOdds([...Array(MOST_AFFIXES + 1).keys()], exact(counts)), none: lacking },
    unexplored,
  };
}
