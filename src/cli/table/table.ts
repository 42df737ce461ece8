import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Command, InvalidArgumentError } from "commander";
import { checkRange, MAX_INDEX } from "../../calls/index.js";
import { didYouMean, error, fail, failOnErrors } from "../../errors/index.js";
import type { Column } from "../../formats/index.js";
import { createMill, type Fraction, formatIssue, type Mill, RollmillError, type Table, toNumber } from "../../index.js";
import { specOf } from "../../spec/index.js";
import { compileTable, rowOf as startOf } from "../../tables/compile.js";
import { withTable } from "../../tables/drops/load.js";
import {
  checkTable,
  type DropRolls,
  loadTable,
  MAX_WEIGHT,
  parseDrops,
  SCRIPT_SETS,
  type ScriptOptions,
  type Stack,
  type TableOptions,
  type TableRolls,
  type TableSpec,
} from "../../tables/index.js";
import { scriptIn } from "../../tables/parse/read.js";
import { type Payload, parsePayload, payloadRow } from "../../tables/payload.js";
import { prove } from "../../tables/proofs.js";
import { overridesOf } from "../../tables/rolling.js";
import { isScriptSet, parseScriptArgs } from "../../tables/scripts.js";
import { define, type Flags, option } from "../command.js";
import {
  chanceText,
  lineOf,
  oddsData,
  oddsLines,
  oddsOption,
  output,
  printCounts,
  printManyOdds,
  printOdds,
  putResults,
  type Rows,
  report,
  reportIssues,
  rowsBy,
  valued,
  withProbability,
} from "../shared/documents.js";
import { readJson, readPart, readText, stemOf } from "../shared/files.js";
import { type Io, note, refuse } from "../shared/io.js";
import {
  countOf,
  forkOf,
  integer,
  JSON_DOCUMENT,
  keyValue,
  longCalls,
  MAX_WORK,
  openMill,
  range,
  refuseThreads,
  SEED,
  seedOr,
  source,
  THREADS,
} from "../shared/options.js";
import { withProgress } from "../shared/progress.js";

const DROPS_PER_WRITE = 2 ** 14;

export function addDrops(drops: Command, io: Io): void {
  const dropping = "drops {examples/orc.json}";
  define(drops, io, {
    examples: [`${dropping} -n 5 --seed moria`, `${dropping} -n 1000 -o drops.csv`, `${dropping} --odds`],
    takes: [["<file>", '.json file with table, rolls and always; "-" is stdin']],
    options: [
      ...range("drop"),
      oddsOption("print the exact odds of each result of a drop instead; independent of the seed", "n"),
      MAX_WORK,
      ...source("drops"),
      ...output("drops"),
    ],
    async run(flags, file) {
      const spec = specOf(parseDrops(await readDrops(io, file, await readJson(io, file)), { file }));
      const { from, fork, json, maxWork, name = stemOf(file, "drops") } = flags;
      const seed = flags.odds ? null : seedOr(io, flags.seed);
      using mill = createMill({ seed: seed ?? "" });
      const drops = forkOf(mill.drops(name, spec), flags);
      const head = { command: "drops", seed, name, fork };
      const textOf = (one: string | Stack) => (typeof one === "string" ? one : `${one.result} ${one.quantity}`);
      if (flags.odds) return printManyOdds(io, drops.odds({ maxWork }), { head, json });
      await putResults(io, flags, {
        head: { ...head, from },
        unit: "drops",
        size: DROPS_PER_WRITE,
        make: (count, from) => drops.rollMany(count, { from }) as DropRolls<string | Stack>,
        rowsOf: (rolls) => rowsBy(rolls, (drop) => drop.map(textOf).join("\t")),
      });
    },
  });
}

/** Reads drops, and the table that they name. */
export function readDrops(io: Io, file: string, input: unknown): Promise<unknown> {
  return withTable(file, input, (path) => readPart(io, file, path));
}

const MAX_ROW = 2 ** 31 - 1;
/** In `--start`, `label:7` is the row with the label 7, and `7` is row number 7. */
const LABEL = "label:";
const ROLLS_PER_WRITE = 2 ** 18;

