import { extname } from "node:path";
import type { Command } from "commander";
import { checkRange, MAX_INDEX } from "../calls/index.js";
import { error, fail, failOnErrors } from "../errors/index.js";
import { type CsvCell, type CsvEntries, numberOrText, readCsvEntries } from "../formats/csvEntries.js";
import { createMill, formatIssue, type Issue, parseLabels } from "../index.js";
import { specOf } from "../spec/index.js";
import type { LabelledList, Stack } from "../weighted/index.js";
import { printOdds, printResults } from "./draws.js";
import { withExamples } from "./examples.js";
import { type ForkFlags, forkOf, forkOption } from "./forks.js";
import { readJson, readText, stemOf } from "./inputFile.js";
import { type Io, note } from "./io.js";
import { countOf, jsonOption, seedOption, seedOr } from "./options.js";

const PICKS_PER_WRITE = 2 ** 18;
const COLUMNS = ["result", "weight", "quantity"] as const;
type Column = (typeof COLUMNS)[number];

interface PickFlags extends ForkFlags {
  readonly seed?: string;
  readonly name?: string;
  readonly odds?: boolean;
  readonly json?: boolean;
  readonly n: number;
  readonly from: number;
}

/** A pick as the command prints it. */
type Printed = string | Stack | null;
type List = LabelledList<string | null, Printed>;

/** Adds `rollmill pick`. */
export function addPick(pick: Command, io: Io): void {
  withExamples(pick, io, "pick gold=70 gem=5 nothing=25 -n 10 --seed moria", "pick gold=70 gem=1/3 --odds")
    .argument(
      "<entries...>",
      'weights by label, such as gold=70 gem=1/3; or one .csv or .json file; "-" is JSON from stdin',
    )
    .option("-n <picks>", "how many picks", countOf(0, MAX_INDEX), 1)
    .option("--from <index>", "index of the first pick", countOf(0, MAX_INDEX - 1), 0)
    .option("--odds", "print the exact odds instead; independent of the seed")
    .addOption(seedOption())
    .option(
      "--name <name>",
      "picks depend on the seed and this name (default: the file name without extension, or pick)",
    )
    .addOption(forkOption())
    .addOption(jsonOption())
    .action((entries: readonly string[], flags: PickFlags) => run(io, entries, flags));
}

async function run(io: Io, entries: readonly string[], flags: PickFlags): Promise<void> {
  const given = await readInput(io, entries);
  const { input, file } = given;
  const { spec: parsed, issues } = parseLabels(input, { file });
  const spec = specOf({ spec: parsed, issues: placed(issues, given) });
  const seed = flags.odds ? null : seedOr(io, flags.seed);
  const name = flags.name ?? (file === undefined ? "pick" : stemOf(file, "pick"));
  using mill = createMill({ seed: seed ?? "" });
  const list: List = forkOf(mill.weighted(name, spec), flags);
  const { n, from, fork, json } = flags;
  const head = { command: "pick", seed, name, fork };
  if (flags.odds) return printOdds(io, list.odds(), { head, json });
  checkRange(from, n);
  await printResults(io, picks(list, flags), { head: { ...head, from }, json, lineOf });
}

/** Yields the picks in batches, because all picks together might not fit into memory or into one string. */
function* picks(list: List, { n, from }: Pick<PickFlags, "n" | "from">): Generator<readonly Printed[], void> {
  for (let done = 0; done < n; done += PICKS_PER_WRITE) {
    yield [...list.pickMany(Math.min(PICKS_PER_WRITE, n - done), { from: from + done })];
  }
}

function lineOf(pick: Printed): string {
  if (pick === null) return "";
  return typeof pick === "string" ? pick : `${pick.result}\t${pick.quantity}`;
}

/**
 * The input of `parseLabels`, and the file that contained it. For a CSV file, also its cells, because messages show
 * lines and columns.
 */
interface PickInput {
  readonly input: unknown;
  readonly file?: string;
  readonly csv?: CsvEntries<Column>;
}

async function readInput(io: Io, entries: readonly string[]): Promise<PickInput> {
  const [file] = entries;
  if (entries.length > 1 || file.includes("=")) return { input: entries.map(entryOf) };
  if (extname(file).toLowerCase() !== ".csv") return { input: await readJson(io, file), file };
  const csv = readCsvEntries(await readText(io, file), {
    file,
    known: COLUMNS,
    required: ["result"],
    code: "weights.invalid",
  });
  failOnErrors(csv.issues);
  for (const issue of csv.issues) note(io, formatIssue(issue));
  return { input: csv.entries.map(({ cells }) => inputOf(cells, csv.columns)), file, csv };
}

/** Reads LABEL=WEIGHT. The label ends at the last "=". */
function entryOf(text: string): object {
  const at = text.lastIndexOf("=");
  if (at > 0) return { result: text.slice(0, at), weight: numberOrText(text.slice(at + 1).trim()) };
  const [expected, remedy] = ["LABEL=WEIGHT, such as gold=70", "To pick from a file, pass the file alone"];
  return fail(error("cli.usage", { problem: "invalid entry", got: text, expected, remedy }));
}

/**
 * Converts a line of a CSV to an entry. An empty cell for the result means that the entry has no result. If the CSV has
 * no column of weights, each entry has the weight 1.
 */
function inputOf(cells: ReadonlyMap<Column, CsvCell>, columns: ReadonlySet<Column>): object {
  const weight = cells.get("weight")?.text ?? (columns.has("weight") ? undefined : "1");
  return {
    result: cells.get("result")?.text ?? null,
    weight: weight === undefined ? undefined : numberOrText(weight),
    quantity: cells.get("quantity")?.text,
  };
}

/** Adds to each issue the line and column of the cell that caused the issue. */
function placed(issues: readonly Issue[], { file, csv }: PickInput): readonly Issue[] {
  if (csv === undefined) return issues;
  return issues.map((issue) => {
    const [, index, key] = /^\[(\d+)\](?:\.(\w+))?/.exec(issue.where.path ?? "") ?? [];
    const entry = csv.entries[Number(index ?? 0)];
    const { line, column = 1 } = entry?.cells.get(key as Column) ?? { line: entry?.line };
    return { ...issue, where: { file, line, column } };
  });
}
