// Runs cases in a process that may hang or die: main.mjs watches it. Writes one line before each case, so that the parent
// knows which case runs, and one line for each case that failed.
//
//   node child.mjs exhaust|random|texts SEED FROM STEP TO [show]
//
// With "show", makes no call and writes the arguments of each case.
import { readFileSync, writeSync } from "node:fs";
import { inspect } from "node:util";
import { cases } from "../hostile/exhaust.mjs";
import { openJobs, placeOf } from "../hostile/jobs.mjs";
import { outcomeOf, withDeadline } from "../hostile/values.mjs";
import { randomCase } from "./random.mjs";
import { textCase } from "./texts.mjs";

/** Milliseconds after which the signal of a long call is aborted. */
const DEADLINE_MS = 100;
/** A text may take this much CPU time, in microseconds. */
const MOST_MICROSECONDS = 5e6;
/** Garbage is collected when the process has grown by this many bytes since it was collected last. */
const COLLECT_BYTES = 2 ** 29;
const ROOT = new URL("../../", import.meta.url);

const [kind, ...numbers] = process.argv.slice(2, 7);
const [seed, from, step, to] = numbers.map(Number);
const isShown = process.argv[7] === "show";

/** Writes to the parent. Waits while the pipe is full, because a busy parent reads late. */
function writeLine(line) {
  for (let rest = Buffer.from(line); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (cause) {
      if (cause.code !== "EAGAIN") throw cause;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/** Loads every sub-path of the package with a JavaScript entry, by its name. */
async function loadLibrary() {
  const { exports } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));
  const entries = Object.entries(exports).filter(([path, target]) => target.default && !path.endsWith(".js"));
  const modules = entries.map(async ([path, target]) => [path, await import(new URL(target.default, ROOT).href)]);
  const cli = await import(new URL("dist/cli/main.js", ROOT).href);
  return { ...Object.fromEntries(await Promise.all(modules)), cli };
}

function* chosen(lib) {
  const caseOf = { random: randomCase, texts: textCase }[kind];
  if (caseOf !== undefined) for (let k = from; k < to; k += step) yield [k, caseOf(seed, k)];
  else {
    let k = 0;
    for (const one of cases(lib)) {
      if (k >= from && (k - from) % step === 0 && k < to) yield [k, one];
      k++;
    }
  }
}

/**
 * Prepares a call. Mills of earlier cases may still hold all the addresses that the process has for kernels: then they
 * are collected first.
 */
function prepared(call, lib) {
  try {
    return call.prepare(lib);
  } catch (cause) {
    if (cause.issues?.[0]?.code !== "kernel.memory") throw cause;
    globalThis.gc();
    return call.prepare(lib);
  }
}

async function runCase(lib, one, again) {
  const { args, invoke } = prepared(one.call, lib);
  const spoilt = one.spoil(args);
  if (isShown) {
    writeLine(`args ${JSON.stringify(codeOf(spoilt))}\n`);
    return;
  }
  const given = withDeadline(one.call, spoilt, DEADLINE_MS);
  // the second time finds what the first has left behind
  for (const time of ["", ", called again"]) {
    const before = process.cpuUsage();
    let thrown = await outcomeOf(lib["."], invoke, given);
    const { user, system } = process.cpuUsage(before);
    if (kind === "texts" && user + system > MOST_MICROSECONDS) thrown ??= new Error(`took ${user + system} µs`);
    if (thrown === undefined) continue;
    const stack = String(thrown.stack).slice(0, 2000);
    const code = kind === "texts" ? codeOf(spoilt) : await shrunk(lib, again, spoilt.length);
    writeLine(`failed ${JSON.stringify({ name: one.name + time, stack, code })}\n`);
    return;
  }
}

/**
 * Makes the call anew with one argument after another valid, and keeps those that need not be spoilt. Returns the
 * arguments that are left as code.
 */
async function shrunk(lib, again, length) {
  const valid = new Set();
  const argsOf = () => {
    const { call, spoil } = again();
    const { args, invoke } = prepared(call, lib);
    const spoilt = spoil(prepared(call, lib).args);
    const mixed = spoilt.map((arg, i) => (valid.has(i) && i < args.length ? args[i] : arg));
    return { call, invoke, mixed };
  };
  for (let i = 0; i < length; i++) {
    valid.add(i);
    const { call, invoke, mixed } = argsOf();
    const given = withDeadline(call, mixed, DEADLINE_MS);
    const first = await outcomeOf(lib["."], invoke, given);
    if ((first ?? (await outcomeOf(lib["."], invoke, given))) === undefined) valid.delete(i);
  }
  return codeOf(argsOf().mixed);
}

/** Shows arguments as code. Proxies are shown as such, so that no trap runs. */
function codeOf(args) {
  const look = { depth: 4, maxArrayLength: 6, maxStringLength: 80, showProxy: true, customInspect: false };
  return inspect(args, { ...look, breakLength: 110 }).slice(0, 2000);
}

// a rejected promise that nothing awaits is a fault too
process.on("unhandledRejection", (reason) => {
  writeLine(`failed ${JSON.stringify({ name: "unhandled rejection", stack: String(reason?.stack ?? reason) })}\n`);
});
// an error in a later turn of the event loop belongs to the case that runs, or to one just before it
process.on("uncaughtException", (cause) => {
  writeLine(`failed ${JSON.stringify({ name: "uncaught exception", stack: String(cause?.stack ?? cause) })}\n`);
});
const lib = await loadLibrary();
await openJobs(lib);
// a hostile text without a slash names a file of this folder
process.chdir(placeOf(process.pid));
let bytesBefore = process.memoryUsage.rss();
for (const [k, one] of chosen(lib)) {
  // what earlier cases left behind is no memory of this case
  if (process.memoryUsage.rss() > bytesBefore + COLLECT_BYTES) {
    globalThis.gc();
    bytesBefore = process.memoryUsage.rss();
  }
  writeLine(`case ${k} ${one.name}\n`);
  await runCase(lib, one, () => (kind === "random" ? randomCase(seed, k) : one));
}
writeLine("done\n");
