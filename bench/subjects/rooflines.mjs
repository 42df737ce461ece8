// Windows of worlds against their rooflines: the time to touch the memory that a window must touch, and nothing else, or
// to make the random words that it must read.

import { median } from "../harness.mjs";
import { MANY_LAYERS, SHORES, SIDE, stepsOf, VILLAGES, WINDOW } from "../inputs/worlds.mjs";
import { ours, worldTimes } from "../ours.mjs";
import { cRival } from "../rivals/c.mjs";

const CELLS = WINDOW ** 2;
const BUFFER = 65_536; // words per call
/** Least number of windows in a turn. */
const LEAST_WINDOWS = 5;

export const rooflines = {
  name: "rooflines",
  unit: "cell",
  cases: [
    { name: `${MANY_LAYERS.layers.length} sparse layers`, open: openLayers },
    { name: "distances", open: () => openTerrain(SHORES, { layers: 1, steps: 0, bytes: 1 }) },
    { name: "placements", open: () => openTerrain(VILLAGES, { layers: 1, steps: 0, bytes: 1 }, words) },
  ],
};

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
  return { law: [], draws: 0, contenders: contenders.filter(Boolean) };
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
  const rival = await cRival("touch", [CELLS, layers, steps, bytes].join(" "), { name: "touch" });
  return rival && { ...rival, sample: undefined };
}

/** One random word for each cell. */
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
