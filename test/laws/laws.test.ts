import { expect, test } from "vitest";
import type { ForkId } from "../../src/address.js";
import type { DiceInput, DiceSpec } from "../../src/dice/index.js";
import { dice } from "../../src/dice/system.js";
import { createMill, type Mill } from "../../src/mill.js";
import type { MakeObjectsOptions } from "../../src/objects/index.js";
import { objects } from "../../src/objects/system.js";
import type { ObjectFiles, ObjectTexts } from "../../src/objects/types.js";
import type { PoolFamily, PoolKind, PoolsInput, PoolsSpec } from "../../src/pools/index.js";
import { pools } from "../../src/pools/system.js";
import { parseTables } from "../../src/recipes/parse/tables.js";
import { parseRecipe } from "../../src/recipes/parse.js";
import { shippedRecipe } from "../../src/recipes/shipped.js";
import { recipes } from "../../src/recipes/system.js";
import type { RecipeSpec, TablesInput } from "../../src/recipes/types.js";
import { samples } from "../../src/samples/system.js";
import type { SamplerSpec } from "../../src/samples/types.js";
import { specOf } from "../../src/spec/index.js";
import type { Stream } from "../../src/streams/index.js";
import { streams } from "../../src/streams/system.js";
import { tables } from "../../src/tables/system.js";
import type { Ids, TableSetup, TableSource } from "../../src/tables/types.js";
import type { Walk, WalkInput } from "../../src/walks/index.js";
import { walks } from "../../src/walks/system.js";
import type { LabelledInput, NoRepeatsInput, NoRepeatsSpec, PityInput, PitySpec } from "../../src/weighted/index.js";
import { noRepeats } from "../../src/weighted/noRepeats/system.js";
import { pity } from "../../src/weighted/pity/system.js";
import { labelled, weighted } from "../../src/weighted/system.js";
import type { LabelledSpec, WeightedSpec, WeightsInput } from "../../src/weighted/types.js";
import { DUNGEON } from "../objects/dungeon.js";
import { SEED_TABLE } from "../tables/seedTable.js";
import { type Calls, type MakingCalls, type Subject, testLaws, testWords } from "./battery.js";
import { type ForkCalls, openOn, testForks } from "./forkLaws.js";

/** What can be forked. */
interface Forkable<N> {
  fork(id: ForkId): N;
  releaseFork(id: ForkId): void;
}

/** The calls of a noun and, by the same function, of its forks. */
function forking<N extends Forkable<N>, Made>(noun: N, callsOf: (noun: N) => Made): Made & ForkingCalls<Made> {
  return {
    ...callsOf(noun),
    fork: (id) => forking(noun.fork(id), callsOf),
    releaseFork: (id) => noun.releaseFork(id),
    of: (other) => forking(other as N, callsOf),
  };
}

interface ForkingCalls<Made> extends Pick<ForkCalls, "releaseFork"> {
  readonly fork: (id: ForkId) => Made & ForkingCalls<Made>;
  readonly of: (noun: unknown) => Made & ForkingCalls<Made>;
}

type OwnCalls = Omit<Calls, "fork" | "releaseFork" | "of">;

const LIST = [100, 25, 0, 5, 1.5];

testLaws<WeightsInput | WeightedSpec>({
  name: "weighted lists",
  source: LIST,
  system: weighted,
  typedArray: true,
  open: (mill, name, source) => {
    return forking(
      mill.weighted(name, source),
      (list): OwnCalls => ({
        noun: list,
        one: (options) => list.pick(options),
        many: (n, options) => list.pickMany(n, options),
        into: (n, options) => list.pickInto(new Uint32Array(n), options),
        count: (n, options) => list.count(n, options),
        odds: () => list.odds(),
      }),
    );
  },
  onKeys: (keys) => openOn(weighted, LIST, {}, keys),
});

