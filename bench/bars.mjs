// The bars that have a rival: the largest accepted ratio of Rollmill's time to the rival's time, measured in the same
// rounds.

import { median, ratio } from "./harness.mjs";

import { rowName, SHORT, THREADS } from "./subjects/jobs.mjs";
import { threadsRow } from "./subjects/threads.mjs";

const HAND_WRITTEN = ["c", "js"];
const BRANCH_FREE = "c, branch-free";

/** Stands for the fastest npm package. Every other rival is given by the name of its row. */
const BEST_NPM = "the best npm rival";

const picks = [8, 64, 1024, 65_536].flatMap((n) => [
  { subject: "picks", case: `n=${n}`, rival: "c", limit: n <= 1024 ? 1 / 2 : 0.8 },
  { subject: "picks", case: `n=${n}`, rival: BRANCH_FREE, limit: 0.75 },
  { subject: "picks", case: `n=${n}`, rival: BEST_NPM, limit: n === 8 ? 1 / 6 : 1 / 8 },
]);

const pools = [
  [8, 1],
  [256, 0.65],
  [1024, 0.65],
  [4096, 0.55],
  [65_536, 0.6],
].map(([n, limit]) => ({ subject: "pools", case: `n=${n}`, rival: "c", limit }));

const branchFreePools = [8, 64, 256, 1024, 4096].map((n) => {
  return { subject: "pools", case: `n=${n}`, rival: BRANCH_FREE, limit: 0.95 };
});

const rolls = ["seed", "rig_root_r"].flatMap((name) => [
  { subject: "rolls", case: name, rival: "c", limit: 0.6 },
  { subject: "rolls", case: name, rival: BRANCH_FREE, limit: 0.85 },
]);

const singles = [
  ["picks", "n=64 single"],
  ["rolls", "seed single"],
  ["pools", "n=64 single"],
  ["recipes", "weapon single"],
  ["objects", "level 30, good single"],
  ["steps", "torus 512 single"],
].map(([subject, name]) => ({ subject, case: name, rival: "js", limit: 1 }));

export const BARS = [
  ...picks,
  ...rolls,
  ...singles,
  { subject: "steps", case: "torus 512", rival: "c", limit: 0.45 },
  { subject: "steps", case: "torus 2048", rival: "c", limit: 0.45 },
  { subject: "steps", case: "torus 8192", rival: "c", limit: 0.45 },
  { subject: "steps", case: "unbounded", rival: "rollmill, torus 512", limit: 1.5 },
  ...pools,
  ...branchFreePools,
  { subject: "pools", case: "256 shared by 4", rival: "rollmill, unshared", limit: 2.5 },
  { subject: "pools", case: "infinite 1024", rival: "rollmill, weighted list", limit: 1.2 },
  { subject: "recipes", case: "weapon", rival: "c", limit: 1 / 2 },
  { subject: "recipes", case: "weapon", rival: "js", limit: 1 / 10 },
  { subject: "recipes", case: "weapon, type requested", rival: "rollmill, unrequested", limit: 1.2 },
  { subject: "objects", case: "level 30, good", rival: "js", limit: 1 / 8 },
  { subject: "objects", case: "level 30, good", rival: "c", limit: 0.25 },
  { subject: "worlds", case: "layers 1024", rival: "rollmill, pure steps", limit: 1.3 },
  { subject: "worlds", case: "window 1024", rival: "js", limit: 1 / 8 },
  { subject: "worlds", case: "window 1024", rival: "c", limit: 0.5 },
  { subject: "exports", case: "zarr visits 4096", rival: "zarrita", limit: 1 },
  { subject: "exports", case: "zarr terrain 4096", rival: "zarrita", limit: 1 },
  { subject: "exports", case: "png 4096", rival: "fast-png", limit: 1 },
  { subject: "exports", case: "tiled 4096", rival: "rollmill, png", limit: 2 },
  ...["picks n=8", "picks n=1024", "rolls seed", "dice 2d6", "shuffles 52", "pool of 20"].map((name) => ({
    subject: "engines",
    case: name,
    rival: "V8",
    limit: 1.1,
  })),
  ...["picks n=8", "picks n=1024"].map((name) => ({ subject: "engines", case: name, rival: "c", limit: 1 / 2 })),
  { subject: "engines", case: "picks n=1024 in Python", rival: "rollmill in C", limit: 1.1 },
  // a search has at least 0.8 of the rate of the bulk call
  ...["list", "set of a list", "dice", "table", "recipe"].map((name) => ({
    subject: "instruments",
    case: `search ${name}`,
    rival: "rollmill, bulk",
    limit: 1 / 0.8,
  })),
];

