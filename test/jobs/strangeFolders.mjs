// Makes strange folders of jobs from a seed, and calls everything on them. strangeFolders.test.ts runs a few,
// `npm run soak:folders` runs many.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { dirname, join, relative } from "node:path";
import { Readable, Writable } from "node:stream";
import { randomFrom } from "./kills.mjs";

const BOOK = {
  rows: {
    loot: [
      { result: "gold", weight: 3 },
      { result: "gem", weight: 1 },
    ],
  },
};
/** A job with every phase, with several parts in most of them. */
const JOB = {
  world: {
    name: "isles",
    layers: [
      { name: "land", preset: "five-ways", walkers: 3, steps: 40, start: { rect: [0, 0, 9, 9] }, firstVisit: true },
      { name: "woods", preset: "uniform", steps: 5, scatter: { side: 64, walkers: 2 } },
    ],
    terrain: [{ terrain: "land", when: { land: { visits: [1, null] } } }, { terrain: "sea" }],
    placements: [
      { name: "tree", density: "1/10" },
      { name: "chest", density: "1/10", content: { table: "loot" } },
      { name: "ore", density: "1/20", content: { pools: "ore", pool: "ore", stock: "world" } },
    ],
    tables: { loot: BOOK },
    pools: { ore: { roots: { ore: { kind: "finite", records: [{ id: "iron", mass: 3, quantity: 9 }] } } } },
  },
  extent: { row0: -4, col0: -4, rows: 10, cols: 12 },
  bulk: [{ name: "loot", table: "loot", count: 9 }],
  exports: [],
};
const REACHED = {
  world: {
    layers: JOB.world.layers.slice(0, 1),
    terrain: JOB.world.terrain,
    placements: JOB.world.placements.slice(0, 1),
  },
};
const EXPORTS = ["png", "tiles", "pmtiles", "tiled", "heights", "zarr", "parquet", "csv", "npy", "report"];
const ONE_THREAD = { threads: 1, maxMemory: 2 ** 26 };
const OLD = new Date("2020-01-01");

/** Makes three jobs, a folder of canaries, and special files. `lib` is the library, from src or from dist. */
export async function prepare(lib, root) {
  const outside = join(root, "outside");
  fs.mkdirSync(join(outside, "cells"), { recursive: true });
  fs.mkdirSync(join(outside, "0"));
  for (const name of [
    "victim.part",
    "0_0.part",
    "0/0.part",
    "cells/0_0.part",
    "preview.png",
    "zarr.json",
    "owner.json",
  ]) {
    fs.writeFileSync(join(outside, name), "canary");
  }
  const special = join(root, "special");
  fs.mkdirSync(special);
  execFileSync("mkfifo", [join(special, "pipe")]);
  try {
    execFileSync("mknod", [join(special, "zero"), "c", "1", "5"], { stdio: "ignore" });
  } catch {
    // only root can make a device
  }
  const bases = [];
  for (const [input, isWhole] of [
    [JOB, true],
    [JOB, false],
    [REACHED, true],
  ]) {
    const folder = join(root, `base-${bases.length}`);
    const job = await lib.createJob(folder, input, { seed: "moria" });
    const stop = new AbortController();
    const onProgress = ({ phase }) => !isWhole && phase === "cells" && stop.abort();
    await job.run({ ...ONE_THREAD, signal: stop.signal, onProgress }).catch(() => undefined);
    if (isWhole) fs.mkdirSync(join(folder, "exports"));
    bases.push(folder);
  }
  fs.writeFileSync(join(root, "job.json"), JSON.stringify(JOB));
  for (const name of [
    "outside",
    "special",
    ...["outside", "special"].flatMap((one) => entriesOf(join(root, one)).map((name) => join(one, name))),
  ]) {
    fs.utimesSync(join(root, name), OLD, OLD);
  }
  return { lib, root, outside, special, bases };
}

