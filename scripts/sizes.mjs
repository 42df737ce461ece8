// Measures the sizes that the pages name, and writes them into the pages:
//   node scripts/sizes.mjs            a figure stands between <!-- size:NAME --> and <!-- /size -->; NAME is a name
//                                     of `measured`, or the path of a file
//   node scripts/sizes.mjs --check    writes nothing; fails if a figure is more than 5 % wrong, because compilers vary
// Needs `npm run build` and `npm run build:workbench`, because the package has both.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundled, gzipped } from "./bundled.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PAGES = ["README.md", "docs/guide/browser.md", "docs/architecture.md", "docs/engines.md"];
/** The share by which a figure may be wrong. A figure with two digits is up to 5 % wrong by rounding alone. */
const TOLERANCE = 0.05;
/** File systems give each file whole blocks of this many bytes. */
const BLOCK = 4096;
const CORE = 'import { createMill, createMillAsync } from "dist/core/index.js";';
const SYSTEMS = ["tables", "pools", "walks", "recipes", "objects"];

const PARTS = ["kernel", "kernel-draws", "kernel-maps", "kernel-items", "kernel.scalar"];

/** Returns the sizes in bytes, by name. */
async function measured() {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const listed = execFileSync(npm, ["pack", "--json", "--dry-run", "--ignore-scripts"], { cwd: ROOT, stdio: "pipe" });
  const [{ size, unpackedSize, files }] = JSON.parse(listed);
  const at = (path) => readFileSync(join(ROOT, path));
  const core = await bundled(`${CORE} createMill({ seed: 1, kernel: globalThis.kernel }).weighted("a", [1]);`);
  const system = async (name) => {
    const kernel = "globalThis.kernel";
    const program = `${CORE} import { ${name} } from "dist/${name}/index.js";
      createMill({ seed: 1, kernel: ${kernel} }).weighted("a", [1]); globalThis.system = ${name};`;
    // the part of the kernel has a size of its own
    return (await bundled(program, { isLater: false })) - core;
  };
  const world = (imported, system) =>
    bundled(`${CORE} import { worldsWith } from "dist/worlds/index.js"; ${imported} const worlds = ${system};
      (await createMillAsync({ seed: 1, systems: [worlds] })).open(worlds, "a", {});`);
  return {
    tarball: size,
    installed: unpackedSize,
    disk: files.reduce((sum, file) => sum + Math.ceil(file.size / BLOCK) * BLOCK, 0),
    ...Object.fromEntries(PARTS.map((name) => [name, gzipped(at(`dist/${name}.wasm`))])),
    core,
    "core-inside": await bundled(`${CORE} (await createMillAsync({ seed: 1 })).weighted("a", [1]);`),
    "tables-inside": await bundled(`${CORE} import { tables } from "dist/tables/index.js";
      (await createMillAsync({ seed: 1 })).open(tables, "a", {});`),
    "tables-without-odds-inside": await bundled(`${CORE} import { tablesWithoutOdds } from "dist/tables/index.js";
      (await createMillAsync({ seed: 1 })).open(tablesWithoutOdds, "a", {});`),
    "world-inside": await world("", "worldsWith()"),
    "world-tables-inside": await world('import { tables } from "dist/tables/index.js";', "worldsWith({ tables })"),
    ...Object.fromEntries(await Promise.all(SYSTEMS.map(async (name) => [name, await system(name)]))),
    plans: await bundled('import { openPlan } from "dist/plans/index.js"; openPlan(globalThis.bytes, { seed: 1 });'),
    all: gzipped(at("dist/rollmill.min.js")),
  };
}

const units = [
  [1e6, "MB"],
  [1e3, "KB"],
];

/** A size with two digits, in MB or KB. */
function figure(bytes) {
  const [unit, name] = units.find(([least]) => bytes >= least) ?? units[1];
  return `${Number((bytes / unit).toPrecision(2))} ${name}`;
}

function bytesOf(text) {
  const [, amount, name] = /^([\d.]+) (KB|MB)$/.exec(text) ?? [];
  return Number(amount) * units.find(([, unit]) => unit === name)?.[0];
}

if (!existsSync(join(ROOT, "dist/workbench/index.html"))) {
  console.error("The package has the workbench, and so have its sizes. Run `npm run build:workbench` first.");
  process.exit(1);
}
const isCheck = process.argv.includes("--check");
const sizes = await measured();
const stale = [];
for (const page of PAGES) {
  const text = readFileSync(join(ROOT, page), "utf8");
  const written = text.replaceAll(/(<!-- size:([\w./-]+) -->)([^<]*)(?=<!-- \/size -->)/g, (_, mark, name, old) => {
    const bytes = sizes[name] ?? statSync(join(ROOT, name)).size;
    const isClose = Math.abs(bytesOf(old) / bytes - 1) <= TOLERANCE;
    if (isClose) return mark + old;
    stale.push(`${page}: ${name} is ${figure(bytes)}, not "${old}"`);
    return mark + figure(bytes);
  });
  if (!isCheck && written !== text) writeFileSync(join(ROOT, page), written);
}
console.log(stale.length === 0 ? "the pages have the sizes of this build" : stale.join("\n"));
if (isCheck && stale.length > 0) {
  console.error("Run `npm run sizes`, which writes them.");
  process.exitCode = 1;
}