const LOOT = [
  { result: "gold", weight: 70, quantity: "2d6+1" },
  { result: "gem", weight: "1/3", quantity: "2-5" },
  { result: null, weight: 20 },
  { result: "gold", weight: 1.5 },
] as const;

for (const [name, source] of [
  ["labelled lists", { gold: 70, gem: 5, dust: "1/3", nothing: 0 }],
  ["labelled lists with quantities", LOOT],
] as const) {
  testLaws<LabelledInput | LabelledSpec>({
    name,
    source,
    system: labelled,
    open: (mill, as, from) => {
      return forking(
        mill.weighted(as, from as LabelledInput),
        (list): OwnCalls => ({
          noun: list,
          one: (options) => list.pick(options),
          many: (n, options) => list.pickMany(n, options),
          into: (n, options) => list.pickInto(list.pickMany(n, { from: 5 }), options),
          count: (n, options) => list.count(n, options),
          odds: () => list.odds(),
          outcomes: (n, options) => {
            const { entries, labels } = list.pickMany(n, options);
            return Array.from(entries, (entry) => labels[entry]);
          },
        }),
      );
    },
    onKeys: (keys) => openOn(labelled, source, {}, keys),
  });
}

const BANNER: PityInput = {
  list: [
    { result: "phoenix", weight: 1, quantity: "1d4" },
    { result: "crane", weight: 2 },
    { result: null, weight: 7 },
    { result: "stone", weight: 90, quantity: "2-5" },
  ],
  of: ["phoenix", "crane"],
  featured: "phoenix",
  soft: { from: 5, add: "1/10" },
  hard: 9,
};

testLaws<PityInput | PitySpec>({
  name: "lists with pity",
  source: BANNER,
  system: pity,
  stateful: true,
  open: (mill, as, source) => {
    return forking(mill.pity(as, source as PityInput), (noun): OwnCalls => {
      // the battery passes options that the types do not allow
      const only = (options = {}) => options as Record<string, never>;
      return {
        noun,
        one: (options) => noun.pull(only(options)),
        many: (n, options) => noun.pullMany(n, options),
        into: (n, options) => {
          const other = createMill({ seed: "other" }).pity("other", source as PityInput);
          return noun.pullInto(other.pullMany(n), options);
        },
        count: (n, options) => noun.count(n, options),
        odds: () => noun.odds(),
        outcomes: (n, options) => {
          const { entries, labels } = noun.pullMany(n, options);
          return Array.from(entries, (entry) => labels[entry]);
        },
      };
    });
  },
  onKeys: (keys) => openOn(pity, BANNER, {}, keys),
});

const MUSIC: NoRepeatsInput = {
  list: [
    { result: "battle", weight: 5, quantity: "1d4" },
    { result: "feast", weight: 2 },
    { result: null, weight: 7 },
    { result: "battle", weight: 4 },
    { result: "dirge", weight: "1/2" },
    { result: "hymn", weight: 0 },
  ],
  within: 2,
};

testLaws<NoRepeatsInput | NoRepeatsSpec>({
  name: "lists without repeats",
  source: MUSIC,
  system: noRepeats,
  stateful: true,
  open: (mill, as, source) => {
    return forking(mill.noRepeats(as, source as NoRepeatsInput), (noun): OwnCalls => {
      // the battery passes options that the types do not allow
      const only = (options = {}) => options as Record<string, never>;
      return {
        noun,
        one: (options) => noun.pick(only(options)),
        many: (n, options) => noun.pickMany(n, options),
        into: (n, options) => {
          const other = createMill({ seed: "other" }).noRepeats("other", source as NoRepeatsInput);
          return noun.pickInto(other.pickMany(n), options);
        },
        count: (n, options) => noun.count(n, options),
        odds: () => noun.odds(),
        outcomes: (n, options) => {
          const { entries, labels } = noun.pickMany(n, options);
          return Array.from(entries, (entry) => labels[entry]);
        },
      };
    });
  },
  onKeys: (keys) => openOn(noRepeats, MUSIC, {}, keys),
});

