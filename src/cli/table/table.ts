import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Command, InvalidArgumentError, Option } from "commander";
import { checkRange, MAX_INDEX } from "../../calls/index.js";
import { didYouMean, error, fail, failOnErrors } from "../../errors/index.js";
import type { Column } from "../../formats/index.js";
import { createMill, type Fraction, formatIssue, type Mill, RollmillError, type Table, toNumber } from "../../index.js";
import {
  checkTable,
  loadTable,
  MAX_WEIGHT,
  SCRIPT_SETS,
  type ScriptOptions,
  type Stack,
  type TableRolls,
  type TableSpec,
} from "../../tables/index.js";
import { scriptIn } from "../../tables/parse/read.js";
import { type Payload, parsePayload, payloadRow } from "../../tables/payload.js";
import { isScriptSet, parseScriptArgs } from "../../tables/scripts.js";
import { withExamples } from "../examples.js";
import { chanceText, oddsData, oddsText, withProbability } from "../shared/chances.js";
import {
  lineOf,
  printCounts,
  printOdds,
  putResults,
  type ResultFlags,
  withOutput,
  withRange,
} from "../shared/draws.js";
import { printDocument } from "../shared/envelope.js";
import { forkOf, type SourceFlags, withSource } from "../shared/forks.js";
import { readText, stemOf } from "../shared/inputFile.js";
import { type Io, note, print } from "../shared/io.js";
import { printIssues } from "../shared/issueList.js";
import { countOf, integer, jsonOption, keyValue, seedOption, seedOr, workOption } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { readPart } from "./part.js";

const MAX_ROW = 2 ** 31 - 1;
/** `label:7` is the row with the label 7; `7` alone is row number 7. */
const LABEL = "label:";
const ROLLS_PER_WRITE = 2 ** 18;
const NO_SCRIPT = 'the module exports no function named "script"';

type Rolled = string | Stack | null;

interface ScriptFlags {
  readonly script?: string;
  readonly scriptArg?: Readonly<Record<string, string>>;
  readonly weight?: Readonly<Record<string, number>>;
}

interface CheckFlags extends ScriptFlags {
  readonly start: number | string;
  readonly json?: boolean;
}

interface OddsFlags extends CheckFlags, Omit<SourceFlags, "fork"> {
  readonly n: number;
  readonly maxWork?: number;
  readonly rows?: boolean;
}

interface RollFlags extends CheckFlags, ResultFlags {
  readonly count?: boolean;
  readonly payload?: string;
}

export function addTable(table: Command, io: Io): void {
  const file = ["<file>", '.csv, .tsv, .json or .2da file; "-" is stdin'] as const;
  const rolling = "table roll {data/loot.2da} --start 5 --seed moria";
  const examples = [
    "table roll {examples/loot.csv} -n 10 --seed moria",
    `${rolling} -n 1000 --count`,
    "table roll {examples/loot.csv} -n 1000 -o rolls.csv",
  ];
  const rolls = withRange(withExamples(table.command("roll").argument(...file), io, ...examples), "roll");
  withOutput(withSource(scripted(rolls), "rolls"), "rolls")
    .description("roll a table; print one result per line, an empty line for a roll without a result")
    .option("--payload <file>", "add the columns of this .csv or .2da file: of the row with the label of the result")
    .addOption(new Option("--count", "count the results instead of listing them").conflicts(["output", "payload"]))
    .action((file: string, flags: RollFlags) => roll(io, file, flags));
  scripted(withExamples(table.command("odds").argument(...file), io, "table odds {data/loot.2da} --start 5"))
    .description("exact odds of one roll as fractions; independent of the seed")
    .addOption(seedOption())
    .option("--name <name>", "name in the JSON document (default: the file name without extension)")
    .option("-n <rolls>", "odds of at least one in n rolls, for each result", countOf(0, MAX_INDEX), 1)
    .option("--rows", "print how often a roll visits each row instead")
    .addOption(workOption())
    .addOption(jsonOption())
    .action((file: string, flags: OddsFlags) => odds(io, file, flags));
  scripted(withExamples(table.command("check").argument(...file), io, "table check {data/loot.2da}"))
    .description("list every error and warning, from every row; with --script, also of the scripts; exit 2 on an error")
    .addOption(jsonOption())
    .action((file: string, flags: CheckFlags) => check(io, file, flags));
}

