import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { add, type Fraction, fraction, multiply, ONE, ZERO } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { type Script, type TableObject, type TableOdds, tablesWithoutOdds } from "../../src/tables/index.js";
import { tableOdds } from "../../src/tables/odds.js";
import { freeze } from "../../src/tables/rolling.js";
import { randomDefault } from "../../src/tables/scripts.js";
import { refusalOf } from "../refusal.js";
import { planOf, twoDaOf } from "./build.js";
import { SEED_TABLE } from "./seedTable.js";

const oddsOf = (source: string | TableObject, script: Script = () => 0, start = 0) => {
  const plan = planOf(source);
  return tableOdds(plan, start, freeze(plan, start, { script, context: undefined }));
};
const show = ({ numerator, denominator }: Fraction) => `${numerator}/${denominator}`;
const shown = ({ odds, none, endless, rowsVisited }: TableOdds) => ({
  odds: odds.map(({ result, probability }) => `${result} ${show(probability)}`),
  none: show(none),
  endless: show(endless),
  rowsVisited: rowsVisited && show(rowsVisited),
});
const chances = ({ odds }: TableOdds) => odds.map(({ probability }) => probability);
const total = (law: TableOdds) => chances(law).reduce(add, add(law.none, law.endless));

test("a table without odds rolls as other tables, and refuses its odds", () => {
  const rows = [
    {
      columns: [
        { result: "heads", weight: 1 },
        { result: "tails", weight: 1 },
      ],
    },
  ];
  const coin = createMill({ seed: 1 }).open(tablesWithoutOdds, "coin", { rows });
  expect([...coin.rollMany(50)]).toEqual([...createMill({ seed: 1 }).table("coin", { rows }).rollMany(50)]);
  for (const call of [() => coin.odds(), () => coin.quantityOdds("heads")]) {
    expect(refusalOf(call).code).toBe("argument.option");
  }
});

describe("the seed's table", () => {
  test("on a Monday morning has the odds of its specification", () => {
    expect(shown(oddsOf(SEED_TABLE, randomDefault({ now: "2026-01-05T08:30" })))).toEqual({
      odds: ["0 11/178", "1 55/356", "2 55/89", "4 55/801", "5 55/801", "6 55/3204", "10 1/89"],
      none: "0/1",
      endless: "0/1",
      rowsVisited: "2079/1780",
    });
  });

  test("on a Tuesday afternoon shows what cannot come up with odds of 0", () => {
    expect(shown(oddsOf(SEED_TABLE, randomDefault({ now: "2026-01-06T15:00" })))).toEqual({
      odds: ["0 1/16", "1 5/32", "2 5/8", "4 0/1", "5 0/1", "6 5/32", "10 0/1"],
      none: "0/1",
      endless: "0/1",
      rowsVisited: "189/160",
    });
  });

  test("from another row", () => {
    expect(shown(oddsOf(SEED_TABLE, () => 100, 1))).toMatchObject({
      odds: ["0 0/1", "1 0/1", "2 0/1", "4 4/9", "5 4/9", "6 1/9", "10 0/1"],
      rowsVisited: "1/1",
    });
  });
});

