import { basename, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Command, InvalidArgumentError } from "commander";
import { checkRange } from "../calls/index.js";
import { error, fail, failOnErrors } from "../errors/index.js";
import {
  createMill,
  formatIssue,
  type Issue,
  type Mill,
  parseTable,
  RollmillError,
  type ScriptOptions,
  STREAM_VERSION,
  type Table,
  toNumber,
} from "../index.js";
import { checkStart, compileTable, isScriptSet, MAX_WEIGHT, parseScriptArgs, SCRIPT_SETS } from "../tables/index.js";
import { integer, jsonOption, keyValue, seedOption } from "./options.js";
import { json, note, readText, seedOr, withProgress, write } from "./terminal.js";

const MAX_INDEX = 2 ** 42;
const MAX_ROW = 2 ** 31 - 1;
/** Rolls printed at a time. */
const ROLLS_PER_WRITE = 2 ** 18;

interface SelectionFlags {
  readonly start: number;
  readonly seed?: string;
  readonly name?: string;
  readonly script?: string;
  readonly scriptArg?: Readonly<Record<string, string>>;
  readonly weight?: Readonly<Record<string, number>>;
  readonly json?: boolean;
}

interface RollFlags extends SelectionFlags {
  readonly count?: boolean;
  readonly n: number;
  readonly from?: number;
}

/** Adds `rollmill table roll`, `table odds` and `table check`. */
export function addTable(program: Command): void {
  const table = program
    .command("table")
    .description("directed randomised data tables (DRDT) in 2DA files: rolls, exact odds, a linter");
  selection(table.command("roll").argument("<file>", '2DA file; "-" is stdin'))
    .description("roll a table: one result a line, an empty line for a dead roll")
    .option("-n <rolls>", "how many rolls", integer(0, MAX_INDEX), 1)
    .option("--from <index>", "index of the first roll", integer(0, MAX_INDEX - 1))
    .option("--count", "count the results instead of listing them")
    .action(roll);
  selection(table.command("odds").argument("<file>", '2DA file; "-" is stdin'))
    .description("the exact odds of one roll, as fractions; no seed changes them")
    .action(odds);
  table
    .command("check")
    .argument("<file>", '2DA file; "-" is stdin')
    .description("list every error and warning; exit 2 on an error")
    .option("--start <row>", "row that rolls would start from", integer(0, MAX_ROW), 0)
    .addOption(jsonOption())
    .action(check);
}

function selection(command: Command): Command {
  return command
    .option("--start <row>", "row to start from", integer(0, MAX_ROW), 0)
    .addOption(seedOption())
    .option("--name <name>", "name that the rolls go by (default: the file's stem)")
    .option(
      "--script <script>",
      `${SCRIPT_SETS.join(" or ")}, or a module that exports script(id, args) and chosen(id, args)`,
    )
    .option(
      "--script-arg <key=value>",
      "argument of the script, repeatable: now (random_default), level, type, spent (nwangband), or your module's",
      keyValue,
    )
    .option("--weight <id=weight>", "answer a script id with a constant, repeatable", weight)
    .addOption(jsonOption());
}

async function roll(file: string, flags: RollFlags): Promise<void> {
  const seed = seedOr(flags.seed);
  const name = flags.name ?? stem(file);
  using mill = createMill({ seed });
  const table = mill.table(name, await readText(file), { file, start: flags.start, ...(await scriptOptions(flags)) });
  tellClock(mill, table, flags);
  const { n, from = 0 } = flags;
  checkRange(from, n);
  moveTo(table, from);
  if (flags.count) await printCounts(table, flags);
  else if (flags.json) await printJson(rolls(table, n), { seed, name, stream: STREAM_VERSION });
  else for (const batch of rolls(table, n)) await write(batch.map((result) => `${result ?? ""}\n`).join(""));
}

/** Says which time `random_default` went by, where it had to read the clock: --script-arg now=… gives the same again. */
function tellClock(
  mill: Mill,
  { scriptIds }: Table,
  { script = "random_default", scriptArg, weight: fixed = {} }: SelectionFlags,
): void {
  const asked = scriptIds.some((id) => fixed[id] === undefined);
  if (asked && script === "random_default" && scriptArg?.now === undefined) note(`now: ${mill.now}`);
}

/** Moves the cursor to an index, or, where rolls depend on the rolls before them, makes those. */
function moveTo(table: Table, from: number): void {
  try {
    table.rollMany(0, { from });
    table.next = from;
  } catch (cause) {
    if (!(cause instanceof RollmillError) || cause.code !== "table.live-from") throw cause;
    table.count(from);
  }
}

/** The next n rolls, a batch at a time, so that neither memory nor the length of a string bounds n. */
function* rolls(table: Table, n: number): Generator<(string | null)[], void> {
  for (let done = 0; done < n; done += ROLLS_PER_WRITE) {
    const { ids, results } = table.rollMany(Math.min(ROLLS_PER_WRITE, n - done));
    yield Array.from(ids, (id) => results[id] ?? null);
  }
}

/** Prints one JSON document whose last field, `results`, is written as it is made. */
async function printJson(batches: Iterable<(string | null)[]>, head: object): Promise<void> {
  let before = `${JSON.stringify(head).slice(0, -1)},"results":[`;
  for (const batch of batches) {
    await write(before + JSON.stringify(batch).slice(1, -1));
    before = ",";
  }
  await write(`${before === "," ? "" : before}]}\n`);
}