function scripted(command: Command): Command {
  return command
    .option(
      "--start <row>",
      "row that rolls start from: its number, or its label (label:5 for the label 5)",
      rowOption,
      0,
    )
    .option(
      "--script <script>",
      `${SCRIPT_SETS.join(" or ")}, or a module that exports script(id, args), scripts with a function for each name, or chosen(id, args): ` +
        "its code runs with your rights, so pass only a module that you trust",
    )
    .option(
      "--script-arg <key=value>",
      "script argument: now (random_default); level, type or spent (nwangband); any key (a module); repeatable",
      keyValue,
    )
    .option("--weight <id=weight>", "constant weight for a script id, instead of the script's; repeatable", weight);
}

async function roll(io: Io, file: string, flags: RollFlags): Promise<void> {
  const seed = seedOr(io, flags.seed);
  const name = flags.name ?? stemOf(file, "table");
  using mill = createMill({ seed });
  const spec = await readTable(io, file);
  refuseAbsentIds(spec, flags);
  const opened = mill.table(name, spec, {
    file,
    start: flags.start,
    ...(await scriptOptions(io, flags)),
  });
  const { payload: columns } = flags;
  const payload = columns === undefined ? undefined : parsePayload(await readText(io, columns), columns);
  const table = forkOf(opened, flags);
  const now = printNow(io, mill, { table, flags });
  const { n, from, fork } = flags;
  const head = { command: "table roll", seed, name, fork, from, now };
  checkRange(from, n);
  moveTo(table, from);
  if (flags.count) {
    return printCounts(io, (onProgress) => table.count(n, { onProgress }), { head, json: flags.json });
  }
  await putResults(io, flags, {
    head,
    unit: "rolls",
    size: ROLLS_PER_WRITE,
    make: (count) => table.rollMany(count),
    lineOf,
    columnsOf: (rolls) => rolls.columns(),
    ...(payload === undefined ? {} : withPayload(payload)),
  });
}

function withPayload(payload: Payload) {
  const rowOf = (result: string | null) => (result === null ? undefined : payloadRow(payload, result));
  const labelOf = (roll: Rolled) => (typeof roll === "object" && roll !== null ? roll.result : roll);
  const cellsOf = (roll: Rolled) => payload.columns.map((name) => rowOf(labelOf(roll))?.[name] ?? "");
  return {
    lineOf: (roll: Rolled) => [lineOf(roll), ...cellsOf(roll)].join("\t"),
    jsonOf: (roll: Rolled) =>
      roll && { ...(typeof roll === "string" ? { result: roll } : roll), payload: rowOf(labelOf(roll)) ?? null },
    columnsOf: (rolls: TableRolls<Rolled>): Column[] => {
      const columns = rolls.columns();
      const taken = columns.map(({ name }) => name);
      const joined = payload.columns.map((name): Column => {
        const words = [...rolls.results.map((result) => rowOf(result)?.[name] ?? null), null];
        return { kind: "word", name: taken.includes(name) ? `payload.${name}` : name, words, indices: rolls.ids };
      });
      return [...columns, ...joined];
    },
  };
}

/** Prints the time that `random_default` reads: with `--script-arg now=…` the user can repeat the run. */
function printNow(
  io: Io,
  mill: Mill,
  { table, flags }: { readonly table: Table; readonly flags: ScriptFlags },
): string | undefined {
  const { scriptIds } = table;
  const { script = "random_default", scriptArg, weight: fixed = {} } = flags;
  const asked = scriptIds.some((id) => typeof id === "number" && fixed[id] === undefined);
  if (!asked || script !== "random_default" || scriptArg?.now !== undefined) return undefined;
  note(io, `now: ${mill.now}`);
  return mill.now;
}

