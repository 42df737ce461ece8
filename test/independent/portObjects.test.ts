// As port.test.ts, for objects: what the library makes is what the page says, word by word, in forks too.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { type ObjectTexts, parseObjects } from "../../src/objects/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { type Id, type Key, streamKey, word } from "./port.mjs";
import { halfNormal, makeObject, mBonusWeights } from "./portObjects.mjs";
import { SEEDS } from "./seeds.js";

const page = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8");
/** Files in which Z, R and R2 lines run out of flags, and a theme names an affix several times. */
const AWKWARD: ObjectTexts = {
  object: `N:1:& Kris~
I:23:4
W:3:0:15:20
P:0:2d3:0:d3M200:0
A:30:0 to 255
F:BRIGHT
`,
  objectBase: "N:sword:Blade~\n",
  egoItem: `N:1:suffix:of Much
C:d3M9:M255:0
R:2:GLOW
R2:3:KEEN | DULL | BRIGHT
Z:3:-1+M2:255:STAT
Z:2:d3M7:2:STAT
T:sword:0:9:good:20:0 to 255
N:2:suffix:of More
R2:1:KEEN | WARM
L:d2M3:255:CON
T:sword:0:9:good:20:0 to 255
N:3:suffix:of Rest
C:d9:0:0
R:1:GLOW | EDGE
Z:1:d5:255:STAT
T:sword:0:9:good:20:0 to 255
`,
  egoThemes: `N:1:suffix:of the Choir
T:sword:0:9:0 to 255
A:of Rest:20
A:of Rest:0:50
A:of More:14:70
A:of Rest:0
A:of Much:9:0
A:of Much:9:30
`,
  artifact: "",
  flags: "DULL,EDGE\nCON,STAT\nWARM,GLOW\nKEEN,EDGE\nBRIGHT,GLOW\nSTR,STAT\n",
};

const QUALITIES = ["normal", "good", "great"] as const;
const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

interface Numbered {
  number: number;
}

/** What both make of an object, with numbers in place of records. */
const summaryOf = <
  Made extends {
    kind: Numbered;
    artifact?: Numbered | undefined;
    theme?: Numbered | undefined;
    affixes: readonly Numbered[];
  },
>(
  made: Made,
) => ({
  ...made,
  kind: made.kind.number,
  artifact: made.artifact?.number,
  theme: made.theme?.number,
  affixes: made.affixes.map(({ number }) => number),
});

/** Makes objects of both kinds of quality and depth, and compares them; calls `see` with each. */
function compare(
  texts: ObjectTexts,
  { seed, forks, count, levels }: { seed: string; forks: Id[]; count: number; levels: number[] },
  see: (made: ReturnType<typeof makeObject>) => void = () => {},
): void {
  const files = parseObjects(texts).spec ?? {};
  const constants: unknown = JSON.parse(texts.constants ?? "{}");
  const mill = createMill({ seed }).fork("save 1");
  const maker = forks.reduce((child, id) => child.fork(id), mill.objects("drops", texts));
  const key: Key = streamKey(seed, "drops", forks, ["save 1"]);
  const made = new Map<number, number>();
  for (const index of range(count)) {
    const quality = QUALITIES[index % 3];
    const level = levels[Math.floor(index / 3) % levels.length];
    const ours = makeObject(key, files, index, { level, quality, made, constants });
    const theirs = maker.make({ level, at: index, ...(quality !== "normal" && { [quality]: true }) });
    expect(summaryOf(theirs)).toMatchObject(summaryOf(ours));
    see(ours);
  }
}

describe("objects of the project's files", () => {
  const FORKS: [what: string, forks: Id[]][] = [
    ["no fork", []],
    ["a text", ["chest 4"]],
    ["a pair, then an integer", [[3, -4], 7]],
  ];
  const cases = SEEDS.slice(0, 4).flatMap(([, seed]) =>
    FORKS.map(([what, forks]): [string, string, Id[]] => [seed, what, forks]),
  );

  test.each(cases)("seed %j, %s", (seed, _what, forks) => {
    compare(DUNGEON, { seed, forks, count: 150, levels: [0, 5, 30, 127] });
  });
});