testLaws<DiceInput | DiceSpec>({
  name: "dice",
  source: "3d6-4",
  system: dice,
  typedArray: true,
  open: (mill, name, source) => {
    return forking(
      mill.dice(name, source),
      (noun): OwnCalls => ({
        noun,
        one: (options) => noun.roll(options),
        many: (n, options) => noun.rollMany(n, options),
        into: (n, options) => noun.rollInto(new Int32Array(n), options),
        count: (n, options) => noun.count(n, options),
        odds: () => noun.odds(),
      }),
    );
  },
  onKeys: (keys) => openOn(dice, "3d6-4", {}, keys),
});

const CARDS = ["ace", "king", "queen", "jack", "ace"];

testLaws<readonly string[] | SamplerSpec<string>>({
  name: "samples",
  source: CARDS,
  system: samples,
  open: (mill, name, source) => {
    return forking(
      mill.sample(name, source, { size: 3 }),
      (noun): OwnCalls => ({
        noun,
        one: (options) => noun.draw(options),
        many: (n, options) => noun.drawMany(n, options),
        into: (n, options) => noun.drawInto(noun.drawMany(n, { from: 5 }), options),
        count: (n, options) => noun.count(n, options),
        odds: () => noun.odds(),
        outcomes: (n, options) => Array.from(noun.drawMany(n, options), ([first]) => first),
      }),
    );
  },
  onKeys: (keys) => openOn(samples, CARDS, { size: 3 }, keys),
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
      return forking(
        mill.table(as, from, setup),
        (table): OwnCalls => ({
          noun: table,
          one: (options) => table.roll(options),
          many: (n, options) => table.rollMany(n, options),
          into: (n, options) =>
            Array.from<number, string | null>(
              table.rollInto<Ids>(new Uint16Array(n), options),
              (id) => table.results[id] ?? null,
            ),
          count: (n, options) => table.count(n, options),
          odds: () => table.odds(),
        }),
      );
    },
    onKeys: (keys) => openOn(tables, source, setup, keys),
  };
}

testLaws(tablesOf("tables", PLAIN, {}));
testLaws(tablesOf("tables with script weights", SEED_TABLE, { script: (id) => 40 * id }));
testLaws(tablesOf("tables with fixed script weights", SEED_TABLE, { weights: { 1: 7, 2: 100 } }));
testLaws(tablesOf("tables with cycles", CYCLIC, {}));

const STACKS: TableSource = {
  rows: {
    Chest: [
      { result: "gold", weight: 70, quantity: "2d6+1" },
      { result: "gold", weight: 5, quantity: 100 },
      { jump: "Gems", weight: 20 },
      { result: null, weight: 5 },
    ],
    Gems: [
      { result: "ruby", weight: 1.5 },
      { result: "opal", weight: "1/3", quantity: "1-3" },
    ],
  },
};

testLaws<TableSource>({
  ...tablesOf("tables with quantities", STACKS, {}),
  open: (mill, as, from) => {
    return forking(
      mill.table(as, from),
      (table): OwnCalls => ({
        noun: table,
        one: (options) => table.roll(options),
        many: (n, options) => table.rollMany(n, options),
        into: (n, options) => table.rollInto(table.rollMany(n, { from: 5 }), options),
        count: (n, options) => table.count(n, options),
        odds: () => table.odds(),
        outcomes: (n, options) => {
          const { ids, results } = table.rollMany(n, options);
          return Array.from<number, unknown>(ids, (id) => results[id]);
        },
      }),
    );
  },
});

/** Two artifacts that come once, and what comes again and again. */
const HOARD: TableSource = {
  rows: [
    {
      columns: [
        { result: "Ringil", weight: { script: 1600 } },
        { result: "Grond", weight: { script: 1601 } },
        { result: "rags", weight: 20 },
        { result: "coin", weight: 20 },
      ],
    },
  ],
};