type Rolled = string | Stack | null;

const FILE = ["<file>", '.csv, .tsv, .json or .2da file; "-" is stdin'] as const;
export const START = option(
  "--start <row>",
  "row where rolls start: its number, or its label (label:5 for the label 5)",
  rowOf,
  0,
);
export const WEIGHT = option(
  "--weight <id=weight>",
  "constant weight for a script id, used instead of the script; repeatable",
  weight,
);
export const SCRIPTED = [
  START,
  option(
    "--script <script>",
    `${SCRIPT_SETS.join(" or ")}, or a module that exports script(id, args), scripts with a function for each name, or chosen(id, args): ` +
      "its code runs with your rights, so pass only a module that you trust",
  ),
  option(
    "--script-arg <key=value>",
    "script argument: now (random_default); level, type or spent (nwangband); any key (a module); repeatable",
    keyValue,
  ),
  WEIGHT,
] as const;
const ODDS = [
  ...SCRIPTED,
  SEED,
  option("--name <name>", "name in the JSON document (default: the file name without extension)"),
  option("-n <rolls>", "for each result, print the odds of at least one in n rolls", countOf(0, MAX_INDEX), 1),
  option("--rows", "instead of the odds, print how often a roll visits each row"),
  MAX_WORK,
  JSON_DOCUMENT,
] as const;
type ScriptFlags = Flags<typeof SCRIPTED>;
type OddsFlags = Flags<typeof ODDS>;

export function addTable(table: Command, io: Io): void {
  const rolling = "table roll {data/loot.2da} --start 5 --seed moria";
  define(table.command("roll"), io, {
    examples: [
      "table roll {examples/loot.csv} -n 10 --seed moria",
      `${rolling} -n 1000 --count`,
      "table roll {examples/loot.csv} -n 1000 -o rolls.csv",
    ],
    description: "roll a table; print one result per line, an empty line for a roll without a result",
    takes: [FILE],
    options: [
      ...range("roll"),
      ...SCRIPTED,
      ...source("rolls"),
      ...output("rolls"),
      option("--payload <file>", "add columns from this .csv or .2da file: those of the row whose label is the result"),
      option("--count", "count the results instead of listing them").conflicts(["output", "payload"]),
      THREADS,
    ],
    async run(flags, file) {
      const { start, n, from, fork, json, payload: columns, name = stemOf(file, "table") } = flags;
      refuseThreads(flags);
      using mill = await openMill(createMill, seedOr(io, flags.seed), flags);
      const spec = await readTable(io, file);
      refuseAbsentIds(spec, flags);
      const opened = mill.table(name, spec, { file, start, ...(await scriptOptions(io, flags)) });
      const payload = columns === undefined ? undefined : parsePayload(await readText(io, columns), columns);
      const table = forkOf(opened, flags);
      const now = printNow(io, mill, table, flags);
      const head = { command: "table roll", seed: mill.seed, name, fork, from, now };
      checkRange(from, n);
      moveTo(table, from);
      if (flags.count) return await printCounts(io, longCalls(mill, table), { head, json, n });
      await putResults(io, flags, {
        head,
        unit: "rolls",
        size: ROLLS_PER_WRITE,
        make: (count) => table.rollMany(count),
        rowsOf: (rolls) => (payload === undefined ? rowsBy(rolls, lineOf) : rowsWithPayload(rolls, payload)),
      });
    },
  });
  define(table.command("odds"), io, {
    examples: ["table odds {data/loot.2da} --start 5"],
    description: "exact odds of one roll as fractions; independent of the seed",
    takes: [FILE],
    options: ODDS,
    run: (flags, file) => odds(io, flags, file),
  });
  define(table.command("check"), io, {
    examples: ["table check {data/loot.2da}"],
    description: "check all rows and list errors and warnings; with --script, check scripts too; exit 2 on an error",
    takes: [FILE],
    options: [...SCRIPTED, JSON_DOCUMENT],
    async run(flags, file) {
      const { spec, issues } = await loadTable(file, (path) => readPart(io, file, path));
      if (spec !== undefined) refuseAbsentIds(spec, flags);
      const name = stemOf(file, "table");
      const options = { file, name, start: flags.start, ...(await scriptOptions(io, flags)) };
      const found = spec === undefined ? [] : checkTable(spec, options);
      if (spec !== undefined && !found.some(({ severity }) => severity === "error")) noteProofs(io, spec, options);
      await reportIssues(io, flags, { command: "table check", name, issues: [...issues, ...found] });
    },
  });
}

