import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { add, type Fraction, multiply, subtract, toNumber, ZERO } from "../../src/fractions.js";
import { kindOdds } from "../../src/objects/law/kinds.js";
import type { WholeObjectOdds } from "../../src/objects/odds/whole.js";
import { objectOdds, type WholeOddsQuery } from "../../src/objects/odds.js";
import type { ObjectFiles, Quality } from "../../src/objects/types.js";
import { addedBy, everyObject } from "../oracle/objectOdds.js";
import { anyFiles, filesOf, folderFiles, named, OWN, sum, text } from "./oddsFiles.js";

const QUALITIES: readonly Quality[] = ["normal", "good", "great"];
const asked = (quality: Quality) => ({ good: quality === "good", great: quality === "great" });

type Part = { readonly odds: readonly { readonly result: unknown; readonly probability: Fraction }[] };

/** The chances of a part by the names of the records, as text. */
function shown({ odds }: Part, of: "probability" | "byTheme" | "either" = "probability"): Record<string, string> {
  const named = odds.map((chance) => {
    const { result } = chance;
    const name = typeof result === "object" && result !== null && "number" in result ? `#${result.number}` : result;
    return [String(name), text((chance as never)[of])] as const;
  });
  return Object.fromEntries(named.filter(([, chance]) => chance !== "0/1"));
}

/** The same chances by brute force. */
function byForce(files: ObjectFiles, query: WholeOddsQuery & { readonly quality: Quality }) {
  const kind = query.kind === undefined ? undefined : files.kinds.find(({ number }) => number === query.kind);
  const kinds =
    kind === undefined
      ? kindOdds(files, { level: query.level, quality: query.quality }).kinds
      : new Map([[kind, { numerator: 1n, denominator: 1n }]]);
  const affixLevel = query.affixLevel === undefined ? undefined : files.levels.indexOf(query.affixLevel);
  const found = everyObject(files, { ...query, kind, kinds, affixLevel, artifacts: query.artifacts ?? true });
  const sums = { kinds: {}, affixes: {}, byTheme: {}, either: {}, themes: {}, artifacts: {}, affixCounts: {} };
  const count = (to: keyof typeof sums, key: string, chance: Fraction) => {
    const own: Record<string, Fraction> = sums[to];
    own[key] = add(own[key] ?? ZERO, chance);
  };
  for (const object of found) {
    const { chance, theme, artifact, affixes } = object;
    count("kinds", `#${object.kind.number}`, chance);
    count("affixCounts", String(affixes.length), chance);
    if (theme !== undefined) count("themes", `#${theme.number}`, chance);
    if (artifact !== undefined) count("artifacts", `#${artifact.number}`, chance);
    for (const affix of files.affixes) {
      const added = theme === undefined ? ZERO : multiply(chance, addedBy(theme, object, affix));
      count("byTheme", `#${affix.number}`, added);
      if (affixes.includes(affix)) count("affixes", `#${affix.number}`, chance);
      count("either", `#${affix.number}`, affixes.includes(affix) ? chance : added);
    }
  }
  return Object.fromEntries(
    Object.entries(sums).map(([key, own]) => {
      const list = Object.entries<Fraction>(own).filter(([, { numerator }]) => numerator > 0n);
      return [key, Object.fromEntries(list.map(([name, chance]) => [name, text(chance)]))];
    }),
  );
}

function byOdds(files: ObjectFiles, query: WholeOddsQuery) {
  const { kinds, affixes, themes, artifacts, affixCounts } = objectOdds(files, query);
  return {
    kinds: shown(kinds),
    affixes: shown(affixes),
    byTheme: shown(affixes, "byTheme"),
    either: shown(affixes, "either"),
    themes: shown(themes),
    artifacts: shown(artifacts),
    affixCounts: shown(affixCounts),
  };
}

