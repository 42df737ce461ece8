import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Fraction, toNumber } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { checkObjectFiles, loadObject, type ObjectTexts, parseObjects, saveObject } from "../../src/objects/index.js";
import { CONSTANTS, listConstants } from "../../src/objects/parse/constants.js";
import { DUNGEON } from "./dungeon.js";
import { LIGHTHOUSE } from "./lighthouse.js";

/** Three affixes with one theme, so that whole objects have few states. */
const FERRY: ObjectTexts = {
  object:
    "N:1:& Kris~\nI:23:4\nA:30:0 to 9\nN:2:& Dirk~\nI:23:5\nA:20:10 to 127\nF:GOOD\nN:3:& Cap~\nI:32:1\nA:9:0 to 50\n",
  objectBase: "N:sword:Blade~\nN:helm:Hat~\n",
  egoItem: [1, 2, 3]
    .map((n) => `N:${n}:prefix:A${n}\nT:sword:0:9:good:${10 * n}:${6 * n} to 127\nT:helm:0:9:great:5:1 to 127\n`)
    .join(""),
  egoThemes: "N:1:suffix:of the Ferry\nT:sword:0:9:0 to 127\nT:helm:0:9:0 to 127\nA:A1:9\nA:A2:7\nA:A3:5\n",
  artifact:
    "N:1:'Oar'\nI:sword:4\nP:0:3d3:5:6:0\nA:10:30 to 127\nN:2:'Quay'\nI:helm:1\nP:4:0d0:0:0:6\nA:9:1 to 127\nQ:A1\n",
};
const CHANGED = {
  artifacts: { oneIn: { normal: 7, good: 3, great: 2 }, outOfDepth: 1 },
  kinds: { deeper: { good: 2, great: 40 }, bonus: 30 },
  affixLevel: { percent: 35, percentPerLevel: 0, goodOneIn: 2 },
  slots: {
    most: 2,
    levelsPerSlot: 3,
    good: { least: 0, most: 3 },
    great: { least: 2, most: 2 },
    fewerIfGood: 2,
    limit: 4,
    boostOneIn: 3,
  },
  themes: { factor: 11, leastAffixes: 3 },
};
const withConstants = (constants: unknown, texts = FERRY) => ({ ...texts, constants: JSON.stringify(constants) });
const parsed = (constants: unknown) => parseObjects(withConstants(constants));
const placesOf = (text: string) =>
  parseObjects({ ...FERRY, constants: text }, { files: { constants: "ferry/constants.json" } }).issues.map(
    ({ severity, code, where }) => [severity, code, where.file, where.path ?? `${where.line}:${where.column}`],
  );

describe("constants.json (first hour 16)", () => {
  test("a missing file, an empty one and the usual numbers make the same plan and the same objects", () => {
    const bytes = (texts: ObjectTexts) =>
      createMill({ seed: "moria" }).objects("drops", texts).makeMany(3000, { level: 30, good: true }).flags.join();
    const usual = bytes(DUNGEON);
    for (const constants of ["{}", JSON.stringify(CONSTANTS), '{"$schema": "x", "slots": {"limit": 8}}']) {
      expect(bytes({ ...DUNGEON, constants }) === usual).toBe(true);
    }
    expect(bytes(withConstants(CHANGED, DUNGEON)) === usual).toBe(false);
  });

  test("numbers that are left out are usual", () => {
    const { spec } = parsed({ slots: { limit: 3 }, kinds: { deeper: { great: 0 } } });
    expect(spec?.constants).toEqual({
      ...CONSTANTS,
      slots: { ...CONSTANTS.slots, limit: 3 },
      kinds: { ...CONSTANTS.kinds, deeper: { good: 5, great: 0 } },
    });
    expect(listConstants({ constants: CONSTANTS }).every(({ value, usual }) => value === usual)).toBe(true);
    const paths = listConstants(spec ?? { constants: CONSTANTS }).filter(({ value, usual }) => value !== usual);
    expect(paths.map(({ path }) => path)).toEqual(["kinds.deeper.great", "slots.limit"]);
  });

  test.each([
    ["{", "error file.json ferry/constants.json 1:2"],
    ["[]", "error object.number ferry/constants.json "],
    ['{"slot": {}}', "error object.number ferry/constants.json slot"],
    ['{"slots": 5}', "error object.number ferry/constants.json slots"],
    ['{"slots": {"limit": 9}}', "error object.number ferry/constants.json slots.limit"],
    ['{"slots": {"good": {"least": 3}}}', "error object.number ferry/constants.json slots.good"],
    ['{"artifacts": {"oneIn": {"normal": 0}}}', "error object.number ferry/constants.json artifacts.oneIn.normal"],
    ['{"themes": {"factor": 1.5}}', "error object.number ferry/constants.json themes.factor"],
    ['{"themes": {"leastAffixes": 1}}', "error object.number ferry/constants.json themes.leastAffixes"],
    ['{"themes": null}', "error object.number ferry/constants.json themes"],
  ])("%s is an error at its place", (text, expected) => {
    expect(placesOf(text).map((place) => place.join(" "))).toEqual([expected]);
  });

  test("the page's file is one, and its table has the numbers and ranges of the schema", () => {
    const page = readFileSync(new URL("../../docs/formats/objects.md", import.meta.url), "utf8");
    const [, text] = /^```json constants\n(.*?)^```/ms.exec(page) ?? ["", "[]"];
    expect(placesOf(text)).toEqual([]);
    const [, table] = /^### Constants\n(.*?)^### /ms.exec(page) ?? ["", ""];
    for (const { path, usual } of listConstants({ constants: CONSTANTS })) {
      const row = table.split("\n").find((line) => path.split(".").every((name) => line.split("|")[1]?.includes(name)));
      expect([path, row?.split("|")[2].includes(String(usual))]).toEqual([path, true]);
    }
  });

  test("files of Angband 4.2 have none", () => {
    const { issues } = parseObjects({ ...LIGHTHOUSE, constants: "{}" });
    expect(issues.map(({ code, where }) => [code, where.path])).toEqual([["argument.type", "constants"]]);
  });

  test("the check knows them: a theme may need more affixes than meet, or a greater factor", () => {
    const flawed = (themes: object) => {
      const { spec } = parsed({ themes });
      return spec === undefined ? [] : checkObjectFiles(spec).filter(({ message }) => message.includes("of the Ferry"));
    };
    expect(flawed({})).toEqual([]);
    expect(flawed({ leastAffixes: 3 })).toEqual([]);
    expect(flawed({ leastAffixes: 4 })).toHaveLength(1);
    expect(flawed({ factor: 0 })).toHaveLength(1);
  });
});

