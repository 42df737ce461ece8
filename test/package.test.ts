import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { embeddedKernel } from "../src/kernel/embedded.js";

const root = new URL("../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root));
const exists = (path: string) => existsSync(new URL(path, root));

interface Package {
  readonly bin: Record<string, string>;
  readonly files: readonly string[];
  readonly exports: Record<string, string | Record<string, string>>;
  readonly scripts: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly engines: { readonly node: string };
}
const found = JSON.parse(read("package.json").toString()) as Package;

describe("the package", () => {
  test("has every file that its exports name, types first", () => {
    for (const [entry, target] of Object.entries(found.exports)) {
      const paths = typeof target === "string" ? [target] : Object.values(target);
      expect(
        paths.filter((path) => !exists(path)),
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

  test("its main entry needs no package for files or databases", () => {
    const loaded = new Set<string>();
    const visit = (url: URL) => {
      if (loaded.has(url.href)) return;
      loaded.add(url.href);
      for (const [, name] of readFileSync(url, "utf8").matchAll(/^(?:import|export)[^;]*? from "([^"]+)";/gm)) {
        if (name.startsWith(".")) visit(new URL(name, url));
        else loaded.add(name);
      }
    };
    visit(new URL("dist/index.js", root));
    const packages = [...loaded].filter((name) => !name.startsWith("file:"));
    expect(packages.sort()).toEqual(["@assemblyscript/loader", "seedrandom"]);
  });

  test("its command is a program that may be run", () => {
    for (const path of Object.values(found.bin)) {
      expect(read(path).toString()).toMatch(/^#!\/usr\/bin\/env node\n/);
      if (process.platform !== "win32") expect(statSync(new URL(path, root)).mode & 0o111).toBe(0o111);
    }
  });

  test("every version is exact, so that all have the same", () => {
    const versions = Object.entries({ ...found.dependencies, ...found.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test("it depends on what src imports, no more and no less", () => {
    const sources = readdirSync(new URL("src", root), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => read(`src/${path}`).toString());
    const names = sources.flatMap((text) => [...text.matchAll(/^(?:import|export)[^;]*? from "([^".][^"]*)";/gm)]);
    // "csv-parse/browser/esm/sync" is of csv-parse, "@assemblyscript/loader" of itself
    const packageOf = (name: string) => name.split("/", name.startsWith("@") ? 2 : 1).join("/");
    const packages = new Set(names.map(([, name]) => packageOf(name)).filter((name) => !name.startsWith("node:")));
    expect([...packages].sort()).toEqual(Object.keys(found.dependencies).sort());
  });

  test("every script that it names is there", () => {
    const paths = Object.values(found.scripts).flatMap((line) => line.match(/[\w/.-]+\.(?:mjs|json)\b/g) ?? []);
    expect(paths.length).toBeGreaterThan(3);
    expect(paths.filter((path) => !exists(path))).toEqual([]);
  });

  test("what is shipped is there, and a licence, a readme and a changelog with it", () => {
    const shipped = [...found.files.filter((path) => !path.includes("*")), "LICENSE", "README.md", "CHANGELOG.md"];
    expect(shipped.filter((path) => !exists(path))).toEqual([]);
  });
});

describe("the kernel", () => {
  const wasm = read("dist/kernel.wasm");

  test("stands in the library and beside it, the same bytes", () => {
    expect(wasm.equals(embeddedKernel())).toBe(true);
  });

  test("is at most 64 KiB, compressed", () => {
    expect(gzipSync(wasm).length).toBeLessThanOrEqual(64 * 1024);
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
