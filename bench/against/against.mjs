// npm run bench -- --against FOLDER compares this checkout's loops with the loops of another built checkout, in pairs
// of processes.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median, ratio } from "../harness.mjs";
import { LOOPS } from "./loops.mjs";

const PROCESS = fileURLToPath(new URL("./loopProcess.mjs", import.meta.url));
const HERE = fileURLToPath(new URL("../..", import.meta.url));

/** Largest accepted ratio of a loop's time in this checkout to its time in the other checkout. */
export const LIMIT = 1.02;

/** The loops of the requested subjects (of all subjects if none is requested) whose names contain `text`. */
export function chosenLoops({ only, text }) {
  return LOOPS.filter(({ subject, name }) => (only.length === 0 || only.includes(subject)) && name.includes(text));
}

/**
 * Times one loop in `rounds` pairs of new processes, one for each checkout. The order alternates from pair to pair.
 *
 * @returns {text, before, after, ratios}: for each pair, nanoseconds per operation in both checkouts, and after ÷
 *   before.
 * @throws Error if the two checkouts do not give the same results.
 */
export async function runPairs({ subject, name }, { against, rounds, seconds, progress }) {
  const ask = (folder, calls) => inProcess([folder, subject, name, calls, seconds].map(String));
  const { calls } = await ask(HERE, 0);
  const [before, after] = [[], []];
  for (let round = 0; round < rounds; round++) {
    progress(`${subject} ${name}: pair ${round + 1}/${rounds}`);
    const isTurned = round % 2 === 1;
    const first = await ask(isTurned ? HERE : against, calls);
    const second = await ask(isTurned ? against : HERE, calls);
    if (first.sum !== second.sum) throw new Error(`${subject} ${name}: the two checkouts give different results.`);
    before.push((isTurned ? second : first).ns);
    after.push((isTurned ? first : second).ns);
  }
  return { text: `${subject} ${name}`, before, after, ratios: after.map((ns, round) => ns / before[round]) };
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
  const verdict = isWithin({ before, after }) ? "" : `  MISSED, at most ${LIMIT}`;
  return `${text.padEnd(24)}${figures.join("")}${ratio(after, before).toFixed(3).padStart(9)}   ${least}–${most}${verdict}`;
}

/** Whether the median ratio is at most {@link LIMIT}. */
export function isWithin({ before, after }) {
  return ratio(after, before) <= LIMIT;
}
