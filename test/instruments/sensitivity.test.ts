import { expect, test } from "vitest";
import { add, divide, type Fraction, fraction, multiply, subtract, ZERO } from "../../src/fractions.js";
import { createMill, parseLabels, toNumber } from "../../src/index.js";
import { probabilityOf } from "../../src/instruments/condition.js";
import { type Influence, sensitivity } from "../../src/instruments/sensitivity.js";
import { refusalOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { integers } from "./random.js";
import { anyTable, open } from "./tables.js";

const text = (value: unknown) => JSON.stringify(value);
const TWO = fraction(2n, 1n);

/** A probability is (a + b·w) / (c + d·w) for one weight w, so its values at w, w + 1 and w + 2 give its derivative. */
function derivativeOf([p0, p1, p2]: readonly Fraction[]): Fraction {
  const bend = subtract(p2, p1);
  if (bend.numerator === 0n) return ZERO;
  const d = divide(subtract(subtract(multiply(TWO, p1), p0), p2), multiply(TWO, bend));
  return subtract(subtract(multiply(p1, add(fraction(1n, 1n), d)), p0), multiply(p0, d));
}

test("500 random tables: the derivative is that of exact finite differences", () => {
  const random = integers(31);
  let compared = 0;
  let jumps = 0;
  for (let made = 0; made < 500; ) {
    const table = anyTable(random);
    const start = random(table.rows.length as number);
    let found: readonly Influence[];
    const wanted = ([..."abc", null] as const)[random(4)];
    try {
      found = sensitivity(open(table), wanted, { with: { start } }).weights;
    } catch {
      continue;
    }
    made++;
    for (const { row = 0, column, derivative, weight, withOneMore } of found) {
      const values = [0, 1, 2].map((more) => {
        const copy = structuredClone(table) as unknown as { rows: { columns: { weight: number }[] }[] };
        copy.rows[row].columns[column].weight = weight + more;
        return probabilityOf(wanted, { ...open(copy as never).odds({ start }) });
      });
      expect(text(withOneMore)).toBe(text(values[1]));
      if (derivative === null) jumps++;
      else expect(text(derivative)).toBe(text(derivativeOf(values)));
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(1000);
  expect(jumps).toBe(0);
});

test("scripts have their present weights; a row without a positive weight has no derivative", () => {
  const rows = [
    {
      columns: [
        { jump: 1, weight: 1 },
        { result: "a", weight: { script: 7 } },
      ],
    },
    {
      columns: [
        { result: "a", weight: { script: 8 } },
        { result: "b", weight: { script: 9 } },
      ],
    },
  ];
  const table = open({ rows }, { weights: { 7: 3, 8: 0, 9: 0 } });
  const { probability, weights } = sensitivity(table, "a");
  expect(probability).toEqual(fraction(3n, 4n));
  expect(weights.map(({ row, column, script, derivative }) => [row, column, script, text(derivative)])).toEqual([
    [1, 0, 8, "null"],
    [0, 0, undefined, text("-3/16")],
    [0, 1, 7, text("1/16")],
    [1, 1, 9, text(ZERO)],
  ]);
  expect(weights[0].withOneMore).toEqual(fraction(1n, 1n));
  expect(sensitivity(table, "a", { with: { weights: { 7: 3, 8: 1, 9: 1 } } }).weights[0].derivative).not.toBeNull();
});

test("lists", () => {
  const { spec } = parseLabels({ crown: 1, gold: 9 });
  const list = createMill({ seed: 1 }).weighted("list", { crown: 1, gold: 9 });
  const found = sensitivity(list, "crown");
  expect(text(found)).toBe(text(sensitivity(spec as never, "crown")));
  expect(found.weights).toMatchObject([
    { column: 0, weight: 1, derivative: fraction(9n, 100n), withOneMore: fraction(2n, 11n) },
    { column: 1, weight: 9, derivative: fraction(-1n, 100n), withOneMore: fraction(1n, 11n) },
  ]);
});

test("pools: 500 random stocks, by exact finite differences", () => {
  const random = integers(32);
  for (let i = 0; i < (IS_SOAK ? 500 : 120); i++) {
    const kind = random(3) === 0 ? "infinite" : "finite";
    const records = Array.from({ length: 2 + random(3) }, (_, k) => {
      return { id: `r${k}`, mass: 1 + random(5), ...(kind === "finite" && { quantity: 1 + random(3) }) };
    });
    const copies = records.reduce((sum, { quantity = 1 }) => sum + quantity, 0);
    const draws = kind === "finite" ? random(copies + 1) : 0;
    const poolWith = (own: typeof records) => {
      const pool = createMill({ seed: i })
        .pools("bag", { roots: { i: { kind, records: own } } })
        .pool("i");
      return pool;
    };
    const drawn = poolWith(records);
    for (let k = 0; k < draws; k++) drawn.draw();
    const stock = drawn.records.map(
      ({ quantity = 1 }, k) => quantity || (draws === copies ? (records[k].quantity ?? 1) : 0),
    );
    const wanted = random(3) === 0 ? { any: ["r0", "r1"] } : "r0";
    const chanceOf = (own: typeof records) => {
      const whole = own.reduce((sum, { mass }, k) => sum + mass * stock[k], 0);
      const hits = own.slice(0, wanted === "r0" ? 1 : 2).reduce((sum, { mass }, k) => sum + mass * stock[k], 0);
      return fraction(BigInt(hits), BigInt(whole));
    };
    const { probability, weights } = sensitivity(drawn, wanted);
    expect(text(probability)).toBe(text(probabilityOf(wanted, drawn.odds())));
    for (const { column, derivative, withOneMore } of weights) {
      const scale = (weights.find((one) => one.column === column)?.weight as number) / records[column].mass;
      const values = [0, 1, 2].map((more) =>
        chanceOf(records.map(({ mass, ...rest }, k) => ({ ...rest, mass: mass * scale + (k === column ? more : 0) }))),
      );
      expect(text(withOneMore)).toBe(text(values[1]));
      expect(text(derivative)).toBe(text(derivativeOf(values)));
    }
  }
});

test("drops: 500 random ones, by finite differences and by their odds with one unit more", () => {
  const random = integers(33);
  const mill = createMill({ seed: 1 });
  let made = 0;
  for (let i = 0; made < (IS_SOAK ? 500 : 120); i++) {
    const table = anyTable(random) as unknown as { rows: { columns: { weight: number | string }[] }[] };
    const rolls = ["1", "1d3", "2d2", "1d2+1", "0-2"][random(5)];
    const always = random(5) === 0 ? [{ result: "a" }] : [];
    const named = text(table).includes('"a"') || always.length > 0;
    const wanted = named && random(4) > 0 ? "a" : null;
    let name = 0;
    const chanceWith = (own: object) => {
      const { odds, none } = mill.drops(`d${i} ${name++}`, { rolls, table: own, always } as never).odds();
      return wanted === null ? none : (odds.find(({ result }) => result === wanted)?.atLeastOne ?? ZERO);
    };
    let found: ReturnType<typeof sensitivity>;
    try {
      found = sensitivity(mill.drops(`d${i}`, { rolls, table, always } as never), wanted);
    } catch {
      continue;
    }
    made++;
    expect(text(found.probability)).toBe(text(chanceWith(table)));
    const changed = (row: number, column: number, weight: number | string) => {
      const copy = structuredClone(table);
      copy.rows[row].columns[column].weight = weight;
      return chanceWith(copy);
    };
    const { row = 0, column, weight, derivative, withOneMore } = found.weights[0] ?? {};
    if (derivative === undefined || derivative === null) continue;
    expect(text(withOneMore)).toBe(text(changed(row, column, weight + 1)));
    if (weight === 0) continue;
    const [up, down] = [1, -1].map((by) => changed(row, column, `${weight * 10_000 + by}/10000`));
    expect(5000 * toNumber(subtract(up, down))).toBeCloseTo(toNumber(derivative), 6);
  }
});

test("what is refused", () => {
  const mill = createMill({ seed: 1 });
  const refused = (job: () => unknown) => refusalOf(job).issues[0];
  const drops = mill.drops("drops", { rolls: 1, table: { rows: [{ columns: [{ result: "a", weight: 1 }] }] } });
  expect(refused(() => sensitivity(drops, { any: ["a", null] }))).toMatchObject({ code: "argument.type" });
  expect(refused(() => sensitivity(drops, "a", { with: { start: 0 } })).code).toBe("argument.option");
  expect(refused(() => sensitivity(mill.dice("d", "1d6") as never, "a"))).toMatchObject({ code: "argument.type" });
  const table = open({ rows: [{ columns: [{ result: "crown", weight: 1 }] }] });
  expect(refused(() => sensitivity(table, "crwn")).message).toContain("crown");
  expect(refused(() => sensitivity(table, "crown", { wit: 1 } as never)).code).toBe("argument.option");
  const failing = open({ rows: [{ columns: [{ result: "a", weight: { script: 1 } }] }] }, { script: () => -1 });
  expect(refused(() => sensitivity(failing, "a")).code).toBe("table.script");
});
