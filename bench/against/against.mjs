// npm run bench -- --against FOLDER compares this checkout's loops with the loops of another built checkout. Both
// take turns in one process; several processes are run.

import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "../harness.mjs";
import { LOOPS } from "./loops.mjs";

const PROCESS = fileURLToPath(new URL("./loopProcess.mjs", import.meta.url));
const HERE = fileURLToPath(new URL("../..", import.meta.url));

/** Largest accepted ratio of a loop's time in this checkout to its time in the other checkout. */
export const LIMIT = 1.02;

/** The loops of the requested subjects (of all subjects if none is requested) whose names contain `text`. */
export function chosenLoops({ only, text }) {
  return LOOPS.filter(({ subject, name }) => (only.length === 0 || only.includes(subject)) && name.includes(text));
}

/** Whether the other checkout has what a loop times. */
export function isIn({ needs }, { against }) {
  return needs === undefined || existsSync(resolve(against, needs));
}

/**
 * Times one loop of both checkouts in `rounds` new processes. In each process the checkouts take turns.
 *
 * @returns {text, before, after, ratios}: for each process, the median nanoseconds per operation in both checkouts, and
 *   the median of after ÷ before over the pairs of turns.
 * @throws Error if the two checkouts have the same version of the random words and do not give the same results.
 */
export async function runPairs({ subject, name }, { against, rounds, seconds, progress }) {
  const [before, after, ratios] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    progress(`${subject} ${name}: process ${round + 1}/${rounds}`);
    const first = round % 2 === 0 ? "before" : "after";
    const timed = await inProcess([against, HERE, subject, name, seconds, first].map(String));
    if (timed.sums !== undefined && timed.sums[0] !== timed.sums[1]) {
      throw new Error(`${subject} ${name}: the two checkouts give different results.`);
    }
    before.push(timed.before);
    after.push(timed.after);
    ratios.push(timed.ratio);
  }
  return { text: `${subject} ${name}`, before, after, ratios };
}

function inProcess(args) {
  const child = fork(PROCESS, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`${args.join(" ")} ended with ${signal ?? code}.`)));
  });
}

/** The head of the table whose lines are from {@link pairLine}. */
export const PAIR_HEAD = `${"".padEnd(24)}${"before".padStart(10)}${"after".padStart(10)}${"ratio".padStart(9)}   min–max`;

/**
 * Returns a line for a loop: median times, the median and the range of the ratios, and a mark if the limit is exceeded.
 */
export function pairLine({ text, before, after, ratios }) {
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((value) => value.toFixed(3));
  const figures = [median(before).toFixed(3).padStart(10), median(after).toFixed(3).padStart(10)];
  const verdict = isWithin({ ratios }) ? "" : `  MISSED, at most ${LIMIT}`;
  return `${text.padEnd(24)}${figures.join("")}${median(ratios).toFixed(3).padStart(9)}   ${least}–${most}${verdict}`;
}

/** Whether the median ratio is at most {@link LIMIT}. */
export function isWithin({ ratios }) {
  return median(ratios) <= LIMIT;
}