// Live rolls depend on those before them, so the other laws do not hold for them.
const ONE_SHOTS = tablesOf("tables with one-shots", HOARD, { script: "nwangband" });
testForks({
  name: ONE_SHOTS.name,
  open: (mill) => ONE_SHOTS.open(mill, "it", HOARD),
  onKeys: ONE_SHOTS.onKeys,
  stateful: true,
  results: 300,
});

test("tables of a fork share the one-shots of all tables, and no other fork does", () => {
  const one: TableSource = { rows: [{ columns: [{ result: "Grond", weight: { script: 1700 } }] }] };
  const setup: TableSetup = { script: "nwangband" };
  const tablesIn = (mill: Mill) => ["mine", "yours"].map((name) => mill.table(name, one, setup));
  const mill = createMill({ seed: "forks" });
  const [mine, yours] = tablesIn(mill);
  expect([mine.fork("a"), yours.fork("a"), mine, yours].map((table) => table.roll())).toEqual([
    "Grond",
    null,
    "Grond",
    null,
  ]);
  const [here, there] = tablesIn(mill.fork("a"));
  expect([here.roll(), there.roll()]).toEqual(["Grond", null]);
  const [later, other] = tablesIn(createMill({ seed: "forks", snapshot: mill.snapshot() }));
  expect([later.fork("a").roll(), other.fork("a").roll(), other.roll()]).toEqual([null, null, null]);
  expect([other.fork("b").roll(), later.fork("b").roll()]).toEqual(["Grond", null]);
});

/** A pool whose rarest record is also in a subpool; a finite one is refreshed every 60 draws. */
function poolsOf(kind: PoolKind): Subject<PoolsInput | PoolsSpec> {
  const axe = { id: "axe", mass: 5, quantity: 30 };
  const crown = { id: "crown", mass: 0.5, quantity: 10 };
  const finite = [axe, crown, { id: 7, mass: 2, quantity: 20 }];
  const endless = [
    ["axe", 5],
    ["crown", 0.5],
    [7, 2],
  ] as const;
  const source: PoolsInput = {
    roots: {
      loot: {
        kind,
        records: kind === "finite" ? finite : endless,
        subpools: { rare: { records: [["crown", 1]] } },
      },
    },
  };
  return {
    name: `${kind} pools`,
    source,
    system: pools,
    readsState: true,
    ...(kind === "finite" && { stateful: true }),
    open: (mill, name, from) => forking(mill.pools(name, from), poolCalls),
    onKeys: (keys) => openOn(pools, source, {}, keys),
  };
}

function poolCalls(family: PoolFamily): OwnCalls {
  const loot = family.pool("loot");
  return {
    noun: family,
    one: (options) => loot.draw(options),
    many: (n, options) => loot.drawMany(n, options),
    into: (n, options) => {
      const numbers = loot.drawInto(new Uint32Array(n), options);
      const ids = loot.recordIds();
      return Array.from(numbers, (number) => ids[number]);
    },
    count: (n, options) => loot.count(n, options),
    odds: () => loot.odds(),
  };
}

testLaws(poolsOf("infinite"));
testLaws(poolsOf("finite"));

const WEAPON = shippedRecipe("weapon");
const WORDS = specOf(parseTables(WEAPON.tables));
/** The same recipe with a column of weights, and words of very different weights. */
const RARE = { ...(WEAPON.recipe as RecipeSpec), weight: "often" };
const RARE_WORDS = specOf(
  parseTables(
    Object.fromEntries(
      Object.entries(WEAPON.tables as TablesInput).map(([table, rows]) => [
        table,
        rows.map((row, i) => ({ ...row, often: i % 5 === 0 ? 0.5 : (i * 7919) % 1000 })),
      ]),
    ),
    { spec: specOf(parseRecipe(RARE)) },
  ),
);
const POWER = { power: 1.7 };

