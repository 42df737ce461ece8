// Times one loop of two checkouts in one process, in turns, for against.mjs. Arguments: the folder of the checkout before,
// the folder of the checkout after, the subject and the name of the loop, seconds for each checkout, and which checkout
// begins: "before" or "after".
//
// The turns are short, because the speed of a machine drifts: the two turns of a pair are a few milliseconds apart.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { median } from "../harness.mjs";
import { ours } from "../ours.mjs";
import { before, NEW_CALLS } from "./before.mjs";
import { LOOPS } from "./loops.mjs";

/** Number of timed turns of each checkout. */
const TURNS = 40;
/** Number of turns before the timed ones. In them, V8 compiles the loop and the caches fill. */
const WARM_UP = 8;

const [folderBefore, folderAfter, subject, name, seconds, first] = process.argv.slice(2);
const loop = LOOPS.find((one) => one.subject === subject && one.name === name);
const both = { before: await open(folderBefore), after: await open(folderAfter) };
process.send(timed(), () => process.exit());

async function open(folder) {
  const library = await import(pathToFileURL(resolve(folder, "dist/index.js")).href);
  const adapted = existsSync(resolve(folder, NEW_CALLS)) ? ours(library) : before(library);
  return { stream: library.STREAM_VERSION, run: loop.open(adapted), sum: 0 };
}

/**
 * {before, after, ratio, comparable}: the median time of an operation in nanoseconds; the median of the ratios
 * after ÷ before of all pairs of turns; and {before, after} checksums if both checkouts have the same random words.
 */
function timed() {
  const calls = callsWithin(Number(seconds) / TURNS);
  const order = first === "before" ? ["before", "after"] : ["after", "before"];
  const times = { before: [], after: [] };
  for (let turn = -WARM_UP; turn < TURNS; turn++) {
    for (const side of turn % 2 === 0 ? order : order.toReversed()) {
      const ns = turnOf(both[side], calls);
      if (turn >= 0) times[side].push(ns);
    }
  }
  const ratios = times.after.map((ns, turn) => ns / times.before[turn]);
  const sums = both.before.stream === both.after.stream ? [both.before.sum, both.after.sum] : undefined;
  return { before: median(times.before), after: median(times.after), ratio: median(ratios), sums };
}

function turnOf(side, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) side.sum += side.run();
  return ((performance.now() - start) * 1e6) / (calls * loop.ops);
}

/** Number of calls that take this many seconds, at least 1. Both checkouts make the same calls. */
function callsWithin(time) {
  for (const side of Object.values(both)) side.sum += side.run();
  const start = performance.now();
  let done = 0;
  for (; performance.now() - start < time * 1000 || done === 0; done++) both.before.sum += both.before.run();
  for (let i = 0; i < done; i++) both.after.sum += both.after.run();
  return done;
}