describe("exact odds follow from the constants (first hour 16)", () => {
  const N = 60_000;
  const maker = createMill({ seed: "odds" }).objects("ferry", withConstants(CHANGED));
  const of = <T>(odds: readonly { readonly result: T; readonly probability: Fraction }[]) =>
    new Map(odds.map(({ result, probability }) => [result, toNumber(probability)]));

  /** Compares counts with their chances, at 6 standard deviations. */
  function agree<T>(chances: ReadonlyMap<T, number>, results: readonly T[]): void {
    const counts = new Map<T, number>();
    for (const result of results) counts.set(result, (counts.get(result) ?? 0) + 1);
    for (const result of counts.keys()) expect(chances.get(result) ?? 0, String(result)).toBeGreaterThan(0);
    for (const [result, chance] of chances) {
      const apart = Math.abs((counts.get(result) ?? 0) - results.length * chance);
      expect(apart, String(result)).toBeLessThanOrEqual(6 * Math.sqrt(results.length * chance * (1 - chance)) + 1);
    }
  }

  test.each(["normal", "good", "great"] as const)("%s objects", (quality) => {
    const asked = { level: 8, ...(quality !== "normal" && { [quality]: true }) };
    const made = [...maker.makeMany(N, { ...asked, artifacts: false })];
    agree(
      of(maker.odds({ of: "kind", ...asked }).odds),
      made.map(({ kind }) => kind),
    );
    agree(
      of(maker.odds({ of: "affixLevel", ...asked }).odds),
      made.map(({ affixLevel }) => maker.files.levels[affixLevel]),
    );
    for (const kind of [1, 2, 3]) {
      const own = made.filter(({ kind: { number } }) => number === kind);
      agree(
        of(maker.odds({ of: "slots", kind, ...asked }).odds),
        own.map(({ slots }) => slots),
      );
    }
    const depths = of(maker.odds({ of: "depth", level: 8 }).odds);
    // only some slots get an affix, and boosted ones more likely: the depth 8 itself has the chance of no boost
    expect(depths.get(8)).toBeCloseTo(2 / 3, 12);
    const whole = maker.odds({ of: "object", ...asked, artifacts: false });
    expect(whole.unexplored.numerator).toBe(0n);
    agree(
      new Map([...of(whole.themes.odds), [undefined, toNumber(whole.themes.none)]]),
      made.map(({ theme }) => theme),
    );
    agree(
      of(whole.affixCounts.odds),
      made.map(({ affixes }) => affixes.length),
    );
  });

  test("artifacts, each from a stock of its own", () => {
    const results = Array.from({ length: 4000 }, (_, k) => {
      const one = maker.make({ level: 8, good: true, at: k });
      if (one.artifact !== undefined) maker.releaseArtifact(one.artifact.number);
      return one.artifact;
    });
    const { artifacts } = maker.odds({ of: "object", level: 8, good: true });
    agree(new Map([...of(artifacts.odds), [undefined, toNumber(artifacts.none)]]), results);
  });

  test("a saved object of these files loads again, and other files refuse it", () => {
    const many = maker.makeMany(500, { level: 40, great: true, artifacts: false });
    const themed = [...many].find(({ theme }) => theme !== undefined);
    expect(themed && loadObject(maker.files, saveObject(maker.files, themed))).toEqual(themed);
    const usual = createMill({ seed: "odds" }).objects("ferry", FERRY);
    const full = [...many].find(({ slots }) => slots === 0);
    const code = () => loadObject(usual.files, full && saveObject(maker.files, full));
    expect(code).toThrow("[object.saved]");
  });
});