/** Runs case k: one strange folder, and a sequence of calls. Returns what is wrong, or undefined. */
export async function runCase(prepared, { seed, k, onCall = () => undefined }) {
  const random = randomFrom(seed * 1e6 + k);
  const below = (n) => Math.floor(random() * n);
  const any = (list) => list[below(list.length)];
  const { root, bases, outside } = prepared;
  const canary = stateOf(outside);
  const folder = join(root, `case-${k}`, "job");
  const done = [];
  try {
    fs.cpSync(any(bases), folder, { recursive: true });
    for (let n = 1 + below(2); n > 0; n--) done.push(change({ ...prepared, folder, below, any }));
    for (const call of callsOn({ ...prepared, folder, below, any })) {
      done.push(call.named);
      onCall(done);
      const flaw = await flawOf(prepared.lib, call);
      if (flaw !== undefined) return `${done.join(" · ")}: ${flaw}`;
      if (stateOf(outside) !== canary) return `${done.join(" · ")}: the canary has changed`;
    }
    return undefined;
  } finally {
    fs.rmSync(join(root, `case-${k}`), { recursive: true, force: true });
  }
}

/** The names, contents and times of all files of a folder. */
function stateOf(folder) {
  const names = fs.readdirSync(folder, { recursive: true }).sort();
  return JSON.stringify(
    names.map((name) => {
      const { size, mtimeMs, mode } = fs.lstatSync(join(folder, name));
      const isFile = fs.lstatSync(join(folder, name)).isFile();
      return [name, size, mode, mtimeMs, isFile ? fs.readFileSync(join(folder, name), "latin1") : ""];
    }),
  );
}

// ── the calls ──

function callsOn({ lib, folder, root, any, below }) {
  const named = (name, run) => Object.assign(run, { named: name });
  const opened = (name, run) => named(name, async () => run(await lib.openJob(folder)));
  const command = (...args) =>
    named(`rollmill ${args.join(" ")}`, () =>
      rollmill(
        lib,
        args.map((one) => (one === "DIR" ? folder : one)),
      ),
    );
  const both = (library, cli) => (below(2) === 0 ? library : cli);
  const exported = any(EXPORTS);
  const list = [
    both(
      opened("status", (job) => [job.state, job.status(), job.needs]),
      command("job", "status", "DIR", "--json"),
    ),
    both(
      opened("verify", (job) => job.verify()),
      command("job", "verify", "DIR"),
    ),
    both(
      opened(exported, (job) => lib.exportJob(job, exported)),
      command("job", "export", "DIR", `--${exported}`),
    ),
    both(
      opened("work", (job) => job.work({ task: 0, maxMemory: 2 ** 26 })),
      command("job", "work", "DIR", "--task", "0"),
    ),
    both(
      opened("clean", (job) => job.clean()),
      command("job", "clean", "DIR"),
    ),
    both(
      opened("run", (job) => job.run(ONE_THREAD)),
      command("job", "resume", "DIR", "--threads", "1"),
    ),
    both(
      opened("repair", (job) => job.verify({ repair: true })),
      command("job", "verify", "DIR", "--repair", "--threads", "1"),
    ),
    both(
      opened("run", (job) => job.run(ONE_THREAD)),
      command("job", "export", "DIR", "--report"),
    ),
    both(
      opened("pause", (job) => job.pause()),
      command("job", "pause", "DIR"),
    ),
    both(
      opened("cancel", (job) => job.cancel()),
      command("job", "cancel", "DIR", "--yes"),
    ),
    command("job", "start", join(root, "job.json"), folder, "--threads", "1", "--seed", "a"),
  ];
  // so the later calls, too, find folders that no call has changed
  return list.slice(below(list.length - 1));
}

/** Runs a command in this process. Throws what it prints if that is not an error with a code. */
async function rollmill(lib, args) {
  const sink = (list) => new Writable({ write: (bytes, _, end) => end(void list.push(String(bytes))) });
  const [out, err] = [[], []];
  const io = { stdin: Readable.from([]), stdout: sink(out), stderr: sink(err), importModule: (url) => import(url) };
  const code = await lib.main(args, io);
  const text = err.join("");
  if (/^ {4}at /m.test(text) || /report (it|this) as a bug/.test(text)) throw new Error(`a stack: ${text}`);
  if (
    code !== 0 &&
    !/\[[a-z]+\.[a-z]+\]/.test(text + out.join("")) &&
    !/damaged or missing|paused|now it is/.test(text)
  ) {
    throw new Error(`exit ${code} without a code: ${text}`);
  }
}