/** If rolls depend on earlier rolls, makes all earlier rolls first. */
function moveTo(table: Table, from: number): void {
  try {
    table.rollMany(0, { from });
    table.next = from;
  } catch (cause) {
    if (!(cause instanceof RollmillError) || cause.code !== "table.live-from") throw cause;
    table.count(from);
  }
}

async function odds(io: Io, file: string, flags: OddsFlags): Promise<void> {
  using mill = createMill({ seed: flags.seed ?? "" });
  const spec = await readTable(io, file);
  refuseAbsentIds(spec, flags);
  const name = flags.name ?? stemOf(file, "table");
  const table = mill.table(name, spec, { file, start: flags.start });
  const options = { ...(await scriptOptions(io, flags)), maxWork: flags.maxWork };
  const job = { what: "computing", unit: "rows" };
  const found = withProgress(io, job, (onProgress) => table.odds({ ...options, onProgress }));
  const now = printNow(io, mill, { table, flags });
  const head = { command: "table odds", seed: null, name, now };
  if (flags.n !== 1) {
    refuseManyRolls(table, { ...flags, endless: found.endless });
    return printOdds(io, found, { head, json: flags.json, n: flags.n });
  }
  if (flags.json) {
    const { rowsVisited } = found;
    const document = {
      odds: oddsData(found.odds),
      none: withProbability(found.none),
      endless: withProbability(found.endless),
      rowsVisited: rowsVisited && valued(rowsVisited),
      ...(flags.rows
        ? { rows: found.rows.map(({ visits, ...row }) => ({ ...row, visits: visits && valued(visits) })) }
        : {}),
    };
    return printDocument(io, head, document);
  }
  if (flags.rows) {
    const rows = found.rows.map(
      ({ row, label, visits }) => `${row}\t${label ?? ""}\t${visits === null ? "endless" : chanceText(visits)}\n`,
    );
    return print(io, rows.join(""));
  }
  await print(io, oddsText(found.odds, { "(none)": found.none, "(endless)": found.endless }));
  if (found.rowsVisited !== null) note(io, `rows visited: ${toNumber(found.rowsVisited).toPrecision(6)}`);
}

/** Refuses the odds of several rolls if these rolls might not all end with the same odds. */
function refuseManyRolls(
  { scriptIds }: Table,
  { script = "random_default", rows, weight: fixed = {}, endless }: OddsFlags & { readonly endless: Fraction },
): void {
  // the weights of random_default depend only on the time, which all rolls of a mill share
  const live = script === "random_default" ? undefined : scriptIds.find((id) => fixed[id] === undefined);
  const remedy = "Omit -n, or give each script a constant weight with --weight";
  if (rows) fail(error("cli.usage", { problem: "--rows has the visits of one roll", remedy: "Omit -n or --rows" }));
  if (live !== undefined) {
    const problem = "the table has a script, which can change the odds from roll to roll";
    fail(error("cli.usage", { problem, got: live, expected: "-n 1", remedy }));
  }
  if (endless.numerator > 0n) {
    const problem = "a roll of the table may never end";
    fail(error("cli.usage", { problem, expected: "-n 1", remedy: "Omit -n, or end the loop with an entry" }));
  }
}

function valued(number: Fraction): Fraction & { readonly value: number } {
  return { ...number, value: toNumber(number) };
}

async function check(io: Io, file: string, flags: CheckFlags): Promise<void> {
  const { spec, issues } = await loadTable(file, (path) => readPart(io, file, path));
  if (spec !== undefined) refuseAbsentIds(spec, flags);
  const name = stemOf(file, "table");
  const options = { file, name, start: flags.start, ...(await scriptOptions(io, flags)) };
  const found = spec === undefined ? issues : [...issues, ...checkTable(spec, options)];
  await printIssues(io, found, { head: { command: "table check", seed: null, name }, json: flags.json });
}

