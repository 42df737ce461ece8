// A noun of each kind for a plan file, and what the library makes of it, in the order of test/plans/probe.c.
import { readFileSync } from "node:fs";
import type { Dice } from "../../src/dice/index.js";
import { crc32 } from "../../src/formats/bytes.js";
import { createMill, type PoolFamily, type Table } from "../../src/index.js";
import type { ObjectMaker, ObjectOptions } from "../../src/objects/index.js";
import { bake, type PlanItems, type PlanNoun, type PlanObjects, type PlanRequest } from "../../src/plans/index.js";
import { type Recipe, shippedRecipe } from "../../src/recipes/index.js";
import type { Sampler } from "../../src/samples/index.js";
import type { Drops } from "../../src/tables/index.js";
import { LabelledList, type WeightedList } from "../../src/weighted/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { LIGHTHOUSE } from "../objects/lighthouse.js";
import { IS_SOAK } from "../soak.js";
import { openWorlds, wordsOf } from "./worlds.js";

export const SEED = "moria";
/** Results of each noun in {@link DIGEST}, and the index of the first. */
export const COUNT = 100_000;
export const FROM = 1000;
/** SHA-256 of the results of all nouns, as little-endian words. The hosts in other languages give the same. */
export const DIGEST = "e4dac3ac71080180bb9f9785b974927d2146db018c62e3741e083eb07873b4b5";

const CHEST = [
  { result: "gold", weight: 70, quantity: "2d6+1" },
  { result: "arrow", weight: 20, quantity: "2-5" },
  { result: null, weight: 10 },
];

export function openNouns() {
  const mill = createMill({ seed: SEED, now: "2026-01-01T12:00" });
  // an odd length, zeros, and weights near the limit
  const steep = Array.from({ length: 1001 }, (_, i) => (i % 7 === 0 ? 0 : (i * i * 2971) % 4_000_037));
  const wide = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`thing ${i}`, 1 + (i % 9)]));
  const cards = Array.from({ length: 20 }, (_, i) => ({ id: `card ${i}`, quantity: 1 + (i % 3), mass: 1 + (i % 5) }));
  return {
    mill,
    lists: [
      mill.weighted("rarity", [5, 3, 0, 2]),
      mill.weighted("one", [4_294_967_295]),
      mill.weighted("steep", steep),
      mill.weighted("chest", CHEST),
    ] as (WeightedList | LabelledList<string | null, unknown>)[],
    tables: [
      mill.table("loot", readFileSync(new URL("../../data/loot.2da", import.meta.url), "utf8"), {
        file: "loot.2da",
        start: 5,
        mode: "frozen",
      }),
      mill.table("hoard", {
        rows: {
          top: [
            { weight: 3, jump: "gems" },
            { weight: 2, result: "gold", quantity: "3d4" },
            { weight: 1, jump: "top" },
          ],
          gems: [
            { weight: 1, result: "ruby", quantity: "1-3" },
            { weight: 5, jump: "none" },
            { weight: 4, result: "opal" },
          ],
          none: [],
        },
      }),
      mill.table("wide", wideTable(wide)),
    ] as unknown as Table<string, unknown>[],
    dice: [mill.dice("hp", "2d6+1"), mill.int("any", -(2 ** 31), 2 ** 31 - 2), mill.dice("three", "3")] as Dice[],
    samplers: [
      mill.sample("hand", ["ace", "king", "queen", "jack", "ten"], { size: 3 }),
      mill.shuffle(
        "deck",
        Array.from({ length: 52 }, (_, i) => i),
      ),
      mill.sample("crowd", 100_000, { size: 70_000 }),
    ] as Sampler<unknown>[],
    pools: [
      mill.pools("bag", {
        roots: {
          i: {
            kind: "finite",
            records: cards,
            subpools: { odd: { records: cards.filter((_, i) => i % 2 === 1).map(({ id }) => ({ id, mass: 7 })) } },
          },
          w: {
            kind: "infinite",
            records: [
              { id: 1, mass: "1/3" },
              { id: "b", mass: 2 },
            ],
          },
          d: { kind: "finite", refill: false, records: cards },
        },
      }),
    ] as PoolFamily[],
    drops: [
      mill.drops("trove", {
        always: [{ result: "bones" }, { result: "gold", quantity: "3d6" }],
        rolls: "0-3",
        table: {
          rows: {
            top: [
              { weight: 3, jump: "gems" },
              { weight: 2, result: "gold", quantity: "3d4" },
            ],
            gems: [
              { weight: 1, result: "ruby", quantity: "1-3" },
              { weight: 4, result: "opal" },
            ],
          },
        },
      }),
      mill.drops("scraps", { table: wideTable(wide) }),
    ] as unknown as Drops<string, unknown>[],
    recipes: [
      { noun: mill.recipe("weapon"), options: {} },
      {
        noun: mill.recipe("rare", shippedRecipe("weapon").recipe, { tables: shippedRecipe("weapon").tables }),
        options: { tier: 3, tierVariance: 1, power: 1.7, request: { type: "axe", prefix: "none such" } },
      },
      {
        noun: mill.recipe("charm", CHARM, { tables: CHARM_TABLES }) as unknown as Recipe,
        options: { tier: 2, tierVariance: 1 },
      },
    ] as PlanItems[],
    objects: [
      { noun: mill.objects("dungeon", DUNGEON), options: { level: 30 } },
      { noun: mill.objects("deep", DUNGEON), options: { level: 90, great: true } },
      { noun: mill.objects("lighthouse", LIGHTHOUSE, { stock: "lighthouse" }), options: { level: 25, good: true } },
    ] as PlanObjects[],
    worlds: openWorlds(mill),
  };
}

