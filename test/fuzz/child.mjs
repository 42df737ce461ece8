// Runs cases in a process that may hang or die: main.mjs watches it. Writes one line before each case, so that the parent
// knows which case runs, and one line for each case that failed.
//
//   node child.mjs exhaust|random SEED FROM STEP TO
import { readFileSync, writeSync } from "node:fs";
import { cases } from "../hostile/exhaust.mjs";
import { outcomeOf, withDeadline } from "../hostile/values.mjs";
import { randomCase } from "./random.mjs";

/** Milliseconds after which the signal of a long call is aborted. */
const DEADLINE_MS = 100;
const ROOT = new URL("../../", import.meta.url);

const [kind, ...numbers] = process.argv.slice(2);
const [seed, from, step, to] = numbers.map(Number);

/** Loads every sub-path of the package with a JavaScript entry, by its name. */
async function loadLibrary() {
  const { exports } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));
  const entries = Object.entries(exports).filter(([path, target]) => target.default && !path.endsWith(".js"));
  const modules = entries.map(async ([path, target]) => [path, await import(new URL(target.default, ROOT).href)]);
  return Object.fromEntries(await Promise.all(modules));
}

function* chosen(lib) {
  if (kind === "random") for (let k = from; k < to; k += step) yield [k, randomCase(seed, k)];
  else {
    let k = 0;
    for (const one of cases(lib)) {
      if (k >= from && (k - from) % step === 0 && k < to) yield [k, one];
      k++;
    }
  }
}

async function runCase(lib, { name, call, spoil }) {
  const { args, invoke } = call.prepare(lib);
  const given = withDeadline(call, spoil(args), DEADLINE_MS);
  // the second time finds what the first has left behind
  for (const time of ["", ", called again"]) {
    const thrown = await outcomeOf(lib["."], invoke, given);
    if (thrown === undefined) continue;
    writeSync(1, `failed ${JSON.stringify({ name: name + time, stack: String(thrown.stack).slice(0, 2000) })}\n`);
    return;
  }
}

// a rejected promise that nothing awaits is a fault too
process.on("unhandledRejection", (reason) => {
  writeSync(1, `failed ${JSON.stringify({ name: "unhandled rejection", stack: String(reason?.stack ?? reason) })}\n`);
});
const lib = await loadLibrary();
for (const [k, one] of chosen(lib)) {
  writeSync(1, `case ${k} ${one.name}\n`);
  await runCase(lib, one);
}
writeSync(1, "done\n");
