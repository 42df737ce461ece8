// A noun of each kind for a plan file, and what the library makes of it, in the order of test/plans/probe.c.
import { readFileSync } from "node:fs";
import type { Dice } from "../../src/dice/index.js";
import { createMill, type PoolFamily, type Table } from "../../src/index.js";
import type { PlanNoun } from "../../src/plans/index.js";
import type { Sampler } from "../../src/samples/index.js";
import { LabelledList, type WeightedList } from "../../src/weighted/index.js";
import { openWorlds, wordsOf } from "./worlds.js";

export const SEED = "moria";
/** Results of each noun in {@link DIGEST}, and the index of the first. */
export const COUNT = 100_000;
export const FROM = 1000;
/** SHA-256 of the results of all nouns, as little-endian words. The hosts in other languages give the same. */
export const DIGEST = "068334a1e8c33d5319c250ecbe98e92e0a0b5c89f0548c16ee6f3cf6ffff475f";

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
      mill.table("wide", { rows: { all: Object.entries(wide).map(([result, weight]) => ({ result, weight })) } }),
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
    worlds: openWorlds(mill),
  };
}

export type Opened = ReturnType<typeof openNouns>;

export function listOf({ lists, tables, dice, samplers, pools, worlds }: Opened): PlanNoun[] {
  return [...lists, ...tables, ...dice, ...samplers, ...pools, ...worlds];
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
  words.push(...opened.worlds.flatMap((noun) => wordsOf(noun, SEED)));
  return words.map((some) => Uint32Array.from(some));
}

/** Nouns whose plan is small, so that most mutations of the plan hit a number that matters. */
export function smallOf(opened: Opened): Record<"nouns" | "worlds", PlanNoun[]> {
  const { worlds } = opened;
  const nouns = listOf(opened).filter((noun) => !(worlds as PlanNoun[]).includes(noun));
  return {
    nouns: nouns.filter(({ name }) => !["steep", "wide", "crowd"].includes(name)),
    worlds: worlds.filter(({ name }) => name !== "plain"),
  };
}
