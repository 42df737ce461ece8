// Writes the table of figures in the project's README (npm run bench -- --readme). No other text of the project may
// have figures in nanoseconds.

import { readFileSync, writeFileSync } from "node:fs";
import { median, ratio } from "./harness.mjs";

const README = new URL("../README.md", import.meta.url);
const BEGIN = "<!-- bench:begin -->";
const END = "<!-- bench:end -->";
const RIVALS = ["c", "js"];

/** The rows of the table: a readable name for each case. */
export const ROWS = [
  ["weighted pick, 8 entries", "picks", "n=8"],
  ["weighted pick, 1,024 entries", "picks", "n=1024"],
  ["weighted pick, 65,536 entries", "picks", "n=65536"],
  ["one pick a call, 64 entries", "picks", "n=64 single"],
  ["table roll, three rows with a cycle", "rolls", "seed"],
  ["table roll, 56 rows, 3.1 visited", "rolls", "rig_root_r"],
  ["one roll a call, three rows", "rolls", "seed single"],
  ["counted roll, three rows", "rolls", "seed count"],
  ["pool draw, 8 records, each three times", "pools", "n=8"],
  ["pool draw, 1,024 records", "pools", "n=1024"],
  ["pool draw, 65,536 records", "pools", "n=65536"],
  ["weapon in bulk, 13 stats", "recipes", "weapon"],
  ["one weapon a call", "recipes", "weapon single"],
  ["object with affixes, level 30, good", "objects", "level 30, good"],
  ["one object a call, level 30, good", "objects", "level 30, good single"],
  ["hex step, 512² torus", "steps", "torus 512"],
  ["hex step, 8192² torus", "steps", "torus 8192"],
  ["hex step, unbounded map", "steps", "unbounded"],
  ["one hex step a call, and where it ends", "steps", "torus 512 single"],
  ["window of an endless world, 1,024²", "worlds", "window 1024"],
  ["random u32", "fill", "u32"],
];

/**
 * The table in Markdown, between its markers: medians in nanoseconds, and in brackets our time ÷ the rival's.
 *
 * @param results - the results of `runCase` for the cases that ran; the rows of other cases are left out.
 * @param judged - the measured budgets. Their figures follow the table.
 * @param machine - the machine of the run: {rollmill, node, processor, cores, compiler (null without one), date}.
 * @param others - a column each for other processors: {processor, results}, with the results of a run with --json.
 */
export function readmeTable(results, judged, machine, others) {
  const rows = ROWS.flatMap(([label, subject, name]) => {
    const isOf = (one) => one.subject === subject && one.case === name;
    const result = results.find(isOf);
    if (result === undefined) return [];
    return [rowOf(label, result.rows) + others.map((other) => ` ${otherCell(other.results.find(isOf))} |`).join("")];
  });
  const budgets = judged.flatMap(({ text, measured, unit }) =>
    unit === undefined ? [] : [`| ${text} | ${Number(measured.toPrecision(3))}${unit} |`],
  );
  return [
    BEGIN,
    `Medians of \`npm run bench -- --readme\` on ${machine.date}, Rollmill ${machine.rollmill}: one core of ${machine.processor}`,
    `(${machine.cores} cores), Node ${machine.node}, ${machine.compiler ?? "no C compiler"}.`,
    "The number in brackets is Rollmill's time divided by the rival's time, as the median over the rounds. If it is",
    "below 1, Rollmill is faster. Before the bench timed a rival, it checked the distribution of the rival's results.",
    ...(others.length === 0
      ? []
      : ["The columns on the right are Rollmill on other processors, with the numbers for C and JS."]),
    "",
    `| nanoseconds an operation | Rollmill | textbook C | typed-array JS | best npm rival |${others.map(({ processor }) => ` ${processor} |`).join("")}`,
    `|---|---|---|---|---|${"---|".repeat(others.length)}`,
    ...rows,
    ...(budgets.length === 0 ? [] : ["", "| one call, or one thing | time or size |", "|---|---|", ...budgets]),
    END,
  ].join("\n");
}

function rowOf(label, rows) {
  const ours = rows.find(({ name }) => name === "rollmill");
  const compared = (row) => (row === undefined ? "–" : `${figure(median(row.ns))} (${figure(ratio(ours.ns, row.ns))})`);
  const [c, js] = RIVALS.map((rival) => compared(rows.find(({ name }) => name === rival)));
  const packages = rows.filter(({ name, reference }) => !reference && name !== "rollmill" && !RIVALS.includes(name));
  const npm = packages.toSorted((a, b) => median(a.ns) - median(b.ns))[0];
  const best = npm === undefined ? "–" : `${compared(npm)}, ${npm.name}`;
  return `| ${label} | ${figure(median(ours.ns))} | ${c} | ${js} | ${best} |`;
}

/** Our time on another processor, and in brackets its ratios to the hand-written rivals there. */
function otherCell(result) {
  if (result === undefined) return "–";
  const ratios = RIVALS.map((rival) => (rival in result.rivals ? figure(result.ns / result.rivals[rival]) : "–"));
  return `${figure(result.ns)} (${ratios.join(", ")})`;
}

/** Formats a number with two significant digits if it is below 1, otherwise with three. */
function figure(value) {
  return Number(value.toPrecision(value < 1 ? 2 : 3)).toString();
}

/** Replaces the text between the markers of a page. @throws Error if the page has no markers. */
export function withTable(page, table) {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`README.md has no ${BEGIN} … ${END}.`);
  return page.slice(0, begin) + table + page.slice(end + END.length);
}

/** Writes the table into README.md. */
export function writeReadme(table) {
  writeFileSync(README, withTable(readFileSync(README, "utf8"), table));
}
