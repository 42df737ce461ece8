// Mutation tests of the kernel. The script changes one operator or constant in assembly/ and recompiles the kernel.
// Then it runs the tests on this mutant in a copy of the project; at least one test must fail. V8 coverage and Stryker
// cannot do this, because they do not see WebAssembly. The script does not mutate layout.ts files: TypeScript reads the
// same layouts, so a changed offset is not an error. scripts/check-layouts.mjs checks the layouts.
//
//   node scripts/mutate-kernel.mjs [--count 20] [--seed 1] [--only TEXT] [--list]
//
// --only keeps the mutants whose place contains TEXT (a path, or path:line). --list prints the mutants and runs no
// tests. The exit code is 1 if a mutant survives, that is, if every test passes on it.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import asc from "assemblyscript/asc";
import seedrandom from "seedrandom";
import { writeKernel, writePlansKernel } from "./kernel-parts.mjs";
import { copyProject, ROOT, runTests, SYSTEMS } from "./project-copy.mjs";

const ROUND_MS = 120_000;
const SURVIVED = "SURVIVED";
/** The last round runs the tests of every system. */
const LAST_ROUND_MS = 900_000;

/**
 * Maps each binary operator to its replacement. Biome's format puts spaces around each operator, which OPERATOR needs.
 */
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

/** Returns a mutant for every operator and every constant in the kernel's source. */
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

/** Overwrites comments and imports with "_", so that the positions of the code stay the same. */
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
 * Compiles the kernel and the kernel for plan files of the copy with one mutant, or unchanged. Returns undefined if one
 * does not compile. Without a mutant, it also writes src/kernel/layout.ts in the copy; mutants do not change layouts, so
 * this file fits all of them.
 */
async function compile(copy, mutant) {
  const { LayoutTransform } = await import(pathToFileURL(join(copy, "scripts/layout-transform.mjs")).href);
  const transforms = mutant === undefined ? [LayoutTransform] : [];
  const whole = await compileProgram(copy, mutant, ["assembly/index.ts", "kernel"], transforms);
  const plans = await compileProgram(copy, mutant, ["assembly/plans/index.ts", "kernel-plans"], []);
  return whole === undefined || plans === undefined ? undefined : { whole, plans };
}

async function compileProgram(copy, mutant, [entry, target], transforms) {
  let wasm;
  const { error } = await asc.main([entry, "assembly/scalar/halves.ts", "--target", target, "--baseDir", copy], {
    stderr: asc.createMemoryStream(),
    transforms,
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

/** Runs the tests on the mutants, one mutant after another. Returns the exit code. */
async function runAll(list) {
  const copy = copyProject("mutants");
  const original = await compile(copy);
  const survivors = [];
  try {
    if (original === undefined) throw new Error("the unchanged kernel does not compile");
    const unmutated = await test(copy, original, "");
    if (unmutated.verdict !== SURVIVED) throw new Error(`the tests fail on the unchanged kernel:\n${unmutated.output}`);
    for (const mutant of list) {
      const started = performance.now();
      const wasm = await compile(copy, mutant);
      const verdict =
        wasm === undefined
          ? "does not compile"
          : wasm.whole.equals(original.whole) && wasm.plans.equals(original.plans)
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

/**
 * Runs the tests on the bytes of both kernels. Returns the verdict and the output of the tests that failed. Quick tests
 * run first, because they catch most mutants.
 */
async function test(copy, wasm, path) {
  writeKernel(copy, wasm.whole);
  writePlansKernel(copy, wasm.plans);
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
