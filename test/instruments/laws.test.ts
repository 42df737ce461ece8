import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import {
  type Condition,
  chance,
  collect,
  compare,
  expectedTries,
  luck,
  type Searched,
  type Source,
  type SourceOptions,
  search,
  selfCheck,
  wait,
} from "../../src/instruments/index.js";
import { plainName } from "../../src/objects/parse/names.js";
import { near } from "./near.js";

/** A noun, what an attempt is to result in, and the condition as a text. */
interface Case {
  readonly source: Source;
  readonly condition: Condition;
  readonly name: string;
  readonly options?: SourceOptions;
  /** The result of index k, if results have indices. */
  readonly at?: (k: number) => boolean;
}

const mill = createMill({ seed: "laws" });
const entries = { crown: 1, gold: 9 };
const list = mill.weighted("list", entries);
const dice = mill.dice("dice", "2d6");
const table = mill.table("table", {
  rows: {
    Chest: [
      { result: "crown", weight: 1 },
      { result: "gold", weight: 9 },
    ],
  },
});
const recipe = mill.recipe("weapon", "weapon");
const maker = mill.objects("objects", {
  object: read("object"),
  objectBase: read("object_base"),
  egoItem: read("ego_item"),
  egoThemes: read("ego_themes"),
  artifact: read("artifact"),
});

function read(name: string): string {
  return readFileSync(`data/dungeon/${name}.txt`, "utf8");
}

const NOUNS: Readonly<Record<string, Case>> = {
  list: { source: list, condition: "crown", name: "crown", at: (k) => list.pick({ at: k }) === "crown" },
  dice: { source: dice, condition: 7, name: "7", at: (k) => dice.roll({ at: k }) === 7 },
  sampler: { source: mill.sample("hand", ["crown", "gold"], { size: 1 }), condition: "crown", name: "crown" },
  table: { source: table, condition: "crown", name: "crown", at: (k) => table.roll({ at: k }) === "crown" },
  drops: {
    source: mill.drops("drops", { rolls: "1d3", table: { rows: { Orc: [{ result: "crown", weight: 1 }] } } }),
    condition: "crown",
    name: "crown",
  },
  "finite pool": {
    source: mill.pools("finite", { roots: { i: { kind: "finite", records: ["crown", "gold"] } } }).pool("i"),
    condition: "crown",
    name: "crown",
  },
  "infinite pool": {
    source: mill.pools("infinite", { roots: { i: { kind: "infinite", records: ["crown", "gold"] } } }).pool("i"),
    condition: "crown",
    name: "crown",
  },
  recipe: {
    source: recipe,
    condition: { prefix: "burnished" },
    name: "prefix=burnished",
    at: (k) => recipe.make({ at: k }).words.prefix === "burnished",
  },
  objects: {
    source: maker,
    condition: { kind: "Cudgel" },
    name: "kind=Cudgel",
    options: { level: 5 },
    at: (k) => plainName(maker.make({ at: k, level: 5 }).kind.fullName) === "Cudgel",
  },
};

describe.each(Object.entries(NOUNS))("%s", (_, { source, condition, name, options = {}, at }) => {
  const once = near(chance(source, condition, { in: 1, with: options }));

  test("chance: the parts of a number of attempts add up to 1", () => {
    const part = (how: object) => near(chance(source, condition, { in: 3, with: options, ...how }));
    const exactly = [0, 1, 2, 3].map((times) => part({ exactly: times }));
    expect(part({ atMost: 3 })).toBeCloseTo(
      exactly.reduce((sum, p) => sum + p),
      12,
    );
    expect(part({ atLeast: 1 }) + exactly[0]).toBeCloseTo(1, 12);
  });

  test("wait: done within n attempts with the chance of at least one in n", () => {
    const law = wait(source, condition, { with: options });
    for (const n of [1, 2, 5]) {
      expect(near(law.upTo(n))).toBeCloseTo(near(chance(source, condition, { in: n, with: options })), 12);
    }
    expect(near(law.at(1))).toBeCloseTo(once, 12);
    const half = law.quantile("1/2");
    expect(near(law.upTo(half))).toBeGreaterThanOrEqual(0.5);
    expect(half === 1 || near(law.upTo(half - 1)) < 0.5).toBe(true);
  });

  test("luck: the three shares add up to 1, and `more` than none is the chance", () => {
    const { fewer, equal, more } = luck(source, { [name]: 0 }, { in: 2, with: options })[name];
    expect(near(fewer) + near(equal) + near(more)).toBeCloseTo(1, 12);
    expect(near(more)).toBeCloseTo(near(chance(source, condition, { in: 2, with: options })), 12);
  });

  test("collect: a set of one result is a wait", () => {
    if (typeof condition === "object") return;
    const set = collect(source, [condition]);
    expect(near(set.upTo(2))).toBeCloseTo(near(wait(source, condition).upTo(2)), 12);
  });

  test("compare: a noun has no changes from itself", () => {
    const { changes, same } = compare(source, source, { with: options });
    expect(changes).toEqual([]);
    expect(same).toBeGreaterThan(0);
  });

  test("search: finds what single calls find, in any split", () => {
    if (at === undefined) return;
    // the cast is safe: results of this noun have indices
    const noun = source as Searched;
    const expected = Array.from({ length: 400 }, (_, k) => k).filter(at);
    const found = (from: number, to: number) => search(noun, condition, { from, to, with: options }).found;
    expect(found(0, 400)).toEqual(expected);
    expect([...found(0, 137), ...found(137, 400)]).toEqual(expected);
    const { next } = search(noun, condition, { to: 400, limit: 1, with: options });
    expect(found(next, 400)).toEqual(expected.slice(1));
    expect(near(expectedTries(source, condition, options) ?? { numerator: 0n, denominator: 1n })).toBeCloseTo(1 / once);
  });
});

test("selfCheck: the counts of every noun with `count` agree with its odds", () => {
  for (const noun of [list, dice, table, recipe]) {
    for (const { part, p } of selfCheck(noun, { n: 20_000 })) expect(p, part).toBeGreaterThan(1e-6);
  }
});
