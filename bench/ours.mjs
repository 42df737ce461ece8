// All calls of Rollmill that the bench makes. If the names or arguments of the library change, only this file of the
// bench changes. against/before.mjs calls an older checkout, whose names differ.

import { windowOf } from "./against/before.mjs";
import { SCRIPT_WEIGHT, SEED_TABLE } from "./inputs/tables.mjs";
import { SIDE, STEPS, TABLE, WALKERS, WEIGHTS } from "./inputs/threads.mjs";

const SEED = "bench";
const WORLD = "world";
const LONG_WALKERS = 64; // walkers of a long walk
const FAR_ROWS = 2 ** 16; // number of rows between parts of a world that are far apart
const SINGLES = 10_000; // number of single results in a round
const SINGLE_ROUNDS = 7;
const MOST_SLOTS = 8; // maximum number of slots of an object

/**
 * The loops of the library that are timed, and the calls that their checks need. The argument is the main module of a
 * built checkout. The caller owns all output buffers and passes them again to each call.
 */
export function ours({ createMill }) {
  const mill = () => createMill({ seed: SEED });

  return {
    /** Random words, starting at index 0. */
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

    /**
     * A table whose scripts all have the same weight. A roll without a result is null and has the id `results.length`.
     */
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

    /**
     * Counts the results of the subject `threads` in one thread: how often each result occurs, or all visits. Of several
     * such threads, each has a share of the walkers, and other picks and rolls.
     */
    counted(name, thread = 0, threads = 1) {
      const noun = countedNoun(mill(), name);
      const share = Math.max(1, WALKERS / threads);
      if (name === "steps") {
        const walkers = { from: thread * share, to: (thread + 1) * share };
        return { count: () => [noun.runLayer({ walkers }).visits] };
      }
      noun.next = thread * 2 ** 38;
      return { count: (n) => countsOf(noun.count(n), name) };
    },

    /**
     * Walkers that start on cell 0,0 with a uniform tensor, on a torus of size × size cells or, if size is null,
     * unbounded.
     */
    walk({ size, walkers }) {
      const grid = size === null ? { kind: "unbounded" } : { kind: "torus", rows: size, cols: size };
      const walk = mill().walk("steps", { grid, preset: "uniform", walkers });
      return {
        start() {
          const run = walk.start();
          return {
            advance: (steps) => run.advance(steps).steps,
            step: () => run.advance(1).position(0),
            ends: () => Array.from(run.positions(), ({ row, col }) => [row, col]),
            dispose: () => run.dispose(),
          };
        },
      };
    },

    /**
     * The displacements, as [rows, columns], of the walkers of a region of a scattered layer with a uniform tensor.
     */
    scatteredEnds({ walkers, steps, side }) {
      const layers = [{ name: "layer", preset: "uniform", scatter: { side, walkers }, steps }];
      const run = mill()
        .walk("scattered", { grid: { kind: "unbounded" }, layers })
        .start({ layer: "layer", region: [0, 0] });
      const cells = () => Array.from(run.positions(), ({ row, col }) => [row, col]);
      const starts = cells();
      run.advance(steps);
      return cells().map(([row, col], walker) => [row - starts[walker][0], col - starts[walker][1]]);
    },

    /** A world. A window is a square, given by its first cell and its side. */
    world(spec) {
      const opened = (world) => ({
        fork: (id) => opened(world.fork(id)),
        dispose: () => world.dispose(),
        window([row, col], size, options) {
          const cells = { row0: row, col0: col, rows: size, cols: size };
          const { terrain, placements } = windowOf(world, cells, options);
          const { rows, cols, length } = placements;
          return {
            terrain,
            placements,
            get villages() {
              return Array.from({ length }, (_, k) => [rows[k], cols[k]]);
            },
          };
        },
      });
      return opened(mill().world(WORLD, spec));
    },

    /** A finite pool. The id of a record is its index in the list of masses. */
    pool(masses, { quantity, subpools = {} }) {
      const family = mill().pools("bench");
      const records = masses.map((mass, id) => ({ id, mass, quantity }));
      const pool = family.registerRoot("pool", { kind: "finite", records, subpools });
      return {
        draw: () => pool.draw(),
        drawInto: (out) => pool.drawInto(out),
        putBack: (record) => pool.return(record),
      };
    },

    /** An infinite pool. */
    infinitePool(masses) {
      const family = mill().pools("infinite");
      const records = masses.map((mass, id) => ({ id, mass }));
      const pool = family.registerRoot("pool", { kind: "infinite", records });
      return { drawInto: (out) => pool.drawInto(out) };
    },

    /** The columns of a fixed number of weapons, and a call that fills them with the next weapons. */
    weapons(length, options = {}) {
      const recipe = mill().recipe("weapon");
      const items = recipe.makeMany(length, options);
      return { items, make: () => recipe.makeInto(items, options) };
    },

    /** The shipped weapon, one item per call. */
    weapon() {
      const recipe = mill().recipe("weapon");
      return { makeOne: () => recipe.make() };
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
        makeOne: () => maker.make({ level, good: true }),
      };
    },
  };
}

