import { expect, test } from "vitest";
import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { compare as order } from "../../src/instruments/distribution.js";
import { type Condition, chance, type ValueCondition } from "../../src/instruments/index.js";
import type { ObjectFiles } from "../../src/objects/types.js";
import { filesOf } from "../objects/oddsFiles.js";
import { addedBy, everyObject } from "../oracle/objectOdds.js";
import { chanceOf, enumerate } from "../recipes/enumerate.js";
import { recipe, wordTables } from "../recipes/small.js";
import { refusalOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { integers } from "./random.js";
import { anyTable, open } from "./tables.js";

const SPECS = IS_SOAK ? 500 : 120;

const text = (value: unknown) => JSON.stringify(value);

/** The probability of `least` … `most` successes in n attempts: the sum over all 2ⁿ sequences of attempts. */
function inSequences(p: Fraction, n: number, [least, most]: readonly [number, number]): Fraction {
  let sum = ZERO;
  for (let sequence = 0; sequence < 2 ** n; sequence++) {
    const wins = Array.from({ length: n }, (_, i) => (sequence >> i) & 1);
    const count = wins.filter((win) => win === 1).length;
    if (count < least || count > most) continue;
    sum = add(sum, wins.map((win) => (win === 1 ? p : subtract(ONE, p))).reduce(multiply));
  }
  return sum;
}

function expectAll(
  random: (limit: number) => number,
  p: Fraction,
  chanceIn: (options: { in: number; atLeast?: number; atMost?: number; exactly?: number }) => unknown,
) {
  const n = 1 + random(4);
  const k = random(n + 2);
  expect(text(chanceIn({ in: n, atLeast: k }))).toBe(text(inSequences(p, n, [k, n])));
  expect(text(chanceIn({ in: n, atMost: k }))).toBe(text(inSequences(p, n, [0, k])));
  expect(text(chanceIn({ in: n, exactly: k }))).toBe(text(inSequences(p, n, [k, k])));
}

type AnyTable = { rows: { columns: { result?: string | null; jump?: number; weight: number }[] }[] };

const DEPTH = 60;

/** Follows all rolls to their ends, at most 60 rows each. Returns the rolls that win and those that have not ended. */
function everyRoll({ rows }: AnyTable, start: number, isWanted: (result: string | null) => boolean) {
  let won = ZERO;
  let here = new Map([[start, ONE]]);
  for (let depth = 0; depth < DEPTH && here.size > 0; depth++) {
    const next = new Map<number, Fraction>();
    for (const [row, p] of here) {
      const total = rows[row].columns.reduce((sum, { weight }) => sum + weight, 0);
      if (total === 0 && isWanted(null)) won = add(won, p);
      for (const { result = null, jump, weight } of rows[row].columns) {
        if (weight === 0) continue;
        const share = multiply(p, fraction(BigInt(weight), BigInt(total)));
        if (jump !== undefined) next.set(jump, add(next.get(jump) ?? ZERO, share));
        else if (isWanted(result)) won = add(won, share);
      }
    }
    here = next;
  }
  return { won, going: [...here.values()].reduce(add, ZERO) };
}

test("tables: 500, with circles, dead rows and columns of weight 0, by following all rolls", () => {
  const random = integers(61);
  let [made, exact] = [0, 0];
  while (made < SPECS) {
    const table = anyTable(random) as unknown as AnyTable;
    const start = random(table.rows.length);
    const names = [
      null,
      ...new Set(table.rows.flatMap(({ columns }) => columns.flatMap(({ result }) => result ?? []))),
    ];
    const wanted: ValueCondition = random(4) === 0 ? { any: names } : names[random(names.length)];
    const isWanted = (result: string | null) =>
      typeof wanted === "string" || wanted === null ? result === wanted : true;
    const { won, going } = everyRoll(table, start, isWanted);
    const options = { with: { start } };
    let noun: ReturnType<typeof open>;
    try {
      noun = open(table as never);
      chance(noun, wanted, { in: 1, ...options });
    } catch (cause) {
      // the rolls that never end
      if (
        refusalOf(() => {
          throw cause;
        }).code !== "table.endless"
      )
        throw cause;
      expect(going.numerator).toBeGreaterThan(0n);
      continue;
    }
    made++;
    if (going.numerator === 0n) {
      exact++;
      expectAll(random, won, (how) => chance(noun, wanted, { ...how, ...options }));
      continue;
    }
    const [n, k] = [1 + random(4), 1 + random(2)];
    const value = chance(noun, wanted, { in: n, atLeast: k, ...options }) as Fraction;
    expect(order(value, inSequences(won, n, [k, n]))).toBeGreaterThanOrEqual(0);
    expect(order(value, inSequences(add(won, going), n, [k, n]))).toBeLessThanOrEqual(0);
  }
  expect(exact).toBeGreaterThan(SPECS / 4);
});

test("recipes: 500, by playing all items", () => {
  const random = integers(62);
  const mill = createMill({ seed: 1 });
  const anyChance = () => (random(2) === 0 ? { atLeast: random(110) } : { above: random(101) });
  for (let i = 0; i < SPECS; i++) {
    const slots = Array.from({ length: 1 + random(2) }, (_, k) => ({
      slot: `x${k}`,
      table: `t${k}`,
      strength: 1,
      ...(random(2) === 0 && { chance: anyChance() }),
      ...(k > 0 && random(2) === 0 && { after: "x0" }),
    }));
    const bonus = {
      kind: "bonus",
      name: "bonus",
      chance: anyChance(),
      sides: 4,
      ladder: [
        { atLeast: 3, text: "+2", add: { str: 2 } },
        { text: "+1", add: { str: 1 } },
      ],
    };
    const spec = recipe({
      stats: [{ name: "str" }],
      strength: "str",
      weight: "often",
      steps: [{ kind: "slots", name: "words", slots }, bonus],
    });
    const words = slots.map(({ table }) => [
      table,
      Array.from({ length: 2 + random(2) }, (_, k) => ({ id: k + 1, word: `w${k}`, often: 1 + random(5) })),
    ]);
    const tables = Object.fromEntries(words);
    const ways = enumerate(spec, wordTables(tables, spec), {});
    const noun = mill.recipe(`r${i}`, spec, { tables });
    const word = [null, "w0", "w1"][random(3)];
    const [wanted, isWanted] = [
      [{ x0: word }, (way: (typeof ways)[number]) => (way.words.get("x0") ?? null) === word],
      [{ bonus: "+1" }, ({ outcomes }: (typeof ways)[number]) => outcomes.get("bonus") === "+1"],
      [
        { x0: "w0", bonus: null },
        ({ words: own, outcomes }: (typeof ways)[number]) => own.get("x0") === "w0" && !outcomes.has("bonus"),
      ],
    ][random(3)] as [Condition, (way: (typeof ways)[number]) => boolean];
    expectAll(random, chanceOf(ways, isWanted), (how) => chance(noun, wanted, how));
  }
});

test("objects: 500 conditions on random edit files, by making all objects", () => {
  const random = integers(63);
  // everyObject takes some 40 ms
  const specs = IS_SOAK ? 500 : 60;
  let uncertain = 0;
  for (let i = 0; i < specs; i++) {
    const files = smallFiles(random);
    const [level, quality] = [random(31), QUALITIES[random(IS_SOAK ? 9 : 8) >> 2]];
    const [kind] = files.kinds;
    const affixLevel = ["good", "great"][random(2)];
    const ends = everyObject(files, {
      level,
      quality,
      kind,
      kinds: new Map([[kind, ONE]]),
      affixLevel: files.levels.indexOf(affixLevel),
      artifacts: true,
    });
    const [wanted, shareOf] = anyCondition(random, files);
    const p = ends.reduce((sum, end) => add(sum, multiply(end.chance, shareOf(end))), ZERO);
    const noun = createMill({ seed: i }).objects("objects", files);
    expectAll(random, p, (how) =>
      chance(noun, wanted, {
        ...how,
        with: { level, kind: 1, affixLevel, good: quality === "good", great: quality === "great" },
      }),
    );
    if (p.numerator > 0n && p.numerator < p.denominator) uncertain++;
  }
  expect(uncertain).toBeGreaterThan(SPECS / 3);
});

const QUALITIES = ["normal", "good", "great"] as const;

/** Swords with two affixes, a theme that can add a third one, and an artifact that can require one. */
function smallFiles(random: (limit: number) => number): ObjectFiles {
  const range = () => `${[0, 0, 9, 40][random(4)]} to 255`;
  const level = () => ["good", "great"][random(2)];
  const affixes = [1, 2].map((n) => `N:${n}:prefix:A${n}\nT:sword:0:9:${level()}:${1 + random(5)}:${range()}\n`);
  const parts = [1, 2, 3].map((n) => `A:${n}:${1 + random(30)}:${[100, 40][random(2)]}\n`);
  const requires = random(2) === 0 ? "" : `Q:${1 + random(2)}\n`;
  return filesOf({
    egoItem: `${affixes.join("")}${random(4) === 0 ? "X:1\n" : ""}N:3:prefix:A3\n`,
    egoThemes: `N:1:suffix:T1\nT:sword:0:9:${range()}\n${parts.join("")}`,
    artifact: `N:1:Oar\nI:sword:4\nA:${1 + random(4)}:${range()}\n${requires}`,
  });
}

type End = ReturnType<typeof everyObject>[number];

/** A condition, and the share of the objects with this end that meet it. */
function anyCondition(
  random: (limit: number) => number,
  files: ObjectFiles,
): readonly [Condition, (end: End) => Fraction] {
  const sure = (isSo: (end: End) => boolean) => (end: End) => (isSo(end) ? ONE : ZERO);
  const affix = files.affixes[random(files.affixes.length)];
  const theme = files.themes[random(files.themes.length)];
  const artifact = files.artifacts[random(files.artifacts.length)];
  const count = random(3);
  const all = [
    [{ affixes: count }, sure(({ affixes }) => affixes.length === count)],
    [{ affixes: { atLeast: count } }, sure(({ affixes }) => affixes.length >= count)],
    [{ theme: theme.name }, sure((end) => end.theme === theme)],
    [{ theme: null }, sure((end) => end.theme === undefined)],
    [{ artifact: artifact.name }, sure((end) => end.artifact === artifact)],
    [{ artifact: "any" }, sure((end) => end.artifact !== undefined)],
    [{ affix: null }, sure(({ affixes }) => affixes.length === 0)],
    [
      { affix: affix.name },
      (end: End) => {
        if (end.affixes.includes(affix)) return ONE;
        return end.theme === undefined ? ZERO : addedBy(end.theme, end, affix);
      },
    ],
  ] as const;
  return all[random(all.length)];
}
