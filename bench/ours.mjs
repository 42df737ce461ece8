// Every call of Rollmill that the bench makes. A change of the library's calls is a change of this file alone, and of
// against/before.mjs, which has the calls of the release to compare with.

const SEED = "bench";
const MOST_SLOTS = 8; // of an object

/**
 * The loops of the library that are timed, and what their checks need. `library` is the main module of a built checkout.
 * All outputs belong to the caller, who passes them again and again.
 */
export function ours({ createMill }) {
  const mill = () => createMill({ seed: SEED });

  return {
    /** Random words, from index 0 on. */
    words() {
      const stream = mill().stream("fill");
      let from = 0;
      return {
        fill(out) {
          stream.wordsInto(out, { from });
          from += out.length;
        },
      };
    },

    /** A weighted list. */
    list(weights) {
      const list = mill().weighted("picks", weights);
      return { pick: () => list.pick(), pickInto: (out) => list.pickInto(out) };
    },

    /** A table whose scripts all have the same weight. A roll without a result is null, and the id `results.length`. */
    table(text, scriptWeight) {
      const opened = mill();
      const { scriptIds } = opened.table("script ids", text);
      const weights = Object.fromEntries(scriptIds.map((id) => [id, scriptWeight]));
      const table = opened.table("rolls", text, { weights });
      return {
        roll: () => table.roll(),
        rollInto: (out) => table.rollInto(out),
        rollMany: (n) => table.rollMany(n),
        count(n) {
          return table.count(n);
        },
      };
    },

    /** Walkers with a uniform tensor from cell 0,0 of a torus of size × size cells, or of an unbounded map (null). */
    walk({ size, walkers }) {
      const grid = size === null ? { kind: "unbounded" } : { kind: "torus", rows: size, cols: size };
      const walk = mill().walk("steps", { grid, preset: "uniform", walkers });
      return {
        start() {
          const run = walk.start();
          return {
            advance: (steps) => run.advance(steps).steps,
            ends: () => Array.from(run.positions(), ({ row, col }) => [row, col]),
            dispose: () => run.dispose(),
          };
        },
      };
    },

    /** A finite pool; its records have the indices of their masses as ids. */
    pool(masses, { quantity, subpools = {} }) {
      const family = mill().pools("bench");
      const records = masses.map((mass, id) => ({ id, mass, quantity }));
      const pool = family.registerRoot("pool", { kind: "finite", records, subpools });
      return { drawInto: (out) => pool.drawInto(out), putBack: (record) => pool.return(record) };
    },

    /** An infinite pool. */
    infinitePool(masses) {
      const family = mill().pools("infinite");
      const records = masses.map((mass, id) => ({ id, mass }));
      const pool = family.registerRoot("pool", { kind: "infinite", records });
      return { drawInto: (out) => pool.drawInto(out) };
    },

    /** The columns of so many weapons, and a call that fills them with the next ones. */
    weapons(length, options = {}) {
      const recipe = mill().recipe("weapon");
      const items = recipe.makeMany(length, options);
      return { items, make: () => recipe.makeInto(items, options) };
    },

    /** A call that makes the next `length` good objects at `level`, always into the same columns. */
    objects(texts, { level, length, seed = SEED }) {
      const maker = createMill({ seed }).objects("drops", texts);
      let from = 0;
      const made = maker.makeMany(length, { level, good: true, from });
      return {
        make() {
          from = from + 2 * length > 2 ** 32 ? 0 : from + length;
          return maker.makeInto(made, { level, good: true, from });
        },
      };
    },
  };
}

// ── what objects need beside the calls: the parsed files and the exact odds ──

/** The parsed edit files, the position of each flag, and the odds of m_bonus. */
export async function objectSource(texts) {
  const { parseObjects } = await import("../dist/objects/index.js");
  const { FlagBits } = await import("../dist/objects/compile/flagBits.js");
  const { mBonusOdds } = await import("../dist/objects/compile/mBonus.js");
  const { spec: files, issues } = parseObjects(texts);
  if (files === undefined) throw new Error(issues[0].message);
  return { files, bits: new FlagBits(files.flags), mBonusOdds };
}

