import { describe, expect, test } from "vitest";
import { type Fraction, toNumber } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { type LevelTally, parseObjects, tallyObjects } from "../../src/objects/index.js";
import { objectOdds } from "../../src/objects/odds.js";
import type { ObjectFiles, Quality } from "../../src/objects/types.js";
import { IS_SOAK } from "../soak.js";
import { ALPHA, agrees, lawOf } from "../statistics/chiSquare.js";
import { LIGHTHOUSE } from "./lighthouse.js";
import { folderFiles, named, OWN, REAL, sum } from "./oddsFiles.js";

const OBJECTS = IS_SOAK ? 10_000_000 : 20_000;
const SINGLE = IS_SOAK ? 300_000 : 4000;
const HOURS = 3_600_000;

/** Depths of different numbers of slots and different boosts. */
const PLACES: readonly { readonly quality: Quality; readonly level: number }[] = [
  { quality: "normal", level: 60 },
  { quality: "good", level: 30 },
  { quality: "great", level: IS_SOAK ? 50 : 20 },
];
const KINDS = {
  own: [
    "Eel Knife",
    "Reed Falchion",
    "Fish Spear",
    "Billhook",
    "Cudgel",
    "Kite Shield",
    "Storm Lamp",
    "Goose Arrow",
    "Pair of Clogs",
    "Pair of Mittens",
  ],
  real: [
    "Dagger",
    "Katana",
    "Mace",
    "Quarterstaff",
    "Scythe",
    "Iron Crown",
    "Robe",
    "Metal Scale Mail",
    "Small Metal Shield",
    "Seeker Arrow",
  ],
};

/**
 * Whether a count is possible: by Chernoff's bound, P(X ≥ k) and P(X ≤ k) are at most exp(−n · D), where D is the
 * relative entropy of k/n and the probability. So a right probability fails with probability ALPHA at most.
 */
function isPossible(count: number, trials: number, probability: number): boolean {
  const share = count / trials;
  const part = (a: number, b: number) => (a === 0 ? 0 : a * Math.log(a / b));
  const entropy = part(share, probability) + part(1 - share, 1 - probability);
  return trials * entropy <= Math.log(2 / ALPHA);
}

type List = readonly { readonly result: unknown; readonly probability: Fraction }[];

function compare(what: string, counts: ReadonlyMap<unknown, number>, odds: List, trials: number): void {
  const chances = new Map(odds.map(({ result, probability }) => [result, toNumber(probability)]));
  for (const result of new Set([...counts.keys(), ...chances.keys()])) {
    const [count, chance] = [counts.get(result) ?? 0, chances.get(result) ?? 0];
    const name = typeof result === "object" && result !== null && "name" in result ? result.name : result;
    expect(isPossible(count, trials, chance), `${what} ${name}: ${count} of ${trials}, expected ${chance}`).toBe(true);
  }
}

/** Compares partitions as a whole, too. */
function compareAll(tally: LevelTally, odds: ReturnType<typeof wholeOdds>): number {
  const { objects, affixes, themes, affixCounts } = tally;
  const counts = new Map(affixCounts.entries());
  compare("affix", affixes, odds.affixes.odds, objects);
  compare("theme", themes, odds.themes.odds, objects);
  compare("number of affixes", counts, odds.affixCounts.odds, objects);
  const themed = [...odds.themes.odds.map(({ result }) => themes.get(result) ?? 0)];
  const law = [...odds.themes.odds.map(({ probability }) => toNumber(probability)), toNumber(odds.themes.none)];
  expect(agrees([...themed, objects - themed.reduce((a, b) => a + b, 0)], lawOf(law)), "the themes").toBe(true);
  const numbers = odds.affixCounts.odds.map(({ result }) => affixCounts[result]);
  const chances = odds.affixCounts.odds.map(({ probability }) => toNumber(probability));
  expect(agrees(numbers, lawOf(chances)), "the numbers of affixes").toBe(true);
  return odds.affixes.odds.length + odds.themes.odds.length + odds.affixCounts.odds.length;
}

function wholeOdds(files: ObjectFiles, kind: number, place: (typeof PLACES)[number], artifacts: boolean) {
  const { quality, level } = place;
  const asked = { good: quality === "good", great: quality === "great", artifacts };
  return objectOdds(files, { of: "object", kind, level, ...asked });
}

