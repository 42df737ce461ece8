// One of the threads of workerTeam.mjs.

import { parentPort, workerData } from "node:worker_threads";
import { SIDE, TABLE, WALKERS, WEIGHTS } from "./inputs/threads.mjs";
import { UNIFORM } from "./inputs/walks.mjs";
import { ours } from "./ours.mjs";

const { loops, name, thread, threads } = workerData;
const { count } = loops === "ours" ? ours(await import("rollmill")).counted(name, thread, threads) : await js();

parentPort.on("message", (n) => parentPort.postMessage([...count(n)]));

async function js() {
  if (name in WEIGHTS) {
    const { jsPicks } = await import("./rivals/js/picks.mjs");
    return { count: jsPicks(WEIGHTS[name], thread).count };
  }
  if (name === "rolls") {
    const { jsRolls } = await import("./rivals/js/rolls.mjs");
    return { count: jsRolls(TABLE, thread).count };
  }
  const { jsSteps } = await import("./rivals/js/steps.mjs");
  const walkers = Math.max(1, WALKERS / threads);
  const { advance } = jsSteps({ grid: { rows: SIDE, columns: SIDE }, tensor: UNIFORM, walkers });
  return { count: (n) => [advance(Math.ceil(n / walkers))] };
}
