// Packs the project as for publication, installs the package in an empty folder, and uses it there: from ESM, from
// CommonJS, from the command line and from TypeScript, and runs the shell lines of its pages. Needs a finished build and
// access to the npm registry.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runPages } from "./smoke-pages.mjs";

const project = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "rollmill-smoke-"));
const require = createRequire(import.meta.url);
const { exports: entries, version } = require("../package.json");
/** The import paths of every entry of the package that has code: "rollmill", "rollmill/tables". */
const paths = Object.keys(entries)
  .filter((entry) => typeof entries[entry] === "object")
  .map((entry) => entry.replace(".", "rollmill"));
/** Maximum size of everything that is installed, in bytes. */
const MAX_BYTES = 7_900_000;
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

/** A program that uses every entry of the package and prints results, which must be equal for ESM and CommonJS. */
const USE = `
const mill = createMill({ seed: "moria" });
const table = mill.table("loot", "Random0 Random0Weight Random1 Random1Weight\\n0 ra 1 rb 3");
const map = mill.walk("land", { walkers: 3, steps: 1000 }).run();
console.log(JSON.stringify([
  [...mill.stream("words").words(4)], table.rollMany(9).ids.join(""), mill.weighted("list", [1, 2]).pickMany(9).join(""),
  map.total.digest(), toPng(map.total).length, toNpy(map.total).length, mill.recipe("weapon").make().name,
  subPaths.map((entry) => Object.keys(entry).sort().join(" ")), subPaths.every((entry) => Object.keys(entry).length > 0),
]));
`;
/** A program that makes a job in two worker threads, and prints the files of its parts. */
const THREADS = `
import { readdirSync } from "node:fs";
import { createJob } from "rollmill/jobs";
const tensor = { relative: { forward: 1 } };
const world = { layers: [{ name: "sea", tensor, steps: 9, scatter: { side: 256, walkers: 1 } }] };
const extent = { row0: 0, col0: 0, rows: 9, cols: 2048 };
const job = await createJob("job", { world, extent }, { seed: "moria" });
await job.run({ threads: 2, maxMemory: 2 ** 28 });
console.log(readdirSync("job/parts/cells").sort().join(" "));
`;
const TYPES = `
import { createMill, createMillAsync, type Fraction, RollmillError, type Counts, type Odds, type WalkInput } from "rollmill";
import { toPng } from "rollmill/formats";
import { MAX_ENTRIES } from "rollmill/weighted";
import { SCRIPT_SETS, type Weight } from "rollmill/tables";
import type { PoolsSpec } from "rollmill/pools";
import { PRESETS } from "rollmill/walks";
import { SHIPPED_RECIPES, toWordCsv } from "rollmill/recipes";
import type { KindSpec } from "rollmill/objects";
import type { WordsOptions } from "rollmill/streams";
export const entries = [MAX_ENTRIES, SCRIPT_SETS, PRESETS, SHIPPED_RECIPES, toWordCsv];
export type Named = [Weight, PoolsSpec, KindSpec, WordsOptions];
const spec: WalkInput = { walkers: 2, steps: 10, preset: "five-ways" };
using mill = createMill({ seed: 1n });
const counts: Counts<string> = mill.table("loot", "Random0 Random0Weight\\n0 ra 1").count(10);
const odds: Odds<number> = mill.weighted("list", [1, 2]).odds();
const first: Fraction = odds.odds[0].probability;
const png: Uint8Array = toPng(mill.walk("land", spec).run().total);
const later: Promise<unknown> = createMillAsync({ seed: "moria", kernel: new Uint8Array() });
export const all = [counts, first, png, later, RollmillError];
// @ts-expect-error: a mill has no default seed
createMill({});
// @ts-expect-error: no such preset
mill.walk("sea", { preset: "six-ways" });
`;