/** Reads a table and all files that it refers to. Prints the warnings. */
async function readTable(io: Io, file: string): Promise<TableSpec> {
  const { spec, issues } = await loadTable(file, (path) => readPart(io, file, path));
  if (spec === undefined) throw new RollmillError(issues.filter(({ severity }) => severity === "error"));
  for (const issue of issues) note(io, formatIssue(issue));
  return spec;
}

async function scriptOptions(io: Io, { script, scriptArg, weight: weights = {} }: ScriptFlags): Promise<ScriptOptions> {
  if (script === undefined || isScriptSet(script)) {
    if (script === undefined && scriptArg === undefined) return { weights };
    const { args, issues } = parseScriptArgs(script ?? "random_default", scriptArg ?? {});
    failOnErrors(issues);
    return args === undefined ? { weights } : { script: args, weights };
  }
  const url = pathToFileURL(resolve(io.cwd ?? "", script)).href;
  const found = await io.importModule(url).catch((cause: unknown) => {
    const problem = `cannot load the script (${cause instanceof Error ? cause.message : cause})`;
    const remedy = `Pass a built-in set (${SCRIPT_SETS.join(", ")}) or the path of a JavaScript module`;
    return fail(error("table.unknown-script", { problem, remedy, where: { file: script } }));
  });
  const { scripts, chosen, script: answer = scripts === undefined ? found.default : noScript } = exportsOf(found);
  if (typeof answer !== "function" || (chosen !== undefined && typeof chosen !== "function")) {
    const expected = 'a module that exports the function "script" or the object "scripts", and optionally "chosen"';
    const got = Object.keys(found).join(", ") || undefined;
    fail(error("table.unknown-script", { problem: NO_SCRIPT, got, expected, where: { file: script } }));
  }
  // the casts are safe: the table checks the scripts
  const given = { script: answer, scripts, chosen } as Pick<ScriptOptions, "script" | "scripts" | "chosen">;
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...options, weights, context: scriptArg ?? {} };
}

/** Stands for the script of a module that has only scripts with names. */
function noScript(id: number): never {
  return fail(error("table.unknown-script", { problem: NO_SCRIPT, got: id }));
}

function refuseAbsentIds({ file, rows }: TableSpec, { weight: weights = {} }: ScriptFlags): void {
  const ids = Object.keys(weights);
  if (ids.length === 0) return;
  const columns = rows.flatMap((row) => row.columns);
  const known = new Set(columns.flatMap(({ weight: one }) => (typeof one === "object" ? String(one.script) : [])));
  const problem = "no weight of the table has the script that --weight names";
  const expected = [...known].slice(0, 20).join(", ") || "no --weight, because no weight has a script";
  const absent = ids.filter((id) => !known.has(id));
  failOnErrors(
    absent.map((got) => {
      return error("table.unknown-script", { problem, got, expected, ...didYouMean(got, known), where: { file } });
    }),
  );
}

/** For a CommonJS module, the exports are the properties of `module.exports`. */
function exportsOf(found: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const whole = found.default;
  const isPlain = found.script === undefined && found.scripts === undefined;
  return isPlain && typeof whole === "object" && whole !== null ? { ...whole } : found;
}

function rowOption(text: string): number | string {
  if (text.startsWith(LABEL)) return text.slice(LABEL.length);
  return /^[+-]?\d+$/.test(text.trim()) ? integer(0, MAX_ROW)(text) : text;
}

function weight(text: string, before: Readonly<Record<string, number>> = {}): Record<string, number> {
  const [, id = "", value = ""] = /^(\w+)=(\d{1,10})$/.exec(text) ?? [];
  const script = scriptIn(`s${id}`)?.script;
  if (script === undefined || !(Number(value) <= MAX_WEIGHT)) {
    const ids = `an id from 0 to ${MAX_WEIGHT} or a name`;
    throw new InvalidArgumentError(`Expected ID=WEIGHT, with ${ids}, and a weight from 0 to ${MAX_WEIGHT}.`);
  }
  return { ...before, [script]: Number(value) };
}
