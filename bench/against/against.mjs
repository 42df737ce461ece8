// npm run bench -- --against FOLDER: this checkout's loops beside those of another built checkout, in pairs of processes.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median, ratio } from "../harness.mjs";
import { LOOPS } from "./loops.mjs";

const PROCESS = fileURLToPath(new URL("./loopProcess.mjs", import.meta.url));
const HERE = fileURLToPath(new URL("../..", import.meta.url));

/** A loop may take so much of its time before. */
export const LIMIT = 1.02;

/** The loops of the subjects asked for (all without any), whose name contains `text`. */
export function chosenLoops({ only, text }) {
  return LOOPS.filter(({ subject, name }) => (only.length === 0 || only.includes(subject)) && name.includes(text));
}

/**
 * Times one loop in `rounds` pairs, each checkout in a new process, the other one first in every second pair.
 *
 * @returns {text, before, after, ratios}: nanoseconds an operation of each pair, and after ÷ before.
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

/** The head of the table of {@link pairLine}. */
export const PAIR_HEAD = `${"".padEnd(24)}${"before".padStart(10)}${"after".padStart(10)}${"ratio".padStart(9)}   min–max`;

/** One loop as a line: median times, the median of the ratios, their spread, and whether the limit holds. */
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