/** Weights, negative and wide stats, a clamp, a swing with weights, a special word, and an "other" slot with weights. */
const CHARM = {
  strength: "power",
  stats: [{ name: "power" }, { name: "value", clamp: [0, 90_000] }, { name: "luck", clamp: [-3, 4.5] }],
  steps: [
    {
      name: "base",
      kind: "slots",
      slots: [
        { slot: "form", table: "form", strength: 1, tiers: [{ atLeast: 60, variance: 1 }] },
        { slot: "gem", table: "gem", strength: 2, special: { word: "opal", chance: { above: 90 }, strength: 9 } },
        { slot: "other", table: "gem", strength: 1, differentFrom: "gem", chance: { atLeast: 40 } },
        { slot: "third", table: "gem", strength: 1, after: "other", chance: { atLeast: 97 }, text: "with " },
      ],
    },
    { name: "worn", kind: "condition", stat: "value", share: 0.25, doubled: { above: 95 }, up: { above: 50 } },
    {
      name: "mark",
      kind: "slots",
      chance: { above: 70 },
      text: "of ",
      slots: [{ slot: "mark", table: "form", strength: 3, chance: { above: 20 } }],
    },
    {
      name: "plus",
      kind: "bonus",
      chance: { above: 60 },
      sides: 20,
      ladder: [
        { atLeast: 19, text: "+2", add: { power: 2, value: 500 } },
        { text: "+1", add: { power: 1, luck: 0.5 } },
      ],
    },
  ],
} as const;
const CHARM_TABLES = {
  form: ["ring", "band", "torc", "crown"].map((word, i) => ({
    id: i + 1,
    word,
    tier: i,
    value: 40_000 * i,
    luck: -0.25 * i,
    weight: 70_000 - 13_337 * i,
  })),
  gem: ["ruby", "opal", "jade"].map((word, i) => ({
    id: 7 * i + 1,
    word,
    power: 200 * i,
    value: 3,
    weight: 1 + 900_000 * i,
  })),
};

function wideTable(wide: object) {
  return { rows: { all: Object.entries(wide).map(([result, weight]) => ({ result, weight })) } };
}

export type Opened = ReturnType<typeof openNouns>;

export function listOf(opened: Opened): (PlanNoun | PlanRequest)[] {
  const { lists, tables, dice, samplers, pools, drops, recipes, objects, worlds } = opened;
  return [...lists, ...tables, ...dice, ...samplers, ...pools, ...drops, ...recipes, ...objects, ...worlds];
}

export function nameOf(entry: PlanNoun | PlanRequest): string {
  return "noun" in entry ? entry.noun.name : entry.name;
}

/** The results of all nouns as probe.c prints them: `count` / size + 1 of each, from index 1,000 on. */
export function expectedWords(opened: Opened, count: number): Uint32Array[] {
  const words: ArrayLike<number>[] = [];
  const n = count + 1;
  for (const list of opened.lists) {
    if (list instanceof LabelledList) {
      const { entries, quantities } = list.pickMany(n, { from: FROM });
      words.push(entries, quantities ?? []);
    } else words.push(list.pickMany(n, { from: FROM }));
  }
  for (const table of opened.tables) {
    const { ids, quantities } = table.rollMany(n, { from: FROM });
    words.push(ids, quantities ?? []);
  }
  for (const dice of opened.dice) words.push(dice.rollMany(n, { from: FROM }));
  for (const sampler of opened.samplers) {
    const samples = sampler.drawMany(Math.floor(count / sampler.size) + 1, { from: FROM });
    words.push(samples.entries);
  }
  for (const family of opened.pools) {
    for (const { path, root } of family.registry.nodes) {
      const pool = family.pool(path);
      if (pool.kind === "finite" && pool.total === 0 && !root.refill) continue;
      words.push(pool.drawMany(n).records);
    }
  }
  for (const drops of opened.drops) words.push(...rowsOf(drops, count));
  for (const { noun, options } of opened.recipes) {
    const { columns, stats } = noun.plan;
    const width = columns.size + stats.length;
    const items = noun.makeMany(Math.floor(count / width) + 1, { ...options, from: FROM });
    const made = [...columns.keys()].map((name): ArrayLike<number> => items.indices.get(name) ?? []);
    for (const { name } of stats) made.push(items.stats[name]);
    words.push(Array.from({ length: items.length * width }, (_, i) => made[i % width][Math.floor(i / width)]));
  }
  for (const { noun, options } of opened.objects) words.push(objectRows(noun, options, count));
  words.push(...opened.worlds.flatMap((noun) => wordsOf(noun, SEED)));
  return words.map((some) => Uint32Array.from(some));
}

