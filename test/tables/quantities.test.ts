import { describe, expect, expectTypeOf, test } from "vitest";
import { add, fraction, ONE } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { parseTable, type Stack, type Table, type TableObject } from "../../src/tables/index.js";
import { BelowTemplate } from "../oracle/below.js";
import { rollTwin } from "../oracle/tableTwin.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { agrees } from "../statistics/chiSquare.js";

const seed = "moria";
const mill = () => createMill({ seed });
const below32 = new BelowTemplate(32);
const coded = (code: string) => expect.objectContaining({ code });

const LOOT = {
  rows: [
    {
      label: "Chest",
      columns: [
        { result: "gold", weight: 50, quantity: "2d6+1" },
        { result: "gem", weight: 10, quantity: "2-5" },
        { result: null, weight: 15 },
        { jump: "Deep", weight: 20 },
        { result: "sword", weight: 5 },
      ],
    },
    {
      label: "Deep",
      columns: [
        { result: "gold", weight: 3, quantity: 100 },
        { jump: 2, weight: 1 },
        { jump: 0, weight: 1 },
      ],
    },
    { columns: [] },
  ],
} as const;

/** Roll k by docs/determinism.md: the roll of a plain table, then the dice of its column. */
function twin(name: string) {
  const { spec } = parseTable(LOOT);
  if (spec === undefined) throw new Error("refused");
  // the columns are made distinct, so that the twin says which one has won
  const columns = spec.rows.flatMap((row) => [...row.columns]);
  let next = 0;
  const rows = spec.rows.map((row) => ({
    ...row,
    columns: row.columns.map((column) => {
      const at = next++;
      return "jump" in column ? column : { result: String(at), weight: column.weight };
    }),
  }));
  const words = streamWords(streamKey(seed, name));
  return (k: number) => {
    const roll = rollTwin({ ...spec, rows }, { words, index: k, script: () => 0 });
    const won = roll.kind === "result" ? columns[Number(roll.result)] : undefined;
    if (won === undefined || "jump" in won || won.result === null) return null;
    const { count, sides, plus } = won.quantity ?? { count: 0, sides: 1, plus: 1 };
    let quantity = plus + count;
    for (let die = 0; die < count; die++) {
      const plane = 2 ** 32 + die;
      quantity += below32.below(words.word(plane, k), sides, (i) => words.extra(plane, k, i));
    }
    return { result: won.result, quantity };
  };
}

