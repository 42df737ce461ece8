// The cases of a run, each measured in a separate process.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { SUBJECTS } from "./subjects/index.mjs";

const CASE_PROCESS = fileURLToPath(new URL("./caseProcess.mjs", import.meta.url));

/**
 * [{subject, unit, case}]: the cases of the subjects in `only` (of all subjects if `only` is empty) whose names contain
 * `text`.
 */
export function chosenCases({ only, text }) {
  const subjects = SUBJECTS.filter(({ name }) => only.length === 0 || only.includes(name));
  return subjects.flatMap(({ name: subject, unit: usual, cases }) =>
    cases.filter(({ name }) => name.includes(text)).map(({ name, unit = usual }) => ({ subject, unit, case: name })),
  );
}

/**
 * Measures one case: {subject, unit, case, rows}, with the rows of `measure`, or null if the case was skipped.
 * Passes notices and progress to the caller. Throws if the case fails.
 */
export function runCase(chosen, { rounds, seconds, idle, notice, progress }) {
  const given = [chosen.subject, chosen.case, String(rounds), String(seconds), ...(idle ? ["idle"] : [])];
  const child = fork(CASE_PROCESS, given, {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    let result = null;
    let failure = null;
    child.on("message", (message) => {
      if (message.notice) notice(message.notice);
      if (message.progress) progress(`${chosen.subject} ${chosen.case}: ${message.progress}`);
      if (message.rows) result = { ...chosen, rows: message.rows };
      if (message.error) failure = message.error;
    });
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      if (code === 0) resolve(result);
      else
        reject(new Error(`${chosen.subject} ${chosen.case} failed: ${failure ?? `it ended with ${signal ?? code}`}`));
    });
  });
}