// ── threads ──

/** Counts the results of the subject `threads` in threads, as `counted` does in one thread. */
export async function threads(name, number) {
  const { openThreads } = await import("rollmill/threads");
  const mill = await openThreads({ seed: SEED, threads: number });
  const noun = countedNoun(mill, name);
  const calls = mill.inThreads(noun);
  if (name === "steps") return { count: async () => [(await calls.run()).total.visits] };
  return { count: async (n) => countsOf(await calls.count(n), name) };
}

function countedNoun(mill, name) {
  if (name in WEIGHTS) return mill.weighted(name, WEIGHTS[name]);
  if (name === "steps") {
    const grid = { kind: "torus", rows: SIDE, cols: SIDE };
    return mill.walk(name, { grid, preset: "uniform", walkers: WALKERS, steps: STEPS });
  }
  const { scriptIds } = mill.table("script ids", SEED_TABLE);
  return mill.table(name, SEED_TABLE, { weights: Object.fromEntries(scriptIds.map((id) => [id, SCRIPT_WEIGHT])) });
}

/** How often each result of the law occurs. */
function countsOf({ counts, none }, name) {
  if (name in WEIGHTS) return [...counts.values()];
  return [...TABLE.results.map((result) => counts.get(result) ?? 0), none];
}

// ── objects: the parsed files and the exact odds ──

/** The parsed edit files, the position of each flag, and the odds of m_bonus. */
export async function objectSource(texts) {
  const { parseObjects } = await import("../build/modules/objects/index.js");
  const { FlagBits } = await import("../build/modules/objects/law/flagBits.js");
  const { mBonusOdds } = await import("../build/modules/objects/law/mBonus.js");
  const { spec: files, issues } = parseObjects(texts);
  if (files === undefined) throw new Error(issues[0].message);
  return { files, bits: new FlagBits(files.flags), mBonusOdds };
}

/** The library's exact odds of good objects at a level, as doubles. An affix level is given by its index. */
export async function objectOdds(files, level) {
  const library = await import("../build/modules/objects/odds.js");
  const { toNumber } = await import("../build/modules/fractions.js");
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
    /** The probability of each kind. */
    kinds: () => byResult(law({ of: "kind", good: true })),
    /** The probability of each affix level. */
    affixLevels: () => inOrder(law({ of: "affixLevel", good: true }), files.levels),
    /**
     * The probability of each number of slots, 0 … 8, for kinds with or without the flag GOOD; all 0 without such
     * kinds.
     */
    slots(kindHasGood) {
      const kind = files.kinds.find(({ tval, flags }) => tval !== 0 && flags.includes("GOOD") === kindHasGood);
      if (kind === undefined) return slotNumbers.map(() => 0);
      return inOrder(law({ of: "slots", good: true, kind: kind.number }), slotNumbers);
    },
    /** The probability of each affix in a slot of an object that has no affixes yet, over all depths of the slot. */
    firstAffixes(kind, affixLevel) {
      const odds = law(affixQuery(kind, affixLevel));
      return { affixes: byResult(odds), none: toNumber(odds.none) };
    },
    /** The affixes that are possible in a slot of this depth. */
    legalAffixes: (kind, affixLevel, depth) =>
      new Set(law({ ...affixQuery(kind, affixLevel), depth }).odds.map(({ result }) => result)),
    /** The probability of each theme after a slot of this depth was filled. */
    themes: (kind, depth, has) =>
      byResult(law({ of: "theme", kind: kind.number, depth, has: has.map(({ number }) => number) })),
  };
}

// ── worlds ──

