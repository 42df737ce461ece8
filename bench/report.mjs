// The report that the bench prints.

import { median, ratio } from "./harness.mjs";

const NAME_WIDTH = 22;

/**
 * Returns the lines of a case: median time per operation in ns, its range over the rounds, and our time ÷ the row's
 * time.
 */
export function caseLines({ subject, unit, case: name, rows }) {
  const ours = rows.find(({ name }) => name === "rollmill");
  const lines = rows.map(({ name, ns }) => {
    const spread = `${figure(Math.min(...ns))}–${figure(Math.max(...ns))}`;
    const compared = name === "rollmill" ? "" : figure(ratio(ours.ns, ns), 3);
    return `  ${name.padEnd(NAME_WIDTH)}${figure(median(ns)).padStart(10)}  ${spread.padStart(19)}  ${compared.padStart(8)}`;
  });
  const head = `${`${subject} ${name}`.padEnd(NAME_WIDTH + 2)}${`ns/${unit}`.padStart(10)}`;
  return [`${head}  ${"min–max".padStart(19)}  ${"ours ÷".padStart(8)}`, ...lines, ""];
}

/** Returns one line for each bar: the measured value, the limit, and whether the bar is met. */
export function barLines(judged) {
  const width = Math.max(0, ...judged.map(({ text }) => text.length));
  return judged.map(({ text, limit, isLeast = false, measured, unit = "", met }) => {
    const got = measured === null ? "not measured" : `${figure(measured, 3)}${unit}`;
    const verdict = met ? "met" : "MISSED";
    return `${text.padEnd(width)}  ${got.padStart(12)}  ${isLeast ? "at least" : "at most"} ${figure(limit, 3)}${unit}  ${verdict}`;
  });
}

/** The results in the form of --json: [{subject, case, ns, rivals: {name: ns}}], medians in nanoseconds. */
export function toJson(results) {
  return results.map(({ subject, case: name, rows }) => {
    const rivals = rows.filter((row) => row.name !== "rollmill" && !row.reference);
    const ours = rows.find((row) => row.name === "rollmill");
    return {
      subject,
      case: name,
      ns: rounded(ours),
      rivals: Object.fromEntries(rivals.map((row) => [row.name, rounded(row)])),
    };
  });
}

function rounded({ ns }) {
  return Number(median(ns).toFixed(4));
}

/** Formats a number with at most four significant digits and at most `digits` decimal places. */
function figure(value, digits = 2) {
  return value.toFixed(value >= 1000 ? 0 : value >= 100 ? Math.min(1, digits) : digits);
}
