// Times one loop of one checkout in a separate process, for against.mjs. Arguments: the folder of the checkout, the
// subject and the name of the loop, the number of calls to time, and seconds. If the number of calls is 0, the process
// reports how many calls take this many seconds.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { median } from "../harness.mjs";
import { ours } from "../ours.mjs";
import { before, NEW_CALLS } from "./before.mjs";
import { LOOPS } from "./loops.mjs";

/** Number of parts into which the timed calls are divided. The reported time is the median of the parts. */
const PARTS = 8;
/** The warm-up, which is not timed, as a share of the timed calls. In it, V8 compiles the loop and the caches fill. */
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

/** {ns, sum}: the time of one operation in nanoseconds, and a checksum of the results, to compare two checkouts. */
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
