// Windows of a world without end. Every call makes a window that is far from all windows before it, with all walks on
// which it depends.

import { createHash } from "node:crypto";
import { apart } from "../apart.mjs";
import { UNIFORM, uniformEnds } from "../inputs/walks.mjs";
import {
  LAND,
  LAYERS,
  RULES,
  SIDE,
  SLOPE_LAYERS,
  SPARSE_LAYERS,
  stepsInReach,
  TERRAINS,
  WINDOW,
} from "../inputs/worlds.mjs";
import { ours, worldKeys } from "../ours.mjs";

/** First cell of the window that is checked. */
const CHECKED = [-4096, 2048];
/** Rows and columns between the windows that are timed. */
const FAR = 2 ** 16;
const PLACES = 2 ** 14;
/** Greatest relative difference between the shares of terrains, and of villages, in two windows. */
const MOST_DIFFERENCE = 0.3;
const CHECKED_STEPS = 4; // a walker can end on 61 cells
const CHECKED_WALKERS = 50_000;
const LONG_WALKERS = 64;

/** The rivals that are timed with our random words, so that they make the same bytes. */
const OUR_C = "c, our words";
const OUR_JS = "js, our words";
/** The faster form of the rival in JavaScript. */
const ARRAYS = "js, arrays";

export const worlds = {
  name: "worlds",
  unit: "cell",
  cases: [
    { name: `layers ${WINDOW}`, open: () => openLayers(LAYERS) },
    { name: `sparse layers ${WINDOW}`, open: () => openLayers(SPARSE_LAYERS) },
    { name: `slope ${WINDOW}`, open: () => openLayers(SLOPE_LAYERS) },
    ...[WINDOW, 2 * WINDOW].map((size) => ({ name: `window ${size}`, open: () => openWindow(size) })),
  ],
};

// ── layers alone, against the steps that they need ──

/** The exact law of the end cells of a few steps, in the order of the counts. */
const LAW = uniformEnds(CHECKED_STEPS);
const ENDS = new Map([...LAW.keys()].map((cell, i) => [cell, i]));

async function openLayers(spec) {
  const library = ours(await import("rollmill"));
  const visits = spec.layers.map(({ name }) => name);
  return {
    law: [...LAW.values()],
    draws: CHECKED_WALKERS,
    contenders: [
      {
        ...farWindows(library, spec, { size: WINDOW, visits }),
        sample: (walkers) => tallyMoves(library.scatteredEnds({ walkers, steps: CHECKED_STEPS, side: SIDE })),
      },
      pureSteps(library, spec),
    ],
  };
}

/** As many steps as the walkers of all regions in reach of a window, made by a few walkers on a small torus. */
function pureSteps(library, spec) {
  const steps = stepsInReach(spec, { size: WINDOW });
  const { advance } = library.walk({ size: 512, walkers: LONG_WALKERS }).start();
  return {
    name: "rollmill, pure steps",
    reference: true,
    ops: WINDOW ** 2,
    run: () => advance(steps / LONG_WALKERS),
    sample(walkers) {
      const run = library.walk({ size: 512, walkers }).start();
      run.advance(CHECKED_STEPS);
      const signed = (coordinate) => (coordinate > 256 ? coordinate - 512 : coordinate);
      return tallyMoves(run.ends().map((cell) => cell.map(signed)));
    },
  };
}

/** Counts how many walkers were displaced by each number of rows and columns. */
function tallyMoves(moves) {
  const counts = new Array(ENDS.size).fill(0);
  for (const [rows, columns] of moves) counts[ENDS.get(`${rows},${columns}`)]++;
  return counts;
}

/** Windows of one world that are far apart. The memory of earlier windows is used again when the world's is full. */
function farWindows(library, spec, { size, ...options }) {
  const world = library.world(spec);
  const next = places();
  return {
    name: "rollmill",
    ops: size ** 2,
    run() {
      const { terrain, placements } = world.window(next(), size, options);
      return terrain[0] + placements.length;
    },
  };
}

/** The first window of a new world each time. The world's memory is freed after that. */
function freshWorlds(library, spec, { size }) {
  const world = library.world(spec);
  let made = 0;
  return {
    name: "rollmill, new worlds",
    reference: true,
    ops: size ** 2,
    run() {
      const fresh = world.fork(made++);
      const { terrain, placements } = fresh.window([0, 0], size, {});
      fresh.dispose();
      return terrain[0] + placements.length;
    },
  };
}

/** Returns the first cells of windows that are far apart. */
function places() {
  let made = 0;
  return () => [0, (made++ % PLACES) * FAR];
}

// ── a whole world, against the same world of rivals ──