function objectRows(noun: ObjectMaker, options: ObjectOptions, count: number): number[] {
  const { bits } = noun.plan;
  const width = 13 + 2 * 8 + bits.words + bits.pvalNames.length;
  const objects = noun.makeMany(Math.floor(count / width) + 1, { ...options, from: FROM });
  const { kind, artifact, theme, affixLevel, slots, affixCount, toHit, toDam, toAc, ac, dice, sides, weight } = objects;
  const numbers = [kind, artifact, theme, affixLevel, slots, affixCount, toHit, toDam, toAc, ac, dice, sides, weight];
  const lists = [objects.affixes, objects.depths, objects.flags, objects.pvals];
  return Array.from({ length: objects.length }, (_, k) => [
    ...numbers.map((column) => column[k]),
    ...lists.flatMap((list) => {
      const size = list.length / objects.length;
      return [...list.subarray(k * size, (k + 1) * size)];
    }),
  ]).flat();
}

/** The rows of drops whose table always gives a result: the length of a drop is that of its fixed results and rolls. */
function rowsOf(drops: Drops<string, unknown>, count: number): number[][] {
  const { always, rolls, table } = drops.plan;
  const most = rolls.count * rolls.sides + rolls.plus;
  const n = Math.floor(count / (always.length + most)) + 1;
  const { starts, quantities } = drops.rollMany(n, { from: FROM });
  const made = Array.from({ length: most }, (_, roll) => drops.tableOf(roll).rollMany(n, { from: FROM }).ids);
  const [codes, amounts]: number[][] = [[], []];
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < always.length + most; i++) {
      const isMade = starts[k] + i < starts[k + 1];
      const code = isMade ? made[i - always.length]?.[k] : table.results.length;
      codes.push(i < always.length ? i : always.length + code);
      amounts.push(isMade ? (quantities?.[starts[k] + i] ?? 0) : 0);
    }
  }
  return quantities === undefined ? [codes] : [codes, amounts];
}

const LARGE = ["steep", "wide", "crowd", "scraps", "weapon", "rare", "deep", "plain"];

/** How many damaged copies of the plans of {@link smallPlans} are opened: 100,000 in all. A world takes longest. */
const MUTANTS = { others: 60_000, trove: 10_000, charm: 10_000, dungeon: 10_000, lighthouse: 8_000, worlds: 2_000 };

export function mutantsOf(name: string): number {
  if (IS_SOAK) return MUTANTS[name as keyof typeof MUTANTS];
  return name === "worlds" ? 50 : 250;
}

/** Plans of nouns of each kind, small and without labels, so that most mutations of a plan hit a number that matters. */
export function smallPlans(opened: Opened): Readonly<Record<string, Uint8Array>> {
  const small = listOf(opened).filter((entry) => !LARGE.includes(nameOf(entry)));
  const worlds: readonly unknown[] = opened.worlds;
  const [others, ...later] = [
    small.filter((entry) => !("noun" in entry) && entry.name !== "trove" && !worlds.includes(entry)),
    small.filter((entry) => nameOf(entry) === "trove"),
    ...small.filter((entry) => "noun" in entry).map((entry) => [entry]),
  ];
  return {
    others: withoutLabels(bake(others)),
    ...Object.fromEntries(later.map((nouns) => [nameOf(nouns[0]), withoutLabels(bake(nouns))])),
    worlds: withoutLabels(bake(small.filter((entry) => worlds.includes(entry)))),
  };
}

/** Replaces all labels of a plan by {}. */
function withoutLabels(plan: Uint8Array<ArrayBuffer>): Uint8Array {
  const words = new Uint32Array(plan.buffer);
  const kept = [...words.subarray(0, 5)];
  for (let at = 5; at < words.length - 1; ) {
    const [kind, nameBytes, labelsBytes, data] = words.subarray(at, at + 4);
    const name = at + 4;
    const labels = name + (nameBytes >>> 2) + 1;
    const first = labels + (labelsBytes >>> 2) + 1;
    at = first + data;
    kept.push(kind, nameBytes, 2, data, ...words.subarray(name, labels), 0x7d7b, ...words.subarray(first, at));
  }
  const bytes = new Uint8Array(Uint32Array.from([...kept, 0]).buffer);
  new Uint32Array(bytes.buffer)[kept.length] = crc32(bytes.subarray(0, -4));
  return bytes;
}
