// Mutates the kernel: swaps one operator or constant in assembly/, recompiles in process, runs the tests on the mutated bytes
// in a copy of the project, and expects a failure. V8 coverage and Stryker do not see WebAssembly. Layouts are left alone:
// TypeScript takes them from the same source, so a changed offset is no mistake; scripts/check-layouts.mjs checks them.
//
//   node scripts/mutate-kernel.mjs [--count 20] [--seed 1] [--only TEXT] [--list]
//
// --only keeps the mutants whose place contains TEXT (a path, or path:line); --list prints them and runs nothing.
// Exit 1 if a mutant survives.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import asc from "assemblyscript/asc";
import seedrandom from "seedrandom";
import { copyProject, ROOT, runTests, SYSTEMS } from "./project-copy.mjs";

const ROUND_MS = 120_000;
const SURVIVED = "SURVIVED";
/** The last round runs the tests of every system. */
const LAST_ROUND_MS = 900_000;

/** Binary operators, by Biome's layout between spaces; longer ones first. */
const SWAPS = new Map(
  Object.entries({
    ">>>": "<<",
    "<<": ">>>",
    "<=": "<",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
    "+=": "-=",
    "-=": "+=",
    ">>": "<<",
    "<": "<=",
    ">": ">=",
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "%": "/",
    "&": "|",
    "|": "&",
    "^": "|",
  }),
);
const OPERATOR = / (>>>|<<|<=|>=|==|!=|&&|\|\||\+=|-=|>>|<|>|\+|-|\*|\/|%|&|\||\^) /g;
const CONSTANT = /(?<![\w.$])(0x[0-9a-f]+|\d+)(?![\w.$])/g;

const { values: options } = parseArgs({
  options: {
    count: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    list: { type: "boolean", default: false },
  },
});

const mutants = findMutants().filter(({ place }) => place.includes(options.only));
const chosen = shuffled(mutants, options.seed).slice(0, Number(options.count));
if (options.list) for (const mutant of chosen) console.log(describe(mutant));
else process.exitCode = await runAll(chosen);

/** Every place where one operator or constant can be swapped. */
function findMutants() {
  const names = readdirSync(join(ROOT, "assembly"), { recursive: true });
  const files = names.filter((name) => name.endsWith(".ts") && !name.endsWith("layout.ts"));
  return files.flatMap((name) => {
    const path = join("assembly", name);
    const text = readFileSync(join(ROOT, path), "utf8");
    const code = withoutComments(text);
    const sites = [
      ...[...code.matchAll(OPERATOR)].map((match) => [match.index + 1, match[1], SWAPS.get(match[1])]),
      ...[...code.matchAll(CONSTANT)].map((match) => [match.index, match[1], String(Number(match[1]) + 1)]),
    ];
    return sites.map(([at, from, to]) => {
      const line = text.slice(0, at).split("\n").length;
      return { path, at, from, to, place: `${path}:${line}`, source: text.split("\n")[line - 1].trim() };
    });
  });
}

/** The text with comments and imports blanked, positions kept. */
function withoutComments(text) {
  const blank = (part) => part.replace(/[^\n]/g, "_");
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|^(import|export \{)[\s\S]*?;$/gm, blank);
}

function shuffled(list, seed) {
  const random = seedrandom(seed);
  return list
    .map((item) => ({ item, key: random.int32() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

function describe({ place, from, to, source }) {
  return `${place}: ${from} → ${to}    ${source}`;
}

/**
 * Compiles the copy's kernel with one mutant or none; undefined if it does not compile. Without a mutant it also writes the
 * copy's src/kernel/layout.ts, which is right for every mutant.
 */
async function compile(copy, mutant) {
  let wasm;
  const { LayoutTransform } = await import(pathToFileURL(join(copy, "scripts/layout-transform.mjs")).href);
  const { error } = await asc.main(["assembly/index.ts", "--target", "release", "--baseDir", copy], {
    stderr: asc.createMemoryStream(),
    transforms: mutant === undefined ? [LayoutTransform] : [],
    readFile(name, baseDir) {
      try {
        const text = readFileSync(join(baseDir, name), "utf8");
        return mutant !== undefined && name === mutant.path ? mutate(text, mutant) : text;
      } catch {
        return null;
      }
    },
    writeFile(name, contents) {
      if (name.endsWith(".wasm")) wasm = Buffer.from(contents);
    },
  });
  return error === null ? wasm : undefined;
}

function mutate(text, { at, from, to }) {
  return text.slice(0, at) + to + text.slice(at + from.length);
}

/** Runs the mutants one by one; the exit code. */
async function runAll(list) {
  const copy = copyProject("mutants");
  const original = await compile(copy);
  const survivors = [];
  try {
    if (original === undefined) throw new Error("the kernel does not compile as it is");
    const unmutated = await test(copy, original, "");
    if (unmutated.verdict !== SURVIVED) throw new Error(`the tests fail on the kernel as it is:\n${unmutated.output}`);
    for (const mutant of list) {
      const started = performance.now();
      const wasm = await compile(copy, mutant);
      const verdict =
        wasm === undefined
          ? "does not compile"
          : wasm.equals(original)
            ? "same bytes"
            : (await test(copy, wasm, mutant.path)).verdict;
      if (verdict === SURVIVED) survivors.push(mutant);
      console.log(`${verdict.padEnd(16)} ${Math.round((performance.now() - started) / 1000)} s  ${describe(mutant)}`);
    }
  } finally {
    rmSync(dirname(copy), { recursive: true, force: true });
  }
  console.log(`\n${list.length} mutants, ${survivors.length} survived${survivors.length > 0 ? ":" : ""}`);
  for (const mutant of survivors) console.log(describe(mutant));
  return survivors.length > 0 ? 1 : 0;
}

/** Runs the tests on other bytes: {verdict, output of the tests that failed}. Quick tests come first, because most mutants fall to them. */
async function test(copy, wasm, path) {
  writeFileSync(join(copy, "build/kernel.wasm"), wasm);
  const bytes = `export const KERNEL_BASE64 = "${wasm.toString("base64")}";\n`;
  writeFileSync(join(copy, "src/kernel/bytes.ts"), bytes);
  const own = SYSTEMS.filter((name) => path.includes(`/${name}/`));
  const rounds = [
    { tests: ["golden", "kernel", "streams"], timeout: ROUND_MS },
    { tests: own, timeout: ROUND_MS },
    { tests: SYSTEMS, timeout: LAST_ROUND_MS },
  ];
  for (const { tests, timeout } of rounds.filter(({ tests }) => tests.length > 0)) {
    const folders = tests.map((name) => `test/${name}/`);
    const { code, output } = await runTests(copy, folders, timeout);
    if (code !== 0) return { verdict: code === "timeout" ? "caught: timeout" : "caught", output };
  }
  return { verdict: SURVIVED, output: "" };
}
