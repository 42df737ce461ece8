import type { MakeObjectsOptions } from "../../src/objects/index.js";
import { objects } from "../../src/objects/system.js";
import type { ObjectFiles, ObjectTexts } from "../../src/objects/types.js";
import { pools } from "../../src/pools/system.js";
import type { PoolKind, PoolsInput, PoolsSpec } from "../../src/pools/types.js";
import { parseTables } from "../../src/recipes/parse/tables.js";
import { parseRecipe } from "../../src/recipes/parse.js";
import { shippedRecipe } from "../../src/recipes/shipped.js";
import type { RecipeSpec } from "../../src/recipes/types.js";
import { specOf } from "../../src/spec/index.js";
import { tables } from "../../src/tables/system.js";
import type { Ids, TableSetup, TableSource } from "../../src/tables/types.js";
import { weighted } from "../../src/weighted/system.js";
import type { WeightedSpec, WeightsInput } from "../../src/weighted/types.js";
import { DUNGEON } from "../objects/dungeon.js";
import { SEED_TABLE } from "../tables/seedTable.js";
import { type Subject, testLaws, testWords } from "./battery.js";

testLaws<WeightsInput | WeightedSpec>({
  name: "weighted lists",
  source: [100, 25, 0, 5, 1.5],
  system: weighted,
  typedArray: true,
  open: (mill, name, source) => {
    const list = mill.weighted(name, source);
    return {
      noun: list,
      one: (options) => list.pick(options),
      many: (n, options) => list.pickMany(n, options),
      into: (n, options) => list.pickInto(new Uint32Array(n), options),
      count: (n, options) => list.count(n, options),
      odds: () => list.odds(),
    };
  },
});

/** Row 0 jumps to rows of results and to a dead row; nothing jumps back. */
const PLAIN: TableSource = {
  rows: [
    {
      columns: [
        { result: "coin", weight: 60 },
        { jump: 1, weight: 25 },
        { jump: 2, weight: 15 },
      ],
    },
    {
      columns: [
        { result: "gem", weight: 1 },
        { result: "coin", weight: 2 },
      ],
    },
    { columns: [] },
  ],
};

/** Rows 0 and 1 jump to each other, and row 1 to itself. */
const CYCLIC: TableSource = {
  rows: [
    {
      columns: [
        { result: "coin", weight: 3 },
        { jump: 1, weight: 4 },
      ],
    },
    {
      columns: [
        { jump: 0, weight: 2 },
        { jump: 1, weight: 1 },
        { result: "gem", weight: 2 },
      ],
    },
  ],
};

function tablesOf(name: string, source: TableSource, setup: TableSetup): Subject<TableSource> {
  return {
    name,
    source,
    system: tables,
    open: (mill, as, from) => {
      const table = mill.table(as, from, setup);
      const resultOf = (id: number) => table.results[id] ?? null;
      return {
        noun: table,
        one: (options) => table.roll(options),
        many: (n, options) => table.rollMany(n, options),
        into: (n, options) =>
          Array.from<number, string | null>(table.rollInto<Ids>(new Uint16Array(n), options), resultOf),
        count: (n, options) => table.count(n, options),
        odds: () => table.odds(),
      };
    },
  };
}

testLaws(tablesOf("tables", PLAIN, {}));
testLaws(tablesOf("tables with script weights", SEED_TABLE, { script: (id) => 40 * id }));
testLaws(tablesOf("tables with fixed script weights", SEED_TABLE, { weights: { 1: 7, 2: 100 } }));
testLaws(tablesOf("tables with cycles", CYCLIC, {}));