/** The least share of the speed-up of independent kernel loops that a job must have, by number of threads. */
const LEAST_SHARE = { 2: 0.95, 4: 0.9 };
/** The greatest time of a job ÷ the time of its kernel on as many threads. */
const MOST_TIME = 1.15;

/** The least share of the speed-up of independent loops that a count in threads must have. */
const LEAST_SHARE_OF_COUNTS = 0.95;
/** The greatest time of a count in threads ÷ the time of a rival on as many cores. */
const MOST_TIMES_OF_COUNTS = { js: 1, rust: 0.5, numpy: 0.125, "numpy sort": 0.5 };

/** The npm rival with the shortest median time among the rows of a case; undefined if there is none. */
function bestNpm(rows) {
  const rivals = rows.filter(
    ({ name, reference }) => !reference && name !== "rollmill" && !HAND_WRITTEN.includes(name),
  );
  return rivals.toSorted((a, b) => median(a.ns) - median(b.ns))[0];
}

/**
 * The bars of the cases that ran: {text, limit, measured, met}, and `isLeast` if the limit is a minimum. If the rival did not run, `measured` is null and `met`
 * is false.
 */
export function judge(results) {
  const ofJobs = results
    .filter(({ subject, case: name }) => subject === "jobs" && !name.startsWith(SHORT))
    .flatMap(judgeJob);
  const ofThreads = results.filter(({ subject }) => subject === "threads").flatMap(judgeThreads);
  return [...judgeRivals(results), ...ofJobs, ...ofThreads];
}

/** The bars of a case of threads: its speed-up, compared with the number of threads and with independent loops. */
function judgeThreads({ subject, case: name, rows }) {
  const nsOf = (row) => rows.find((one) => one.name === row)?.ns;
  return THREADS.filter((threads) => threads > 1 && nsOf(threadsRow("rollmill", threads))).flatMap((threads) => {
    const [ours, loops] = ["rollmill", "loops"].map((what) => nsOf(threadsRow(what, threads)));
    const speedUp = ratio(nsOf("rollmill"), ours);
    const share = ratio(loops, ours);
    const text = `${subject} ${name} on ${threads} threads: its speed-up of ${speedUp.toFixed(2)} against independent loops`;
    const rivals = Object.entries(MOST_TIMES_OF_COUNTS).flatMap(([rival, limit]) => {
      const ns = nsOf(threadsRow(rival, threads));
      if (ns === undefined) return [];
      const measured = ratio(ours, ns);
      return {
        text: `${subject} ${name} on ${threads} threads against ${rival}`,
        limit,
        measured,
        met: measured <= limit,
      };
    });
    return [
      { text, limit: LEAST_SHARE_OF_COUNTS, isLeast: true, measured: share, met: share >= LEAST_SHARE_OF_COUNTS },
      ...rivals,
    ];
  });
}

/** The bars of a case of jobs, for each number of threads that ran. `isLeast` marks a bar whose limit is a minimum. */
function judgeJob({ subject, case: name, rows }) {
  const nsOf = (what, threads) => rows.find((row) => row.name === rowName(what, threads))?.ns;
  const speedUps = (what, threads) => nsOf(what, 1).map((ns, round) => ns / nsOf(what, threads)[round]);
  return THREADS.filter((threads) => nsOf("job", threads) !== undefined).flatMap((threads) => {
    const time = ratio(nsOf("job", threads), nsOf("kernel", threads));
    const on = `on ${threads} ${threads === 1 ? "thread" : "threads"}`;
    const times = { text: `${subject} ${name} ${on} against its kernel`, limit: MOST_TIME, measured: time };
    if (threads === 1) return [{ ...times, met: time <= MOST_TIME }];
    const share = ratio(speedUps("job", threads), speedUps("loops", threads));
    const speedUp = median(speedUps("job", threads)).toFixed(2);
    const limit = LEAST_SHARE[threads];
    const text = `${subject} ${name} ${on}: its speed-up of ${speedUp} against independent loops`;
    return [
      { ...times, met: time <= MOST_TIME },
      { text, limit, isLeast: true, measured: share, met: share >= limit },
    ];
  });
}

function judgeRivals(results) {
  return BARS.flatMap((bar) => {
    const result = results.find(({ subject, case: name }) => subject === bar.subject && name === bar.case);
    if (!result) return [];
    const ours = result.rows.find(({ name }) => name === "rollmill");
    const rival = bar.rival === BEST_NPM ? bestNpm(result.rows) : result.rows.find(({ name }) => name === bar.rival);
    const measured = rival ? ratio(ours.ns, rival.ns) : null;
    const against = bar.rival === BEST_NPM && rival ? `${bar.rival} (${rival.name})` : bar.rival;
    const text = `${bar.subject} ${bar.case} against ${against}`;
    return [{ text, limit: bar.limit, measured, met: measured !== null && measured <= bar.limit }];
  });
}
