// Kills a small job at 200 random moments, and at every call of the system that changes the job's
// folder: `npm run soak`.
import { join } from "node:path";
import { hasStrace, killAtCalls, killAtRandom, listCalls, prepare, randomFrom, remove } from "./kills.mjs";

const RANDOM_KILLS = 200;
const prepared = await prepare();
const random = randomFrom(1);
try {
  let kills = 0;
  for (let round = 0; kills < RANDOM_KILLS; round++) {
    kills += await killAtRandom(prepared, {
      folder: join(prepared.root, `random-${round}`),
      threads: 1 + (round % 3),
      most: RANDOM_KILLS - kills,
      random,
    });
    console.log(`${kills} kills at random moments, each job has the digest ${prepared.digest.slice(0, 12)}`);
  }
  if (hasStrace()) await killEverywhere();
  else console.log("no strace: no kills at calls of the system");
} finally {
  remove(prepared);
}

async function killEverywhere() {
  const calls = await listCalls(prepared);
  for (const kind of new Set(calls.map(({ thread, call }) => `${call} of the ${thread} thread`))) {
    const some = calls.filter(({ thread, call }) => kind === `${call} of the ${thread} thread`);
    await killAtCalls(prepared, some);
    console.log(`${some.length} kills, one at each ${kind}: the digest is always the same`);
  }
}
