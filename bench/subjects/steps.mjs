// Hex steps with visit counts: many walkers on a torus or an unbounded map, with a uniform tensor. Every contender has
// the same walkers, which start on cell 0,0 without a heading. On a torus, a call continues where the last call ended.
// On an unbounded map, each call makes a new map and allocates its memory, as a user's program would.

import { apart } from "../apart.mjs";
import { UNIFORM, uniformEnds } from "../inputs/walks.mjs";
import { keepLoop } from "../loops.mjs";
import { ours } from "../ours.mjs";

// Walkers, and steps of each walker per timed call. Much shorter calls on a torus would measure the cache misses that occur
// when the loop goes on to another walker. Longer calls would find no moment in which the core is ours alone.
const ON_TORUS = { walkers: 64, callSteps: 16_384 };
const UNBOUNDED = { walkers: 256, callSteps: 65_536 };
const SLOW_STEPS = 16_384; // steps of the only walker of a rival that makes an object per step
const SINGLES = 4_096; // calls per timed function
const SINGLE_SIZE = 512;
const CHECKED_STEPS = 4; // a walker can end on 61 cells
const CHECKED_WALKERS = 50_000;

export const steps = {
  name: "steps",
  unit: "step",
  cases: [
    ...[512, 2048, 8192].map(torus),
    { name: "unbounded", open: () => open(null) },
    { name: `torus ${SINGLE_SIZE} single`, open: oneByOne },
  ],
};

function torus(size) {
  return { name: `torus ${size}`, open: () => open(size) };
}

/** The exact law of the end cells, in the order of the counts. */
const LAW = uniformEnds(CHECKED_STEPS);
const CELLS = new Map([...LAW.keys()].map((cell, i) => [cell, i]));

/** Counts how many walkers ended on each cell. A coordinate on a torus is converted to a displacement from 0. */
function tallyEnds(ends, size) {
  const signed = (coordinate) => (size !== null && coordinate > size / 2 ? coordinate - size : coordinate);
  const counts = new Array(CELLS.size).fill(0);
  for (const [row, column] of ends) counts[CELLS.get(`${signed(row)},${signed(column)}`)]++;
  return counts;
}

async function open(size) {
  const party = size === null ? UNBOUNDED : ON_TORUS;
  const contenders = await Promise.all([
    rollmill("rollmill", size, party),
    c(size, party),
    apart("js", import.meta.url, "openJs", size, party),
    ...(size === 512 ? [honeycomb(size)] : []),
    ...(size === null ? [rollmill("rollmill, torus 512", 512, party)] : []),
  ]);
  return { law: [...LAW.values()], draws: CHECKED_WALKERS, contenders: contenders.filter(Boolean) };
}

/** One walker. Each call takes one step and returns the position as an object. */
async function oneByOne() {
  const { step } = ours(await import("rollmill"))
    .walk({ size: SINGLE_SIZE, walkers: 1 })
    .start();
  const contenders = [calls("rollmill", step), apart("js", import.meta.url, "openJsSingles")];
  return { law: [...LAW.values()], draws: CHECKED_WALKERS, contenders };
}

/** Opens the contender `js` of {@link oneByOne}, which runs in a separate process. */
export async function openJsSingles() {
  const { jsSteps } = await import("../rivals/js/steps.mjs");
  return calls("js", jsSteps({ grid: { rows: SINGLE_SIZE, columns: SINGLE_SIZE }, tensor: UNIFORM, walkers: 1 }).step);
}

/** A contender that is called once per step. For the check, it goes on, and every few steps are a walk of their own. */
function calls(name, step) {
  const loop = keepLoop(step);
  const displacement = (from, to) => (to - from + SINGLE_SIZE) % SINGLE_SIZE;
  return {
    name,
    ops: SINGLES,
    run: () => loop(SINGLES).row,
    sample(draws) {
      let from = step();
      const ends = Array.from({ length: draws }, () => {
        const to = Array.from({ length: CHECKED_STEPS }, step).at(-1);
        const end = [displacement(from.row, to.row), displacement(from.col, to.col)];
        from = to;
        return end;
      });
      return tallyEnds(ends, SINGLE_SIZE);
    },
  };
}

async function rollmill(name, size, { walkers, callSteps }) {
  const library = ours(await import("rollmill"));
  const walk = library.walk({ size, walkers });
  const kept = size === null ? null : walk.start();
  return {
    name,
    reference: name !== "rollmill",
    ops: walkers * callSteps,
    run() {
      if (kept !== null) return kept.advance(callSteps);
      const fresh = walk.start();
      const done = fresh.advance(callSteps);
      fresh.dispose();
      return done;
    },
    sample(draws) {
      const checked = library.walk({ size, walkers: draws }).start();
      checked.advance(CHECKED_STEPS);
      return tallyEnds(checked.ends(), size);
    },
  };
}

async function c(size, { walkers, callSteps }) {
  const { cRival } = await import("../rivals/c.mjs");
  const grid = size === null ? [0, 0] : [size, size];
  const load = [...grid, walkers, callSteps, ...UNIFORM.absolute, ...UNIFORM.relative].join(" ");
  const pairs = (numbers) => numbers.flatMap((row, i) => (i % 2 === 0 ? [[row, numbers[i + 1]]] : []));
  const count = (numbers) => tallyEnds(pairs(numbers), size);
  const rival = await cRival("steps", load, { count });
  return rival && { ...rival, sample: (draws) => rival.sample(draws, CHECKED_STEPS) };
}

/** Opens the contender `js` of {@link open}, which runs in a separate process. */
export async function openJs(size, { walkers, callSteps }) {
  const { jsSteps } = await import("../rivals/js/steps.mjs");
  const grid = size === null ? null : { rows: size, columns: size };
  const rival = jsSteps({ grid, tensor: UNIFORM, walkers });
  return {
    name: "js",
    ops: walkers * callSteps,
    run: () => rival.advance(callSteps),
    sample: (draws) => tallyEnds(rival.ends(draws, CHECKED_STEPS), size),
  };
}

async function honeycomb(size) {
  const { honeycombSteps } = await import("../rivals/npm/steps.mjs");
  const rival = honeycombSteps({ size, tensor: UNIFORM });
  return {
    name: "honeycomb-grid",
    npm: true,
    ops: SLOW_STEPS,
    run: () => rival.advance(SLOW_STEPS),
    sample: (draws) => tallyEnds(rival.ends(draws, CHECKED_STEPS), size),
  };
}
