import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { chance, type Source, wait } from "../../src/instruments/index.js";
import { IS_SOAK } from "../soak.js";
import { agrees } from "../statistics/chiSquare.js";
import { near } from "./near.js";

// 10⁷ results of the kernel (2 · 10⁶ without SOAK=1) against the exact law, with an error of the first kind of 10⁻⁶ for each test

const RESULTS = IS_SOAK ? 10_000_000 : 2_000_000;
const mill = createMill({ seed: "kernel" });
const entries = { crown: 1, gold: 9, gem: 10 };

/** Counts in how many windows of `size` results each number of hits occurs. */
function windows(hits: Iterable<boolean>, size: number): number[] {
  const counts = Array<number>(size + 1).fill(0);
  let [inside, found] = [0, 0];
  for (const hit of hits) {
    found += Number(hit);
    if (++inside < size) continue;
    counts[found]++;
    [inside, found] = [0, 0];
  }
  return counts;
}

/** Counts the waits for a hit, up to `most`; the last entry has all longer waits. */
function waits(hits: Iterable<boolean>, most: number): number[] {
  const counts = Array<number>(most + 1).fill(0);
  let waited = 0;
  for (const hit of hits) {
    waited++;
    if (!hit) continue;
    counts[Math.min(waited - 1, most)]++;
    waited = 0;
  }
  return counts;
}

function chances(source: Source, condition: string, size: number): number[] {
  return Array.from({ length: size + 1 }, (_, k) => near(chance(source, condition, { in: size, exactly: k })));
}

test("picks: how often in 20, and waits", () => {
  const list = mill.weighted("list", entries);
  const { entries: picked } = list.pickMany(RESULTS);
  const hits = Array.from(picked, (entry) => entry === 0);
  expect(agrees(windows(hits, 20), chances(list, "crown", 20))).toBe(true);
  const law = wait(list, "crown");
  const expected = Array.from({ length: 100 }, (_, n) => near(law.at(n + 1)));
  expect(agrees(waits(hits, 100), [...expected, near(law.from(101))])).toBe(true);
});

test("rolls of a table with a jump: how often in 20", () => {
  const rows = {
    Chest: [
      { result: "gold", weight: 5 },
      { jump: "Relics", weight: 1 },
    ],
    Relics: [
      { result: "crown", weight: 1 },
      { jump: "Chest", weight: 1 },
    ],
  };
  const table = mill.table("table", { rows });
  const rolls = table.rollMany(RESULTS);
  const crown = table.results.indexOf("crown");
  const hits = Array.from(rolls.ids, (id) => id === crown);
  expect(agrees(windows(hits, 20), chances(table, "crown", 20))).toBe(true);
});

test("draws from a finite pool that refills: how often in 3 of the first draws of a fork", () => {
  const roots = { i: { kind: "finite", records: ["a", { id: "b", mass: 2, quantity: 3 }] } } as const;
  const draws = mill.pools("pools", { roots }).pool("i").drawMany(RESULTS);
  const hits = Array.from(draws, (id) => id === "a");
  // each stock has four units, so a window of four draws is a whole stock, and the first three draws of it are counted
  const counts = [0, 0];
  for (let k = 0; k < hits.length; k += 4) counts[Number(hits[k] || hits[k + 1] || hits[k + 2])]++;
  const fresh = mill.pools("fresh", { roots }).pool("i");
  expect(agrees(counts, chances(fresh, "a", 3).slice(0, 2))).toBe(true);
});