/** A pool whose rarest record is also in a subpool; a finite one is refreshed every 60 draws. */
function poolsOf(kind: PoolKind): Subject<PoolsInput | PoolsSpec> {
  const axe = { id: "axe", mass: 5, quantity: 30 };
  const crown = { id: "crown", mass: 0.5, quantity: 10 };
  return {
    name: `${kind} pools`,
    source: {
      roots: {
        loot: {
          kind,
          records:
            kind === "finite"
              ? [axe, crown, { id: 7, mass: 2, quantity: 20 }]
              : [
                  ["axe", 5],
                  ["crown", 0.5],
                  [7, 2],
                ],
          subpools: { rare: { records: [["crown", 1]] } },
        },
      },
    },
    system: pools,
    ...(kind === "finite" && { stateful: true }),
    open: (mill, name, source) => {
      const family = mill.pools(name, source);
      const pool = family.pool("loot");
      return {
        noun: family,
        one: (options) => pool.draw(options),
        many: (n, options) => pool.drawMany(n, options),
        into: (n, options) => {
          const numbers = pool.drawInto(new Uint32Array(n), options);
          const ids = pool.recordIds();
          return Array.from(numbers, (number) => ids[number]);
        },
        count: (n, options) => pool.count(n, options),
        odds: () => pool.odds(),
      };
    },
  };
}

testLaws(poolsOf("infinite"));
testLaws(poolsOf("finite"));

const WEAPON = shippedRecipe("weapon");
const WORDS = specOf(parseTables(WEAPON.tables));
const POWER = { power: 1.7 };

/** Items, whose counts and odds are about one part of them. */
function recipesOf(of: string): Subject<RecipeSpec> {
  return {
    name: `recipes by ${of}`,
    source: WEAPON.recipe as RecipeSpec,
    // (the parser of the system also takes the words, which are parsed here)
    system: { parse: parseRecipe },
    ...(of === "strength" && { listed: "occurring" }),
    open: (mill, name, source) => {
      const recipe = mill.recipe(name, source, { tables: WORDS });
      return {
        noun: recipe,
        one: (options) => recipe.make({ ...POWER, ...options }),
        many: (n, options) => recipe.makeMany(n, { ...POWER, ...options }),
        into: (n, options) => recipe.makeInto(recipe.makeMany(n, { from: 5 }), { ...POWER, ...options }),
        count: (n, options) => recipe.count(n, { ...POWER, ...options, of }),
        odds: () => recipe.odds({ ...POWER, of }),
        outcomes: (n, options) => {
          const items = recipe.makeMany(n, { ...POWER, ...options });
          return Array.from(items, (_, k) => (of === "strength" ? items.stat("str", k) : items.word(of, k)));
        },
      };
    },
  };
}

testLaws(recipesOf("element"));
testLaws(recipesOf("type"));
testLaws(recipesOf("strength"));

/** Objects, whose counts and odds are about their kinds. */
function objectsOf(name: string, asked: MakeObjectsOptions): Subject<ObjectTexts | ObjectFiles> {
  return {
    name,
    source: DUNGEON,
    system: objects,
    long: 2 ** 17,
    // an artifact can have a kind that is never drawn
    ...(asked.artifacts !== false && { stateful: true, listed: "odds and others" }),
    open: (mill, as, source) => {
      const maker = mill.objects(as, source);
      return {
        noun: maker,
        one: (options) => maker.make({ ...asked, ...options }),
        many: (n, options) => maker.makeMany(n, { ...asked, ...options }),
        into: (n, options) => {
          const room = maker.makeMany(n, { ...asked, artifacts: false, from: 5 });
          return maker.makeInto(room, { ...asked, ...options });
        },
        count: (n, options) => maker.count(n, { ...asked, ...options, of: "kind" }),
        odds: () => maker.odds({ of: "kind", level: asked.level, good: asked.good, great: asked.great }),
        outcomes: (n, options) => Array.from(maker.makeMany(n, { ...asked, ...options }), ({ kind }) => kind),
      };
    },
  };
}

// The odds of a kind are those of its draw. An artifact is no such draw: some replace an object after its kind was drawn, so
// neither all objects nor those that are no artifacts follow the odds exactly. The law therefore holds without artifacts.
testLaws(objectsOf("objects without artifacts", { level: 30, good: true, artifacts: false }));
// Each artifact is made once, so objects depend on those before them.
testLaws(objectsOf("objects and artifacts", { level: 40, great: true }));

testWords("streams", (mill) => {
  const stream = mill.stream("it");
  return {
    one: ({ at = 0, ...options } = {}) => stream.word(at, options),
    many: (n, options) => stream.words(n, options),
    into: (n, options) => stream.wordsInto(new Uint32Array(n), options),
  };
});
