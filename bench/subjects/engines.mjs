// Bulk results of the nouns of plan files in the engines that open them: in C, in V8 with and without SIMD, and in Python.
// Our row is C, and in the case of Python, Python.

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firstSlotLaw, weaponTables } from "../inputs/recipes.mjs";
import { freeze, resultLaw, SCRIPT_WEIGHT, SEED_TABLE, sharedTable } from "../inputs/tables.mjs";
import { weightsOf } from "../inputs/weights.mjs";
import { tally } from "../loops.mjs";

const BUFFER = 65_536; // numbers per bulk call
const CARDS = 52;
const RECORDS = 20;
const QUANTITY = 3;
const DRAWS = 200_000;
const RIG = sharedTable("rig_root_r"); // null without ../shared
const module = (path) => import(new URL(`../../build/modules/${path}`, import.meta.url));

/** What is opened: a noun, the exact chance of each result, and the least result. */
const NOUNS = {
  "picks n=8": picks(8),
  "picks n=1024": picks(1024),
  "rolls seed": rolls(SEED_TABLE),
  ...(RIG === null ? {} : { "rolls rig_root_r": rolls(RIG) }),
  "dice 2d6": (mill) => {
    const ways = Array.from({ length: 11 }, (_, i) => 6 - Math.abs(i - 5));
    return { noun: mill.dice("noun", "2d6"), law: ways.map((n) => n / 36), least: 2 };
  },
  "shuffles 52": (mill) => ({ noun: mill.shuffle("noun", CARDS), law: evenly(CARDS) }),
  "pool of 20": (mill) => {
    const records = Array.from({ length: RECORDS }, (_, id) => ({ id, quantity: QUANTITY }));
    return { noun: mill.pools("noun", { roots: { pool: { kind: "finite", records } } }), law: evenly(RECORDS) };
  },
  weapons: (mill) => ({ noun: mill.recipe("noun", "weapon"), law: firstSlotLaw(weaponTables()) }),
};
const IN_PYTHON = "picks n=1024";

export const engines = {
  name: "engines",
  unit: "number",
  cases: [
    ...Object.keys(NOUNS).map((name) => ({ name, open: (notice) => open(name, inC, notice) })),
    { name: `${IN_PYTHON} in Python`, open: (notice) => open(IN_PYTHON, inPython, notice) },
  ],
};

function picks(n) {
  const weights = weightsOf(n);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return (mill) => ({ noun: mill.weighted("noun", weights), law: weights.map((one) => one / total), weights });
}

function rolls(text) {
  return (mill) => {
    const { scriptIds } = mill.table("script ids", text);
    const weights = Object.fromEntries(scriptIds.map((id) => [id, SCRIPT_WEIGHT]));
    return { noun: mill.table("noun", text, { weights }), law: resultLaw(freeze(text, () => SCRIPT_WEIGHT)) };
  };
}

function evenly(n) {
  return Array.from({ length: n }, () => 1 / n);
}

async function open(name, form, notice) {
  const { planLibrary } = await import("../rivals/c.mjs");
  const library = await planLibrary();
  if (library === null) {
    notice(`engines ${name} is skipped: \`npm run build:c\` makes the C library, which a C compiler then compiles.`);
    return null;
  }
  const { createMill } = await import("rollmill");
  const { bake } = await import("rollmill/plans");
  const opened = NOUNS[name](createMill({ seed: "bench" }));
  const plan = join(mkdtempSync(join(tmpdir(), "rollmill-bench-")), "noun.plan");
  writeFileSync(plan, bake([opened.noun]));
  const { law, least = 0 } = opened;
  const contenders = await form({ ...opened, plan, load: `${least} ${law.length} ${plan}`, library, least, notice });
  return contenders === null ? null : { law, draws: DRAWS, contenders };
}

async function inC({ load, library, weights, ...opened }) {
  const { cRival, rival } = await import("../rivals/c.mjs");
  return [
    { ...(await rival([library.engine], load, { name: "rollmill" })), reference: false },
    await inV8("V8", "plans", opened),
    { ...(await inV8("V8, without SIMD", "plans.scalar", opened)), reference: true },
    ...(weights === undefined ? [] : [await cRival("picks", [weights.length, ...weights].join(" "))]),
  ];
}

/** The kernel for plan files, as `openPlan` calls it, with a buffer that is used again. */
async function inV8(name, kernelName, { plan, law, least }) {
  const { PlanKernel } = await module("kernel/plans.js");
  const { instantiateBytes } = await module("kernel/instantiate.js");
  const kernel = new PlanKernel(
    instantiateBytes(readFileSync(new URL(`../../build/kernel-${kernelName}.wasm`, import.meta.url))),
  );
  kernel.open(readFileSync(plan));
  const key = kernel.keyOf("bench", (at, bytes) => kernel.exports.seedKey(at, bytes));
  const width = kernel.exports.resultWidth(0);
  const size = Math.max(1, width);
  let from = 0;
  const fill = (out) => {
    if (width === 0) return kernel.draw(0, 0, key, out);
    kernel.make(0, key, from, out);
    from += out.length / size;
  };
  const numbers = BUFFER - (BUFFER % size);
  const buffer = new Int32Array(numbers);
  return {
    name,
    ops: numbers,
    run() {
      fill(buffer);
      return buffer[0];
    },
    sample(draws) {
      const results = new Int32Array(draws * size);
      fill(results);
      const firsts = results.filter((_, i) => i % size === 0);
      return tally(
        firsts.map((result) => result - least),
        law.length,
      );
    },
  };
}

async function inPython({ load, library, notice }) {
  const { hasNumpy } = await import("../rivals/threads.mjs");
  if (!hasNumpy(notice)) return null;
  const { rival } = await import("../rivals/c.mjs");
  const script = new URL("../rivals/engine.py", import.meta.url).pathname;
  return [
    { ...(await rival(["python3", script, library.shared], load, { name: "rollmill" })), reference: false },
    await rival([library.engine], load, { name: "rollmill in C" }),
  ];
}
