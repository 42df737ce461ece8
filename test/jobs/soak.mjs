// Kills a small job at 200 random moments, and at every call of the system that changes the job's folder. Then kills a
// job that takes parts of an earlier job, and a job that grows, at 50 random moments each, and at every flush and rename:
// `npm run soak`.
import { join } from "node:path";
import {
  hasStrace,
  isFlush,
  killAtCalls,
  killAtRandom,
  listCalls,
  prepare,
  prepareExtend,
  prepareFrom,
  randomFrom,
  remove,
} from "./kills.mjs";

const RANDOM_KILLS = 200;
const CHANGE_KILLS = 50;
const prepared = await prepare();
const random = randomFrom(1);
try {
  await killRandomly(prepared, "random", RANDOM_KILLS);
  const changes = { from: await prepareFrom(prepared), extend: await prepareExtend(prepared) };
  for (const [name, change] of Object.entries(changes)) await killRandomly(change, name, CHANGE_KILLS);
  if (hasStrace()) {
    await killEverywhere(prepared, "new", () => true);
    for (const [name, change] of Object.entries(changes)) await killEverywhere(change, name, isFlush);
  } else console.log("no strace: no kills at calls of the system");
} finally {
  remove(prepared);
}

async function killRandomly(job, name, most) {
  let kills = 0;
  for (let round = 0; kills < most; round++) {
    const folder = join(prepared.root, `${name}-${round}`);
    kills += await killAtRandom(job, { folder, threads: 1 + (round % 3), most: most - kills, random });
    console.log(`${kills} kills at random moments (${name}), each job has the digest ${job.digest.slice(0, 12)}`);
  }
}

async function killEverywhere(job, name, isChosen) {
  const calls = (await listCalls(job)).filter(isChosen);
  for (const kind of new Set(calls.map(({ thread, call }) => `${call} of the ${thread} thread`))) {
    const some = calls.filter(({ thread, call }) => kind === `${call} of the ${thread} thread`);
    await killAtCalls(job, some);
    console.log(`${some.length} kills (${name}), one at each ${kind}: the digest is always the same`);
  }
}