/** The library's exact odds of good objects at a level, as numbers. Affix levels are indices here. */
export async function objectOdds(files, level) {
  const library = await import("../dist/objects/odds.js");
  const { toNumber } = await import("../dist/fractions.js");
  const law = (query) => library.objectOdds(files, { level, ...query });
  const byResult = ({ odds }) => new Map(odds.map(({ result, probability }) => [result, toNumber(probability)]));
  const inOrder = (odds, results) => results.map((result) => byResult(odds).get(result) ?? 0);
  const slotNumbers = Array.from({ length: MOST_SLOTS + 1 }, (_, n) => n);
  const affixQuery = (kind, affixLevel) => ({
    of: "affix",
    kind: kind.number,
    affixLevel: files.levels[affixLevel],
  });
  return {
    /** By kind. */
    kinds: () => byResult(law({ of: "kind", good: true })),
    /** By affix level. */
    affixLevels: () => inOrder(law({ of: "affixLevel", good: true }), files.levels),
    /** By number of slots, 0 … 8, of a kind with the flag GOOD or without it; a file without such kinds has no such odds. */
    slots(kindHasGood) {
      const kind = files.kinds.find(({ tval, flags }) => tval !== 0 && flags.includes("GOOD") === kindHasGood);
      if (kind === undefined) return slotNumbers.map(() => 0);
      return inOrder(law({ of: "slots", good: true, kind: kind.number }), slotNumbers);
    },
    /** By affix, at a slot of an object without affixes, over all depths. */
    firstAffixes(kind, affixLevel) {
      const odds = law(affixQuery(kind, affixLevel));
      return { affixes: byResult(odds), none: toNumber(odds.none) };
    },
    /** The affixes that can come at a slot of a depth. */
    legalAffixes: (kind, affixLevel, depth) =>
      new Set(law({ ...affixQuery(kind, affixLevel), depth }).odds.map(({ result }) => result)),
    /** By theme, after the slot of `depth` was filled. */
    themes: (kind, depth, has) =>
      byResult(law({ of: "theme", kind: kind.number, depth, has: has.map(({ number }) => number) })),
  };
}

// ── what the budgets measure ──

/** A program: prints the milliseconds of the first createMill of its process. */
export const FIRST_MILL = `
import { createMill } from "rollmill";
const start = performance.now();
createMill({ seed: "${SEED}" });
console.log(performance.now() - start);`;

/** A program: prints the bytes by which its process grows, at its peak, while it makes 10^7 weapons and holds them. */
export const MANY_WEAPONS = `
import { createMill } from "rollmill";
const recipe = createMill({ seed: "${SEED}" }).recipe("weapon");
recipe.makeMany(1);
const before = process.memoryUsage.rss();
const items = recipe.makeMany(1e7);
if (items.length !== 1e7) throw new Error("too few");
console.log(process.resourceUsage().maxRSS * 1024 - before);`;

/** What a long unbounded walk adds to the memory of its layer: bytes, and the chunks of 64 × 64 cells that it touched. */
export async function walkMemory({ walkers, steps, firstVisit }) {
  const { createMill } = await import("rollmill");
  const spec = { preset: "uniform", walkers, grid: { kind: "unbounded" }, firstVisit };
  const run = createMill({ seed: SEED }).walk("memory", spec).start();
  const before = run.bytes;
  run.advance(steps / walkers);
  return { bytes: run.bytes - before, chunks: [...run.map().chunks()].length };
}

/** A new root: the bytes that it adds, the milliseconds until its first draw, and those of filling `out`. */
export async function rootCosts(root, seed, out) {
  const { createMill } = await import("rollmill");
  const mill = createMill({ seed });
  const pools = mill.pools("pools");
  const before = pools.bytes;
  const start = performance.now();
  const pool = pools.registerRoot("r", root);
  pool.draw();
  const built = performance.now();
  pool.drawInto(out);
  const drawn = performance.now();
  const bytes = pools.bytes - before;
  mill.dispose();
  return { bytes, build: built - start, draw: drawn - built };
}

/** A new maker of good objects: the bytes of its tables, the milliseconds until its first object, and those of `count` more. */
export async function makerCosts(files, { level, count, seed }) {
  const { ObjectMaker } = await import("../dist/objects/index.js");
  const { compileObjects } = await import("../dist/objects/compile.js");
  const { Kernel } = await import("../dist/kernel/index.js");
  const asked = { level, good: true };
  const kernel = new Kernel([seed, 0], 2 ** 30);
  const before = kernel.bytes;
  const start = performance.now();
  const maker = new ObjectMaker({ kernel, name: "drops", stream: 1, plan: compileObjects(files) });
  maker.make(asked);
  const built = performance.now();
  const bytes = kernel.bytes - before;
  maker.makeMany(count, asked);
  return { bytes, build: built - start, make: performance.now() - built };
}
