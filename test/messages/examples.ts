import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { submitJob } from "../../src/bullmq/index.js";
import { getRandom } from "../../src/compat/index.js";
import {
  type Code,
  createMill,
  type MillOptions,
  type ObjectTexts,
  type PoolsInput,
  parseObjects,
  parsePools,
  parseRecipe,
  parseTable,
  parseTables,
  parseWalk,
  type WalkInput,
} from "../../src/index.js";
import { wait } from "../../src/instruments/index.js";
import { checkedText, FolderStore, readChecked } from "../../src/jobs/folder/store.js";
import { checkSpace, createJob, type JobInput, jobOf, openJob, parseJob, resumeJob } from "../../src/jobs/index.js";
import { loadObject } from "../../src/objects/index.js";
import { bake, readPlan } from "../../src/plans/index.js";
import { checkTable } from "../../src/tables/index.js";
import { randomDefault } from "../../src/tables/scripts.js";
import { loadTables, proposeWord, saveTables } from "../../src/wordstores/index.js";
import { parseWorld, type WorldInput } from "../../src/worlds/index.js";
import { rollmill } from "../cli/rollmill.js";
import { SMALL } from "../objects/small.js";
import { WEAPON_WORDS, weapon, weaponInput } from "../recipes/small.js";
import { twoDaOf } from "../tables/build.js";

/** A folder for the files of the examples; the snapshot shows it as `FOLDER`. */
export const FOLDER = mkdtempSync(join(tmpdir(), "m-"));

const LAND = { name: "land", preset: "uniform", steps: 5 } as const;
const LAND_JOB: JobInput = { world: { layers: [LAND] } };
const newJob = () => createJob(join(mkdtempSync(join(FOLDER, "job-")), "job"), LAND_JOB, { seed: 1 });
const mill = (options: Partial<MillOptions> = {}) => createMill({ seed: "moria", ...options });
const file = (name: string, text: string): string => {
  writeFileSync(join(FOLDER, name), text);
  return join(FOLDER, name);
};

const table = (rows: readonly string[], options = {}) => mill().table("loot", twoDaOf(rows), options);
const ROWS = ["r1 10 1 5", "r2 s1"];
const LOOPING = ["1 1 ra 1", "0 1 rb 1"];

const throwing = () => {
  throw new Error("my own");
};
const walk = (spec: WalkInput) => mill().walk("land", spec);
const closed = { cells: [[0, 0]] as const };
const world = (more: Partial<WorldInput>) => mill().world("land", { layers: [{ name: "sea", steps: 9 }], ...more });
const TWO_TERRAINS = [{ terrain: "sea", when: { sea: { visits: [1, null] } } }, { terrain: "plain" }] as const;

const pools = (more: object = {}, rest: object = {}) =>
  mill().pools("items", { roots: { i: { kind: "finite", records: ["axe", "bow"], ...more } }, ...rest } as PoolsInput);
const family = () => pools({ subpools: { a: { records: ["axe"] }, none: {} } });

const recipe = (change: object = {}, words: object = {}) => {
  const tables = { ...WEAPON_WORDS, ...words };
  return mill().recipe("weapon", { ...weaponInput(), ...change } as never, { tables } as never);
};
const sqlOptions = { recipe: "weapon", spec: weapon().spec };
const address = (name: string) => `sqlite:${join(FOLDER, name)}`;

const objectTexts = (change: Partial<ObjectTexts>): ObjectTexts => ({ ...SMALL, ...change });
const maker = () => mill().objects("drops", SMALL);

/** Lines that a command prints to stderr. */
const stderr = async (...args: string[]): Promise<string> => (await rollmill(args, { cwd: FOLDER })).stderr;

/** A call that gives an issue: it throws it, returns a parse's result, or the text of stderr. */
export type Example = () => unknown;

