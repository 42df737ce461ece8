// The command line of the bench.

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { chosenLoops } from "./against/against.mjs";
import { isOnOneCore } from "./alone.mjs";
import { chosenCases } from "./cases.mjs";
import { SUBJECTS } from "./subjects/index.mjs";

const KNOWN = {
  only: { type: "string", multiple: true },
  case: { type: "string" },
  rounds: { type: "string" },
  seconds: { type: "string" },
  idle: { type: "boolean" },
  json: { type: "boolean" },
  "check-bars": { type: "boolean" },
  readme: { type: "boolean" },
  processor: { type: "string" },
  beside: { type: "string", multiple: true },
  against: { type: "string" },
  help: { type: "boolean" },
};

export const USAGE = `npm run bench -- [options]
  --only SUBJECT   ${SUBJECTS.map(({ name }) => name).join(", ")} (may be repeated)
  --only general   the budgets that belong to no subject
  --case TEXT      only the cases whose name contains TEXT
  --rounds N       rounds per case, 7 by default (25 with --idle)
  --seconds S      time of one contender in one round, 0.1 by default (0.4 with --against, 0.004 with --idle)
  --idle           count only rounds in which the core was ours alone; start it with taskset -c 0
  --json           only JSON on stdout, everything else on stderr
  --check-bars     exit 1 if a bar is missed
  --readme         also write the table of figures into README.md, with the cases that ran
  --processor NAME with --readme: the name of this processor, where the system's says too little
  --beside P=FILE  with --readme: a column for processor P, from the JSON of a run there (may be repeated)
  --against FOLDER compare the loops of this checkout with those of another built one, in pairs, without rivals
  --help           this text`;

/** In place of a subject: the budgets that belong to none. */
export const GENERAL = "general";

/** A mistake on the command line: printed without a stack, exit 2. */
export class UsageError extends Error {}

/**
 * Parses the command line: {only, text, rounds, seconds, idle, json, checkBars, readme, processor, beside, against,
 * help}.
 *
 * @throws UsageError, whose message names the known options.
 */
export function readOptions(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: KNOWN, strict: true, allowPositionals: false }));
  } catch (error) {
    const flags = Object.keys(KNOWN).map((name) => `--${name}`);
    throw new UsageError(`${error.message.split(". ")[0]}. Known options: ${flags.join(", ")}.`);
  }
  const { idle = false } = values;
  const usual = values.against !== undefined ? "0.4" : idle ? "0.004" : "0.1";
  const options = {
    only: values.only ?? [],
    text: values.case ?? "",
    rounds: positive("--rounds", values.rounds ?? (idle ? "25" : "7"), Number.isInteger),
    seconds: positive("--seconds", values.seconds ?? usual, Number.isFinite),
    idle,
    json: values.json ?? false,
    checkBars: values["check-bars"] ?? false,
    readme: values.readme ?? false,
    processor: values.processor,
    beside: (values.beside ?? []).map(besideOf),
    against: values.against,
    help: values.help ?? false,
  };
  checkSubjects(options);
  checkCheckout(options);
  if (idle && !isOnOneCore())
    throw new UsageError("--idle watches one core, on Linux: taskset -c 0 npm run bench -- --idle …");
  return options;
}

function besideOf(text) {
  const [processor, file] = text.split("=");
  try {
    return { processor, results: JSON.parse(readFileSync(file, "utf8")) };
  } catch (error) {
    throw new UsageError(`--beside ${text}: expected PROCESSOR=FILE, with the output of --json: ${error.message}`);
  }
}

function positive(flag, text, isRight) {
  const value = Number(text);
  if (isRight(value) && value > 0) return value;
  const expected = isRight === Number.isInteger ? "a whole number above 0" : "a number above 0";
  throw new UsageError(`${flag} ${text}: expected ${expected}.`);
}

function checkSubjects({ only, text, against }) {
  const known = [...SUBJECTS.map(({ name }) => name), GENERAL];
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`Unknown subject "${unknown}". Known: ${known.join(", ")}.`);
  const namesOf = (part) =>
    against === undefined
      ? chosenCases({ only, text: part }).map(({ subject, case: name }) => `${subject} ${name}`)
      : chosenLoops({ only, text: part }).map(({ subject, name }) => `${subject} ${name}`);
  if (only.includes(GENERAL) || namesOf(text).length > 0) return;
  throw new UsageError(`No case contains "${text}". Known: ${namesOf("").join(", ")}.`);
}

function checkCheckout({ against, json, readme, idle }) {
  if (against === undefined) return;
  if (json || readme) throw new UsageError("--against has no JSON and no table: leave out --json and --readme.");
  if (idle) throw new UsageError("--against takes turns of a few milliseconds anyway: leave out --idle.");
  if (existsSync(resolve(against, "dist/index.js"))) return;
  throw new UsageError(`--against ${against}: expected a built checkout, with dist/index.js.`);
}