/** Items, whose counts and odds are about one part of them. */
function recipesOf(of: string, { weights }: { readonly weights?: true } = {}): Subject<RecipeSpec> {
  const tables = weights ? RARE_WORDS : WORDS;
  const recipe = weights ? RARE : (WEAPON.recipe as RecipeSpec);
  return {
    name: `recipes by ${of}${weights ? ", with weights" : ""}`,
    source: recipe,
    // (the parser of the system also takes the words, which are parsed here)
    system: { parse: (input) => parseRecipe(input) },
    ...(of === "strength" && { listed: "occurring" }),
    open: (mill, name, source) => {
      return forking(
        mill.recipe(name, source, { tables }),
        (maker): OwnCalls => ({
          noun: maker,
          one: (options) => maker.make({ ...POWER, ...options }),
          many: (n, options) => maker.makeMany(n, { ...POWER, ...options }),
          into: (n, options) => maker.makeInto(maker.makeMany(n, { from: 5 }), { ...POWER, ...options }),
          count: (n, options) => maker.count(n, { ...POWER, ...options, of }),
          odds: () => maker.odds({ ...POWER, of }),
          outcomes: (n, options) => {
            const items = maker.makeMany(n, { ...POWER, ...options });
            return Array.from(items, (_, k) => (of === "strength" ? items.stat("str", k) : items.word(of, k)));
          },
        }),
      );
    },
    onKeys: (keys) => openOn(recipes, recipe, { tables }, keys),
  };
}

testLaws(recipesOf("element"));
testLaws(recipesOf("type"));
testLaws(recipesOf("strength"));
testLaws(recipesOf("secondElement", { weights: true }));
testLaws(recipesOf("type", { weights: true }));

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
      return forking(
        mill.objects(as, source),
        (maker): OwnCalls => ({
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
        }),
      );
    },
    onKeys: (keys) => openOn(objects, DUNGEON, {}, keys),
  };
}

// The odds of a kind are those of its draw. An artifact is no such draw: some replace an object after its kind was drawn, so
// neither all objects nor those that are no artifacts follow the odds exactly. The law therefore holds without artifacts.
testLaws(objectsOf("objects without artifacts", { level: 30, good: true, artifacts: false }));
// Each artifact is made once, so objects depend on those before them.
testLaws(objectsOf("objects and artifacts", { level: 40, great: true }));

const noState = () => {
  throw new Error("it has no state");
};

testWords(
  "streams",
  (mill) => wordsOf(mill.stream("it")),
  (keys) => openOn(streams, undefined, {}, keys),
);

function wordsOf(stream: Stream): MakingCalls {
  return {
    one: ({ at = 0, ...options } = {}) => stream.word(at, options),
    many: (n, options) => stream.words(n, options),
    into: (n, options) => stream.wordsInto(new Uint32Array(n), options),
    fork: (id) => wordsOf(stream.fork(id)),
    releaseFork: noState,
    of: (other) => wordsOf(other as Stream),
  };
}

/** Two layers: both draw their starts, from a rectangle and from the cells of the first layer. */
const WORLD: WalkInput = {
  layers: [
    { name: "land", walkers: 9, steps: 50, start: { rect: [-200, -200, 200, 200] } },
    { name: "rivers", walkers: 5, steps: 40, preset: "five-ways", start: { layer: "land" } },
  ],
};

testForks({
  name: "walks",
  open: (mill) => mapsOf(mill.walk("it", WORLD)),
  onKeys: (keys) => openOn(walks, WORLD, {}, keys),
  stateless: true,
});

function mapsOf(walk: Walk): ForkCalls {
  const whole = () => walk.run().summary();
  return {
    one: whole,
    many: () => [whole()],
    fork: (id) => mapsOf(walk.fork(id)),
    releaseFork: noState,
    of: (other) => mapsOf(other as Walk),
  };
}