/** Every constant has another value than usual, and the second file has only some. */
const CONSTANTS = [
  {
    artifacts: { oneIn: { normal: 3, good: 2, great: 1 }, outOfDepth: 1 },
    kinds: { deeper: { good: 3, great: 40 }, bonus: 60 },
    affixLevel: { percent: 35, percentPerLevel: 0, goodOneIn: 2 },
    slots: {
      most: 4,
      levelsPerSlot: 9,
      good: { least: 2, most: 5 },
      great: { least: 4, most: 4 },
      fewerIfGood: 3,
      limit: 6,
      boostOneIn: 2,
    },
    themes: { factor: 40, leastAffixes: 3 },
  },
  { kinds: { bonus: 0 }, slots: { great: { least: 8, most: 8 }, boostOneIn: 1 }, themes: { factor: 1000 } },
  { artifacts: { outOfDepth: 200 }, slots: { limit: 0 }, themes: { factor: 0 } },
];

describe("objects made with a file of constants agree with the second implementation (first hour 16)", () => {
  test.each([
    ["artifact, theme, many", CONSTANTS[0]],
    ["theme, many", CONSTANTS[1]],
    ["", CONSTANTS[2]],
  ])("a file that makes: %s", (expected, constants) => {
    const seen = { artifact: 0, theme: 0, many: 0 };
    const texts = { ...DUNGEON, constants: JSON.stringify(constants) };
    compare(
      texts,
      { seed: "moria", forks: [], count: 450, levels: [0, 5, 30, 127] },
      ({ artifact, theme, affixes }) => {
        seen.artifact += Number(artifact !== undefined);
        seen.theme += Number(theme !== undefined);
        seen.many += Number(affixes.length > 4);
      },
    );
    for (const [what, count] of Object.entries(seen)) {
      if (expected.includes(what)) expect(count, what).toBeGreaterThan(10);
      else if (what !== "artifact") expect(count, what).toBe(0);
    }
  });
});

test("lists that run out of flags, flags in another order, and themes that repeat a line", () => {
  const seen = { exhausted: 0, themed: 0, bare: 0 };
  compare(AWKWARD, { seed: "moria", forks: [], count: 1500, levels: [1, 60, 255] }, ({ affixes, pvals, theme }) => {
    const has = (number: number) => affixes.some((affix) => affix.number === number);
    if (has(1) && pvals.STR !== undefined && pvals.CON !== undefined) seen.exhausted++;
    if (theme !== undefined) seen.themed++;
    if (theme !== undefined && !has(3)) seen.bare++;
  });
  expect(
    Object.values(seen).every((count) => count > 30),
    JSON.stringify(seen),
  ).toBe(true);
});

test("the page's values of m_bonus are those of the second implementation", () => {
  const [, text] = /^- \*m_bonus(.*?)^- \*/ms.exec(page) ?? ["", ""];
  const h = halfNormal();
  expect(text).toContain(`are ${[0, 1, 63, 127, 255].map((k) => h[k]).join(", ")}.`);
  const rows = [...text.matchAll(/^ {2}\| (\d+)(?:, and (\d+))? \| ([\d |]+) \|$/gm)];
  expect(rows).toHaveLength(2);
  for (const [, depth, other = depth, weights] of rows)
    for (const D of [depth, other]) expect(weights.split(" | ").map(Number)).toEqual(mBonusWeights(5, Number(D)));
  for (const m of [0, 1, 6, 255]) expect(mBonusWeights(m, 77).reduce((sum, weight) => sum + weight, 0)).toBe(2 ** 31);
});

test("the page's example of objects has the words of the second implementation, and their values", () => {
  const [, text] = /^Check: under seed `moria`, object 11850(.*?)^\*\*Objects by/ms.exec(page) ?? ["", ""];
  const rows = [...text.matchAll(/^\| [^|]*\| (\d+) \| (\d+) \| ([^|]+) \|/gm)];
  expect(rows.map(([, at]) => Number(at))).toEqual(range(21));
  const key = streamKey("moria", "drops");
  for (const [, at, drawn, decided] of rows) {
    expect([at, word(key, 11850, Number(at))]).toEqual([at, Number(drawn)]);
    const [, m, value] = /^below\((\d+)\) = (\d+)$/.exec(decided) ?? [];
    if (m !== undefined) expect([at, (BigInt(drawn) * BigInt(m)) >> 32n]).toEqual([at, BigInt(value)]);
  }
  const files = parseObjects(DUNGEON).spec ?? {};
  const made = makeObject(key, files, 11850, { level: 30, quality: "good", made: new Map() });
  expect(made).toMatchObject({ words: 21, toHit: 5, toDam: 6, dice: 1, sides: 7, weight: 91, depths: [33, 30] });
});
