import type { Watch } from "../../calls/index.js";
import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import {
  GOOD_SPECIAL_ONE_IN,
  GREAT_POWER,
  GREAT_TRIES,
  LIFT_CASES,
  SPECIAL_ONE_IN,
  TRIES,
} from "../../kernel/layout.js";
import { kindOfArtifact } from "../compile/reach.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, Quality } from "../types.js";
import { type AffixOdds, affixOdds } from "./affixes.js";
import { levelOddsOf } from "./decisions.js";
import { kindOdds } from "./kinds.js";
import { fits } from "./law.js";
import { listedOdds, type WholeObjectOdds, type WholeQuery } from "./wholeQuery.js";

// By the rules of Angband 4.2, an object has at most one affix and no theme. So its odds need no search through states.

class EgoTotals {
  readonly kinds = new Map<KindSpec, Fraction>();
  readonly affixes = new Map<AffixSpec, Fraction>();
  readonly artifacts = new Map<ArtifactSpec, Fraction>();
  readonly counts = new Map<number, Fraction>();

  add<Key>(to: Map<Key, Fraction>, key: Key, chance: Fraction): void {
    if (chance.numerator > 0n) to.set(key, add(to.get(key) ?? ZERO, chance));
  }

  addArtifact(artifact: ArtifactSpec, kind: KindSpec, chance: Fraction): void {
    this.add(this.artifacts, artifact, chance);
    this.add(this.kinds, kind, chance);
    this.add(this.counts, 0, chance);
  }
}

interface Candidate {
  readonly artifact: ArtifactSpec;
  readonly kind: KindSpec;
}

export function wholeEgoOdds(
  files: ObjectFiles,
  query: WholeQuery,
  watchFor: (total: number) => Watch,
): WholeObjectOdds {
  const totals = new EgoTotals();
  const candidates = candidatesOf(files);
  const cache = new Map<string, AffixOdds>();
  let none = ZERO;
  const drawn = [...addSpecial(totals, candidates, query)].map(([quality, chance]) => {
    const { kind } = query;
    const found =
      kind === undefined ? kindOdds(files, { ...query, quality }) : { kinds: new Map([[kind, ONE]]), none: ZERO };
    none = add(none, multiply(chance, found.none));
    return { quality, chance, kinds: found.kinds };
  });
  const watch = watchFor(drawn.reduce((sum, { kinds }) => sum + kinds.size, 0));
  let done = 0;
  for (const { quality, chance, kinds } of drawn) {
    for (const [kind, share] of kinds) {
      const own = { query: { ...query, quality }, watch, cache, candidates };
      addKind(totals, files, { kind, chance: multiply(chance, share), ...own });
      watch.passed(++done);
    }
  }
  const { kinds, affixes, artifacts, counts } = totals;
  const made = [...artifacts.values()].reduce(add, ZERO);
  return {
    kinds: { odds: listedOdds(files.kinds, kinds), none },
    affixes: {
      odds: listedOdds(files.affixes, affixes).map(({ result, probability }) => {
        return { result, probability, byTheme: ZERO, either: probability };
      }),
      none: counts.get(0) ?? ZERO,
    },
    themes: { odds: [], none: ONE },
    artifacts: { odds: listedOdds(files.artifacts, artifacts), none: subtract(ONE, made) },
    affixCounts: { odds: listedOdds([0, 1], counts), none },
    unexplored: ZERO,
  };
}

function candidatesOf(files: ObjectFiles): readonly Candidate[] {
  return files.artifacts.flatMap((artifact) => {
    const kind = kindOfArtifact(files, artifact);
    return kind === undefined ? [] : [{ artifact, kind }];
  });
}

/**
 * Adds the special artifacts. For each quality, returns the chance that the object becomes no special artifact and goes
 * on with this quality. A normal object that tries and fails becomes good.
 */
