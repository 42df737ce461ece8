// Packs the project as for publication, installs the package in an empty folder, and uses it in every supported runtime:
// `npm run test:runtimes`. Needs a finished build and access to the npm registry. Prints one line for each runtime.
// Under CI, a runtime that is missing counts as failed.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, promisify } from "node:util";
import { browserRuntimes } from "./browser.mjs";
import { bundleWorker } from "./bundles.mjs";
import { installRuntimes, NPM, NPM_FLAGS, PACKAGES } from "./install.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const project = join(here, "..", "..");
const folder = mkdtempSync(join(tmpdir(), "rollmill-runtimes-"));
const expected = JSON.parse(readFileSync(join(here, "expected.json"), "utf8"));
const PROGRAMS = ["check", "program", "threads", "page", "plain", "worker", "workerd"].map((name) => `${name}.mjs`);
const KERNELS = ["inside", "bytes", "response", "module", "url"];

/** A runtime that this machine cannot have. */
class Missing extends Error {}

const began = performance.now();
let failures = 0;
try {
  await prepare();
  const runtimes = [...programs(), ...edge(), ...jest(), ...typescript(), ...browserRuntimes(folder, expect, Missing)];
  await runAll(runtimes);
  console.log(`${runtimes.length} runtimes in ${seconds(began)}, ${failures} failed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures > 0) process.exitCode = 1;

/** Installs the runtimes and, in the temporary folder, the packed package. */
async function prepare() {
  await installRuntimes();
  const found = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  const [{ filename }] = JSON.parse(
    await run(NPM, ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], project),
  );
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "runtimes", private: true, type: "module" }));
  await run(NPM, ["install", ...NPM_FLAGS, join(folder, filename)]);
  for (const file of [...PROGRAMS, "expected.json", "types.mts", "jest.test.cjs"]) {
    cpSync(join(here, file), join(folder, file));
  }
  // no optional peer is installed: no entry's types may need one
  const entries = Object.entries(found.exports).flatMap(([path, { types }]) => (types === undefined ? [] : [path]));
  const lines = entries.map((path, i) => `export * as entry${i} from "${path.replace(".", "rollmill")}";`);
  writeFileSync(join(folder, "entries.mts"), `${lines.join("\n")}\n`);
  writeFileSync(join(folder, "texts.mjs"), `export const texts = ${JSON.stringify(texts())};\n`);
  console.log(`  installed in ${seconds(began)}`);
}

/** The texts that the check reads. */
function texts() {
  const read = (path) => readFileSync(join(project, "data", path), "utf8");
  const [object, objectBase, egoItem] = ["object", "object_base", "ego_item"].map((name) =>
    read(`dungeon/${name}.txt`),
  );
  const [egoThemes, artifact] = ["ego_themes", "artifact"].map((name) => read(`dungeon/${name}.txt`));
  const plain = "Random0 Random0Weight Random1 Random1Weight\n0 ra 1 rb 3";
  return { table: read("loot.2da"), plain, objects: { object, objectBase, egoItem, egoThemes, artifact } };
}

/** Node, Bun and Deno, which run one program for each source of the kernel, and one with threads. */
function programs() {
  const commands = [
    ...[20, 22, 24, 26].map((major) => [`Node ${major}`, `node${major}/bin/node`, []]),
    ["Bun", "@oven/bun-linux-x64-baseline/bin/bun", []],
    ["Deno", "@deno/linux-x64-glibc/deno", ["run", "--no-lock", "--allow-read", "--allow-env"]],
  ];
  return commands.map(([name, path, flags]) => ({
    name,
    version: async () => /\d[\d.]*\d/.exec(await run(binary(path), ["--version"]))[0],
    async check() {
      for (const kernel of KERNELS) {
        expect(JSON.parse(await run(binary(path), [...flags, "program.mjs", kernel])), `with the kernel ${kernel}`);
      }
      await run(binary(path), [...flags, "threads.mjs"]);
    },
  }));
}

/** workerd, by Miniflare, which needs Node 22. */
function edge() {
  const check = async () => {
    await bundleWorker(folder);
    expect(JSON.parse(await run(binary("node24/bin/node"), [join(here, "miniflare.mjs"), folder])), "as a worker");
  };
  return [{ name: "workerd", version: () => versionOf("workerd"), check }];
}

/** Jest, which loads ES modules by `require` from Node 24.9 on. */
function jest() {
  return [24, 26].map((major) => ({
    name: `Jest by require, Node ${major}`,
    version: () => versionOf("jest"),
    async check() {
      const config = {
        rootDir: folder,
        testMatch: ["**/jest.test.cjs"],
        transform: {},
        haste: { enableSymlinks: false },
      };
      const flags = ["--experimental-vm-modules", join(PACKAGES, "jest/bin/jest.js"), "--ci", "--watchman=false"];
      await run(binary(`node${major}/bin/node`), [...flags, "--config", JSON.stringify(config)]);
    },
  }));
}

/**
 * TypeScript, for a browser, for a bundler and for Node. Under CI, the versions between the oldest and the newest check
 * the types for a bundler only, because they take most of the time of this step.
 */
function typescript() {
  const strict = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    // the declarations of the package, but not those of TypeScript itself
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    target: "es2022",
  };
  const node = { types: ["node"], typeRoots: [join(project, "node_modules/@types")] };
  const programs = {
    browser: { ...strict, module: "nodenext", lib: ["ES2022", "DOM"], types: [] },
    bundler: { ...strict, module: "esnext", moduleResolution: "bundler", lib: ["ES2022", "DOM"], types: [] },
    node: { ...strict, module: "nodenext", lib: ["ES2022"], ...node },
  };
  for (const [name, compilerOptions] of Object.entries(programs)) {
    writeFileSync(
      join(folder, `tsconfig.${name}.json`),
      JSON.stringify({ compilerOptions, files: ["types.mts", "entries.mts"] }),
    );
  }
  const { devDependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  const compilers = Object.keys(devDependencies).filter((name) => name.startsWith("typescript"));
  const [oldest, newest] = [compilers[0], compilers.at(-1)];
  return compilers.map((compiler) => ({
    name: compiler.replace("typescript", "TypeScript "),
    version: () => versionOf(compiler),
    async check() {
      const isBetween = compiler !== oldest && compiler !== newest;
      for (const name of process.env.CI && isBetween ? ["bundler"] : Object.keys(programs)) {
        await run(process.execPath, [join(PACKAGES, compiler, "bin/tsc"), "-p", `tsconfig.${name}.json`]);
      }
    },
  }));
}

/** Runs the checks, as many at a time as there are cores, and prints a line for each. */
async function runAll(runtimes) {
  const waiting = [...runtimes];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) console.log(await report(next));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

async function report({ name, version, check }) {
  const start = performance.now();
  const line = (outcome, found) => `  ${name.padEnd(26)} ${found.padEnd(18)} ${outcome} (${seconds(start)})`;
  let found = "";
  try {
    found = await version();
    await check();
    return line("ok", found);
  } catch (cause) {
    const isSkipped = cause instanceof Missing && process.env.CI === undefined;
    if (isSkipped) return line(`skipped: ${cause.message}`, found);
    failures++;
    return line(`failed: ${cause.message}`, found);
  }
}

/** The path of a binary. The registry has it for one platform, so npm installs it as an optional dependency. */
function binary(path) {
  const full = join(PACKAGES, path);
  if (existsSync(full)) return full;
  throw new Missing(`no binary for ${process.platform} ${process.arch}`);
}

async function versionOf(name) {
  return JSON.parse(readFileSync(join(PACKAGES, name, "package.json"), "utf8")).version;
}

/**
 * Throws if results differ from those of Node 20.
 *
 * @param absent - The results that this runtime does not have.
 */
function expect(results, when, absent = []) {
  const wanted = Object.keys(expected).filter((key) => !absent.includes(key));
  const differing = wanted.filter((key) => !isDeepStrictEqual(results[key], expected[key]));
  if (differing.length === 0) return;
  const found = differing.map(
    (key) => `${key} is ${JSON.stringify(results[key])}, not ${JSON.stringify(expected[key])}`,
  );
  throw new Error(`${when}: ${found.join("; ")}`);
}

async function run(command, args, cwd = folder) {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, maxBuffer: 2 ** 26 });
    return stdout;
  } catch (cause) {
    throw new Error(`${command} ${args.join(" ")} failed:\n${cause.stdout ?? ""}${cause.stderr ?? cause.message}`);
  }
}

function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