async function openWindow(size) {
  const library = ours(await import("rollmill"));
  const keys = await worldKeys(LAND);
  // the rival in JavaScript with our words: an implementation that shares no code with the library
  const { jsWorld } = await import("../rivals/js/worlds.mjs");
  const { SameWords } = await import("../rivals/js/sameWords.mjs");
  const twin = jsWorld(sizes(size), new SameWords(keys)).window(...CHECKED);
  const wanted = { digest: digestOf(twin), counts: countsOf(twin) };
  const sample = () => sameCounts(library.world(LAND).window(CHECKED, size, {}), wanted);
  const given = { size, keys, wanted };
  const contenders = [
    { ...farWindows(library, LAND, { size }), sample },
    { ...freshWorlds(library, LAND, { size }), sample },
    await c("c", given),
    await c(OUR_C, given),
    apart("js", import.meta.url, "openJs", "js", given),
    ...[OUR_JS, ARRAYS].map((name) => ({ ...apart(name, import.meta.url, "openJs", name, given), reference: true })),
  ];
  const all = wanted.counts.reduce((sum, count) => sum + count, 0);
  return { law: wanted.counts.map((count) => count / all), draws: all, contenders: contenders.filter(Boolean) };
}

/** The sizes and rules of the world for the rivals. The one in JavaScript has chunks, or not. */
function sizes(size) {
  const layers = LAND.layers.map(({ steps, scatter: { walkers } }) => ({ walkers, steps }));
  return { size, side: SIDE, layers, rules: RULES, tensor: UNIFORM, hasChunks: false };
}

/** SHA-256 of a window: its terrain and its villages, sorted by row, then column. */
function digestOf({ terrain, villages }) {
  const sorted = villages.toSorted(([row, column], [otherRow, otherColumn]) => row - otherRow || column - otherColumn);
  return createHash("sha256").update(terrain).update(JSON.stringify(sorted)).digest("hex");
}

/** The number of cells of each terrain, then the number of villages. */
function countsOf({ terrain, villages }) {
  const counts = new Array(TERRAINS.length + 1).fill(0);
  for (const cell of terrain) counts[cell]++;
  counts[TERRAINS.length] = villages.length;
  return counts;
}

/** Returns the counts of a window that must be the wanted one. */
function sameCounts(made, { digest }) {
  if (digestOf(made) !== digest) throw new Error("Its window differs from the window of the other contenders.");
  return countsOf(made);
}

/** Refuses a window, made with other random words, that has far more or fewer cells of a terrain than the wanted one. */
function checkShares(made, { counts }) {
  for (const [k, count] of countsOf(made).entries()) {
    if (Math.abs(count / counts[k] - 1) <= MOST_DIFFERENCE) continue;
    throw new Error(`Its window has ${count} of ${TERRAINS[k] ?? "village"}, expected about ${counts[k]}.`);
  }
}

/**
 * Opens the contenders in JavaScript of {@link openWindow}, which run in separate processes. The functions that are
 * timed come from another instance of their module than those that are checked, so that V8 compiles them for one kind
 * of words.
 */
export async function openJs(name, { size, keys, wanted }) {
  const { jsWorld: checked } = await import("../rivals/js/worlds.mjs?checked");
  const { jsWorld } = await import("../rivals/js/worlds.mjs");
  const { OwnWords } = await import("../rivals/js/ownWords.mjs");
  const { SameWords } = await import("../rivals/js/sameWords.mjs");
  const given = { ...sizes(size), hasChunks: name !== ARRAYS };
  const timed = jsWorld(given, name === OUR_JS ? new SameWords(keys) : new OwnWords());
  const next = places();
  return {
    name,
    ops: size ** 2,
    run() {
      const { terrain, villages } = timed.window(...next());
      return terrain[0] + villages.length;
    },
    sample() {
      checkShares(timed.window(...CHECKED), wanted);
      return sameCounts(checked(given, new SameWords(keys)).window(...CHECKED), wanted);
    },
  };
}

/** The C rival. It is checked with our random words, and timed with its own or with ours. */
async function c(name, { size, keys, wanted }) {
  const { cRival } = await import("../rivals/c.mjs");
  const load = loadLine(size, keys);
  const same = await cRival("worlds", load, { name, defines: ["SAME_WORDS"] });
  if (same === null) return null;
  const timed = name === OUR_C ? same : await cRival("worlds", load, { name });
  const window = async (rival) => {
    const numbers = await rival.sample(...CHECKED);
    const villages = numbers.slice(size ** 2);
    return {
      terrain: Uint8Array.from(numbers.slice(0, size ** 2)),
      villages: Array.from({ length: villages.length / 2 }, (_, k) => villages.slice(2 * k, 2 * k + 2)),
    };
  };
  return {
    ...timed,
    async sample() {
      checkShares(await window(timed), wanted);
      return sameCounts(await window(same), wanted);
    },
  };
}

function loadLine(size, { layers: layerKeys, cells }) {
  const { side, layers, rules, tensor } = sizes(size);
  const { mountain, shore, forest, village } = rules;
  const parts = [
    [size, side],
    layers.flatMap(({ walkers, steps }) => [walkers, steps]),
    [mountain, shore, forest.part, forest.whole, village.part, village.whole, village.distance],
    [tensor.absolute, tensor.relative],
    [layerKeys, cells],
  ];
  return parts.flat(3).join(" ");
}
