import { describe, expect, test } from "vitest";
import { toNumber } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { compileObjects } from "../../src/objects/compile.js";
import type { MadeObjects, ObjectOptions, ObjectTexts } from "../../src/objects/index.js";
import { KernelObjects } from "../../src/objects/kernel.js";
import { kindOdds } from "../../src/objects/law/kinds.js";
import { readRequest } from "../../src/objects/make/request.js";
import { ArtifactStock } from "../../src/objects/make/stock.js";
import type { AffixSpec, KindSpec, ObjectFiles } from "../../src/objects/types.js";
import { keyIn, openKernel } from "../kernel/open.js";
import { agrees, areAlike, lawOf, trialsToTell } from "../statistics/chiSquare.js";
import { DUNGEON } from "./dungeon.js";
import { realIsMissing, realTexts } from "./pair.js";
import { DrawnCounts, KindCounts } from "./statisticsCounts.js";
import {
  drawnFrequencies,
  type Frequency,
  kindFrequencies,
  kindsToCount,
  levelLaw,
  themeLaw,
} from "./statisticsLaws.js";
import { artifactLaw, kindsOfType, kindsWith, modifierLaw } from "./statisticsRequests.js";

const CALL = 200_000;
const OBJECTS = 10_000_000;
const FEWER = 1_000_000;
const REQUESTED = 40_000;
const PLACE = { level: 30, quality: "good" } as const;
const ASKED = { level: 30, good: true, artifacts: false };

interface Population {
  readonly files: ObjectFiles;
  readonly drawn: DrawnCounts;
  readonly ofKind: KindCounts;
  readonly kind: KindSpec;
  /** Objects of the kind with the theme that came most often unasked. */
  readonly themed: { readonly theme: number; readonly objects: MadeObjects };
  /** Objects of a request. */
  readonly make: (count: number, options: Partial<ObjectOptions>) => MadeObjects;
}

/** Counts good objects at depth 30: of all kinds, and of the commonest sword into whose slots an affix always comes. */
function populationOf(texts: ObjectTexts, count: number): Population {
  const maker = createMill({ seed: "statistics" }).objects("drops", texts);
  const { files } = maker;
  const counted = kindsToCount(files, PLACE);
  const drawn = new DrawnCounts(files, counted);
  const ofKind = new KindCounts(files);
  const kind = commonest(files, counted);
  const objects = maker.makeMany(Math.min(CALL, count), ASKED);
  for (drawn.add(objects); drawn.objects < count; drawn.add(objects)) maker.makeInto(objects, ASKED);
  while (ofKind.objects < count) ofKind.add(maker.makeInto(objects, { ...ASKED, kind: kind.number }));
  const theme = commonestOf(ofKind.withTheme);
  const make = (n: number, options: Partial<ObjectOptions>) => maker.makeMany(n, { ...ASKED, ...options });
  const ofTheme = make(REQUESTED, { kind: kind.number, theme: files.themes[theme].number });
  return { files, drawn, ofKind, kind, themed: { theme, objects: ofTheme }, make };
}

/** The place of the list with the greatest sum. */
function commonestOf(counts: readonly (readonly number[])[]): number {
  const sums = counts.map((seen) => seen.reduce((a, b) => a + b, 0));
  return sums.indexOf(Math.max(...sums));
}

const SWORD = 23;

function commonest(files: ObjectFiles, { whole }: { readonly whole: ReadonlySet<KindSpec> }): KindSpec {
  const swords = [...kindOdds(files, PLACE).kinds].filter(([kind]) => kind.tval === SWORD && whole.has(kind));
  return swords.reduce((best, next) => (toNumber(next[1]) > toNumber(best[1]) ? next : best))[0];
}

/** What of the wrong laws the counts are many enough to tell. */
function tellable({ counts, law, wrong }: Frequency): readonly (readonly number[])[] {
  const trials = counts.reduce((sum, seen) => sum + seen, 0);
  return wrong.filter((spoilt) => trialsToTell(spoilt, law) <= trials);
}

function check(frequencies: ReadonlyMap<string, Frequency>): void {
  for (const [name, frequency] of frequencies) {
    expect(agrees(frequency.counts, frequency.law), name).toBe(true);
    tellable(frequency).forEach((other, i) => {
      expect(agrees(frequency.counts, other), `${name}, wrong law ${i}`).toBe(false);
    });
  }
}