describe("what the odds list", () => {
  test("equal results are merged, in order of first appearance", () => {
    const merged = oddsOf(twoDaOf(["1 1 r9 1 r1 1", "r__proto__ 1 r9 1 r1 2"]));
    expect(merged.odds.map(({ result }) => result)).toEqual(["9", "1", "__proto__"]);
    const many = Array.from({ length: 12 }, (_, i) => String(11 - i));
    const listed = oddsOf({ rows: [{ columns: many.map((text) => ({ result: text, weight: 1 })) }] }).odds;
    expect(listed.map(({ result }) => result)).toEqual(many);
    expect(chances(merged).map(show)).toEqual(["5/12", "1/2", "1/12"]);
  });

  test("a fixed weight of 0 is listed with odds of 0, and so is what no roll can reach (first hour 9)", () => {
    const source = twoDaOf(["r0 1 ra 0 1 0 2 s1", "rb 1", "rc 1", "rd 1"]);
    expect(shown(oddsOf(source)).odds).toEqual(["0 1/1", "a 0/1", "b 0/1", "c 0/1", "d 0/1"]);
  });

  test("a dead row takes its share", () => {
    expect(shown(oddsOf(twoDaOf(["r0 1 1 2 2 3", "", "r1 s1 r2 0"])))).toEqual({
      odds: ["0 1/6", "1 0/1", "2 0/1"],
      none: "5/6",
      endless: "0/1",
      rowsVisited: "11/6",
    });
    expect(shown(oddsOf(twoDaOf([""])))).toEqual({ odds: [], none: "1/1", endless: "0/1", rowsVisited: "1/1" });
  });

  test("a loop that the weights close for good is endless, and then no number of rows is expected", () => {
    expect(shown(oddsOf(twoDaOf(["r0 1 1 2", "2 5", "1 3 rx s1"])))).toEqual({
      odds: ["0 1/3", "x 0/1"],
      none: "0/1",
      endless: "2/3",
      rowsVisited: null,
    });
    expect(shown(oddsOf(twoDaOf(["0 1 rx s1"])))).toMatchObject({ endless: "1/1", rowsVisited: null });
  });

  test("an entry by two ways into one closed loop, and two closed loops, add up", () => {
    const law = oddsOf(twoDaOf(["1 1 2 1 3 1 r0 1", "2 1", "1 1 rx s1", "3 1 rx s1"]));
    expect([show(law.endless), ...chances(law).map(show)]).toEqual(["3/4", "1/4", "0/1"]);
  });

  test("a loop that is left for another is not endless", () => {
    expect(shown(oddsOf(twoDaOf(["1 1 0 1", "0 1 2 1", "2 3 r0 1"])))).toMatchObject({
      odds: ["0 1/1"],
      endless: "0/1",
      rowsVisited: "10/1",
    });
  });

  test("the nearest row whose script failed is refused, as a visit would", () => {
    const plan = planOf(twoDaOf(["1 1 2 1", "r0 s1", "3 1", "r0 s2"]));
    const frozen = freeze(plan, 0, { script: (id) => -id, context: undefined });
    const refusal = refusalOf(() => tableOdds(plan, 0, frozen));
    expect([refusal.code, refusal]).toEqual(["table.script", frozen.failed.get(1)]);
  });

  test("weights of 2^32 - 1 and a chain of a hundred thousand rows are exact", () => {
    const max = 4294967295;
    expect(shown(oddsOf(twoDaOf([`r0 1 0 ${max - 1}`])))).toMatchObject({ odds: ["0 1/1"], rowsVisited: `${max}/1` });
    const rows = Array.from({ length: 100_000 }, (_, r) => ({ columns: [{ jump: r + 1, weight: 2 }] }));
    const chain = { rows: [...rows, { columns: [{ result: "end", weight: 1 }] }] };
    expect(shown(oddsOf(chain))).toMatchObject({ odds: ["end 1/1"], rowsVisited: "100001/1" });
  });
});

const SIZE = 6;
const weight = fc.oneof(fc.nat(9), fc.constantFrom(0, 4294967, 1000));
const result = fc.constantFrom("a", "b", "c", "").map((text) => ({ result: text }));
const tableOf = (jump: (row: number) => fc.Arbitrary<number>) =>
  fc
    .tuple(
      ...Array.from({ length: SIZE }, (_, row) => {
        const target = fc.oneof(
          result,
          jump(row).map((to) => ({ jump: to })),
        );
        return fc.array(fc.tuple(target, weight), { maxLength: 4 }).map((columns) => ({
          columns: columns.map(([to, w]) => ({ ...to, weight: w })),
        }));
      }),
    )
    .map((rows): TableObject => ({ rows }));

