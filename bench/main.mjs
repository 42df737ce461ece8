// npm run bench [-- --only SUBJECT] [--json] [--readme] [--against FOLDER]: see README.md in this folder.

import { chosenLoops, isIn, isWithin, PAIR_HEAD, pairLine, runPairs } from "./against/against.mjs";
import { judge } from "./bars.mjs";
import {
  measureBudgets,
  measureEngineBudgets,
  measureInstrumentBudgets,
  measureJobBudgets,
  measureMapBudgets,
  measureObjectBudgets,
  measureOddsBudgets,
  measurePoolBudgets,
  measureRecipeBudgets,
  measureWorldBudgets,
} from "./budgets.mjs";
import { chosenCases, runCase } from "./cases.mjs";
import { describeMachine, machine } from "./machine.mjs";
import { GENERAL, readOptions, USAGE, UsageError } from "./options.mjs";
import { readmeTable, writeReadme } from "./readme.mjs";
import { barLines, caseLines, toJson } from "./report.mjs";

const CLEAR_LINE = "\r\u001b[K";

/** Shows progress on the last line of a terminal; the next output overwrites it. */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`${CLEAR_LINE}${text}`);
}

function say(stream, lines) {
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE);
  for (const line of lines) stream.write(`${line}\n`);
}

async function bench(options) {
  const report = options.json ? process.stderr : process.stdout;
  const notice = (text) => say(process.stderr, [`note: ${text}`]);
  say(report, [...(await describeMachine()), ""]);
  const results = [];
  for (const chosen of chosenCases(options)) {
    const result = await runCase(chosen, { ...options, notice, progress });
    if (result === null) continue;
    results.push(result);
    say(report, caseLines(result));
  }
  const budgets = await budgetsOf(options);
  const judged = [...judge(results), ...budgets];
  say(report, barLines(judged));
  if (options.readme) {
    const here = await machine();
    const processor = options.processor ?? here.processor;
    writeReadme(readmeTable(results, budgets, { ...here, processor }, options.beside));
  }
  if (options.json) process.stdout.write(`${JSON.stringify(toJson(results))}\n`);
  if (options.checkBars && judged.some(({ met }) => !met)) process.exitCode = 1;
}

/** Times every chosen loop in this checkout and in another checkout, in pairs. */
async function compare(options) {
  say(process.stdout, [...(await describeMachine()), "", `before: ${options.against}`, "", PAIR_HEAD]);
  for (const loop of chosenLoops(options)) {
    if (!isIn(loop, options)) {
      say(process.stderr, [`note: ${options.against} has no ${loop.subject}`]);
      continue;
    }
    const pairs = await runPairs(loop, { ...options, progress });
    say(process.stdout, [pairLine(pairs)]);
    if (options.checkBars && !isWithin(pairs)) process.exitCode = 1;
  }
}

/** The budgets of the chosen subjects. A run with --case measures no budgets. */
async function budgetsOf({ only, text }) {
  if (text !== "") return [];
  const asked = (name) => only.length === 0 || only.includes(name);
  const ofRolls = asked("rolls") ? await measureOddsBudgets() : [];
  const ofSteps = asked("steps") ? await measureMapBudgets() : [];
  const ofPools = asked("pools") ? await measurePoolBudgets() : [];
  const ofRecipes = asked("recipes") ? await measureRecipeBudgets() : [];
  const ofObjects = asked("objects") ? await measureObjectBudgets() : [];
  const ofWorlds = asked("worlds") ? await measureWorldBudgets() : [];
  const ofJobs = asked("jobs") ? await measureJobBudgets() : [];
  const ofInstruments = asked("instruments") ? await measureInstrumentBudgets() : [];
  const ofEngines = asked("engines") ? await measureEngineBudgets() : [];
  const general = asked(GENERAL) ? await measureBudgets() : [];
  return [
    ...general,
    ...ofRolls,
    ...ofSteps,
    ...ofPools,
    ...ofRecipes,
    ...ofObjects,
    ...ofWorlds,
    ...ofJobs,
    ...ofInstruments,
    ...ofEngines,
  ];
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(`${USAGE}\n`);
  else if (options.against !== undefined) await compare(options);
  else await bench(options);
} catch (error) {
  const usage = error instanceof UsageError;
  process.stderr.write(`${usage ? error.message : error.stack}\n`);
  process.exitCode = usage ? 2 : 1;
}
