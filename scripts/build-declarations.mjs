// Makes the declarations of dist, for old compilers too, without those that no entry point refers to.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pruneTypes } from "./prune-types.mjs";
import { widen } from "./widen-types.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(ROOT, "dist");
const { exports: entryPoints } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

const declarations = () =>
  readdirSync(DIST, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".d.ts"))
    .map((path) => join(DIST, path));

/** The declaration files whose names the entry points export, directly or through each other. */
function exportedBy(entries) {
  const reached = new Set(entries);
  for (const path of reached) {
    for (const [, name] of readFileSync(path, "utf8").matchAll(/\bexport\b[^;]*?\bfrom\s*"(\.[^"]+)\.js"/g))
      reached.add(join(dirname(path), `${name}.d.ts`));
  }
  return reached;
}

function declare() {
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  // `npm run check:types` checks the types
  execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json", "--noCheck"], { cwd: ROOT, stdio: "inherit" });
  const entries = Object.values(entryPoints).flatMap(({ types }) => (types === undefined ? [] : [join(ROOT, types)]));
  pruneTypes(declarations(), entries);
  const exported = exportedBy(entries);
  for (const path of declarations()) {
    const text = widen(readFileSync(path, "utf8")).replaceAll(/^(?: {4})+/gm, (spaces) =>
      "\t".repeat(spaces.length / 4),
    );
    // no program of a user can name what no entry point exports
    writeFileSync(path, exported.has(path) ? text : text.replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, ""));
  }
}

if (existsSync(DIST)) for (const path of declarations()) rmSync(path);
declare();
