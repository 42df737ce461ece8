// The bars without a rival, called budgets: the time to open a mill, the size of the kernel, the memory of an unbounded
// map, the costs of a large root of pools, the memory of many weapons, the tables of objects, exact odds, forks, single
// results, the writers of files, windows of worlds, the memory of a job, the instruments, and other engines.

import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { firstWindowInNode, firstWindowInPage } from "./firstWindows.mjs";
import { median } from "./harness.mjs";
import { instrumentTable, rareList } from "./inputs/instruments.mjs";
import { LARGE, LARGE_MEMORY, REACHED } from "./inputs/jobs.mjs";
import { hasRealFiles, LEVEL, objectTexts, ownTexts } from "./inputs/objects.mjs";
import { oddsTable, sharedTable } from "./inputs/tables.mjs";
import {
  COAST,
  HALO,
  HEIGHT,
  LAND,
  SIDE,
  SLOPE_LAYERS,
  stepsInReach,
  TWO_SLOPE_LAYERS,
  WINDOW,
  withVillages,
} from "./inputs/worlds.mjs";
import {
  FIRST_MILL,
  FIRST_PICK,
  FORKS,
  instrumentTimes,
  MANY_WEAPONS,
  makerCosts,
  makers,
  mapCosts,
  objectSource,
  oddsTime,
  rootCosts,
  singleTimes,
  stepsTime,
  walkMemory,
  wholeOddsTime,
  worldTimes,
  writerTime,
} from "./ours.mjs";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const COMMAND = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));
const PRINT_CPU = fileURLToPath(new URL("printCpu.cjs", import.meta.url));
/** How often each program of {@link startBudgets} is started. */
const CPU_STARTS = 20;
/** A module that prints the maximum resident size of its process when the process ends. */
const PRINT_MEMORY = `data:text/javascript,${encodeURIComponent(`
import { isMainThread } from "node:worker_threads";
const print = () => process.stderr.write(\`maximum resident size \${process.resourceUsage().maxRSS} KiB\\n\`);
if (isMainThread) process.once("exit", print);`)}`;
const LEAST_REACHED = 1e8;
const STARTS = 7;
const STEPS = 1e8;
const WALKERS = 100;
const RECORDS = 1e6;
const SUBPOOLS = 10;
const DRAWS = 1e7;
const BUILDS = 7;
/** How often a maker of objects is built for its budgets. Each build takes a few milliseconds. */
const OBJECT_BUILDS = 15;
const OBJECTS = 1e5;
const ODDS_ROUNDS = 5;
const WHOLE_ODDS_ROUNDS = 3;
const WRITER_ROUNDS = 5;
const INSTRUMENT_ROUNDS = 3;
/** Number of weapons, and of objects, that are written. */
const WRITTEN = 1e6;
/** Cells along each side of the map that is drawn and hashed. Its walkers make {@link STEPS} steps. */
const MAP_SIDE = 4096;
/** How often each budget of worlds is measured. */
const WORLD_ROUNDS = 15;
/** Windows before the first one that is timed. The engine compiles the loops in them, as in the warm-up of a case. */
const WARM_WINDOWS = 30;
const HIGHLANDS = fileURLToPath(new URL("../examples/highlands.json", import.meta.url));
const LAND_ROUNDS = 7;
/** Rows and columns of the window of a land with roads, and the number of its moves by a region. */
const ROADS_WINDOW = 2048;
const ROADS_MOVES = 4;
/** Rows and columns of the pictures. */
const LIT = 512;
/** Number of moves of a window, and of columns of a move. */
const MOVES = 32;
const MOVED_BY = 64;

/**
 * The time of the first createMill of a new process in milliseconds, median of several. It includes compiling the
 * kernel.
 */
async function firstMill() {
  const times = [];
  for (let i = 0; i < STARTS; i++) {
    const args = ["--input-type=module", "--eval", FIRST_MILL];
    const { stdout } = await run(process.execPath, args, { cwd: new URL("..", import.meta.url) });
    times.push(Number(stdout));
  }
  return median(times);
}

/**
 * The budgets of programs that do little, in the form of `judge`: their CPU time less that of an empty program, each the
 * median of several runs that take turns.
 */
async function startBudgets() {
  const programs = [
    ["-e", "0"],
    ["--input-type=module", "--eval", FIRST_PICK],
    [COMMAND, "pick", "gold=70", "gem=5", "--seed", "bench"],
  ];
  const times = programs.map(() => []);
  for (let start = 0; start < CPU_STARTS; start++) {
    for (const [i, args] of programs.entries()) {
      const { stderr } = await run(process.execPath, ["--require", PRINT_CPU, ...args], { cwd: ROOT });
      times[i].push(Number(/^CPU ([\d.]+) ms$/m.exec(stderr)[1]));
    }
  }
  const [empty, library, command] = times.map(median);
  return judged([
    { text: "CPU of an import and a first pick", limit: 60, unit: " ms", measured: library - empty },
    { text: "CPU of the command `rollmill pick`", limit: 90, unit: " ms", measured: command - empty },
  ]);
}

/** KiB of memory that a long unbounded walk adds per chunk of 64 × 64 cells that it touches. */
async function chunkMemory({ firstVisit }) {
  const { bytes, chunks } = await walkMemory({ walkers: WALKERS, steps: STEPS, firstVisit });
  return bytes / chunks / 1024;
}

/** The spec of a finite root whose ids are the integers from 1, divided among subpools that share no record. */
function largeRoot() {
  const records = Array.from({ length: RECORDS }, (_, i) => ({ id: i + 1, mass: 1 + (i % 100), quantity: 3 }));
  const share = RECORDS / SUBPOOLS;
  const subpools = Array.from({ length: SUBPOOLS }, (_, i) => ({
    records: Array.from({ length: share }, (_, k) => i * share + k + 1),
  }));
  return { kind: "finite", records, subpools };
}

/**
 * Costs of a large root, each the median of several rounds: the kernel's memory in bytes per record, and the time until
 * the first draw ÷ the time of 10^7 draws, both measured in the same round.
 */
async function largeRootCosts() {
  const root = largeRoot();
  const out = new Uint32Array(DRAWS);
  const costs = [];
  for (let round = 0; round < BUILDS; round++) {
    const { bytes, build, draw } = await rootCosts(root, `bench ${round}`, out);
    costs.push({ time: build / draw, bytes: bytes / RECORDS });
  }
  return { time: median(costs.map(({ time }) => time)), bytes: costs[0].bytes };
}

/** The budgets of pools, in the form of `judge`: {text, limit, measured, unit, met}. */
export async function measurePoolBudgets() {
  const { time, bytes } = await largeRootCosts();
  return judged([
    {
      text: "memory of a record, if 10^6 records are in a root pool and in one of its subpools",
      limit: 64,
      unit: " bytes",
      measured: bytes,
    },
    { text: "building that root against 10^7 draws", limit: 1, measured: time },
  ]);
}

/** Bytes by which the memory of a new process grows, at its peak, while it makes 10^7 weapons and keeps them. */
async function weaponMemory() {
  const args = ["--input-type=module", "--eval", MANY_WEAPONS];
  const { stdout } = await run(process.execPath, args, { cwd: new URL("..", import.meta.url) });
  return Number(stdout);
}

/** The seconds in which results are written, median of several rounds. */
async function writerSeconds(make, format) {
  const times = [];
  for (let round = 0; round < WRITER_ROUNDS; round++) times.push(await writerTime(make, { format, count: WRITTEN }));
  return median(times) / 1000;
}

/** The budgets of recipes, in the same form. */
export async function measureRecipeBudgets() {
  const { weapons } = await makers({});
  return judged([
    { text: "10^7 weapons", limit: 1, unit: " GiB", measured: (await weaponMemory()) / 2 ** 30 },
    {
      text: "writing 10^6 weapons to Parquet",
      limit: 1,
      unit: " s",
      measured: await writerSeconds(weapons, "parquet"),
    },
    { text: "writing 10^6 weapons to CSV", limit: 1.5, unit: " s", measured: await writerSeconds(weapons, "csv") },
  ]);
}

/** The budgets of maps, in the same form: pictures and digests against the walks that made the maps. */
export async function measureMapBudgets() {
  const rounds = [];
  for (let round = 0; round < WRITER_ROUNDS; round++) {
    rounds.push(await mapCosts({ size: MAP_SIDE, walkers: WALKERS, steps: STEPS, seed: `bench ${round}` }));
  }
  return judged([
    {
      text: "a map of 4096 × 4096 cells to PNG against its walk",
      limit: 2,
      measured: median(rounds.map(({ png, walk }) => png / walk)),
    },
    {
      text: "the digest of that map against its walk",
      limit: 1,
      measured: median(rounds.map(({ digest, walk }) => digest / walk)),
    },
  ]);
}

/**
 * Costs of the tables of objects: the bytes by which the kernel's memory grows until the first object is made, and the
 * time from parsed files to the first object ÷ the time of 10^5 objects, both measured in the same round. Each is the
 * median of several rounds, because the first rounds are slow.
 */
async function objectTableCosts() {
  const { files } = await objectSource(objectTexts());
  const costs = [];
  for (let round = 0; round < OBJECT_BUILDS; round++) {
    const { bytes, build, make } = await makerCosts(files, { level: LEVEL, count: OBJECTS, seed: round });
    costs.push({ time: build / make, bytes });
  }
  return { time: median(costs.map(({ time }) => time)), bytes: costs[0].bytes };
}

/**
 * The budgets of objects, in the same form. They are for the files of a real game; without these files, there are none.
 */
export async function measureObjectBudgets() {
  if (!hasRealFiles) return [];
  const { time, bytes } = await objectTableCosts();
  const { objects: made } = await makers({ texts: objectTexts(), level: LEVEL });
  return judged([
    { text: "all tables of objects", limit: 8, unit: " MiB", measured: bytes / 2 ** 20 },
    { text: "building them against 10^5 objects", limit: 1, measured: time },
    {
      text: "writing 10^6 objects to Parquet",
      limit: 2.5,
      unit: " s",
      measured: await writerSeconds(made, "parquet"),
    },
  ]);
}

/** The budgets of exact odds, in the same form. The times of real tables and objects need the real files. */
export async function measureOddsBudgets() {
  const time = async (table) => {
    const times = [];
    for (let round = 0; round < ODDS_ROUNDS; round++) times.push(await oddsTime(table));
    return median(times);
  };
  const real = sharedTable("rig_affix_r");
  const whole = await measureWholeOddsBudgets();
  const tables = judged([
    {
      text: "odds of 1,000 rows without loops",
      limit: 200,
      unit: " ms",
      measured: await time(oddsTable({ loops: false })),
    },
    {
      text: "odds of 1,000 rows in one loop",
      limit: 10_000,
      unit: " ms",
      measured: await time(oddsTable({ loops: true })),
    },
    ...(real === null
      ? []
      : [{ text: "odds of the table rig_affix_r", limit: 50, unit: " ms", measured: await time(real) }]),
  ]);
  return [...tables, ...whole];
}

/**
 * The budgets of the exact odds of whole objects, in the same form: kinds with many affixes and themes. The files of a
 * real game have the budget that was asked for; the project's own files have fewer affixes and a smaller budget.
 */
async function measureWholeOddsBudgets() {
  const time = async (texts, query) => {
    const times = [];
    for (let round = 0; round < WHOLE_ODDS_ROUNDS; round++) times.push(await wholeOddsTime(texts, query));
    return median(times);
  };
  const great = { level: 50, great: true };
  const own = await time(ownTexts(), { ...great, kind: "Cudgel" });
  const budgets = [
    { text: "odds of a whole Cudgel, from files of this repository", limit: 1000, unit: " ms", measured: own },
  ];
  if (hasRealFiles) {
    const measured = await time(objectTexts(), { ...great, kind: "Scythe" });
    budgets.push({ text: "odds of a whole Scythe, from real files", limit: 5000, unit: " ms", measured });
  }
  return judged(budgets);
}

/**
 * The budget of the memory of a job: the maximum resident size of the command, while its walkers reach more than 10⁸
 * cells.
 */
export async function measureJobBudgets() {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-bench-"));
  const spec = join(folder, "large.json");
  writeFileSync(spec, JSON.stringify(LARGE));
  const job = ["job", "start", spec, join(folder, "job"), "--seed", "bench", "--yes"];
  const limits = ["--threads", "2", "--max-memory", `${LARGE_MEMORY}m`];
  try {
    const { stdout, stderr } = await run(process.execPath, ["--import", PRINT_MEMORY, COMMAND, ...job, ...limits]);
    const counted = (name) => Number(stdout.match(new RegExp(`^terrain\\t${name}\\t([0-9]+)`, "m"))?.[1]);
    const reached = REACHED.reduce((sum, name) => sum + counted(name), 0);
    if (!(reached >= LEAST_REACHED)) throw new Error(`The walkers of the large job reached ${reached} cells.`);
    const memory = Number(stderr.match(/^maximum resident size (\d+) KiB$/m)[1]) / 1024;
    return judged([
      {
        text: `a job whose walkers reach ${(reached / 1e8).toFixed(2)}·10^8 cells, with ${LARGE_MEMORY} MiB`,
        limit: 450,
        unit: " MB",
        measured: (memory * 2 ** 20) / 1e6,
      },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The sizes of what opens plan files, each as a share of what it takes the place of. */
export async function measureEngineBudgets() {
  const { bundled, gzipped } = await import("../scripts/bundled.mjs");
  const sizeOf = (path) => gzipped(readFileSync(join(ROOT, path)));
  const opening = await bundled('import { openPlan } from "dist/plans/index.js"; globalThis.open = openPlan;');
  const scalar = (name) => sizeOf(`build/${name}.scalar.wasm`) / sizeOf(`build/${name}.wasm`);
  return judged([
    {
      text: "bundle of openPlan against the whole library",
      limit: 0.2,
      measured: opening / sizeOf("dist/rollmill.min.js"),
    },
    { text: "kernel without SIMD against the kernel, in size", limit: 1.5, measured: scalar("kernel") },
    { text: "the same for plan files", limit: 1.5, measured: scalar("kernel-plans") },
  ]);
}

/** The budgets of the instruments, in the same form, on tables as large as those of real games. */
export async function measureInstrumentBudgets() {
  const tables = {
    scripted: instrumentTable({ rows: 300, loops: false, scripts: 282 }),
    constant: instrumentTable({ rows: 300, loops: false }),
    before: instrumentTable({ rows: 1000, loops: true }),
    after: instrumentTable({ rows: 1000, loops: true, change: 1 }),
  };
  const rounds = [];
  for (let round = 0; round < INSTRUMENT_ROUNDS; round++) rounds.push(await instrumentTimes(tables, rareList(200)));
  const limits = [
    ["chance", "chance within 50 rolls of 300 rows with 282 scripts", 1000],
    ["wait", "wait and its quantile, of these rows", 1000],
    ["sensitivity", "sensitivity of these rows", 1000],
    ["formula", "formula of these rows", 10_000],
    ["evaluation", "an evaluation of this formula", 1],
    ["balance", "balance of three results of 300 rows", 5000],
    ["compare", "compare of two tables of 1,000 rows with loops", 10_000],
    ["collect", "collect of 200 unequal results within 10^5 picks", 5000],
  ];
  return judged(
    limits.map(([name, text, limit]) => {
      return { text, limit, unit: " ms", measured: median(rounds.map((times) => times[name])) };
    }),
  );
}

/** The budgets of worlds, in the same form. */
export async function measureWorldBudgets() {
  const [coast, land, height] = [await worldTimes(COAST), await worldTimes(LAND), await worldTimes(HEIGHT)];
  const rounds = async (measure) => {
    const figures = [];
    for (let round = 0; round < WORLD_ROUNDS; round++) figures.push(await measure());
    return median(figures);
  };
  for (let k = 0; k < WARM_WINDOWS; k++) coast.terrain({ size: WINDOW, side: SIDE });
  const terrain = await rounds(() => coast.terrain({ size: WINDOW, side: SIDE }));
  for (let k = 0; k < WARM_WINDOWS; k++) height.fields({ size: WINDOW });
  const field = await rounds(() => height.fields({ size: WINDOW }));
  return judged([
    {
      text: "terrain with a distance of 8 and villages, walked before",
      limit: 3,
      unit: " ns a cell",
      measured: (terrain * 1e6) / WINDOW ** 2,
    },
    {
      text: "a field of four octaves",
      limit: 4,
      unit: " ns a cell",
      measured: (field * 1e6) / WINDOW ** 2,
    },
    {
      text: "a moving window against its new steps and its own cells",
      limit: 1.25,
      measured: await rounds(() => movingRatio(land)),
    },
    {
      text: "a region with its neighbours present",
      limit: 16,
      unit: " ms",
      measured: await rounds(() => land.region({ side: SIDE })),
    },
    ...(await firstBudgets()),
    ...(await landBudgets()),
  ]);
}

/** The budgets of what a player waits for at the start of a game. */
async function firstBudgets() {
  const limit = { limit: 100, unit: " ms" };
  const measured = await firstWindowInPage(LAND);
  return [
    { ...limit, text: "the first window of 256 × 256 cells in a process", measured: await firstWindowInNode(LAND) },
    ...(measured === undefined ? [] : [{ ...limit, text: "the same in a page of Chromium", measured }]),
  ];
}

/** The budgets of lands with mountains: most of them of examples/highlands.json. */
async function landBudgets() {
  const { loadWorld } = await import("rollmill/worlds");
  const { spec } = await loadWorld(HIGHLANDS, (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined));
  const times = await worldTimes(spec);
  const rounds = (measure) => median(Array.from({ length: LAND_ROUNDS }, measure));
  return [
    { text: "a step on a slope", limit: 12, unit: " ns", measured: await slopeStep() },
    {
      text: "a moving window with roads between villages of density 1/4,000, against one without",
      limit: 1.3,
      measured: await roadsRatio(JSON.parse(readFileSync(HIGHLANDS, "utf8"))),
    },
    {
      text: "a region of examples/highlands.json with its neighbours present",
      limit: 16,
      unit: " ms",
      measured: rounds(() => times.region({ side: SIDE })),
    },
    {
      text: "a themed picture with light, against one without",
      limit: 2,
      measured: rounds(() => {
        const plain = times.picture({ size: LIT, theme: "atlas" });
        return times.picture({ size: LIT, theme: "atlas", light: "height" }) / plain;
      }),
    },
  ];
}

/** The time of a step on a slope in ns: that of a layer more, whose field has been made. */
async function slopeStep() {
  const [one, two] = [await worldTimes(SLOPE_LAYERS), await worldTimes(TWO_SLOPE_LAYERS)];
  const times = Array.from({ length: WORLD_ROUNDS }, () => {
    const less = one.visits({ size: WINDOW });
    return two.visits({ size: WINDOW }) - less;
  });
  return (median(times) * 1e6) / stepsInReach(SLOPE_LAYERS, { size: WINDOW });
}

/**
 * The time of the moves of a window ÷ (the time of the steps of all regions that came into reach + the time of the
 * windows' own cells, if all layers have been walked before).
 */
async function movingRatio(land) {
  const moved = land.moving({ size: WINDOW, by: MOVED_BY, moves: MOVES });
  const columns = (MOVES * MOVED_BY) / SIDE;
  const walked = await stepsTime(stepsInReach(LAND, { size: WINDOW, margin: HALO, columns }));
  return moved / (walked + MOVES * land.terrain({ size: WINDOW, side: SIDE }));
}

/** The time of the moves of a window with roads ÷ that without: the median of some places. */
async function roadsRatio(land) {
  const [bare, joined] = await Promise.all([false, true].map((roads) => worldTimes(withVillages(land, { roads }))));
  const move = { size: ROADS_WINDOW, by: SIDE, moves: ROADS_MOVES };
  // V8 compiles the calls of the kernel in the first moves
  for (const warm of [bare, joined]) warm.moving(move);
  const ratios = Array.from({ length: LAND_ROUNDS }, () => {
    const without = bare.moving(move);
    return joined.moving(move) / without;
  });
  return median(ratios);
}

/** The budgets of forks, in the same form. */
async function measureForkBudgets() {
  const args = ["--expose-gc", "--input-type=module", "--eval", FORKS];
  const { stdout } = await run(process.execPath, args, { cwd: new URL("..", import.meta.url) });
  const { item, roll, bytes } = JSON.parse(stdout);
  return judged([
    { text: "a fork of a recipe and its first item", limit: 20, unit: " µs", measured: item },
    { text: "a fork of a table and its first roll", limit: 3, unit: " µs", measured: roll },
    { text: "10^5 forks of a recipe, each with a state", limit: 64, unit: " MiB", measured: bytes / 2 ** 20 },
  ]);
}

/** Microseconds of single results at random indices, and of all others. */
const SINGLE_LIMITS = { "a pick": 0.5, "a roll": 0.5 };
const SINGLE_LIMIT = 20;

/** The budgets of single results at random indices, in the same form. */
async function measureSingleBudgets() {
  const times = await singleTimes(objectTexts());
  return judged(
    times.map(({ name, microseconds }) => ({
      text: `${name}, at a random index`,
      limit: SINGLE_LIMITS[name] ?? SINGLE_LIMIT,
      unit: " µs",
      measured: microseconds,
    })),
  );
}

/** The other budgets, in the same form. */
export async function measureBudgets() {
  const forks = await measureForkBudgets();
  const starts = await startBudgets();
  const others = judged([
    { text: "first createMill of a process", limit: 5, unit: " ms", measured: await firstMill() },
    {
      text: "a chunk (64 × 64 cells) of an unbounded map",
      limit: 17,
      unit: " KiB",
      measured: await chunkMemory({ firstVisit: false }),
    },
    {
      text: "the same chunk with first visits",
      limit: 33,
      unit: " KiB",
      measured: await chunkMemory({ firstVisit: true }),
    },
  ]);
  return [...others, ...starts, ...forks, ...(await measureSingleBudgets())];
}

function judged(budgets) {
  return budgets.map((budget) => ({ ...budget, met: budget.measured <= budget.limit }));
}