/** Prints what holds for all weights of the scripts of a table without errors. */
function noteProofs(io: Io, spec: TableSpec, { start, weights }: TableOptions): void {
  const isScripted = spec.rows.some(({ columns }) => columns.some(({ weight }) => typeof weight === "object"));
  const first = startOf(spec, start);
  if (!isScripted || first === undefined) return;
  const { unreached, never, ends } = prove(compileTable(spec), first, overridesOf(weights));
  const counts = `rows out of reach: ${unreached.length}, columns that never win: ${never.length}`;
  note(io, `for all weights of scripts: ${counts}, endless rolls: ${ends ? "impossible" : "possible"}`);
}

function rowsWithPayload(rolls: TableRolls<Rolled>, payload: Payload): Rows {
  const rowOf = (result: string | null) => (result === null ? undefined : payloadRow(payload, result));
  const labelOf = (roll: Rolled) => (typeof roll === "object" && roll !== null ? roll.result : roll);
  const cellsOf = (roll: Rolled) => payload.columns.map((name) => rowOf(labelOf(roll))?.[name] ?? "");
  const joined = () => {
    const own = rolls.columns();
    const taken = own.map(({ name }) => name);
    const added = payload.columns.map((name): Column => {
      const words = [...rolls.results.map((result) => rowOf(result)?.[name] ?? null), null];
      return { kind: "word", name: taken.includes(name) ? `payload.${name}` : name, words, indices: rolls.ids };
    });
    return [...own, ...added];
  };
  return rowsBy<Rolled>(
    rolls,
    (roll) => [lineOf(roll), ...cellsOf(roll)].join("\t"),
    joined,
    (roll) =>
      roll && { ...(typeof roll === "string" ? { result: roll } : roll), payload: rowOf(labelOf(roll)) ?? null },
  );
}

/** Prints the time that `random_default` reads, so that the user can repeat the run with `--script-arg now=…`. */
function printNow(io: Io, mill: Mill, { scriptIds }: Table, flags: ScriptFlags): string | undefined {
  const { script = "random_default", scriptArg, weight: fixed = {} } = flags;
  const asked = scriptIds.some((id) => typeof id === "number" && fixed[id] === undefined);
  if (!asked || script !== "random_default" || scriptArg?.now !== undefined) return undefined;
  note(io, `now: ${mill.now}`);
  return mill.now;
}

/** Moves to the roll `from`. If rolls depend on earlier rolls, makes all earlier rolls first. */
function moveTo(table: Table, from: number): void {
  try {
    table.rollMany(0, { from });
    table.next = from;
  } catch (cause) {
    if (!(cause instanceof RollmillError) || cause.code !== "table.live-from") throw cause;
    table.count(from);
  }
}

async function odds(io: Io, flags: OddsFlags, file: string): Promise<void> {
  const { start, n, maxWork, json, name = stemOf(file, "table") } = flags;
  using mill = createMill({ seed: flags.seed ?? "" });
  const spec = await readTable(io, file);
  refuseAbsentIds(spec, flags);
  const table = mill.table(name, spec, { file, start });
  const options = { ...(await scriptOptions(io, flags)), maxWork };
  const job = { what: "computing", unit: "rows" };
  const found = await withProgress(io, job, (onProgress) => table.odds({ ...options, onProgress }));
  const head = { command: "table odds", name, now: printNow(io, mill, table, flags) };
  if (n !== 1) {
    refuseManyRolls(table, flags, found);
    return printOdds(io, found, { head, json, n });
  }
  const { rowsVisited, none, endless, rows } = found;
  await report(io, flags, {
    head,
    data: () => ({
      odds: oddsData(found.odds),
      none: withProbability(none),
      endless: withProbability(endless),
      rowsVisited: rowsVisited && valued(rowsVisited),
      ...(flags.rows && { rows: rows.map(({ visits, ...row }) => ({ ...row, visits: visits && valued(visits) })) }),
    }),
    lines: () =>
      flags.rows
        ? rows.map(({ row, label, visits }) => `${row}\t${label ?? ""}\t${visits ? chanceText(visits) : "endless"}`)
        : oddsLines(found.odds, { "(none)": none, "(endless)": endless }),
  });
  if (!json && !flags.rows && rowsVisited !== null) {
    note(io, `rows visited: ${toNumber(rowsVisited).toPrecision(6)}`);
  }
}

