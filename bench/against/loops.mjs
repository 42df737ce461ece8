// The loops of Rollmill by which two checkouts are compared. They spend nearly all of their time in the kernel.

import { LEVEL, objectTexts } from "../inputs/objects.mjs";
import { largeTable, SCRIPT_WEIGHT, SEED_TABLE } from "../inputs/tables.mjs";
import { HEAVIEST_MASS, QUANTITY, weightsOf } from "../inputs/weights.mjs";
import { LAND } from "../inputs/worlds.mjs";

const BUFFER = 65_536; // number of words, picks, rolls, draws or weapons per call
const OBJECTS = 16_384; // number of objects per call
const ON_TORUS = { walkers: 64, steps: 262_144 };
const UNBOUNDED = { walkers: 256, steps: 65_536 };
const WINDOW = 256; // rows, and columns, of the window of a world

/**
 * A loop is {subject, name, ops, open(library), needs}. An older checkout without the file or folder `needs` has no such
 * loop. `library` is the object that ../ours.mjs or ./before.mjs returns.
 * open() returns a function that does `ops` operations per call and returns a checksum of their results.
 */
export const LOOPS = [
  { subject: "fill", name: "u32", ops: BUFFER, open: (library) => filling(library.words().fill) },
  ...[8, 1024, 65_536].map((n) => ({
    subject: "picks",
    name: `n=${n}`,
    ops: BUFFER,
    open: (library) => filling(library.list(weightsOf(n)).pickInto),
  })),
  { subject: "rolls", name: "seed", ops: BUFFER, open: (library) => rolls(library, SEED_TABLE) },
  { subject: "rolls", name: "large", ops: BUFFER, open: (library) => rolls(library, largeTable()) },
  ...[512, 8192].map((size) => ({
    subject: "steps",
    name: `torus ${size}`,
    ops: ON_TORUS.walkers * ON_TORUS.steps,
    open: (library) => onTorus(library, size),
  })),
  { subject: "steps", name: "unbounded", ops: UNBOUNDED.walkers * UNBOUNDED.steps, open: unbounded },
  ...[8, 64, 1024, 4096].map((n) => ({
    subject: "pools",
    name: `n=${n}`,
    ops: BUFFER,
    open: (library) => filling(library.pool(weightsOf(n, HEAVIEST_MASS), { quantity: QUANTITY }).drawInto),
  })),
  { subject: "recipes", name: "weapon", ops: BUFFER, open: weapons },
  { subject: "objects", name: `level ${LEVEL}, good`, ops: OBJECTS, open: objects },
  { subject: "worlds", name: "window 256", ops: WINDOW ** 2, open: worlds, needs: "dist/worlds" },
];

function filling(into) {
  const out = new Uint32Array(BUFFER);
  return () => {
    into(out);
    return sampled(out);
  };
}

function rolls(library, text) {
  const { rollInto } = library.table(text, SCRIPT_WEIGHT);
  const out = new Uint16Array(BUFFER);
  return () => {
    rollInto(out);
    return sampled(out);
  };
}

/** The walkers continue where the last call ended. */
function onTorus(library, size) {
  const run = library.walk({ size, walkers: ON_TORUS.walkers }).start();
  return () => {
    run.advance(ON_TORUS.steps);
    return sampled(run.ends().flat());
  };
}

/** Every call makes a new map and allocates its memory again. */
function unbounded(library) {
  const walk = library.walk({ size: null, walkers: UNBOUNDED.walkers });
  return () => {
    const run = walk.start();
    run.advance(UNBOUNDED.steps);
    const sum = sampled(run.ends().flat());
    run.dispose();
    return sum;
  };
}

function weapons(library) {
  const { items, make } = library.weapons(BUFFER);
  return () => {
    make();
    return sampled(items.stats.str) + sampled(items.words.type);
  };
}

function objects(library) {
  const { make } = library.objects(objectTexts(), { level: LEVEL, length: OBJECTS });
  return () => {
    const made = make();
    return sampled(made.kind) + sampled(made.affixes) + sampled(made.pvals);
  };
}

/** Windows of one world that are far apart. */
function worlds(library) {
  const world = library.world(LAND);
  let made = 0;
  return () => {
    const { terrain, placements } = world.window([0, (made++ % 1024) * 64 * WINDOW], WINDOW, {});
    return sampled(terrain) + placements.length;
  };
}

/** A checksum of a few hundred of the values, which depends on their order. */
function sampled(values) {
  const stride = Math.max(1, Math.floor(values.length / 256));
  let sum = 0;
  for (let k = 0; k < values.length; k += stride) sum += values[k] * (1 + (k % 97));
  return sum;
}
