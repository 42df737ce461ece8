// Checks that every layout has only one source. In a copy of the project, the script inserts a field into the middle of
// a class of assembly/*/layout.ts and rebuilds the kernel and src/kernel/layout.ts. Then it runs the golden files and
// the tests of the system. If any other place repeats an offset or a size, a test fails, because that place has not
// changed.
//
//   node scripts/check-layouts.mjs [CLASS…]        default: the classes in CLASSES
//
// The exit code is 1 if a class is missing or a test fails.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { copyProject, run, runTests } from "./project-copy.mjs";

/** The classes that are checked by default: an affix of the objects, a row of a table, an op of a recipe. */
const CLASSES = ["AffixRecord", "TableRow", "RecipeOp"];

const FIELD = /^ {2}\w+: (?:[iu](?:8|16|32)|bool|usize);/;
const INSERTED = "  inserted: u32;";
const TIMEOUT_MS = 900_000;

const chosen = process.argv.length > 2 ? process.argv.slice(2) : CLASSES;
const failed = [];
for (const name of chosen) {
  const started = performance.now();
  const problem = await check(name);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${name}: ${problem === undefined ? "every test passes" : "FAILED"} (${seconds} s)`);
  if (problem === undefined) continue;
  failed.push(name);
  console.log(problem);
}
console.log(failed.length === 0 ? "each layout has one source" : `failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/**
 * Inserts a field into one class and runs the tests. Returns the output of a failure, or undefined if all tests pass.
 */
async function check(name) {
  const copy = copyProject("layout");
  try {
    const file = insertField(copy, name);
    if (file === undefined) return `no assembly/*/layout.ts has a class ${name} with fields`;
    const system = relative(join(copy, "assembly"), dirname(file));
    const built = await run(copy, ["scripts/build-kernel.mjs"], TIMEOUT_MS);
    if (built.code !== 0) return built.output;
    if (!hasField(copy)) return `src/kernel/layout.ts does not contain the field that was inserted into ${name}`;
    const tested = await runTests(copy, ["test/golden", `test/${system}/`], TIMEOUT_MS);
    return tested.code === 0 ? undefined : `${tested.code === "timeout" ? "timeout\n" : ""}${tested.output}`;
  } finally {
    rmSync(dirname(copy), { recursive: true, force: true });
  }
}

/**
 * Inserts the field after the first half of a class's fields. Returns the file, or undefined if no file has the class.
 */
function insertField(copy, name) {
  const head = new RegExp(`^export class ${name}\\b`);
  for (const file of layoutFiles(copy)) {
    const lines = readFileSync(file, "utf8").split("\n");
    const start = lines.findIndex((line) => head.test(line));
    if (start < 0) continue;
    const end = lines.indexOf("}", start);
    const fields = [...lines.keys()].filter((i) => i > start && i < end && FIELD.test(lines[i]));
    if (fields.length === 0) return undefined;
    const middle = fields[Math.floor((fields.length - 1) / 2)];
    writeFileSync(file, lines.toSpliced(middle + 1, 0, INSERTED).join("\n"));
    return file;
  }
  return undefined;
}

function layoutFiles(copy) {
  const names = readdirSync(join(copy, "assembly"), { recursive: true });
  return names.filter((name) => name.endsWith("layout.ts")).map((name) => join(copy, "assembly", name));
}

function hasField(copy) {
  return /\binserted: \d+/.test(readFileSync(join(copy, "src/kernel/layout.ts"), "utf8"));
}
