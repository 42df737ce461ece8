// A billion counted picks, rolls and steps, in one thread and in several. Two figures count: the speed-up, and how much of
// the speed-up of independent loops it is: threads that do their share alone, without being handed out anything.

import { cpus } from "node:os";
import { LAWS, OPS, WEIGHTS } from "../inputs/threads.mjs";
import { threads as openThreads, ours } from "../ours.mjs";
import { threadedPicks } from "../rivals/threads.mjs";
import { workerTeam } from "../workerTeam.mjs";

/** Numbers of threads. A case leaves out numbers above the number of cores. */
export const THREADS = [1, 2, 4];

export const threads = {
  name: "threads",
  unit: "result",
  cases: Object.keys(LAWS).map((name) => ({ name, open: (notice) => open(name, notice) })),
};

/** The name of a row. The row of the library in one thread is the one that all rows are compared with. */
export function threadsRow(what, number) {
  return number === undefined ? what : `${what}, ${number} ${number === 1 ? "thread" : "threads"}`;
}

async function open(name, notice) {
  const cores = cpus().length;
  const numbers = THREADS.filter((number) => number <= cores);
  const absent = THREADS.filter((number) => number > cores);
  if (absent.length > 0) notice(`no figures for ${absent.join(", ")} threads: this machine has ${cores} cores`);
  const alone = ours(await import("rollmill")).counted(name);
  const perOp = async (call) => {
    const start = performance.now();
    await call();
    return ((performance.now() - start) * 1e6) / OPS;
  };
  const rows = async (number) => {
    const pool = await openThreads(name, number);
    const loops = workerTeam("ours", name, number);
    const js = workerTeam("js", name, number);
    const picks = number > 1 && name in WEIGHTS ? await threadedPicks(WEIGHTS[name], number, notice) : [];
    return [
      {
        name: threadsRow("rollmill", number),
        reference: true,
        time: () => perOp(() => pool.count(OPS)),
        ...(LAWS[name] && { sample: (draws) => pool.count(draws) }),
      },
      { name: threadsRow("loops", number), reference: true, time: () => perOp(() => loops.count(OPS)) },
      {
        name: threadsRow("js", number),
        time: () => perOp(() => js.count(OPS)),
        ...(LAWS[name] && { sample: (draws) => js.count(draws) }),
      },
      ...picks.map((rival) => ({ ...rival, name: threadsRow(rival.name, number) })),
    ];
  };
  return {
    law: LAWS[name] ?? [],
    draws: 200_000,
    contenders: [
      {
        name: "rollmill",
        time: () => perOp(() => alone.count(OPS)),
        ...(LAWS[name] && { sample: (draws) => alone.count(draws) }),
      },
      ...(await Promise.all(numbers.map(rows))).flat(),
    ],
  };
}