/** Refuses the odds of several rolls if these odds can differ from roll to roll. */
function refuseManyRolls({ scriptIds }: Table, flags: OddsFlags, { endless }: { readonly endless: Fraction }): void {
  const { script = "random_default", rows, weight: fixed = {} } = flags;
  // the weights of random_default depend only on the time, which all rolls of a mill share
  const live = script === "random_default" ? undefined : scriptIds.find((id) => fixed[id] === undefined);
  const remedy = "Omit -n, or give each script a constant weight with --weight";
  if (rows) refuse("--rows prints the visits of one roll", { remedy: "Omit -n or --rows" });
  if (live !== undefined) {
    const problem = "the table has a script, which can change the odds from roll to roll";
    refuse(problem, { got: live, expected: "-n 1", remedy });
  }
  if (endless.numerator > 0n) {
    const problem = "the odds of several rolls exist only if every roll ends, but a roll of this table may never end";
    refuse(problem, { expected: "-n 1", remedy: "Omit -n, or let an entry end the loop" });
  }
}

export async function readTable(io: Io, file: string): Promise<TableSpec> {
  const { spec, issues } = await loadTable(file, (path) => readPart(io, file, path));
  if (spec === undefined) throw new RollmillError(issues.filter(({ severity }) => severity === "error"));
  for (const issue of issues) note(io, formatIssue(issue));
  return spec;
}

export async function scriptOptions(
  io: Io,
  { script, scriptArg, weight: weights = {} }: ScriptFlags,
): Promise<ScriptOptions> {
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
  const problem = 'the module exports no function named "script"';
  // stands in for `script` if a module exports only `scripts`: throws for every id that `scripts` lacks
  const noScript = (id: number) => fail(error("table.unknown-script", { problem, got: id }));
  // the exports of a CommonJS module are the properties of its default export
  const { default: whole } = found;
  const isWrapped = found.script === undefined && found.scripts === undefined && typeof whole === "object";
  const exported: typeof found = isWrapped && whole !== null ? { ...whole } : found;
  const { scripts, chosen, script: answer = scripts === undefined ? found.default : noScript } = exported;
  if (typeof answer !== "function" || (chosen !== undefined && typeof chosen !== "function")) {
    const expected = 'a module that exports the function "script" or the object "scripts", and optionally "chosen"';
    const got = Object.keys(found).join(", ") || undefined;
    fail(error("table.unknown-script", { problem, got, expected, where: { file: script } }));
  }
  // the casts are safe: the table checks the scripts
  const given = { script: answer, scripts, chosen } as Pick<ScriptOptions, "script" | "scripts" | "chosen">;
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...options, weights, context: scriptArg ?? {} };
}

export function refuseAbsentIds(
  { file, rows }: TableSpec,
  { weight: weights = {} }: Pick<ScriptFlags, "weight">,
): void {
  const ids = Object.keys(weights);
  if (ids.length === 0) return;
  const columns = rows.flatMap((row) => row.columns);
  const known = new Set(columns.flatMap(({ weight: one }) => (typeof one === "object" ? String(one.script) : [])));
  const problem = "no weight in the table uses the script that --weight names";
  const expected = [...known].slice(0, 20).join(", ") || "no --weight, because the table uses no scripts";
  const absent = ids.filter((id) => !known.has(id));
  const issueOf = (got: string) =>
    error("table.unknown-script", { problem, got, expected, ...didYouMean(got, known), where: { file } });
  failOnErrors(absent.map(issueOf));
}

function rowOf(text: string): number | string {
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
