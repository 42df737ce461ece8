import { describe, expect, expectTypeOf, test } from "vitest";
import { toNumber } from "../../src/fractions.js";
import { createMill, type Table } from "../../src/index.js";
import { probabilityOf } from "../../src/instruments/condition.js";
import { pityOdds } from "../../src/instruments/index.js";
import { integers } from "../instruments/random.js";
import { anyTable } from "../instruments/tables.js";
import { codeOf, refusalOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";

const seed = "moria";
const mill = () => createMill({ seed });
const ROWS = {
  Chest: [
    { result: "gold", weight: 9 },
    { jump: "Gems", weight: { script: 7 } },
  ],
  Gems: [
    { result: "opal", weight: 3 },
    { result: "crown", weight: 1 },
    { result: null, weight: 1 },
    { jump: "Gems", weight: 1 },
  ],
} as const;
const open = (own = mill(), weight = 1) => own.table("loot", { rows: ROWS }, { weights: { 7: weight } });

describe("a table as the list", () => {
  test("pity: equals the list of its exact odds, alone and in bulk", () => {
    const rule = { of: ["crown", "opal"], featured: "crown", soft: { from: 3, add: "1/10" }, hard: 9 } as const;
    const list = { gold: 45, opal: 3, crown: 1 };
    const own = mill();
    const banner = own.pity("banner", { list: open(own), ...rule });
    const entries = [
      ...Object.entries(list).map(([result, weight]) => ({ result, weight })),
      { result: null, weight: 1 },
    ];
    const listed = mill().pity("banner", { list: entries, ...rule });
    const pulls = [...banner.pullMany(400)];
    expect(new Set(pulls)).toEqual(new Set(["gold", "opal", "crown", null]));
    expect(pulls).toEqual([...listed.pullMany(400)]);
    const other = mill();
    const single = other.pity("banner", { list: open(other), ...rule });
    expect(pulls.map(() => single.pull())).toEqual(pulls);
    expect(banner.odds()).toEqual(listed.odds());
    expect(banner.rule.base).toEqual(probabilityOf({ any: [...rule.of] }, open(own).odds()));
    expect(toNumber(pityOdds(banner.rule).rate)).toBeGreaterThan(4 / 50);
  });

  test("a fork has its own standing, which a snapshot keeps", () => {
    const own = mill();
    const banner = own.pity("banner", { list: open(own), of: "crown", hard: 90 });
    const ann = banner.fork("ann");
    ann.pullMany(20);
    const later = createMill({ seed, snapshot: own.snapshot() });
    const again = later.pity("banner", { list: open(later), of: "crown", hard: 90 }).fork("ann");
    expect([again.next, again.standing]).toEqual([20, ann.standing]);
    expect([...again.pullMany(50)]).toEqual([...ann.pullMany(50)]);
    // no roll was made
    expect(open(own).next).toBe(0);
  });

  test("the weights of its scripts stay those of the moment when the list was opened", () => {
    const own = mill();
    let weight = 1;
    const table = own.table("live", { rows: ROWS }, { script: () => weight });
    const banner = own.pity("banner", { list: table, of: "crown", hard: 90 });
    const before = banner.rule.base;
    weight = 5;
    expect(banner.rule.base).toEqual(before);
    expect(own.pity("later", { list: table, of: "crown", hard: 90 }).rule.base).not.toEqual(before);
    expect(own.pity("start", { list: table.asList({ start: "Gems" }), of: "crown", hard: 9 }).rule.base).toEqual(
      probabilityOf("crown", table.odds({ start: "Gems" })),
    );
  });

  test("no repeats, and quantities", () => {
    const own = mill();
    const rows = {
      Orc: [
        { result: "gold", weight: 3, quantity: "2d3-1" },
        { result: "arrow", weight: 1 },
      ],
    } as const;
    const picks = own.noRepeats("music", { list: own.table("orc", { rows }), within: 1 }).pickMany(200);
    const labels = [...picks].map((stack) => stack?.result);
    expect(labels.every((label, k) => label !== labels[k - 1])).toBe(true);
    const gold = [...picks].flatMap((stack) => (stack?.result === "gold" ? [stack.quantity] : []));
    expect([Math.min(...gold), Math.max(...gold)]).toEqual([1, 5]);
  });

  test("the pulls have the types of the rolls", () => {
    const own = mill();
    expectTypeOf(own.pity("a", { list: open(own), of: "crown", hard: 9 }).pull()).toEqualTypeOf<
      "gold" | "opal" | "crown" | null
    >();
    const any: Table = open(own);
    expectTypeOf(any.asList()[0].result).toEqualTypeOf<string | null>();
  });
});

test("500 random tables: the entries have the exact odds of a roll", () => {
  const random = integers(51);
  const own = mill();
  let compared = 0;
  for (let i = 0; compared < (IS_SOAK ? 500 : 120); i++) {
    const table = own.table(`t${i}`, anyTable(random)) as Table;
    let odds: ReturnType<typeof table.odds>;
    try {
      odds = table.odds();
    } catch {
      expect(codeOf(() => table.asList())).toBe("table.endless");
      continue;
    }
    const list = own.weighted(`l${i}`, [...table.asList()]);
    expect(list.odds().none).toEqual(odds.none);
    for (const { result, probability } of odds.odds) {
      expect(list.odds().odds.find((one) => one.result === result)?.probability).toEqual(probability);
    }
    compared++;
  }
});

describe("what is refused", () => {
  const refused = (list: unknown) => {
    const { issues } = refusalOf(() => mill().pity("banner", { list: list as never, of: "a", hard: 9 }));
    return `${issues[0].where.path} ${issues[0].code}`;
  };

  test("tables whose rolls depend on earlier rolls, may never end, or have too long odds", () => {
    const own = mill();
    const column = { result: "a", weight: 1 };
    const shots = own.table(
      "shots",
      { rows: { A: [column, { result: "b", weight: { script: 1700 } }] } },
      { script: { set: "nwangband", level: 1, type: 0 } },
    );
    expect(refused(shots)).toBe("list table.live-from");
    expect(own.pity("frozen", { list: shots.asList({ mode: "frozen" }), of: "a", hard: 9 }).labels).toEqual(["a", "b"]);
    const loop = [
      { jump: "B", weight: 1 },
      { result: "b", weight: { script: 7 } },
    ];
    const rows = { A: [column, { jump: "B", weight: 1 }], B: loop };
    expect(refused(own.table("endless", { rows } as never, { weights: { 7: 0 } }))).toBe("list table.endless");
    const long = [99991, 99989, 99971].map((weight, i) => [
      { result: "a", weight },
      i < 2 ? { jump: `R${i + 1}`, weight: 1 } : { result: "b", weight: 1 },
    ]);
    const chain = Object.fromEntries(long.map((columns, i) => [`R${i}`, columns]));
    expect(refused(own.table("long", { rows: chain } as never))).toBe("list weights.decimals");
  });

  test("objects that look like tables", () => {
    expect(
      refused({
        asList: () => {
          throw new Error("no");
        },
      }),
    ).toBe("list argument.type");
    expect(refused({ asList: () => 7 })).toBe("list argument.type");
    expect(refused({ asList: () => [{ result: "a", weight: -1 }] })).toBe("list[0].weight weights.invalid");
    expect(
      refused(
        new Proxy(
          {},
          {
            has: () => {
              throw new Error("no");
            },
          },
        ),
      ),
    ).toBe("list argument.type");
    expect(refused({ asList: 1 })).toBe("of weights.invalid");
  });
});
