import { createMill, parseTable, type TableObject, type WalkInput } from "../../src/index.js";
import type { DropsInput } from "../../src/tables/index.js";
import type { MapSummary } from "../../src/walks/index.js";
import { rollTwin } from "../oracle/tableTwin.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { resultsOf } from "../tables/cases.js";
import { readEndlessWorld } from "./endless.js";
import { checkGolden, digestOf } from "./golden.js";
import { egosInMill, objectsByTwin, objectsInMill } from "./objects.js";
import { drawByTwin, drawInMill } from "./pools.js";
import { itemsByTwin, itemsInMill } from "./recipes.js";

interface Named {
  readonly seed: string;
  readonly name: string;
}
interface Ranged extends Named {
  readonly from: number;
  readonly count: number;
}

checkGolden("words", ({ seed, name, plane, from, count }: Ranged & { plane: number }) => {
  const words = createMill({ seed }).stream(name).words(count, { plane, from });
  return { first: words.slice(0, 8).join(" "), digest: digestOf(words) };
});

checkGolden("weighted", ({ seed, name, weights, from, count }: Ranged & { weights: number[] }) => {
  const list = createMill({ seed }).weighted(name, weights);
  const picks = list.pickMany(count, { from });
  return {
    first: picks.slice(0, 40).join(" "),
    counts: [...list.count(count, { from }).counts.values()],
    digest: digestOf(picks),
  };
});

checkGolden("dice", ({ seed, name, dice, from, count }: Ranged & { dice: string }) => {
  const rolls = createMill({ seed }).dice(name, dice).rollMany(count, { from });
  return { first: rolls.slice(0, 40).join(" "), digest: digestOf(rolls) };
});

checkGolden("drops", ({ seed, name, drops, from, count }: Ranged & { drops: DropsInput }) => {
  const { starts, entries, quantities } = createMill({ seed }).drops(name, drops).rollMany(count, { from });
  return { starts: digestOf(starts), entries: digestOf(entries), quantities: quantities && digestOf(quantities) };
});

checkGolden("samples", ({ seed, name, items, size, from, count }: Ranged & { items: number; size: number }) => {
  const { entries } = createMill({ seed }).sample(name, items, { size }).drawMany(count, { from });
  return { first: entries.slice(0, 40).join(" "), digest: digestOf(entries) };
});

type TableCase = Ranged & { rows: TableObject["rows"]; weights?: Record<number, number>; start?: number };

checkGolden("tables", ({ seed, name, rows, from, count, ...options }: TableCase) => {
  const table = createMill({ seed }).table(name, { rows }, options);
  const rolls = table.rollMany(count, { from });
  const { counts, none } = table.count(count, { from });
  return {
    first: resultsOf(rolls).slice(0, 40).join(" "),
    counts: [...counts].map(([result, times]) => `${result} ${times}`),
    dead: none,
    digest: digestOf(rolls.ids),
    ...(rolls.quantities && { quantities: digestOf(rolls.quantities) }),
    wordsOfFirst40: wordsUsed({ seed, name, rows, from, count, ...options }),
  };
});

checkGolden("walks", ({ seed, name, walk }: Named & { walk: WalkInput }) => {
  const land = createMill({ seed }).walk(name, walk);
  const summary = land.run().summary();
  const withoutFirstVisits = <Summary extends MapSummary>({ firstVisits: _, ...figures }: Summary) => figures;
  const { layers: found, ...total } = withoutFirstVisits(summary);
  const layers = found.map(withoutFirstVisits);
  const [{ name: layer, walkers, steps }] = land.layers;
  const run = land.start({ layer, walkers: { from: 0, to: Math.min(3, walkers) } });
  const ends = [...run.advance(steps).positions()].map(({ row, col, heading }) => [row, col, heading]);
  return { total, layers, ends };
});

checkGolden("pools", drawInMill);
checkGolden("pools", drawByTwin, "pools by the slow twin");

checkGolden("recipes", itemsInMill);
checkGolden("recipes", itemsByTwin, "recipes by the slow twin");

checkGolden("objects", objectsInMill);
checkGolden("objects", objectsByTwin, "objects by the slow twin");
checkGolden("egos", egosInMill);

/** Words that the first 40 rolls take, extra ones included, by the twin. */
function wordsUsed({ seed, name, rows, from, start = 0, weights = {} }: TableCase): { words: number; extra: number } {
  const { spec } = parseTable({ rows });
  if (spec === undefined) throw new Error("refused");
  const source = streamWords(streamKey(seed, name));
  const used = { words: 0, extra: 0 };
  const words: typeof source = {
    word(plane, index) {
      used.words++;
      return source.word(plane, index);
    },
    extra(plane, index, i) {
      used.extra++;
      return source.extra(plane, index, i);
    },
  };
  for (let k = 0; k < 40; k++) rollTwin(spec, { words, index: from + k, start, script: (id) => weights[id] });
  return used;
}

type WorldCase = Named & { window: readonly [row0: number, col0: number, rows: number, cols: number] };
const endless = await readEndlessWorld();

checkGolden("worlds", ({ seed, name, window: [row0, col0, rows, cols] }: WorldCase) => {
  const window = { row0, col0, rows, cols };
  const world = createMill({ seed }).world(name, endless);
  const { terrain, terrains, placements } = world.window(window);
  const shares = terrains.map((one, t) => [one.name, terrain.filter((cell) => cell === t).length]);
  const first = [...placements].slice(0, 5).map(({ row, col, kind }) => `${kind} ${row},${col}`);
  return { terrain: Object.fromEntries(shares), placements: placements.length, first, digest: world.digest(window) };
});