/** Makes a call. Returns what is wrong with its end, if anything is. */
async function flawOf(lib, call) {
  const before = process.cpuUsage();
  try {
    await call();
  } catch (cause) {
    if (!(cause instanceof lib.RollmillError)) return cause instanceof Error ? cause.stack : String(cause);
    if (cause.code === "job.task" && /failed \(/.test(cause.message)) return cause.stack;
  }
  const { user, system } = process.cpuUsage(before);
  return user + system > 5e6 ? `${(user + system) / 1e6} s of CPU` : undefined;
}

// ── the changes ──

function change(scene) {
  return scene.any([changeJson, changeJson, changeHead, changeHead, replaceEntry, replaceEntry, addEntry])(scene);
}

const LONG = "x".repeat(300);
const DEEP = () => JSON.parse(`${"[".repeat(3000)}${"]".repeat(3000)}`);
const VALUES = [
  null,
  true,
  -1,
  0,
  1,
  0.5,
  4e9,
  2 ** 31,
  2 ** 53,
  1e308,
  -(2 ** 31),
  255,
  1025,

  "",
  "a",
  "..",
  "../../outside/victim",
  "/etc/passwd",
  "a\0b",
  "__proto__",
  "parts/walk/0/0-1-0.part",
  LONG,
  "0".repeat(64),
  [],
  {},
  [null],
  { __proto__: null, "../../outside/victim.part": "0".repeat(64) },
  [[0, 0]],
  { i: 4e9, j: null },
];

function valueFor({ any, below }) {
  return below(40) === 0 ? DEEP() : any(VALUES);
}

/** Changes one value at a random place of a JSON value. */
function mutated(value, scene, path = []) {
  const { any, below } = scene;
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  if (keys.length === 0 || below(5) === 0) return [valueFor(scene), path];
  const key = any(keys);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const kind = below(12);
  if (kind === 0) {
    if (Array.isArray(copy)) copy.splice(Number(key), 1);
    else delete copy[key];
    return [copy, [...path, `delete ${key}`]];
  }
  if (kind === 1) {
    if (Array.isArray(copy)) copy.push(any([copy[0], valueFor(scene)]));
    else
      copy[
        any([
          "__proto__x",
          "../../../outside/victim.part",
          "parts/cells/../../../outside/0_0.part",
          "/etc/passwd",
          LONG,
        ])
      ] = copy[key];
    return [copy, [...path, "add"]];
  }
  const [inner, at] = mutated(value[key], scene, [...path, key]);
  copy[key] = inner;
  return [copy, at];
}

function changeJson(scene) {
  const { folder, any } = scene;
  const name = any(["manifest.json", "manifest.json", "result.json", "control.json"]);
  const file = join(folder, name);
  const bytes = contentOf(file);
  if (bytes.length === 0) return "nothing";
  const { sha256: _, ...value } = JSON.parse(bytes.toString());
  const [given, path] = mutated(value, scene);
  const next = typeof given === "object" && given !== null ? given : { value: given };
  const text = (one) => `${JSON.stringify(one, undefined, 2)}\n`;
  const hash = createHash("sha256").update(text(next)).digest("hex");
  fs.writeFileSync(file, Array.isArray(next) ? text(next) : text({ ...next, sha256: hash }));
  return `${name} ${path.join(".")}`;
}

function changeHead(scene) {
  const parts = entriesOf(scene.folder).filter((name) => name.endsWith(".part"));
  if (parts.length === 0) return "nothing";
  const name = scene.any(parts);
  const bytes = contentOf(join(scene.folder, name));
  if (bytes.length < 52) return "nothing";
  const length = Number(bytes.readBigUInt64LE(bytes.length - 44));
  const start = bytes.length - 44 - length;
  if (start < 8) return "nothing";
  const [head, path] = mutated(JSON.parse(bytes.subarray(start, start + length).toString()), scene);
  const text = Buffer.from(JSON.stringify(head));
  const trailer = Buffer.from(bytes.subarray(-44));
  trailer.writeBigUInt64LE(scene.below(30) === 0 ? 2n ** 40n : BigInt(text.length), 0);
  createHash("sha256").update(text).digest().copy(trailer, 12);
  fs.writeFileSync(join(scene.folder, name), Buffer.concat([bytes.subarray(0, start), text, trailer]));
  return `${name} ${path.join(".")}`;
}

/** Replaces a file or a folder of the job. */
function replaceEntry(scene) {
  const { folder, any } = scene;
  const names = entriesOf(folder);
  if (names.length === 0) return "nothing";
  const name = any(names);
  fs.rmSync(join(folder, name), { recursive: true, force: true });
  return `${name} is ${put(scene, join(folder, name))}`;
}

/** Adds an entry that the job does not have. */
function addEntry(scene) {
  const name = scene.any([
    "events.ndjson",
    "control.json",
    "result.json",
    "runner.lock",
    "runner.lock/owner.json",
    "worker-a.lock/owner.json",

    "exports",
    "exports/preview.png",
    "exports/tiles",
    "exports/tiles/0",
    "exports/map.zarr",
    "exports/map.zarr/visits",

    "exports/report.html",
    "exports/map-tiles.png",
    "exports/placements.csv",
    "exports/x.tmp.host.1.a",
    "x.tmp.host.1.a",
    "parts/x",
    "parts/walk/x",
    "parts/walk/0/0-67108864-0.part",
    "parts/layer/9",
    "parts/cells/9_9.part",
    "parts/ordered.part",
    "parts/bulk",
    "parts/bulk/loot/7.part",
    `parts/${LONG.slice(0, 250)}`,
    "parts/a\nb.part",
  ]);
  const path = join(scene.folder, name);
  try {
    // an earlier change may have put a link in the way
    if (leadsOut(scene.folder, name)) return "nothing";
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.rmSync(path, { recursive: true, force: true });
    const what = put(scene, path);
    // an old lock is stale: nobody waits for it
    if (name.includes(".lock")) makeOld(join(scene.folder, name.split("/")[0]));
    return `${name} is ${what}`;
  } catch {
    // a file in the way
    return "nothing";
  }
}

const OTHERS = {
  "a link to a canary": ({ outside }, path) => fs.symlinkSync(join(outside, "victim.part"), path),
  "a link to a folder of canaries": ({ outside }, path) => fs.symlinkSync(outside, path),
  "a link to a canary below": ({ outside }, path) => fs.symlinkSync(join(outside, "cells"), path),
  "another name of a canary": ({ outside }, path) => fs.linkSync(join(outside, "victim.part"), path),
  "a link to itself": (_, path) => fs.symlinkSync(path, path),
  "a link to a new file": ({ outside }, path) => fs.symlinkSync(join(outside, "new"), path),
  "a pipe": ({ special }, path) => fs.linkSync(join(special, "pipe"), path),
  "a device": ({ special }, path) => {
    const zero = join(special, "zero");
    if (fs.existsSync(zero)) fs.linkSync(zero, path);
    else fs.symlinkSync("/dev/zero", path);
  },
  "a folder": (_, path) => fs.mkdirSync(join(path, "inner"), { recursive: true }),
  "an empty file": (_, path) => fs.writeFileSync(path, ""),
  "a terabyte": (_, path) => {
    fs.writeFileSync(path, "");
    fs.truncateSync(path, 2 ** 40);
  },
};

function put(scene, path) {
  const what = scene.any(Object.keys(OTHERS));
  try {
    OTHERS[what](scene, path);
    return what;
  } catch (cause) {
    // some file systems have no large files
    if (cause.code !== "EFBIG") throw cause;
    return "nothing";
  }
}

/** Sets the time of a file or a folder. Leaves links and canaries alone: they are old. */
function makeOld(path) {
  const found = fs.lstatSync(path);
  if (found.isDirectory() || found.nlink === 1) fs.lutimesSync(path, OLD, OLD);
}

/** Whether a folder of a name is a link. */
function leadsOut(folder, name) {
  const steps = name.split("/").slice(0, -1);
  const isLink = (_, n) =>
    fs.lstatSync(join(folder, ...steps.slice(0, n + 1)), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return steps.some(isLink);
}

/** The names of everything in a folder. Follows no link. */
function entriesOf(folder) {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Reads a file of the job that no earlier change has replaced. */
function contentOf(path) {
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() && found.nlink === 1 && found.size < 2 ** 24 ? fs.readFileSync(path) : Buffer.alloc(0);
}
