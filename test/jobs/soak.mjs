// Kills a small job at 200 random moments, and at every call of the system that changes the disk: `npm run soak`.
import { join } from "node:path";
import { countCalls, hasStrace, killAtCalls, killAtRandom, prepare, randomFrom, remove } from "./kills.mjs";

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
  const counts = countCalls(prepared);
  for (const [call, count] of Object.entries(counts)) {
    await killAtCalls(
      prepared,
      Array.from({ length: count }, (_, n) => ({ call, n: n + 1 })),
    );
    console.log(`${count} kills, one at each ${call}: the digest is always the same`);
  }
}
