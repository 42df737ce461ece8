// The command line of the bench.

import { parseArgs } from "node:util";
import { chosenCases } from "./cases.mjs";
import { SUBJECTS } from "./subjects/index.mjs";

const KNOWN = {
  only: { type: "string", multiple: true },
  case: { type: "string" },
  rounds: { type: "string" },
  seconds: { type: "string" },
  json: { type: "boolean" },
  "check-bars": { type: "boolean" },
  help: { type: "boolean" },
};

export const USAGE = `npm run bench -- [options]
  --only SUBJECT   ${SUBJECTS.map(({ name }) => name).join(", ")} (may be repeated)
  --case TEXT      only the cases whose name contains TEXT
  --rounds N       rounds per case, 7 by default
  --seconds S      time of one contender in one round, 0.1 by default
  --json           only JSON on stdout, everything else on stderr
  --check-bars     exit 1 where a bar is missed
  --help           this text`;

/** A mistake on the command line: printed without a stack, exit 2. */
export class UsageError extends Error {}

/** {only, text, rounds, seconds, json, checkBars, help}; throws UsageError, naming what is known. */
export function readOptions(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: KNOWN, strict: true, allowPositionals: false }));
  } catch (error) {
    const flags = Object.keys(KNOWN).map((name) => `--${name}`);
    throw new UsageError(`${error.message.split(". ")[0]}. Known options: ${flags.join(", ")}.`);
  }
  const options = {
    only: values.only ?? [],
    text: values.case ?? "",
    rounds: positive("--rounds", values.rounds ?? "7", Number.isInteger),
    seconds: positive("--seconds", values.seconds ?? "0.1", Number.isFinite),
    json: values.json ?? false,
    checkBars: values["check-bars"] ?? false,
    help: values.help ?? false,
  };
  checkSubjects(options);
  return options;
}

function positive(flag, text, isRight) {
  const value = Number(text);
  if (isRight(value) && value > 0) return value;
  const expected = isRight === Number.isInteger ? "a whole number above 0" : "a number above 0";
  throw new UsageError(`${flag} ${text}: expected ${expected}.`);
}

function checkSubjects({ only, text }) {
  const known = SUBJECTS.map(({ name }) => name);
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`Unknown subject "${unknown}". Known: ${known.join(", ")}.`);
  if (chosenCases({ only, text }).length > 0) return;
  const names = chosenCases({ only, text: "" }).map(({ subject, case: name }) => `${subject} ${name}`);
  throw new UsageError(`No case contains "${text}". Known: ${names.join(", ")}.`);
}