/** At least one call for each code. It is as small as can be: what the sentences say is in the snapshot. */
export const EXAMPLES: Partial<Record<Code, readonly Example[]>> = {
  "argument.type": [() => createMill({ seed: {} as never }), () => mill().weighted("rarity", "1" as never)],
  "argument.range": [() => mill().weighted("rarity", [1]).pickMany(-1), () => mill({ maxMemory: 1 })],
  "argument.option": [
    () =>
      mill()
        .weighted("rarity", [1])
        .pickMany(1, { form: 3 } as never),
  ],
  "argument.name-taken": [
    () => {
      const one = mill();
      one.weighted("rarity", [1]);
      one.weighted("rarity", [2]);
    },
  ],
  "argument.disposed": [
    () => {
      const one = mill();
      const list = one.weighted("rarity", [1]);
      one.dispose();
      list.pickMany(1);
    },
  ],
  "argument.busy": [
    () => {
      const opened = family();
      let refused: unknown;
      const onProgress = () => {
        try {
          opened.restock();
        } catch (cause) {
          refused = cause;
        }
      };
      opened.pool("i").drawMany(2, { onProgress });
      return refused;
    },
  ],
  "argument.callback": [
    () => mill().weighted("rarity", [1]).pickMany(2, { onProgress: throwing }),
    () =>
      mill()
        .weighted("rarity", [1])
        .pickMany(2, { onProgress: async () => undefined }),
    () => table(ROWS, { start: 1, script: () => 1, chosen: throwing }).roll(),
  ],
  "weights.invalid": [() => mill().weighted("rarity", [1, -1]), () => mill().weighted("rarity", [Number.NaN])],
  "weights.empty": [() => mill().weighted("rarity", []), () => mill().weighted("rarity", [0, 0])],
  "weights.overflow": [() => mill().weighted("rarity", [2 ** 32])],
  "weights.decimals": [() => mill().weighted("rarity", [1e-9, 1e9])],
  "amount.invalid": [() => mill().weighted("loot", [{ result: "gold", weight: 1, quantity: "2d" }])],
  "odds.never": [() => wait(createMill({ seed: "x" }).weighted("l", { gold: 1, crown: 0 }), "crown")],
  "odds.work": [() => table(ROWS, { script: () => 1 }).odds({ maxWork: 1 })],
  "kernel.unsupported": [
    async () => {
      // the kernel is compiled once in a process: only a fresh copy of the library compiles another one
      vi.resetModules();
      const { createMillAsync } = await import("../../src/index.js");
      return createMillAsync({ seed: 1, kernel: new Uint8Array([0, 97, 115, 109, 9]) });
    },
  ],
  "kernel.memory": [
    () =>
      mill({ maxMemory: 2 ** 20 })
        .weighted("large", new Array(2 ** 17).fill(1))
        .pickMany(1),
  ],
  "snapshot.invalid": [() => mill({ snapshot: new Uint8Array([1, 2, 3]) })],
  "snapshot.version": [
    () => {
      const snapshot = JSON.parse(new TextDecoder().decode(mill().snapshot()));
      return mill({ snapshot: new TextEncoder().encode(JSON.stringify({ ...snapshot, stream: 1 })) });
    },
  ],
  "twoda.header": [() => parseTable("2DA V1.0\n\nLabel\n"), () => parseTable("\n2DA V2.0\n\nLabel\n")],
  "twoda.columns": [() => parseTable("2DA V2.0\n\n"), () => parseTable("2DA V2.0\n\nA A\n")],
  "twoda.limit": [() => parseTable(`2DA V2.0\n\n${"A".repeat(2 ** 20 + 1)}\n`)],
  "twoda.quote": [() => parseTable('2DA V2.0\n\nLabel Random0 Random0Weight\n0 "A r1 1\n')],
  "twoda.cells": [() => parseTable(`${twoDaOf(["r1 1 r2 1 r3 1"], 1)}`)],
  "twoda.row-number": [() => parseTable("2DA V2.0\n\nLabel Random0 Random0Weight\n7 A r1 1\n")],
  "table.columns": [
    () => parseTable("2DA V2.0\n\nLabel Random0\n0 A r1\n"),
    () => parseTable("2DA V2.0\n\nLabel\n0 A\n"),
  ],
  "table.result": [
    () => parseTable(twoDaOf(["copper 1"], 1), { file: "loot.2da" }),
    () => parseTable(twoDaOf(['r"roast boar" 1'], 2), { file: "loot.2da" }),
  ],
  "table.jump": [() => parseTable(twoDaOf(["7 1"], 1), { file: "loot.2da" })],
  "table.weight": [() => parseTable(twoDaOf(["r1 heavy"], 1)), () => parseTable(twoDaOf(["r1 -1"], 1))],
  "table.gap": [() => parseTable(twoDaOf(["r1 1 **** **** r2 1"], 3))],
  "table.start": [() => table(ROWS, { start: 7 }).roll()],
  "table.endless": [() => table(["1 1", "0 1"]).roll()],
  "table.orphan": [() => ({ issues: checkTable(twoDaOf(["r1 1", "r2 1"], 1)) })],
  "table.never": [() => ({ issues: checkTable(twoDaOf(["r1 1 r2 0"], 2)) })],
  "table.unknown-script": [
    () => table(ROWS, { script: "nwangband" }),
    () => randomDefault({ now: "2026-01-05" })(77, undefined),
  ],
  "table.script": [() => table(ROWS, { script: () => -1 }).rollMany(100)],
  "table.hops": [() => table(LOOPING, { maxHops: 1 }).rollMany(100)],
  "table.dead": [() => table(["r1 s1"], { onDead: "throw", weights: { 1: 0 } }).roll()],
  "table.live-from": [() => table(ROWS, { chosen: () => {} }).rollMany(1, { from: 5 })],
  "walk.spec": [() => parseWalk({ layer: [] }), () => parseWalk({ layers: [{ name: "a", walkers: -1 }] })],
  "walk.tensor": [() => walk({ preset: "six-ways" } as never)],
  "walk.closed-start": [() => walk({ start: [[0, 0]], closed })],
  "walk.off-grid": [() => walk({ start: [[9, 9]], grid: { kind: "torus", rows: 4, cols: 4 } } as never)],
  "walk.scattered": [
    () =>
      walk({
        layers: [
          { name: "hills", scatter: { walkers: 3 } },
          { name: "sea", closed: { layers: ["hills"] } },
        ],
      }),
    () => walk({ scatter: { walkers: 3 }, start: [[0, 0]] }),
    () => walk({ scatter: { walkers: 3 }, grid: { kind: "bounded", rows: 9, cols: 9 } }),
  ],
  "walk.mismatch": [
    () =>
      walk({
        layers: [
          { name: "land", steps: 9 },
          { name: "rivers", steps: 9, start: { layer: "land" } },
        ],
      }).runLayer({ layer: "rivers" }),
  ],
  "world.spec": [
    () => parseWorld({}),
    () => world({ terrain: [{ terrain: "sea", when: { waves: { visits: [1, null] } } }, { terrain: "plain" }] }),
    () => world({ placements: [{ name: "village", density: 2 }] }),
    () => world({ placements: [{ name: "chest", density: "1/9", content: { table: "loot" } }] }),
  ],
  "world.window": [
    () => world({ grid: { kind: "bounded", rows: 9, cols: 9 } }).window({ row0: 0, col0: 0, rows: 10, cols: 9 }),
  ],
  "world.regions": [
    () => {
      const layers = [{ name: "sea", steps: 2 ** 20, scatter: { walkers: 1 } }];
      return world({ layers, terrain: TWO_TERRAINS }).window({ row0: 0, col0: 0, rows: 9, cols: 9 });
    },
  ],
  "world.paths": [
    () =>
      world({
        terrain: [{ terrain: "plain" }],
        placements: [{ name: "hut", density: 1 }],
        paths: [{ name: "road", between: ["hut"], within: 2, terrain: "road" }],
      }).window({ row0: 0, col0: 0, rows: 9, cols: 9 }),
  ],
  "job.spec": [
    () => parseJob({ world: 5 }),
    () => jobOf({ world: { layers: [LAND] }, visits: ["sea"] }),
    () => jobOf({ world: { layers: [{ ...LAND, scatter: { side: 64, walkers: 1 } }] } }),
  ],
  "job.missing": [() => openJob(join(FOLDER, "no-job"))],
  "job.exists": [() => newJob().then(({ folder }) => createJob(folder, LAND_JOB, { seed: 1 }))],
  "job.version": [
    async () => {
      const { folder } = await newJob();
      const store = new FolderStore(folder);
      store.put("manifest.json", [Buffer.from(checkedText({ ...readChecked(store, "manifest.json"), format: 1 }))]);
      return openJob(folder);
    },
    async () => {
      const { folder } = await newJob();
      const store = new FolderStore(folder);
      store.put("manifest.json", [
        Buffer.from(checkedText({ ...readChecked(store, "manifest.json"), code: "0".repeat(64) })),
      ]);
      return resumeJob(folder);
    },
  ],
  "job.damaged": [
    async () => {
      const { folder } = await newJob();
      writeFileSync(join(folder, "manifest.json"), "{}");
      return openJob(folder);
    },
    async () => {
      const job = await newJob();
      writeFileSync(join(job.folder, "result.json"), "{}");
      return job.status();
    },
    async () => {
      const job = await newJob();
      job.work({ phase: "walk land", task: 0 });
      const parts = join(job.folder, "parts");
      mkdirSync(join(parts, "cells"));
      copyFileSync(join(parts, "walk/0/0.part"), join(parts, "cells/0_0.part"));
      return { issues: job.verify().map(({ issue }) => issue) };
    },
  ],
  "job.space": [
    () =>
      checkSpace({ disk: 2 ** 60, steps: 1, seconds: 1, cells: 1, threadMemory: 0 }, { folder: FOLDER, maxMemory: 1 }),
  ],
  "job.task": [() => newJob().then((job) => job.work({ phase: "cells", task: 0 }))],
  "queue.connect": [
    () => newJob().then(({ folder }) => submitJob(folder, { postgres: "postgres://127.0.0.1:9/none" })),
  ],
  "queue.root": [
    () => {
      mkdirSync(join(FOLDER, "maps"));
      return newJob().then((job) => submitJob(job.folder, { root: join(FOLDER, "maps"), redis: "redis://h" }));
    },
  ],
  "pool.spec": [() => parsePools({}), () => parsePools({ roots: { i: { kind: "endless" } } })],
  "pool.path": [() => family().pool("i..a").draw()],
  "pool.unknown": [() => family().pool("i.aa").draw()],
  "pool.star": [() => family().registerSubpool("i.*")],
  "pool.active": [() => family().pool("i.~").draw()],
  "pool.root": [() => family().registerSubpool("i")],
  "pool.structure": [() => pools({ subpools: { a: { subpools: { c: {} } }, b: {} } })],
  "pool.exists": [() => family().registerRoot("i", { kind: "finite" })],
  "pool.record": [() => pools({ records: [1, null] })],
  "pool.duplicate": [() => pools({ records: [1, 1] })],
  "pool.unknown-id": [() => family().pool("i").quantity("axes")],
  "pool.mass": [() => pools({ records: [{ id: 1, mass: "2" }] })],
  "pool.quantity": [() => pools({ records: [{ id: 1, quantity: 0.5 }] })],
  "pool.total": [() => pools({ records: [[1, 2 ** 32 - 1, 2]] })],
  "pool.cycle": [
    () => {
      const again: { subpools: Record<string, unknown> } = { subpools: {} };
      again.subpools.again = again;
      return pools({ subpools: again.subpools });
    },
  ],
  "pool.empty": [() => family().pool("i.none").draw()],
  "pool.weightless": [
    () =>
      pools({ records: [["axe", 0, 5]] })
        .pool("i")
        .draw(),
  ],
  "pool.exhausted": [
    () => {
      const pool = family().pool("i");
      for (let k = 0; k < 3; k++) getRandom(pool);
    },
  ],
  "pool.infinite": [
    () =>
      mill()
        .pools("e", { roots: { e: { kind: "infinite", records: ["bat"] } } })
        .pool("e")
        .return("bat"),
  ],
  "pool.full": [() => family().pool("i").return("axe")],
  "recipe.spec": [() => parseRecipe({ stats: [] }), () => parseRecipe({ ...weaponInput(), setps: [] })],
  "recipe.tables": [() => parseTables({ type: [{ id: 1 }] }, { spec: weapon().spec })],
  "recipe.duplicate": [
    () =>
      recipe(
        {},
        {
          adjective: [
            { id: 1, word: "old" },
            { id: 1, word: "new" },
          ],
        },
      ),
  ],
  "recipe.word": [() => recipe({}, { element: [{ id: 1, word: "burning" }] })],
  "recipe.look-alike": [
    async () => {
      await saveTables(join(FOLDER, "alike.json"), WEAPON_WORDS, sqlOptions);
      return proposeWord(join(FOLDER, "alike.json"), {
        ...sqlOptions,
        table: "prefix",
        word: "Keen ",
        proposed: new Date(0),
        strict: true,
      });
    },
  ],
  "recipe.candidates": [() => recipe({}, { adjective: [] })],
  "recipe.request": [() => recipe().make({ request: { colour: "red" } })],
  "recipe.unknown": [() => mill().recipe("wepon")],
  "recipe.overflow": [() => recipe({}, { adjective: [{ id: 1, word: "old", attack: 2 ** 31 }] }).make()],
  "object.line": [() => parseObjects(objectTexts({ object: `${SMALL.object}\nZZ:1\n` }))],
  "object.number": [() => parseObjects(objectTexts({ object: SMALL.object.replace("W:3:0", "W:x:0") }))],
  "object.flag": [() => parseObjects(objectTexts({ object: SMALL.object.replace("SHOW_DICE", "SHOW_DIEC") }))],
  "object.name": [() => maker().make({ level: 5, kind: "Kriss" })],
  "object.duplicate": [() => parseObjects(objectTexts({ object: SMALL.object.replace("N:2:", "N:1:") }))],
  "object.files": [() => parseObjects(objectTexts({ object: "# nothing\n" }))],
  "object.request": [() => maker().make({ level: 5, kind: "Kris", theme: 1, artifact: 1 } as never)],
  "object.impossible": [() => maker().make({ level: 5, kind: "Splint Coat", with: ["Hewn"] })],
  "object.unused": [
    () =>
      parseObjects({
        object: "name:& Oar~\ntype:sword\npile:1:d2\n",
        objectBase: "name:sword:Oar~\n",
        egoItem: "",
        artifact: "",
      }),
  ],
  "object.saved": [() => loadObject(maker().files, { format: 0 })],
  "plan.noun": [
    () => bake([mill().table("t", { rows: { a: [{ weight: { script: 3 }, result: "x" }] } }, { script: () => 1 })]),
    () => bake([mill().drops("nil", { rolls: 0, table: { rows: { a: [] } } }) as never]),
    () => bake([{ noun: maker(), options: { level: 5, tval: "sword" } as never }]),
    () => bake([{ name: "w" }] as never),
    () => bake([walk({ steps: 2 ** 40 })]),
    () =>
      bake([world({ placements: [{ name: "town", density: "1/9" }], realms: [{ name: "r", of: "town", within: 9 }] })]),
  ],
  "plan.invalid": [() => readPlan(bake([mill().dice("d", "1d4")]).fill(7, 40), { file: "game.plan" })],
  "plan.version": [() => readPlan(bake([]).fill(3, 12, 13), { file: "game.plan" })],
  "sql.connect": [() => loadTables("oracle:tables", sqlOptions)],
  "sql.schema": [() => loadTables(address("new.sqlite"), { ...sqlOptions, recipe: "Weapon" })],
  "sql.timeout": [
    async () => {
      const server = createServer(() => undefined).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const silent = loadTables(`mysql://user@127.0.0.1:${port}/words`, { ...sqlOptions, timeoutMs: 50 });
      return silent.finally(() => server.close());
    },
  ],
  "file.read": [() => stderr("table", "check", "missing.2da")],
  "file.write": [() => stderr("recipe", "make", "weapon", "--seed", "1", "-n", "1", "-o", "missing/out.csv")],
  "file.busy": [
    async () => {
      const folder = join(FOLDER, "busy");
      await saveTables(folder, WEAPON_WORDS, sqlOptions);
      mkdirSync(join(folder, "rollmill.lock"));
      const owner = { id: "1", host: "elsewhere", space: "", pid: 7, started: "", since: "2026-01-05T08:30:00.000Z" };
      writeFileSync(join(folder, "rollmill.lock/owner.json"), JSON.stringify(owner));
      await proposeWord(folder, { ...sqlOptions, table: "adjective", word: "new", proposed: new Date(0) });
    },
  ],
  "file.json": [() => stderr("walk", "run", file("bad.json", '{"layers": [}'), "--seed", "1")],
  "cli.usage": [
    () => stderr("walk", "ends"),
    () => stderr("walk", "probabilities", file("walk.json", "{}"), "--heading", "E", "--closed", "UP"),
  ],
};

/** Codes without an example, and why. */
export const WITHOUT_EXAMPLE: Partial<Record<Code, string>> = {
  "queue.failed": "it needs a queue: test/jobs/queue/cluster.test.ts",
  "kernel.trap": "only a fault of the kernel gives it: test/kernel/trap.test.ts",
  "thread.failed": "only a thread that dies gives it: test/threads/failures.test.ts",
  "sql.query": "it needs a database: test/wordstores/messages.test.ts",
  "sql.busy": "it needs a database: test/wordstores/messages.test.ts",
};