try {
  await smoke();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function smoke() {
  const [{ filename, size, files }] = JSON.parse(
    run(npm, ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], project),
  );
  const strays = files
    .map(({ path }) => path)
    .filter((path) => !/^(?:dist|data|examples|docs|schemas)\/|^[\w.]+$/.test(path));
  expect("nothing else is packed", strays, []);
  for (const needed of [
    "dist/index.js",
    "dist/index.d.ts",
    "dist/kernel.wasm",
    "dist/kernel-draws.wasm",
    "dist/kernel-maps.wasm",
    "dist/kernel-items.wasm",
    "dist/rollmill.min.js",
    "dist/rollmill.min.js.sri",
    "dist/THIRD-PARTY-LICENSES",
    "dist/cli/bin.js",
    "README.md",
    "LICENSE",
  ]) {
    expect(
      `${needed} is packed`,
      files.some(({ path }) => path === needed),
      true,
    );
  }
  say(`packed ${files.length} files, ${Math.round(size / 1024)} KiB`);

  write("package.json", JSON.stringify({ name: "smoke", private: true }));
  run(npm, ["install", "--no-audit", "--no-fund", "--silent", join(folder, filename)]);
  const installed = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."));
  expect("the package is installed alone", installed, ["rollmill"]);
  const bytes = sizeOf(join(folder, "node_modules"));
  expect(`at most ${MAX_BYTES / 1e6} MB are installed`, bytes <= MAX_BYTES, true);
  say(`installed without other packages, ${Math.round(bytes / 1000)} KB`);

  const named = [
    ["{ createMill }", "rollmill"],
    ["{ toNpy, toPng }", "rollmill/formats"],
  ];
  const imports = [
    ...named.map(([names, path]) => `import ${names} from "${path}";`),
    ...paths.map((path, i) => `import * as entry${i} from "${path}";`),
    `const subPaths = [${paths.map((_, i) => `entry${i}`)}];`,
  ];
  const requires = [
    ...named.map(([names, path]) => `const ${names} = require("${path}");`),
    `const subPaths = ${JSON.stringify(paths)}.map((path) => require(path));`,
  ];
  write("use.mjs", imports.join("\n") + USE);
  write("use.cjs", requires.join("\n") + USE);
  const fromEsm = run(process.execPath, ["use.mjs"]);
  expect(
    "CommonJS gives the same",
    run(process.execPath, ["--disable-warning=ExperimentalWarning", "use.cjs"]),
    fromEsm,
  );
  say("used from ESM and from CommonJS");

  const kernel = `import { readFileSync } from "node:fs";\nimport { createMillAsync } from "rollmill";
const bytes = readFileSync(new URL(import.meta.resolve("rollmill/kernel.wasm")));
const mill = await createMillAsync({ seed: "moria", kernel: bytes });\nconsole.log([...mill.stream("words").words(4)].join());`;
  write("kernel.mjs", kernel);
  expect("kernel.wasm gives the same", run(process.execPath, ["kernel.mjs"]).trim(), JSON.parse(fromEsm)[0].join());
  say("used with the kernel as a file");

  write("threads.mjs", THREADS);
  expect("threads make a job", run(process.execPath, ["threads.mjs"]).trim(), "0_0.part 0_1.part");
  say("used in worker threads");

  expect("rollmill --version", run("npx", ["--no-install", "rollmill", "--version"]).trim(), version);
  const words = run("npx", [
    "--no-install",
    "rollmill",
    "random",
    "words",
    "--seed",
    "moria",
    "--name",
    "words",
    "-n",
    "4",
  ]);
  expect("the command gives the same", words.trim().split("\n").map(Number), JSON.parse(fromEsm)[0]);
  say("used by its command");

  const refused = spawnSync(
    "npx",
    ["--no-install", "rollmill", "recipe", "show", "weapon", "--tables", "mysql://localhost/words"],
    { cwd: folder, encoding: "utf8" },
  );
  expect("without kysely, the command fails", refused.status, 1);
  expect("it says what to install", /npm install kysely mysql2/.test(refused.stderr), true);
  say("says which packages a database needs");

  // no optional peer is installed: its types must not be needed
  write("use.ts", `${TYPES}${paths.map((path, i) => `export * as entry${i} from "${path}";`).join("\n")}\n`);
  const compiler = join(project, "node_modules", "typescript", "bin", "tsc");
  const strict = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    module: "nodenext",
  };
  const typeRoots = [join(project, "node_modules", "@types")];
  for (const compilerOptions of [
    { ...strict, lib: ["ES2023", "ESNext.Disposable", "DOM"], types: [] },
    { ...strict, lib: ["ES2023"], types: ["node"], typeRoots },
  ]) {
    write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["use.ts"] }));
    run(process.execPath, [compiler]);
  }
  say("every entry type-checked, for a browser and for Node");

  const pages = files.map(({ path }) => path).filter((path) => path.endsWith(".md"));
  for (const line of await runPages(folder, pages)) say(line);
}

function sizeOf(path) {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return readdirSync(path).reduce((total, name) => total + sizeOf(join(path, name)), 0);
}

function run(command, args, cwd = folder) {
  try {
    return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (cause) {
    throw new Error(`${command} ${args.join(" ")} failed:\n${cause.stdout}${cause.stderr}`);
  }
}

function write(name, text) {
  writeFileSync(join(folder, name), text);
}

function expect(what, found, wanted) {
  if (JSON.stringify(found) === JSON.stringify(wanted)) return;
  throw new Error(`${what}: got ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`);
}

function say(line) {
  console.log(`  ${line}`);
}