/**
 * The keys of a world's random words, as pairs of u32: those of the layers, and those of the words of cells, first for
 * the chance of the terrain "forest", then for the placements "village".
 */
export async function worldKeys({ layers }) {
  const { forkKey, nameKey, seedKey } = await import("../build/modules/address.js");
  const pair = ({ k0, k1 }) => [k0 >>> 0, k1 >>> 0];
  const seed = seedKey(SEED);
  const fork = (...ids) => pair(ids.reduce((key, id) => forkKey(key, id), nameKey(seed, WORLD)));
  return {
    layers: layers.map(({ name }) => pair(nameKey(seed, `${WORLD}/${name}`))),
    cells: [fork("terrain", "forest", 0), fork("placements", "village")],
  };
}

// ── jobs ──

/**
 * Calls that make a job, in a new folder. The input has the world, or names a file of examples/.
 *
 * @returns make(folder, options): the digest of the job and the number of cells of each terrain; removeNow(folder).
 */
export async function jobs({ worldFile, ...rest }) {
  const { rmSync } = await import("node:fs");
  const { createJob, loadJob } = await import("../dist/jobs/index.js");
  const source = worldFile === undefined ? rest : await loaded(loadJob, { world: worldFile, ...rest });
  return {
    async make(folder, { threads, maxMemory }) {
      const job = await createJob(folder, source, { seed: SEED, now: "2026-01-01T00:00" });
      const { digest, totals } = await job.run({ threads, maxMemory });
      return { digest, counts: Object.values(totals.terrain) };
    },
    removeNow: (folder) => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Opens a finished job, and returns a function that exports it in one thread. */
export async function exportsOf(folder) {
  const { exportJob, openJob } = await import("../dist/jobs/index.js");
  const job = await openJob(folder);
  return (kind, options) => exportJob(job, kind, { threads: 1, ...options });
}

/** The chunks in the shards among the files of a Zarr group, with their compressor. */
export async function zstdFrames(files) {
  const { readZarrShard } = await import("rollmill/formats");
  const { zstdCodec } = await import("../build/modules/formats/zstd.js");
  const zstd = await zstdCodec();
  const side = 256; // cells along each side of a chunk
  const pieces = [];
  for (const { path, bytes } of files.filter(({ path }) => !path.endsWith(".json"))) {
    const cells = await readZarrShard(bytes, { dataType: path.includes("visits") ? "uint32" : "uint8", file: path });
    for (let at = 0; at < cells.length; at += side ** 2)
      pieces.push(new Uint8Array(cells.slice(at, at + side ** 2).buffer));
  }
  return {
    async encode() {
      for (const piece of pieces) await zstd.encode(piece);
    },
  };
}

/** A job whose world is a file of examples/. */
async function loaded(loadJob, job) {
  const { readFile } = await import("node:fs/promises");
  const examples = new URL("../examples/", import.meta.url);
  const read = (file) => readFile(new URL(file, examples), "utf8").catch(() => undefined);
  const text = JSON.stringify(job);
  const { spec, issues } = await loadJob("bench.json", (file) => (file === "bench.json" ? text : read(file)));
  if (spec === undefined) throw new Error(issues[0].message);
  return spec;
}

/**
 * The phases of a finished job that run in the kernel, in order: walks, then cells. `list` has the tasks of a phase in the
 * order of the job, and memoryFor(threads) has them for some threads.
 */
export async function kernelPhases(folder) {
  const { inWedges } = await import("../build/modules/jobs/runner/pieces.js");
  const { phasesOf } = await import("../build/modules/jobs/plan/phases.js");
  const { job, tables } = await jobContext(folder, 2 ** 30);
  return phasesOf(job)
    .filter(({ kind }) => kind === "walk" || kind === "cells")
    .map((phase) => {
      const list = tables.tasks(phase).map(({ k }) => k);
      const sectorOf = (k) => tables.sectors[k];
      const arranged = (threads) => (phase.kind === "cells" ? inWedges(list, threads, sectorOf) : list);
      return { phase, list, memoryFor: (threads) => sharedTasks(arranged(threads), threads) };
    });
}

/** Tasks that threads share: an equal piece of the list for each thread, and in `next` the first task of it that is left. */
function sharedTasks(list, threads) {
  const starts = Array.from({ length: threads + 1 }, (_, p) => Math.ceil((p * list.length) / threads));
  const next = new Int32Array(new SharedArrayBuffer(4 * threads));
  next.set(starts.slice(0, threads));
  return { list, ends: starts.slice(1), next };
}

/** Yields the tasks that a thread gets: its own piece, then what is left of the others. */
function* tasksOf({ list, ends, next }, thread) {
  for (let piece = 0; piece < ends.length; piece++) {
    const p = (thread + piece) % ends.length;
    for (let at = Atomics.add(next, p, 1); at < ends[p]; at = Atomics.add(next, p, 1)) yield list[at];
  }
}

async function jobContext(folder, maxMemory) {
  const { TaskContext } = await import("../build/modules/jobs/tasks/context.js");
  const { openManifest } = await import("../build/modules/jobs/folder/manifest.js");
  const { FolderStore } = await import("../build/modules/jobs/folder/store.js");
  return new TaskContext(await openManifest(new FolderStore(folder)), maxMemory, undefined);
}

/** What one thread does of a finished job without writing parts. Each run begins with {@link open}. */
export async function kernelTasks(folder, { maxMemory }) {
  const { shardOf } = await import("../build/modules/jobs/plan/phases.js");
  const { cellsOfSector } = await import("../build/modules/jobs/plan/sectors.js");
  let context;

  /** Reads the maps of finite layers into memory. */
  function readMaps({ job, tables, maps }) {
    for (const [layer, { scatter }] of job.plan.walk.layers.entries()) {
      if (scatter !== undefined) continue;
      const { chunkAt } = maps.map(layer);
      for (const { i, j } of tables.merged(layer)) chunkAt(16 * i, 16 * j);
    }
  }

  function walk(context, { layer }, k) {
    const { job } = context;
    const plan = job.plan.walk.layers[layer];
    const walkers = shardOf(plan.walkers, job.manifest.shards[plan.name], k);
    for (const _ of context.shards(layer).run({ walkers }));
  }

  function cells({ job, world, tables }, k) {
    const sector = cellsOfSector(tables.sectors[k], tables.extent);
    return world.window(sector, { visits: job.manifest.visits }).terrain;
  }

  // a plain loop: in a for…of loop, counting would take longer
  function count(terrain, counts) {
    for (let c = 0; c < terrain.length; c++) counts[terrain[c]]++;
  }

  return {
    async open() {
      context?.dispose();
      context = await jobContext(folder, maxMemory);
      readMaps(context);
      context.world;
    },

    /** Does the tasks of one phase that this thread gets. Returns the number of cells of each terrain. */
    run({ phase, tasks, thread }) {
      const counts = new Array(256).fill(0);
      for (const k of tasksOf(tasks, thread)) {
        if (phase.kind === "walk") walk(context, phase, k);
        else count(cells(context, k), counts);
      }
      return counts.slice(0, context.job.spec.terrains.length);
    },

    /** Does some tasks of a phase, which every thread does for itself. Returns no counts. */
    runAlone({ phase, list }) {
      for (const k of list) {
        if (phase.kind === "walk") walk(context, phase, k);
        else cells(context, k);
      }
      return [];
    },
  };
}

// ── exports ──

/** The writers of a square map. Each returns what is written: files by path, the bytes of a file, or its text. */
export async function exporters() {
  const { pngChunks, tiledMap, zarrArray, zarrShard, zarrShardPath } = await import("rollmill/formats");
  const side = 1024; // cells along each side of a shard, and rows of a band
  return {
    async zarr(shards, size) {
      const dataType = shards[0].cells.BYTES_PER_ELEMENT === 1 ? "uint8" : "uint32";
      const files = new Map([["/zarr.json", new TextEncoder().encode(zarrArray({ shape: [size, size], dataType }))]]);
      for (const { row, col, cells } of shards) {
        files.set(`/${zarrShardPath(row / side, col / side)}`, await zarrShard(cells));
      }
      return files;
    },

    async png(cells, size) {
      const bands = Array.from({ length: size / side }, (_, k) =>
        cells.subarray(k * side * size, (k + 1) * side * size),
      );
      const pieces = [];
      for await (const piece of pngChunks({ width: size, height: size }, bands)) pieces.push(piece);
      return Buffer.concat(pieces);
    },

    async tiled(sectors, terrainCount) {
      const terrains = Array.from({ length: terrainCount }, (_, i) => ({ name: `${i}`, color: [i, i, i] }));
      const pieces = [];
      for await (const piece of tiledMap({ terrains, layers: [{ name: "terrain", sectors }] })) {
        pieces.push(piece);
      }
      return pieces.join("");
    },
  };
}

// ── measurements for the budgets ──

/** The source of a program that prints the time of the first createMill of its process in milliseconds. */
export const FIRST_MILL = `
import { createMill } from "rollmill";
const start = performance.now();
createMill({ seed: "${SEED}" });
console.log(performance.now() - start);`;

/**
 * The source of a program whose `report` gets the time from its import of `library` to the first window of a world, in
 * milliseconds.
 */
export const firstWindow = ({ library, spec, report }) => `
import { createMill } from "${library}";
const start = performance.now();
createMill({ seed: "${SEED}" })
  .world("${WORLD}", ${JSON.stringify(spec)})
  .window({ row0: 0, col0: 0, rows: 256, cols: 256 });
const time = performance.now() - start;
${report}`;

/** The program whose CPU time is that of an import and a first pick. */
export const FIRST_PICK = `
import { createMill } from "rollmill";
createMill({ seed: "${SEED}" }).weighted("rarity", [100, 25, 5, 1]).pick();`;

/** The time of the exact odds of a table in milliseconds. */
export async function oddsTime(table) {
  const { createMill } = await import("rollmill");
  const mill = createMill({ seed: SEED });
  const rolled = mill.table("odds", table, { script: () => SCRIPT_WEIGHT });
  const start = performance.now();
  rolled.odds({ maxWork: 1e10 });
  const time = performance.now() - start;
  mill.dispose();
  return time;
}

/** The time of the exact odds of a whole object in milliseconds. `texts` are the texts of edit files. */
export async function wholeOddsTime(texts, query) {
  const { createMill } = await import("rollmill");
  const mill = createMill({ seed: SEED });
  const maker = mill.objects("odds", texts);
  const start = performance.now();
  const { unexplored } = maker.odds({ of: "object", ...query });
  const time = performance.now() - start;
  if (unexplored.numerator > 0n) throw new Error("the odds are bounds");
  mill.dispose();
  return time;
}

/**
 * The source of a program that makes 10^7 weapons, keeps them, and prints the growth of its process in bytes at its
 * peak.
 */
export const MANY_WEAPONS = `
import { createMill } from "rollmill";
const recipe = createMill({ seed: "${SEED}" }).recipe("weapon");
recipe.makeMany(1);
const before = process.memoryUsage.rss();
const items = recipe.makeMany(1e7);
if (items.length !== 1e7) throw new Error("too few");
console.log(process.resourceUsage().maxRSS * 1024 - before);`;

/**
 * The source of a program that prints the costs of forks as JSON: microseconds for a new fork and its first item or roll,
 * medians of several rounds, and the growth of the heap in bytes by 10^5 forks that are kept. It needs --expose-gc.
 */
export const FORKS = `
import { createMill } from "rollmill";
const mill = createMill({ seed: "${SEED}" });
const recipe = mill.recipe("weapon");
const text = ${JSON.stringify(SEED_TABLE)};
const ids = mill.table("script ids", text).scriptIds;
const table = mill.table("loot", text, { weights: Object.fromEntries(ids.map((id) => [id, ${SCRIPT_WEIGHT}])) });
let id = 0;
const microseconds = (calls, make) => {
  const rounds = Array.from({ length: 15 }, () => {
    const start = performance.now();
    for (let i = 0; i < calls; i++) make(id++);
    return ((performance.now() - start) * 1000) / calls;
  });
  return rounds.sort((a, b) => a - b)[7];
};
const item = microseconds(2000, (k) => recipe.fork(k).make());
const roll = microseconds(10000, (k) => table.fork(k).roll());
recipe.make({ at: 0 });
gc();
const before = process.memoryUsage();
const kept = Array.from({ length: 1e5 }, (_, k) => recipe.fork("kept " + k));
for (const fork of kept) fork.make();
gc();
const { heapUsed, external } = process.memoryUsage();
if (kept.length !== 1e5) throw new Error("too few");
console.log(JSON.stringify({ item, roll, bytes: heapUsed + external - before.heapUsed - before.external }));`;

/**
 * The time of one result at a random index in microseconds, by system. Each is the median of several rounds.
 *
 * @param texts - the edit files of the objects.
 */
export async function singleTimes(texts) {
  const { createMill } = await import("rollmill");
  const mill = createMill({ seed: SEED });
  const records = Array.from({ length: 64 }, (_, i) => ({ id: i, mass: i + 1, quantity: 9 }));
  const list = mill.weighted(
    "list",
    Array.from({ length: 1024 }, (_, i) => i + 1),
  );
  const entries = mill.weighted("entries", [
    { result: "gold", weight: 70, quantity: "2d6+1" },
    { result: "gem", weight: 5, quantity: "1-3" },
  ]);
  const { scriptIds } = mill.table("script ids", SEED_TABLE);
  const weights = Object.fromEntries(scriptIds.map((id) => [id, SCRIPT_WEIGHT]));
  const table = mill.table("rolls", SEED_TABLE, { weights });
  const pools = mill.pools("pools", { roots: { finite: { kind: "finite", records } } });
  const infinite = mill.pools("infinite", {
    roots: { infinite: { kind: "infinite", records: records.map(({ id, mass }) => ({ id, mass })) } },
  });
  const weapon = mill.recipe("weapon");
  const maker = mill.objects("drops", texts);
  const walk = mill.walk("walk", { preset: "five-ways" });
  const [finitePool, infinitePool] = [pools.pool("finite"), infinite.pool("infinite")];
  const singles = {
    "a pick": (at) => list.pick({ at }),
    "a pick with a quantity": (at) => entries.pick({ at }),
    "a roll": (at) => table.roll({ at }),
    "a draw from an infinite pool": (at) => infinitePool.draw({ at }),
    "a look at the next draw": () => finitePool.peek(),
    "a weapon": (at) => weapon.make({ at }),
    "an object": (at) => maker.make({ level: 30, at }),
    "a great object": (at) => maker.make({ level: 30, great: true, at }),
    "the odds of a step": () => walk.odds({ heading: "E" }),
  };
  const indices = mill.stream("indices").words(SINGLES);
  const times = Object.entries(singles).map(([name, make]) => {
    const rounds = Array.from({ length: SINGLE_ROUNDS }, () => {
      const start = performance.now();
      // the high bits of the index too: 42 bits in all
      for (const word of indices) make(word * 1023);
      return ((performance.now() - start) * 1000) / SINGLES;
    });
    return { name, microseconds: rounds.sort((a, b) => a - b)[SINGLE_ROUNDS >> 1] };
  });
  mill.dispose();
  return times;
}

/**
 * The bytes that a long unbounded walk adds to the memory of its layer, and the number of 64 × 64 chunks that it
 * visits.
 */
export async function walkMemory({ walkers, steps, firstVisit }) {
  const { createMill } = await import("rollmill");
  const spec = { preset: "uniform", walkers, grid: { kind: "unbounded" }, firstVisit };
  const run = createMill({ seed: SEED }).walk("memory", spec).start();
  const before = run.bytes;
  run.advance(steps / walkers);
  return { bytes: run.bytes - before, chunks: [...run.map().chunks()].length };
}

/** Number of results in a batch that is written, as in the command. */
const BATCH = 2 ** 16;

/**
 * The time in milliseconds in which `count` results of `make(count)` are written to memory: their columns, and all bytes
 * of the file. Making the results is not timed.
 *
 * @param format - "parquet" or "csv".
 */
export async function writerTime(make, { format, count }) {
  const { csvChunks, parquetChunks } = await import("rollmill/formats");
  let making = 0;
  function* batches() {
    for (let from = 0; from < count; from += BATCH) {
      const start = performance.now();
      const made = make(Math.min(BATCH, count - from));
      making += performance.now() - start;
      yield made.columns();
    }
  }
  let bytes = 0;
  const start = performance.now();
  for (const chunk of format === "csv" ? csvChunks(batches()) : parquetChunks(batches())) bytes += chunk.length;
  if (bytes === 0) throw new Error("nothing was written");
  return performance.now() - start - making;
}

/** Calls that make the next `count` weapons, or the next good objects at a level. */
export async function makers({ texts, level }) {
  const { createMill } = await import("rollmill");
  const mill = createMill({ seed: SEED });
  const recipe = mill.recipe("weapon");
  const maker = texts === undefined ? undefined : mill.objects("drops", texts);
  return {
    weapons: (count) => recipe.makeMany(count),
    objects: (count) => maker.makeMany(count, { level, good: true }),
  };
}

/**
 * For a walk of `steps` steps on a torus of size × size cells: the time of the walk and its map, of a picture of the map
 * with one pixel for each cell, and of the map's digest, in milliseconds.
 */
export async function mapCosts({ size, walkers, steps, seed }) {
  const { createMill } = await import("rollmill");
  const { toPng } = await import("rollmill/formats");
  const mill = createMill({ seed });
  const grid = { kind: "torus", rows: size, cols: size };
  const walk = mill.walk("map", { grid, preset: "uniform", walkers, steps: steps / walkers });
  const start = performance.now();
  const { total } = walk.run();
  const walked = performance.now();
  toPng(total, { pixelsPerCell: 1 });
  const drawn = performance.now();
  total.digest();
  const hashed = performance.now();
  mill.dispose();
  return { walk: walked - start, png: drawn - walked, digest: hashed - drawn };
}

/**
 * Measurements of one world, each of a part of the world that is far from all parts before it. All times are in
 * milliseconds.
 */
export async function worldTimes(spec) {
  const { createMill } = await import("rollmill");
  const world = createMill({ seed: SEED }).world(WORLD, spec);
  // the same world, but its cache keeps only the regions that were made last: it has no memory, as if finite layers took
  // all of it
  const forgetful = createMill({ seed: SEED }).world(WORLD, spec);
  const square = (row0, col0, side) => ({ row0, col0, rows: side, cols: side });
  forgetful.useMaps({ bytes: Number.POSITIVE_INFINITY, run() {} });
  let parts = 0;
  const nextRow = () => FAR_ROWS * parts++;
  const time = (make) => {
    const start = performance.now();
    make();
    return performance.now() - start;
  };
  return {
    /**
     * A window of size × size cells whose layers have been walked: its terrain, its placements and the window itself. The
     * window is made once before. Then the region above it takes its place in the cache.
     */
    terrain({ size, side }) {
      const row = nextRow();
      forgetful.window(square(row, 0, size));
      forgetful.window(square(row - side, 0, side));
      return time(() => forgetful.window(square(row, 0, size)));
    },

    /** A window of size × size cells that moves `moves` times by `by` columns: all moves together. */
    moving({ size, by, moves }) {
      const row = nextRow();
      world.window(square(row, 0, size));
      return time(() => {
        for (let move = 1; move <= moves; move++) world.window(square(row, move * by, size));
      });
    },

    /** A window of size × size cells with the values of all fields. */
    fields({ size }) {
      const row = nextRow();
      const fields = world.fields.map(({ name }) => name);
      return time(() => world.window(square(row, 0, size), { fields }));
    },

    /** A window of size × size cells with the visits of all layers. */
    visits({ size }) {
      const row = nextRow();
      const visits = spec.layers.map(({ name }) => name);
      return time(() => world.window(square(row, 0, size), { visits }));
    },

    /** A picture of size × size cells, which have been made. */
    picture({ size, ...options }) {
      const row = nextRow();
      world.picture(square(row, 0, size), options);
      return time(() => world.picture(square(row, 0, size), options));
    },

    /** A region of side × side cells whose eight neighbours have been made. */
    region({ side }) {
      const i = nextRow() / side;
      for (const down of [-1, 0, 1]) {
        for (const right of [-1, 0, 1]) if (down !== 0 || right !== 0) world.region(i + down, right);
      }
      return time(() => world.region(i, 0));
    },
  };
}

/** The time of a number of steps of a long walk with a uniform tensor, in milliseconds. */
export async function stepsTime(steps) {
  const { createMill } = await import("rollmill");
  const { advance } = ours({ createMill }).walk({ size: 512, walkers: LONG_WALKERS }).start();
  const each = Math.ceil(steps / LONG_WALKERS);
  advance(each); // touches the memory of the map
  const start = performance.now();
  advance(each);
  return performance.now() - start;
}

/**
 * For a new root: the bytes that it adds, the time until its first draw, and the time to fill `out`, in milliseconds.
 */
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

/**
 * For a new maker of good objects: the bytes of its tables, the time until its first object, and the time of `count`
 * more objects, in milliseconds.
 */
export async function makerCosts(files, { level, count, seed }) {
  const { nameKey, seedKey } = await import("../build/modules/address.js");
  const { Guard, innerScope } = await import("../build/modules/calls/index.js");
  const { Kernel, moduleOf } = await import("../build/modules/kernel/index.js");
  const { createMill } = await import("../build/modules/index.js");
  const { objects } = await import("../build/modules/objects/index.js");
  createMill({ seed }).dispose(); // compiles the kernel
  const asked = { level, good: true };
  const kernel = new Kernel(moduleOf("items"), 2 ** 30);
  const before = kernel.bytes;
  const start = performance.now();
  const plan = objects.compile(files, {});
  const create = objects.state(plan, { name: "drops" }, {});
  const stream = innerScope(nameKey(seedKey(seed), "drops"), new Guard(), create);
  const maker = objects.open({ kernel, name: "drops", stream, plan });
  maker.make(asked);
  const built = performance.now();
  const bytes = kernel.bytes - before;
  maker.makeMany(count, asked);
  return { bytes, build: built - start, make: performance.now() - built };
}

/** Searches by name: {chance, search(n) → number of matches among n results, bulk(n) makes as many results}. */
export async function searches() {
  const { createMill } = await import("rollmill");
  const { chance, numberOf, search } = await import("rollmill/instruments");
  const mill = createMill({ seed: SEED });
  const searched = (noun, condition, bulk) => ({
    chance: numberOf(chance(noun, condition, { in: 1 })),
    search: (n) => search(noun, condition, { to: n, limit: 10_000_000 }).found.length,
    bulk: (n) => bulk(n).length,
  });
  const list = mill.weighted("list", { gold: 70, gem: 2, crown: 1 });
  const picks = (n) => list.pickMany(n, { from: 0 });
  const dice = mill.dice("dice", "3d6");
  const rows = {
    A: [
      { result: "gold", weight: 99 },
      { result: "crown", weight: 1 },
    ],
  };
  const table = mill.table("table", { rows });
  const weapon = mill.recipe("weapon");
  return {
    list: searched(list, "crown", picks),
    "set of a list": searched(list, { any: ["gem", "crown"] }, picks),
    dice: searched(dice, 18, (n) => dice.rollMany(n, { from: 0 })),
    table: searched(table, "crown", (n) => table.rollMany(n, { from: 0 })),
    recipe: searched(weapon, { prefix: "burnished" }, (n) => weapon.makeMany(n, { from: 0 })),
  };
}

/**
 * The times of the instruments in milliseconds, each of one call.
 *
 * @param tables - {scripted, constant, before, after}: table specs.
 * @param list - the weights of a list. All its results but the last are collected.
 */
export async function instrumentTimes({ scripted, constant, before, after }, list) {
  const { createMill } = await import("rollmill");
  const I = await import("rollmill/instruments");
  const mill = createMill({ seed: SEED });
  const table = mill.table("scripted", scripted, { script: () => 3 });
  const fixed = mill.table("constant", constant);
  const [old, now] = [mill.table("before", before), mill.table("after", after)];
  const rare = mill.weighted("rare", list);
  const possible = fixed.odds().odds.filter(({ probability: { numerator } }) => numerator > 0n);
  const asked = possible.slice(5, 8).map(({ result }) => result);
  const targets = Object.fromEntries(
    asked.map((result) => [result, Number((1.2 * I.numberOf(I.chance(fixed, result, { in: 1 }))).toPrecision(4))]),
  );
  const timed = (call) => {
    const start = performance.now();
    const result = call();
    return { time: performance.now() - start, result };
  };
  const made = timed(() => I.formula(table, asked[0]));
  const evaluated = timed(() => {
    for (const { script } of made.result.unknowns) made.result.at({ [script]: 5 });
  });
  const times = {
    chance: timed(() => I.chance(table, asked[0], { in: 50 })).time,
    wait: timed(() => I.wait(table, asked[0]).quantile("99/100")).time,
    sensitivity: timed(() => I.sensitivity(table, asked[0])).time,
    formula: made.time,
    evaluation: evaluated.time / made.result.unknowns.length,
    balance: timed(() => I.balance(fixed, targets)).time,
    compare: timed(() => I.compare(old, now)).time,
    collect: timed(() => I.collect(rare, Object.keys(list).slice(0, -1)).upTo(100_000)).time,
  };
  mill.dispose();
  return times;
}
