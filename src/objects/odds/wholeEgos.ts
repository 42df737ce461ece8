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
import { kindOdds, levelOddsOf } from "../law/kinds.js";
import { kindOfArtifact } from "../law/reach.js";
import { type AffixOdds, addTo, fits } from "../law/slots.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, Quality } from "../types.js";
import { affixOdds } from "./themes.js";
import { listedOdds, type WholeObjectOdds, type WholeQuery } from "./wholeQuery.js";

type Candidate = { readonly artifact: ArtifactSpec; readonly kind: KindSpec };

/**
 * By the rules of Angband 4.2, an object has at most one affix and no theme. So its odds need no search through states.
 */
export function wholeEgoOdds(
  files: ObjectFiles,
  query: WholeQuery,
  watchFor: (total: number) => Watch,
): WholeObjectOdds {
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
  readonly #kinds = new Map<KindSpec, Fraction>();
  readonly #affixes = new Map<AffixSpec, Fraction>();
  readonly #artifacts = new Map<ArtifactSpec, Fraction>();
  readonly #counts = new Map<number, Fraction>();
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

  /** Returns the chance of each quality without an artifact. A normal object that tries and fails becomes good. */
  addSpecial(): ReadonlyMap<Quality, Fraction> {
    const { quality, kind: asked, tval, artifacts } = this.#query;
    if (!artifacts) return new Map([[quality, ONE]]);
    const tried = fraction(1n, BigInt(quality === "normal" ? SPECIAL_ONE_IN : GOOD_SPECIAL_ONE_IN));
    const able = this.#candidates.filter(({ kind }) => {
      if (!kind.flags.includes("INSTA_ART")) return false;
      return asked === undefined ? (tval ?? kind.tval) === kind.tval : kind === asked;
    });
    const failed = this.#tryFirst(able, tried);
    const untried = subtract(ONE, tried);
    if (quality !== "normal") return new Map([[quality, add(untried, failed)]]);
    return new Map<Quality, Fraction>([
      ["normal", untried],
      ["good", failed],
    ]);
  }

  /** `chance` is that of the objects that try. Each becomes the first artifact whose line passes. Returns the rest. */
  #tryFirst(candidates: readonly Candidate[], chance: Fraction): Fraction {
    const { level } = this.#query;
    let rest = chance;
    if (level === 0) return rest;
    for (const { artifact, kind } of candidates) {
      for (const { probability, least, most } of artifact.allocations) {
        if (probability === 0 || level > most) continue;
        const oneIn = least > level ? 2 * (least - level) : 1;
        const passed = multiply(rest, fraction(BigInt(Math.min(probability, LIFT_CASES)), BigInt(LIFT_CASES * oneIn)));
        addTo(this.#artifacts, artifact, passed);
        addTo(this.#kinds, kind, passed);
        addTo(this.#counts, 0, passed);
        rest = subtract(rest, passed);
      }
    }
    return rest;
  }

  addKind(
    kind: KindSpec,
    { quality, chance, watch }: { readonly quality: Quality; readonly chance: Fraction; readonly watch: Watch },
  ): void {
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
      addTo(this.#kinds, kind, rest);
      const slot = isGreat ? this.#slotOf(kind, power, watch) : undefined;
      addTo(this.#counts, 0, multiply(rest, slot?.none ?? ONE));
      for (const [affix, share] of slot?.affixes ?? []) {
        addTo(this.#affixes, affix, multiply(rest, share));
        addTo(this.#counts, 1, multiply(rest, share));
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

  /** `none` is the chance that the draw finds no kind. */
  odds(none: Fraction): WholeObjectOdds {
    const { kinds, affixes, artifacts } = this.#files;
    const made = [...this.#artifacts.values()].reduce(add, ZERO);
    return {
      kinds: { odds: listedOdds(kinds, this.#kinds), none },
      affixes: {
        odds: listedOdds(affixes, this.#affixes).map((one) => ({ ...one, byTheme: ZERO, either: one.probability })),
        none: this.#counts.get(0) ?? ZERO,
      },
      themes: { odds: [], none: ONE },
      artifacts: { odds: listedOdds(artifacts, this.#artifacts), none: subtract(ONE, made) },
      affixCounts: { odds: listedOdds([0, 1], this.#counts), none },
      unexplored: ZERO,
    };
  }
}