async function printCounts(table: Table, { n, json: asJson }: RollFlags): Promise<void> {
  const { rolls, counts, dead } = withProgress({ what: "rolling", unit: "rolls" }, (onProgress) =>
    table.count(n, { onProgress }),
  );
  const list = [...counts].map(([result, count]) => ({ result, count }));
  if (asJson) await write(json({ rolls, counts: list, dead }));
  else {
    const lines = [...list.map(({ result, count }) => `${count}\t${result}`), ...(dead > 0 ? [`${dead}\t(dead)`] : [])];
    await write(lines.map((line) => `${line}\n`).join(""));
  }
}

async function odds(file: string, flags: SelectionFlags): Promise<void> {
  using mill = createMill({ seed: flags.seed ?? "" });
  const table = mill.table(flags.name ?? stem(file), await readText(file), { file, start: flags.start });
  const found = table.odds(await scriptOptions(flags));
  tellClock(mill, table, flags);
  const withChance = <T extends { numerator: bigint; denominator: bigint }>(chance: T) => ({
    ...chance,
    probability: toNumber(chance),
  });
  if (flags.json) {
    const { rowsVisited } = found;
    const document = {
      odds: found.odds.map(withChance),
      dead: withChance(found.dead),
      endless: withChance(found.endless),
      rowsVisited: rowsVisited && { ...rowsVisited, value: toNumber(rowsVisited) },
    };
    return write(json(document));
  }
  const rest = [
    { result: "(dead)", ...found.dead },
    { result: "(endless)", ...found.endless },
  ].filter(({ numerator }) => numerator > 0n);
  const lines = [...found.odds, ...rest].map(
    (chance) => `${chance.result}\t${chance.numerator}/${chance.denominator}\t${toNumber(chance).toPrecision(6)}\n`,
  );
  await write(lines.join(""));
  if (found.rowsVisited !== null) note(`rows visited: ${toNumber(found.rowsVisited).toPrecision(6)}`);
}

async function check(file: string, { start, json: asJson }: { start: number; json?: boolean }): Promise<void> {
  const issues = inspect(await readText(file), file, start);
  const errors = issues.filter(({ severity }) => severity === "error").length;
  if (asJson) await write(json({ issues }));
  else await write(issues.map((issue) => `${formatIssue(issue)}\n`).join(""));
  note(`errors: ${errors}, warnings: ${issues.length - errors}`);
  if (errors > 0) process.exitCode = 2;
}

/** Every issue of a table's text; where it has no errors, also those of laying it out and of starting from a row. */
function inspect(text: string, file: string, start: number): readonly Issue[] {
  const { spec, issues } = parseTable(text, { name: stem(file), file });
  if (spec === undefined) return issues;
  try {
    checkStart(compileTable(spec), start);
    return issues;
  } catch (cause) {
    if (cause instanceof RollmillError) return [...issues, ...cause.issues];
    throw cause;
  }
}

/** The script options that the flags ask for. A module's functions are passed the script arguments as their context. */
async function scriptOptions({ script, scriptArg = {}, weight: weights = {} }: SelectionFlags): Promise<ScriptOptions> {
  if (script === undefined || isScriptSet(script)) {
    const { args, issues } = parseScriptArgs(script ?? "random_default", scriptArg);
    failOnErrors(issues);
    return args === undefined ? { weights } : { script: args, weights };
  }
  const found: Record<string, unknown> = await import(pathToFileURL(resolve(script)).href).catch((cause) => {
    const got = cause instanceof Error ? cause.message : cause;
    const remedy = `Name a built-in set (${SCRIPT_SETS.join(", ")}) or the path of a JavaScript module`;
    fail(
      error("table.unknown-script", { problem: "the script cannot be loaded", got, remedy, where: { file: script } }),
    );
  });
  const { script: answer = found.default, chosen } = exportsOf(found);
  if (typeof answer !== "function" || (chosen !== undefined && typeof chosen !== "function")) {
    const expected = "a module that exports a function script, and chosen as one or not at all";
    const got = Object.keys(found).join(", ");
    fail(
      error("table.unknown-script", { problem: "the script is not usable", got, expected, where: { file: script } }),
    );
  }
  const options = { script: answer as NonNullable<ScriptOptions["script"]>, weights, context: scriptArg };
  return chosen === undefined ? options : { ...options, chosen: chosen as NonNullable<ScriptOptions["chosen"]> };
}

/** A module's named exports, or, for a CommonJS module, what it assigns to `module.exports`. */
function exportsOf(found: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const whole = found.default;
  return found.script === undefined && typeof whole === "object" && whole !== null ? { ...whole } : found;
}

function weight(text: string, before: Readonly<Record<string, number>> = {}): Record<string, number> {
  const found = /^(\d{1,10})=(\d{1,10})$/.exec(text);
  const [id, value] = [Number(found?.[1] ?? Number.NaN), Number(found?.[2] ?? Number.NaN)];
  if (!(id <= MAX_WEIGHT && value <= MAX_WEIGHT)) {
    throw new InvalidArgumentError(`It must be ID=WEIGHT, both integers from 0 to ${MAX_WEIGHT}.`);
  }
  return { ...before, [id]: value };
}

function stem(file: string): string {
  return file === "-" ? "table" : basename(file, extname(file));
}