const populations = new Map<string, Population>();

/** Counted once for all tests. */
function once(name: string, count: () => Population): Population {
  const population = populations.get(name) ?? count();
  populations.set(name, population);
  return population;
}

const OWN = "the own files";
const sets = [
  [OWN, false, () => once(OWN, () => populationOf(DUNGEON, OBJECTS))],
  [
    "a game's own files (../shared/data is needed)",
    realIsMissing,
    () => once("real", () => populationOf(realTexts(), FEWER)),
  ],
] as const;

describe.each(sets)("good objects at depth 30, of %s (α = 10⁻⁶)", (of, isMissing, population) => {
  test.skipIf(isMissing)("have the kinds, affix levels, slots, depths, affixes and themes of their odds", () => {
    check(frequenciesOf(population()));
  });

  test.skipIf(isMissing)("have the modifiers that their only affix gives them", () => {
    const { files, kind, ofKind } = population();
    let told = 0;
    files.affixes.forEach((affix, i) => {
      const { toHit, toDam, toAc } = affix.least;
      const counts = ofKind.modifiers[i];
      if (counts.size < 2 || toHit !== undefined || toDam !== undefined || toAc !== undefined) return;
      const laws = [0, 1, -2].map((more) => modifierLaw(kind, affix, PLACE.level + more));
      const values = [...new Set([...counts.keys(), ...laws[0].keys()])];
      const [law, ...wrong] = laws.map((chances) => values.map((value) => chances.get(value) ?? 0));
      const frequency = { counts: values.map((value) => counts.get(value) ?? 0), law, wrong };
      check(new Map([[affix.name, frequency]]));
      told += tellable(frequency).length;
    });
    if (of === OWN) expect(told).toBeGreaterThan(1);
  });

  test.skipIf(isMissing)("of a type are of its kinds, in proportion", () => {
    const { files, make } = population();
    for (const tval of [SWORD, 34]) {
      const { kind: kinds } = make(300_000, { tval });
      const counts = files.kinds.map(() => 0);
      for (const kind of kinds) counts[kind]++;
      const wrong = [{ ...PLACE, level: 34 }, { ...PLACE, quality: "normal" } as const];
      const law = kindsOfType(files, PLACE, tval);
      check(new Map([[`${tval}`, { counts, law, wrong: wrong.map((place) => kindsOfType(files, place, tval)) }]]));
    }
  });

  test.skipIf(isMissing)("with an affix are of the kinds and affix levels that it comes to, in proportion", () => {
    const { files, make } = population();
    const chance = (affix: AffixSpec) => affix.targets.filter(({ level }) => level === 0).length;
    const affix = files.affixes.reduce((best, other) => (chance(other) > chance(best) ? other : best));
    const objects = make(300_000, { with: [affix.number] });
    const counts = files.kinds.flatMap(() => files.levels.map(() => 0));
    for (let k = 0; k < objects.length; k++) {
      if (objects.slots[k] === 1) counts[objects.kind[k] * files.levels.length + objects.affixLevel[k] - 1]++;
    }
    const law = kindsWith(files, PLACE, affix);
    // kinds and affix levels as without the request, where it can be met at all
    const plain = lawOf(kindsWith(files, PLACE, affix, () => 1).map((p, i) => (law[i] > 0 ? p : 0)));
    const frequency = { counts, law, wrong: [plain, kindsWith(files, { ...PLACE, level: 31 }, affix)] };
    expect(tellable(frequency)).toContain(plain);
    check(new Map([[affix.name, frequency]]));
  });

  test.skipIf(isMissing)("of a kind, with an affix or a theme, are like those that have it unasked", () => {
    const { files, kind, ofKind, themed, make } = population();
    const affix = commonestOf(ofKind.withAffix);
    const { name, number } = files.affixes[affix];
    const asked = [
      [name, ofKind.withAffix[affix], make(REQUESTED, { kind: kind.number, with: [number] })],
      [files.themes[themed.theme].name, ofKind.withTheme[themed.theme], themed.objects],
    ] as const;
    const unasked = ofKind.cells;
    for (const [request, counts, objects] of asked) {
      const counted = new KindCounts(files);
      counted.add(objects);
      const met = counted.cells;
      expect(areAlike(met, counts), request).toBe(true);
      expect(areAlike(met, unasked)).toBe(false);
    }
  });

  test.skipIf(isMissing)("with a theme after two slots are of the affix levels that bring it, in proportion", () => {
    const { files, kind, themed } = population();
    const { theme, objects } = themed;
    const counts = files.levels.map(() => 0);
    for (let k = 0; k < objects.length; k++) if (objects.slots[k] === 2) counts[objects.affixLevel[k] - 1]++;
    const law = lawOf(byLevel(themeLaw(files, { ...PLACE, kind }), files).map((odds) => odds[theme + 1]));
    const plain = levelLaw(PLACE, files);
    const frequency = { counts, law, wrong: [plain] };
    expect(tellable(frequency)).toContain(plain);
    check(new Map([[files.themes[theme].name, frequency]]));
  });
});