describe.each(IS_SOAK ? (["own", "real"] as const) : (["own"] as const))("counts of %s files", (which) => {
  const files = folderFiles(which === "own" ? OWN : REAL);
  test.skipIf(files === undefined).each(KINDS[which].flatMap((kind) => PLACES.map((place) => ({ kind, ...place }))))(
    "$kind, $quality, level $level",
    ({ kind: name, ...place }) => {
      if (files === undefined) return;
      const kind = named(files).kind(name).number;
      const started = performance.now();
      const odds = wholeOdds(files, kind, place, false);
      const computed = performance.now();
      const maker = createMill({ seed: "whole odds" }).objects("drops", files);
      const asked = { kind, good: place.quality === "good", great: place.quality === "great", artifacts: false };
      const [tally] = tallyObjects(maker, { ...asked, levels: [place.level], n: OBJECTS }).levels;
      const compared = compareAll(tally, odds);
      if (!IS_SOAK) return;
      const [took, made] = [computed - started, performance.now() - computed].map((ms) => (ms / 1000).toFixed(1));
      console.log(
        `${name}, ${place.quality}, level ${place.level}: ${compared} probabilities, odds ${took} s, objects ${made} s`,
      );
    },
    HOURS,
  );
});

describe("counts by the rules of Angband 4.2", () => {
  const { spec: files } = parseObjects(LIGHTHOUSE);
  if (files === undefined) throw new Error("data/lighthouse has an error");

  test.each(PLACES)(
    "objects of any kind that are not artifacts, $quality, level $level",
    ({ quality, level }) => {
      const asked = { good: quality === "good", great: quality === "great", artifacts: false };
      const odds = objectOdds(files, { of: "object", level, ...asked });
      const maker = createMill({ seed: "whole odds" }).objects("wrecks", files);
      const [tally] = tallyObjects(maker, { ...asked, levels: [level], n: OBJECTS }).levels;
      compareAll(tally, odds);
      compare("kind", tally.kinds, odds.kinds.odds, OBJECTS);
      expect(sum([...odds.affixCounts.odds.map(({ probability }) => probability), odds.affixCounts.none])).toBe("1/1");
    },
    HOURS,
  );

  test.each(PLACES)(
    "artifacts, each of them possible again for every object, $quality",
    ({ quality, level }) => {
      const asked = { level, good: quality === "good", great: quality === "great" };
      const odds = objectOdds(files, { of: "object", ...asked });
      const maker = createMill({ seed: "whole odds" }).objects("wrecks", files);
      const [artifacts, kinds] = [new Map<unknown, number>(), new Map<unknown, number>()];
      for (let i = 0; i < SINGLE; i++) {
        const { artifact, kind } = maker.make(asked);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        if (artifact === undefined) continue;
        artifacts.set(artifact, (artifacts.get(artifact) ?? 0) + 1);
        maker.releaseArtifact(artifact.number);
      }
      expect(odds.artifacts.odds.length).toBeGreaterThan(0);
      compare("artifact", artifacts, odds.artifacts.odds, SINGLE);
      compare("kind", kinds, odds.kinds.odds, SINGLE);
    },
    HOURS,
  );
});

test(
  "artifacts, each of them possible again for every object, also those that require affixes",
  () => {
    const files = folderFiles(OWN);
    if (files === undefined) throw new Error("data/dungeon is missing");
    const maker = createMill({ seed: "whole odds" }).objects("drops", files);
    const kinds = files.artifacts.flatMap(({ tval, sval, requires }) =>
      requires.length > 0 ? files.kinds.filter((kind) => kind.tval === tval && kind.sval === sval) : [],
    );
    expect(kinds.length).toBeGreaterThan(0);
    for (const { number: kind } of [...kinds, named(files).kind("Kite Shield")]) {
      const odds = wholeOdds(files, kind, { quality: "great", level: 40 }, true);
      const counts = new Map<unknown, number>();
      for (let i = 0; i < SINGLE; i++) {
        const { artifact } = maker.make({ level: 40, great: true, kind });
        if (artifact === undefined) continue;
        counts.set(artifact, (counts.get(artifact) ?? 0) + 1);
        maker.releaseArtifact(artifact.number);
      }
      expect(odds.artifacts.odds.length).toBeGreaterThan(0);
      compare("artifact", counts, odds.artifacts.odds, SINGLE);
    }
  },
  HOURS,
);
