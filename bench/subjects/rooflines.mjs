// Loops against their rooflines, the time of what they cannot do without, and nothing else. For a window of a world, this
// is the memory that it must touch, or the random words that it must read. For other loops, it is what remains if all
// choices are known before (rivals/c/known.c and rivals/js/known.mjs).

import { apart } from "../apart.mjs";
import { median } from "../harness.mjs";
import { HEAVIEST_MASS, QUANTITY, weightsOf } from "../inputs/weights.mjs";
import { MANY_LAYERS, SHORES, SIDE, stepsOf, VILLAGES, WINDOW } from "../inputs/worlds.mjs";
import { keepLoop } from "../loops.mjs";
import { ours, worldTimes } from "../ours.mjs";
import { cRival } from "../rivals/c.mjs";

const CELLS = WINDOW ** 2;
const BUFFER = 65_536; // words per call
/** Least number of windows in a turn. */
const LEAST_WINDOWS = 5;
const MAP = 512; // rows and columns of the map of steps
const WALKERS = 64;
const CALL_STEPS = 262_144; // steps of each walker per call
const DRAWN = 8; // records of the pool
const SINGLES = 4_096; // calls per timed function

export const rooflines = {
  name: "rooflines",
  unit: "cell",
  cases: [
    { name: `${MANY_LAYERS.layers.length} sparse layers`, open: openLayers },
    { name: "distances", open: () => openTerrain(SHORES, { layers: 1, steps: 0, bytes: 1 }) },
    { name: "placements", open: () => openTerrain(VILLAGES, { layers: 1, steps: 0, bytes: 1 }, words) },
    { name: `steps, ${MAP}`, unit: "step", open: openSteps },
    ...[8, 64, 1024].map((n) => ({ name: `picks, ${n}`, unit: "pick", open: () => openPicks(n) })),
    { name: `draws, ${DRAWN}`, unit: "draw", open: openDraws },
    { name: "step in a row", unit: "step", open: openStep },
    { name: "item in a row", unit: "weapon", open: openItem },
  ],
};

async function openSteps() {
  const run = ours(await import("rollmill"))
    .walk({ size: MAP, walkers: WALKERS })
    .start();
  const steps = { name: "rollmill", ops: WALKERS * CALL_STEPS, run: () => run.advance(CALL_STEPS) };
  return opened([steps, await known("STEPS", MAP), await words()]);
}

async function openPicks(n) {
  const { pickInto } = ours(await import("rollmill")).list(weightsOf(n));
  return opened([into(pickInto), await known("PICKS", Math.log2(n)), await words()]);
}

async function openDraws(notice) {
  if (process.arch !== "x64") {
    notice("no roofline of draws, because its program has instructions of x64 processors");
    return null;
  }
  const masses = weightsOf(DRAWN, HEAVIEST_MASS);
  const { drawInto } = ours(await import("rollmill")).pool(masses, { quantity: QUANTITY });
  return opened([into(drawInto), await known("DRAWS", [QUANTITY, ...masses].join(" ")), await words()]);
}

async function openStep() {
  const { step } = ours(await import("rollmill"))
    .walk({ size: MAP, walkers: 1 })
    .start();
  return opened([calls("rollmill", step), apart("known", import.meta.url, "openKnownStep")]);
}

async function openItem() {
  const { makeOne } = ours(await import("rollmill")).weapon();
  return opened([calls("rollmill", makeOne), apart("known", import.meta.url, "openKnownItem", makeOne())]);
}

/** Open the contenders `known` of {@link openStep} and {@link openItem}, which run in separate processes. */
export async function openKnownStep() {
  const { knownPositions } = await import("../rivals/js/known.mjs");
  return calls("known", knownPositions().step);
}

export async function openKnownItem(item) {
  const { knownItems } = await import("../rivals/js/known.mjs");
  return calls("known", knownItems(item));
}

/** The loop with all choices known. */
async function known(loop, load) {
  return cRival("known", String(load), { name: "known", defines: [loop] });
}

/** A contender that fills a buffer in each call. */
function into(fill) {
  const out = new Uint32Array(BUFFER);
  return {
    name: "rollmill",
    ops: BUFFER,
    run() {
      fill(out);
      return out[0];
    },
  };
}

/** A contender that is called once for each result, an object. */
function calls(name, make) {
  const loop = keepLoop(make);
  return { name, ops: SINGLES, run: () => Object.keys(loop(SINGLES)).length };
}

/** Windows that are far apart, with the visits of all layers. */
async function openLayers() {
  const { visits } = await worldTimes(MANY_LAYERS);
  const { length } = MANY_LAYERS.layers;
  const touching = { layers: length, steps: stepsOf(MANY_LAYERS.layers[0], { cells: CELLS }), bytes: 4 };
  return opened([windows(() => visits({ size: WINDOW })), await touch(touching)]);
}

/** Windows whose layers have been walked. */
async function openTerrain(spec, touching, ...others) {
  const { terrain } = await worldTimes(spec);
  const rivals = [await touch(touching), ...(await Promise.all(others.map((other) => other())))];
  return opened([windows(() => terrain({ size: WINDOW, side: SIDE })), ...rivals]);
}

/** The contenders have different results, so no law holds for all of them. */
function opened(contenders) {
  const made = contenders.filter(Boolean).map((contender) => ({ ...contender, sample: undefined }));
  return { law: [], draws: 0, contenders: made };
}

function windows(msOfWindow) {
  return {
    name: "rollmill",
    time(seconds) {
      const times = [];
      const begin = performance.now();
      while (times.length < LEAST_WINDOWS || performance.now() - begin < seconds * 1000) times.push(msOfWindow());
      return (median(times) * 1e6) / CELLS;
    },
  };
}

async function touch({ layers, steps, bytes }) {
  return cRival("touch", [CELLS, layers, steps, bytes].join(" "), { name: "touch" });
}

/** One random word for each result. */
async function words() {
  const { fill } = ours(await import("rollmill")).words();
  const out = new Uint32Array(BUFFER);
  return {
    name: "words",
    reference: true,
    ops: CELLS,
    run() {
      for (let done = 0; done < CELLS; done += BUFFER) fill(out);
      return out[0];
    },
  };
}