const frequencies = new WeakMap<Population, ReadonlyMap<string, Frequency>>();

/** Everything that a population tells, compared once for all tests. */
function frequenciesOf(population: Population): ReadonlyMap<string, Frequency> {
  const known = frequencies.get(population);
  if (known !== undefined) return known;
  const { files, drawn, ofKind, kind } = population;
  const ofAll = drawnFrequencies(drawn, files, PLACE);
  const found = new Map([...ofAll, ...kindFrequencies(ofKind, files, { ...PLACE, kind })]);
  frequencies.set(population, found);
  return found;
}

/** A law over affix levels and something else, one array for each affix level. */
function byLevel(law: readonly number[], { levels }: ObjectFiles): readonly (readonly number[])[] {
  const size = law.length / levels.length;
  return levels.map((_, i) => law.slice(i * size, (i + 1) * size));
}

test("10,000,000 objects tell each of these laws from one that is a little wrong", () => {
  const population = once(OWN, () => populationOf(DUNGEON, OBJECTS));
  for (const [name, frequency] of frequenciesOf(population)) {
    expect(tellable(frequency).length, name).toBeGreaterThan(0);
  }
});

test.each([
  ["while none is made", []],
  ["while some are made", [3, 5]],
])(
  "artifacts come in proportion to their lines in depth, %s",
  (_, made) => {
    const place = { level: 30, quality: "great" } as const;
    const { files } = createMill({ seed: "statistics" }).objects("drops", DUNGEON);
    const plan = compileObjects(files);
    const name = `artifacts ${made}`;
    const stream = { key: keyIn("statistics", name) };
    const objects = new KernelObjects({ kernel: openKernel(), name, stream, plan });
    const { owners } = objects;
    const isMadeBefore = files.artifacts.map(({ number }) => made.some((before) => before === number));
    const stock = new ArtifactStock();
    for (const [i, key] of owners.keys.entries()) if (isMadeBefore[i]) stock.claim(key, { maker: "other", object: 0 });
    owners.read(stock, name);
    const asked = readRequest(plan.files, { level: place.level, great: true });
    const counts = [...files.artifacts.map(() => 0), 0];
    const before = owners.cells.slice();
    for (let k = 0; k < 400_000; k++) {
      objects.begin(asked);
      objects.make({ first: k, count: 1, from: 0, most: 1 });
      const fresh = isMadeBefore.findIndex((wasMade, i) => !wasMade && owners.isMade(i));
      if (fresh >= 0) owners.cells.set(before);
      // an artifact that requires affixes is made in another way, and does not count here
      const isFree = fresh >= 0 && files.artifacts[fresh].requires.length === 0;
      counts[isFree ? fresh : files.artifacts.length]++;
    }
    const law = artifactLaw(files, place, new Set(made));
    const wrong = [
      artifactLaw(files, { ...place, level: 31 }, new Set(made)),
      artifactLaw(files, { ...place, level: 29 }, new Set(made)),
      artifactLaw(files, place, new Set([...made, 2])),
    ];
    const frequency = { counts, law, wrong };
    expect(tellable(frequency).length).toBeGreaterThan(0);
    check(new Map([["artifact", frequency]]));
  },
  120_000,
);
