// Mutates the kernel: swaps one operator or constant in assembly/, recompiles in process, runs the kernel's tests on the
// mutated bytes in a copy of the project, and expects a failure. V8 coverage and Stryker do not see WebAssembly.
//
//   node scripts/mutate-kernel.mjs [--count 20] [--seed 1] [--only TEXT] [--list]
//
// --only keeps the mutants whose place contains TEXT (a path, or path:line); --list prints them and runs nothing.
// Exit 1 if a mutant survives.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import asc from "assemblyscript/asc";
import seedrandom from "seedrandom";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const COPIED = ["assembly", "src", "test", "package.json", "tsconfig.json", "vitest.config.ts", "asconfig.json"];

/** Quick tests first: most mutants fall to them. */
const ROUNDS = [
  ["test/golden"],
  [
    "test/kernel",
    "test/weighted",
    "test/tables",
    "test/walks",
    "test/pools",
    "test/recipes",
    "test/objects",
    "test/streams",
  ],
];
const ROUND_MS = 120_000;

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
  const files = readdirSync(join(ROOT, "assembly"), { recursive: true }).filter((name) => name.endsWith(".ts"));
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

/** Compiles the copy's kernel with one mutant or none; undefined where it does not compile. */
async function compile(copy, mutant) {
  let wasm;
  const { error } = await asc.main(["assembly/index.ts", "--target", "release", "--baseDir", copy], {
    stderr: asc.createMemoryStream(),
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
  const copy = makeCopy();
  const original = await compile(copy);
  const survivors = [];
  try {
    if ((await test(copy, original)) !== "SURVIVED") throw new Error("the tests fail on the kernel as it is");
    for (const mutant of list) {
      const started = performance.now();
      const wasm = await compile(copy, mutant);
      const verdict =
        wasm === undefined ? "does not compile" : wasm.equals(original) ? "same bytes" : await test(copy, wasm);
      if (verdict === "SURVIVED") survivors.push(mutant);
      console.log(`${verdict.padEnd(16)} ${Math.round((performance.now() - started) / 1000)} s  ${describe(mutant)}`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  console.log(`\n${list.length} mutants, ${survivors.length} survived${survivors.length > 0 ? ":" : ""}`);
  for (const mutant of survivors) console.log(describe(mutant));
  return survivors.length > 0 ? 1 : 0;
}

/** A copy of the project whose kernel may be broken; real tables are not part of it. */
function makeCopy() {
  const copy = join(mkdtempSync(join(tmpdir(), "rollmill-mutants-")), "project");
  mkdirSync(join(copy, "build"), { recursive: true });
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** Runs the tests on other bytes: how the mutant fared. */
async function test(copy, wasm) {
  writeFileSync(join(copy, "build/kernel.wasm"), wasm);
  const bytes = `export const KERNEL_BASE64 = "${wasm.toString("base64")}";\n`;
  writeFileSync(join(copy, "src/kernel/bytes.ts"), bytes);
  for (const files of ROUNDS) {
    const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
    const code = await run(copy, [vitest, "run", "--bail=1", "--reporter=dot", ...files]);
    if (code !== 0) return code === "timeout" ? "caught: timeout" : "caught";
  }
  return "SURVIVED";
}

/** Runs node quietly; its exit code, or "timeout" where a mutant loops for ever. */
function run(cwd, args) {
  return new Promise((resolve) => {
    // a process group of its own, so that vitest's workers end with it
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: "ignore",
      detached: true,
      env: { ...process.env, CI: "" },
    });
    const timer = setTimeout(() => {
      process.kill(-child.pid, "SIGKILL");
      resolve("timeout");
    }, ROUND_MS);
    child.on("exit", (code) => {
      clearTimeout(timer);
      resolve(code ?? 1);
    });
  });
}
