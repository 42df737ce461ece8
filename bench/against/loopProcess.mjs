// Times one loop of one checkout in a process of its own, for against.mjs. Arguments: the folder of the checkout, subject and
// name of the loop, the calls to time, and seconds. With 0 calls it reports how many calls take those seconds.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { median } from "../harness.mjs";
import { ours } from "../ours.mjs";
import { before, NEW_CALLS } from "./before.mjs";
import { LOOPS } from "./loops.mjs";

/** The timed calls fall into so many parts; the median of the parts is the figure. */
const PARTS = 8;
/** Share of the timed calls that run first, untimed: V8 compiles, and caches fill. */
const WARM_UP = 1 / 4;

const [folder, subject, name, calls, seconds] = process.argv.slice(2);
const library = await import(pathToFileURL(resolve(folder, "dist/index.js")).href);
const adapted = existsSync(resolve(folder, NEW_CALLS)) ? ours(library) : before(library);
const loop = LOOPS.find((one) => one.subject === subject && one.name === name);
const run = loop.open(adapted);
process.send(Number(calls) === 0 ? { calls: callsWithin(Number(seconds)) } : timed(Number(calls)), () => {
  process.exit();
});

function callsWithin(time) {
  run();
  const start = performance.now();
  let done = 0;
  for (; performance.now() - start < time * 1000; done++) run();
  return done;
}

/** {ns: of one operation, sum: of the results, the same for the same calls}. */
function timed(total) {
  const each = Math.max(1, Math.round(total / PARTS));
  let sum = 0;
  for (let i = Math.ceil(each * PARTS * WARM_UP); i > 0; i--) sum += run();
  const parts = Array.from({ length: PARTS }, () => {
    const start = performance.now();
    for (let i = 0; i < each; i++) sum += run();
    return ((performance.now() - start) * 1e6) / (each * loop.ops);
  });
  return { ns: median(parts), sum };
}