/** Swords that can get every affix at some depth: affixes that exclude each other, themes, and artifacts by affixes. */
const denseFiles: fc.Arbitrary<ObjectFiles> = fc
  .record({
    affixes: fc.array(
      fc.record({
        weights: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 2 }),
        levels: fc.constantFrom("good", "great"),
        least: fc.constantFrom(0, 0, 9, 40, 300),
        excludes: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 2 }),
      }),
      { minLength: 4, maxLength: 4 },
    ),
    themes: fc.array(
      fc.record({
        least: fc.constantFrom(0, 12, 90),
        parts: fc.array(
          fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom(0, 1, 5, 30), fc.constantFrom(100, 100, 40, 0)),
          { minLength: 2, maxLength: 6 },
        ),
      }),
      { minLength: 2, maxLength: 2 },
    ),
    requires: fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }), {
      minLength: 3,
      maxLength: 3,
    }),
  })
  .map(({ affixes, themes, requires }) => {
    const egoItem = affixes.map(({ weights, levels, least, excludes }, i) => {
      const lines = weights.map(
        (weight, j) => `T:sword:0:9:${levels}:${weight}:${Math.min(255, least + 50 * j)} to 255\n`,
      );
      return `N:${i + 1}:prefix:A${i + 1}\n${lines.join("")}${excludes === null ? "" : `X:${excludes}\n`}`;
    });
    const egoThemes = themes.map(({ least, parts }, i) => {
      const lines = parts.toSorted(([a], [b]) => a - b).map((part) => `A:${part.join(":")}\n`);
      return `N:${i + 1}:suffix:T${i + 1}\nT:sword:0:9:${least} to 255\n${lines.join("")}`;
    });
    const artifact = requires.map((numbers, i) => {
      const lines = numbers.map((number) => `Q:${number}\n`);
      return `N:${i + 1}:Oar ${i + 1}\nI:sword:4\nA:${i + 3}:${i * 9} to 255\nA:2:60 to 200\n${lines.join("")}`;
    });
    return filesOf({
      egoItem: `${egoItem.join("")}N:5:suffix:A5\n`,
      egoThemes: egoThemes.join(""),
      artifact: artifact.join(""),
    });
  });

describe("whole objects are those of all paths, one by one", () => {
  test("of any files", () => {
    fc.assert(
      fc.property(
        anyFiles,
        fc.integer({ min: 0, max: 24 }),
        fc.constantFrom(...QUALITIES),
        fc.constantFrom(undefined, 1, 3, 4, 5),
        fc.boolean(),
        (files, level, quality, kind, artifacts) => {
          if (kind === undefined && kindOdds(files, { level, quality }).none.numerator > 0n) return;
          const query = { of: "object", level, kind, artifacts, ...asked(quality) } as const;
          expect(byOdds(files, query)).toEqual(byForce(files, { ...query, quality }));
        },
      ),
      { numRuns: 20, seed: 14 },
    );
  });

  test("of a few affixes, with themes, exclusions and artifacts that require affixes", () => {
    fc.assert(
      fc.property(
        denseFiles,
        fc.constantFrom(0, 3, 10, 24, 30),
        fc.constantFrom(...QUALITIES),
        fc.constantFrom(undefined, "good", "great"),
        (files, level, quality, affixLevel) => {
          const query = { of: "object", level, kind: 1, affixLevel, ...asked(quality) } as const;
          expect(byOdds(files, query)).toEqual(byForce(files, { ...query, quality }));
        },
      ),
      { numRuns: 20, seed: 15 },
    );
  });
});

/** Whether exact probabilities are between the bounds of odds that were not followed to the end. */
function areBounds(found: WholeObjectOdds, exact: WholeObjectOdds): void {
  const all = ({ kinds, affixes, themes, artifacts, affixCounts }: WholeObjectOdds): Part["odds"][] => [
    [...kinds.odds, ...affixes.odds, ...themes.odds, ...artifacts.odds, ...affixCounts.odds],
    affixes.odds.map(({ result, byTheme }) => ({ result, probability: byTheme })),
    affixes.odds.map(({ result, either }) => ({ result, probability: either })),
  ];
  for (const [i, list] of all(exact).entries()) {
    const least = new Map<unknown, Fraction>(all(found)[i].map(({ result, probability }) => [result, probability]));
    for (const { result, probability } of list) {
      const distance = subtract(probability, least.get(result) ?? ZERO);
      expect(distance.numerator, "the lower bound").toBeGreaterThanOrEqual(0n);
      expect(subtract(found.unexplored, distance).numerator, "the upper bound").toBeGreaterThanOrEqual(0n);
    }
  }
}

