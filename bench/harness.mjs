// Measures one case. It checks every contender, then times the contenders in turn over several rounds. So if the
// machine becomes slower or faster during the run, all contenders are affected alike.

import { assertLaw } from "./law.mjs";

/** Number of samples per turn of a contender. The figure of the turn is their median, as in rivals/c. */
const SAMPLES = 5;

/** How long a case waits for rounds in which the core is ours alone, in milliseconds. */
const WAIT_MS = 120_000;

/** The warm-up of a contender whose turns are too short for one. */
const WARM_UP_SECONDS = 0.2;

/** The sum of the results of all timed calls. Because it is used, the optimiser cannot remove the calls. */
const sink = { sum: 0 };

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median over the rounds of our time ÷ their time, both measured in the same round. */
export function ratio(ours, theirs) {
  return median(ours.map((ns, round) => ns / theirs[round]));
}

/**
 * Checks and times the contenders of an opened case.
 *
 * A contender is {name, sample(draws), and either run() with ops (one call does `ops` operations and returns a number)
 * or time(seconds) (of a program that times itself and returns ns per operation)}. `reference: true` marks a row that
 * is printed but is not a rival. A contender without sample() has no results to check. If the results of an npm
 * contender do not follow the law, it is left out with a notice; for any other contender that is an error.
 *
 * With `isAlone` (alone.mjs), only those rounds count before and after which the core was ours alone. After WAIT_MS there
 * are no more rounds.
 *
 * @returns [{name, reference, ns: one figure per round}], or null if no round counts
 */
export async function measure({ law, draws, contenders }, { rounds, seconds, notice, progress, isAlone }) {
  const sound = [];
  for (const contender of contenders) {
    progress(`checking ${contender.name}`);
    if (await obeysLaw(contender, law, draws, notice)) sound.push({ ...contender, ns: [] });
  }
  // V8 compiles, and the caches fill
  const warmUp = isAlone ? WARM_UP_SECONDS : seconds / 2;
  for (const contender of sound) await turn(contender, warmUp);
  const last = isAlone ? performance.now() + WAIT_MS : Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; ) {
    if (performance.now() > last) {
      notice(`the core was ours alone in ${round} of ${rounds} rounds`);
      if (round === 0) return null;
      break;
    }
    if (isAlone && !(await isAlone())) continue;
    const times = new Map();
    for (const contender of rotate(sound, round)) {
      progress(`round ${round + 1}/${rounds}, ${contender.name}`);
      times.set(contender, await turn(contender, seconds));
    }
    if (isAlone && !(await isAlone())) continue;
    for (const [contender, ns] of times) contender.ns.push(ns);
    round++;
  }
  return sound.map(({ name, reference = false, ns }) => ({ name, reference, ns }));
}

async function obeysLaw(contender, law, draws, notice) {
  if (contender.sample === undefined) return true;
  try {
    assertLaw(law, await contender.sample(draws), draws);
    return true;
  } catch (error) {
    if (!contender.npm) throw new Error(`${contender.name}: ${error.message}`, { cause: error });
    notice(`${contender.name} is not timed: ${error.message}`);
    return false;
  }
}

/** The contenders in the order of this round. Each round starts with another contender. */
function rotate(list, by) {
  const first = by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}

/** Measures one turn of a contender: nanoseconds per operation. */
export async function turn(contender, seconds) {
  if (contender.time) return contender.time(seconds);
  const { run } = contender;
  // imported here: a process that only checks a contender does not need it
  const { default: Benchmark } = await import("benchmark");
  const bench = new Benchmark(
    contender.name,
    () => {
      sink.sum += run();
    },
    { minTime: seconds / (SAMPLES + 1), maxTime: seconds, minSamples: SAMPLES, initCount: contender.count ?? 1 },
  );
  bench.run();
  if (bench.error) throw bench.error;
  if (Number.isNaN(sink.sum)) throw new Error(`${contender.name}: run() returned no number.`);
  contender.count = bench.count;
  return (median(bench.stats.sample) * 1e9) / contender.ops;
}