function addSpecial(
  totals: EgoTotals,
  candidates: readonly Candidate[],
  query: WholeQuery,
): ReadonlyMap<Quality, Fraction> {
  const { quality, kind: asked, tval, level } = query;
  if (!query.artifacts) return new Map([[quality, ONE]]);
  const tried = fraction(1n, BigInt(quality === "normal" ? SPECIAL_ONE_IN : GOOD_SPECIAL_ONE_IN));
  const able = candidates.filter(({ kind }) => {
    if (!kind.flags.includes("INSTA_ART")) return false;
    return asked === undefined ? (tval ?? kind.tval) === kind.tval : kind === asked;
  });
  const failed = tryFirst(totals, able, { level, chance: tried });
  const untried = subtract(ONE, tried);
  if (quality !== "normal") return new Map([[quality, add(untried, failed)]]);
  return new Map<Quality, Fraction>([
    ["normal", untried],
    ["good", failed],
  ]);
}

/**
 * Adds the artifacts. An object becomes the first artifact whose line passes. `chance` is the probability of the
 * objects that try. Returns the probability of those that become no artifact.
 */
function tryFirst(
  totals: EgoTotals,
  candidates: readonly Candidate[],
  { level, chance }: { readonly level: number; readonly chance: Fraction },
): Fraction {
  let rest = chance;
  if (level === 0) return rest;
  for (const { artifact, kind } of candidates) {
    for (const { probability, least, most } of artifact.allocations) {
      if (probability === 0 || level > most) continue;
      const oneIn = least > level ? 2 * (least - level) : 1;
      const passed = multiply(rest, fraction(BigInt(Math.min(probability, LIFT_CASES)), BigInt(LIFT_CASES * oneIn)));
      totals.addArtifact(artifact, kind, passed);
      rest = subtract(rest, passed);
    }
  }
  return rest;
}

function addKind(
  totals: EgoTotals,
  files: ObjectFiles,
  {
    kind,
    chance,
    query,
    watch,
    cache,
    candidates,
  }: {
    readonly kind: KindSpec;
    readonly chance: Fraction;
    readonly query: WholeQuery;
    readonly watch: Watch;
    readonly cache: Map<string, AffixOdds>;
    readonly candidates: readonly Candidate[];
  },
): void {
  const { level, quality, affixLevel } = query;
  const levels =
    affixLevel === undefined ? levelOddsOf(files, query) : files.levels.map((_, i) => (i === affixLevel ? ONE : ZERO));
  for (const [power, odds] of levels.entries()) {
    let rest = multiply(chance, odds);
    if (rest.numerator === 0n) continue;
    const isGreat = power >= GREAT_POWER - 1;
    if (query.artifacts && isGreat) {
      const own = candidates.filter((one) => one.kind === kind && !kind.flags.includes("INSTA_ART"));
      const tries = quality === "great" ? GREAT_TRIES : TRIES;
      for (let i = 0; i < tries; i++) rest = tryFirst(totals, own, { level, chance: rest });
    }
    totals.add(totals.kinds, kind, rest);
    const slot = isGreat ? slotOf(files, kind, { level, affixLevel: power, watch, cache }) : undefined;
    totals.add(totals.counts, 0, multiply(rest, slot?.none ?? ONE));
    for (const [affix, share] of slot?.affixes ?? []) {
      totals.add(totals.affixes, affix, multiply(rest, share));
      totals.add(totals.counts, 1, multiply(rest, share));
    }
  }
}

/** Returns the odds of a slot. Two kinds share the odds if the same lines match both. */
function slotOf(
  files: ObjectFiles,
  kind: KindSpec,
  query: {
    readonly level: number;
    readonly affixLevel: number;
    readonly watch: Watch;
    readonly cache: Map<string, AffixOdds>;
  },
): AffixOdds {
  const lines = files.affixes.map(({ targets }) => targets.findIndex((one) => one.probability > 0 && fits(one, kind)));
  const key = [query.affixLevel, ...lines].join();
  const known = query.cache.get(key) ?? affixOdds(files, { kind, ...query });
  query.cache.set(key, known);
  return known;
}