describe("the bounds", () => {
  test("hold for every number of states, and meet in the end", () => {
    fc.assert(
      fc.property(
        denseFiles,
        fc.constantFrom(0, 10, 24, 30),
        fc.constantFrom(...QUALITIES),
        fc.integer({ min: 1, max: 40 }),
        (files, level, quality, states) => {
          const query = { of: "object", level, kind: 1, ...asked(quality) } as const;
          const exact = objectOdds(files, query);
          expect(text(exact.unexplored)).toBe("0/1");
          areBounds(objectOdds(files, { ...query, states }), exact);
        },
      ),
      { numRuns: 60, seed: 16 },
    );
  });

  test("are close if rates must be rounded, because their common denominator is too long", () => {
    // at each depth that a boost gives, the affixes have another total
    const lines = (i: number) => `T:sword:0:9:good:${58_000 + ((i * 7919) % 7001)}:${2 * i + 19} to 255\n`;
    const files = filesOf({
      object: "N:1:& Kris~\nI:23:4\nA:30:1 to 40\nF:GOOD\n",
      egoItem: Array.from({ length: 36 }, (_, i) => `N:${i + 1}:prefix:A${i + 1}\n${lines(i + 1)}`).join(""),
      egoThemes: "N:1:suffix:T1\nT:sword:0:9:0 to 255\nA:A1:9\nA:A2:3\n",
    });
    const query = { of: "object", level: 20, kind: 1, good: true, affixLevel: "good" } as const;
    const found = objectOdds(files, query);
    expect(toNumber(found.unexplored)).toBeGreaterThan(0);
    expect(toNumber(found.unexplored)).toBeLessThan(1e-50);
    const forced = byForce(files, { ...query, quality: "good" });
    for (const { result, probability } of found.themes.odds) {
      const exact = fractionOf(forced.themes[`#${result.number}`]);
      expect(subtract(exact, probability).numerator).toBeGreaterThan(0n);
      expect(subtract(add(probability, found.unexplored), exact).numerator).toBeGreaterThanOrEqual(0n);
    }
  });
});

/** The fraction that a text such as "1/3" says. */
function fractionOf(written: string): Fraction {
  const [numerator, denominator] = written.split("/").map(BigInt);
  return { numerator, denominator };
}

describe("whole objects of the project's own files", () => {
  const files = folderFiles(OWN);
  if (files === undefined) throw new Error("data/dungeon is missing");

  test.each(QUALITIES)("all parts add up to 1: %s objects of any kind", (quality) => {
    const found = objectOdds(files, { of: "object", level: 30, ...asked(quality) });
    for (const { odds, none } of [found.kinds, found.themes, found.artifacts, found.affixCounts]) {
      expect(sum([...odds.map(({ probability }) => probability), none])).toBe("1/1");
    }
    expect(text(found.unexplored)).toBe("0/1");
    expect(text(found.affixes.none)).toBe(text(found.affixCounts.odds[0].probability));
  });

  test("a type has the odds of its kinds", () => {
    const found = objectOdds(files, { of: "object", level: 40, tval: "light", artifacts: false });
    const kinds = objectOdds(files, { of: "kind", level: 40, tval: "light" }).odds;
    const parts = kinds.map(({ result, probability }) => {
      const { affixes } = objectOdds(files, { of: "object", level: 40, kind: result.number, artifacts: false });
      return multiply(probability, affixes.odds.find((chance) => chance.result.name === "Steady")?.probability ?? ZERO);
    });
    expect(text(found.affixes.odds.find(({ result }) => result.name === "Steady")?.probability ?? ZERO)).toBe(
      sum(parts),
    );
  });

  test("a theme after two slots at most has the odds of two slots", () => {
    // a normal object of depth 30 has 0, 1 or 2 slots, each with the probability 1/3
    const { kind } = named(files);
    const query = { level: 30, kind: kind("Cudgel").number, affixLevel: "great" } as const;
    const after = objectOdds(files, { of: "themeOfTwoSlots", ...query });
    const { themes } = objectOdds(files, { of: "object", artifacts: false, ...query });
    expect(
      themes.odds.map(({ probability }) => text(multiply(probability, { numerator: 3n, denominator: 1n }))),
    ).toEqual(after.odds.map(({ probability }) => text(probability)));
    expect(themes.odds.length).toBeGreaterThan(0);
  });

  test("progress rises to its total, and a signal ends the call", () => {
    const seen: number[] = [];
    const query = { of: "object", level: 30, great: true } as const;
    let total = 0;
    objectOdds(files, {
      ...query,
      onProgress: (progress) => {
        seen.push(progress.done);
        total = progress.total;
      },
    });
    expect(seen.at(-1)).toBe(total);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    const stop = new AbortController();
    const reason = new Error("enough");
    expect(() => objectOdds(files, { ...query, signal: stop.signal, onProgress: () => stop.abort(reason) })).toThrow(
      reason,
    );
  });
});
