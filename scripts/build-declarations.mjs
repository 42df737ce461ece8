// Makes the declarations of dist, for old compilers too, without those that no entry point refers to.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { widen } from "./widen-types.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(ROOT, "dist");
const { exports: entryPoints } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

const declarations = () =>
  readdirSync(DIST, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".d.ts"))
    .map((path) => join(DIST, path));

/** The declaration files that some files refer to by a pattern, directly or through each other, with these files. */
function reachedFrom(paths, pattern) {
  const reached = new Set(paths);
  for (const path of reached) {
    for (const [, name] of readFileSync(path, "utf8").matchAll(pattern))
      reached.add(join(dirname(path), `${name}.d.ts`));
  }
  return reached;
}

function declare() {
  const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: ROOT, stdio: "inherit" });
  const entries = Object.values(entryPoints).flatMap(({ types }) => (types === undefined ? [] : [join(ROOT, types)]));
  const needed = reachedFrom(entries, /(?:from|import\()\s*"(\.[^"]+)\.js"/g);
  const exported = reachedFrom(entries, /\bexport\b[^;]*?\bfrom\s*"(\.[^"]+)\.js"/g);
  for (const path of declarations()) {
    if (!needed.has(path)) {
      rmSync(path);
      continue;
    }
    const text = widen(readFileSync(path, "utf8")).replaceAll(/^(?: {4})+/gm, (spaces) =>
      "\t".repeat(spaces.length / 4),
    );
    // no program of a user can name what no entry point exports
    writeFileSync(path, exported.has(path) ? text : text.replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, ""));
  }
}

/** Leaves out of the declarations of the kernel's layouts all that no other declaration file imports. */
function pruneLayouts() {
  const layout = join(DIST, "kernel", "layout.d.ts");
  const others = declarations().map((path) => readFileSync(path, "utf8"));
  const imports = others.flatMap((text) => [...text.matchAll(/\{([^}]*)\} from "[^"]*\/layout\.js"/g)]);
  const names = new Set(imports.flatMap(([, list]) => list.match(/\w+/g)));
  const [head, ...statements] = readFileSync(layout, "utf8").split(/^(?=export )/m);
  const nameOf = (statement) => /^export (?:declare )?(?:const|interface|type) (\w+)/.exec(statement)?.[1];
  writeFileSync(layout, head + statements.filter((statement) => names.has(nameOf(statement))).join(""));
}

if (existsSync(DIST)) for (const path of declarations()) rmSync(path);
declare();
pruneLayouts();