describe("tables with quantities and nothing", () => {
  test("equal their slow twin, in bulk, alone and live", () => {
    const table = mill().table("loot", LOOT);
    const wanted = twin("loot");
    for (const from of [0, 1021, 2 ** 42 - 1500]) {
      const rolls = table.rollMany(1500, { from });
      expect([...rolls]).toEqual(Array.from({ length: 1500 }, (_, i) => wanted(from + i)));
      expect(table.roll({ at: from + 7 })).toEqual(rolls.at(7));
      expect(rolls.none).toBe([...rolls].filter((roll) => roll === null).length);
    }
    expect(Array.from({ length: 1200 }, () => table.roll())).toEqual([...table.rollMany(1200, { from: 0 })]);
    const scripted = {
      rows: [
        {
          columns: [
            { result: "a", weight: { script: 1 }, quantity: "1d4" },
            { result: null, weight: 1 },
          ],
        },
      ],
    };
    const live = mill().table("live", scripted, { script: () => 3 });
    expect([...live.rollMany(300, { mode: "live", from: 0 })]).toEqual([
      ...live.rollMany(300, { mode: "frozen", from: 0 }),
    ]);
  });

  test("have the words of the same table without quantities", () => {
    const plain: TableObject = {
      rows: LOOT.rows.map(({ columns }) => ({
        columns: columns.map(({ weight, ...column }) => ({
          weight,
          ...("jump" in column
            ? { jump: column.jump === "Deep" ? 1 : column.jump }
            : { result: column.result ?? "nothing" }),
        })),
      })),
    };
    const names = [...mill().table("loot", plain).rollMany(2000)].map((one) => (one === "nothing" ? null : one));
    expect([...mill().table("loot", LOOT).rollMany(2000)].map((one) => one?.result ?? null)).toEqual(names);
  });

  test("have odds and counts by result, and exact odds of a quantity", () => {
    const table = mill().table("loot", LOOT);
    const { odds, none } = table.odds();
    expect(odds.map(({ result }) => result)).toEqual(["gold", "gem", "sword"]);
    expect(odds.map(({ probability }) => probability).reduce(add, none)).toEqual(ONE);
    const { counts, none: nothing } = table.count(5000, { from: 0 });
    const rolls = [...table.rollMany(5000, { from: 0 })];
    expect([...counts.keys()]).toEqual(["gold", "gem", "sword"]);
    for (const [result, count] of counts) expect(rolls.filter((roll) => roll?.result === result)).toHaveLength(count);
    expect(nothing).toBe(rolls.filter((roll) => roll === null).length);

    const law = table.quantityOdds("gold").odds;
    expect(law.map(({ result }) => result)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 100]);
    // of Chest 50/100 in each of its visits, of Deep 3/5 after 20/100: 50 · 5 to 20 · 3
    expect(law.at(-1)?.probability).toEqual(fraction(12n, 62n));
    const golds = [...table.rollMany(100_000)].filter((roll) => roll?.result === "gold");
    const seen = law.map(({ result }) => golds.filter((roll) => roll?.quantity === result).length);
    expect(
      agrees(
        seen,
        law.map(({ probability: { numerator, denominator } }) => Number(numerator) / Number(denominator)),
      ),
    ).toBe(true);
    expect(table.quantityOdds("sword").odds).toEqual([{ result: 1, probability: ONE }]);
    expect(table.quantityOdds("gem", { start: 2 }).odds).toEqual([]);
    expect(() => table.quantityOdds("glod" as "gold")).toThrow(coded("argument.range"));
  });

  test("rollInto fills columns; an array of ids has no room for quantities", () => {
    const table = mill().table("loot", LOOT);
    const room = table.rollMany(40);
    for (const onProgress of [undefined, () => undefined]) {
      expect(table.rollInto(room, { from: 100, onProgress })).toBe(room);
      expect([...room]).toEqual([...table.rollMany(40, { from: 100 })]);
      expect([room.from, room.none]).toEqual([100, [...room].filter((roll) => roll === null).length]);
    }
    for (const wrong of [
      new Uint16Array(9),
      mill()
        .table("a", { rows: [{ columns: [] }] })
        .rollMany(3),
      null,
    ]) {
      expect(() => table.rollInto(wrong as typeof room)).toThrow(coded("argument.type"));
    }
    const plain = mill().table("b", { rows: [{ columns: [{ result: "a", weight: 1 }] }] });
    const columns = plain.rollMany(9);
    expect([...plain.rollInto(columns, { from: 3 })]).toEqual([...plain.rollMany(9, { from: 3 })]);
  });

  test("nothing is no dead row", () => {
    const table = mill().table("loot", { rows: [{ columns: [{ result: null, weight: 1 }] }] }, { onDead: "throw" });
    expect(table.roll()).toBeNull();
    expect(table.rollMany(3).none).toBe(3);
    expect(table.results).toEqual([null]);
  });

  test.each([
    [{ result: "a", weight: 1, quantity: "2d" }, "rows[0].columns[0].quantity amount.invalid"],
    [{ result: "a", weight: 1, quantity: "1d4-3" }, "rows[0].columns[0].quantity amount.invalid"],
    [{ result: null, weight: 1, quantity: 1 }, "rows[0].columns[0].quantity amount.invalid"],
    [{ jump: 0, weight: 1, quantity: 1 }, "rows[0].columns[0].quantity amount.invalid"],
    [{ weight: 1, quantity: 1 }, "rows[0].columns[0] table.result"],
  ])("%j is refused", (column, wanted) => {
    const { issues } = parseTable({ rows: [{ columns: [column] }] });
    expect(issues.map(({ code, where }) => `${where.path} ${code}`)).toEqual([wanted]);
  });
});

test("literal tables give literal types", () => {
  expectTypeOf(mill().table("a", LOOT).roll()).toEqualTypeOf<Stack<"gold"> | Stack<"gem"> | Stack<"sword"> | null>();
  const plain = mill().table("b", {
    rows: {
      Start: [
        { result: "a", weight: 1 },
        { jump: "End", weight: 1 },
      ],
      End: [{ result: "b", weight: 1 }],
    },
  });
  expectTypeOf(plain.roll()).toEqualTypeOf<"a" | "b" | null>();
  expectTypeOf(plain.count(1).counts.keys().next().value).toEqualTypeOf<"a" | "b" | undefined>();
  expectTypeOf(plain.odds().odds[0].result).toEqualTypeOf<"a" | "b">();
  const { spec } = parseTable({ rows: [{ columns: [{ result: "a", weight: 1 }] }] });
  if (spec !== undefined) expectTypeOf(mill().table("c", spec).roll()).toEqualTypeOf<"a" | null>();
  const wide: TableObject = { rows: [{ columns: [] }] };
  expectTypeOf(mill().table("d", wide).roll()).toEqualTypeOf<string | Stack | null>();
  const text = mill().table("e", "result,weight\na,1\n");
  expectTypeOf(text).toEqualTypeOf<Table>();
  expectTypeOf(text.roll()).toEqualTypeOf<string | Stack | null>();
});