describe("property", () => {
  test("a table without cycles has the odds of all its paths, followed one by one", () => {
    const acyclic = tableOf((row) => fc.integer({ min: Math.min(row + 1, SIZE - 1), max: SIZE - 1 })).filter(
      ({ rows }) => !rows[SIZE - 1].columns.some((column) => "jump" in column),
    );
    fc.assert(
      fc.property(acyclic, (table) => {
        const followed = new Map<string, Fraction>();
        let rows = ZERO;
        const follow = (row: number, chance: Fraction): void => {
          rows = add(rows, chance);
          const { columns } = table.rows[row];
          const sum = columns.reduce((before, column) => before + BigInt(column.weight as number), 0n);
          if (sum === 0n) followed.set("dead", add(followed.get("dead") ?? ZERO, chance));
          for (const column of columns) {
            if (column.weight === 0) continue;
            const part = multiply(chance, fraction(BigInt(column.weight as number), sum));
            if ("jump" in column) follow(Number(column.jump), part);
            else followed.set(`r${column.result}`, add(followed.get(`r${column.result}`) ?? ZERO, part));
          }
        };
        follow(0, ONE);
        const { odds, none, endless, rowsVisited } = oddsOf(table);
        for (const { result, probability } of odds) expect(probability).toEqual(followed.get(`r${result}`) ?? ZERO);
        expect(none).toEqual(followed.get("dead") ?? ZERO);
        expect(endless).toEqual(ZERO);
        expect(rowsVisited).toEqual(rows);
      }),
      { seed: 20267, numRuns: 300 },
    );
  });

  test("a table with cycles has the odds that agree with one step more, from every row", () => {
    fc.assert(
      fc.property(
        tableOf(() => fc.nat(SIZE - 1)),
        (table) => {
          const from = table.rows.map((_, row) => oddsOf(table, () => 0, row));
          for (const row of table.rows.keys()) {
            expect(total(from[row])).toEqual(ONE);
            expect(from[row].endless.numerator > 0n).toBe(canBeCaught(table, row));
            expect(from[row].rowsVisited === null).toBe(canBeCaught(table, row));
            expectOneStep(table, from, row);
          }
        },
      ),
      { seed: 20268, numRuns: 300 },
    );
  });
});

/** x(row) = Σ chance(column) · x(where it leads), for each kind of end; with the right ends this has one solution. */
function expectOneStep(table: TableObject, from: readonly TableOdds[], row: number): void {
  const { columns } = table.rows[row];
  const sum = columns.reduce((before, column) => before + BigInt(column.weight as number), 0n);
  if (sum === 0n) {
    expect(from[row].none).toEqual(ONE);
    return;
  }
  const onward = (at: (odds: TableOdds) => Fraction, end: (text: string) => Fraction) =>
    columns.reduce((before, column) => {
      const reached = "jump" in column ? at(from[Number(column.jump)]) : end(String(column.result));
      return add(before, multiply(fraction(BigInt(column.weight as number), sum), reached));
    }, ZERO);
  const never = () => ZERO;
  for (const text of ["a", "b", "c", ""]) {
    const at = ({ odds }: TableOdds) => odds.find((entry) => entry.result === text)?.probability ?? ZERO;
    expect(onward(at, (won) => (won === text ? ONE : ZERO))).toEqual(at(from[row]));
  }
  expect(onward((odds) => odds.none, never)).toEqual(from[row].none);
  const { rowsVisited } = from[row];
  if (rowsVisited === null) return;
  expect(
    add(
      ONE,
      onward((odds) => odds.rowsVisited ?? ZERO, never),
    ),
  ).toEqual(rowsVisited);
}

/** Whether a roll from a row can come to one from which no end is in reach. */
function canBeCaught(table: TableObject, start: number): boolean {
  const reach = (row: number) => {
    const found = new Set([row]);
    for (const next of found) {
      for (const column of table.rows[next].columns) {
        if ("jump" in column && column.weight !== 0) found.add(Number(column.jump));
      }
    }
    return [...found];
  };
  const ends = (row: number) => {
    const open = table.rows[row].columns.filter((column) => column.weight !== 0);
    return open.length === 0 || open.some((column) => "result" in column);
  };
  return reach(start).some((row) => !reach(row).some(ends));
}
